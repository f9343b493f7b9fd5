//! The ends of records and of their values, for one meaning of quotes.
//!
//! A quote opens a value only at its start, after spaces at most. It closes the value only before a
//! delimiter or a line end. A record with another quote in an open value is [`Scan::Broken`].

use std::borrow::Cow;

/// The characters that divide records into values, and the meaning of quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    pub delimiter: u8,
    /// `None` if quotes are characters like others.
    pub quote: Option<u8>,
    /// Whether a backslash escapes a quote in a value, besides a second quote.
    pub backslash: bool,
    /// Whether a quote in an open value that does not close it is a character of the value.
    pub lenient: bool,
}

impl Style {
    /// The style of RFC 4180.
    pub fn of(delimiter: u8) -> Self {
        Self {
            delimiter,
            quote: Some(b'"'),
            backslash: false,
            lenient: false,
        }
    }

    /// The style in which quotes are characters.
    pub fn literal(self) -> Self {
        Self {
            quote: None,
            ..self
        }
    }
}

/// The result of [`find`].
#[derive(Debug, PartialEq, Eq)]
pub enum Scan {
    /// A record: the index of its first byte, the index of the line end after it, and whether it
    /// contains a quote that may have a meaning.
    Record {
        start: usize,
        end: usize,
        has_quote: bool,
    },
    /// The record at `start` has a value that is opened by a quote and not closed up to `at`.
    Broken { start: usize, at: usize },
    /// The text ends in the record at `start`.
    Unfinished { start: usize },
    /// There are only empty lines.
    Nothing,
}

/// Finds the first record of a text that starts at a record. A carriage return ends a record too, and
/// empty lines are not records. `ends` states whether the text is complete.
pub fn find(text: &[u8], style: Style, ends: bool) -> Scan {
    let is_solid = |byte: &u8| !matches!(byte, b'\n' | b'\r');
    let Some(start) = text.iter().position(is_solid) else {
        return Scan::Nothing;
    };
    let mut has_quote = false;
    let mut at = start;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let found = match style.quote {
            Some(quote) => memchr::memchr3(b'\n', b'\r', quote, rest),
            None => memchr::memchr2(b'\n', b'\r', rest),
        };
        let Some(found) = found else {
            if !ends {
                return Scan::Unfinished { start };
            }
            let end = text.len();
            return Scan::Record {
                start,
                end,
                has_quote,
            };
        };
        let end = at.saturating_add(found);
        if text.get(end).copied() != style.quote {
            return Scan::Record {
                start,
                end,
                has_quote,
            };
        }
        has_quote = true;
        at = end.saturating_add(1);
        let before = text.get(start..end).unwrap_or_default();
        let before = without_spaces_at_end(before, style);
        if before.is_empty() || before.last() == Some(&style.delimiter) {
            match close(text, at, style, ends) {
                Close::At { after, .. } => at = after,
                Close::Broken(at) => return Scan::Broken { start, at },
                Close::Unfinished if ends => {
                    let at = text.len();
                    return Scan::Broken { start, at };
                }
                Close::Unfinished => return Scan::Unfinished { start },
            }
        }
    }
}

/// The end of a value in quotes.
enum Close {
    /// The index of the closing quote, and of the delimiter or line end after it.
    At { quote: usize, after: usize },
    /// The quote at this index does not close the value, and is not doubled.
    Broken(usize),
    /// The text ends in the value.
    Unfinished,
}

/// Finds the end of the value in quotes whose text starts at `at`.
fn close(text: &[u8], at: usize, style: Style, ends: bool) -> Close {
    let Some(quote) = style.quote else {
        return Close::Unfinished;
    };
    let mut at = at;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let found = if style.backslash {
            memchr::memchr2(quote, b'\\', rest)
        } else {
            memchr::memchr(quote, rest)
        };
        let Some(found) = found else {
            return Close::Unfinished;
        };
        let place = at.saturating_add(found);
        let next = place.saturating_add(1);
        if text.get(place) != Some(&quote) {
            at = place.saturating_add(2);
            continue;
        }
        match after_value(text, next, style) {
            Some(after) if ends || after < text.len() => {
                return Close::At {
                    quote: place,
                    after,
                };
            }
            Some(_) => return Close::Unfinished,
            None => {}
        }
        let after_next = place.saturating_add(2);
        let is_doubled = text.get(next) == Some(&quote);
        at = match (is_doubled, style.lenient) {
            (true, true) if after_value(text, after_next, style).is_some() => next,
            (true, _) => after_next,
            (false, true) => next,
            (false, false) => return Close::Broken(place),
        };
    }
}

