//! A lenient tokenizer of XML, which feeds and XML use.
//!
//! It is our own, because `quick-xml` 0.42 ends at the first syntax error (`ParseState::Done` after
//! each `Error::Syntax`) and takes `1 < 2 and 3 > 2` for a tag. A reader of feeds has to continue
//! after a bare `<`, a comment without end or a truncated file. It also needs the slices of the
//! source, to show mixed content unchanged.
//!
//! Concatenated, the sources of all tokens are the text.

use memchr::{memchr, memchr2};

/// A token, with slices of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind<'a> {
    /// Text with its entity references as written.
    Text(&'a str),
    /// The content of a CDATA section.
    Cdata(&'a str),
    /// A comment, with its delimiters.
    Comment(&'a str),
    /// A processing instruction or the XML declaration, with its delimiters.
    Instruction(&'a str),
    /// `<!DOCTYPE …>` or another declaration, with its delimiters.
    Declaration {
        /// The declaration up to its internal subset, without `>`.
        head: &'a str,
        /// The internal subset, without brackets.
        subset: Option<&'a str>,
    },
    /// A start tag.
    Start {
        /// The name, with its prefix.
        name: &'a str,
        /// The source of the attributes.
        attributes: &'a str,
        /// The element ends here: `<a/>`.
        empty: bool,
    },
    /// An end tag.
    End {
        /// The name, with its prefix.
        name: &'a str,
    },
}

/// A token and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// The token.
    pub kind: Kind<'a>,
    /// The offset of its first byte.
    pub start: usize,
    /// The offset after its last byte.
    pub end: usize,
}

/// A syntax error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The offset of the error.
    pub at: usize,
    /// The error as a clause: "a comment has no end".
    pub reason: &'static str,
}

/// Delimiters that end markup. Each is searched for to the end of the text at most once if it is
/// missing, so that the time is linear.
#[derive(Clone, Copy, Debug)]
enum Delimiter {
    Comment = 1,
    Cdata = 2,
    Instruction = 4,
    Subset = 8,
    Double = 16,
    Single = 32,
}

/// Iterates over the tokens of a text.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    source: &'a str,
    at: usize,
    /// The delimiters that do not occur in the rest of the text, as bits.
    missing: u8,
    fault: Option<Fault>,
}

/// The part of a text between two offsets. It is empty if they are no boundaries of characters.
pub fn slice(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or_default()
}

/// Whether a byte may start a name. All bytes of characters that are not ASCII may.
pub fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b':' || byte >= 0x80
}

impl<'a> Tokens<'a> {
    /// The tokens of a text.
    pub fn new(source: &'a str) -> Self {
        Self {
            source,
            at: 0,
            missing: 0,
            fault: None,
        }
    }

    /// The first syntax error in the tokens so far.
    pub fn fault(&self) -> Option<Fault> {
        self.fault
    }

