//! Rows of a sheet → typed cells.

use super::formula::SharedFormulas;
use super::plain::PlainCell;
use super::sheet::{CellTag, Sheet, row_tag};
use super::strings::Strings;
use super::styles::Formats;
use super::text::{push_string, text};
use crate::limits;
use crate::workbook::iso::iso;
use crate::workbook::notes::unstored_note;
use crate::workbook::number_format::Epoch;
use crate::workbook::{Cell, LAST_COLUMN, Row, Rows, Value, Window};
use crate::xml::tags::{Tags, attribute};
use std::cell::OnceCell;

/// What the cells of a workbook share.
pub struct Shared<'w> {
    /// The texts.
    pub strings: &'w Strings,
    /// The number formats.
    pub formats: &'w Formats,
    /// The epoch of dates.
    pub epoch: Epoch,
    /// The shared formulas of the sheet, after they are needed.
    pub formulas: &'w OnceCell<SharedFormulas>,
}

/// The numbers of cells of a window whose value is not complete.
#[derive(Default)]
pub struct Incomplete {
    /// Texts that are cut.
    cut: usize,
    /// Cells whose shared text is missing.
    missing: usize,
    /// Formulas without a stored value.
    unstored: usize,
}

impl Incomplete {
    /// Notes on the cells.
    pub fn notes(&self, shared: &Shared) -> Vec<String> {
        let missing = if shared.strings.cut {
            "left out, because the texts of the workbook are too many"
        } else {
            "missing in the file"
        };
        let notes = [
            note(self.cut, "too long and cut"),
            note(self.missing, missing),
            unstored_note(self.unstored),
        ];
        notes.into_iter().flatten().collect()
    }
}

/// Passes the rows of a window on. Returns what else is known of them.
pub fn rows(sheet: &Sheet, shared: &Shared, window: &Window, pass: &mut dyn FnMut(Row)) -> Rows {
    let mut incomplete = Incomplete::default();
    let (_, more) = some_rows(sheet, shared, window, &mut incomplete, pass);
    Rows {
        rows: Vec::new(),
        more,
        notes: incomplete.notes(shared),
    }
}

/// Passes the rows of a window on that are in a sheet or in a piece of it. Returns the number of their cells, and
/// whether there may be more rows.
pub fn some_rows(
    sheet: &Sheet,
    shared: &Shared,
    window: &Window,
    incomplete: &mut Incomplete,
    pass: &mut dyn FnMut(Row),
) -> (usize, bool) {
    let mut reader = Reader {
        sheet,
        shared,
        window,
        bytes: 0,
        incomplete,
    };
    let mut cells = 0_usize;
    // Rows have about as many cells as the one before.
    let mut width = 0_usize;
    let places = sheet.rows_from(window.range.first_row);
    for same in places.chunk_by(|one, other| one.row == other.row) {
        let Some(number) = same.first().map(|place| place.row) else {
            continue;
        };
        if number > window.range.last_row {
            break;
        }
        let full = cells >= window.cells || reader.bytes >= limits::ROWS_BYTES / 2;
        // The first row is always returned. It may be the only one that has cells.
        if full && cells > 0 {
            return (cells, true);
        }
        let mut row = Row {
            number,
            hidden: false,
            cells: Vec::with_capacity(width),
        };
        for place in same {
            reader.row(&mut sheet.tags(*place), &mut row);
        }
        row.sort_cells();
        if !row.cells.is_empty() {
            width = row.cells.len();
            cells = cells.saturating_add(width);
            pass(row);
        }
    }
    (cells, false)
}

/// A note on the texts of cells.
fn note(count: usize, what: &str) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("The text of a cell is {what}.")),
        count => Some(format!("The texts of {count} cells are {what}.")),
    }
}

struct Reader<'r> {
    sheet: &'r Sheet,
    shared: &'r Shared<'r>,
    window: &'r Window,
    /// The bytes of texts so far.
    bytes: usize,
    incomplete: &'r mut Incomplete,
}

