//! The declarations, headings or units that a page does not show, in a list of a small size.
//!
//! Declarations whose first line is on the page are shown. Of the others, the outer ones are listed first, and of those
//! of one depth the nearest ones, as far as there is room. All others are counted.

use super::outline::{self, is_short, whole};
use super::text;
use crate::answer::{Text, Unshown, UnshownEntry};
use crate::converted::{Outlined, Units};
use crate::encoding::Encoding;
use crate::escapes::escape_invisible;
use crate::limits;
use crate::pages::Input;
use crate::path::{Lines, Part, Range, Selector, UnitKind, UnitRange, View};
use crate::request::Request;
use crate::subject::Subject;
use crate::window::{Limit, Page, Total, Window};
use omniread_outline::symbol::Place;
use omniread_outline::symbols::{self, Symbols};
use omniread_outline::{cells, sort};
use omniread_tokens::{Tally, estimate};
use std::collections::BTreeSet;

/// The declarations that a page of a text does not show. `None` if there is no room for them, or if the text is too long
/// for an outline.
pub fn of_input(
    input: &Input<'_>,
    encoding: Encoding,
    of: &Text,
    subject: &Subject,
    request: &Request,
) -> Option<Box<Unshown>> {
    let room = Room::of(&of.page, &of.window, request.style.rest)?;
    if !outline::may_have(input, encoding, subject) {
        return None;
    }
    let (text, _) = whole(input, encoding)?;
    let (places, word) = symbols::places(&text, subject.inner_name())?;
    room.listed(&text, &places, word, (subject, request))
}

/// Whether a page of a text may have room for a list of the declarations that it does not show.
pub fn may_have(text: &str, window: &Window, percent: u32) -> bool {
    percent > 0 && !window.selector.raw && is_short(text.len(), text::lines(text.as_bytes()))
}

/// The text of a document that was converted as a whole.
pub struct Converted<'t> {
    pub text: &'t str,
    /// The form of its outline. `None` for Markdown.
    pub of: Option<Outlined>,
    /// The programming language of cells.
    pub language: Option<&'t str>,
}

impl Converted<'_> {
    /// The declarations or headings that a page of the text does not show.
    pub fn unshown(
        &self,
        page: &Page,
        window: &Window,
        subject: &Subject,
        request: &Request,
    ) -> Option<Box<Unshown>> {
        let room = Room::of(page, window, request.style.rest)?;
        let (places, word) = match self.of {
            Some(Outlined::Cells) => {
                let cells = cells(self.text, self.language)?;
                (
                    Symbols::new(self.text, &cells, None).places(),
                    "declaration",
                )
            }
            Some(Outlined::Elements) => symbols::places(self.text, "converted.xml")?,
            None => symbols::places(self.text, "converted.md")?,
        };
        room.listed(self.text, &places, word, (subject, request))
    }
}

/// The units, or the headings in an outline of pages, that a page of a document does not show. `shown` has the indexes of
/// the first and the last unit on the page. Nothing is converted for it.
pub fn of_units(
    units: &mut dyn Units,
    shown: Option<(u64, u64)>,
    page: &Page,
    window: &Window,
    (subject, request): (&Subject, &Request),
) -> Option<Box<Unshown>> {
    let (first, last) = shown?;
    let room = Room::of(page, window, request.style.rest)?;
    let (kind, count) = (units.kind(), units.count());
    if kind == UnitKind::Sheet {
        // Each title takes a read of the sheet.
        return None;
    }
    let distance = |place: u64| match place.checked_sub(last) {
        Some(after) => after,
        None => first.saturating_sub(place),
    };
    let of_unit = |place: u64| {
        let unit = UnitRange::one(kind, kind.first().saturating_add(place));
        Selector::of(Part::Units(unit)).to_string()
    };
    let mut found: Vec<Candidate> = Vec::new();
    let mut entries: Vec<UnshownEntry> = Vec::new();
    let mut add = |rank: u8, place: u64, selector: Option<String>, title: &str| {
        if title.trim().is_empty() {
            return;
        }
        found.push(Candidate {
            index: entries.len(),
            rank: rank.into(),
            distance: distance(place),
        });
        entries.push(UnshownEntry {
            selector: selector.unwrap_or_else(|| of_unit(place)),
            depth: rank.into(),
            head: head(title),
        });
    };
    let mut word = kind.word();
    let mut unexamined = 0;
    if kind == UnitKind::Page {
        word = "heading";
        for (level, title, place) in units.outline() {
            if !(first..=last).contains(&place) {
                add(level.saturating_sub(1), place, None, &title);
            }
        }
    } else {
        // The nearest units. A title takes some time.
        let reach = limits::CONTENTS;
        let before = first.saturating_sub(reach)..first;
        let after = last.saturating_add(1)..count.min(last.saturating_add(reach));
        unexamined = before.start.saturating_add(count.saturating_sub(after.end));
        for place in before.chain(after) {
            let title = units.title(place);
            add(0, place, title.selector, &title.name);
        }
    }
    let of = List {
        word,
        unexamined,
        all: all(&window.selector, (subject, request)),
        subject,
    };
    room.fill(found, of, |index| entries.get(index).cloned())
}

