//! The sheets of a spreadsheet and their facts, in one pass over the events.

use super::address;
use super::cell::{self, Keep, is_cell};
use super::content::{Content, Position};
use super::plain::PlainRow;
use super::skip::{Object, Skip};
use crate::limits;
use crate::odf::source::Source;
use crate::package::LONG_LINKS;
use crate::workbook::notes::too_many;
use crate::workbook::{
    CellLink, LAST_COLUMN, LAST_ROW, NamedTable, Range, SheetFacts, SheetName, Visibility,
};
use crate::xml::{Event, Events, Start};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The number of rows between two checkpoints.
const CHECKPOINT: u32 = 256;

/// A sheet: its facts, and where its rows are.
#[derive(Debug, Default)]
pub struct Sheet {
    /// The name.
    pub name: SheetName,
    /// The facts. The titles of charts are added later.
    pub facts: Rc<SheetFacts>,
    /// The start of the content of its element.
    pub start: Position,
    /// The embedded objects.
    pub objects: Vec<Object>,
    /// Numbers of rows, and the places of their tags, in ascending order. The first one is that of the
    /// first row. The first row of each piece has one.
    pub checkpoints: Vec<(u32, Position)>,
}

/// The sheets of a spreadsheet.
pub struct Scanned {
    /// The sheets in their order.
    pub sheets: Vec<Sheet>,
    /// What is wrong with the XML.
    pub damage: Option<String>,
    /// Why the part is not complete.
    pub missing: Option<String>,
}

/// Finds the sheets.
pub fn sheets(content: &mut Content, source: &Source) -> Scanned {
    let mut scan = Scan::default();
    let mut damage = None;
    let mut piece = 0_usize;
    while damage.is_none()
        && let Some(text) = content.piece(source, piece)
    {
        damage = scan.piece(text, piece);
        piece = piece.saturating_add(1);
    }
    // Damage of the XML is the reason why the pieces after it are not read.
    let missing = content.end(piece).filter(|_| damage.is_none());
    scan.finish();
    let mut sheets = scan.sheets;
    for (name, table) in scan.tables {
        let sheet = sheets.iter_mut().find(|sheet| sheet.name.name == name);
        if let Some(sheet) = sheet {
            Rc::make_mut(&mut sheet.facts).tables.push(table);
        }
    }
    Scanned {
        sheets,
        damage,
        missing,
    }
}

#[derive(Default)]
struct Scan {
    sheets: Vec<Sheet>,
    /// The sheet that is read, and the number of its next row.
    open: Option<(Sheet, u32)>,
    /// The number of rows since the last checkpoint.
    passed: u32,
    /// The place before the event that is read.
    before: Position,
    /// The style that is read, and those that hide sheets.
    style: Option<String>,
    hidden: BTreeSet<String>,
    /// Elements whose content is not a part of the sheets, one in the other.
    ignored: usize,
    /// Whether a copy of a sheet of another file is read.
    copy: bool,
    /// The number of open elements inside the sheet.
    depth: usize,
    /// The last column of the sheet that is declared.
    declared: u32,
    skip: Skip,
    tables: Vec<(String, NamedTable)>,
}

impl Scan {
    /// Reads a piece of the XML. Returns what is wrong with it.
    fn piece(&mut self, text: &str, piece: usize) -> Option<String> {
        let mut events = Events::new(text);
        self.passed = 0;
        loop {
            let offset = events.offset();
            self.before = Position { piece, offset };
            let Some(event) = events.next() else { break };
            match event {
                Event::Start(start) => self.start(&mut events, &start),
                Event::End(name) => self.end(name),
                Event::Text(text) => {
                    if let Some((sheet, _)) = &mut self.open {
                        self.skip.text(&text, &mut sheet.objects);
                    }
                }
            }
        }
        events.damage().map(str::to_owned)
    }

