//! An iterator over the lines of a text, with their numbers and indentation.

use memchr::memchr;

/// A line of a text.
#[derive(Clone, Copy, Debug)]
pub struct Line<'t> {
    /// The line number, counted from 1.
    pub number: u32,
    /// The byte offset of the start of the line in the text.
    pub start: usize,
    /// The text of the line without the line ending.
    pub text: &'t str,
    /// The text of the line without leading spaces and tabs, and without the line ending.
    pub bare: &'t str,
}

impl<'t> Line<'t> {
    /// Creates a line from a text that may end with `\r`.
    fn new(number: u32, start: usize, text: &'t str) -> Self {
        let text = text.strip_suffix('\r').unwrap_or(text);
        let bytes = text.as_bytes();
        let blanks = bytes
            .iter()
            .position(|byte| !matches!(byte, b' ' | b'\t'))
            .unwrap_or(bytes.len());
        Self {
            number,
            start,
            text,
            bare: text.get(blanks..).unwrap_or_default(),
        }
    }

    /// The number of leading spaces and tabs.
    pub fn indent(&self) -> usize {
        self.text.len().saturating_sub(self.bare.len())
    }

    /// Whether the line is empty or contains only spaces and tabs.
    pub fn is_blank(&self) -> bool {
        self.bare.is_empty()
    }

    /// The first byte that is not a space or tab.
    pub fn byte(&self) -> Option<u8> {
        self.bare.bytes().next()
    }
}

/// An iterator over the lines of a text.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t str,
    at: usize,
    number: u32,
}

impl<'t> Lines<'t> {
    /// Creates an iterator over the lines of a text. A byte order mark at its start is skipped.
    pub fn new(text: &'t str) -> Self {
        let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Self {
            text,
            at: mark,
            number: 0,
        }
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = Line<'t>;

    fn next(&mut self) -> Option<Line<'t>> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        let start = self.at;
        self.at = start.saturating_add(length).saturating_add(1);
        self.number = self.number.saturating_add(1);
        Some(Line::new(self.number, start, rest.get(..length)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_exclude_line_endings_and_bom() {
        let lines: Vec<(u32, usize, &str, &str)> = Lines::new("\u{feff}a\r\n\n \t b\nc")
            .map(|line| (line.number, line.start, line.text, line.bare))
            .collect();
        assert_eq!(
            lines,
            [
                (1, 3, "a", "a"),
                (2, 6, "", ""),
                (3, 7, " \t b", "b"),
                (4, 12, "c", "c")
            ]
        );
        assert_eq!(Lines::new("a\n").count(), 1);
        assert_eq!(Lines::new("").count(), 0);
    }
}
