//! Text that is made unit by unit: of a long source, a page costs the units that
//! it shows.
//!
//! Lines are counted from the first unit that was asked for. A line in the middle
//! of a source is found by the lines of the units before it. These are counted
//! once, and kept in the session. What follows a page is named by its unit, so that
//! no other unit has to be made to find it.

use crate::converted::{Attachment, Unit, Units};
use crate::limits;
use crate::pages::{Coding, Input, fill_from};
use crate::path::{Lines, Part, Range, Selector, Start, UnitRange};
use crate::sort;
use crate::window::{Page, Total, Window};
use crate::world::{FileError, Source, World, part_from};
use memchr::memchr_iter;

#[cfg(test)]
mod tests;

/// A page, and what stands after its lines, by their places on it.
pub struct Paged {
    /// The page.
    pub page: Page,
    /// What stands after its lines.
    pub attachments: Vec<(usize, Attachment)>,
    /// Facts worth a sentence, of the units that were made.
    pub notes: Vec<String>,
}

/// Fills a page with what a window asks for. `None` if the source has none of the
/// units that are asked for.
pub fn page(units: &mut dyn Units, window: &Window, world: &mut dyn World) -> Option<Paged> {
    let count = units.count();
    let (asked, (first, end)) = match window.selector.part {
        Part::Units(range) => (range, range.within(count)?),
        Part::Whole | Part::Image => {
            let all = UnitRange {
                kind: units.kind(),
                first: units.kind().first(),
                last: None,
            };
            (all, (0, count))
        }
    };
    let mut counts = Counts::load(units, world);
    let mut window = window.clone();
    let (start, before, made, counted_from) = match window.selector.lines {
        Lines::Tail { count, .. } => {
            let (start, made) = tail(units, (first, end), count, &mut counts);
            // Lines are counted from there.
            window.selector.part = Part::Units(part(asked, start));
            (start, 0, made, start)
        }
        _ => {
            let (start, before) = counts.start((first, end), first_line(&window));
            (start, before, Vec::new(), first)
        }
    };
    // What is not on the page is counted after it was filled.
    let exact = std::mem::take(&mut window.exact_total);
    let mut text = Stitched {
        units,
        made,
        next: start,
        end,
        first: start,
        before,
        wanted: first_line(&window),
        starts: Vec::new(),
        lines: before,
        chunk: Vec::new(),
        chunk_start: 0,
        attachments: Vec::new(),
        notes: Vec::new(),
    };
    let mut page = {
        let mut input = Input::lazy(&mut text);
        let line = i64::try_from(before).unwrap_or(i64::MAX).saturating_add(1);
        fill_from(&mut input, Coding::Utf8, line, &window)
    };
    let stitched = |selector: Option<Selector>| selector.map(|left| text.by_unit(left, asked));
    page.rest = stitched(page.rest.take());
    page.left = stitched(page.left.take());
    let attachments = on_page(&page, u64::MAX, std::mem::take(&mut text.attachments));
    let notes = std::mem::take(&mut text.notes);
    counts.learn(&text.starts, text.lines);
    if exact {
        counts.count(units, (counted_from, end));
    }
    if let Some(total) = counts.total(counted_from, end) {
        page.total = Total::Exact(total);
    }
    counts.save(world);
    Some(Paged {
        page,
        attachments,
        notes,
    })
}

/// What stands after the lines that start on a page, with the places of these on
/// it. `lines` is how many there are.
pub fn on_page(page: &Page, lines: u64, attachments: Vec<Attachment>) -> Vec<(usize, Attachment)> {
    // Lines by number, from the end as well.
    let mut places: Vec<(u64, usize)> = page
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.column == 1)
        .filter_map(|(index, line)| {
            let number = u64::try_from(line.number).ok().or_else(|| {
                lines
                    .checked_add(1)?
                    .checked_sub(line.number.unsigned_abs())
            });
            Some((number?, index))
        })
        .collect();
    sort::by(&mut places, |(number, index)| (*number, *index as u64));
    let shown = attachments.into_iter().filter_map(|mut attachment| {
        attachment.line = attachment.line.min(lines.max(1));
        let place = places.binary_search_by_key(&attachment.line, |(number, _)| *number);
        let (_, index) = places.get(place.ok()?)?;
        Some((*index, attachment))
    });
    shown.collect()
}

