//! Properties of characters, paragraphs and tables: lists of a code and an operand ([MS-DOC] 2.6).

use super::fib::{number, positions};
use crate::model::Style;
use crate::ole::{u16_at, u32_at};
use crate::word::styles::raised;
use std::collections::BTreeSet;

/// The properties in a list.
pub struct Sprms<'a> {
    bytes: &'a [u8],
}

/// Returns the properties in a list.
pub fn sprms(bytes: &[u8]) -> Sprms<'_> {
    Sprms { bytes }
}

/// A property: its code, and its operand.
pub type Sprm<'a> = (u16, &'a [u8]);

impl<'a> Iterator for Sprms<'a> {
    type Item = Sprm<'a>;

    fn next(&mut self) -> Option<Sprm<'a>> {
        let code = u16_at(self.bytes, 0)?;
        let rest = self.bytes.get(2..)?;
        let (skip, size): (usize, usize) = match code >> 13 {
            0 | 1 => (0, 1),
            2 | 4 | 5 => (0, 2),
            3 => (0, 4),
            7 => (0, 3),
            // The size of the definition of a table has two bytes, and counts one of them.
            _ if code == 0xd608 => (2, usize::from(u16_at(rest, 0)?).saturating_sub(1)),
            _ => match (code, rest.first()?) {
                // Tabs that are deleted take 4 bytes, and those that are added take 3.
                (0xc615, 255) => {
                    let deleted = usize::from(*rest.get(1)?);
                    let at = deleted.saturating_mul(4).saturating_add(2);
                    let added = usize::from(*rest.get(at)?);
                    (1, at.saturating_add(added.saturating_mul(3)))
                }
                (_, size) => (1, usize::from(*size)),
            },
        };
        let end = skip.saturating_add(size);
        let operand = rest.get(skip..end.min(rest.len()))?;
        self.bytes = rest.get(end..).unwrap_or_default();
        Some((code, operand))
    }
}

/// Reads an operand of one byte.
pub fn byte(operand: &[u8]) -> u8 {
    operand.first().copied().unwrap_or(0)
}

/// Reads an operand of two bytes.
pub fn word(operand: &[u8]) -> u16 {
    u16_at(operand, 0).unwrap_or(0)
}

/// The properties of a text or a paragraph: where in the stream `WordDocument` they apply, and where
/// in it they are.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The first byte of the text.
    pub start: usize,
    /// The byte after the text.
    pub end: usize,
    /// The position of the list of properties.
    at: usize,
    /// The size of the list.
    size: usize,
}

impl Span {
    /// Returns the list of properties.
    pub fn list<'a>(&self, stream: &'a [u8]) -> &'a [u8] {
        let end = self.at.saturating_add(self.size);
        stream.get(self.at..end).unwrap_or_default()
    }
}

/// The properties of all characters or all paragraphs.
#[derive(Default)]
pub struct Spans {
    list: Vec<Span>,
}

impl Spans {
    /// Reads the pages with properties of characters, or those of paragraphs ([MS-DOC] 2.8.5, 2.8.6).
    pub fn read(word: &[u8], table: &[u8], paragraphs: bool) -> Self {
        let (_, pages) = positions(table, 4);
        let (pages, _) = pages.as_chunks::<4>();
        let mut seen = BTreeSet::new();
        let mut spans = Self::default();
        for page in pages {
            let page = number(u32::from_le_bytes(*page) & 0x3f_ffff);
            let start = page.saturating_mul(512);
            if seen.insert(page)
                && let Some(bytes) = word.get(start..start.saturating_add(512))
            {
                spans.add_page(bytes, start, paragraphs);
            }
        }
        spans.list.sort_by_key(|span| span.start);
        spans
    }

    fn add_page(&mut self, page: &[u8], base: usize, paragraphs: bool) {
        let count = page.last().copied().map_or(0, usize::from);
        let entries = count.saturating_add(1).saturating_mul(4);
        let entry = if paragraphs { 13 } else { 1 };
        for index in 0..count {
            let at = index.saturating_mul(4);
            let (Some(start), Some(end)) = (u32_at(page, at), u32_at(page, at.saturating_add(4)))
            else {
                break;
            };
            let place = entries.saturating_add(index.saturating_mul(entry));
            let offset = usize::from(page.get(place).copied().unwrap_or(0)).saturating_mul(2);
            let size = page.get(offset).copied().map_or(0, usize::from);
            let (skip, size) = match (offset, paragraphs, size) {
                (0, _, _) => (0, 0),
                (_, false, size) => (1, size),
                // The size is in words, with or without the size itself.
                (_, true, 0) => {
                    let size = page.get(offset.saturating_add(1)).copied();
                    (2, size.map_or(0, usize::from).saturating_mul(2))
                }
                (_, true, size) => (1, size.saturating_mul(2).saturating_sub(1)),
            };
            let at = offset.saturating_add(skip);
            let size = size.min(page.len().saturating_sub(at));
            if end > start {
                self.list.push(Span {
                    start: number(start),
                    end: number(end),
                    at: base.saturating_add(at),
                    size,
                });
            }
        }
    }

