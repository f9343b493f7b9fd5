//! The file information block: the start of the stream `WordDocument` ([MS-DOC] 2.5).

use crate::ole::{u16_at, u32_at};

/// The positions of tables in the table stream, as indices of pairs ([MS-DOC] 2.5.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    Styles = 1,
    FootnoteReferences = 2,
    FootnoteTexts = 3,
    CommentReferences = 4,
    CommentTexts = 5,
    Sections = 6,
    PageTexts = 11,
    CharacterPages = 12,
    ParagraphPages = 13,
    Fonts = 15,
    DocumentProperties = 31,
    Pieces = 33,
    CommentAuthors = 36,
    Shapes = 40,
    PageShapes = 41,
    EndnoteReferences = 46,
    EndnoteTexts = 47,
    Drawings = 50,
    BoxTexts = 56,
    PageBoxTexts = 58,
    Lists = 73,
    ListOverrides = 74,
}

/// The parts of the text, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Story {
    Main,
    Footnotes,
    PageTexts,
    /// After the texts of macros, which Word no longer writes.
    Comments = 4,
    Endnotes,
    Boxes,
    PageBoxes,
}

/// The block.
#[derive(Default)]
pub struct Fib {
    /// The version: 193 and more since Word 97.
    pub version: u16,
    /// Bits for templates, encryption and the table stream.
    pub flags: u16,
    /// The language of the program.
    pub language: u16,
    /// The number of bytes before the tables that describe the encryption.
    pub key: u32,
    /// The start and the size of each table.
    tables: Vec<(usize, usize)>,
    /// The numbers of characters of the parts of the text.
    counts: [usize; 8],
}

impl Fib {
    /// Reads the block. `None` if the bytes are not a block.
    pub fn read(word: &[u8]) -> Option<Self> {
        let magic = u16_at(word, 0)?;
        // 0xA5EC since Word 6, 0xA5DC in Word 2, and others before.
        if !matches!(
            magic,
            0xa5ec | 0xa5dc | 0xa59b | 0xa5db | 0xa59c | 0xa697..=0xa699
        ) {
            return None;
        }
        let mut fib = Self {
            version: u16_at(word, 2)?,
            language: u16_at(word, 6)?,
            flags: u16_at(word, 10)?,
            key: u32_at(word, 14)?,
            ..Self::default()
        };
        if fib.version < 193 {
            return Some(fib);
        }
        // Each of the three lists begins with the number of its elements.
        let words = usize::from(u16_at(word, 32)?);
        let longs = words.saturating_mul(2).saturating_add(34);
        let count = usize::from(u16_at(word, longs)?);
        let longs = longs.saturating_add(2);
        for (place, index) in fib.counts.iter_mut().zip(3_usize..) {
            let at = index.saturating_mul(4).saturating_add(longs);
            let value = u32_at(word, at).filter(|value| *value < 0x8000_0000);
            *place = number(value.unwrap_or(0));
        }
        let pairs = count.saturating_mul(4).saturating_add(longs);
        let count = usize::from(u16_at(word, pairs)?);
        for index in 0..count {
            let at = index.saturating_mul(8).saturating_add(pairs);
            let start = u32_at(word, at.saturating_add(2));
            let size = u32_at(word, at.saturating_add(6));
            let (Some(start), Some(size)) = (start, size) else {
                break;
            };
            fib.tables.push((number(start), number(size)));
        }
        Some(fib)
    }

    /// Whether the document is a template.
    pub fn is_template(&self) -> bool {
        self.flags & 1 != 0
    }

    /// Whether the document is encrypted or obfuscated.
    pub fn is_encrypted(&self) -> bool {
        self.flags & 0x100 != 0
    }

    /// Whether the document is obfuscated, and not encrypted.
    pub fn is_obfuscated(&self) -> bool {
        self.flags & 0x8000 != 0
    }

    /// Whether the text of Word 6 and Word 95 is in UTF-16.
    pub fn is_wide(&self) -> bool {
        self.flags & 0x1000 != 0
    }

    /// The name of the table stream.
    pub fn table_stream(&self) -> &'static str {
        if self.flags & 0x200 != 0 {
            "1Table"
        } else {
            "0Table"
        }
    }

    /// Returns the bytes of a table. They are empty if the document has none.
    pub fn table<'t>(&self, stream: &'t [u8], table: Table) -> &'t [u8] {
        let start = self.start(table);
        let size = self.tables.get(table as usize).map_or(0, |it| it.1);
        let end = start.saturating_add(size).min(stream.len());
        stream.get(start..end).unwrap_or_default()
    }

    /// Returns the start of a table.
    pub fn start(&self, table: Table) -> usize {
        self.tables.get(table as usize).map_or(0, |it| it.0)
    }

    /// Returns the first character of a part of the text, and the character after its last.
    pub fn story(&self, story: Story) -> (usize, usize) {
        let before = self.counts.iter().take(story as usize);
        let start = before.fold(0_usize, |sum, count| sum.saturating_add(*count));
        let count = self.counts.get(story as usize).copied().unwrap_or(0);
        (start, start.saturating_add(count))
    }
}

/// Converts a number of the file.
pub fn number(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// Reads the positions of a table that consists of positions and elements of a size in bytes, and where
/// its elements begin ([MS-DOC] 2.2.2).
pub fn positions(table: &[u8], size: usize) -> (Vec<usize>, &[u8]) {
    let count = table
        .len()
        .saturating_sub(4)
        .checked_div(size.saturating_add(4))
        .unwrap_or(0);
    let all = count.saturating_add(1).saturating_mul(4).min(table.len());
    let (head, rest) = table.split_at_checked(all).unwrap_or((table, &[]));
    let (words, _) = head.as_chunks::<4>();
    let list = words.iter().copied().map(u32::from_le_bytes).map(number);
    (list.collect(), rest)
}
