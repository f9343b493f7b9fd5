//! The texts that cells share (ECMA-376-1, 18.4).

use super::text::push_string;
use crate::limits;
use crate::package::{Package, Pieces};
use crate::xml::into_text;
use crate::xml::tags::Tags;

/// Texts one after the other in one buffer.
#[derive(Debug, Default)]
pub struct Strings {
    buffer: String,
    /// The end of each text.
    ends: Vec<u32>,
    /// Whether there are more texts than the limit.
    pub cut: bool,
}

impl Strings {
    /// Reads the decoded part.
    pub fn parse(text: &str) -> Self {
        let mut found = Self::default();
        found.add(text);
        found.buffer.shrink_to_fit();
        found.ends.shrink_to_fit();
        found
    }

    /// Reads a part that is too large for memory.
    pub fn read(pieces: &mut Pieces, package: &Package) -> Self {
        let mut found = Self::default();
        while !found.cut
            && let Some(piece) = pieces.next(package)
        {
            found.add(&into_text(piece.bytes));
        }
        found.cut |= !pieces.is_end();
        found
    }

    /// Reads the next texts.
    fn add(&mut self, text: &str) {
        let mut tags = Tags::new(text, 0);
        while let Some(tag) = tags.next() {
            if tag.name != "si" || tag.is_end {
                continue;
            }
            if self.ends.len() >= limits::SHARED_STRINGS
                || self.buffer.len() >= limits::SHARED_STRING_BYTES
            {
                self.cut = true;
                break;
            }
            if !tag.is_empty {
                push_string(&mut self.buffer, &mut tags, "si");
            }
            let end = u32::try_from(self.buffer.len()).unwrap_or(u32::MAX);
            self.ends.push(end);
        }
    }

    /// Returns a text. `index` is from 0.
    pub fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)?;
        let start = match index.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.buffer.get(start as usize..end as usize)
    }
}
