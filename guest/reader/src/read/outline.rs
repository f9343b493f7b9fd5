//! Outlines of long texts: what a text is told to be, planned within a budget,
//! and the lines of it on a page.

use super::text;
use crate::answer::Outline;
use crate::encoding::Encoding;
use crate::limits;
use crate::outline::data::Found;
use crate::outline::{self, Budget, Piece};
use crate::pages::{Input, fill, fill_text};
use crate::path::{Lines, Part, Range, Selector};
use crate::sort;
use crate::subject::Subject;
use crate::window::{Numbering, Page, Window};
use std::borrow::Cow;

/// The outline of a text that is longer than a page, and the lines that it
/// shows. `None` if it is not, too long, or nothing in it stands out.
pub fn read(
    input: &mut Input<'_>,
    encoding: Encoding,
    subject: &Subject,
    window: &mut Window,
) -> Option<(Page, Outline)> {
    let outline = {
        let (text, lines) = whole(input, encoding)?;
        if lines as u64 <= window.open_lines {
            return None;
        }
        outlined(&text, outline::scan(&text, subject.inner_name())?, lines, 0)?
    };
    on_page(outline, window, |window| {
        fill(input, encoding.coding, encoding.mark, window)
    })
}

/// The same of a notebook as text, the code of which is in a language, and which
/// has so many remarks on its cells.
pub fn of_cells(
    text: &str,
    language: Option<&str>,
    remarks: usize,
    window: &mut Window,
) -> Option<(Page, Outline)> {
    let lines = text::lines(text.as_bytes());
    if lines as u64 <= window.open_lines || !is_short(text.len(), lines) {
        return None;
    }
    let found = Found::Items(outline::cells(text, language)?);
    let outline = outlined(text, found, lines, remarks)?;
    on_page(outline, window, |window| fill_text(text.to_owned(), window))
}

/// The lines of an outline on a page, which `fill` fills.
fn on_page(
    outline: Outline,
    window: &mut Window,
    fill: impl FnOnce(&Window) -> Page,
) -> Option<(Page, Outline)> {
    let mut shown = window.clone();
    shown.selector.lines = Lines::List(ranges(&outline.pieces));
    if shown.numbering == Numbering::None {
        // Without numbers nothing tells what was left out.
        shown.numbering = Numbering::Colon;
    }
    let mut page = fill(&shown);
    if page.rest.is_some() {
        return None;
    }
    window.numbering = shown.numbering;
    // It goes on with the whole of it.
    page.rest = Some(Selector {
        lines: Lines::One(Range::lines(1, None)),
        ..window.selector
    });
    page.inside = false;
    page.left.clone_from(&page.rest);
    page.final_newline = None;
    Some((page, outline))
}

/// A text that is not too long, and how many lines it has.
fn whole<'i>(input: &'i Input<'_>, encoding: Encoding) -> Option<(Cow<'i, str>, usize)> {
    if !input.complete() || !is_short(input.head().len(), 0) {
        return None;
    }
    let text = match encoding.decoded(input.head(), true) {
        Cow::Borrowed(bytes) => match str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(bytes),
        },
        Cow::Owned(bytes) => String::from_utf8_lossy(&bytes).into_owned().into(),
    };
    let lines = text::lines(text.as_bytes());
    is_short(text.len(), lines).then_some((text, lines))
}

fn is_short(bytes: usize, lines: usize) -> bool {
    bytes <= limits::OUTLINE_BYTES && lines <= limits::OUTLINE_LINES
}

/// Adds the first lines of the declarations to ranges that stand in them.
pub fn enclose(input: &Input<'_>, encoding: Encoding, subject: &Subject, window: &mut Window) {
    let asked = match &window.selector.lines {
        Lines::One(range) => vec![*range],
        Lines::List(ranges) => ranges.clone(),
        Lines::All | Lines::Tail { .. } => return,
    };
    if window.selector.raw || window.selector.part != Part::Whole {
        return;
    }
    let scanned =
        whole(input, encoding).and_then(|(text, _)| outline::scan(&text, subject.inner_name()));
    let Some(Found::Items(parsed)) = scanned else {
        return;
    };
    let padded = window.padded().is_some();
    let mut ranges = asked;
    if let ([range], true) = (ranges.as_mut_slice(), padded) {
        *range = range.padded();
    }
    let mut heads: Vec<u64> = Vec::new();
    for range in &ranges {
        let start = range.start.line;
        let holds = parsed
            .items
            .iter()
            .filter(|item| u64::from(item.sign) < start && u64::from(item.last) >= start);
        heads.extend(holds.map(|item| u64::from(item.sign)));
    }
    heads.retain(|line| {
        let inside =
            |range: &Range| range.start.line <= *line && range.end.is_none_or(|end| end >= *line);
        !ranges.iter().any(inside)
    });
    sort::by(&mut heads, |line| (*line, 0));
    heads.dedup();
    if heads.is_empty() {
        return;
    }
    ranges.extend(heads.into_iter().map(|line| Range::lines(line, Some(line))));
    sort::by(&mut ranges, |range| (range.start.line, 0));
    window.selector.lines = Lines::List(ranges);
}

/// The outline of a text of so many lines, which has room for remarks as far as
/// they take no more than half of it.
fn outlined(text: &str, found: Found, lines: usize, remarks: usize) -> Option<Outline> {
    let most = (lines / limits::OUTLINE_SHARE)
        .clamp(limits::LEAST_OUTLINE_LINES, limits::MOST_OUTLINE_LINES);
    let budget = Budget {
        lines: most.saturating_sub(remarks).max(most / 2),
        headings: limits::MOST_OUTLINE_LINES,
        bytes: limits::OUTLINE_PAGE_BYTES,
    };
    let lines = u32::try_from(lines).ok()?;
    let whole = |pieces: &Vec<Piece>| pieces.iter().all(|piece| matches!(piece, Piece::Line(_)));
    let (pieces, words, lost) = match found {
        Found::Items(parsed) => {
            let pieces = outline::plan(text, &parsed, budget)?;
            (pieces, Vec::new(), parsed.lost)
        }
        Found::Sample(sample) => {
            let pieces = outline::sampled(lines, &sample, budget);
            (pieces, sample.words, None)
        }
    };
    // It has nothing over a page.
    (!whole(&pieces)).then_some(Outline {
        pieces,
        lines: lines.into(),
        lost,
        words,
        asides: Vec::new(),
    })
}

/// The lines that are read for an outline.
fn ranges(pieces: &[Piece]) -> Vec<Range> {
    let mut lines = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Line(line) => lines.push(*line),
            Piece::Fold {
                first, last, tail, ..
            } => {
                lines.push(*first);
                lines.extend(tail.then_some(*last));
            }
            Piece::Gap { .. } => {}
        }
    }
    let mut ranges: Vec<Range> = Vec::new();
    for line in lines.into_iter().map(u64::from) {
        match ranges.last_mut() {
            Some(Range { end: Some(end), .. }) if end.saturating_add(1) == line => *end = line,
            _ => ranges.push(Range::lines(line, Some(line))),
        }
    }
    ranges
}
