//! A sheet → facts and rows ([MS-XLS] 2.1.7.20.6).

use super::book::{Biff, END, Kind, begin};
use super::cell::{self, head, values};
use super::charts;
use super::objects::{Collector, Marks};
use super::records::{Record, Records};
use super::source::Source;
use crate::limits;
use crate::workbook::binary::Fields;
use crate::workbook::binary::index::{RowContent, RowIndex, Run};
use crate::workbook::formula;
use crate::workbook::notes::too_many;
use crate::workbook::{Objects, Range, Rows, SheetFacts, Window};
use std::collections::{BTreeMap, BTreeSet};

/// The positions of the content of a sheet.
#[derive(Debug, Default)]
pub struct Sheet {
    index: RowIndex,
    /// The positions of shared formulas and array formulas by the row and the column, from 0, of
    /// their first cell and of the cell before them.
    shared: BTreeMap<(u32, u32), usize>,
    hidden: BTreeSet<u16>,
    merged: Vec<Range>,
    charts: Vec<String>,
    notes: Vec<String>,
    /// Whether a cell has a formula.
    has_formulas: bool,
    /// Whether it is a chart without cells.
    pub is_chart: bool,
    /// Comments, images and text boxes. Charts are drawings without content.
    pub objects: Objects,
    /// Links and hidden columns.
    marks: Marks,
    /// The indexes of the drawings that are charts, with their positions in the stream.
    pub drawn: Vec<(usize, usize)>,
}

const ARRAY: u16 = 0x221;
const OLD_ARRAY: u16 = 0x21;
const SHARED: u16 = 0x4bc;
const MERGED: u16 = 0xe5;
const ROW: u16 = 0x208;

impl Sheet {
    /// Finds the rows of the sheet that begins at a position.
    pub fn read(source: Source, at: usize) -> Self {
        let Source { stream, globals } = source;
        let mut sheet = Self {
            index: RowIndex::new(),
            ..Self::default()
        };
        let mut records = Records::new(stream, at);
        let Some((_, kind)) = records.next().as_ref().and_then(begin) else {
            let why = "The sheet is damaged: its beginning is missing.";
            sheet.notes.push(why.to_owned());
            return sheet;
        };
        let chart = |at: usize| charts::title(stream, at, globals.biff, globals.code_page);
        let mut objects = Collector::default();
        if kind == Kind::Chart {
            sheet.is_chart = true;
            objects.chart(at);
            (sheet.objects, sheet.marks, sheet.drawn) = objects.finish();
            sheet.charts.push(chart(at).0);
            return sheet;
        }
        let mut last = None;
        let mut ended = false;
        let mut damaged = false;
        while let Some(record) = records.next() {
            match record.kind {
                END => {
                    ended = true;
                    break;
                }
                ROW => sheet.row(&record),
                MERGED => sheet.merge(record.data),
                ARRAY | OLD_ARRAY | SHARED => {
                    let mut fields = Fields(record.data);
                    if let (Some(row), Some(_), Some(column)) =
                        (fields.u16(), fields.u16(), fields.u8())
                    {
                        let first = (u32::from(row), u32::from(column));
                        sheet.shared.entry(first).or_insert(record.at);
                    }
                    if let Some(last) = last {
                        sheet.shared.insert(last, record.at);
                    }
                }
                _ => {
                    if let Some((_, kind)) = begin(&record) {
                        // A chart inside of the sheet.
                        let (title, end) = chart(record.at);
                        if kind == Kind::Chart && sheet.charts.len() < limits::SHEET_PARTS {
                            objects.chart(record.at);
                            sheet.charts.push(title);
                        }
                        damaged |= records.damaged();
                        records = Records::new(stream, end);
                        continue;
                    }
                    let Some(head) = head(&record, globals.biff) else {
                        objects.record(source, &record);
                        continue;
                    };
                    if last.is_none_or(|(row, _)| row != head.row) {
                        sheet.index.end_run();
                    }
                    last = Some((head.row, head.column));
                    sheet.has_formulas |= cell::is_formula(record.kind);
                    cell::columns(source, &record, &head, |column, blank| {
                        sheet.index.add(head.row, column, record.at, blank);
                    });
                }
            }
        }
        if !ended || damaged || records.damaged() {
            let why = "The sheet is damaged. Cells after the damage are missing.";
            sheet.notes.push(why.to_owned());
        }
        if sheet.merged.len() >= limits::SHEET_OBJECTS {
            sheet.notes.push(too_many("merged ranges"));
        }
        (sheet.objects, sheet.marks, sheet.drawn) = objects.finish();
        sheet.index.finish();
        sheet.notes.extend(sheet.index.note());
        sheet
    }

