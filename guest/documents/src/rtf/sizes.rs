//! Headings of documents without styles, by the sizes of their fonts.

use crate::model::{Block, plain_text};
use std::collections::{BTreeMap, BTreeSet};

/// The size of a font that no word sets, in half points.
pub const DEFAULT: u16 = 24;

/// The characters above which a paragraph is not a heading.
const CHARS: usize = 120;

/// How much larger than the text a heading is, in parts of `OF`.
const LARGER: usize = 8;
const OF: usize = 7;

/// The part of the text that headings are at most: one of so many characters.
const SHARE: usize = 4;

/// The sizes of the text, and the paragraphs that may be headings.
#[derive(Default)]
pub struct Sizes {
    /// The number of characters of each size.
    counts: BTreeMap<u16, usize>,
    /// The smallest and the largest size of the paragraph so far.
    own: Option<(u16, u16)>,
    /// The places of paragraphs of one size, with this size.
    places: Vec<(usize, u16)>,
}

impl Sizes {
    /// Counts text of a size.
    pub fn add(&mut self, text: &str, size: u16) {
        let chars = text.chars().filter(|char| !char.is_whitespace()).count();
        if chars == 0 {
            return;
        }
        let count = self.counts.entry(size).or_default();
        *count = count.saturating_add(chars);
        let (least, most) = self.own.unwrap_or((size, size));
        self.own = Some((least.min(size), most.max(size)));
    }

    /// Ends a paragraph. `place` is that of its block if it is text outside of tables and lists.
    pub fn end_paragraph(&mut self, place: Option<usize>) {
        if let Some((least, most)) = self.own.take()
            && least == most
            && let Some(place) = place
        {
            self.places.push((place, most));
        }
    }

    /// Makes the paragraphs headings whose font is larger than that of the text. The largest size is the
    /// first level.
    pub fn mark(&self, blocks: &mut [Block]) {
        let Some((text, _)) = self.counts.iter().max_by_key(|(_, count)| **count) else {
            return;
        };
        let is_larger = |size: u16| {
            usize::from(size).saturating_mul(OF) >= usize::from(*text).saturating_mul(LARGER)
        };
        let all: usize = self.counts.values().sum();
        let larger = self.counts.iter().filter(|(size, _)| is_larger(**size));
        let larger: usize = larger.map(|(_, count)| *count).sum();
        if larger.saturating_mul(SHARE) > all {
            return;
        }
        let mut found: Vec<(usize, u16)> = Vec::new();
        for (place, size) in self.places.iter().filter(|(_, size)| is_larger(*size)) {
            if let Some(Block::Paragraph(content)) = blocks.get(*place) {
                let text = plain_text(content);
                let is_heading = text.chars().nth(CHARS).is_none()
                    && !text.trim().contains('\n')
                    && text.chars().any(char::is_alphanumeric);
                if is_heading {
                    found.push((*place, *size));
                }
            }
        }
        let sizes: BTreeSet<u16> = found.iter().map(|(_, size)| *size).collect();
        for (place, size) in found {
            let rank = sizes.range(size..).count();
            let Some(block) = blocks.get_mut(place) else {
                continue;
            };
            if let Block::Paragraph(content) = block {
                let content = std::mem::take(content);
                let level = u8::try_from(rank).unwrap_or(u8::MAX);
                *block = Block::Heading { level, content };
            }
        }
    }
}
