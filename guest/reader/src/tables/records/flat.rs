//! Lines with an object of plain values, of which most JSON lines consist: numbers, truth values, and texts without
//! escapes. Their values are found in one pass and without copies. All other lines are parsed as JSON.

use std::ops::Range;

/// A field of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Where the key is in the line, without quotes.
    pub key: Range<usize>,
    /// Where the text of the value is in the line, without quotes.
    pub value: Range<usize>,
    /// Whether the value is in quotes.
    pub is_text: bool,
}

/// Finds the fields of an object in a line of UTF-8. Returns whether all of the line is one object of plain values.
/// The fields are otherwise those before the first other value.
pub fn fields(line: &[u8], found: &mut Vec<Field>) -> bool {
    found.clear();
    let mut scan = Scan { line, at: 0 };
    scan.object(found).is_some()
}

/// A position in a line.
struct Scan<'l> {
    line: &'l [u8],
    at: usize,
}

impl Scan<'_> {
    fn object(&mut self, found: &mut Vec<Field>) -> Option<()> {
        self.expect(b'{')?;
        loop {
            self.skip_space();
            let key = self.quoted()?;
            self.expect(b':')?;
            self.skip_space();
            let is_text = self.peek() == Some(b'"');
            let value = if is_text { self.quoted() } else { self.bare() }?;
            found.push(Field {
                key,
                value,
                is_text,
            });
            self.skip_space();
            match self.next()? {
                b',' => {}
                b'}' => break,
                _ => return None,
            }
        }
        self.skip_space();
        self.peek().is_none().then_some(())
    }

    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at = self.at.saturating_add(1);
        Some(byte)
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at = self.at.saturating_add(1);
        }
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.skip_space();
        (self.next()? == byte).then_some(())
    }

    /// A text in quotes without escapes.
    fn quoted(&mut self) -> Option<Range<usize>> {
        self.expect(b'"')?;
        let rest = self.line.get(self.at..)?;
        let is_other = |byte: &u8| matches!(byte, b'"' | b'\\' | ..=0x1f);
        let length = rest.iter().position(is_other)?;
        let start = self.at;
        let end = start.saturating_add(length);
        self.at = end.saturating_add(1);
        (rest.get(length) == Some(&b'"')).then_some(start..end)
    }

    /// A number, a truth value or `null`.
    fn bare(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        match self.peek()? {
            b't' => self.word(b"true")?,
            b'f' => self.word(b"false")?,
            b'n' => self.word(b"null")?,
            _ => self.number()?,
        }
        Some(start..self.at)
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        let is_word = self.line.get(self.at..)?.starts_with(word);
        self.at = self.at.saturating_add(word.len());
        is_word.then_some(())
    }

    /// A number as JSON allows it.
    fn number(&mut self) -> Option<()> {
        if self.peek()? == b'-' {
            self.next();
        }
        match self.peek()? {
            b'0' => {
                self.next();
            }
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.next();
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.next();
            if let Some(b'+' | b'-') = self.peek() {
                self.next();
            }
            self.digits()?;
        }
        Some(())
    }

    /// At least one digit.
    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at = self.at.saturating_add(1);
        }
        (self.at > start).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Field, fields};

    /// The keys and the values of the fields. `None` if the line is not an object of plain values.
    fn plain(line: &str) -> Option<Vec<(&str, &str, bool)>> {
        let mut found: Vec<Field> = Vec::new();
        let of = |field: &Field| {
            (
                &line[field.key.clone()],
                &line[field.value.clone()],
                field.is_text,
            )
        };
        fields(line.as_bytes(), &mut found).then(|| found.iter().map(of).collect())
    }

    #[test]
    fn plain_values_are_found() {
        let line = " {\"a\" : -1.5e+3,\"b\":\"é [}\",\t\"c\":true,\"\":null} \r";
        let expected = [
            ("a", "-1.5e+3", false),
            ("b", "é [}", true),
            ("c", "true", false),
            ("", "null", false),
        ];
        assert_eq!(plain(line).unwrap(), expected);
    }

    #[test]
    fn other_lines_are_left_to_the_parser() {
        for line in [
            "",
            "{",
            "{}",
            "1",
            "[1]",
            "{\"a\":1",
            "{\"a\":1,}",
            "{\"a\":1}x",
            "{\"a\":1}{}",
            "{\"a\":[1]}",
            "{\"a\":{}}",
            "{\"a\":\"\\n\"}",
            "{\"a\\n\":1}",
            "{\"a\":\"\t\"}",
            "{\"a\":01}",
            "{\"a\":+1}",
            "{\"a\":1.}",
            "{\"a\":.5}",
            "{\"a\":1e}",
            "{\"a\":-}",
            "{\"a\":tru}",
            "{\"a\":truer}",
            "{\"a\":NaN}",
            "{a:1}",
            "{\"a\" 1}",
            "\u{a0}{\"a\":1}",
        ] {
            assert_eq!(plain(line), None, "{line}");
        }
    }

    #[test]
    fn lines_that_are_accepted_are_json() {
        // Each byte of a line is replaced by others. What is still accepted has to be JSON.
        let line = "{\"a\":-10.5e1,\"b\":\"x\",\"c\":false}";
        for at in 0..line.len() {
            for byte in 0..0x80_u8 {
                let mut changed = line.as_bytes().to_vec();
                changed[at] = byte;
                let changed = String::from_utf8(changed).unwrap();
                if plain(&changed).is_some() {
                    let parsed = serde_json::from_str::<serde_json::Value>(changed.trim());
                    assert!(parsed.is_ok(), "{changed}");
                }
            }
        }
    }
}