/// The parts of a cell as they are in the file.
#[derive(Default)]
struct Parts<'a> {
    value: Option<&'a str>,
    /// The text of a cell that does not share it.
    inline: Option<String>,
    /// The attributes and the text of the formula.
    formula: Option<(&'a str, &'a str)>,
}

impl<'a> Parts<'a> {
    /// The parts of a cell in a plain form at the start of a text.
    fn of(plain: PlainCell, at: &'a str) -> Self {
        let value = plain.value(at);
        Self {
            value: (!plain.is_inline).then_some(value),
            inline: plain.is_inline.then(|| text(value).into_owned()),
            formula: None,
        }
    }

    /// Returns whether the cell has a formula and no stored value. An empty value of a text is one.
    fn is_unstored(&self, cell: &CellTag) -> bool {
        self.formula.is_some() && cell.kind != "str" && self.value.is_none_or(str::is_empty)
    }
}

impl Reader<'_> {
    /// Reads a row from its tag on.
    fn row(&mut self, tags: &mut Tags, row: &mut Row) {
        let Some(tag) = tags.next() else {
            return;
        };
        row.hidden |= row_tag(&tag, 0).1;
        let range = &self.window.range;
        let columns = range.first_column..=range.last_column.min(LAST_COLUMN);
        let mut before = 0_u32;
        loop {
            let text = tags.rest_text();
            if let Some(plain) = PlainCell::read(text.as_bytes()) {
                tags.skip_bytes(plain.length);
                // Without another position, the column follows this one.
                let cell = CellTag::of(plain.others(text), plain.column.saturating_sub(1));
                before = cell.column;
                if plain.has_value && columns.contains(&cell.column) {
                    self.cell(&cell, &Parts::of(plain, text), row);
                }
                continue;
            }
            let Some(tag) = tags.next() else {
                return;
            };
            match tag.name {
                "c" if !tag.is_end => {
                    let cell = CellTag::read(&tag, before);
                    before = cell.column;
                    if !tag.is_empty && columns.contains(&cell.column) {
                        self.cell(&cell, &parts(tags), row);
                    }
                }
                "row" | "sheetData" => return,
                _ => {}
            }
        }
    }

    /// Adds a cell to a row, if it has a value or a formula.
    fn cell(&mut self, cell: &CellTag, parts: &Parts, row: &mut Row) {
        let stored = self.value(cell, parts);
        let is_unstored = stored.is_none() && parts.is_unstored(cell);
        let wanted = is_unstored || stored.is_some() && self.window.formulas;
        let formula = parts.formula.filter(|_| wanted);
        let formula = formula.and_then(|it| self.formula(it, row.number, cell.column));
        let mut formula = formula.map(|it| self.limited_to(it, limits::FORMULA_BYTES));
        let (value, shown) = match (stored, &formula) {
            (Some(stored), _) => stored,
            (None, None) => return,
            (None, Some(own)) => {
                self.incomplete.unstored = self.incomplete.unstored.saturating_add(1);
                let value = if self.window.formulas {
                    String::new()
                } else {
                    format!("={own}")
                };
                (Value::Text(value.into()), None)
            }
        };
        if !self.window.formulas {
            formula = None;
        }
        row.cells.push(Cell {
            column: cell.column,
            value,
            shown: shown.map(|it| self.limited(it)),
            formula,
        });
    }

    /// Returns a formula from its attributes and its text. `None` if it has none.
    fn formula(&self, (list, own): (&str, &str), row: u32, column: u32) -> Option<String> {
        let is_shared = attribute(list, "t") == Some("shared");
        let index = attribute(list, "si").filter(|_| is_shared && own.is_empty());
        let Some(index) = index else {
            return (!own.is_empty()).then(|| text(own).into_owned());
        };
        let data = self.sheet.data();
        let formulas = self.shared.formulas;
        let formulas = formulas.get_or_init(|| SharedFormulas::read(data));
        formulas.get(index, row, column)
    }

    /// Returns the value of a cell and its displayed text. `None` if it has no value.
    fn value(&mut self, cell: &CellTag, parts: &Parts) -> Option<(Value, Option<String>)> {
        let shared = self.shared;
        if cell.kind == "inlineStr" || parts.value.is_none() {
            return self.text(cell, parts.inline.as_deref()?);
        }
        let raw = parts.value?;
        if raw.is_empty() {
            return None;
        }
        match cell.kind {
            "" | "n" => {
                let number = whole(raw).or_else(|| raw.trim().parse().ok());
                let Some(number) = number else {
                    return self.text(cell, &text(raw));
                };
                Some(match shared.formats.get(cell.style) {
                    Some(format) => format.number(number, shared.epoch),
                    None => crate::workbook::number_format::NumberFormat::default()
                        .number(number, shared.epoch),
                })
            }
            "s" => {
                let index = raw.trim().parse().ok();
                let Some(found) = index.and_then(|it| shared.strings.get(it)) else {
                    self.incomplete.missing = self.incomplete.missing.saturating_add(1);
                    return None;
                };
                self.text(cell, found)
            }
            "b" => Some((Value::Bool(matches!(raw.trim(), "1" | "true")), None)),
            "e" => Some((Value::Error(self.limited(text(raw).into_owned())), None)),
            "d" => Some((Value::Date(iso(raw.trim())), None)),
            _ => self.text(cell, &text(raw)),
        }
    }

    /// Returns a text as a value, and its displayed form.
    fn text(&mut self, cell: &CellTag, found: &str) -> Option<(Value, Option<String>)> {
        if found.is_empty() {
            return None;
        }
        let text = self.limited_text(found, limits::CELL_BYTES);
        let format = self.shared.formats.get(cell.style);
        let shown = format.and_then(|it| it.text(&text));
        Some((Value::Text(text.into()), shown))
    }

    fn limited(&mut self, text: String) -> String {
        self.limited_to(text, limits::CELL_BYTES)
    }

    /// Cuts a text to a number of bytes, and to what is left of all bytes.
    fn limited_to(&mut self, text: String, limit: usize) -> String {
        let rest = self.rest(limit);
        if text.len() <= rest {
            self.bytes = self.bytes.saturating_add(text.len());
            return text;
        }
        self.limited_text(&text, limit)
    }

    fn limited_text(&mut self, text: &str, limit: usize) -> String {
        let rest = self.rest(limit);
        if text.len() <= rest {
            self.bytes = self.bytes.saturating_add(text.len());
            return text.to_owned();
        }
        self.incomplete.cut = self.incomplete.cut.saturating_add(1);
        let mut out = text
            .get(..text.floor_char_boundary(rest))
            .unwrap_or_default()
            .to_owned();
        out.push('…');
        self.bytes = self.bytes.saturating_add(out.len());
        out
    }

    /// Returns the number of bytes that a text may have.
    fn rest(&self, limit: usize) -> usize {
        const SHORT: usize = 32;
        let rest = limits::ROWS_BYTES.saturating_sub(self.bytes);
        limit.min(rest).max(SHORT)
    }
}

/// Reads a whole number of so few digits that it is exact as a floating-point number. `None` for any other text.
fn whole(raw: &str) -> Option<f64> {
    const DIGITS: usize = 9;
    if raw.is_empty() || raw.len() > DIGITS {
        return None;
    }
    let number = raw.bytes().try_fold(0_u32, |number, byte| {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit < 10)?;
        number.checked_mul(10)?.checked_add(u32::from(digit))
    });
    number.map(f64::from)
}

/// Reads the parts of a cell up to its end tag.
fn parts<'a>(tags: &mut Tags<'a>) -> Parts<'a> {
    let mut parts = Parts::default();
    while let Some(tag) = tags.next() {
        match tag.name {
            "v" if !tag.is_end && !tag.is_empty => parts.value = Some(tags.text()),
            "f" if !tag.is_end => {
                let own = if tag.is_empty { "" } else { tags.text() };
                parts.formula = Some((tag.attributes, own));
            }
            "is" if !tag.is_end && !tag.is_empty => {
                let mut inline = String::new();
                push_string(&mut inline, tags, "is");
                parts.inline = Some(inline);
            }
            "c" | "row" | "sheetData" => break,
            _ => {}
        }
    }
    parts
}