/// The index of the delimiter, the line end or the end of the text that follows at `at`, after spaces
/// at most.
fn after_value(text: &[u8], at: usize, style: Style) -> Option<usize> {
    let rest = text.get(at..).unwrap_or_default();
    let spaces = match style.delimiter {
        b' ' => 0,
        _ => rest.iter().take_while(|byte| **byte == b' ').count(),
    };
    match rest.get(spaces) {
        Some(byte) if !matches!(byte, b'\n' | b'\r') && *byte != style.delimiter => None,
        _ => Some(at.saturating_add(spaces)),
    }
}

fn without_spaces_at_end(text: &[u8], style: Style) -> &[u8] {
    let mut rest = text;
    while style.delimiter != b' '
        && let Some((b' ', before)) = rest.split_last()
    {
        rest = before;
    }
    rest
}

/// Calls `each` with the values of a record, and with whether the last one is a value in quotes that
/// is not closed.
pub fn values<'r>(record: &'r [u8], style: Style, mut each: impl FnMut(Cow<'r, [u8]>, bool)) {
    spans(record, style, |span, open| {
        each(span.text(record, style), open);
    });
}

/// A value of a record: the indexes of its first byte and after its last one, without quotes around it.
#[derive(Clone, Copy)]
pub struct Span {
    start: usize,
    end: usize,
    is_quoted: bool,
}

impl Span {
    /// A value without quotes around it.
    pub fn plain(start: usize, end: usize) -> Self {
        Self {
            start,
            end,
            is_quoted: false,
        }
    }

    /// A value in quotes, which are not part of the span.
    pub fn quoted(start: usize, end: usize) -> Self {
        Self {
            start,
            end,
            is_quoted: true,
        }
    }

    /// The size of the text in bytes.
    pub fn bytes(self, record: &[u8], style: Style) -> usize {
        let text = record.get(self.start..self.end).unwrap_or_default();
        let has_escape = style.backslash
            || style
                .quote
                .is_some_and(|quote| memchr::memchr(quote, text).is_some());
        if self.is_quoted && has_escape {
            unescaped(text, style).len()
        } else {
            text.len()
        }
    }

    /// The text of the value, without the escapes of quotes.
    pub fn text(self, record: &[u8], style: Style) -> Cow<'_, [u8]> {
        let text = record.get(self.start..self.end).unwrap_or_default();
        if self.is_quoted {
            unescaped(text, style)
        } else {
            Cow::Borrowed(text)
        }
    }
}

/// Calls `each` with the places of the values of a record, and with whether the last one is a value in
/// quotes that is not closed.
pub fn spans(record: &[u8], style: Style, mut each: impl FnMut(Span, bool)) {
    let mut at = 0usize;
    loop {
        let rest = record.get(at..).unwrap_or_default();
        let spaces = match style.delimiter {
            b' ' => 0,
            _ => rest.iter().take_while(|byte| **byte == b' ').count(),
        };
        let opened = style.quote.is_some() && rest.get(spaces).copied() == style.quote;
        let end = if opened {
            let start = at.saturating_add(spaces).saturating_add(1);
            match close(record, start, style, true) {
                Close::At { quote, after } => {
                    each(Span::quoted(start, quote), false);
                    after
                }
                Close::Broken(_) | Close::Unfinished => {
                    each(Span::quoted(start, record.len()), true);
                    return;
                }
            }
        } else {
            let length = memchr::memchr(style.delimiter, rest).unwrap_or(rest.len());
            let end = at.saturating_add(length);
            each(Span::plain(at, end), false);
            end
        };
        if end >= record.len() {
            return;
        }
        at = end.saturating_add(1);
    }
}

/// The number of values of a record.
pub fn width(record: &[u8], style: Style) -> usize {
    let mut count = 0usize;
    values(record, style, |_, _| count = count.saturating_add(1));
    count
}

/// The text of a value in quotes, without the escapes of quotes.
fn unescaped(text: &[u8], style: Style) -> Cow<'_, [u8]> {
    let Some(quote) = style.quote else {
        return Cow::Borrowed(text);
    };
    let is_mark = |byte: u8| byte == quote || (style.backslash && byte == b'\\');
    if !text.iter().any(|byte| is_mark(*byte)) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        let next = bytes.peek().copied();
        let is_escaped = match next {
            Some(next) if byte == quote => next == quote,
            Some(next) => style.backslash && byte == b'\\' && is_mark(next),
            None => false,
        };
        match next {
            Some(next) if is_escaped => {
                bytes.next();
                out.push(next);
            }
            _ => out.push(byte),
        }
    }
    Cow::Owned(out)
}

