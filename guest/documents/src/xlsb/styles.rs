//! The number formats of `styles.bin`.

use super::records::Records;
use crate::limits;
use crate::workbook::binary::Fields;
use crate::workbook::binary::styles::Styles;
use crate::workbook::number_format::Epoch;
use std::collections::BTreeMap;

/// Reads the part.
pub fn read(bytes: &[u8], epoch: Epoch) -> Styles {
    const FORMAT: u16 = 44;
    const CELL_STYLE: u16 = 47;
    const BEGIN_CELLS: u16 = 617;
    const END_CELLS: u16 = 618;
    let mut codes = BTreeMap::new();
    let mut cells = Vec::new();
    let mut inside = false;
    for record in Records::new(bytes, 0) {
        let mut fields = Fields(record.data);
        match record.kind {
            FORMAT if codes.len() < limits::WORKBOOK_STYLES => {
                if let (Some(id), Some(code)) = (fields.u16(), fields.wide()) {
                    codes.insert(id, code);
                }
            }
            BEGIN_CELLS => inside = true,
            END_CELLS => inside = false,
            CELL_STYLE if inside && cells.len() < limits::WORKBOOK_STYLES => {
                // The parent style is before the number format.
                fields.skip(2);
                cells.push(fields.u16().unwrap_or_default());
            }
            _ => {}
        }
    }
    Styles::new(epoch, &codes, &cells)
}
