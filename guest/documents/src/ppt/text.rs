//! The texts of shapes ([MS-PPT] 2.9.75 to 2.9.87).

use crate::ole::art::Record;
use crate::ole::{u16_at, u32_at};

/// The type of the text that follows.
const HEADER: u16 = 0x0f9f;
/// The index of a text in the list of the slide.
const OUTLINE: u16 = 0x0f9e;
/// Text in UTF-16.
const CHARACTERS: u16 = 0x0fa0;
/// Text whose characters have one byte.
const BYTES: u16 = 0x0fa8;
/// Formats.
const STYLE: u16 = 0x0fa1;
/// A link.
const INTERACTION: u16 = 0x0ff2;
/// The target of a link.
const INTERACTION_ATOM: u16 = 0x0ff3;
/// The characters of a link.
const LINK_RANGE: u16 = 0x0fdf;

/// The types of texts.
pub const TITLE: u32 = 0;
/// The body of a slide.
pub const BODY: u32 = 1;
/// The notes of a slide.
pub const NOTES: u32 = 2;
/// A text box.
pub const OTHER: u32 = 4;
/// The title of a title slide.
pub const CENTER_TITLE: u32 = 6;

/// A text.
#[derive(Clone, Debug, Default)]
pub struct Text<'a> {
    /// The type.
    pub kind: u32,
    /// The characters.
    pub units: Vec<u16>,
    /// The formats.
    pub style: &'a [u8],
    /// The first character, the character after the last, and the number of each link.
    pub links: Vec<(usize, usize, u32)>,
    /// The index in the list of the slide, which has the characters.
    pub outline: Option<usize>,
    /// The newer formats.
    pub newer: &'a [u8],
}

impl Text<'_> {
    /// Takes the characters and the formats of the text in the list of the slide.
    pub fn fill(&mut self, listed: &Self) {
        self.kind = listed.kind;
        self.units.clone_from(&listed.units);
        self.style = listed.style;
        self.newer = listed.newer;
        self.links.extend_from_slice(&listed.links);
    }
}

/// Reads texts from records, one after the other.
pub fn read<'a>(records: impl Iterator<Item = Record<'a>>) -> Vec<Text<'a>> {
    let mut texts: Vec<Text> = Vec::new();
    let mut link = None;
    for record in records {
        if record.kind == HEADER {
            texts.push(Text {
                kind: u32_at(record.content, 0).unwrap_or(OTHER),
                ..Text::default()
            });
            continue;
        }
        if texts.is_empty() {
            texts.push(Text {
                kind: OTHER,
                ..Text::default()
            });
        }
        let Some(text) = texts.last_mut() else { break };
        match record.kind {
            OUTLINE => {
                let index = u32_at(record.content, 0);
                text.outline = index.and_then(|index| usize::try_from(index).ok());
            }
            CHARACTERS => {
                let (units, _) = record.content.as_chunks::<2>();
                text.units = units.iter().copied().map(u16::from_le_bytes).collect();
            }
            BYTES => text.units = record.content.iter().copied().map(u16::from).collect(),
            STYLE => text.style = record.content,
            // A character represents the number of the slide, its date, or a text of all pages.
            0x0fd8 | 0x0ff7..=0x0ffa => {
                let place = u32_at(record.content, 0).and_then(|it| usize::try_from(it).ok());
                if let Some(unit) = place.and_then(|place| text.units.get_mut(place)) {
                    *unit = 0;
                }
            }
            INTERACTION => link = target(&record),
            LINK_RANGE => {
                let place = |at| u32_at(record.content, at).and_then(|it| usize::try_from(it).ok());
                if let (Some(link), Some(start), Some(end)) = (link.take(), place(0), place(4)) {
                    text.links.push((start, end, link));
                }
            }
            _ => {}
        }
    }
    texts
}

/// Returns the number of the link of an interaction.
pub fn target(interaction: &Record) -> Option<u32> {
    let atom = interaction.child(INTERACTION_ATOM)?;
    u32_at(atom.content, 4).filter(|id| *id != 0)
}

/// Reads a text record, which is in UTF-16.
pub fn string(record: &Record) -> String {
    let text = crate::codepage::utf16(record.content);
    text.split('\0').next().unwrap_or_default().to_owned()
}

/// Reads the name of a font.
pub fn font_name(record: &Record) -> String {
    let end = (0..64)
        .step_by(2)
        .find(|at| u16_at(record.content, *at).is_none_or(|unit| unit == 0));
    let name = record.content.get(..end.unwrap_or(64)).unwrap_or_default();
    crate::codepage::utf16(name)
}
