//! Images: hexadecimal digits or `\bin` in `\pict`.

use super::tokens::{Token, Tokens};
use crate::limits;

/// The positions of the images of a document. Images are decoded when they are requested.
#[derive(Default)]
pub struct Pictures {
    list: Vec<(usize, usize)>,
    /// The number of images above the limit.
    pub omitted: usize,
}

impl Pictures {
    /// Adds an image between two positions. Returns its number, from 1.
    pub fn add(&mut self, start: usize, end: usize) -> Option<usize> {
        if self.list.len() >= limits::IMAGES {
            self.omitted = self.omitted.saturating_add(1);
            return None;
        }
        self.list.push((start, end));
        Some(self.list.len())
    }

    /// Returns the bytes of an image. `document` is the whole document.
    pub fn decode(&self, number: usize, document: &[u8]) -> Option<Vec<u8>> {
        let (start, end) = *self.list.get(number.checked_sub(1)?)?;
        let bytes = decode(document.get(start..end)?);
        (!bytes.is_empty()).then_some(bytes)
    }
}

/// Decodes the content of `\pict`.
fn decode(content: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut high = None;
    let mut is_bitmap = false;
    let mut tokens = Tokens::new(content);
    while let Some(token) = tokens.next() {
        match token {
            Token::Open => tokens.skip_group(),
            Token::Binary(bytes) => out.extend_from_slice(bytes),
            Token::Word("dibitmap", _) => is_bitmap = true,
            Token::Text(text) => {
                for byte in text {
                    let Some(digit) = char::from(*byte).to_digit(16) else {
                        continue;
                    };
                    let digit = u8::try_from(digit).unwrap_or_default();
                    match high.take() {
                        Some(high) => out.push((high << 4) | digit),
                        None => high = Some(digit),
                    }
                }
            }
            _ => {}
        }
    }
    if is_bitmap && let Some(header) = bitmap_header(&out) {
        out.splice(0..0, header);
    }
    out
}

/// Returns the header that a device-independent bitmap has as a file: `BITMAPFILEHEADER`.
fn bitmap_header(bitmap: &[u8]) -> Option<[u8; 14]> {
    let number = |at: usize| {
        let four = bitmap.get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(four.try_into().ok()?))
    };
    let header = number(0)?;
    let bits = u16::from_le_bytes([*bitmap.get(14)?, *bitmap.get(15)?]);
    let used = number(32)?;
    let colors = match used {
        0 if bits <= 8 => 1_u32.checked_shl(u32::from(bits))?,
        used => used,
    };
    let offset = header
        .checked_add(colors.checked_mul(4)?)?
        .checked_add(14)?;
    let size = u32::try_from(bitmap.len()).ok()?.checked_add(14)?;
    let mut out = [0; 14];
    let fields = b"BM".iter().copied();
    let fields = fields.chain(size.to_le_bytes());
    let fields = fields.chain([0; 4]).chain(offset.to_le_bytes());
    for (place, byte) in out.iter_mut().zip(fields) {
        *place = byte;
    }
    Some(out)
}
