//! Records with cells → values ([MS-XLS] 2.4).

use super::book::{Biff, END, begin};
use super::records::{Continued, Record, Records};
use super::source::Source;
use crate::workbook::binary::{Fields, Raw, rk};

/// The position and the style of the first cell of a record.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The row, from 0.
    pub row: u32,
    /// The column, from 0.
    pub column: u32,
    style: usize,
    fields: Fields<'a>,
}

/// The type of cells with a shared text.
pub const SHARED_TEXT: u16 = 0xfd;

/// The types of records with cells.
mod kind {
    pub const OLD_BLANK: u16 = 0x01;
    pub const OLD_INTEGER: u16 = 0x02;
    pub const OLD_NUMBER: u16 = 0x03;
    pub const OLD_LABEL: u16 = 0x04;
    pub const OLD_BOOL: u16 = 0x05;
    pub const FORMULA: u16 = 0x06;
    pub const OLD_STRING: u16 = 0x07;
    pub const MULTIPLE: u16 = 0xbd;
    pub const BLANKS: u16 = 0xbe;
    pub const RICH: u16 = 0xd6;
    pub const BLANK: u16 = 0x201;
    pub const NUMBER: u16 = 0x203;
    pub const LABEL: u16 = 0x204;
    pub const BOOL: u16 = 0x205;
    pub const FORMULA_3: u16 = 0x206;
    pub const STRING: u16 = 0x207;
    pub const RK: u16 = 0x27e;
    pub const FORMULA_4: u16 = 0x406;
}

/// Reads the beginning of a record. `None` if it has no cell.
pub fn head<'a>(record: &Record<'a>, biff: Biff) -> Option<Head<'a>> {
    let old = match record.kind {
        kind::OLD_BLANK..=kind::OLD_BOOL => true,
        kind::FORMULA => biff == Biff::V2,
        kind::MULTIPLE
        | kind::BLANKS
        | kind::RICH
        | SHARED_TEXT
        | kind::BLANK
        | kind::NUMBER
        | kind::LABEL
        | kind::BOOL
        | kind::FORMULA_3
        | kind::RK
        | kind::FORMULA_4 => false,
        _ => return None,
    };
    let mut fields = Fields(record.data);
    let row = fields.u16()?.into();
    let column = fields.u16()?.into();
    let style = if matches!(record.kind, kind::MULTIPLE | kind::BLANKS) {
        0
    } else if old {
        let attributes = fields.take(3)?;
        usize::from(attributes.get(1)? & 0x3f)
    } else {
        usize::from(fields.u16()?)
    };
    Some(Head {
        row,
        column,
        style,
        fields,
    })
}

/// The result of a formula.
enum Outcome {
    Value(Raw),
    /// A text in the next record.
    Text,
    Empty,
}

fn outcome(result: [u8; 8]) -> Outcome {
    match result {
        [0, _, _, _, _, _, 0xff, 0xff] => Outcome::Text,
        [1, _, value, _, _, _, 0xff, 0xff] => Outcome::Value(Raw::Bool(value != 0)),
        [2, _, code, _, _, _, 0xff, 0xff] => Outcome::Value(Raw::Error(code)),
        [_, _, _, _, _, _, 0xff, 0xff] => Outcome::Empty,
        _ => Outcome::Value(Raw::Number(f64::from_le_bytes(result))),
    }
}

/// Returns whether records of a type are cells with a formula.
pub fn is_formula(kind: u16) -> bool {
    matches!(kind, kind::FORMULA | kind::FORMULA_3 | kind::FORMULA_4)
}

/// Calls `each` for the columns of a record with a value or a formula, and tells whether there is
/// only a formula.
pub fn columns(source: Source, record: &Record, head: &Head, mut each: impl FnMut(u32, bool)) {
    let mut fields = head.fields;
    match record.kind {
        kind::OLD_BLANK | kind::BLANK | kind::BLANKS => {}
        kind::MULTIPLE => {
            let count = u32::try_from(fields.0.len() / 6).unwrap_or(0);
            for offset in 0..count {
                each(head.column.saturating_add(offset), false);
            }
        }
        SHARED_TEXT => {
            let index = fields.u32().unwrap_or(u32::MAX);
            if !source.globals.strings.is_empty(source.stream, index) {
                each(head.column, false);
            }
        }
        kind::OLD_LABEL | kind::LABEL | kind::RICH => {
            let empty =
                label_size(record.kind, &mut fields, source.globals.biff).is_none_or(|it| it == 0);
            if !empty {
                each(head.column, false);
            }
        }
        kind if is_formula(kind) => {
            let result = fields.0.first_chunk::<8>();
            let empty = result.is_none_or(|result| matches!(outcome(*result), Outcome::Empty));
            each(head.column, empty);
        }
        _ => each(head.column, false),
    }
}