/// The first line that a window asks for.
fn first_line(window: &Window) -> u64 {
    match &window.selector.lines {
        Lines::One(range) => {
            window
                .padded()
                .map_or(*range, |range| range.padded())
                .start
                .line
        }
        Lines::List(ranges) => ranges.first().map_or(1, |range| range.start.line),
        Lines::All | Lines::Tail { .. } => 1,
    }
}

/// The units of a range from a place on.
fn part(asked: UnitRange, place: u64) -> UnitRange {
    UnitRange {
        first: asked.kind.first().saturating_add(place),
        ..asked
    }
}

/// The place of the unit in which the last lines start, and the units from there on
/// that were made to find it, the first one last: none if they are too large to be
/// kept.
fn tail(
    units: &mut dyn Units,
    (first, end): (u64, u64),
    count: u64,
    counts: &mut Counts,
) -> (u64, Vec<Unit>) {
    let mut place = end;
    let mut lines = 0u64;
    let mut bytes = 0usize;
    let mut made = Vec::new();
    while place > first && lines < count {
        place = place.saturating_sub(1);
        let unit = units.unit(place);
        let of_unit = lines_of(&unit.text);
        counts.set(place, of_unit);
        lines = lines.saturating_add(of_unit);
        bytes = bytes.saturating_add(unit.size());
        if bytes <= limits::TAIL_BYTES {
            made.push(unit);
        } else {
            // They are made again, each when it is shown.
            made.clear();
        }
    }
    (place, made)
}

/// How many lines a unit has: each has one at least.
fn lines_of(text: &str) -> u64 {
    let ends = memchr_iter(b'\n', text.as_bytes()).count() as u64;
    ends.saturating_add(1)
}

/// How many lines units have, as far as that is known: 0 is unknown.
struct Counts {
    lines: Vec<u32>,
    key: Option<String>,
    changed: bool,
}

impl Counts {
    /// The counts that the session has.
    fn load(units: &dyn Units, world: &mut dyn World) -> Self {
        let key = units.key().map(|key| format!("lines {key}"));
        let count = usize::try_from(units.count()).unwrap_or(0);
        let kept = key.as_deref().and_then(|key| world.cached(key));
        let mut lines: Vec<u32> = Vec::new();
        for bytes in kept.unwrap_or_default().chunks_exact(4).take(count) {
            lines.push(bytes.try_into().map_or(0, u32::from_le_bytes));
        }
        Self {
            lines,
            key,
            changed: false,
        }
    }

    fn of(&self, place: u64) -> Option<u64> {
        let place = usize::try_from(place).ok()?;
        let lines = self.lines.get(place).copied()?;
        (lines > 0).then_some(lines.into())
    }

    /// The place from which units are made so that a line is found, and how many
    /// lines are before it.
    fn start(&self, (first, end): (u64, u64), line: u64) -> (u64, u64) {
        let (mut place, mut before) = (first, 0u64);
        while let Some(lines) = self.of(place) {
            let next = before.saturating_add(lines);
            if next >= line || place.saturating_add(1) >= end {
                break;
            }
            before = next;
            place = place.saturating_add(1);
        }
        (place, before)
    }

    /// The lines of units, if all are known.
    fn total(&self, first: u64, end: u64) -> Option<u64> {
        (first..end).try_fold(0u64, |sum, place| Some(sum.saturating_add(self.of(place)?)))
    }

    /// Learns the lines of units that were made, by where they start. `end` is the
    /// last line of the last one.
    fn learn(&mut self, starts: &[(u64, u64)], end: u64) {
        let ends = starts
            .iter()
            .skip(1)
            .map(|(_, first)| first.saturating_sub(1));
        for ((place, first), end) in starts.iter().zip(ends.chain([end])) {
            self.set(*place, end.saturating_sub(*first).saturating_add(1));
        }
    }

    /// Sets how many lines a unit has.
    fn set(&mut self, place: u64, lines: u64) {
        let (Ok(place), Ok(lines)) = (usize::try_from(place), u32::try_from(lines)) else {
            return;
        };
        if place >= limits::COUNTED_UNITS {
            return;
        }
        if self.lines.len() <= place {
            self.lines.resize(place.saturating_add(1), 0);
        }
        if let Some(known) = self.lines.get_mut(place).filter(|known| **known != lines) {
            *known = lines;
            self.changed = true;
        }
    }