    fn start<'a>(&mut self, events: &mut Events<'a>, start: &Start<'a>) {
        self.depth = self.depth.saturating_add(1);
        if is_ignored(start.name) {
            self.ignored = self.ignored.saturating_add(1);
        }
        if self.ignored > 0 || self.copy {
            return;
        }
        let Some((sheet, next)) = &mut self.open else {
            let offset = events.offset();
            self.outside(
                start,
                Position {
                    offset,
                    ..self.before
                },
            );
            return;
        };
        if self.skip.start(start, self.depth, &mut sheet.objects) {
            return;
        }
        match start.name {
            // A reference to another file, of which the sheet is a copy.
            "table-source" => self.open = None,
            "table-column" => {
                let first = self.declared.saturating_add(1);
                self.declared = self.declared.saturating_add(columns(start));
                let last = self.declared.min(LAST_COLUMN);
                let hidden = start.attr("visibility");
                let hidden = matches!(hidden.as_deref(), Some("collapse" | "filter"));
                let list = &mut Rc::make_mut(&mut sheet.facts).hidden_columns;
                let is_full = list.len() >= limits::SHEET_OBJECTS;
                match list.last_mut() {
                    _ if !hidden || first > last => {}
                    Some((_, end)) if end.saturating_add(1) == first => *end = last,
                    _ if is_full => {}
                    _ => list.push((first, last)),
                }
            }
            "table-row" => {
                if self.passed == 0 || sheet.checkpoints.is_empty() {
                    sheet.checkpoints.push((*next, self.before));
                }
                self.passed = self.passed.saturating_add(1) % CHECKPOINT;
                let repeated = repeated(start);
                row(events, sheet, *next, repeated);
                *next = next.saturating_add(repeated);
                // The end of the row is read.
                self.depth = self.depth.saturating_sub(1);
            }
            _ => {}
        }
    }

    /// Reads an element that is not in a sheet.
    fn outside(&mut self, start: &Start, position: Position) {
        match start.name {
            "style" => {
                let is_table = start.attr("family").as_deref() == Some("table");
                let name = start.attr("name").filter(|_| is_table);
                self.style = name.map(std::borrow::Cow::into_owned);
            }
            "table-properties" => {
                if start.attr("display").as_deref() == Some("false")
                    && let Some(style) = self.style.take()
                {
                    self.hidden.insert(style);
                }
            }
            "table" => {
                let style = start.attr("style-name").unwrap_or_default();
                let visibility = if self.hidden.contains(&*style) {
                    Visibility::Hidden
                } else {
                    Visibility::Visible
                };
                let name = start.attr("name").unwrap_or_default().into_owned();
                let sheet = Sheet {
                    name: SheetName { name, visibility },
                    start: position,
                    ..Sheet::default()
                };
                // LibreOffice stores copies of sheets of other files.
                if style == "ta_extref" {
                    self.copy = true;
                } else {
                    self.open = Some((sheet, 1));
                    self.passed = 0;
                    self.depth = 0;
                    self.declared = 0;
                    self.skip = Skip::default();
                }
            }
            "database-range" => self.database_range(start),
            _ => {}
        }
    }

    fn database_range(&mut self, start: &Start) {
        let name = start.attr("name").unwrap_or_default();
        // Automatic filters have a name that no user sees.
        if name.starts_with("__Anonymous") || self.tables.len() >= limits::NAMED_TABLES {
            return;
        }
        let range = start.attr("target-range-address");
        if let Some((sheet, range)) = range.and_then(|it| address::range(&it)) {
            let table = NamedTable {
                name: name.into_owned(),
                range,
                header: start.attr("contains-header").as_deref() != Some("false"),
            };
            self.tables.push((sheet, table));
        }
    }

    fn end(&mut self, name: &str) {
        if is_ignored(name) {
            self.ignored = self.ignored.saturating_sub(1);
        }
        self.copy &= name != "table";
        if self.ignored > 0 {
            return;
        }
        self.skip.end(self.depth);
        if self.depth == 0 && name == "table" {
            self.finish();
        }
        self.depth = self.depth.saturating_sub(1);
    }

    /// Adds the open sheet.
    fn finish(&mut self) {
        if let Some((sheet, _)) = self.open.take() {
            self.sheets.push(sheet);
        }
    }
}

/// Adds a link, within limits.
fn link(sheet: &mut Sheet, link: CellLink) {
    let facts = Rc::make_mut(&mut sheet.facts);
    let note = if link.url.len() > limits::URL_BYTES {
        LONG_LINKS.to_owned()
    } else if facts.links.len() >= limits::SHEET_OBJECTS {
        too_many("links")
    } else {
        facts.links.push(link);
        return;
    };
    if !facts.notes.contains(&note) {
        facts.notes.push(note);
    }
}

