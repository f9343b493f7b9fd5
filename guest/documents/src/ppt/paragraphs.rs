//! The texts of shapes → blocks.

use super::deck::Deck;
use super::styles::{self, Characters, Formats, LEVELS};
use super::text::Text;
use crate::fonts::is_fixed;
use crate::limits;
use crate::model::{Block, Inline, Style, is_blank};
use crate::slides::code;
use crate::slides::numbering::{Bullet, Counter};
use crate::symbols;

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
        for paragraph in self.paragraphs(text) {
            if is_blank(&paragraph.content) {
                found.push(Block::Paragraph(paragraph.content));
                continue;
            }
            let number = numbers.get(paragraph.newer).copied().flatten();
            let inherited = levels.get(paragraph.level).copied().flatten();
            let bullet = match paragraph.bullet.or(inherited) {
                Some(true) => number.unwrap_or(Bullet::Sign),
                _ => Bullet::None,
            };
            let marker = counter.next(paragraph.level, bullet);
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
        code::joined(found)
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
        let is_symbol = |it: &&String| it.contains("dings") || it.contains("Symbol");
        let own = font(format.font).filter(is_symbol);
        // This font is that of characters in the private area only.
        let symbol_font = font(format.symbol_font).filter(is_symbol);
        let text = match (own, symbol_font) {
            (Some(font), _) => symbols::drawn(font, &text),
            (None, Some(font)) => symbols::replaced(font, &text),
            (None, None) => text,
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
        if font(format.font).is_some_and(|font| is_fixed(font)) {
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
