//! Images and text boxes ([MS-DOC] 2.9.192, 2.9.172, [MS-ODRAW]).

use super::convert::Converter;
use super::fib::number;
use super::shapes::{Image, place};
use crate::limits;
use crate::model::{Block, Inline};
use crate::ole::art::{self, Properties};
use crate::ole::{u16_at, u32_at};
use crate::word::paragraph::Line;

impl Converter<'_> {
    /// Converts the shapes that are anchored at a character.
    pub fn anchor(&mut self, character: usize, depth: usize, line: &mut Line) {
        let Some(id) = self.shapes.anchors.remove(&character) else {
            return;
        };
        if depth >= limits::DEPTH || self.is_suppressed() {
            return;
        }
        let members = self.shapes.members.remove(&id).unwrap_or(vec![id]);
        let alt = self.shapes.by_id.get(&id).map(|shape| shape.alt.clone());
        let alt = alt.unwrap_or_default();
        for member in members {
            let mut blocks = Vec::new();
            if let Some((first, last)) = self.shapes.boxes.remove(&member) {
                let fields = std::mem::take(&mut self.fields);
                let carry = std::mem::take(&mut self.carry);
                blocks = self.story(first, last, depth.saturating_add(1));
                self.fields = fields;
                self.carry = carry;
            }
            // A text box around an object has a picture of it.
            let has_object = blocks.iter().any(is_object);
            if let Some(shape) = self.shapes.by_id.remove(&member)
                && !has_object
            {
                let own = if shape.alt.is_empty() {
                    &alt
                } else {
                    &shape.alt
                };
                let number = shape.image.and_then(|number| number.checked_sub(1));
                let image = number.and_then(|number| self.shapes.images.get(number));
                if let Some(image) = image.copied().flatten() {
                    self.image(image, own, line);
                }
                if let Some(text) = shape.effect {
                    self.push_plain(line, &text);
                }
            }
            line.anchor(blocks);
        }
    }

    /// Converts a picture in the line. `place` is its position in the stream `Data`.
    pub fn picture(&mut self, place: usize, line: &mut Line) {
        if self.is_suppressed() {
            return;
        }
        let data = &self.streams.data;
        let header = u16_at(data, place.saturating_add(4)).map_or(0, usize::from);
        let kind = u16_at(data, place.saturating_add(6));
        if header < 68 {
            return;
        }
        let size = u32_at(data, place).map_or(0, number);
        let end = place.saturating_add(size).min(data.len());
        let mut at = place.saturating_add(header);
        if kind == Some(102) {
            // The picture has the name of a file.
            let length = data.get(at).copied().map_or(0, usize::from);
            at = at.saturating_add(length).saturating_add(1);
        }
        let bytes = data.get(..end).unwrap_or_default();
        let mut alt = String::new();
        let mut image = None;
        while let Some(record) = art::record_at(bytes, at) {
            if record.kind == art::SP_CONTAINER {
                let properties = Properties::read(&record);
                alt = properties.alt();
                if let Some(text) = properties.text(art::EFFECT_TEXT) {
                    self.push_plain(line, &text);
                }
            } else if art::has_image(bytes, at) {
                image = Some(Image::Data(at));
                break;
            }
            at = at.saturating_add(record.content.len()).saturating_add(8);
        }
        if let Some(image) = image {
            self.image(image, &alt, line);
        }
    }

    /// Adds an image to a line.
    fn image(&mut self, image: Image, alt: &str, line: &mut Line) {
        let (stream, at) = place(self.streams, image);
        if !art::has_image(stream, at) {
            return;
        }
        let number = match self.image_numbers.get(&image) {
            Some(number) => *number,
            None if self.images.len() >= limits::IMAGES => {
                self.report.omit_images(1);
                return;
            }
            None => {
                self.images.push(image);
                self.image_numbers.insert(image, self.images.len());
                self.images.len()
            }
        };
        let alt = alt.to_owned();
        self.push(line, Inline::Image { alt, number });
    }
}

/// Returns whether a block is a formula or an image.
fn is_object(block: &Block) -> bool {
    match block {
        Block::Math(_) => true,
        Block::Paragraph(content) => content
            .iter()
            .any(|piece| matches!(piece, Inline::Image { .. } | Inline::Math { .. })),
        _ => false,
    }
}

/// Returns whether the check box at a position of the stream `Data` is checked. `None` if it is no check
/// box ([MS-DOC] 2.9.78).
pub fn check_box(data: &[u8], place: usize) -> Option<bool> {
    let header = usize::from(u16_at(data, place.saturating_add(4))?);
    let field = data.get(place.saturating_add(header)..)?;
    let bits = u16_at(field, 4)?;
    if bits & 3 != 1 {
        return None;
    }
    match (bits >> 2) & 31 {
        // The default state is after the name.
        25 => {
            let name = usize::from(u16_at(field, 10)?);
            let at = name.saturating_mul(2).saturating_add(14);
            Some(u16_at(field, at)? != 0)
        }
        state => Some(state == 1),
    }
}
