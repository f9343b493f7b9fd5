//! Encoded words in header fields (RFC 2047), and fields in other charsets.

use super::{charset, transfer};
use memchr::memmem;
use omniread_document::base64;

/// Decodes the value of a header field: encoded words, folded lines, raw bytes. Whitespace and
/// control characters become single spaces. `fallback` is that of [`charset::decode_field`].
pub fn decode(value: &[u8], fallback: &str) -> String {
    let raw = charset::decode_field(value, fallback);
    spaced(&decode_text(&raw))
}

/// Decodes encoded words in a text.
pub fn decode_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut pending = Pending::default();
    let mut rest = text;
    // Whether an encoded word ends in the rest.
    let mut may_end = true;
    while may_end && let Some(at) = memmem::find(rest.as_bytes(), b"=?") {
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        let word = after.get(2..).unwrap_or_default();
        match Word::parse(word) {
            Ok((word, tail)) => {
                // RFC 2047, 6.2: whitespace between encoded words is not shown.
                if pending.is_empty() || !before.trim().is_empty() {
                    pending.flush(&mut out);
                    out.push_str(before);
                }
                pending.push(&word, &mut out);
                rest = tail;
            }
            Err(has_end) => {
                may_end = has_end;
                pending.flush(&mut out);
                out.push_str(before);
                out.push_str("=?");
                rest = word;
            }
        }
    }
    pending.flush(&mut out);
    out.push_str(rest);
    out
}

/// Decoded bytes of encoded words with the same charset. A character may be in two words.
#[derive(Default)]
struct Pending {
    charset: String,
    bytes: Vec<u8>,
}

impl Pending {
    fn is_empty(&self) -> bool {
        self.charset.is_empty()
    }

    fn push(&mut self, word: &Word, out: &mut String) {
        if !self.charset.eq_ignore_ascii_case(word.charset) {
            self.flush(out);
            word.charset.clone_into(&mut self.charset);
        }
        // Characters that should be encoded but are not.
        let is_raw = |char: char| !char.is_ascii();
        let mut rest = word.text;
        while let Some(raw) = rest.find(is_raw) {
            let (before, after) = rest.split_at_checked(raw).unwrap_or((rest, ""));
            let end = after.find(|char| !is_raw(char)).unwrap_or(after.len());
            let (raw, after) = after.split_at_checked(end).unwrap_or((after, ""));
            self.bytes.extend(word.bytes(before));
            self.flush(out);
            word.charset.clone_into(&mut self.charset);
            out.push_str(raw);
            rest = after;
        }
        self.bytes.extend(word.bytes(rest));
    }

    fn flush(&mut self, out: &mut String) {
        if !self.charset.is_empty() {
            out.push_str(&charset::decode(&self.bytes, &self.charset));
        }
        self.charset.clear();
        self.bytes.clear();
    }
}

/// An encoded word.
struct Word<'a> {
    charset: &'a str,
    is_base64: bool,
    text: &'a str,
}

impl<'a> Word<'a> {
    /// Parses the text after `=?`. Returns the word and the text after it. Otherwise, returns
    /// whether the text may contain the end of a word.
    fn parse(text: &'a str) -> Result<(Self, &'a str), bool> {
        let end = text.bytes().take(64).position(|byte| byte == b'?');
        let end = end.ok_or(true)?;
        let charset = text.get(..end).ok_or(true)?;
        let after = text.get(end.saturating_add(1)..).ok_or(true)?;
        let is_base64 = match after.as_bytes() {
            [b'b' | b'B', b'?', ..] => true,
            [b'q' | b'Q', b'?', ..] => false,
            _ => return Err(true),
        };
        if charset.is_empty() || charset.contains(char::is_whitespace) {
            return Err(true);
        }
        let content = after.get(2..).ok_or(true)?;
        let end = memmem::find(content.as_bytes(), b"?=").ok_or(false)?;
        let text = content.get(..end).ok_or(true)?;
        let tail = content.get(end.saturating_add(2)..).ok_or(true)?;
        let word = Self {
            charset,
            is_base64,
            text,
        };
        Ok((word, tail))
    }

    /// Decodes a piece of the text.
    fn bytes(&self, text: &str) -> Vec<u8> {
        if self.is_base64 {
            return base64::decode(text.as_bytes());
        }
        let mut out = Vec::with_capacity(text.len());
        let mut rest = text.as_bytes();
        while let Some((&byte, after)) = rest.split_first() {
            rest = after;
            match byte {
                b'_' => out.push(b' '),
                b'=' => match transfer::hex_pair(after) {
                    Some(byte) => {
                        out.push(byte);
                        rest = after.get(2..).unwrap_or_default();
                    }
                    None => out.push(b'='),
                },
                _ => out.push(byte),
            }
        }
        out
    }
}

/// Returns a text with single spaces, and without control characters and characters that change
/// the direction of text.
pub fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        if char.is_whitespace() || char.is_control() {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
        } else if !is_invisible(char) {
            out.push(char);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Whether a character is invisible and changes the order of others, or is a byte order mark.
pub fn is_invisible(char: char) -> bool {
    matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_words_are_decoded() {
        assert_eq!(decode(b"=?iso-8859-1?q?caf=E9_a?= b", ""), "café a b");
        assert_eq!(decode(b"=?UTF-8?B?w6k=?=\r\n =?utf-8?Q?=C3=A9?=", ""), "éé");
        assert_eq!(decode(b"a =?utf-8*en?q?b?= c", ""), "a b c");
    }

    #[test]
    fn character_in_two_words_is_joined() {
        assert_eq!(decode(b"=?utf-8?b?5ryi5a0=?= =?utf-8?b?lw==?=", ""), "漢字");
    }

    #[test]
    fn broken_words_are_kept() {
        assert_eq!(decode(b"=?utf-8?q?no end", ""), "=?utf-8?q?no end");
        assert_eq!(decode(b"=?x =?utf-8?q?a?=", ""), "=?x a");
        assert_eq!(decode(b"=?utf-8?q?a b?=", ""), "a b");
        assert_eq!(decode(b"=?utf-8?z?a?=", ""), "=?utf-8?z?a?=");
        assert_eq!(decode(b"=?iso-8859-1?q?a=E9\xe9_b?=", ""), "aéé b");
        assert_eq!(decode(b"=?none-such?q?a=C3=A9?=", ""), "aé");
    }

    #[test]
    fn raw_bytes_and_control_characters() {
        assert_eq!(decode("é\u{202e}x".as_bytes(), ""), "éx");
        assert_eq!(decode(b"a\xe9\r\n\tb\0c ", ""), "aé b c");
    }
}
