//! The texts of shapes → blocks ([MS-PPT] 2.9.75 to 2.9.87).

use super::Deck;
use super::styles::{self, Characters, Formats, LEVELS};
use crate::limits;
use crate::model::{Block, Inline, Style, is_blank};
use crate::ole::art::Record;
use crate::ole::{u16_at, u32_at};
use crate::slides::numbering::{Bullet, Counter};
use crate::slides::text::is_code_font;
use crate::symbols;

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
    style: &'a [u8],
    /// The first character, the character after the last, and the number of each link.
    links: Vec<(usize, usize, u32)>,
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

/// A paragraph of a text.
struct Paragraph {
    content: Vec<Inline>,
    level: usize,
    bullet: Option<bool>,
    /// The place in the list of newer formats.
    newer: usize,
}

impl Deck<'_> {
    /// Converts a text. `levels` says which levels have bullets.
    pub fn blocks(&self, text: &Text, levels: [Option<bool>; LEVELS]) -> Vec<Block> {
        let numbers = styles::numbers(text.newer);
        let mut counter = Counter::default();
        let mut found = Vec::new();
        let mut code = true;
        for paragraph in self.paragraphs(text) {
            if is_blank(&paragraph.content) {
                continue;
            }
            let number = numbers.get(paragraph.newer).copied().flatten();
            let inherited = levels.get(paragraph.level).copied().flatten();
            let bullet = match paragraph.bullet.or(inherited) {
                Some(true) => number.unwrap_or(Bullet::Sign),
                _ => Bullet::None,
            };
            let marker = counter.next(paragraph.level, bullet);
            code &= marker.is_none() && is_code(&paragraph.content);
            let block = Block::Paragraph(paragraph.content);
            found.push(match marker {
                None => block,
                Some(marker) => Block::Item {
                    depth: paragraph.level.min(limits::LIST_DEPTH),
                    marker,
                    blocks: vec![block],
                },
            });
        }
        if code && found.len() > 1 {
            let text = String::from_utf16_lossy(&text.units);
            return vec![Block::Code {
                language: String::new(),
                text: text.replace(['\r', '\u{b}'], "\n"),
            }];
        }
        found
    }

    /// Converts the paragraphs of a text to one line.
    pub fn line(&self, text: &Text) -> Vec<Inline> {
        let mut all = Vec::new();
        for paragraph in self.paragraphs(text) {
            if is_blank(&paragraph.content) {
                continue;
            }
            if !all.is_empty() {
                all.push(Inline::plain(" "));
            }
            all.extend(paragraph.content);
        }
        all
    }

    fn paragraphs(&self, text: &Text) -> Vec<Paragraph> {
        let formats = Formats::read(text.style, text.units.len().saturating_add(1));
        let mut characters = Runs::new(&formats.characters);
        let mut levels = Runs::new(&formats.paragraphs);
        let mut links = text.links.clone();
        links.sort_unstable();
        let mut links = links.into_iter().peekable();
        let mut found = Vec::new();
        let mut start: usize = 0;
        for line in text.units.split(|unit| *unit == 13) {
            let end = start.saturating_add(line.len());
            let format = levels.at(start).0;
            let mut content = Vec::new();
            let mut newer = None;
            let mut at = start;
            while at < end {
                let (format, next) = characters.at(at);
                newer = newer.or(Some(format.newer));
                while links.peek().is_some_and(|(_, last, _)| *last <= at) {
                    links.next();
                }
                let mut next = next.min(end);
                let mut url = None;
                if let Some((first, last, id)) = links.peek() {
                    if *first > at {
                        next = next.min(*first);
                    } else {
                        next = next.min(*last);
                        url = self.links.get(id);
                    }
                }
                let next = next.max(at.saturating_add(1));
                let units = text.units.get(at..next).unwrap_or_default();
                self.push(units, &format, url, &mut content);
                at = next;
            }
            let newer = newer.unwrap_or_else(|| characters.at(start).0.newer);
            found.push(Paragraph {
                content,
                level: format.level,
                bullet: format.bullet,
                newer,
            });
            start = end.saturating_add(1);
        }
        found
    }

    /// Adds characters with one format.
    fn push(
        &self,
        units: &[u16],
        format: &Characters,
        url: Option<&String>,
        content: &mut Vec<Inline>,
    ) {
        let text = String::from_utf16_lossy(units);
        let font = |font: Option<u16>| font.and_then(|font| self.fonts.get(&font));
        let symbols = [font(format.symbol_font), font(format.font)];
        let is_symbol = |it: &&String| it.contains("dings") || it.contains("Symbol");
        let text = match symbols.into_iter().flatten().find(is_symbol) {
            Some(font) => symbols::replaced(font, &text),
            None => text,
        };
        let mut style = Style::default();
        if format.bold {
            style = style.with(Style::BOLD);
        }
        if format.italic {
            style = style.with(Style::ITALIC);
        }
        match format.position {
            0 => {}
            ..0 => style = style.with(Style::SUB),
            _ => style = style.with(Style::SUP),
        }
        if font(format.font).is_some_and(|font| is_code_font(font)) {
            style = style.with(Style::CODE);
        }
        let mut pieces = Vec::new();
        for (index, line) in text.split('\u{b}').enumerate() {
            if index > 0 {
                pieces.push(Inline::Break);
            }
            let text: String = line
                .chars()
                .filter(|char| *char >= ' ' || *char == '\t')
                .collect();
            pieces.push(Inline::Text { text, style });
        }
        match url {
            Some(url) => content.push(Inline::Link {
                url: url.clone(),
                content: pieces,
            }),
            None => content.append(&mut pieces),
        }
    }
}

/// Returns whether all text of a paragraph has the font of code.
fn is_code(content: &[Inline]) -> bool {
    content.iter().all(|piece| match piece {
        Inline::Text { text, style } => style.has(Style::CODE) || text.trim().is_empty(),
        Inline::Break => true,
        _ => false,
    })
}

/// Formats of characters, which are asked for in their order.
struct Runs<'f, T> {
    list: &'f [(usize, T)],
    /// The first character of the first format in the list.
    start: usize,
}

impl<'f, T: Copy + Default> Runs<'f, T> {
    fn new(list: &'f [(usize, T)]) -> Self {
        Self { list, start: 0 }
    }

    /// Returns the format of a character, and the first character with another.
    fn at(&mut self, character: usize) -> (T, usize) {
        while let Some(((count, format), rest)) = self.list.split_first() {
            let end = self.start.saturating_add(*count);
            if character < end {
                return (*format, end);
            }
            self.start = end;
            self.list = rest;
        }
        (T::default(), usize::MAX)
    }
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