    /// Returns the properties of a position, or where the next begin.
    pub fn find(&self, place: usize) -> Result<Span, usize> {
        let after = self.list.partition_point(|span| span.start <= place);
        let before = after.checked_sub(1).and_then(|index| self.list.get(index));
        let next = self.list.get(after).map_or(usize::MAX, |span| span.start);
        before.copied().filter(|span| place < span.end).ok_or(next)
    }
}

/// The properties of characters that matter here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the format has these independent flags"
)]
pub struct Characters {
    /// The format.
    pub style: Style,
    /// The text is hidden.
    pub hidden: bool,
    /// The text is deleted by a tracked change.
    pub deleted: bool,
    /// The text is inserted by a tracked change.
    pub inserted: bool,
    /// The object is data of a form field.
    pub data: bool,
    /// The object is an embedded document.
    pub embedded: bool,
    /// The position of the picture in the stream `Data`.
    pub picture: Option<usize>,
    /// The font and the character of a symbol.
    pub symbol: Option<(u16, u16)>,
    /// The font.
    pub font: Option<u16>,
    /// The style of the characters.
    pub class: Option<u16>,
}

impl Characters {
    /// Applies the properties of a list. `inherited` is the format of the styles.
    pub fn apply(&mut self, list: &[u8], inherited: &Self) {
        for (code, operand) in sprms(list) {
            self.apply_one(code, operand, inherited);
        }
    }

    /// Applies a property.
    pub fn apply_one(&mut self, code: u16, operand: &[u8], inherited: &Self) {
        let value = byte(operand);
        match code {
            0x0800 => self.deleted = value & 1 != 0,
            0x0801 => self.inserted = value & 1 != 0,
            0x0835 => self.toggle(Style::BOLD, value, inherited),
            0x0836 => self.toggle(Style::ITALIC, value, inherited),
            0x0837 | 0x2a53 => self.toggle(Style::STRIKE, value, inherited),
            0x083c => {
                self.hidden = match value {
                    0x80 => inherited.hidden,
                    0x81 => !inherited.hidden,
                    value => value & 1 != 0,
                }
            }
            0x2a48 => {
                self.style = self.style.without(Style::SUP.with(Style::SUB));
                match value {
                    1 => self.style = self.style.with(Style::SUP),
                    2 => self.style = self.style.with(Style::SUB),
                    _ => {}
                }
            }
            0x4845 => {
                let place = i16::from_le_bytes(word(operand).to_le_bytes());
                self.style = self.style.without(Style::SUP.with(Style::SUB));
                if let Some(place) = raised(i32::from(place)) {
                    self.style = self.style.with(place);
                }
            }
            0x0806 => self.data = value & 1 != 0,
            0x080a => self.embedded = value & 1 != 0,
            0x6a03 => self.picture = u32_at(operand, 0).map(number),
            0x6a09 => self.symbol = Some((word(operand), u16_at(operand, 2).unwrap_or(0))),
            0x4a4f => self.font = Some(word(operand)),
            0x4a30 => self.class = Some(word(operand)),
            _ => {}
        }
    }

    /// Sets a format: 0 and 1 are off and on, 0x80 and 0x81 are that of the styles and its opposite.
    fn toggle(&mut self, style: Style, value: u8, inherited: &Self) {
        match value {
            0 => self.style = self.style.without(style),
            0x81 if inherited.style.has(style) => self.style = self.style.without(style),
            1 | 0x81 => self.style = self.style.with(style),
            _ => {}
        }
    }
}

/// The definition of a row of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The edges of the cells in twips.
    pub edges: Vec<i16>,
    /// The flags of the cells ([MS-DOC] 2.9.317).
    pub flags: Vec<u16>,
}

