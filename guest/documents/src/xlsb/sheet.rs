//! A sheet → facts and rows ([MS-XLSB] 2.1.7.62).

use super::content::{Content, Large};
use super::records::{Record, Records};
use super::strings::Strings;
use super::tables::range;
use crate::limits;
use crate::package::{Package, Part};
use crate::report::incomplete;
use crate::workbook::binary::index::{RowContent, RowIndex, Run};
use crate::workbook::binary::styles::Styles;
use crate::workbook::binary::{Fields, Raw, rk};
use crate::workbook::formula::{self, Links, Version};
use crate::workbook::notes::too_many;
use crate::workbook::{Range, Rows, SheetFacts, Window};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The types of records.
mod kind {
    pub use crate::xlsb::records::ROW;
    /// A blank cell.
    pub const BLANK: u16 = 1;
    /// The last type of a cell with its column.
    pub const LAST_CELL: u16 = 11;
    /// A blank cell after the one before.
    pub const SHORT_BLANK: u16 = 12;
    /// The last type of a cell after the one before.
    pub const SHORT_LAST: u16 = 18;
    /// A cell with a formatted text.
    pub const RICH: u16 = 62;
    /// Columns of one width.
    pub const COLUMNS: u16 = 60;
    /// A link of cells.
    pub const LINK: u16 = 494;
    /// The end of the cells.
    pub const END_CELLS: u16 = 146;
    /// A merged range.
    pub const MERGED: u16 = 176;
    /// An array formula.
    pub const ARRAY: u16 = 426;
    /// A shared formula.
    pub const SHARED: u16 = 427;
}

/// A sheet, and where its rows are.
pub struct Sheet {
    content: Content,
    index: RowIndex,
    /// Shared formulas and array formulas by the row and the column of the cell before them, from 0.
    shared: BTreeMap<(u32, u32), Master>,
    merged: Vec<Range>,
    notes: Vec<String>,
    /// The first and the last column of each sequence of hidden columns.
    hidden_columns: Vec<(u32, u32)>,
    /// The links.
    pub links: Vec<Link>,
}

/// A formula of several cells.
struct Master {
    is_array: bool,
    /// The data of its record.
    data: Vec<u8>,
}

/// A link of cells.
#[derive(Debug)]
pub struct Link {
    /// The cells.
    pub range: Range,
    /// The identifier of the relationship with the address. It may be empty.
    pub id: String,
    /// The place in the document. It may be empty.
    pub place: String,
}

/// The tables of the workbook to which cells refer.
#[derive(Clone, Copy)]
pub struct Shared<'a> {
    /// The package.
    pub package: &'a Package,
    /// The texts.
    pub strings: &'a Strings,
    /// The formats of numbers.
    pub styles: &'a Styles,
    /// The sheets and names in formulas.
    pub links: &'a Links,
}

/// The column and the style of a cell, and its other fields.
struct Head<'a> {
    column: u32,
    style: usize,
    fields: Fields<'a>,
    /// The type of a cell with its column.
    kind: u16,
}

/// Reads the beginning of a cell ([MS-XLSB] 2.5.9). `next` is the column after the cell before.
fn head<'a>(record: &Record<'a>, next: u32) -> Option<Head<'a>> {
    let mut fields = Fields(record.data);
    let (column, kind) = match record.kind {
        kind::BLANK..=kind::LAST_CELL | kind::RICH => (fields.u32()?, record.kind),
        kind::SHORT_BLANK..=kind::SHORT_LAST => (next, record.kind.saturating_sub(11)),
        _ => return None,
    };
    // The upper byte has flags.
    let style = usize::try_from(fields.u32()? & 0xff_ffff).ok()?;
    Some(Head {
        column,
        style,
        fields,
        kind,
    })
}

/// Returns whether a cell shows nothing, and whether it has a formula.
fn blank(head: &Head, strings: &Strings) -> (bool, bool) {
    let mut fields = head.fields;
    match head.kind {
        kind::BLANK => (true, false),
        6 => (fields.wide_bytes().is_none_or(<[u8]>::is_empty), false),
        7 => (
            fields.u32().is_none_or(|index| strings.is_empty(index)),
            false,
        ),
        8 => (fields.wide_bytes().is_none_or(<[u8]>::is_empty), true),
        _ => (false, (8..=kind::LAST_CELL).contains(&head.kind)),
    }
}

/// Reads the columns of a record if they are hidden ([MS-XLSB] 2.4.323).
fn hidden(mut fields: Fields) -> Option<(u32, u32)> {
    let (first, last) = (fields.u32()?, fields.u32()?);
    fields.skip(8)?;
    let hidden = fields.u16()? & 1 != 0;
    (hidden && first <= last).then(|| (first.saturating_add(1), last.saturating_add(1)))
}