    fn rest(&self) -> &'a str {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn report(&mut self, at: usize, reason: &'static str) {
        self.fault.get_or_insert(Fault { at, reason });
    }

    /// A token from the current offset to `end`.
    fn token(&mut self, kind: Kind<'a>, end: usize) -> Token<'a> {
        let start = std::mem::replace(&mut self.at, end);
        Token { kind, start, end }
    }

    /// The offset after `delimiter`, searched for from `from`.
    fn after(&self, from: usize, delimiter: &str) -> Option<usize> {
        let rest = self.source.as_bytes().get(from..)?;
        let found = memchr::memmem::find(rest, delimiter.as_bytes())?;
        Some(from.saturating_add(found).saturating_add(delimiter.len()))
    }

    /// The offset after `text`, which ends markup.
    fn end(&mut self, from: usize, text: &str, delimiter: Delimiter) -> Option<usize> {
        if self.is_missing(delimiter) {
            return None;
        }
        let end = self.after(from, text);
        if end.is_none() {
            self.missing |= delimiter as u8;
        }
        end
    }

    fn is_missing(&self, delimiter: Delimiter) -> bool {
        self.missing & delimiter as u8 != 0
    }

    /// The end of markup without its delimiter: after the next `>`, or the end of the text.
    fn recovered(&self) -> usize {
        self.after(self.at, ">").unwrap_or(self.source.len())
    }

    fn comment(&mut self) -> Token<'a> {
        // `<!-->` is not a comment in XML, but the start of one.
        let end = self.end(self.at.saturating_add(4), "-->", Delimiter::Comment);
        let end = end.unwrap_or_else(|| {
            self.report(self.at, "a comment has no end");
            self.recovered()
        });
        self.token(Kind::Comment(slice(self.source, self.at, end)), end)
    }

    fn cdata(&mut self) -> Token<'a> {
        let start = self.at.saturating_add(9);
        match self.end(start, "]]>", Delimiter::Cdata) {
            Some(end) => {
                let content = slice(self.source, start, end.saturating_sub(3));
                self.token(Kind::Cdata(content), end)
            }
            None => {
                self.report(self.at, "a CDATA section has no end");
                let end = self.source.len();
                self.token(Kind::Cdata(slice(self.source, start, end)), end)
            }
        }
    }

    fn instruction(&mut self) -> Token<'a> {
        let end = self.end(self.at.saturating_add(2), "?>", Delimiter::Instruction);
        let end = end.unwrap_or_else(|| {
            self.report(self.at, "a processing instruction has no end");
            self.recovered()
        });
        self.token(Kind::Instruction(slice(self.source, self.at, end)), end)
    }

    /// The offset after a quoted string that starts at `at`. `None` if it has no end.
    fn after_quoted(&mut self, at: usize, quote: u8) -> Option<usize> {
        let (text, delimiter) = match quote {
            b'"' => ("\"", Delimiter::Double),
            _ => ("'", Delimiter::Single),
        };
        self.end(at.saturating_add(1), text, delimiter)
    }

    /// `<!DOCTYPE …>`. The internal subset is skipped, with the quotes and comments in it.
    fn declaration(&mut self) -> Token<'a> {
        let bytes = self.source.as_bytes();
        let mut at = self.at.saturating_add(2);
        let mut subset = None;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'>' => {
                    let head = slice(self.source, self.at, subset.map_or(at, |(start, _)| start));
                    let subset = subset.map(|(start, end): (usize, usize)| {
                        slice(self.source, start.saturating_add(1), end)
                    });
                    return self.token(Kind::Declaration { head, subset }, at.saturating_add(1));
                }
                b'[' if subset.is_none() && !self.is_missing(Delimiter::Subset) => {
                    match self.subset_end(at) {
                        Some(end) => {
                            subset = Some((at, end));
                            at = end.saturating_add(1);
                        }
                        None => {
                            self.missing |= Delimiter::Subset as u8;
                            self.report(self.at, "the internal subset of a DOCTYPE has no end");
                            at = at.saturating_add(1);
                        }
                    }
                }
                b'"' | b'\'' => at = self.after_quoted(at, byte).unwrap_or(at.saturating_add(1)),
                b'<' => break,
                _ => at = at.saturating_add(1),
            }
        }
        self.report(self.at, "a declaration has no end");
        let head = slice(self.source, self.at, at);
        self.token(Kind::Declaration { head, subset: None }, at)
    }

    /// The offset of the `]` that ends the internal subset which starts at `at`.
    fn subset_end(&mut self, at: usize) -> Option<usize> {
        let bytes = self.source.as_bytes();
        let mut at = at.saturating_add(1);
        loop {
            let byte = *bytes.get(at)?;
            let rest = bytes.get(at..).unwrap_or_default();
            at = match byte {
                b']' => return Some(at),
                b'"' | b'\'' => self.after_quoted(at, byte).unwrap_or(at.saturating_add(1)),
                b'<' if rest.starts_with(b"<!--") => self.after(at, "-->")?,
                b'<' if rest.starts_with(b"<?") => self.after(at, "?>")?,
                _ => at.saturating_add(1),
            };
        }
    }

    /// The end of a name that starts at `at`.
    fn name_end(&self, at: usize) -> usize {
        let rest = self.source.as_bytes().get(at..).unwrap_or_default();
        let length = rest.iter().position(|byte| {
            byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'<' | b'=' | b'"' | b'\'')
        });
        at.saturating_add(length.unwrap_or(rest.len()))
    }

    fn start_tag(&mut self) -> Token<'a> {
        let bytes = self.source.as_bytes();
        let name_start = self.at.saturating_add(1);
        let name_end = self.name_end(name_start);
        let name = slice(self.source, name_start, name_end);
        let mut at = name_end;
        // A quote delimits a value only after `=`: `<a title=it's>`.
        let mut value = false;
        loop {
            match bytes.get(at) {
                Some(b'>') => {
                    let attributes = slice(self.source, name_end, at);
                    let end = at.saturating_add(1);
                    return self.start(name, attributes, end);
                }
                Some(&quote @ (b'"' | b'\'')) if value => match self.after_quoted(at, quote) {
                    Some(after) => {
                        at = after;
                        value = false;
                    }
                    None => {
                        self.report(self.at, "the value of an attribute has no end");
                        value = false;
                        at = at.saturating_add(1);
                    }
                },
                Some(b'<') | None => {
                    self.report(self.at, "a start tag has no end");
                    let attributes = slice(self.source, name_end, at);
                    return self.start(name, attributes, at);
                }
                Some(byte) => {
                    value = *byte == b'=' || (value && byte.is_ascii_whitespace());
                    at = at.saturating_add(1);
                }
            }
        }
    }

    fn start(&mut self, name: &'a str, attributes: &'a str, end: usize) -> Token<'a> {
        let trimmed = attributes.trim_ascii();
        // `<a href=http://host/>`: the slash belongs to the value.
        let quoted = !trimmed.contains('=') || trimmed.ends_with("\"/") || trimmed.ends_with("'/");
        let (attributes, empty) = match trimmed.strip_suffix('/') {
            Some(attributes)
                if quoted || attributes.ends_with(|c: char| c.is_ascii_whitespace()) =>
            {
                (attributes.trim_ascii_end(), true)
            }
            _ => (trimmed, false),
        };
        self.token(
            Kind::Start {
                name,
                attributes,
                empty,
            },
            end,
        )
    }

    fn end_tag(&mut self) -> Token<'a> {
        let name_start = self.at.saturating_add(2);
        let name_end = self.name_end(name_start);
        let name = slice(self.source, name_start, name_end);
        let rest = self.source.as_bytes().get(name_end..).unwrap_or_default();
        let end = match memchr2(b'>', b'<', rest) {
            Some(found) if rest.get(found) == Some(&b'>') => found.saturating_add(1),
            other => {
                self.report(self.at, "an end tag has no end");
                other.unwrap_or(rest.len())
            }
        };
        self.token(Kind::End { name }, name_end.saturating_add(end))
    }

    /// The text up to the next markup. A `<` that starts no markup is text.
    fn text(&mut self) -> Token<'a> {
        let bytes = self.source.as_bytes();
        let mut from = self.at;
        let end = loop {
            let rest = bytes.get(from..).unwrap_or_default();
            let Some(found) = memchr(b'<', rest) else {
                break bytes.len();
            };
            let at = from.saturating_add(found);
            if is_markup(rest.get(found..).unwrap_or_default()) {
                break at;
            }
            self.report(at, "a `<` starts no tag");
            from = at.saturating_add(1);
        };
        self.token(Kind::Text(slice(self.source, self.at, end)), end)
    }
}

/// Whether bytes that start with `<` are markup.
fn is_markup(bytes: &[u8]) -> bool {
    match (bytes.get(1), bytes.get(2)) {
        (Some(b'!'), Some(b'[')) => bytes.starts_with(b"<![CDATA["),
        (Some(b'!'), Some(b'-')) => bytes.starts_with(b"<!--"),
        (Some(b'!'), Some(byte)) => byte.is_ascii_alphabetic(),
        (Some(b'/' | b'?'), Some(&byte)) | (Some(&byte), _) => starts_name(byte),
        (None, _) => false,
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let rest = self.rest().as_bytes();
        rest.first()?;
        if rest.first() != Some(&b'<') || !is_markup(rest) {
            return Some(self.text());
        }
        Some(match rest.get(1) {
            Some(b'!') if rest.starts_with(b"<!--") => self.comment(),
            Some(b'!') if rest.starts_with(b"<![") => self.cdata(),
            Some(b'!') => self.declaration(),
            Some(b'?') => self.instruction(),
            Some(b'/') => self.end_tag(),
            _ => self.start_tag(),
        })
    }
}

#[cfg(test)]
mod tests;
