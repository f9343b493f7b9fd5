//! How a caller reads on after a page: with the arguments of the tool for lines, or with a path.

use crate::answer::{Answer, Body};
use crate::path::{Lines, Part, Selector};
use crate::request::Request;
use crate::window::Page;

/// The path that reads the next page, if the arguments for lines do not request it: the page ends inside a line, several
/// ranges or lines counted from the end are left, the text is exact, or the path selects lines itself. `None` if
/// the line after the page is all that a caller needs to know.
pub fn by_path(request: &Request, answer: &Answer, page: &Page) -> Option<String> {
    let rest = page.following.as_ref()?;
    let raw = rest.raw && !request.style.exact;
    (raw || selects_lines(request, answer) || !starts_after(page, rest))
        .then(|| answer.subject.with_selector(rest))
}

/// Whether a selector requests one range from the line after the page on.
fn starts_after(page: &Page, rest: &Selector) -> bool {
    let last = page.lines.last().map_or(0, |line| line.number);
    match &rest.lines {
        Lines::One(range) => {
            let next = last
                .checked_add(1)
                .and_then(|next| u64::try_from(next).ok());
            range.start.column == 1 && next == Some(range.start.line)
        }
        // The whole text, such as that of an outline.
        Lines::All => true,
        Lines::List(_) | Lines::Tail { .. } => false,
    }
}

/// Whether the path selects lines of the text, so that the arguments cannot select lines too.
pub fn selects_lines(request: &Request, answer: &Answer) -> bool {
    match &answer.body {
        Body::Text(text) if request.slice.is_none() => {
            let selector = &text.window.selector;
            let is_symbol = matches!(selector.part, Part::Symbol(_));
            is_symbol || selector.lines != Lines::All
        }
        _ => false,
    }
}
