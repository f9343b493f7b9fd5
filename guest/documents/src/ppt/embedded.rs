//! Charts that other programs have embedded ([MS-PPT] 2.10.34).
//!
//! An object is a compound file. `LibreOffice` writes a chart as a package of OpenDocument, and Excel as
//! a workbook whose active sheet is the chart. Other objects are shown as their images.

use super::deck::Deck;
use crate::model::Block;
use crate::ole::Compound;
use crate::{odf, xls};
use flate2::read::ZlibDecoder;
use std::io::Read;

/// An object.
const OBJECT: u16 = 0x1011;

impl Deck<'_> {
    /// Returns the chart that an object is. `None` if it is something else.
    pub fn chart(&mut self, object: u32) -> Option<Vec<Block>> {
        let record = self.objects.get(self.stream, object)?;
        if record.kind != OBJECT {
            return None;
        }
        let limit = self.budget.object()?;
        let bytes = if record.instance == 1 {
            // After the size.
            let content = record.content.get(4..)?;
            let mut bytes = Vec::new();
            let limit = u64::try_from(limit).unwrap_or(u64::MAX);
            // What is read before damage is kept.
            let _ = ZlibDecoder::new(content)
                .take(limit)
                .read_to_end(&mut bytes);
            bytes
        } else {
            record
                .content
                .get(..limit)
                .unwrap_or(record.content)
                .to_vec()
        };
        self.budget.spend_object(bytes.len());
        let mut file = Compound::open(bytes).ok()?;
        let blocks = if let Some(package) = file.stream("package_stream") {
            odf::chart::package(package.bytes, &mut self.budget)?
        } else {
            xls::chart(&mut file)?
        };
        self.budget.spend_cells(&blocks);
        Some(blocks)
    }
}