/// The records of a sample, for a meaning of quotes. The quotes of a record that has no end with this
/// meaning are characters.
pub struct Samples<'t> {
    text: &'t [u8],
    style: Style,
    whole: bool,
    at: usize,
}

/// A record of a sample.
pub struct Sampled<'t> {
    /// The index of its first byte in the sample.
    pub start: usize,
    pub text: &'t [u8],
    /// The meaning of its quotes.
    pub style: Style,
    /// Whether its quotes are characters because it has no end otherwise.
    pub is_broken: bool,
}

impl<'t> Samples<'t> {
    /// `whole` states whether the sample is the whole text, so that its last record is complete.
    pub fn new(text: &'t [u8], style: Style, whole: bool) -> Self {
        Self {
            text,
            style,
            whole,
            at: 0,
        }
    }

    /// The start of the record after the last complete one. `None` if there is no text left.
    pub fn rest(&self) -> Option<Sampled<'t>> {
        let text = self.text.get(self.at..).unwrap_or_default();
        (!text.is_empty()).then_some(Sampled {
            start: self.at,
            text,
            style: self.style,
            is_broken: false,
        })
    }
}

impl<'t> Iterator for Samples<'t> {
    type Item = Sampled<'t>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let mut style = self.style;
        let mut scan = find(rest, style, self.whole);
        let is_broken = matches!(scan, Scan::Broken { .. });
        if is_broken {
            style = style.literal();
            scan = find(rest, style, self.whole);
        }
        let Scan::Record { start, end, .. } = scan else {
            return None;
        };
        let from = self.at.saturating_add(start);
        self.at = self.at.saturating_add(end).saturating_add(1);
        Some(Sampled {
            start: from,
            text: rest.get(start..end).unwrap_or_default(),
            style,
            is_broken,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, style: Style) -> (Scan, Vec<String>) {
        let scan = find(text.as_bytes(), style, true);
        let mut found = Vec::new();
        if let Scan::Record { start, end, .. } = scan {
            values(&text.as_bytes()[start..end], style, |value, _| {
                found.push(String::from_utf8_lossy(&value).into_owned());
            });
        }
        (scan, found)
    }

    #[test]
    fn record_ends_at_a_line_end_outside_of_quotes() {
        let of = |text: &str| match find(text.as_bytes(), Style::of(b','), false) {
            Scan::Record {
                start,
                end,
                has_quote,
            } => Some((start, end, has_quote)),
            _ => None,
        };
        assert_eq!(of("a,b\nc"), Some((0, 3, false)));
        assert_eq!(of("\r\n\na\r\n"), Some((3, 4, false)));
        assert_eq!(of("\"a\n\"\"\n\",b\n"), Some((0, 9, true)));
        assert_eq!(of("5\" x\na"), Some((0, 4, true)));
        for text in ["", "\n", "a", "\"a\n", "\"a\"", "\"a\" "] {
            assert_eq!(of(text), None, "{text}");
        }
        let found = find(b"\"a\nb", Style::of(b',').literal(), false);
        assert!(matches!(found, Scan::Record { end: 2, .. }));
    }

    #[test]
    fn values_are_without_quotes_and_spaces_around_them() {
        let strict = Style::of(b',');
        for (text, expected) in [
            ("a, \"b, c\" ,d", vec!["a", "b, c", "d"]),
            ("\"\",,\"x\"\"y\"", vec!["", "", "x\"y"]),
            ("5\" tall, 6 ,", vec!["5\" tall", " 6 ", ""]),
            ("\"a\nb\",c", vec!["a\nb", "c"]),
        ] {
            assert_eq!(of(text, strict).1, expected, "{text}");
        }
        let escaped = Style {
            backslash: true,
            ..strict
        };
        let text = r#""a \"b, c\" d","e\\","f\n""#;
        assert_eq!(of(text, escaped).1, [r#"a "b, c" d"#, "e\\", "f\\n"]);
        let lenient = Style {
            lenient: true,
            ..strict
        };
        let text = r#"1,"say "hi, you" now","b""#;
        assert_eq!(of(text, lenient).1, ["1", "say \"hi, you\" now", "b"]);
        assert_eq!(of(r#""say "hi"",x"#, lenient).1, ["say \"hi\"", "x"]);
    }

    #[test]
    fn quote_in_an_open_value_breaks_the_record() {
        for text in ["\"5\n4,x\"y\n", "a,\"b\"c", "\"a", "\"a \"b\" c\""] {
            let (scan, _) = of(text, Style::of(b','));
            assert!(matches!(scan, Scan::Broken { .. }), "{text}");
        }
    }
}
