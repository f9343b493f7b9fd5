//! The characters of a document: pieces of the stream `WordDocument` ([MS-DOC] 2.8.35, 2.9.38).

use super::fib::{number, positions};
use crate::ole::{u16_at, u32_at};
use std::ops::Range;

/// Characters that are together in the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The first character, and the one after the last.
    pub range: Range<usize>,
    /// The position of the first character in the stream.
    pub at: usize,
    /// The number of bytes of a character: 1 or 2.
    pub width: usize,
    /// Properties that change those of the text ([MS-DOC] 2.9.214).
    pub change: u16,
}

/// The text, with all of its parts.
#[derive(Default)]
pub struct Text {
    /// The characters in UTF-16. The position of a character is its number.
    pub units: Vec<u16>,
    /// The pieces, in the order of the text.
    pieces: Vec<Piece>,
    /// Where in the table of pieces the properties are that pieces refer to.
    changes: Vec<Range<usize>>,
    /// Whether characters are missing in the stream.
    pub is_cut: bool,
}

impl Text {
    /// Reads the table of pieces, and the characters.
    pub fn read(word: &[u8], table: &[u8]) -> Self {
        let mut text = Self::default();
        let mut at: usize = 0;
        loop {
            let start = at.saturating_add(3);
            match table.get(at) {
                Some(1) => {
                    let size = u16_at(table, at.saturating_add(1)).map_or(0, usize::from);
                    let end = start.saturating_add(size).min(table.len());
                    text.changes.push(start..end);
                    at = end;
                }
                Some(2) => {
                    let rest = table.get(at.saturating_add(5)..).unwrap_or_default();
                    let size = u32_at(table, at.saturating_add(1)).map_or(0, number);
                    text.add_pieces(word, rest.get(..size).unwrap_or(rest));
                    break;
                }
                _ => break,
            }
        }
        text
    }

    fn add_pieces(&mut self, word: &[u8], table: &[u8]) {
        let (starts, elements) = positions(table, 8);
        let (elements, _) = elements.as_chunks::<8>();
        for (pair, element) in starts.windows(2).zip(elements) {
            let [start, end] = pair else { continue };
            // Each character takes a byte or more, so that the text is not longer than the stream.
            let end = (*end).min(word.len());
            if *start != self.units.len() || end <= *start {
                continue;
            }
            let place = u32_at(element, 2).unwrap_or(0);
            let is_narrow = place & 0x4000_0000 != 0;
            let place = number(place & 0x3fff_ffff);
            let piece = Piece {
                range: *start..end,
                at: if is_narrow { place / 2 } else { place },
                width: if is_narrow { 1 } else { 2 },
                change: u16_at(element, 6).unwrap_or(0),
            };
            self.add(word, piece);
        }
    }

    /// Adds the characters of a piece. Missing ones become zeros, which are not shown.
    pub fn add(&mut self, word: &[u8], piece: Piece) {
        let bytes = piece.range.len().saturating_mul(piece.width);
        let end = piece.at.saturating_add(bytes).min(word.len());
        let bytes = word.get(piece.at..end).unwrap_or_default();
        if piece.width == 1 {
            self.units.extend(bytes.iter().map(|byte| narrow(*byte)));
        } else {
            let (units, _) = bytes.as_chunks::<2>();
            self.units
                .extend(units.iter().copied().map(u16::from_le_bytes));
        }
        if self.units.len() < piece.range.end {
            self.is_cut = true;
            self.units.resize(piece.range.end, 0);
        }
        self.pieces.push(piece);
    }

    /// Returns the piece that contains a character.
    pub fn piece(&self, character: usize) -> Option<&Piece> {
        let after = self
            .pieces
            .partition_point(|piece| piece.range.start <= character);
        let piece = self.pieces.get(after.checked_sub(1)?)?;
        piece.range.contains(&character).then_some(piece)
    }

    /// Returns where a list of properties for pieces is.
    pub fn change(&self, index: usize) -> Option<Range<usize>> {
        self.changes.get(index).cloned()
    }
}

impl Piece {
    /// Returns the position of a character in the stream.
    pub fn place(&self, character: usize) -> usize {
        let offset = character.saturating_sub(self.range.start);
        self.at.saturating_add(offset.saturating_mul(self.width))
    }
}

/// Returns the character of a byte in the code page 1252.
fn narrow(byte: u8) -> u16 {
    const HIGH: [u16; 32] = [
        0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x8d, 0x017d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013,
        0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d, 0x017e, 0x0178,
    ];
    let index = usize::from(byte).checked_sub(0x80);
    let high = index.and_then(|index| HIGH.get(index));
    high.copied().unwrap_or(u16::from(byte))
}
