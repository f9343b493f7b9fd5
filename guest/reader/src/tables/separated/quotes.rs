//! How a text of separated values uses quotes, and the values of a record in memory.
//!
//! RFC 4180 encloses a value in quotes, and writes a quote in it twice. Other texts have a backslash
//! before such a quote, a space before the value, or quotes that are only characters, as in `5" pipe`.
//! A quote encloses a value only if it is at the start of the value, and if the quote that closes it is
//! before a delimiter or at the end of the line. `csv-core` closes a value at any single quote, so that
//! one such character joins records.

use memchr::{memchr, memchr2, memchr3};
use std::borrow::Cow;

/// The meaning of quotes in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quotes {
    /// The quotation mark. `None` if quotes are only characters.
    pub mark: Option<u8>,
    /// Whether a backslash in an enclosed value precedes a character that has no other meaning.
    pub escaped: bool,
    /// Whether spaces may precede an enclosed value.
    pub spaced: bool,
}

impl Quotes {
    /// The quotes of RFC 4180.
    pub const STANDARD: Self = Self {
        mark: Some(b'"'),
        escaped: false,
        spaced: false,
    };

    /// Quotes without a meaning.
    pub const NONE: Self = Self {
        mark: None,
        ..Self::STANDARD
    };
}

/// What the quotes of a record are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It has none with a meaning.
    Plain,
    /// They enclose values.
    Enclosing,
    /// They are only characters, although one of them is at the start of a value. Contains the number
    /// of bytes that were searched for the closing quote.
    Literal(usize),
}

/// A record in a text.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// The index of its first byte, after empty lines.
    pub start: usize,
    /// The index of the line end after it.
    pub end: usize,
    /// Its quotes.
    pub kind: Kind,
}

/// Finds the first record of a text that starts at a record. `ended` states whether the text is
/// complete. `None` if there is no record, or if its end is after an incomplete text. A carriage return
/// ends a record too, and empty lines are not records.
pub fn find(text: &[u8], delimiter: u8, quotes: Quotes, ended: bool) -> Option<Found> {
    let start = text
        .iter()
        .position(|byte| !matches!(byte, b'\n' | b'\r'))?;
    let line_end = |from: usize| {
        let rest = text.get(from..)?;
        match memchr2(b'\n', b'\r', rest) {
            Some(end) => Some(from.saturating_add(end)),
            None => ended.then_some(text.len()),
        }
    };
    let plain = |end: usize, kind: Kind| Found { start, end, kind };
    let Some(mark) = quotes.mark else {
        return Some(plain(line_end(start)?, Kind::Plain));
    };
    let mut kind = Kind::Plain;
    let mut at = start;
    loop {
        let rest = text.get(at..)?;
        let Some(found) = memchr3(b'\n', b'\r', mark, rest) else {
            return ended.then(|| plain(text.len(), kind));
        };
        let place = at.saturating_add(found);
        if text.get(place) != Some(&mark) {
            return Some(plain(place, kind));
        }
        at = place.saturating_add(1);
        let before = text.get(start..place).unwrap_or_default();
        if !opens(before, delimiter, quotes) {
            continue;
        }
        let closed = match close(text, at, delimiter, quotes, mark) {
            Close::At(end) => end,
            Close::Missing if !ended => return None,
            Close::Missing => {
                let searched = text.len().saturating_sub(place);
                return Some(plain(line_end(start)?, Kind::Literal(searched)));
            }
            Close::Other(end) => {
                let searched = end.saturating_sub(place);
                return Some(plain(line_end(start)?, Kind::Literal(searched)));
            }
        };
        kind = Kind::Enclosing;
        at = closed;
    }
}

/// Whether a quote is at the start of a value. `before` is the text of the record before the quote.
fn opens(before: &[u8], delimiter: u8, quotes: Quotes) -> bool {
    let before = if quotes.spaced {
        without_spaces(before)
    } else {
        before
    };
    before.last().is_none_or(|byte| *byte == delimiter)
}

