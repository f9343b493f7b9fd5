//! Lines of input, of limited length.

use super::limits;
use std::io::{self, BufRead, BufReader, Read};

/// The size of the input buffer in bytes.
const BUFFER: usize = 64 << 10;

/// Reads lines.
pub struct Input<R> {
    from: BufReader<R>,
}

/// A line of input without its line ending.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// The bytes of the line.
    Whole(Vec<u8>),
    /// The line is longer than [`limits::LINE_BYTES`]. It was skipped.
    TooLong,
}

impl<R: Read> Input<R> {
    /// Creates the input.
    pub fn new(from: R) -> Self {
        Self {
            from: BufReader::with_capacity(BUFFER, from),
        }
    }

    /// Reads a line. Returns `None` at the end of the input.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    pub fn next(&mut self) -> io::Result<Option<Line>> {
        let mut line = Vec::new();
        let mut too_long = false;
        loop {
            let available = match self.from.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = available.get(..end.unwrap_or(available.len()));
            let part = part.unwrap_or_default();
            let at_end = available.is_empty();
            if line.len() + part.len() > limits::LINE_BYTES {
                too_long = true;
                line = Vec::new();
            }
            if !too_long {
                line.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.from.consume(used);
            if end.is_none() && !at_end {
                continue;
            }
            return Ok(match (too_long, at_end) {
                (true, _) => Some(Line::TooLong),
                (false, true) if line.is_empty() => None,
                (false, _) => {
                    if line.last() == Some(&b'\r') {
                        line.pop();
                    }
                    Some(Line::Whole(line))
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Line> {
        let mut input = Input::new(input);
        let next = || input.next().expect("memory can be read");
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn lines_end_in_lf_or_crlf() {
        let whole = |text: &str| Line::Whole(text.as_bytes().to_vec());
        assert_eq!(lines(b"a\r\n\nb\n"), [whole("a"), whole(""), whole("b")]);
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn last_line_needs_no_line_feed() {
        assert_eq!(lines(b"a"), [Line::Whole(b"a".to_vec())]);
    }

    #[test]
    fn long_line_is_skipped() {
        let mut input = vec![b'x'; limits::LINE_BYTES];
        input.push(b'\n');
        assert!(matches!(lines(&input).as_slice(), [Line::Whole(_)]));
        input.insert(0, b'x');
        input.extend_from_slice(b"next\n");
        let next = Line::Whole(b"next".to_vec());
        assert_eq!(lines(&input), [Line::TooLong, next]);
    }
}
