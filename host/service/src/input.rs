//! Lines of input, of limited length.

use super::limits;
use std::io::{self, Read};

/// The maximum number of bytes that are read at once.
const READ_BYTES: usize = 64 << 10;

/// A line of input without its line ending.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// The bytes of the line.
    Whole(Vec<u8>),
    /// The line is longer than [`limits::LINE_BYTES`]. It was skipped.
    TooLong,
}

/// Reads lines.
pub struct Input<R> {
    from: R,
    chunk: Vec<u8>,
    lines: Lines,
}

impl<R: Read> Input<R> {
    /// Creates the input of lines that end in a line feed, before which a carriage return is left out.
    pub fn new(from: R) -> Self {
        Self::separated(from, b'\n')
    }

    /// Creates the input of parts that end in this byte.
    pub fn separated(from: R, end: u8) -> Self {
        Self {
            from,
            chunk: vec![0; READ_BYTES],
            lines: Lines::new(end),
        }
    }

    /// Whether another whole line was read already.
    pub fn has_more(&self) -> bool {
        self.lines.has_more()
    }

    /// Reads a line. Returns `None` at the end of the input.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    pub fn line(&mut self) -> io::Result<Option<Line>> {
        loop {
            if let Some(line) = self.lines.next() {
                return Ok(Some(line));
            }
            let bytes = match self.from.read(&mut self.chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            if bytes == 0 {
                return Ok(self.lines.end());
            }
            self.lines.add(self.chunk.get(..bytes).unwrap_or_default());
        }
    }
}

/// Splits bytes into lines.
#[derive(Debug)]
struct Lines {
    /// The byte at the end of a line.
    end: u8,
    /// The bytes that were added and not returned.
    bytes: Vec<u8>,
    /// The number of bytes at the start of `bytes` that were returned.
    used: usize,
    /// The number of bytes at the start of `bytes` that contain no line feed after `used`.
    searched: usize,
    /// Whether the rest of a line that is too long is being skipped.
    skipping: bool,
}

impl Lines {
    fn new(end: u8) -> Self {
        Self {
            end,
            bytes: Vec::new(),
            used: 0,
            searched: 0,
            skipping: false,
        }
    }

    /// Adds bytes.
    fn add(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.used);
        self.searched -= self.used;
        self.used = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the next line that was added whole, or the information that it is too long.
    fn next(&mut self) -> Option<Line> {
        loop {
            let unsearched = self.bytes.get(self.searched..).unwrap_or_default();
            let Some(end) = unsearched.iter().position(|byte| *byte == self.end) else {
                self.searched = self.bytes.len();
                let is_long = self.searched - self.used > limits::LINE_BYTES;
                if is_long || self.skipping {
                    self.used = self.searched;
                }
                let line = (is_long && !self.skipping).then_some(Line::TooLong);
                self.skipping |= is_long;
                return line;
            };
            let end = self.searched + end;
            let line = self.bytes.get(self.used..end).unwrap_or_default();
            let line = match line.strip_suffix(b"\r") {
                Some(line) if self.end == b'\n' => line,
                _ => line,
            };
            let is_long = line.len() > limits::LINE_BYTES;
            let line = (!is_long && !self.skipping).then(|| line.to_vec());
            self.used = end + 1;
            self.searched = self.used;
            match (line, std::mem::take(&mut self.skipping)) {
                (Some(line), _) => return Some(Line::Whole(line)),
                (None, true) => {}
                (None, false) => return Some(Line::TooLong),
            }
        }
    }

    /// Whether a line that was added whole was not returned yet.
    fn has_more(&self) -> bool {
        let unsearched = self.bytes.get(self.searched..).unwrap_or_default();
        unsearched.contains(&self.end)
    }

    /// Returns the last line if it has no line feed. A JSON object cannot end early without an error,
    /// so that the line is complete or refused.
    fn end(&mut self) -> Option<Line> {
        let line = self.bytes.get(self.used..).unwrap_or_default().to_vec();
        self.used = self.bytes.len();
        self.searched = self.used;
        (!line.is_empty() && !self.skipping).then_some(Line::Whole(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Line> {
        let mut input = Input::new(input);
        let next = || input.line().expect("memory can be read");
        std::iter::from_fn(next).collect()
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_end_in_lf_or_crlf() {
        assert_eq!(lines(b"a\r\n\nb\n"), [whole("a"), whole(""), whole("b")]);
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn parts_that_end_in_a_nul_are_exact() {
        let mut input = Input::separated(&b"a\r\n\0\0b\r"[..], 0);
        let next = || input.line().expect("memory can be read");
        let parts: Vec<Line> = std::iter::from_fn(next).collect();
        assert_eq!(parts, [whole("a\r\n"), whole(""), whole("b\r")]);
    }

    #[test]
    fn last_line_needs_no_line_feed() {
        assert_eq!(lines(b"a"), [whole("a")]);
    }

    #[test]
    fn lines_are_the_same_whatever_the_parts() {
        let mut lines = Lines::new(b'\n');
        let mut found = Vec::new();
        for byte in b"one\r\n\ntwo\nend" {
            lines.add(&[*byte]);
            found.extend(std::iter::from_fn(|| lines.next()));
        }
        found.extend(lines.end());
        assert_eq!(found, [whole("one"), whole(""), whole("two"), whole("end")]);
        assert_eq!(lines.end(), None);
    }

    #[test]
    fn long_line_is_skipped() {
        let mut input = vec![b'x'; limits::LINE_BYTES];
        input.push(b'\n');
        assert!(matches!(lines(&input).as_slice(), [Line::Whole(_)]));
        input.insert(0, b'x');
        input.extend_from_slice(b"next\n");
        assert_eq!(lines(&input), [Line::TooLong, whole("next")]);
        let mut input = vec![b'x'; 3 * limits::LINE_BYTES];
        assert_eq!(lines(&input), [Line::TooLong]);
        input.extend_from_slice(b"\nnext");
        assert_eq!(lines(&input), [Line::TooLong, whole("next")]);
    }
}