/// The path that lists all declarations. `None` if no path does.
fn all(selector: &Selector, (subject, request): (&Subject, &Request)) -> Option<String> {
    let part = match &selector.part {
        Part::Converted(view) => Part::Converted(view.clone()),
        _ => Part::Whole,
    };
    let is_listed =
        request.style.outlines && matches!(part, Part::Whole | Part::Converted(View::Main));
    let path = match part {
        Part::Whole => subject.whole(),
        part => subject.with_selector(&Selector::of(part)),
    };
    is_listed.then(|| escape_invisible(&path))
}

/// The first line of a declaration, or a title, in one short line.
fn head(text: &str) -> String {
    let text = text.trim();
    // The bracket that opens a body says nothing.
    let text = text.strip_suffix('{').map_or(text, str::trim_end);
    let mut chars = text.chars();
    let head: String = chars.by_ref().take(limits::REST_HEAD_CHARS).collect();
    let mut head = escape_invisible(&head);
    if chars.next().is_some() {
        head.push('…');
    }
    head
}

/// A declaration or unit that may be listed.
struct Candidate {
    /// The index in the order of the text.
    index: usize,
    /// Those with a lower rank are listed first.
    rank: u64,
    /// The number of lines or units between it and the page. Near ones are listed first.
    distance: u64,
}

/// What a list has besides its entries.
struct List<'l> {
    word: &'static str,
    /// The number of units that are counted, and cannot be listed.
    unexamined: u64,
    /// The path that lists all.
    all: Option<String>,
    subject: &'l Subject,
}

/// The room for a list on a page.
struct Room<'p> {
    page: &'p Page,
    window: &'p Window,
    bytes: u64,
    /// The tokens that are left. `None` for no limit.
    tokens: Option<u64>,
}

impl<'p> Room<'p> {
    /// The room on a page for a list of `percent` of its size. `None` without room, or if the page shows the whole
    /// text.
    fn of(page: &'p Page, window: &'p Window, percent: u32) -> Option<Self> {
        let first = page.lines.first()?;
        let is_full = matches!(page.limit, Some(Limit::Bytes(_) | Limit::Tokens(_)));
        // The lines of units are counted without those of other units.
        let is_part = matches!(window.selector.part, Part::Units(_));
        let is_whole = !is_part && page.total == Total::Exact(page.lines.len() as u64);
        if percent == 0 || is_full || is_whole || first.number < 0 || window.selector.raw {
            return None;
        }
        let lines = page.lines.iter();
        let used = lines.fold(page.text.len() as u64, |sum, line| {
            sum.saturating_add(window.line_overhead(line.number))
        });
        let share = used.saturating_mul(percent.into()) / 100;
        let left = window
            .max_bytes(page.lines.len() as u64)
            .saturating_sub(used);
        let mut bytes = share.min(left);
        let tokens = window
            .tokens
            .map(|most| most.saturating_sub(tokens(page, window)));
        if let Some(tokens) = tokens {
            // A token has about three bytes.
            bytes = bytes.min(tokens.saturating_mul(3));
        }
        (bytes >= limits::REST_BYTES).then_some(Self {
            page,
            window,
            bytes,
            tokens,
        })
    }

