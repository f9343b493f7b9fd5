//! Reads of text in any encoding.

use crate::answer::{LineEnding, Text};
use crate::encoding::Encoding;
use crate::escapes::any_byte;
use crate::pages::{Input, fill};
use crate::tag::{self, Tag};
use crate::window::{Page, Window};
use memchr::{memchr, memchr_iter, memchr2};
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
    let tagged = tagged && input.complete();
    let (ending, tag) = if encoding.is_single_byte() {
        // Only the bytes of line ends are such in these encodings.
        let tag = tagged.then(|| tag_of_parts(input, encoding));
        (ending(input.head()), tag)
    } else {
        let text = head(input, encoding);
        (ending(&text), tagged.then(|| tag::tag(&text)))
    };
    Text {
        window,
        page,
        encoding,
        line_ending: ending,
        tag,
        is_edit_text: true,
        annotations: Vec::new(),
        made: None,
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
    let tag = || {
        if encoding.is_single_byte() {
            tag_of_parts(input, encoding)
        } else {
            tag::tag(&head(input, encoding))
        }
    };
    input.complete().then(tag)
}

/// The size in bytes of a part of a text that is converted for its tag.
const PART: usize = 32 * 1024;

/// The tag of a text in an encoding of single bytes, which is not converted as a whole: most of its lines are ASCII.
fn tag_of_parts(input: &Input<'_>, encoding: Encoding) -> String {
    let mut rest = input.head();
    let mut tag = Tag::new();
    while !rest.is_empty() {
        let near = rest.get(PART..).unwrap_or_default();
        let end = memchr(b'\n', near)
            .map_or(rest.len(), |end| PART.saturating_add(end).saturating_add(1));
        let (part, after) = rest.split_at_checked(end).unwrap_or((rest, &[]));
        if any_byte(part, |byte| !byte.is_ascii()) {
            tag.add(&encoding.decoded(part, true));
        } else {
            tag.add(part);
        }
        rest = after;
    }
    tag.finish()
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
    let Some(first) = memchr2(b'\r', b'\n', bytes) else {
        return LineEnding::None;
    };
    let bytes = bytes.get(first..).unwrap_or_default();
    if memchr(b'\r', bytes).is_none() {
        return LineEnding::Lf;
    }
    let lf = memchr_iter(b'\n', bytes).count();
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
    use crate::pages::Charset;
    use crate::world::Bytes;

    #[test]
    fn tag_of_single_bytes_is_that_of_the_text() {
        let line = "traité à 42 ms \t\r\nplain \n\r\n";
        let text = line.repeat(9000) + &"a".repeat(70_000) + "\rcafé ";
        let mut bytes = encoding_rs::WINDOWS_1252.encode(&text).0.into_owned();
        bytes.push(0x81);
        let encoding = Encoding {
            charset: Charset::Web(encoding_rs::WINDOWS_1252),
            ..Encoding::UTF8
        };
        let mut source = Bytes::new(bytes.clone());
        let input = Input::new(&mut source, Some(bytes.len() as u64)).unwrap();
        assert!(encoding.is_single_byte() && input.complete());
        let decoded = encoding.decoded(&bytes, true);
        assert_eq!(super::tag(&input, encoding), Some(tag::tag(&decoded)));
        assert_eq!(ending(&bytes), ending(&decoded));
    }

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
