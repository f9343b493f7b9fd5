//! Records with quotes that are not closed, and values of several lines that may be rows.

use super::scan::{Scan, Style, find, width};

/// The end and the style of a record whose quotes are not closed in the style of the file. Its first
/// line ends at `line`.
pub fn repaired(
    text: &[u8],
    line: usize,
    ends: bool,
    style: Style,
    expected: usize,
) -> (usize, Style) {
    let literal = style.literal();
    let first = text.get(..line).unwrap_or_default();
    if expected == 0 || style.quote.is_none() {
        return (line, literal);
    }
    let escaped = Style {
        backslash: true,
        ..style
    };
    if !style.backslash
        && memchr::memmem::find(first, b"\\\"").is_some()
        && let Scan::Record { end, .. } = find(text, escaped, ends)
        && width(text.get(..end).unwrap_or_default(), escaped) == expected
    {
        return (end, escaped);
    }
    let lenient = Style {
        lenient: true,
        ..style
    };
    if width(first, literal) != expected
        && matches!(find(first, lenient, true), Scan::Record { end, .. } if end == line)
        && width(first, lenient) == expected
    {
        return (line, lenient);
    }
    (line, literal)
}

/// The meaning of the lines of a record with a value in quotes that has several.
pub enum Lines {
    /// They are lines of a value.
    Value,
    /// They are probably lines of a value, but each could be a row.
    Doubtful,
    /// They are rows, and their quotes are characters.
    Rows,
}

/// The meaning of the lines of a record. `expected` is the number of values of most rows.
pub fn lines_of(record: &[u8], style: Style, expected: usize) -> Lines {
    let literal = style.literal();
    let mut lines = record.split(|byte| *byte == b'\n');
    if expected < 2 || !lines.all(|line| width(line, literal) == expected) {
        return Lines::Value;
    }
    if style.delimiter == b'\t' || width(record, style) != expected {
        return Lines::Rows;
    }
    Lines::Doubtful
}
