//! JSON as programs write it, read in one pass.
//!
//! What is rare has no result here: names with escapes, and values that are not valid or nested too deep. The parser of
//! JSON then reads the text again, and states the error if there is one. So nothing that is not valid has a result.

use crate::limits;
use crate::quoted::ordinary;
use memchr::memchr;

/// A place in a JSON text.
pub struct Scan<'j> {
    json: &'j str,
    at: usize,
    /// The number of objects and lists around the place.
    depth: usize,
}

impl<'j> Scan<'j> {
    /// The start of a text.
    pub fn new(json: &'j str) -> Self {
        Self {
            json,
            at: 0,
            depth: 0,
        }
    }

    /// Whether only white space follows.
    pub fn is_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Reads an object. `field` is called with the name of each field, and must read its value. A name with an escape
    /// has no result.
    pub fn object(
        &mut self,
        mut field: impl FnMut(&mut Self, &'j str) -> Option<()>,
    ) -> Option<()> {
        self.items(b'{', b'}', |scan| {
            let name = scan.text().filter(|name| !name.has_escapes)?;
            scan.take(b':')?;
            field(scan, name.raw)
        })
    }

    /// Reads a list. `item` must read an item.
    pub fn list(&mut self, item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.items(b'[', b']', item)
    }

    /// Reads a value. Returns its JSON.
    pub fn value(&mut self) -> Option<&'j str> {
        let first = self.peek()?;
        let start = self.at;
        self.skip(first)?;
        self.json.get(start..self.at)
    }

    /// Reads a string.
    pub fn text(&mut self) -> Option<Escaped<'j>> {
        self.take(b'"')?;
        let start = self.at;
        let mut has_escapes = false;
        loop {
            self.at = self.at.checked_add(ordinary(self.rest()))?;
            match self.rest() {
                [b'"', ..] => break,
                [b'\\', b'u', digits @ ..] => {
                    let digits = digits.get(..4)?;
                    if !digits.iter().all(u8::is_ascii_hexdigit) {
                        return None;
                    }
                    self.at = self.at.checked_add(6)?;
                }
                [
                    b'\\',
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't',
                    ..,
                ] => {
                    self.at = self.at.checked_add(2)?;
                }
                _ => return None,
            }
            has_escapes = true;
        }
        let raw = self.json.get(start..self.at)?;
        self.at = self.at.checked_add(1)?;
        Some(Escaped { raw, has_escapes })
    }

    fn rest(&self) -> &'j [u8] {
        self.json.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Moves past white space, and returns the byte after it.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.rest();
        let spaces = rest
            .iter()
            .position(|byte| !matches!(byte, b' ' | b'\n' | b'\t' | b'\r'));
        let spaces = spaces.unwrap_or(rest.len());
        self.at = self.at.saturating_add(spaces);
        rest.get(spaces).copied()
    }

    /// Moves past white space and this byte, if it is the next one.
    fn take(&mut self, byte: u8) -> Option<()> {
        if self.peek()? != byte {
            return None;
        }
        self.at = self.at.checked_add(1)?;
        Some(())
    }

    /// Reads what is between two brackets.
    fn items(
        &mut self,
        open: u8,
        close: u8,
        mut item: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.take(open)?;
        self.depth = self.depth.checked_add(1)?;
        if self.depth > limits::JSON_DEPTH {
            return None;
        }
        if self.peek()? != close {
            loop {
                item(self)?;
                if self.peek()? != b',' {
                    break;
                }
                self.at = self.at.checked_add(1)?;
            }
        }
        self.take(close)?;
        self.depth = self.depth.checked_sub(1)?;
        Some(())
    }

    /// Moves past the value that begins with a byte.
    fn skip(&mut self, first: u8) -> Option<()> {
        match first {
            b'"' => self.text().map(|_| ()),
            b'{' => self.items(b'{', b'}', |scan| {
                scan.text()?;
                scan.take(b':')?;
                let first = scan.peek()?;
                scan.skip(first)
            }),
            b'[' => self.items(b'[', b']', |scan| {
                let first = scan.peek()?;
                scan.skip(first)
            }),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.rest().starts_with(word).then_some(())?;
        self.at = self.at.checked_add(word.len())?;
        Some(())
    }

    fn number(&mut self) -> Option<()> {
        let rest = self.rest();
        let rest = rest.strip_prefix(b"-").unwrap_or(rest);
        let mut rest = match rest {
            [b'0', rest @ ..] => rest,
            rest => digits(rest)?,
        };
        if let [b'.', fraction @ ..] = rest {
            rest = digits(fraction)?;
        }
        if let [b'e' | b'E', exponent @ ..] = rest {
            let minus = || exponent.strip_prefix(b"-");
            let unsigned = exponent.strip_prefix(b"+").or_else(minus);
            rest = digits(unsigned.unwrap_or(exponent))?;
        }
        // A digit after a zero is not valid.
        if rest.first().is_some_and(u8::is_ascii_digit) {
            return None;
        }
        self.at = self.json.len().checked_sub(rest.len())?;
        Some(())
    }
}

