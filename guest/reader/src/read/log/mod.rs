//! Views of logs that are longer than a page: the first lines, the last lines, and the lines between them that
//! report errors.
//!
//! ```text
//! view     chooses lines within the limits of a page, and fills the page
//! stretch  a part of a text whose lines are numbered from its start, or from the end of the text
//! parts    the parts of a text that are searched: all of it, or its start and its end
//! ```

mod parts;
mod stretch;
mod view;

use crate::answer::Log;
use crate::encoding::Encoding;
use crate::limits;
use crate::pages::{Input, fill};
use crate::subject::Subject;
use crate::window::{Numbering, Page, Window};
use omniread_logs::{Named, Scanner, detect, named};
use parts::Parts;

/// What a text is as a log.
pub enum Viewed {
    /// It is not a log, or the page has too little room for a view.
    None,
    /// A log that fits on a page, which has its lines.
    Page(Page),
    /// The view of a log that is longer than a page.
    View(Page, Log),
}

/// The view of a log that is longer than a page, and the page with its lines.
pub fn read(
    input: &mut Input<'_>,
    encoding: Encoding,
    subject: &Subject,
    window: &mut Window,
) -> Viewed {
    let name = subject.inner_name();
    let is_small = window
        .tokens
        .is_some_and(|tokens| tokens < limits::LOG_TOKENS)
        || window.reply_bytes < limits::LOG_BYTES
        || window.open_lines < limits::LOG_PAGE_LINES;
    if is_small || named(name) == Named::Other {
        return Viewed::None;
    }
    // Other texts are recognised by their first lines.
    let first = parts::first_sample(input, encoding);
    if detect(name, &[&first]).is_none() {
        return Viewed::None;
    }
    let Some(parts) = Parts::of(input, encoding) else {
        return Viewed::None;
    };
    if parts.is_whole && has_at_most(parts.first(input), window.open_lines) {
        let page = fill(input, encoding.charset, encoding.bom_len, window);
        if page.following.is_none() {
            return Viewed::Page(page);
        }
    }
    match viewed(input, encoding, (name, parts), window) {
        Some((page, log)) => Viewed::View(page, log),
        None => Viewed::None,
    }
}

/// Whether a text has at most `most` lines.
fn has_at_most(text: &[u8], most: u64) -> bool {
    let is_cut = text.last().is_some_and(|byte| *byte != b'\n');
    let ends = memchr::memchr_iter(b'\n', text).count() as u64;
    ends.saturating_add(u64::from(is_cut)) <= most
}

/// The view of a log with this name and these parts.
fn viewed(
    input: &mut Input<'_>,
    encoding: Encoding,
    (name, parts): (&str, Parts),
    window: &mut Window,
) -> Option<(Page, Log)> {
    let shape = detect(name, &parts.samples(input))?;
    let search = |text: &[u8]| {
        let mut scanner = Scanner::new(shape);
        scanner.text(text);
        scanner.report()
    };
    let found = search(parts.first(input));
    let found_last = parts.last.as_ref().map(|last| search(last.text()));
    let mut shown = window.clone();
    if shown.numbering == Numbering::None {
        // Without line numbers the reader could not see which lines are left out.
        shown.numbering = Numbering::Colon;
    }
    let line_chars = shown.line_chars.unwrap_or(u64::MAX);
    shown.line_chars = Some(line_chars.min(limits::LOG_LINE_CHARS));
    let reports = (&found, found_last.as_ref());
    let (page, log) = view::read(input, encoding, parts, reports, &shown)?;
    window.numbering = shown.numbering;
    Some((page, log))
}
