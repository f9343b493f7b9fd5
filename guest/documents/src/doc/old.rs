//! Word 6 and Word 95: text in paragraphs, without formats.

use super::fib::{Fib, number};
use super::text::{Piece, Text};
use crate::codepage::{self, CodePage};
use crate::model::{Block, Inline};
use crate::ole::u32_at;
use crate::{Unit, markdown};

/// Returns the bytes between the first and the last character as text. It is in order if the document
/// was not saved in pieces.
pub fn whole(word: &[u8]) -> Text {
    let start = u32_at(word, 24).map_or(0, number);
    let end = u32_at(word, 28).map_or(0, number).min(word.len());
    let mut text = Text::default();
    if let Some(size) = end.checked_sub(start) {
        // A document in UTF-16 has zeros in most spaces and ends of paragraphs.
        let bytes = word.get(start..end).unwrap_or_default();
        let (units, _) = bytes.as_chunks::<2>();
        let wide = units
            .iter()
            .filter(|unit| matches!(unit, [13 | 32, 0]))
            .count();
        let width = if wide > size / 64 { 2 } else { 1 };
        let count = size.checked_div(width).unwrap_or(0);
        text.add(
            word,
            Piece {
                range: 0..count,
                at: start,
                width,
                change: 0,
            },
        );
    }
    text
}

/// Converts a document.
pub fn convert(word: &[u8], fib: &Fib) -> Unit {
    let start = u32_at(word, 24).map_or(0, number);
    let main = u32_at(word, 52).map_or(0, number);
    let width = if fib.is_wide() { 2 } else { 1 };
    let mut pieces = pieces(word);
    if pieces.is_empty() {
        pieces.push((start, main));
    }
    let mut bytes = Vec::new();
    let all = main.saturating_mul(width).min(word.len());
    for (at, count) in pieces {
        let count = count.saturating_mul(width);
        let count = count.min(all.saturating_sub(bytes.len()));
        let end = at.saturating_add(count).min(word.len());
        bytes.extend_from_slice(word.get(at..end).unwrap_or_default());
    }
    let text = if fib.is_wide() {
        codepage::utf16(&bytes)
    } else {
        page(word, fib.language).decoded(&bytes)
    };
    let mut blocks = Vec::new();
    let mut line = Vec::new();
    let mut piece = String::new();
    // The depth in instructions of fields.
    let mut instructions: usize = 0;
    for char in text.chars() {
        match char {
            '\u{13}' => instructions = instructions.saturating_add(1),
            '\u{14}' | '\u{15}' if instructions > 0 => {
                instructions = instructions.saturating_sub(1);
            }
            _ if instructions > 0 && char != '\r' => {}
            '\r' | '\u{7}' | '\u{c}' => {
                instructions = 0;
                line.push(Inline::plain(std::mem::take(&mut piece)));
                blocks.push(Block::Paragraph(std::mem::take(&mut line)));
            }
            '\u{b}' => {
                line.push(Inline::plain(std::mem::take(&mut piece)));
                line.push(Inline::Break);
            }
            '\u{1e}' => piece.push('-'),
            '\t' => piece.push('\t'),
            _ if char < ' ' => {}
            _ => piece.push(char),
        }
    }
    line.push(Inline::plain(piece));
    blocks.push(Block::Paragraph(line));
    Unit {
        text: markdown::render(&blocks),
        notes: vec![
            "The document is of Word 6 or Word 95. Its text is shown without formats, lists and \
             tables."
                .to_owned(),
        ],
        edges: [0, 0],
    }
}

/// Returns the code page of the text: that of the first font for other letters than Latin ones, or that of
/// the language.
fn page(word: &[u8], language: u16) -> CodePage {
    let own = CodePage::of_language(language);
    let start = u32_at(word, 0xd0).map_or(usize::MAX, number);
    let size = u32_at(word, 0xd4).map_or(0, number);
    let end = start.saturating_add(size).min(word.len());
    let mut fonts = word.get(start.saturating_add(2)..end).unwrap_or_default();
    while let Some(size) = fonts.first().map(|size| usize::from(*size)) {
        let charset = fonts.get(4).copied().unwrap_or(0);
        // Text of two bytes needs the language as well: quotation marks would be first bytes.
        let found = CodePage::of_charset(charset)
            .filter(|found| own == codepage::DEFAULT && *found != own && found.is_single_byte());
        if let Some(found) = found {
            return found;
        }
        fonts = fonts.get(size.saturating_add(1)..).unwrap_or_default();
    }
    own
}

/// Returns the positions and the sizes of the pieces of a document that was saved in pieces.
fn pieces(word: &[u8]) -> Vec<(usize, usize)> {
    let start = u32_at(word, 0x160).map_or(0, number);
    let size = u32_at(word, 0x164).map_or(0, number);
    let end = start.saturating_add(size).min(word.len());
    let mut table = word.get(start..end).unwrap_or_default();
    // Lists of properties are before the pieces.
    while let [1, low, high, rest @ ..] = table {
        let size = usize::from(u16::from_le_bytes([*low, *high]));
        table = rest.get(size..).unwrap_or_default();
    }
    let Some((2, table)) = table.split_first() else {
        return Vec::new();
    };
    let (places, elements) = super::fib::positions(table.get(4..).unwrap_or_default(), 8);
    let (elements, _) = elements.as_chunks::<8>();
    let pairs = places.windows(2).zip(elements);
    let pieces = pairs.filter_map(|(pair, element)| {
        let [first, last] = pair else { return None };
        let at = number(u32_at(element, 2)?);
        Some((at, last.checked_sub(*first)?))
    });
    pieces.collect()
}