/// What follows one or more digits.
fn digits(bytes: &[u8]) -> Option<&[u8]> {
    let length = bytes.iter().position(|byte| !byte.is_ascii_digit());
    let length = length.unwrap_or(bytes.len());
    bytes.get(length..).filter(|_| length > 0)
}

/// A string between its quotes. All its escapes are valid, but one of a lone surrogate is possible.
#[derive(Clone, Copy)]
pub struct Escaped<'j> {
    /// The JSON.
    pub raw: &'j str,
    /// Whether it has escapes.
    pub has_escapes: bool,
}

impl Escaped<'_> {
    /// Appends the decoded text. `None` if it has an escape with digits, which is rare.
    pub fn push_to(self, out: &mut String) -> Option<()> {
        let mut rest = self.raw;
        while self.has_escapes
            && let Some(at) = memchr(b'\\', rest.as_bytes())
        {
            out.push_str(rest.get(..at)?);
            let escape = rest.get(at..)?;
            out.push(match escape.as_bytes().get(1)? {
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                b'u' => return None,
                other => char::from(*other),
            });
            rest = escape.get(2..)?;
        }
        out.push_str(rest);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::de::IgnoredAny;

    fn value(json: &str) -> Option<&str> {
        let mut scan = Scan::new(json);
        let value = scan.value()?;
        scan.is_end().then_some(value)
    }

    #[test]
    fn valid_values_are_read() {
        for json in [
            "0",
            "-0.5e+7",
            "12E3",
            "true",
            "[null, false]",
            " { } ",
            r#"{"a" : [1, {"b\n": "\u00e9\\"}], "": ""}"#,
            "\"a string that is longer than eight bytes\"",
        ] {
            assert_eq!(value(json), Some(json.trim()), "{json}");
        }
    }

    #[test]
    fn other_values_are_left_to_the_parser() {
        let deep = "[".repeat(limits::JSON_DEPTH + 1);
        for json in [
            "",
            "01",
            "1.",
            "-",
            "1e",
            ".5",
            "+1",
            "tru",
            "[1,]",
            "[1 2]",
            "{\"a\"}",
            "{\"a\":1,}",
            "{a:1}",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"a\nb\"",
            "\"a",
            "1 2",
            "NaN",
            "]",
            &deep,
        ] {
            assert_eq!(value(json), None, "{json}");
        }
    }

    proptest! {
        #[test]
        fn what_is_read_is_what_the_parser_reads(
            pieces in prop::collection::vec(prop::sample::select(&[
                "{", "}", "[", "]", ",", ":", "\"", "\\", "\\n", "\\u0041", "\\ud800", "a", "abcdefgh", "é", "\"k\":", "\"v\"",
                "0", "1", "-", ".", "e", "+", "true", "null", "fals", " ", "\n", "\t", "\u{1}", "\u{7f}", "{}", "[]", "\"\"",
            ][..]), 0..12)
        ) {
            let json = pieces.concat();
            if let Some(found) = value(&json) {
                prop_assert!(serde_json::from_str::<IgnoredAny>(&json).is_ok(), "{}", json);
                prop_assert_eq!(found, json.trim_matches([' ', '\n', '\t', '\r']));
            }
            let mut scan = Scan::new(&json);
            if let Some(text) = scan.text() {
                let mut decoded = String::new();
                if text.push_to(&mut decoded).is_some() {
                    let quoted = format!("\"{}\"", text.raw);
                    prop_assert_eq!(serde_json::from_str::<String>(&quoted).unwrap(), decoded);
                }
            }
        }
    }
}
