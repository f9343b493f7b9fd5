//! A reply as text.

/// A part of a reply.
pub enum Part<'a> {
    /// A text or a notice.
    Text(&'a str),
    /// An image or an attachment, which a text cannot contain.
    Media {
        /// The MIME type.
        mime: &'a str,
        /// The bytes in base64 with padding.
        base64: &'a str,
    },
}

/// The parts as one text, each on lines of its own. An image or attachment is named with its type, its size, and the
/// header with which the client gets it.
pub fn text<'a>(parts: impl Iterator<Item = Part<'a>>) -> String {
    let mut out = String::new();
    for part in parts {
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Media { mime, base64 } => {
                let padding = base64.bytes().rev().take_while(|byte| *byte == b'=');
                let bytes = (base64.len() / 4 * 3).saturating_sub(padding.count());
                let accept = match mime.split_once('/') {
                    Some(("image", _)) => "image/*` or `application/json",
                    _ => "application/json",
                };
                out.push_str(&format!(
                    "[{mime}, {bytes} bytes, not in this text: send `Accept: {accept}`]"
                ));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_is_named_with_the_header_that_gets_it() {
        let media = |mime| Part::Media {
            mime,
            base64: "AAECAw==",
        };
        let parts = [
            Part::Text("[red.png]"),
            media("image/png"),
            media("application/pdf"),
        ];
        assert_eq!(
            text(parts.into_iter()),
            "[red.png]\n\
             [image/png, 4 bytes, not in this text: send `Accept: image/*` or `application/json`]\n\
             [application/pdf, 4 bytes, not in this text: send `Accept: application/json`]"
        );
    }

    #[test]
    fn text_alone_is_unchanged() {
        let raw = "one\ntwo\n";
        assert_eq!(text([Part::Text(raw)].into_iter()), raw);
        assert_eq!(text(std::iter::empty()), "");
    }
}
