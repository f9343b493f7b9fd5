//! The formats of paragraphs and characters ([MS-PPT] 2.9.18 to 2.9.20, 2.9.45).

use crate::ole::{u16_at, u32_at};
use crate::slides::numbering::{Bullet, Scheme};

/// The number of levels of a text.
pub const LEVELS: usize = 5;

/// A reader of numbers, one after the other.
struct Cursor<'a> {
    bytes: &'a [u8],
}

impl Cursor<'_> {
    fn word(&mut self) -> Option<u16> {
        let found = u16_at(self.bytes, 0)?;
        self.skip(2);
        Some(found)
    }

    fn long(&mut self) -> Option<u32> {
        let found = u32_at(self.bytes, 0)?;
        self.skip(4);
        Some(found)
    }

    fn skip(&mut self, size: usize) {
        self.bytes = self.bytes.get(size..).unwrap_or_default();
    }

    /// Skips the numbers of a size in bytes whose bits are set.
    fn skip_set(&mut self, mask: u32, bits: &[u32], size: usize) {
        for bit in bits {
            if mask & bit != 0 {
                self.skip(size);
            }
        }
    }
}

/// The format of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paragraph {
    /// The level, from 0.
    pub level: usize,
    /// Whether it has a bullet, if the format states it.
    pub bullet: Option<bool>,
}

/// The format of characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Characters {
    /// Whether the characters are bold.
    pub bold: bool,
    /// Whether the characters are italic.
    pub italic: bool,
    /// The position above the line in percent. Below 0 it is below the line.
    pub position: i16,
    /// The number of the font.
    pub font: Option<u16>,
    /// The number of the font of symbols.
    pub symbol_font: Option<u16>,
    /// The place of the paragraph's format in the list of newer formats.
    pub newer: usize,
}

/// The formats of a text: the number of characters, and their format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formats {
    /// The formats of paragraphs.
    pub paragraphs: Vec<(usize, Paragraph)>,
    /// The formats of characters.
    pub characters: Vec<(usize, Characters)>,
}

impl Formats {
    /// Reads the formats of a text of a length, which includes the end of its last paragraph.
    pub fn read(bytes: &[u8], length: usize) -> Self {
        let mut cursor = Cursor { bytes };
        let mut formats = Self::default();
        let mut done: usize = 0;
        while done < length {
            let (Some(count), Some(level)) = (cursor.long(), cursor.word()) else {
                return formats;
            };
            let Some(bullet) = paragraph(&mut cursor) else {
                return formats;
            };
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            let level = usize::from(level).min(LEVELS.saturating_sub(1));
            formats
                .paragraphs
                .push((count, Paragraph { level, bullet }));
            done = done.saturating_add(count);
        }
        done = 0;
        while done < length {
            let Some(count) = cursor.long() else { break };
            let Some(found) = characters(&mut cursor) else {
                break;
            };
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            formats.characters.push((count, found));
            done = done.saturating_add(count);
        }
        formats
    }
}

/// Reads the format of a paragraph: whether it has a bullet, if the format states it.
#[expect(clippy::option_option, reason = "it is damaged, or states nothing")]
fn paragraph(cursor: &mut Cursor) -> Option<Option<bool>> {
    let mask = cursor.long()?;
    let mut bullet = None;
    if mask & 0xf != 0 {
        let flags = cursor.word()?;
        if mask & 1 != 0 {
            bullet = Some(flags & 1 != 0);
        }
    }
    cursor.skip_set(mask, &[0x80, 0x10, 0x40], 2);
    cursor.skip_set(mask, &[0x20], 4);
    let sizes = [0x800, 0x1000, 0x2000, 0x4000, 0x100, 0x400, 0x8000];
    cursor.skip_set(mask, &sizes, 2);
    if mask & 0x10_0000 != 0 {
        let tabs = usize::from(cursor.word()?);
        cursor.skip(tabs.saturating_mul(4));
    }
    cursor.skip_set(mask, &[0x1_0000], 2);
    if mask & 0xe_0000 != 0 {
        cursor.skip(2);
    }
    cursor.skip_set(mask, &[0x20_0000], 2);
    Some(bullet)
}

