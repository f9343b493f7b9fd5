//! The content of a part that is too large for memory, in pieces that end with an element.

use super::Package;
use super::part::LEFT_OUT;
use super::zip::Stream;
use crate::limits;
use memchr::{memchr, memmem, memrchr};

/// A piece of a part.
#[derive(Debug, PartialEq, Eq)]
pub struct Piece {
    /// The position of its first byte in the part.
    pub start: u64,
    /// The bytes, which end with an end tag of the element, or with the part.
    pub bytes: Vec<u8>,
}

/// Finds the last place in bytes at which a piece may end.
pub type End = fn(&[u8]) -> Option<usize>;

/// Reads a part in pieces.
pub struct Pieces {
    part: String,
    end: End,
    stream: Stream,
    /// The bytes that follow the last piece.
    buffer: Vec<u8>,
    /// The position of the buffer in the part.
    start: u64,
}

impl Pieces {
    /// Starts to read a part. `None` if it cannot be read in pieces, as it is encrypted.
    pub fn new(package: &Package, part: &str, end: End) -> Option<Self> {
        Some(Self {
            part: part.to_owned(),
            end,
            stream: package.stream(part)?,
            buffer: Vec::new(),
            start: 0,
        })
    }

    /// Starts to read a part with XML. `None` also if it is in UTF-16.
    pub fn of_xml(package: &Package, part: &str, end: End) -> Option<Self> {
        let mut pieces = Self::new(package, part, end)?;
        pieces.fill(package, 2);
        let is_wide = pieces
            .buffer
            .get(..2)
            .is_none_or(|first| memchr(0, first).is_some());
        let has_mark =
            pieces.buffer.starts_with(b"\xff\xfe") || pieces.buffer.starts_with(b"\xfe\xff");
        (!is_wide && !has_mark).then_some(pieces)
    }

    /// The reason why the part is not complete, after its last piece.
    pub fn damage(&self) -> Option<&str> {
        self.stream.damage.as_deref()
    }

    /// The reason why the part is not complete, after its last piece: damage, or too much of its content, such as
    /// `XML`.
    pub fn missing(&self, content: &str) -> Option<String> {
        let damage = self.damage().map(str::to_owned);
        let is_cut = !self.is_end();
        damage.or_else(|| is_cut.then(|| format!("it has too much {content}, and {LEFT_OUT}")))
    }

    /// Whether all bytes of the part were returned.
    pub fn is_end(&self) -> bool {
        self.stream.is_end && self.buffer.is_empty()
    }

    /// Reads up to a number of bytes into the buffer.
    fn fill(&mut self, package: &Package, length: usize) {
        while self.buffer.len() < length && !self.stream.is_end {
            package.read_on(&self.part, &mut self.stream, &mut self.buffer);
        }
    }

    /// Takes bytes from the start of the buffer.
    fn take(&mut self, length: usize) -> Piece {
        let start = self.start;
        let rest = self.buffer.split_off(length.min(self.buffer.len()));
        let bytes = std::mem::replace(&mut self.buffer, rest);
        self.start = start.saturating_add(bytes.len() as u64);
        Piece { start, bytes }
    }

    /// Reads the next piece. `None` at the end, and if an element is longer than what fits into memory.
    pub fn next(&mut self, package: &Package) -> Option<Piece> {
        let mut length = limits::PIECE_BYTES;
        loop {
            self.fill(package, length);
            if self.stream.is_end {
                let rest = self.buffer.len();
                return (rest > 0).then(|| self.take(rest));
            }
            if let Some(end) = (self.end)(&self.buffer) {
                return Some(self.take(end));
            }
            if length >= limits::PART_BYTES {
                return None;
            }
            length = length.saturating_mul(2);
        }
    }

    /// Reads a piece again. Pieces after the last one that was read cost less.
    pub fn again(&mut self, package: &Package, start: u64, length: usize) -> Option<Piece> {
        if start < self.start {
            self.stream = package.stream(&self.part)?;
            self.buffer.clear();
            self.start = 0;
        }
        while self.start < start && !(self.is_end()) {
            self.fill(package, 1);
            let skipped = start.saturating_sub(self.start);
            let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
            self.take(skipped);
        }
        self.fill(package, length);
        Some(self.take(length))
    }
}

/// The end of the last end tag of an element. `end_tag` is its local name and `>`. A prefix may precede
/// its name.
pub fn last_end(bytes: &[u8], end_tag: &[u8]) -> Option<usize> {
    let mut end = bytes.len();
    loop {
        let at = memmem::rfind(bytes.get(..end)?, end_tag)?;
        let before = bytes.get(..at)?;
        let start = memrchr(b'<', before)?;
        let tag = before.get(start..)?;
        if tag.starts_with(b"</") && (tag.len() == 2 || tag.ends_with(b":")) {
            return at.checked_add(end_tag.len());
        }
        // No other tag starts after this place, so that text of this kind is searched once.
        end = start;
    }
}

#[cfg(test)]
mod tests {
    use super::last_end;

    #[test]
    fn piece_ends_with_an_element() {
        for (text, rest) in [
            ("<row><c/></row><row><c>", "<row><c>"),
            ("<x:row></x:row>\n<x:row", "\n<x:row"),
            ("<row></row>", ""),
            ("<row></row><t>a row> b", "<t>a row> b"),
            ("<a></row><arrow></arrow>", "<arrow></arrow>"),
            ("<a></row><t>row>row>row></t>", "<t>row>row>row></t>"),
        ] {
            let end = last_end(text.as_bytes(), b"row>").unwrap();
            assert_eq!(&text[end..], rest, "{text}");
        }
        assert_eq!(last_end(b"<row><c>", b"row>"), None);
        assert_eq!(last_end(b"row>", b"row>"), None);
    }
}
