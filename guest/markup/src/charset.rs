//! The charset that a document declares.
//!
//! HTML's prescan: <https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding>.
//! The caller knows the labels of charsets and lets a BOM take precedence.

use crate::limits::CHARSET_HEAD;

/// The label that the first bytes of a document declare, in lower case: by the XML declaration or
/// by `<meta>`. It may be unknown.
pub fn declared_charset(head: &[u8]) -> Option<String> {
    let head = head.get(..CHARSET_HEAD).unwrap_or(head);
    let head = head.trim_ascii_start();
    if head.starts_with(b"<\0?\0x\0") {
        return Some("utf-16le".to_owned());
    }
    if head.starts_with(b"\0<\0?\0x") {
        return Some("utf-16be".to_owned());
    }
    let label = xml_encoding(head).or_else(|| meta_charset(head))?;
    Some(label)
        .filter(|label| !label.is_empty())
        .map(|label| match label.as_str() {
            // The declaration was read as ASCII, so the document is not in UTF-16.
            "utf-16" | "utf-16le" | "utf-16be" | "utf16" | "unicode" | "ucs-2"
            | "iso-10646-ucs-2" => "utf-8".to_owned(),
            "x-user-defined" => "windows-1252".to_owned(),
            _ => label,
        })
}

/// The encoding in the XML declaration.
fn xml_encoding(head: &[u8]) -> Option<String> {
    let declaration = head.strip_prefix(b"<?xml")?;
    let end = declaration.iter().position(|&byte| byte == b'>')?;
    let declaration = declaration.get(..end)?;
    let at = memchr::memmem::find(declaration, b"encoding")?;
    let value = declaration.get(at.checked_add(8)?..)?.trim_ascii_start();
    let value = value.strip_prefix(b"=")?.trim_ascii_start();
    let (quote, value) = value.split_first()?;
    let end = value.iter().position(|byte| byte == quote)?;
    matches!(quote, b'"' | b'\'').then(|| lower(value.get(..end).unwrap_or_default()))
}

fn lower(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.trim_ascii()).to_ascii_lowercase()
}

/// The charset in a `<meta>` element.
fn meta_charset(head: &[u8]) -> Option<String> {
    let mut scanner = Scanner { rest: head };
    while let Some(&byte) = scanner.rest.first() {
        let second = scanner.rest.get(1).copied().unwrap_or_default();
        if byte != b'<' {
            scanner.advance(memchr::memchr(b'<', scanner.rest)?);
        } else if scanner.rest.starts_with(b"<!--") {
            scanner.advance(2);
            scanner.advance(memchr::memmem::find(scanner.rest, b"-->")?);
        } else if scanner.is_meta() {
            scanner.advance(5);
            if let Some(label) = scanner.meta() {
                return Some(label);
            }
        } else if second.is_ascii_alphabetic()
            || (second == b'/' && scanner.rest.get(2).is_some_and(u8::is_ascii_alphabetic))
        {
            let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
            scanner.advance(scanner.rest.iter().position(is_end)?);
            while scanner.attribute().is_some() {}
        } else if matches!(second, b'!' | b'/' | b'?') {
            scanner.advance(memchr::memchr(b'>', scanner.rest)?);
        } else {
            scanner.advance(1);
        }
    }
    None
}

struct Scanner<'a> {
    rest: &'a [u8],
}

