//! Texts in formulas.

use crate::codepage::utf16;
use crate::workbook::binary::Fields;

/// Reads a text of BIFF8: flags and characters of one or two bytes ([MS-XLS] 2.5.293).
pub fn characters(fields: &mut Fields, units: usize) -> Option<String> {
    if fields.u8()? & 1 != 0 {
        return Some(utf16(fields.take(units.saturating_mul(2))?));
    }
    let bytes = fields.take(units)?;
    Some(bytes.iter().map(|byte| char::from(*byte)).collect())
}

/// Adds a text in quotes.
pub fn quote(text: &str, out: &mut String) {
    out.push('"');
    out.push_str(&text.replace('"', "\"\""));
    out.push('"');
}