fn characters(cursor: &mut Cursor) -> Option<Characters> {
    let mask = cursor.long()?;
    let mut found = Characters::default();
    if mask & 0xffff != 0 {
        let flags = cursor.word()?;
        found.bold = mask & 1 != 0 && flags & 1 != 0;
        found.italic = mask & 2 != 0 && flags & 2 != 0;
        found.newer = usize::from((flags >> 10) & 15);
    }
    if mask & 0x1_0000 != 0 {
        found.font = Some(cursor.word()?);
    }
    cursor.skip_set(mask, &[0x20_0000, 0x40_0000], 2);
    if mask & 0x80_0000 != 0 {
        found.symbol_font = Some(cursor.word()?);
    }
    cursor.skip_set(mask, &[0x2_0000], 2);
    cursor.skip_set(mask, &[0x4_0000], 4);
    if mask & 0x8_0000 != 0 {
        found.position = cursor.word()?.cast_signed();
    }
    Some(found)
}

/// Reads whether each level of a master has a bullet. `kind` is the type of text.
pub fn master(bytes: &[u8], kind: u16) -> [Option<bool>; LEVELS] {
    let mut cursor = Cursor { bytes };
    let mut levels = [None; LEVELS];
    let count = usize::from(cursor.word().unwrap_or(0));
    for index in 0..count.min(LEVELS) {
        let mut at = index;
        if kind >= 5 {
            at = usize::from(cursor.word().unwrap_or(0));
        }
        let Some(bullet) = paragraph(&mut cursor) else {
            break;
        };
        if let Some(level) = levels.get_mut(at) {
            *level = bullet;
        }
        if characters(&mut cursor).is_none() {
            break;
        }
    }
    levels
}

/// Reads the newer formats of paragraphs: the numbers of lists. `None` for paragraphs without.
pub fn numbers(bytes: &[u8]) -> Vec<Option<Bullet>> {
    let mut cursor = Cursor { bytes };
    let mut found = Vec::new();
    while let Some(mask) = cursor.long() {
        cursor.skip_set(mask, &[0x80_0000], 2);
        let mut is_numbered = false;
        if mask & 0x200_0000 != 0 {
            is_numbered = cursor.word().is_some_and(|on| on != 0);
        }
        let mut scheme = Scheme::named("arabicPeriod", 1);
        if mask & 0x100_0000 != 0 {
            let kind = cursor.word().unwrap_or(3);
            let start = cursor.word().unwrap_or(1);
            scheme = Scheme::named(name(kind), usize::from(start).max(1));
        }
        found.push(is_numbered.then_some(Bullet::Number(scheme)));
        // Characters, and then the language.
        let mask = cursor.long().unwrap_or(0);
        cursor.skip_set(mask, &[0x10_0000], 4);
        let mask = cursor.long().unwrap_or(0);
        cursor.skip_set(mask, &[1, 2, 4], 2);
        cursor.skip_set(mask, &[0x40], 2);
        cursor.skip_set(mask, &[0x20], 4);
        if mask & 0x200 != 0 {
            let count = cursor.long().unwrap_or(0);
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            cursor.skip(count.saturating_mul(4));
        }
    }
    found
}

/// Returns the name of a scheme of numbers in PresentationML.
fn name(kind: u16) -> &'static str {
    match kind {
        0 => "alphaLcPeriod",
        1 => "alphaUcPeriod",
        2 => "arabicParenR",
        4 => "romanLcParenBoth",
        5 => "romanLcParenR",
        6 => "romanLcPeriod",
        7 => "romanUcPeriod",
        8 => "alphaLcParenBoth",
        9 => "alphaLcParenR",
        10 => "alphaUcParenBoth",
        11 => "alphaUcParenR",
        12 => "arabicParenBoth",
        14 => "romanUcParenBoth",
        15 => "romanUcParenR",
        _ => "arabicPeriod",
    }
}
