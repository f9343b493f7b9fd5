//! The text of a reply.

/// The name of the file of the component that returns images.
const FULL: &str = "omniread-full.wasm";

/// A part of a reply.
pub enum Part<'a> {
    /// A text or a notice.
    Text(&'a str),
    /// An image or an attachment, which a string cannot contain.
    Media {
        /// The MIME type.
        mime: &'a str,
        /// The bytes in base64 with padding.
        base64: &'a str,
    },
}

/// The parts as one text, each on lines of its own. `path` is the path that was read. A part that is no text is named
/// with its type, its size and the path, so that none is lost without a word.
pub fn text<'a>(parts: impl Iterator<Item = Part<'a>>, path: &str) -> String {
    let mut out = String::new();
    for part in parts {
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Media { mime, base64 } => {
                let bytes = size(base64);
                out.push_str(&format!(
                    "[{mime}, {bytes} bytes, not in this text: read `{path}` with `{FULL}`]"
                ));
            }
        }
    }
    out
}

/// The number of bytes that a text in base64 with padding encodes.
fn size(base64: &str) -> usize {
    let padding = base64.bytes().rev().take_while(|byte| *byte == b'=');
    (base64.len() / 4 * 3).saturating_sub(padding.count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn image_is_named_with_its_size_and_path() {
        let parts = [
            Part::Text("[red.png]"),
            Part::Media {
                mime: "image/png",
                base64: "AAECAw==",
            },
        ];
        assert_eq!(
            text(parts.into_iter(), "red.png"),
            "[red.png]\n[image/png, 4 bytes, not in this text: read `red.png` with `omniread-full.wasm`]"
        );
    }

    #[test]
    fn text_alone_is_unchanged() {
        let raw = "one\ntwo\n";
        assert_eq!(text([Part::Text(raw)].into_iter(), "a.txt:raw"), raw);
        assert_eq!(text(std::iter::empty(), "a.txt"), "");
    }

    #[test]
    fn notice_after_text_without_a_line_ending_has_its_own_line() {
        let parts = [Part::Text("one"), Part::Text("[notice]")];
        assert_eq!(text(parts.into_iter(), "a.txt:raw"), "one\n[notice]");
    }

    #[test]
    fn sizes_are_those_of_the_bytes() {
        for (base64, bytes) in [("", 0), ("AA==", 1), ("AAA=", 2), ("AAAA", 3)] {
            assert_eq!(size(base64), bytes, "{base64}");
        }
    }
}