/// Removes the spaces at the end.
fn without_spaces(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., b' '] = text {
        text = rest;
    }
    text
}

/// Where an enclosed value is closed.
enum Close {
    /// The index after the closing quote, and after spaces that follow it.
    At(usize),
    /// The text ends in the value, or after a quote that may close it.
    Missing,
    /// A single quote at this index is followed by other text.
    Other(usize),
}

/// Finds the end of an enclosed value whose text starts at `at`.
fn close(text: &[u8], at: usize, delimiter: u8, quotes: Quotes, mark: u8) -> Close {
    let mut at = at;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let found = if quotes.escaped {
            memchr2(mark, b'\\', rest)
        } else {
            memchr(mark, rest)
        };
        let Some(found) = found else {
            return Close::Missing;
        };
        let place = at.saturating_add(found);
        let after = place.saturating_add(1);
        if text.get(place) != Some(&mark) {
            // The character after a backslash.
            at = after.saturating_add(1);
            continue;
        }
        let rest = text.get(after..).unwrap_or_default();
        if rest.first() == Some(&mark) {
            // Two quotes are one in the value.
            at = after.saturating_add(1);
            continue;
        }
        let spaces = rest.iter().take_while(|byte| **byte == b' ').count();
        return match rest.get(spaces) {
            Some(byte) if *byte == delimiter || matches!(byte, b'\n' | b'\r') => {
                Close::At(after.saturating_add(spaces))
            }
            Some(_) => Close::Other(place),
            // With a complete text, the value ends with it.
            None => Close::At(text.len()),
        };
    }
}

/// Calls `each` with every value of a record. `kind` is that of [`find`].
pub fn split(
    record: &[u8],
    delimiter: u8,
    quotes: Quotes,
    kind: Kind,
    mut each: impl FnMut(Cow<'_, [u8]>),
) {
    let mark = quotes.mark.filter(|_| kind == Kind::Enclosing);
    let mut at = 0usize;
    loop {
        let rest = record.get(at..).unwrap_or_default();
        let skipped = match mark {
            Some(_) if quotes.spaced => rest.iter().take_while(|byte| **byte == b' ').count(),
            _ => 0,
        };
        let text = rest.get(skipped..).unwrap_or_default();
        let length = match mark.filter(|mark| text.first() == Some(mark)) {
            Some(mark) => {
                let (value, length) = enclosed(text, quotes, mark);
                each(Cow::Owned(value));
                skipped.saturating_add(length)
            }
            None => {
                let end = memchr(delimiter, rest).unwrap_or(rest.len());
                each(Cow::Borrowed(rest.get(..end).unwrap_or(rest)));
                end
            }
        };
        // A delimiter, after which another value follows.
        let after = rest.get(length..).unwrap_or_default();
        let spaces = after.iter().take_while(|byte| **byte == b' ').count();
        let spaces = if mark.is_some() { spaces } else { 0 };
        let next = length.saturating_add(spaces);
        if rest.get(next) != Some(&delimiter) {
            return;
        }
        at = at.saturating_add(next).saturating_add(1);
    }
}

/// The text of an enclosed value that `text` starts with, and its length with its quotes.
fn enclosed(text: &[u8], quotes: Quotes, mark: u8) -> (Vec<u8>, usize) {
    let mut value = Vec::new();
    let mut at = 1usize;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let found = if quotes.escaped {
            memchr2(mark, b'\\', rest)
        } else {
            memchr(mark, rest)
        };
        let Some(found) = found else {
            value.extend_from_slice(rest);
            return (value, text.len());
        };
        value.extend_from_slice(rest.get(..found).unwrap_or_default());
        let place = at.saturating_add(found);
        let next = place.saturating_add(1);
        let is_mark = text.get(place) == Some(&mark);
        let other = text.get(next);
        match other {
            Some(other) if !is_mark || *other == mark => {
                // Only a quote and a backslash need one before them.
                if !is_mark && *other != mark && *other != b'\\' {
                    value.push(b'\\');
                }
                value.push(*other);
                at = next.saturating_add(1);
            }
            _ => return (value, next),
        }
    }
}

