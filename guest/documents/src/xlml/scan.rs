//! The sheets of a workbook and their facts, in one pass over the events.

use super::cell::{Found, is_hidden, number, style};
use super::formats::Formats;
use crate::limits;
use crate::package::LONG_LINKS;
use crate::workbook::binary::comment_text;
use crate::workbook::hyperlink;
use crate::workbook::{
    CellLink, Comment, LAST_COLUMN, LAST_ROW, Range, SheetFacts, SheetName, Visibility,
};
use crate::xml::{Event, Events, Start};
use std::rc::Rc;

/// The place of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the row, from 1.
    pub row: u32,
    /// The offset in bytes of its start tag.
    pub at: usize,
}

/// A sheet: its facts, and where its rows are.
#[derive(Debug, Default)]
pub struct Sheet {
    /// The name.
    pub name: SheetName,
    /// The facts.
    pub facts: Rc<SheetFacts>,
    /// The comments.
    pub comments: Vec<Comment>,
    /// The rows with a value in the order of their numbers.
    rows: Vec<Place>,
    /// The style of all cells without another one.
    style: Option<String>,
    /// The first and the last column of those with a style, and the style, in the order of the first
    /// columns.
    columns: Vec<(u32, u32, String)>,
}

/// What is in a file.
#[derive(Default)]
pub struct Workbook {
    /// The sheets in their order.
    pub sheets: Vec<Sheet>,
    /// The number formats.
    pub formats: Formats,
    /// Title, author and dates.
    pub metadata: Vec<(String, String)>,
    /// What is wrong with the XML.
    pub damage: Option<String>,
    /// Whether there are more sheets than [`limits::SHEETS`].
    pub has_more: bool,
}

/// Finds the sheets.
pub fn read(text: &str) -> Workbook {
    let mut found = Workbook::default();
    let mut events = Events::new(text);
    let mut before = 0;
    // The name of the last style.
    let mut name = String::new();
    let mut open: Option<Scan> = None;
    // The name of an element whose text is read.
    let mut element = "";
    let mut properties = false;
    while let Some(event) = events.next() {
        match event {
            Event::Start(start) => {
                element = start.name;
                match (start.name, &mut open) {
                    ("Style", None) => {
                        name = start.attr("ID").unwrap_or_default().into_owned();
                        found.formats.style(&name, &start);
                    }
                    ("NumberFormat", None) => found.formats.add(&name, &start),
                    ("DocumentProperties", None) => properties = true,
                    ("Worksheet", _) if found.sheets.len() >= limits::SHEETS => {
                        found.has_more = true;
                        break;
                    }
                    ("Worksheet", _) => {
                        let number = found.sheets.len().saturating_add(1);
                        open = Some(Scan::new(&start, number));
                    }
                    ("Table", Some(scan)) => scan.sheet.style = style(&start),
                    ("Column", Some(scan)) => scan.columns(&start),
                    ("Row", Some(scan)) => scan.row(&mut events, &start, before),
                    _ => {}
                }
            }
            Event::End(name) => {
                element = "";
                match name {
                    "DocumentProperties" => properties = false,
                    "Worksheet" => found.sheets.extend(open.take().map(Scan::finish)),
                    _ => {}
                }
            }
            Event::Text(text) => match &mut open {
                Some(scan) if element == "Visible" => scan.visible(text.trim()),
                None if properties => property(element, &text, &mut found.metadata),
                _ => {}
            },
        }
        before = events.offset();
    }
    found.sheets.extend(open.map(Scan::finish));
    for (_, value) in &mut found.metadata {
        *value = one_line(value);
    }
    found.metadata.retain(|(_, value)| !value.is_empty());
    found.damage = events.damage().map(str::to_owned);
    found
}

