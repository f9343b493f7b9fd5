//! The numbers of the images of a document.

use crate::limits;
use std::collections::BTreeMap;

/// The parts with images, in the order of the text.
#[derive(Default)]
pub struct Images {
    parts: Vec<String>,
    numbers: BTreeMap<String, usize>,
}

impl Images {
    /// Returns the number of the image in a part, from 1.
    pub fn number(&mut self, part: &str) -> Option<usize> {
        if let Some(number) = self.numbers.get(part) {
            return Some(*number);
        }
        if self.parts.len() >= limits::IMAGES {
            return None;
        }
        self.parts.push(part.to_owned());
        self.numbers.insert(part.to_owned(), self.parts.len());
        Some(self.parts.len())
    }

    /// Returns the part of an image.
    pub fn part(&self, number: usize) -> Option<&str> {
        let part = self.parts.get(number.checked_sub(1)?)?;
        Some(part)
    }
}