/// How a text uses quotes, from its first records. `sample` starts at a record, and `whole` states
/// whether it is the whole text.
pub fn detect(sample: &[u8], delimiter: u8, whole: bool) -> Quotes {
    let mut standard = Quotes::STANDARD;
    if memchr(b'"', sample).is_none() {
        if is_enclosed_by(sample, b'\'') {
            standard.mark = Some(b'\'');
        }
        return standard;
    }
    standard.spaced = has_spaces(sample, delimiter);
    let found = Use::of(sample, delimiter, standard, whole);
    if memchr::memmem::find(sample, b"\\\"").is_some() {
        let escaped = Quotes {
            escaped: true,
            ..standard
        };
        let other = Use::of(sample, delimiter, escaped, whole);
        if other.literal < found.literal || (other.is_even() && !found.is_even()) {
            return escaped;
        }
    }
    let plain = Use::of(sample, delimiter, Quotes::NONE, whole);
    // A value with a tab or a line end is rare in such a text.
    let joins_lines = delimiter == b'\t' && found.records < plain.records;
    let is_rarely_enclosed = found.literal > 1 && found.enclosing <= found.literal;
    if plain.is_even() && plain.width > 1 && (joins_lines || is_rarely_enclosed) {
        return Quotes::NONE;
    }
    standard
}

/// Whether each line of a text starts and ends with a quotation mark.
fn is_enclosed_by(text: &[u8], mark: u8) -> bool {
    let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    // The last line of a sample may be cut.
    let complete = lines.clone().count().saturating_sub(1);
    let mut any = false;
    let all = lines.by_ref().take(complete).all(|line| {
        any |= line.len() > 1;
        line.is_empty() || (line.len() > 1 && line.starts_with(&[mark]) && line.ends_with(&[mark]))
    });
    all && any
}

/// Whether spaces precede a quote at the start of a value.
fn has_spaces(text: &[u8], delimiter: u8) -> bool {
    memchr::memchr_iter(b'"', text).any(|place| {
        let before = text.get(..place).unwrap_or_default();
        let rest = without_spaces(before);
        rest.len() < before.len() && rest.last() == Some(&delimiter)
    })
}

/// What the records of a sample are like if quotes have a meaning.
#[derive(Debug, Default)]
struct Use {
    records: usize,
    /// The number of records with enclosed values.
    enclosing: usize,
    /// The number of records whose quotes are only characters.
    literal: usize,
    /// The number of values of the first record.
    width: usize,
    /// The number of records with another number of values.
    uneven: usize,
}

impl Use {
    fn of(sample: &[u8], delimiter: u8, quotes: Quotes, whole: bool) -> Self {
        let mut seen = Self::default();
        let mut rest = sample;
        while let Some(found) = find(rest, delimiter, quotes, whole) {
            let record = rest.get(found.start..found.end).unwrap_or_default();
            let mut width = 0usize;
            split(record, delimiter, quotes, found.kind, |_| {
                width = width.saturating_add(1);
            });
            if seen.records == 0 {
                seen.width = width;
            }
            let add = |count: &mut usize, yes| *count = count.saturating_add(usize::from(yes));
            add(&mut seen.records, true);
            add(&mut seen.uneven, width != seen.width);
            add(&mut seen.enclosing, found.kind == Kind::Enclosing);
            add(&mut seen.literal, matches!(found.kind, Kind::Literal(_)));
            rest = rest.get(found.end..).unwrap_or_default();
        }
        seen
    }

    fn is_even(&self) -> bool {
        self.uneven == 0
    }
}

#[cfg(test)]
#[path = "quotes_tests.rs"]
mod tests;