/// Adds a property of the document.
fn property(element: &str, text: &str, metadata: &mut Vec<(String, String)>) {
    const NAMES: [(&str, &str); 7] = [
        ("Title", "title"),
        ("Author", "author"),
        ("Created", "created"),
        ("LastSaved", "modified"),
        ("Subject", "subject"),
        ("Keywords", "keywords"),
        ("Description", "description"),
    ];
    let name = NAMES.iter().find(|(own, _)| *own == element);
    let Some((_, name)) = name else {
        return;
    };
    // A text with references is several events.
    if let Some((last, known)) = metadata.last_mut()
        && last == name
    {
        if known.len() < limits::METADATA_BYTES {
            known.push_str(text);
        }
    } else if metadata.len() < NAMES.len() {
        metadata.push(((*name).to_owned(), text.to_owned()));
    }
}

/// Returns a property in one line.
fn one_line(value: &str) -> String {
    let mut value = value.split_whitespace().collect::<Vec<_>>().join(" ");
    value.truncate(value.floor_char_boundary(limits::METADATA_BYTES));
    value
}

/// A sheet that is read.
struct Scan {
    sheet: Sheet,
    /// The last row and the last column so far.
    row: u32,
    column: u32,
    /// Whether there are more rows than the limit.
    is_cut: bool,
    /// Whether cells are outside of the largest sheet.
    is_outside: bool,
    /// Whether merged cells, links or comments are left out.
    is_full: bool,
    /// The number of links whose addresses are too long.
    long_links: usize,
}

impl Scan {
    fn new(start: &Start, number: usize) -> Self {
        let name = start.attr("Name").unwrap_or_default();
        let name = name.replace(|c: char| c.is_control(), " ");
        let name = if name.trim().is_empty() {
            format!("Sheet{number}")
        } else {
            name
        };
        Self {
            sheet: Sheet {
                name: SheetName {
                    name,
                    ..SheetName::default()
                },
                ..Sheet::default()
            },
            row: 0,
            column: 0,
            is_cut: false,
            is_outside: false,
            is_full: false,
            long_links: 0,
        }
    }

    fn visible(&mut self, text: &str) {
        self.sheet.name.visibility = match text {
            "SheetHidden" => Visibility::Hidden,
            "SheetVeryHidden" => Visibility::VeryHidden,
            _ => return,
        };
    }

    /// Reads the columns of an element.
    fn columns(&mut self, start: &Start) {
        let first = number(start, "Index").unwrap_or(self.column.saturating_add(1));
        self.column = first.saturating_add(number(start, "Span").unwrap_or(0));
        let last = self.column.min(LAST_COLUMN);
        if let Some(style) = style(start).filter(|_| first > 0 && first <= last) {
            self.is_full |= !push(&mut self.sheet.columns, (first, last, style));
        }
        let hidden = &mut Rc::make_mut(&mut self.sheet.facts).hidden_columns;
        let is_full = hidden.len() >= limits::SHEET_OBJECTS;
        match hidden.last_mut() {
            _ if !is_hidden(start) || first == 0 || first > last => {}
            Some((_, end)) if end.saturating_add(1) == first => *end = last,
            _ if is_full => {}
            _ => hidden.push((first, last)),
        }
    }