/// Joined to the cell above.
pub const VERTICAL: u16 = 0x20;
/// The first of cells that are joined from above.
pub const VERTICAL_FIRST: u16 = 0x40;
/// Joined to the cells beside it. The two values differ for the first and the others.
pub const HORIZONTAL: u16 = 3;

/// The properties of a paragraph that matter here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the format has these independent flags"
)]
pub struct Paragraph {
    /// The style.
    pub style: u16,
    /// The outline level, from 0. Levels from 9 are text.
    pub outline: Option<u8>,
    /// The list, from 1. 0 means none.
    pub list: Option<u16>,
    /// The level in the list, from 0.
    pub level: Option<u8>,
    /// The paragraph is in a table.
    pub in_table: bool,
    /// The depth in tables.
    pub depth: Option<u32>,
    /// The paragraph is the end of a row.
    pub ends_row: bool,
    /// The paragraph is the end of a cell in a table that is in a table.
    pub ends_inner_cell: bool,
    /// The paragraph is the end of a row in such a table.
    pub ends_inner_row: bool,
    /// The paragraph is an initial letter of several lines.
    pub is_initial: bool,
    /// The definition of the row.
    pub row: Row,
}

impl Paragraph {
    /// Applies the properties of a list. `data` is the stream with long lists.
    pub fn apply(&mut self, list: &[u8], data: &[u8]) {
        for (code, operand) in sprms(list) {
            if matches!(code, 0x6645 | 0x6646) {
                let at = u32_at(operand, 0).map_or(usize::MAX, number);
                let size = u16_at(data, at).map_or(0, usize::from);
                let start = at.saturating_add(2);
                let end = start.saturating_add(size).min(data.len());
                for (code, operand) in sprms(data.get(start..end).unwrap_or_default()) {
                    self.apply_one(code, operand);
                }
            } else {
                self.apply_one(code, operand);
            }
        }
    }

    fn apply_one(&mut self, code: u16, operand: &[u8]) {
        let value = byte(operand);
        match code {
            0x4600 => self.style = word(operand),
            0x2640 => self.outline = Some(value),
            0x460b => self.list = Some(word(operand)),
            0x260a => self.level = Some(value),
            0x2416 => self.in_table = value != 0,
            0x2417 => self.ends_row = value != 0,
            0x6649 => self.depth = u32_at(operand, 0),
            0x664a => {
                let more = u32_at(operand, 0).filter(|more| *more < 0x8000_0000);
                let depth = self.depth.unwrap_or(0);
                self.depth = Some(depth.saturating_add(more.unwrap_or(0)));
            }
            0x244b => self.ends_inner_cell = value != 0,
            0x244c => self.ends_inner_row = value != 0,
            0x442c => self.is_initial = value & 7 != 0,
            0xd608 => self.define_row(operand),
            0xd62b => {
                let cell = usize::from(value);
                let flags = match operand.get(1) {
                    Some(1) => VERTICAL,
                    Some(3) => VERTICAL | VERTICAL_FIRST,
                    _ => 0,
                };
                if let Some(own) = self.row.flags.get_mut(cell) {
                    *own = (*own & !(VERTICAL | VERTICAL_FIRST)) | flags;
                }
            }
            0x5624 => {
                let end = usize::from(operand.get(1).copied().unwrap_or(0));
                let first = usize::from(value);
                for index in first..end {
                    if let Some(own) = self.row.flags.get_mut(index) {
                        *own = (*own & !HORIZONTAL) | if index == first { 1 } else { 2 };
                    }
                }
            }
            _ => {}
        }
    }

    fn define_row(&mut self, operand: &[u8]) {
        let count = usize::from(byte(operand));
        let edges = count.saturating_add(1).saturating_mul(2);
        let rest = operand.get(1..).unwrap_or_default();
        let (head, cells) = rest.split_at_checked(edges).unwrap_or((rest, &[]));
        let (head, _) = head.as_chunks::<2>();
        self.row.edges = head.iter().copied().map(i16::from_le_bytes).collect();
        let (cells, _) = cells.as_chunks::<20>();
        let flags = cells.iter().map(|cell| word(cell));
        self.row.flags = flags.take(count).collect();
        // Cells without flags are cut at the end of the list.
        self.row.flags.resize(count, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_place_of_a_text_counts() {
        let none = Characters::default();
        let mut text = Characters::default();
        for (amount, expected) in [(6_i16, Style::SUP), (-6, Style::SUB), (0, Style::default())] {
            text.apply_one(0x4845, &amount.to_le_bytes(), &none);
            assert_eq!(text.style, expected, "{amount}");
        }
    }
}
