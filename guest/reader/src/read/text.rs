//! Text in any encoding, by lines and columns.

use crate::answer::{Ending, Text};
use crate::encoding::Encoding;
use crate::pages::{Input, fill};
use crate::tag;
use crate::window::{Page, Window};
use memchr::{memchr, memchr_iter};
use std::borrow::Cow;

/// Reads a page of text. `tagged` asks for the tag by which it can be edited;
/// a text too large to be examined as a whole has none.
pub fn read(input: &mut Input<'_>, encoding: Encoding, window: &Window, tagged: bool) -> Text {
    let page = fill(input, encoding.coding, encoding.mark, window);
    of_page(input, encoding, window.clone(), tagged, page)
}

/// A text of which these lines are shown.
pub fn of_page(
    input: &Input<'_>,
    encoding: Encoding,
    window: Window,
    tagged: bool,
    page: Page,
) -> Text {
    let (ending, tag) = {
        let text = head(input, encoding);
        let tag = (tagged && input.complete()).then(|| tag::tag(&text));
        (ending(&text), tag)
    };
    Text {
        window,
        page,
        encoding,
        ending,
        tag,
        edited: true,
        asides: Vec::new(),
        facts: None,
        outline: None,
    }
}

/// The tag of a text, unless it is too large to have one.
pub fn tag(input: &Input<'_>, encoding: Encoding) -> Option<String> {
    input.complete().then(|| tag::tag(&head(input, encoding)))
}

/// The head as text in UTF-8, without its byte order mark.
fn head<'a>(input: &'a Input<'_>, encoding: Encoding) -> Cow<'a, [u8]> {
    encoding.decoded(input.head(), input.complete())
}

/// How many lines a text has; the last one may have no end.
pub fn lines(text: &[u8]) -> usize {
    let ends = memchr_iter(b'\n', text).count();
    let torn = text.last().is_some_and(|last| *last != b'\n');
    ends.saturating_add(usize::from(torn))
}

/// How the lines of a text end.
pub fn ending(bytes: &[u8]) -> Ending {
    let lf = memchr_iter(b'\n', bytes).count();
    if memchr(b'\r', bytes).is_none() {
        return if lf == 0 { Ending::None } else { Ending::Lf };
    }
    let crlf = memchr::memmem::find_iter(bytes, b"\r\n").count();
    match (lf, crlf) {
        (0, _) => Ending::Cr,
        (_, 0) => Ending::Lf,
        (lf, crlf) if lf == crlf => Ending::CrLf,
        _ => Ending::Mixed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings() {
        for (text, expected) in [
            ("", Ending::None),
            ("a", Ending::None),
            ("a\nb", Ending::Lf),
            ("a\rb\n", Ending::Lf),
            ("a\r\nb\r\n", Ending::CrLf),
            ("a\r\nb\n", Ending::Mixed),
            ("a\rb\r", Ending::Cr),
        ] {
            assert_eq!(ending(text.as_bytes()), expected, "{text:?}");
        }
    }
}
