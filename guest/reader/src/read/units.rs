//! Pages of text that is converted unit by unit. Only the units on a page are converted.
//!
//! Line numbers start at the first requested unit. To find a line in the middle of a source, the
//! line counts of the units before it are needed. They are computed once and cached in the session.
//! The next path names a unit, so that no other unit has to be converted to find its start.

use crate::converted::{Attachment, Unit, Units};
use crate::limits;
use crate::pages::{Charset, Input, fill_from};
use crate::path::{Lines, Part, Range, Selector, Start, UnitRange};
use crate::window::{Line, Page, Total, Window};
use crate::world::{FileError, Source, World, part_from};
use memchr::memchr_iter;
use omniread_outline::sort;

#[cfg(test)]
mod tests;

/// A page of the text of a document that is converted unit by unit.
pub struct Paged {
    /// The page.
    pub page: Page,
    /// Attachments (images and notes), each with the index, on the page, of the line after which it
    /// is shown.
    pub attachments: Vec<(usize, Attachment)>,
    /// The notes of the units on the page, each with the index of its unit.
    pub notes: Vec<(u64, String)>,
    /// The indexes of the first and the last unit with lines on the page. `None` if there are no lines.
    pub shown: Option<(u64, u64)>,
}

/// Fills a page with the requested lines of a document that is converted unit by unit. A unit is a
/// page, cell, slide or chapter. Returns `None` if the document has none of the requested units.
pub fn page(units: &mut dyn Units, window: &Window, world: &mut dyn World) -> Option<Paged> {
    let count = units.count();
    let (requested, (first, end)) = match window.selector.part {
        Part::Units(range) => (range, range.within(count)?),
        Part::Whole
        | Part::Image
        | Part::Figure(_)
        | Part::Conflict(_)
        | Part::Symbol(_)
        | Part::Converted(_) => (UnitRange::all(units.kind()), (0, count)),
    };
    if requested.hidden {
        units.show_hidden();
    }
    let mut counts = Counts::load(units, world);
    let mut window = window.clone();
    let (start, before, converted, counted_from) = match window.selector.lines {
        Lines::Tail { count, .. } => {
            let (start, converted) = tail(units, (first, end), count, &mut counts);
            // Lines are counted from the first unit with one of these lines.
            window.selector.part = Part::Units(part(requested, start));
            (start, 0, converted, start)
        }
        _ => {
            let (start, before) = counts.start((first, end), first_line(&window));
            (start, before, Vec::new(), first)
        }
    };
    // The lines of other units are counted after the page was filled.
    let exact = std::mem::take(&mut window.exact_total);
    let mut text = Stitched {
        units,
        converted,
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
        fill_from(&mut input, Charset::Utf8, line, &window)
    };
    let stitched = |selector: Option<Selector>| selector.map(|left| text.by_unit(left, requested));
    page.following = stitched(page.following.take());
    page.remaining = stitched(page.remaining.take());
    let attachments = on_page(&page, u64::MAX, std::mem::take(&mut text.attachments));
    let notes = std::mem::take(&mut text.notes);
    let unit_of = |line: &Line| {
        let number = u64::try_from(line.number).ok()?;
        let starts = text.starts.iter().rev();
        let unit = starts.copied().find(|(_, first)| *first <= number);
        Some(unit.map_or(text.first, |(place, _)| place))
    };
    let ends = page.lines.first().zip(page.lines.last());
    let shown = ends.and_then(|(first, last)| Some((unit_of(first)?, unit_of(last)?)));
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
        shown,
    })
}

/// The whole text of a document that is converted unit by unit, with the lines that [`page`] counts.
/// `None` if it is longer than a text that is searched for declarations.
pub fn whole_text(units: &mut dyn Units) -> Option<String> {
    let mut text = String::new();
    for place in 0..units.count() {
        text.push_str(&units.unit(place).text);
        text.push('\n');
        if text.len() as u64 > limits::SYMBOL_TEXT_BYTES {
            return None;
        }
    }
    Some(text)
}

