//! Reads of text in any encoding.

use crate::answer::{LineEnding, Text};
use crate::encoding::Encoding;
use crate::pages::{Input, fill};
use crate::tag;
use crate::window::{Page, Window};
use memchr::{memchr, memchr_iter};
use std::borrow::Cow;

/// Reads a page of text. `tagged` requests the tag, a short hash for edit tools. A text that is not
/// completely in memory has no tag.
pub fn read(input: &mut Input<'_>, encoding: Encoding, window: &Window, tagged: bool) -> Text {
    let page = fill(input, encoding.charset, encoding.bom_len, window);
    of_page(input, encoding, window.clone(), tagged, page)
}

/// Combines a page whose lines were read already with the encoding, the line ending and the tag of
/// its text.
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
        line_ending: ending,
        tag,
        is_edit_text: true,
        annotations: Vec::new(),
        facts: None,
        outline: None,
        log: None,
        contents: None,
        unshown: None,
        other_form: None,
        conflicts: 0,
    }
}

/// The tag of a text, a short hash for edit tools. `None` if the text is not completely in memory.
pub fn tag(input: &Input<'_>, encoding: Encoding) -> Option<String> {
    input.complete().then(|| tag::tag(&head(input, encoding)))
}

/// The first bytes of the input, which are in memory, as UTF-8 without a byte order mark.
fn head<'a>(input: &'a Input<'_>, encoding: Encoding) -> Cow<'a, [u8]> {
    encoding.decoded(input.head(), input.complete())
}

/// The number of lines of a text. The last line may have no line ending.
pub fn lines(text: &[u8]) -> usize {
    let ends = memchr_iter(b'\n', text).count();
    let unended = text.last().is_some_and(|last| *last != b'\n');
    ends.saturating_add(usize::from(unended))
}

/// The line ending that a text uses.
pub fn ending(bytes: &[u8]) -> LineEnding {
    let lf = memchr_iter(b'\n', bytes).count();
    if memchr(b'\r', bytes).is_none() {
        return if lf == 0 {
            LineEnding::None
        } else {
            LineEnding::Lf
        };
    }
    let crlf = memchr::memmem::find_iter(bytes, b"\r\n").count();
    match (lf, crlf) {
        (0, _) => LineEnding::Cr,
        (_, 0) => LineEnding::Lf,
        (lf, crlf) if lf == crlf => LineEnding::CrLf,
        _ => LineEnding::Mixed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ending_is_detected() {
        for (text, expected) in [
            ("", LineEnding::None),
            ("a", LineEnding::None),
            ("a\nb", LineEnding::Lf),
            ("a\rb\n", LineEnding::Lf),
            ("a\r\nb\r\n", LineEnding::CrLf),
            ("a\r\nb\n", LineEnding::Mixed),
            ("a\rb\r", LineEnding::Cr),
        ] {
            assert_eq!(ending(text.as_bytes()), expected, "{text:?}");
        }
    }
}