/// Reads a link ([MS-XLSB] 2.4.685).
fn link(mut fields: Fields) -> Option<Link> {
    Some(Link {
        range: range(&mut fields)?,
        id: fields.wide()?,
        place: fields.wide().unwrap_or_default(),
    })
}

/// The facts about a sheet so far.
struct Scan<'s> {
    strings: &'s Strings,
    index: RowIndex,
    shared: BTreeMap<(u32, u32), Master>,
    /// The number of bytes that further shared formulas may have.
    formulas: usize,
    merged: Vec<Range>,
    hidden_columns: Vec<(u32, u32)>,
    links: Vec<Link>,
    /// The row that is read, the position of its record, and the last column in it.
    row: Option<u32>,
    at: u64,
    column: u32,
    /// Whether merged ranges or shared formulas are left out.
    cut: (bool, bool),
    damaged: bool,
}

impl<'s> Scan<'s> {
    fn new(strings: &'s Strings) -> Self {
        Self {
            strings,
            index: RowIndex::new(),
            shared: BTreeMap::new(),
            formulas: limits::SHARED_FORMULA_BYTES,
            merged: Vec::new(),
            hidden_columns: Vec::new(),
            links: Vec::new(),
            row: None,
            at: 0,
            column: u32::MAX,
            cut: (false, false),
            damaged: false,
        }
    }

    /// Reads records, of which the first one is at a position.
    fn read(&mut self, bytes: &[u8], start: u64) {
        let mut records = Records::new(bytes, 0);
        for record in &mut records {
            let fields = Fields(record.data);
            match record.kind {
                kind::ROW => {
                    self.row = Fields(record.data).u32();
                    self.at = start.saturating_add(u64::try_from(record.at).unwrap_or(u64::MAX));
                    self.column = u32::MAX;
                    self.index.end_run();
                }
                kind::ARRAY | kind::SHARED => self.formula(&record),
                kind::END_CELLS => self.row = None,
                kind::COLUMNS if self.hidden_columns.len() < limits::SHEET_OBJECTS => {
                    self.hidden_columns.extend(hidden(fields));
                }
                kind::LINK if self.links.len() < limits::SHEET_OBJECTS => {
                    self.links.extend(link(fields));
                }
                kind::MERGED => {
                    if self.merged.len() < limits::SHEET_OBJECTS {
                        self.merged.extend(range(&mut Fields(record.data)));
                    } else {
                        self.cut.0 = true;
                    }
                }
                _ => self.cell(&record),
            }
        }
        self.damaged |= records.damaged();
    }

    fn formula(&mut self, record: &Record) {
        let Some(row) = self.row else { return };
        let Some(rest) = self.formulas.checked_sub(record.data.len()) else {
            self.cut.1 = true;
            return;
        };
        self.formulas = rest;
        let master = Master {
            is_array: record.kind == kind::ARRAY,
            data: record.data.to_vec(),
        };
        self.shared.insert((row, self.column), master);
    }

    fn cell(&mut self, record: &Record) {
        let Some(number) = self.row else { return };
        let Some(head) = head(record, self.column.wrapping_add(1)) else {
            return;
        };
        self.column = head.column;
        let (blank, formula) = blank(&head, self.strings);
        if (!blank || formula)
            && let Ok(at) = usize::try_from(self.at)
        {
            self.index.add(number, head.column, at, blank);
        }
    }

    fn finish(mut self, content: Content, missing: Option<&str>) -> Sheet {
        let mut notes = Vec::new();
        if let Some(why) = missing {
            notes.push(incomplete("The sheet", why));
        } else if self.damaged {
            notes.push("The sheet is damaged. Cells after the damage are missing.".to_owned());
        }
        if self.cut.0 {
            notes.push(too_many("merged ranges"));
        }
        if self.cut.1 {
            notes.push(too_many("shared formulas"));
        }
        self.index.finish();
        notes.extend(self.index.note());
        Sheet {
            content,
            index: self.index,
            shared: self.shared,
            merged: self.merged,
            notes,
            hidden_columns: self.hidden_columns,
            links: self.links,
        }
    }
}

impl Sheet {
    /// Finds the rows of a part.
    pub fn read(package: &mut Package, name: &str, strings: &Strings) -> Self {
        let part = package.part(name).unwrap_or_else(|| Part {
            damage: Some("it is missing".to_owned()),
            ..Part::default()
        });
        if part.bytes.len() >= limits::PART_BYTES
            && let Some(sheet) = Self::large(package, name, strings)
        {
            return sheet;
        }
        let mut scan = Scan::new(strings);
        scan.read(&part.bytes, 0);
        scan.finish(Content::Whole(part.bytes), part.damage.as_deref())
    }