fn label_size(kind: u16, fields: &mut Fields, biff: Biff) -> Option<usize> {
    if biff == Biff::V2 || kind == kind::OLD_LABEL {
        return fields.u8().map(usize::from);
    }
    fields.u16().map(usize::from)
}

/// Calls `each` for the cells of a record with the column, the style, the value, and the tokens of
/// the formula with their size.
pub fn values<'a>(
    source: Source<'a>,
    record: &Record<'a>,
    head: &Head<'a>,
    mut each: impl FnMut(u32, usize, Raw, Option<Fields<'a>>),
) -> Option<()> {
    let mut fields = head.fields;
    let style = head.style;
    let raw = match record.kind {
        kind::OLD_BLANK | kind::BLANK | kind::BLANKS => return None,
        kind::MULTIPLE => {
            let mut column = head.column;
            while let (true, Some(style), Some(number)) =
                (fields.0.len() >= 6, fields.u16(), fields.u32())
            {
                each(column, usize::from(style), Raw::Number(rk(number)), None);
                column = column.saturating_add(1);
            }
            return Some(());
        }
        kind::OLD_INTEGER => Raw::Number(f64::from(fields.u16()?)),
        kind::OLD_NUMBER | kind::NUMBER => Raw::Number(fields.f64()?),
        kind::RK => Raw::Number(rk(fields.u32()?)),
        kind::OLD_BOOL | kind::BOOL => {
            let value = fields.u8()?;
            if fields.u8()? != 0 {
                Raw::Error(value)
            } else {
                Raw::Bool(value != 0)
            }
        }
        SHARED_TEXT => Raw::Text(source.globals.strings.get(source.stream, fields.u32()?)),
        kind::OLD_LABEL | kind::LABEL | kind::RICH => {
            let skip = record.data.len().saturating_sub(fields.0.len());
            Raw::Text(label(source, record, skip, record.kind)?)
        }
        kind if is_formula(kind) => return formula(source, record, head, &mut each),
        _ => return None,
    };
    each(head.column, style, raw, None);
    Some(())
}

/// Reads a text after its size.
fn label(source: Source, record: &Record, skip: usize, kind: u16) -> Option<String> {
    let mut fields = Continued::new(source.stream, record, skip);
    let short =
        source.globals.biff == Biff::V2 || matches!(kind, kind::OLD_LABEL | kind::OLD_STRING);
    let count = if short {
        usize::from(fields.u8()?)
    } else {
        usize::from(fields.u16()?)
    };
    if source.globals.biff == Biff::V8 && !short {
        return fields.rich(count);
    }
    Some(fields.bytes(count, source.globals.code_page))
}

fn formula<'a>(
    source: Source<'a>,
    record: &Record<'a>,
    head: &Head<'a>,
    each: &mut impl FnMut(u32, usize, Raw, Option<Fields<'a>>),
) -> Option<()> {
    let mut fields = head.fields;
    let result = *fields.0.first_chunk::<8>()?;
    fields.skip(8)?;
    // Flags, and since Excel 5 four bytes that have no meaning.
    let skip = match source.globals.biff {
        Biff::V2 => 1,
        Biff::V3 | Biff::V4 => 2,
        Biff::V5 | Biff::V8 => 6,
    };
    let tokens = fields.skip(skip).map(|()| fields);
    let raw = match outcome(result) {
        Outcome::Value(raw) => raw,
        Outcome::Empty => Raw::Text(String::new()),
        Outcome::Text => Raw::Text(text_after(source, record).unwrap_or_default()),
    };
    each(head.column, head.style, raw, tokens);
    Some(())
}

/// Returns the text of a formula: the record after it, or after its shared formula.
fn text_after(source: Source, record: &Record) -> Option<String> {
    let next = record
        .at
        .saturating_add(4)
        .saturating_add(record.data.len());
    for record in Records::new(source.stream, next).take(8) {
        if matches!(record.kind, kind::STRING | kind::OLD_STRING) {
            return label(source, &record, 0, record.kind);
        }
        if record.kind == END
            || begin(&record).is_some()
            || head(&record, source.globals.biff).is_some()
        {
            break;
        }
    }
    None
}