    /// Reads the flags of a row ([MS-XLS] 2.4.221).
    fn row(&mut self, record: &Record) {
        let mut fields = Fields(record.data);
        if let Some(row) = fields.u16()
            && record.data.get(12).is_some_and(|flags| flags & 0x20 != 0)
        {
            self.hidden.insert(row);
        }
    }

    /// Reads merged ranges ([MS-XLS] 2.4.168).
    fn merge(&mut self, data: &[u8]) {
        let mut fields = Fields(data);
        let count = fields.u16().unwrap_or_default();
        for _ in 0..count {
            let mut next = || fields.u16().map(|it| u32::from(it).saturating_add(1));
            let (Some(first_row), Some(last_row)) = (next(), next()) else {
                return;
            };
            let (Some(first_column), Some(last_column)) = (next(), next()) else {
                return;
            };
            if first_row <= last_row
                && first_column <= last_column
                && self.merged.len() < limits::SHEET_OBJECTS
            {
                self.merged.push(Range {
                    first_row,
                    first_column,
                    last_row,
                    last_column,
                });
            }
        }
    }

    /// The number of runs of cells in memory.
    pub fn size(&self) -> usize {
        self.index.size()
    }

    /// The rectangle around the cells with a value.
    pub fn used(&self) -> Option<Range> {
        self.index.used()
    }

    /// The facts.
    pub fn facts(&self) -> SheetFacts {
        SheetFacts {
            used: self.index.used(),
            rows: self.index.rows(),
            merged: self.merged.clone(),
            charts: self.charts.clone(),
            links: self.marks.links.clone(),
            hidden_columns: self.marks.hidden_columns.clone(),
            notes: self.notes.clone(),
            ..SheetFacts::default()
        }
    }

    /// Reads the rows of a window.
    pub fn rows(&self, source: Source, window: &Window) -> Rows {
        let mut rows = self
            .index
            .read(window, |run, row| self.run(source, window, run, row));
        if window.formulas && self.has_formulas && source.globals.biff < Biff::V5 {
            let why = "The formulas of workbooks before Excel 5.0 are not shown.";
            rows.notes.push(why.to_owned());
        }
        rows
    }

    fn run(&self, source: Source, window: &Window, run: Run, row: &mut RowContent) {
        let Source { stream, globals } = source;
        row.hidden |= u16::try_from(run.row).is_ok_and(|row| self.hidden.contains(&row));
        let at = usize::try_from(run.at).unwrap_or(usize::MAX);
        let range = &window.range;
        for record in Records::new(stream, at) {
            let Some(head) = head(&record, globals.biff) else {
                if record.kind == END || begin(&record).is_some() {
                    break;
                }
                continue;
            };
            if head.row != run.row {
                break;
            }
            if record.kind == cell::SHARED_TEXT && row.budget == 0 {
                row.cut = true;
                continue;
            }
            let place = (head.row, head.column);
            values(source, &record, &head, |column, style, raw, rest| {
                let number = column.saturating_add(1);
                if number < range.first_column || number > range.last_column {
                    return;
                }
                let formula = rest
                    .filter(|_| window.formulas)
                    .and_then(|tokens| self.formula(source, tokens, place));
                if let Some(cell) = raw.cell(column, style, &globals.styles, formula) {
                    row.push(cell);
                }
            });
        }
    }

    /// Returns the formula of a cell from its tokens with their size.
    fn formula(&self, source: Source, fields: Fields, place: (u32, u32)) -> Option<String> {
        let Source { stream, globals } = source;
        // The functions of older versions have numbers of one byte.
        if globals.biff < Biff::V5 {
            return None;
        }
        let links = &globals.links;
        let (tokens, extra) = parsed(fields)?;
        let Some(master) = formula::master(links.version, tokens, extra) else {
            return formula::text(links, tokens, extra, place);
        };
        let record = Records::new(stream, *self.shared.get(&master)?).next()?;
        let mut fields = Fields(record.data);
        if record.kind == SHARED {
            fields.skip(8)?;
            let (tokens, extra) = parsed(fields)?;
            return formula::text(links, tokens, extra, place);
        }
        // Only the first cell of an array has its formula.
        if master != place {
            return None;
        }
        fields.skip(12)?;
        let (tokens, extra) = parsed(fields)?;
        Some(format!(
            "{{={}}}",
            formula::text(links, tokens, extra, place)?
        ))
    }
}

/// Splits tokens with their size from the data after them.
fn parsed(mut fields: Fields<'_>) -> Option<(&[u8], &[u8])> {
    let size = usize::from(fields.u16()?);
    let tokens = fields.take(size)?;
    Some((tokens, fields.0))
}
