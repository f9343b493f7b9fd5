//! Outlines of long texts: detects the language, plans the outline within a budget, and fills a
//! page with its lines.

use super::text;
use crate::answer::Outline;
use crate::converted::Outlined;
use crate::encoding::Encoding;
use crate::pages::{CodeUnit, Input, fill, fill_text};
use crate::path::{Lines, Part, Range, Selector};
use crate::subject::Subject;
use crate::window::{Limit, Numbering, Page, Window};
use omniread_outline::data::Scanned;
use omniread_outline::sort;
use omniread_outline::{self as outline, Budget, Piece, limits};
use std::borrow::Cow;

/// The outline of a text that is longer than a page, and a page with the lines of the outline.
/// `None` if the text fits on a page, if it is too long for an outline, or if it has no
/// declarations, headings or keys.
pub fn read(
    input: &mut Input<'_>,
    encoding: Encoding,
    subject: &Subject,
    window: &mut Window,
) -> Option<(Page, Outline)> {
    let outline = {
        // What is needed for it takes longer than all else.
        if !may_have(input, encoding, subject) || fits(input, encoding, window) {
            return None;
        }
        let (text, lines) = whole(input, encoding)?;
        if lines as u64 <= window.open_lines {
            return None;
        }
        let found = outline::scan(&text, subject.inner_name())?;
        outlined(&text, found, lines, 0, &OutlineBytes::of(window))?
    };
    on_page(outline, window, |window| {
        fill(input, encoding.charset, encoding.bom_len, window)
    })
}

/// The outline of a document that was converted to `text`, and a page with the lines of the
/// outline, as in [`read`]. `language` is the programming language of cells. `remarks` is the
/// number of notes and images that follow cells.
pub fn of_converted(
    text: &str,
    of: Outlined,
    language: Option<&str>,
    remarks: usize,
    window: &mut Window,
) -> Option<(Page, Outline)> {
    let lines = text::lines(text.as_bytes());
    if lines as u64 <= window.open_lines || !is_short(text.len(), lines) {
        return None;
    }
    let found = match of {
        Outlined::Cells => Scanned::Items(outline::cells(text, language)?),
        Outlined::Elements => outline::scan(text, "converted.xml")?,
    };
    let outline = outlined(text, found, lines, remarks, &OutlineBytes::of(window))?;
    on_page(outline, window, |window| fill_text(text.to_owned(), window))
}

/// The maximum size of an outline in bytes.
struct OutlineBytes {
    /// The size within the budget of tokens. A token has about three bytes, and few lines of code have fewer than
    /// two. An outline that is over the budget is not shown, but a page.
    most: usize,
    /// The size without a budget.
    whole: usize,
}

impl OutlineBytes {
    fn of(window: &Window) -> Self {
        let whole = usize::try_from(window.reply_bytes).unwrap_or(usize::MAX);
        let whole = limits::PAGE_BYTES.min(whole);
        let by_tokens = window.tokens.map(|tokens| tokens.saturating_mul(2));
        let by_tokens = by_tokens.and_then(|bytes| usize::try_from(bytes).ok());
        Self {
            most: by_tokens.map_or(whole, |bytes| bytes.min(whole)),
            whole,
        }
    }
}

/// Returns a page with the lines of an outline, and the outline. `fill` fills the page. Returns
/// `None` if these lines do not fit on one page.
fn on_page(
    outline: Outline,
    window: &mut Window,
    fill: impl FnOnce(&Window) -> Page,
) -> Option<(Page, Outline)> {
    let mut shown = window.clone();
    shown.selector.lines = Lines::List(ranges(&outline.pieces));
    if shown.numbering == Numbering::None {
        // Without line numbers the reader could not see which lines are left out.
        shown.numbering = Numbering::Colon;
    }
    let mut page = fill(&shown);
    if page.following.is_some() {
        return None;
    }
    window.numbering = shown.numbering;
    // The next path reads the whole text.
    page.following = Some(Selector {
        lines: Lines::One(Range::lines(1, None)),
        ..window.selector.clone()
    });
    page.following_is_inside_line = false;
    page.remaining.clone_from(&page.following);
    page.final_newline = None;
    page.limit = window
        .tokens
        .filter(|_| outline.is_shortened)
        .map(Limit::Tokens);
    Some((page, outline))
}

