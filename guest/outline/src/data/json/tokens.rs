//! Tokens of JSON: brackets, commas, colons and values.

use super::super::tree::comment;
use crate::item::Parsed;
use memchr::{memchr, memchr_iter, memchr3, memmem};

/// A token of JSON.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// The kind of token.
    pub kind: Kind,
    /// The byte offset of the token.
    pub start: usize,
    /// The byte range of the content, without quotes.
    pub inner: (usize, usize),
    /// The line of its first byte.
    pub line: u32,
    /// The line of its last byte.
    pub last: u32,
    /// The number of bytes of white space at the start of its line.
    pub indent: usize,
    /// Whether it is the first token of its line.
    pub leads: bool,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `{` or `[`.
    Open { object: bool },
    /// `}` or `]`.
    Close { object: bool },
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// A string, a number, or a word such as `true` or an unquoted name.
    Value,
}

/// An iterator over the tokens of a text.
#[derive(Debug)]
pub struct Tokens<'t> {
    bytes: &'t [u8],
    at: usize,
    line: u32,
    indent: usize,
    leads: bool,
    /// A result with only the lines of comments, and the first line with a comment or string that
    /// does not end.
    pub parsed: Parsed,
}

impl<'t> Tokens<'t> {
    /// Creates an iterator over the tokens of a text. A byte order mark at its start is skipped.
    pub fn new(text: &'t str) -> Self {
        Self {
            bytes: text.as_bytes(),
            at: if text.starts_with('\u{feff}') { 3 } else { 0 },
            line: 1,
            indent: 0,
            leads: true,
            parsed: Parsed::default(),
        }
    }

    fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes).min(self.bytes.len());
    }

    /// Advances by this number of bytes, and counts the line breaks among them.
    fn pass(&mut self, bytes: usize) {
        let passed = self.rest();
        let passed = passed.get(..bytes).unwrap_or(passed);
        let lines = memchr_iter(b'\n', passed).count();
        self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(0));
        self.skip(bytes);
    }

    fn lost(&mut self, line: u32) {
        self.parsed.unbalanced_at.get_or_insert(line);
    }

    /// Advances over whitespace and comments.
    fn blanks(&mut self) {
        loop {
            match self.rest() {
                [b'\n', ..] => {
                    self.line = self.line.saturating_add(1);
                    self.indent = 0;
                    self.leads = true;
                    self.skip(1);
                }
                [b' ' | b'\t' | b'\r', ..] => {
                    self.indent = self.indent.saturating_add(usize::from(self.leads));
                    self.skip(1);
                }
                [b'#', ..] | [b'/', b'/', ..] => {
                    if self.leads {
                        comment(&mut self.parsed, self.line, self.line);
                    }
                    self.skip(memchr(b'\n', self.rest()).unwrap_or(self.bytes.len()));
                }
                [b'/', b'*', ..] => {
                    let end = memmem::find(self.rest(), b"*/");
                    let first = self.line;
                    if end.is_none() {
                        self.lost(first);
                    }
                    self.pass(end.map_or(self.bytes.len(), |end| end.saturating_add(2)));
                    if self.leads {
                        comment(&mut self.parsed, first, self.line);
                    }
                }
                _ => return,
            }
        }
    }

    /// Advances over a string. A string without a closing quote ends at the end of its line.
    /// Returns the byte offset at which the content of the string ends.
    fn string(&mut self, quote: u8) -> usize {
        let line = self.line;
        self.skip(1);
        while let Some(found) = memchr3(quote, b'\\', b'\n', self.rest()) {
            self.skip(found);
            match self.rest() {
                [b'\\', b'\n', ..] => self.pass(2),
                [b'\\', b'\r', b'\n', ..] => self.pass(3),
                [b'\\', ..] => self.skip(2),
                [b'\n', ..] => {
                    self.lost(line);
                    return self.at;
                }
                _ => {
                    self.skip(1);
                    return self.at.saturating_sub(1);
                }
            }
        }
        self.lost(line);
        self.skip(self.bytes.len());
        self.at
    }

    /// Advances over a number, an unquoted name or any other text up to a delimiter.
    fn word(&mut self) {
        let length = self.rest().iter().skip(1).position(|byte| {
            matches!(
                byte,
                b',' | b':' | b'{' | b'}' | b'[' | b']' | b'"' | b'\'' | b'/' | b'#'
            ) || byte.is_ascii_whitespace()
        });
        self.skip(length.map_or(self.bytes.len(), |length| length.saturating_add(1)));
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.blanks();
        let (start, line, leads) = (self.at, self.line, self.leads);
        let first = *self.rest().first()?;
        let kind = match first {
            b'{' | b'[' => Kind::Open {
                object: first == b'{',
            },
            b'}' | b']' => Kind::Close {
                object: first == b'}',
            },
            b':' => Kind::Colon,
            b',' => Kind::Comma,
            _ => Kind::Value,
        };
        let inner = match first {
            b'"' | b'\'' => (start.saturating_add(1), self.string(first)),
            _ if kind == Kind::Value => {
                self.word();
                (start, self.at)
            }
            _ => {
                self.skip(1);
                (start, start)
            }
        };
        self.leads = false;
        Some(Token {
            kind,
            start,
            inner,
            line,
            last: self.line,
            indent: self.indent,
            leads,
        })
    }
}
