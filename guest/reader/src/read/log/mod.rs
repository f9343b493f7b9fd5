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

/// The view of a log that is longer than a page, and the page with its lines. `None` if the text is not a log, if it
/// fits on a page, or if the page has too little room.
pub fn read(
    input: &mut Input<'_>,
    encoding: Encoding,
    subject: &Subject,
    window: &mut Window,
) -> Option<(Page, Log)> {
    let name = subject.inner_name();
    let is_small = window
        .tokens
        .is_some_and(|tokens| tokens < limits::LOG_TOKENS)
        || window.reply_bytes < limits::LOG_BYTES
        || window.open_lines < limits::LOG_PAGE_LINES;
    if is_small || named(name) == Named::Other {
        return None;
    }
    // Other texts are recognised by their first lines.
    let first = parts::first_sample(input, encoding);
    detect(name, &[&first])?;
    let parts = Parts::of(input, encoding)?;
    let shape = detect(name, &parts.samples(input))?;
    let search = |text: &[u8]| {
        let mut scanner = Scanner::new(shape);
        scanner.text(text);
        scanner.report()
    };
    let found = search(parts.first(input));
    let found_last = parts.last.as_ref().map(|last| search(last.text()));
    if parts.is_whole
        && found.lines <= window.open_lines
        && fill(input, encoding.charset, encoding.bom_len, window)
            .following
            .is_none()
    {
        return None;
    }
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