    /// Finds the rows of a part in pieces. `None` if it cannot be read so, also because its rows are out of
    /// order: each row would then need another piece.
    fn large(package: &Package, name: &str, strings: &Strings) -> Option<Self> {
        let mut scan = Scan::new(strings);
        let mut large = Large::new(package, name)?;
        while !scan.damaged
            && let Some((start, bytes)) = large.next(package)
        {
            scan.read(bytes, start);
            if !scan.index.is_sorted() {
                return None;
            }
        }
        let missing = large.missing().filter(|_| !scan.damaged);
        let content = Content::Large(Box::new(RefCell::new(large)));
        Some(scan.finish(content, missing.as_deref()))
    }

    /// The bytes in memory.
    pub fn size(&self) -> usize {
        let index = self.index.size().saturating_mul(8);
        self.content.size().saturating_add(index)
    }

    /// The facts that are in the part itself.
    pub fn facts(&self) -> SheetFacts {
        SheetFacts {
            used: self.index.used(),
            rows: self.index.rows(),
            merged: self.merged.clone(),
            hidden_columns: self.hidden_columns.clone(),
            notes: self.notes.clone(),
            ..SheetFacts::default()
        }
    }

    /// Reads the rows of a window.
    pub fn rows(&self, window: &Window, shared: &Shared) -> Rows {
        self.index
            .read(window, |run, row| self.run(run, window, shared, row))
    }

    fn run(&self, run: Run, window: &Window, shared: &Shared, row: &mut RowContent) {
        self.content.with(shared.package, run.at, |records| {
            self.cells(records, run, (window, shared), row);
        });
    }

    /// Reads the cells of a run from its records.
    fn cells(
        &self,
        mut records: Records,
        run: Run,
        (window, shared): (&Window, &Shared),
        row: &mut RowContent,
    ) {
        let Some(header) = records.next() else {
            return;
        };
        // The flags of a row are at byte 11; bit 4 is that it is hidden ([MS-XLSB] 2.4.741).
        row.hidden |= header.data.get(11).is_some_and(|flags| flags & 0x10 != 0);
        let mut column = u32::MAX;
        for record in records {
            if record.kind == kind::ROW || record.kind == kind::END_CELLS {
                break;
            }
            let Some(head) = head(&record, column.wrapping_add(1)) else {
                continue;
            };
            column = head.column;
            let number = column.saturating_add(1);
            let range = &window.range;
            if head.kind == kind::BLANK || number < range.first_column || number > range.last_column
            {
                continue;
            }
            let (style, kind) = (head.style, head.kind);
            if kind == 7 && row.budget == 0 {
                row.cut = true;
                continue;
            }
            let mut fields = head.fields;
            let Some(raw) = raw(kind, &mut fields, shared.strings) else {
                continue;
            };
            let formula = if window.formulas && (8..=kind::LAST_CELL).contains(&kind) {
                self.formula(fields, (run.row, column), shared.links)
            } else {
                None
            };
            if let Some(cell) = raw.cell(column, style, shared.styles, formula) {
                row.push(cell);
            }
        }
    }

    /// Returns the formula of a cell. The flags of the formula are before it.
    fn formula(&self, mut fields: Fields, cell: (u32, u32), links: &Links) -> Option<String> {
        fields.skip(2)?;
        let (tokens, extra) = parsed(&mut fields)?;
        let Some(master) = formula::master(Version::Biff12, tokens, extra) else {
            return formula::text(links, tokens, extra, cell);
        };
        let shared = self.shared.get(&master)?;
        let mut fields = Fields(&shared.data);
        fields.skip(16)?;
        if shared.is_array {
            // Only the first cell of an array has its formula.
            if master != cell {
                return None;
            }
            fields.skip(1)?;
            let (tokens, extra) = parsed(&mut fields)?;
            return Some(format!(
                "{{={}}}",
                formula::text(links, tokens, extra, cell)?
            ));
        }
        let (tokens, extra) = parsed(&mut fields)?;
        formula::text(links, tokens, extra, cell)
    }
}

/// Reads the value of a cell.
fn raw(kind: u16, fields: &mut Fields, strings: &Strings) -> Option<Raw> {
    Some(match kind {
        2 => Raw::Number(rk(fields.u32()?)),
        3 | 11 => Raw::Error(fields.u8()?),
        4 | 10 => Raw::Bool(fields.u8()? != 0),
        5 | 9 => Raw::Number(fields.f64()?),
        6 | 8 => Raw::Text(fields.wide()?),
        7 => Raw::Text(strings.get(fields.u32()?)),
        kind::RICH => {
            fields.skip(1)?;
            Raw::Text(fields.wide()?)
        }
        _ => return None,
    })
}

/// Reads the tokens of a formula and the data after them, each with its size.
fn parsed<'a>(fields: &mut Fields<'a>) -> Option<(&'a [u8], &'a [u8])> {
    let size = usize::try_from(fields.u32()?).ok()?;
    let tokens = fields.take(size)?;
    let size = fields.u32().unwrap_or_default();
    let size = usize::try_from(size).ok()?.min(fields.0.len());
    Some((tokens, fields.take(size)?))
}