/// Returns whether the tables in an element are not sheets.
fn is_ignored(name: &str) -> bool {
    matches!(name, "tracked-changes" | "dde-links" | "forms" | "scripts")
}

/// Returns the number of rows that an element represents.
pub fn repeated(start: &Start) -> u32 {
    let count = start.attr("number-rows-repeated");
    let count = count.and_then(|it| it.parse::<u32>().ok());
    count.unwrap_or(1).clamp(1, LAST_ROW)
}

/// Returns the number of columns that an element declares.
fn columns(start: &Start) -> u32 {
    let count = start.attr("number-columns-repeated");
    let count = count.and_then(|it| it.parse::<u32>().ok());
    count.unwrap_or(1).clamp(1, LAST_COLUMN)
}

/// Reads a row up to its end, and adds its facts.
fn row(events: &mut Events, sheet: &mut Sheet, number: u32, repeated: u32) {
    if let Some(plain) = events.rest().and_then(PlainRow::read) {
        events.skip_bytes(plain.length);
        if number <= LAST_ROW {
            extend(sheet, (number, repeated), plain.used);
        }
        return;
    }
    let mut column = 1_u32;
    let mut used: Option<(u32, u32)> = None;
    let mut objects = std::mem::take(&mut sheet.objects);
    while let Some(event) = events.next() {
        match event {
            Event::Start(start) if is_cell(start.name) => {
                let found = cell::read(events, &start, Keep::Nothing, &mut objects);
                let last = column.saturating_add(found.repeated).saturating_sub(1);
                if number <= LAST_ROW && column <= LAST_COLUMN {
                    let last = last.min(LAST_COLUMN);
                    if found.has_value {
                        used = Some((used.map_or(column, |(first, _)| first), last));
                    }
                    if found.span != (1, 1) {
                        merge(sheet, (number, column), found.span);
                    }
                    if let Some(url) = found.link {
                        let range = Range {
                            first_row: number,
                            first_column: column,
                            last_row: last_of(number, repeated),
                            last_column: last,
                        };
                        link(sheet, CellLink { range, url });
                    }
                }
                column = last.saturating_add(1);
            }
            Event::End("table-row") => break,
            _ => {}
        }
    }
    objects.truncate(limits::SHEET_PARTS);
    sheet.objects = objects;
    extend(sheet, (number, repeated), used);
}

/// Adds the rows of an element to the facts, with their first and last column with a value.
fn extend(sheet: &mut Sheet, (number, repeated): (u32, u32), used: Option<(u32, u32)>) {
    let Some((first, last)) = used else { return };
    let last_row = last_of(number, repeated);
    let own = Range {
        first_row: number,
        first_column: first,
        last_row,
        last_column: last,
    };
    let facts = Rc::make_mut(&mut sheet.facts);
    let rows = last_row.saturating_sub(number).saturating_add(1);
    facts.rows = facts.rows.saturating_add(rows);
    facts.used = Some(match facts.used {
        None => own,
        Some(used) => Range {
            first_row: used.first_row.min(own.first_row),
            first_column: used.first_column.min(own.first_column),
            last_row: used.last_row.max(own.last_row),
            last_column: used.last_column.max(own.last_column),
        },
    });
}

/// The last of the rows that an element represents.
fn last_of(number: u32, repeated: u32) -> u32 {
    let last = number.saturating_add(repeated).saturating_sub(1);
    last.min(LAST_ROW)
}

/// Adds merged cells.
fn merge(sheet: &mut Sheet, (row, column): (u32, u32), (columns, rows): (u32, u32)) {
    let end = |start: u32, count: u32| start.saturating_add(count).saturating_sub(1);
    let facts = Rc::make_mut(&mut sheet.facts);
    if facts.merged.len() < limits::SHEET_OBJECTS {
        facts.merged.push(Range {
            first_row: row,
            first_column: column,
            last_row: end(row, rows).min(LAST_ROW),
            last_column: end(column, columns).min(LAST_COLUMN),
        });
    } else if facts.notes.is_empty() {
        facts.notes.push(format!(
            "The sheet has more than {} merged ranges. The others are ignored.",
            limits::SHEET_OBJECTS
        ));
    }
}