impl Scanner<'_> {
    fn advance(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }

    fn is_meta(&self) -> bool {
        let name = self.rest.get(..5).unwrap_or_default();
        let next = self.rest.get(5).copied().unwrap_or_default();
        name.eq_ignore_ascii_case(b"<meta") && (next.is_ascii_whitespace() || next == b'/')
    }

    /// The charset of a `<meta>` element whose attributes follow.
    fn meta(&mut self) -> Option<String> {
        let mut seen: Vec<String> = Vec::new();
        let (mut pragma, mut needs_pragma, mut charset) = (false, None, None);
        while let Some((name, value)) = self.attribute() {
            if seen.contains(&name) {
                continue;
            }
            match name.as_str() {
                "http-equiv" => pragma |= value == "content-type",
                "content" if charset.is_none() => {
                    charset = content_charset(&value);
                    needs_pragma = charset.as_ref().map(|_| true).or(needs_pragma);
                }
                "charset" => {
                    charset = Some(value);
                    needs_pragma = Some(false);
                }
                _ => {}
            }
            seen.push(name);
        }
        match needs_pragma {
            Some(true) if !pragma => None,
            Some(_) => charset
                .map(|label| label.trim().to_owned())
                .filter(|label| !label.is_empty()),
            None => None,
        }
    }

    /// The next attribute of a tag in lower case. `None` at the end of the tag.
    fn attribute(&mut self) -> Option<(String, String)> {
        let skipped = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'/';
        let start = self
            .rest
            .iter()
            .position(|byte| !skipped(byte))
            .unwrap_or(self.rest.len());
        self.advance(start);
        if matches!(self.rest.first(), None | Some(b'>')) {
            return None;
        }
        // An attribute may start with `=`.
        let ends = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'=');
        let name = self.rest.iter().enumerate();
        let end = name
            .skip(1)
            .find(|(_, byte)| ends(**byte))
            .map_or(self.rest.len(), |(at, _)| at);
        let name = lower(self.rest.get(..end).unwrap_or_default());
        self.advance(end);
        let Some(value) = self.rest.trim_ascii_start().strip_prefix(b"=") else {
            return Some((name, String::new()));
        };
        self.rest = value.trim_ascii_start();
        let quote = self
            .rest
            .first()
            .copied()
            .filter(|byte| matches!(byte, b'"' | b'\''));
        let end = match quote {
            Some(quote) => {
                self.advance(1);
                memchr::memchr(quote, self.rest)
            }
            None => self
                .rest
                .iter()
                .position(|byte| byte.is_ascii_whitespace() || *byte == b'>'),
        };
        // A value without an end is cut off with the head, and declares nothing.
        let Some(end) = end else {
            self.rest = &[];
            return None;
        };
        let value = lower(self.rest.get(..end).unwrap_or_default());
        self.advance(end);
        self.advance(usize::from(quote.is_some()));
        Some((name, value))
    }
}

/// The charset in the `content` of a `<meta>` element, such as `text/html; charset=utf-8`.
fn content_charset(content: &str) -> Option<String> {
    let mut rest = content;
    loop {
        let at = rest.find("charset")?;
        rest = rest.get(at..)?.strip_prefix("charset")?;
        let Some(value) = rest.trim_ascii_start().strip_prefix('=') else {
            continue;
        };
        let value = value.trim_ascii_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        return match quote {
            Some(quote) => {
                let value = value.strip_prefix(quote)?;
                value.split_once(quote).map(|(label, _)| label.to_owned())
            }
            None => {
                let end = value.find(|c: char| c.is_ascii_whitespace() || c == ';');
                Some(value.get(..end.unwrap_or(value.len()))?.to_owned())
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(head: &str) -> Option<String> {
        declared_charset(head.as_bytes())
    }

    #[test]
    fn xml_declaration_gives_its_encoding() {
        assert_eq!(
            declared("<?xml version='1.0' encoding = \"Big5\"?>").as_deref(),
            Some("big5")
        );
        assert_eq!(
            declared("\n<?xml version='1.0' encoding='UTF-16'?>").as_deref(),
            Some("utf-8")
        );
        assert_eq!(declared("<?xml version='1.0'?><a encoding='x'/>"), None);
        assert_eq!(
            declared_charset(b"<\0?\0x\0m\0l\0").as_deref(),
            Some("utf-16le")
        );
        assert_eq!(
            declared_charset(b"\0<\0?\0x\0m\0l").as_deref(),
            Some("utf-16be")
        );
    }

    #[test]
    fn meta_element_gives_its_charset() {
        assert_eq!(
            declared("<html><META CharSet=koi8-r>").as_deref(),
            Some("koi8-r")
        );
        let pragma = "<meta content='text/html; charset=\"Shift_JIS\"' http-equiv=Content-Type>";
        assert_eq!(declared(pragma).as_deref(), Some("shift_jis"));
        assert_eq!(
            declared("<meta charset='x-user-defined'>").as_deref(),
            Some("windows-1252")
        );
    }

    #[test]
    fn text_that_only_resembles_a_declaration_is_ignored() {
        for head in [
            "<!-- <meta charset=a> -->",
            "<meta content='text/html; charset=a'>",
            "<div title='<meta charset=a>'>",
            "<!x <meta charset=a>",
            "<metadata charset=a>",
            "<meta charset=''>",
            "<meta charset=\"utf",
        ] {
            assert_eq!(declared(head), None, "{head}");
        }
    }

    #[test]
    fn declaration_after_the_head_is_ignored() {
        let head = format!("{}<meta charset=a>", " x".repeat(CHARSET_HEAD));
        assert_eq!(declared(&head), None);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_accepted(head in "(<meta |<\\?xml |charset|encoding|content|=|'|\"|>|<!--|-->|/|.){0,30}") {
            declared(&head);
        }
    }
}
