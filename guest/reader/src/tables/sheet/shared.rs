//! Texts that cells share in memory. The workbook stores a text once for many cells, and the document
//! engine returns a copy for each of them.

use crate::limits;
use omniread_document::workbook;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The texts of the cells of a sheet that are in memory.
#[derive(Debug, Default)]
pub struct SharedTexts {
    /// The long texts. Short ones take less memory than their entries would.
    long: BTreeSet<Rc<str>>,
    bytes: u64,
}

impl SharedTexts {
    /// Replaces the texts of a row by equal ones in memory, and counts the others.
    pub fn share(&mut self, row: &mut workbook::Row) {
        for cell in &mut row.cells {
            self.bytes = self.bytes.saturating_add(own_bytes(cell));
            let workbook::Value::Text(text) = &mut cell.value else {
                continue;
            };
            if text.len() >= limits::SHARED_TEXT_BYTES {
                if let Some(known) = self.long.get(text) {
                    *text = Rc::clone(known);
                    continue;
                }
                self.long.insert(Rc::clone(text));
            }
            self.bytes = self.bytes.saturating_add(text.len() as u64);
        }
    }

    /// The size of all texts in memory in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// The size in bytes of the texts of a cell that are never shared.
fn own_bytes(cell: &workbook::Cell) -> u64 {
    let value = match &cell.value {
        workbook::Value::Date(text) | workbook::Value::Error(text) => text.len(),
        workbook::Value::Text(_) | workbook::Value::Number(_) | workbook::Value::Bool(_) => 0,
    };
    let size = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let others = size(&cell.shown).saturating_add(size(&cell.formula));
    value.saturating_add(others) as u64
}