/// The whole decoded text, and its number of lines. `None` if it is too long for an outline.
pub fn whole<'i>(input: &'i Input<'_>, encoding: Encoding) -> Option<(Cow<'i, str>, usize)> {
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

/// Whether a text may have declarations, headings or keys, by its name and its first line.
pub fn may_have(input: &Input<'_>, encoding: Encoding, subject: &Subject) -> bool {
    let name = subject.inner_name();
    if outline::may_scan("", name) || encoding.charset.unit() != CodeUnit::One {
        return true;
    }
    let head = input.head();
    let end = memchr::memchr(b'\n', head).unwrap_or(head.len());
    let line = encoding.decoded(head.get(..end).unwrap_or(head), true);
    let line = String::from_utf8_lossy(&line);
    outline::may_scan(line.strip_suffix('\r').unwrap_or(&line), name)
}

/// Whether all lines of a text that is valid UTF-8 fit on a page.
fn fits(input: &Input<'_>, encoding: Encoding, window: &Window) -> bool {
    encoding.valid && text::lines(input.head()) as u64 <= window.open_lines
}

/// Whether a text is short enough for an outline.
pub fn is_short(bytes: usize, lines: usize) -> bool {
    bytes <= limits::TEXT_BYTES && lines <= limits::TEXT_LINES
}

/// Adds lines to the requested ranges of lines: the first line of the signature of each declaration
/// in which a range starts.
pub fn enclose(input: &Input<'_>, encoding: Encoding, subject: &Subject, window: &mut Window) {
    let requested = match &window.selector.lines {
        Lines::One(range) => vec![*range],
        Lines::List(ranges) => ranges.clone(),
        Lines::All | Lines::Tail { .. } => return,
    };
    if window.selector.raw || window.selector.part != Part::Whole {
        return;
    }
    if !may_have(input, encoding, subject) {
        return;
    }
    let scanned =
        whole(input, encoding).and_then(|(text, _)| outline::scan(&text, subject.inner_name()));
    let Some(Scanned::Items(parsed)) = scanned else {
        return;
    };
    let padded = window.context_range().is_some();
    let mut ranges = requested;
    if let ([range], true) = (ranges.as_mut_slice(), padded) {
        *range = range.padded();
    }
    let mut first_lines: Vec<u64> = Vec::new();
    for range in &ranges {
        let start = range.start.line;
        let holds = parsed
            .items
            .iter()
            .filter(|item| u64::from(item.sign) < start && u64::from(item.last) >= start);
        first_lines.extend(holds.map(|item| u64::from(item.sign)));
    }
    first_lines.retain(|line| {
        let inside =
            |range: &Range| range.start.line <= *line && range.end.is_none_or(|end| end >= *line);
        !ranges.iter().any(inside)
    });
    sort::by(&mut first_lines, |line| (*line, 0));
    first_lines.dedup();
    if first_lines.is_empty() {
        return;
    }
    ranges.extend(
        first_lines
            .into_iter()
            .map(|line| Range::lines(line, Some(line))),
    );
    sort::by(&mut ranges, |range| (range.start.line, 0));
    window.selector.lines = Lines::List(ranges);
}

/// Chooses the lines of the outline of a text. `found` has the declarations or records in the text,
/// and `lines` is its number of lines. `remarks` is the number of annotations, each of which takes
/// a line from the outline. They take at most half of its lines. Returns `None` if nothing was found, or if the outline would show every line.
fn outlined(
    text: &str,
    found: Scanned,
    lines: usize,
    remarks: usize,
    bytes: &OutlineBytes,
) -> Option<Outline> {
    let most = (lines / limits::SHARE).clamp(limits::MIN_LINES, limits::MAX_LINES);
    let budget = Budget {
        lines: most.saturating_sub(remarks).max(most / 2),
        headings: limits::MAX_LINES,
        bytes: bytes.most,
    };
    let whole_budget = Budget {
        bytes: bytes.whole,
        ..budget
    };
    let has_less = bytes.most < bytes.whole;
    let is_named = matches!(found, Scanned::Items(_));
    let lines = u32::try_from(lines).ok()?;
    let whole = |pieces: &Vec<Piece>| pieces.iter().all(|piece| matches!(piece, Piece::Line(_)));
    let (pieces, all, notes, lost) = match found {
        Scanned::Items(parsed) => {
            let pieces = outline::plan(text, &parsed, budget)?;
            let all = has_less.then(|| outline::plan(text, &parsed, whole_budget));
            (pieces, all.flatten(), Vec::new(), parsed.unbalanced_at)
        }
        Scanned::Sample(sample) => {
            let pieces = outline::sampled(lines, &sample, budget);
            let all = has_less.then(|| outline::sampled(lines, &sample, whole_budget));
            (pieces, all, sample.facts, None)
        }
    };
    let is_shortened = all.is_some_and(|all| all != pieces);
    // An outline that shows all lines is no shorter than the page.
    (!whole(&pieces)).then_some(Outline {
        pieces,
        lines: lines.into(),
        unbalanced_from: lost,
        notes,
        annotations: Vec::new(),
        is_shortened,
        is_named,
    })
}

/// The ranges of lines that an outline shows.
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
