//! Constant arrays, such as `{1,2;3,4}`. Their values are after the tokens of a formula.

use super::Version;
use super::strings::{characters, quote};
use crate::codepage::utf16;
use crate::limits;
use crate::workbook::Value;
use crate::workbook::binary::{Fields, error};

/// Reads an array ([MS-XLS] 2.5.198.59, [MS-XLSB] 2.5.97.32).
pub fn text(version: Version, extra: &mut Fields) -> Option<String> {
    let (rows, columns) = if matches!(version, Version::Biff12) {
        let columns = extra.u32()?;
        (extra.u32()?, columns)
    } else {
        let columns = u32::from(extra.u8()?);
        let rows = u32::from(extra.u16()?);
        match version {
            Version::Biff5(_) if columns == 0 => (rows.max(1), 256),
            Version::Biff5(_) => (rows.max(1), columns),
            _ => (rows.saturating_add(1), columns.saturating_add(1)),
        }
    };
    let mut out = String::from("{");
    for row in 0..rows {
        if row > 0 {
            out.push(';');
        }
        for column in 0..columns {
            if column > 0 {
                out.push(',');
            }
            if out.len() > limits::FORMULA_BYTES {
                return None;
            }
            value(version, extra, &mut out)?;
        }
    }
    out.push('}');
    Some(out)
}

/// Reads a value ([MS-XLS] 2.5.198.112).
fn value(version: Version, extra: &mut Fields, out: &mut String) -> Option<()> {
    let kind = extra.u8()?;
    let new = matches!(version, Version::Biff12);
    match (kind, new) {
        (0, true) | (1, false) => out.push_str(&Value::Number(extra.f64()?).plain()),
        (1, true) | (2, false) => string(version, extra, out)?,
        (2, true) | (4, false) => {
            out.push_str(if extra.u8()? != 0 { "TRUE" } else { "FALSE" });
            extra.skip(if new { 0 } else { 7 })?;
        }
        (4, true) | (16, false) => {
            out.push_str(error(extra.u8()?));
            extra.skip(if new { 3 } else { 7 })?;
        }
        (0, false) => extra.skip(8)?,
        _ => return None,
    }
    Some(())
}

fn string(version: Version, extra: &mut Fields, out: &mut String) -> Option<()> {
    let text = match version {
        Version::Biff12 => {
            let units = usize::from(extra.u16()?);
            utf16(extra.take(units.saturating_mul(2))?)
        }
        Version::Biff8 => {
            let units = usize::from(extra.u16()?);
            characters(extra, units)?
        }
        Version::Biff5(page) => {
            let bytes = usize::from(extra.u8()?);
            page.decoded(extra.take(bytes)?)
        }
    };
    quote(&text, out);
    Some(())
}
