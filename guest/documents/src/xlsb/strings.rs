//! Shared strings: the positions of the texts in the part, which are decoded when a cell shows them.

use super::records::Records;
use crate::codepage::utf16;
use crate::package::{Part, is_limit};
use crate::report::incomplete;
use crate::workbook::binary::Fields;

/// The shared strings of a workbook.
#[derive(Debug, Default)]
pub struct Strings {
    bytes: Vec<u8>,
    /// The position of the text of each string.
    offsets: Vec<u32>,
    damage: Option<String>,
}

impl Strings {
    /// Reads the part.
    pub fn read(part: Part) -> Self {
        const ITEM: u16 = 19;
        let mut offsets = Vec::new();
        let mut records = Records::new(&part.bytes, 0);
        while let Some(record) = records.next() {
            if record.kind == ITEM {
                let at = records.position().saturating_sub(record.data.len());
                offsets.push(u32::try_from(at).unwrap_or(u32::MAX));
            }
        }
        let cut = part.damage.as_deref().filter(|why| is_limit(why));
        let damaged = part.damage.is_some() || records.damaged();
        let damage = match cut {
            Some(why) => Some(format!(
                "{} Cells with later texts are empty.",
                incomplete("The list of texts", why)
            )),
            None => damaged.then(|| {
                "The list of texts is damaged. Cells with texts after the damage are empty."
                    .to_owned()
            }),
        };
        Self {
            bytes: part.bytes,
            offsets,
            damage,
        }
    }

    /// A note on damage, or on a limit.
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// Returns the bytes of a text in UTF-16.
    fn bytes(&self, index: u32) -> Option<&[u8]> {
        let offset = self.offsets.get(usize::try_from(index).ok()?)?;
        let mut fields = Fields(self.bytes.get(usize::try_from(*offset).ok()?..)?);
        // Flags for formats and phonetic texts, which follow the text.
        fields.skip(1)?;
        fields.wide_bytes()
    }

    /// Returns whether there is no such text, or it is empty.
    pub fn is_empty(&self, index: u32) -> bool {
        self.bytes(index).is_none_or(<[u8]>::is_empty)
    }

    /// Returns a text. It is empty if there is none.
    pub fn get(&self, index: u32) -> String {
        utf16(self.bytes(index).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::LEFT_OUT;

    #[test]
    fn limits_are_not_called_damage() {
        let read = |damage: &str| {
            let part = Part {
                bytes: Vec::new(),
                damage: Some(damage.to_owned()),
            };
            Strings::read(part).damage().unwrap().to_owned()
        };
        assert_eq!(
            read(&format!("it has more than 64 MB, and {LEFT_OUT}")),
            "The list of texts is not read in full: it has more than 64 MB, and the rest is left out. \
             Cells with later texts are empty."
        );
        assert!(read("its data ends early").starts_with("The list of texts is damaged."));
    }
}