    /// Counts the lines of units that are not counted yet.
    fn count(&mut self, units: &mut dyn Units, (first, end): (u64, u64)) {
        for place in first..end.min(limits::COUNTED_UNITS as u64) {
            if self.of(place).is_none() {
                let lines = lines_of(&units.unit(place).text);
                self.set(place, lines);
            }
        }
    }

    fn save(&self, world: &mut dyn World) {
        if let Some(key) = self.key.as_deref().filter(|_| self.changed) {
            let bytes: Vec<u8> = self.lines.iter().flat_map(|n| n.to_le_bytes()).collect();
            world.cache(key, &bytes);
        }
    }
}

/// Units, one after the other, as one text: each ends in a line ending.
struct Stitched<'u> {
    units: &'u mut dyn Units,
    /// Units that were made already, the next one last.
    made: Vec<Unit>,
    /// The unit that is made next.
    next: u64,
    /// The one after the last.
    end: u64,
    /// The first unit of the text, and the lines before it.
    first: u64,
    before: u64,
    /// The first line that may be shown: what belongs to lines before it is dropped.
    wanted: u64,
    /// The units that were made, and the numbers of their first lines.
    starts: Vec<(u64, u64)>,
    /// The last line of the last one.
    lines: u64,
    /// The text of the unit that was made last, and where it starts.
    chunk: Vec<u8>,
    chunk_start: u64,
    /// What stands after the lines of units that were made.
    attachments: Vec<Attachment>,
    notes: Vec<String>,
}

impl Stitched<'_> {
    /// The text from a byte of the unit that was made last.
    fn held(&self, offset: u64) -> &[u8] {
        part_from(&self.chunk, self.chunk_start, offset)
    }

    fn make(&mut self) {
        let place = self.next;
        let unit = self.made.pop().unwrap_or_else(|| self.units.unit(place));
        self.next = place.saturating_add(1);
        self.starts.push((place, self.lines.saturating_add(1)));
        let before = self.lines;
        self.lines = before.saturating_add(lines_of(&unit.text));
        if self.lines >= self.wanted {
            let attachments = unit.attachments.into_iter().map(|mut one| {
                one.line = one.line.saturating_add(before);
                one
            });
            self.attachments.extend(attachments);
            self.notes.extend(unit.notes);
        }
        self.chunk_start = self.chunk_start.saturating_add(self.chunk.len() as u64);
        self.chunk = unit.text.into_bytes();
        self.chunk.push(b'\n');
    }

    /// The same lines, counted from the unit that the first of them is in.
    fn by_unit(&self, left: Selector, asked: UnitRange) -> Selector {
        let line = match &left.lines {
            Lines::One(range) => range.start.line,
            Lines::List(ranges) => ranges.first().map_or(1, |range| range.start.line),
            Lines::All | Lines::Tail { .. } => return left,
        };
        let (place, before) = if line > self.lines {
            (self.next, self.lines)
        } else {
            let starts = self.starts.iter().rev();
            let start = starts.map(|(place, first)| (*place, first.saturating_sub(1)));
            let mut start = start.skip_while(|(_, before)| *before >= line);
            start.next().unwrap_or((self.first, self.before))
        };
        let moved = |range: Range| Range {
            start: Start {
                line: range.start.line.saturating_sub(before),
                ..range.start
            },
            end: range.end.map(|end| end.saturating_sub(before)),
            ..range
        };
        let lines = match left.lines {
            Lines::One(range) => match moved(range) {
                whole if whole == Range::lines(1, None) => Lines::All,
                range => Lines::One(range),
            },
            Lines::List(ranges) => Lines::List(ranges.into_iter().map(moved).collect()),
            lines => lines,
        };
        Selector {
            part: Part::Units(part(asked, place)),
            lines,
            raw: left.raw,
        }
    }
}

impl Source for Stitched<'_> {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        if self.held(offset).is_empty() && self.next < self.end {
            self.make();
        }
        let held = self.held(offset);
        out.extend_from_slice(held.get(..len).unwrap_or(held));
        Ok(())
    }

    fn seekable(&self) -> bool {
        false
    }

    fn has_more(&self, offset: u64) -> Option<bool> {
        Some(!self.held(offset).is_empty() || self.next < self.end)
    }
}