/// Selects the attachments (images and notes) that follow a line whose start is on the page.
/// Returns each with the index, on the page, of that line. `lines` is the number of lines of the
/// whole text, or `u64::MAX` if it is not known.
pub fn on_page(page: &Page, lines: u64, attachments: Vec<Attachment>) -> Vec<(usize, Attachment)> {
    // Converts line numbers that are counted from the end.
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

/// The number of the first requested line, including context lines before it.
fn first_line(window: &Window) -> u64 {
    match &window.selector.lines {
        Lines::One(range) => {
            window
                .context_range()
                .map_or(*range, |range| range.padded())
                .start
                .line
        }
        Lines::List(ranges) => ranges.first().map_or(1, |range| range.start.line),
        Lines::All | Lines::Tail { .. } => 1,
    }
}

/// The range of units from the unit with the index `place`, counted from 0, to the end of
/// `requested`.
fn part(requested: UnitRange, place: u64) -> UnitRange {
    UnitRange {
        first: requested.kind.first().saturating_add(place),
        ..requested
    }
}

/// Finds the unit in which the last `count` lines of a range of units start. The range has the
/// indexes from `first` to before `end`, and its units are converted backwards from its end.
/// Returns the index of that unit, and the converted units in reverse order. The list is empty if
/// the units are too large to stay in memory.
fn tail(
    units: &mut dyn Units,
    (first, end): (u64, u64),
    count: u64,
    counts: &mut Counts,
) -> (u64, Vec<Unit>) {
    let mut place = end;
    let mut lines = 0u64;
    let mut bytes = 0usize;
    let mut converted = Vec::new();
    while place > first && lines < count {
        place = place.saturating_sub(1);
        let unit = units.unit(place);
        let of_unit = lines_of(&unit.text);
        counts.set(place, of_unit);
        lines = lines.saturating_add(of_unit);
        bytes = bytes.saturating_add(unit.size());
        if bytes <= limits::TAIL_BYTES {
            converted.push(unit);
        } else {
            // Each unit is converted again when it is shown.
            converted.clear();
        }
    }
    (place, converted)
}

/// The number of lines in the text of a unit. An empty text has one line.
fn lines_of(text: &str) -> u64 {
    let ends = memchr_iter(b'\n', text.as_bytes()).count() as u64;
    ends.saturating_add(1)
}

/// The numbers of lines of the units of a document, as far as they are known. `lines` is indexed by
/// the index of the unit, and 0 means that the number is not known.
struct Counts {
    lines: Vec<u32>,
    key: Option<String>,
    changed: bool,
}

impl Counts {
    /// Loads the line counts that earlier reads stored in the cache of the session.
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

    /// Finds the unit from which to convert in order to reach the line `line`, which is counted
    /// from the unit `first`. Returns the index of that unit, and the number of lines before it.
    /// The unit contains the line, or it is the first one whose number of lines is not known.
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

    /// The total number of lines of the units from `first` to before `end`. `None` if the count of
    /// one of them is not known.
    fn total(&self, first: u64, end: u64) -> Option<u64> {
        (first..end).try_fold(0u64, |sum, place| Some(sum.saturating_add(self.of(place)?)))
    }

    /// Stores the line counts of converted units. `starts` has the index of each unit and the
    /// number of its first line. `end` is the number of the last line of the last unit.
    fn learn(&mut self, starts: &[(u64, u64)], end: u64) {
        let ends = starts
            .iter()
            .skip(1)
            .map(|(_, first)| first.saturating_sub(1));
        for ((place, first), end) in starts.iter().zip(ends.chain([end])) {
            self.set(*place, end.saturating_sub(*first).saturating_add(1));
        }
    }

    /// Stores the number of lines of the unit with the index `place`.
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

    /// Counts the lines of all units of a range whose line count is not known, by converting them.
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

/// A source whose bytes are the texts of several units, each followed by a line ending. A unit is
/// converted when its text is read.
struct Stitched<'u> {
    units: &'u mut dyn Units,
    /// Units that were already converted before they are read. The list is reversed, so that the
    /// next unit is its last element.
    converted: Vec<Unit>,
    /// The index of the next unit to convert.
    next: u64,
    /// The index of the last unit plus 1.
    end: u64,
    /// The index of the first unit of the text. `before` is the number of lines of earlier units.
    first: u64,
    before: u64,
    /// The number of the first line that may be shown. Attachments and notes of units that end
    /// before this line are dropped.
    wanted: u64,
    /// The index of each unit that was converted so far, and the number of its first line.
    starts: Vec<(u64, u64)>,
    /// The number of the last line of the most recently converted unit.
    lines: u64,
    /// The text of the most recently converted unit. `chunk_start` is its byte offset in the whole
    /// text.
    chunk: Vec<u8>,
    chunk_start: u64,
    /// The attachments (images and notes) of the converted units. Their line numbers are those of
    /// the whole text, and not of a unit.
    attachments: Vec<Attachment>,
    /// The notes of these units, each with the index of its unit.
    notes: Vec<(u64, String)>,
}

impl Stitched<'_> {
    /// The text of the most recently converted unit from `offset` on, which is a byte offset in the
    /// whole text. Empty if the offset is outside the text of that unit.
    fn in_memory(&self, offset: u64) -> &[u8] {
        part_from(&self.chunk, self.chunk_start, offset)
    }

    fn convert_next(&mut self) {
        let place = self.next;
        let unit = self
            .converted
            .pop()
            .unwrap_or_else(|| self.units.unit(place));
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
            self.notes
                .extend(unit.notes.into_iter().map(|note| (place, note)));
        }
        self.chunk_start = self.chunk_start.saturating_add(self.chunk.len() as u64);
        self.chunk = unit.text.into_bytes();
        self.chunk.push(b'\n');
    }

    /// Rewrites the selector `left` so that it names the unit that contains its first line, and
    /// counts lines from the start of that unit. `requested` is the requested range of units.
    fn by_unit(&self, left: Selector, requested: UnitRange) -> Selector {
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
            part: Part::Units(part(requested, place)),
            lines,
            raw: left.raw,
        }
    }
}

impl Source for Stitched<'_> {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        if self.in_memory(offset).is_empty() && self.next < self.end {
            self.convert_next();
        }
        let in_memory = self.in_memory(offset);
        out.extend_from_slice(in_memory.get(..len).unwrap_or(in_memory));
        Ok(())
    }

    fn seekable(&self) -> bool {
        false
    }

    fn has_more(&self, offset: u64) -> Option<bool> {
        Some(!self.in_memory(offset).is_empty() || self.next < self.end)
    }
}
