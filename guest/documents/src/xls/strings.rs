//! The shared strings: the positions of the texts, which are decoded when a cell shows them.

use super::records::{Continued, Record};
use crate::limits;

/// The shared strings of a workbook.
#[derive(Debug, Default)]
pub struct Strings {
    /// The position of each text, and the end of the record that contains the position.
    offsets: Vec<(u32, u32)>,
    damaged: bool,
}

impl Strings {
    /// Reads the record with the strings ([MS-XLS] 2.4.265).
    pub fn read(stream: &[u8], record: &Record) -> Self {
        let mut found = Self::default();
        let mut fields = Continued::new(stream, record, 4);
        let count = Continued::new(stream, record, 4).u32().unwrap_or_default();
        fields.skip(4);
        for _ in 0..count {
            let (at, end) = fields.position();
            let (Ok(at), Ok(end)) = (u32::try_from(at), u32::try_from(end)) else {
                break;
            };
            let complete = fields.skip_rich().is_some();
            if !complete {
                found.damaged = true;
            }
            let (next, _) = fields.position();
            if u32::try_from(next).is_ok_and(|next| next > at) {
                found.offsets.push((at, end));
            }
            if !complete {
                break;
            }
        }
        found
    }

    /// Returns whether strings are missing.
    pub fn damaged(&self) -> bool {
        self.damaged
    }

    fn find<'a>(&self, stream: &'a [u8], index: u32) -> Option<(Continued<'a>, usize)> {
        let (at, end) = *self.offsets.get(usize::try_from(index).ok()?)?;
        let (at, end) = (usize::try_from(at).ok()?, usize::try_from(end).ok()?);
        let mut fields = Continued::from(stream, at, end);
        let count = usize::from(fields.u16()?);
        Some((fields, count.min(limits::CELL_TEXT)))
    }

    /// Returns whether there is no such text, or it is empty.
    pub fn is_empty(&self, stream: &[u8], index: u32) -> bool {
        self.find(stream, index).is_none_or(|(_, count)| count == 0)
    }

    /// Returns a text. It is empty if there is none.
    pub fn get(&self, stream: &[u8], index: u32) -> String {
        let found = self.find(stream, index);
        let text = found.and_then(|(mut fields, count)| fields.rich(count));
        text.unwrap_or_default()
    }
}