    /// Lists the declarations at these places of a text.
    fn listed(
        &self,
        text: &str,
        places: &[Place],
        word: &'static str,
        (subject, request): (&Subject, &Request),
    ) -> Option<Box<Unshown>> {
        let spans = self.page.spans();
        let mut found = Vec::new();
        for (index, place) in places.iter().enumerate() {
            let sign = i64::from(place.sign);
            let after = spans.partition_point(|(_, last)| *last < sign);
            if spans.get(after).is_some_and(|(first, _)| *first <= sign) {
                continue;
            }
            let below = spans.get(after);
            let below = below.map(|(first, _)| first.saturating_sub(place.last.into()));
            let above = after.checked_sub(1).and_then(|above| spans.get(above));
            let above = above.map(|(_, last)| i64::from(place.first).saturating_sub(*last));
            let near = [above, below].into_iter().flatten().min();
            found.push(Candidate {
                index,
                // Those inside functions come last.
                rank: u64::from(place.depth).saturating_add(u64::from(place.local) << 32),
                distance: near.map_or(0, |lines| u64::try_from(lines).unwrap_or(0)),
            });
        }
        if found.is_empty() {
            return None;
        }
        let mut starts: Vec<usize> = vec![0];
        let ends = memchr::memchr_iter(b'\n', text.as_bytes());
        starts.extend(ends.map(|end| end.saturating_add(1)));
        let of = List {
            word,
            unexamined: 0,
            all: all(&self.window.selector, (subject, request)),
            subject,
        };
        self.fill(found, of, |index| {
            let place = places.get(index)?;
            let at = usize::try_from(place.sign.saturating_sub(1)).ok()?;
            let line = starts.get(at).and_then(|start| text.get(*start..));
            let line = line.and_then(|line| line.lines().next());
            let (first, last) = (u64::from(place.first), u64::from(place.last));
            let range = Range::lines(first, Some(last.max(first)));
            let selector = Selector {
                part: self.window.selector.part.clone(),
                lines: Lines::One(range),
                raw: false,
            };
            Some(UnshownEntry {
                selector: selector.to_string(),
                depth: place.depth,
                head: head(line.unwrap_or_default()),
            })
        })
    }

    /// Lists as many of the candidates as there is room for. `entry` returns the entry of a candidate by its index.
    fn fill(
        &self,
        mut found: Vec<Candidate>,
        of: List<'_>,
        entry: impl Fn(usize) -> Option<UnshownEntry>,
    ) -> Option<Box<Unshown>> {
        let List {
            word,
            unexamined,
            all,
            subject,
        } = of;
        sort::by(&mut found, |one| (one.rank, one.distance));
        let total = (found.len() as u64).saturating_add(unexamined);
        let bytes = |text: usize, path: &str| text.saturating_add(path.len()) as u64;
        let mut title = escape_invisible(&subject.before_selector());
        let mut used = bytes(limits::REST_TITLE_BYTES, &title);
        // A long path would leave no room for entries.
        let (short, share) = limits::REST_TITLE_PATH;
        let names_path = title.len() <= short || used.saturating_mul(share) <= self.bytes;
        let all = all.filter(|_| names_path);
        if !names_path {
            title.clear();
            used = bytes(limits::REST_TITLE_BYTES, "the path");
        }
        let tail = bytes(limits::REST_TAIL_BYTES, all.as_deref().unwrap_or_default());
        let mut tokens = self.tokens.map(|most| {
            let around = estimate(&title).saturating_add(all.as_deref().map_or(0, estimate));
            most.saturating_sub(around)
                .saturating_sub(limits::REST_TOKENS)
        });
        let mut listed: Vec<(usize, UnshownEntry)> = Vec::new();
        let mut paths = BTreeSet::new();
        for one in found.into_iter().take(limits::REST_CANDIDATES) {
            let Some(new) = entry(one.index) else {
                continue;
            };
            // Declarations that share their lines have one path.
            if paths.contains(&new.selector) {
                continue;
            }
            let indent = "  ".repeat(usize::try_from(new.depth).unwrap_or(0));
            let line = format!(":{}{indent} {}\n", new.selector, new.head);
            let next = used.saturating_add(line.len() as u64);
            let is_last = listed.len() as u64 == total.saturating_sub(1);
            let reserved = if is_last { 0 } else { tail };
            let left = match tokens {
                Some(left) => match left.checked_sub(estimate(&line)) {
                    None => break,
                    left => left,
                },
                None => None,
            };
            if next.saturating_add(reserved) > self.bytes {
                break;
            }
            (used, tokens) = (next, left);
            paths.insert(new.selector.clone());
            listed.push((one.index, new));
        }
        if listed.is_empty() {
            return None;
        }
        let more = total.saturating_sub(listed.len() as u64);
        sort::by(&mut listed, |(index, _)| (*index as u64, 0));
        Some(Box::new(Unshown {
            word,
            entries: listed.into_iter().map(|(_, entry)| entry).collect(),
            more,
            all,
            names_path,
        }))
    }
}

/// The tokens of a page, as its budget counts them.
fn tokens(page: &Page, window: &Window) -> u64 {
    let mut used = Tally::default();
    let mut shown = String::new();
    for (index, line) in page.lines.iter().enumerate() {
        shown.clear();
        window.numbering.write(line.number, line.column, &mut shown);
        shown.push_str(page.line(index));
        shown.push('\n');
        used.add(&shown);
        used.add_tokens(if line.cut.is_some() {
            limits::CUT_MARK_TOKENS
        } else {
            0
        });
    }
    used.tokens()
}