    /// Reads a row up to its end. `at` is the offset of its start tag.
    fn row<'a>(&mut self, events: &mut Events<'a>, start: &Start<'a>, at: usize) {
        let row = number(start, "Index").unwrap_or(self.row.saturating_add(1));
        self.row = row.saturating_add(number(start, "Span").unwrap_or(0));
        let mut column = 0;
        let mut has_value = false;
        while let Some(event) = events.next() {
            match event {
                Event::Start(start) if start.name == "Cell" => {
                    let found = Found::read(events, &start, column, false);
                    column = found.last_column();
                    has_value |= self.cell(row, found);
                }
                Event::End("Row") => break,
                _ => {}
            }
        }
        if !has_value {
            return;
        }
        let sheet = &mut self.sheet;
        if sheet.rows.len() >= limits::SHEET_ROWS {
            self.is_cut = true;
        } else {
            sheet.rows.push(Place { row, at });
        }
    }

    /// Adds the facts of a cell. Returns whether it has a value.
    fn cell(&mut self, row: u32, found: Found) -> bool {
        let column = found.column;
        let has_value = !found.text.is_empty() || found.formula.is_some();
        if !(1..=LAST_ROW).contains(&row) || !(1..=LAST_COLUMN).contains(&column) {
            self.is_outside |= has_value;
            return false;
        }
        let is_long = usize::from(found.has_long_link);
        self.long_links = self.long_links.saturating_add(is_long);
        let facts = Rc::make_mut(&mut self.sheet.facts);
        let range = Range {
            first_row: row,
            first_column: column,
            last_row: row.saturating_add(found.merged.1).min(LAST_ROW),
            last_column: found.last_column().min(LAST_COLUMN),
        };
        if found.merged != (0, 0) {
            self.is_full |= !push(&mut facts.merged, range);
        }
        let formula = || found.formula.as_deref().and_then(hyperlink::address);
        let link = Some(found.link).filter(|link| !link.is_empty());
        if let Some(url) = link.or_else(formula) {
            self.is_full |= !push(&mut facts.links, CellLink { range, url });
        }
        if let Some((author, text)) = found.comment.filter(|(_, text)| !text.trim().is_empty()) {
            let comment = Comment {
                row,
                column,
                text: comment_text(&text, &author),
                author,
                reply: false,
            };
            self.is_full |= !push(&mut self.sheet.comments, comment);
        }
        if has_value {
            let used = facts.used.get_or_insert(Range {
                last_row: row,
                last_column: column,
                ..range
            });
            used.first_row = used.first_row.min(row);
            used.first_column = used.first_column.min(column);
            used.last_row = used.last_row.max(row);
            used.last_column = used.last_column.max(column);
        }
        has_value
    }

    /// The sheet after its last event.
    fn finish(self) -> Sheet {
        let mut sheet = self.sheet;
        if !sheet.rows.is_sorted_by_key(|place| place.row) {
            sheet.rows.sort_by_key(|place| place.row);
        }
        sheet.columns.sort_by_key(|(first, ..)| *first);
        let rows = sheet.rows.chunk_by(|one, other| one.row == other.row);
        let facts = Rc::make_mut(&mut sheet.facts);
        facts.rows = u32::try_from(rows.count()).unwrap_or(u32::MAX);
        let notes = &mut facts.notes;
        if self.is_outside {
            let note = "Cells after the last row or column of a sheet are left out.";
            notes.push(note.to_owned());
        }
        if self.is_cut {
            let note = "The sheet has too many rows. The last ones are left out.";
            notes.push(note.to_owned());
        }
        if self.is_full {
            notes.push(format!(
                "The sheet has more than {} merged ranges, links, comments or styles of columns. The others \
                 are left out.",
                limits::SHEET_OBJECTS
            ));
        }
        if self.long_links > 0 {
            notes.push(LONG_LINKS.to_owned());
        }
        sheet
    }
}

/// Adds an entry to a list that is not full. Returns whether it was added.
fn push<T>(list: &mut Vec<T>, entry: T) -> bool {
    let has_room = list.len() < limits::SHEET_OBJECTS;
    if has_room {
        list.push(entry);
    }
    has_room
}

impl Sheet {
    /// The style of a cell in a column, which has none itself, nor its row.
    pub fn style(&self, column: u32) -> Option<&str> {
        let count = self.columns.partition_point(|(first, ..)| *first <= column);
        let own = count.checked_sub(1).and_then(|at| self.columns.get(at));
        let own = own.filter(|(_, last, _)| *last >= column);
        own.map(|(.., style)| style.as_str())
            .or(self.style.as_deref())
    }

    /// The places of the rows from a number on.
    pub fn rows_from(&self, row: u32) -> &[Place] {
        let start = self.rows.partition_point(|place| place.row < row);
        self.rows.get(start..).unwrap_or_default()
    }
}
