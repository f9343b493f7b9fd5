//! What is before the sheets: their names and positions, styles, names and links.

use super::records::{Continued, Record, Records};
use super::strings::Strings;
use crate::codepage::{self, CodePage};
use crate::limits;
use crate::workbook::binary::Fields;
use crate::workbook::binary::styles::Styles;
use crate::workbook::formula::reference::{file_name, prefix};
use crate::workbook::formula::{Book, Links, Version};
use crate::workbook::number_format::Epoch;
use crate::workbook::{SheetName, Visibility};
use std::collections::BTreeMap;

/// The version of the records: the number in the name of BIFF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Biff {
    /// Excel 2.
    V2,
    /// Excel 3.
    V3,
    /// Excel 4.
    V4,
    /// Excel 5 and 95.
    V5,
    /// Excel 97 to 2003.
    #[default]
    V8,
}

/// The types of a part of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What is before the sheets.
    Globals,
    /// A sheet of cells, of macros or of a dialog.
    Sheet,
    /// A chart.
    Chart,
    /// Something else, such as a module of code.
    Other,
}

/// Reads the first record of a part of the stream.
pub fn begin(record: &Record) -> Option<(Biff, Kind)> {
    let mut fields = Fields(record.data);
    let number = fields.u16()?;
    let biff = match record.kind {
        0x0009 => Biff::V2,
        0x0209 => Biff::V3,
        0x0409 => Biff::V4,
        0x0809 if number == 0x0600 => Biff::V8,
        0x0809 if number == 0x0200 || number == 2 => Biff::V2,
        0x0809 if number == 0x0300 => Biff::V3,
        0x0809 if number == 0x0400 => Biff::V4,
        0x0809 => Biff::V5,
        _ => return None,
    };
    let kind = match fields.u16().unwrap_or_default() {
        0x0005 | 0x0100 => Kind::Globals,
        0x0010 | 0x0040 => Kind::Sheet,
        0x0020 => Kind::Chart,
        _ => Kind::Other,
    };
    Some((biff, kind))
}

/// The end of a part of the stream.
pub const END: u16 = 0x0a;

/// What is before the sheets.
pub struct Globals {
    /// The version.
    pub biff: Biff,
    /// The code page of texts before Excel 97.
    pub code_page: CodePage,
    /// The sheets.
    pub sheets: Vec<SheetName>,
    /// The positions of the sheets in the stream.
    pub positions: Vec<usize>,
    /// For each part of the list of sheets, its index in `sheets`. Modules of code have none.
    pub listed: Vec<Option<usize>>,
    /// The position of the record with the images.
    pub images: Option<usize>,
    /// The number of the part that is shown first, from 0.
    pub active: usize,
    /// The number formats.
    pub styles: Styles,
    /// The shared strings.
    pub strings: Strings,
    /// What formulas refer to.
    pub links: Links,
    /// Notes on damage.
    pub notes: Vec<String>,
}

/// Lists the parts of a stream that are not inside of another one.
fn parts(stream: &[u8]) -> Vec<(usize, Kind)> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    for record in Records::new(stream, 0) {
        if let Some((_, kind)) = begin(&record) {
            // The parts of an Excel 4.0 workbook are inside of the first one.
            let outer = matches!(found.last(), Some((_, Kind::Globals)));
            if depth == 0 || outer && depth == 1 {
                found.push((record.at, kind));
            }
            depth = depth.saturating_add(1);
        } else if record.kind == END {
            depth = depth.saturating_sub(1);
        }
        if found.len() > limits::SHEETS {
            break;
        }
    }
    found
}

/// Reads the beginning of a stream. `None` if it has no record of a workbook.
pub fn read(stream: &[u8]) -> Option<Globals> {
    let first = Records::new(stream, 0).next()?;
    let (biff, kind) = begin(&first)?;
    let mut state = State {
        stream,
        biff,
        code_page: codepage::DEFAULT,
        epoch: Epoch::Y1900,
        codes: BTreeMap::new(),
        styles: Vec::new(),
        strings: Strings::default(),
        sheets: Vec::new(),
        positions: Vec::new(),
        skipped: Vec::new(),
        listed: Vec::new(),
        images: None,
        active: 0,
        links: Links::new(Version::Biff8),
        books: Vec::new(),
    };
    // The code page may be after texts that need it.
    for record in Records::new(stream, 0).skip(1) {
        match record.kind {
            END => break,
            0x42 => state.set_code_page(Fields(record.data).u16().unwrap_or_default()),
            _ => {}
        }
    }
    state.links.version = match biff {
        Biff::V8 => Version::Biff8,
        _ => Version::Biff5(state.code_page),
    };
    // Links may be before the sheets that they name.
    for record in Records::new(stream, 0).skip(1) {
        match record.kind {
            END => break,
            0x85 => {
                state.sheet(&record);
            }
            _ => {}
        }
    }
    let mut records = Records::new(stream, 0);
    for record in records.by_ref().skip(1) {
        if record.kind == END {
            break;
        }
        state.record(&record);
    }
    state.links_of_old_versions();
    let mut notes = Vec::new();
    if records.damaged() && kind == Kind::Globals {
        notes.push("The beginning of the workbook is damaged.".to_owned());
    }
    if state.strings.damaged() {
        notes.push(
            "The list of texts is damaged. Cells with texts after the damage are empty.".to_owned(),
        );
    }
    state.locate(kind, &mut notes);
    if biff == Biff::V2 {
        // Cells have the index of their format.
        state.styles = (0..64).collect();
    }
    Some(Globals {
        biff,
        code_page: state.code_page,
        sheets: state.sheets,
        positions: state.positions,
        listed: state.listed,
        images: state.images,
        active: state.active,
        styles: Styles::new(state.epoch, &state.codes, &state.styles),
        strings: state.strings,
        links: state.links,
        notes,
    })
}

struct State<'a> {
    stream: &'a [u8],
    biff: Biff,
    code_page: CodePage,
    epoch: Epoch,
    codes: BTreeMap<u16, String>,
    styles: Vec<u16>,
    strings: Strings,
    sheets: Vec<SheetName>,
    positions: Vec<usize>,
    /// Whether each part is no sheet.
    skipped: Vec<bool>,
    listed: Vec<Option<usize>>,
    images: Option<usize>,
    active: usize,
    links: Links,
    books: Vec<Book>,
}

impl State<'_> {
    fn set_code_page(&mut self, page: u16) {
        self.code_page = CodePage::or_default(match page {
            0x8000 => 10_000,
            0x8001 => 1252,
            page => page,
        });
    }

    fn record(&mut self, record: &Record) -> Option<()> {
        let mut fields = Fields(record.data);
        match record.kind {
            0x22 if fields.u16()? == 1 => self.epoch = Epoch::Y1904,
            0x1e | 0x41e if self.codes.len() < limits::WORKBOOK_STYLES => {
                self.format(record)?;
            }
            0xe0 | 0x243 | 0x443 if self.styles.len() < limits::WORKBOOK_STYLES => {
                let id = match record.kind {
                    0xe0 => {
                        fields.skip(2)?;
                        fields.u16()?
                    }
                    _ => {
                        fields.skip(1)?;
                        fields.u8()?.into()
                    }
                };
                self.styles.push(id);
            }
            0x3d => {
                fields.skip(10)?;
                self.active = fields.u16()?.into();
            }
            0xeb if self.images.is_none() => self.images = Some(record.at),
            0xfc => self.strings = Strings::read(self.stream, record),
            0x18 | 0x218 if self.links.names.len() < limits::WORKBOOK_STYLES => {
                let name = self.name(record).unwrap_or_default();
                self.links.names.push(name);
            }
            0x1ae => {
                let book = self.other_book(record).unwrap_or(Book::AddIns);
                self.add_book(book);
            }
            0x23 | 0x223 => {
                let name = self.external_name(record).unwrap_or_default();
                if let Some(names) = self.links.external_names.last_mut()
                    && names.len() < limits::WORKBOOK_STYLES
                {
                    names.push(name);
                }
            }
            0x17 => self.links(record)?,
            _ => {}
        }
        Some(())
    }

    /// Reads a text of one byte per character, or of BIFF8 with its flags.
    fn text(&self, fields: &mut Continued, count: usize) -> Option<String> {
        if self.biff == Biff::V8 {
            let flags = fields.u8()?;
            return Some(fields.characters(count, flags));
        }
        Some(fields.bytes(count, self.code_page))
    }

    /// Reads a sheet ([MS-XLS] 2.4.28).
    fn sheet(&mut self, record: &Record) -> Option<()> {
        let mut fields = Continued::new(self.stream, record, 0);
        let position = usize::try_from(fields.u32()?).ok()?;
        let visibility = match fields.u8()? & 3 {
            0 => Visibility::Visible,
            2 => Visibility::VeryHidden,
            _ => Visibility::Hidden,
        };
        let kind = fields.u8()?;
        let count = usize::from(fields.u8()?);
        let name = self.text(&mut fields, count).unwrap_or_default();
        if self.sheets.len() >= limits::SHEETS {
            return None;
        }
        self.links.sheets.push(name.clone());
        // Modules of code have no cells.
        self.skipped.push(kind == 6);
        self.positions.push(position);
        self.sheets.push(SheetName { name, visibility });
        Some(())
    }

    /// Reads a number format ([MS-XLS] 2.4.126). Before Excel 5, formats are numbered in their
    /// order.
    fn format(&mut self, record: &Record) -> Option<()> {
        let mut fields = Continued::new(self.stream, record, 0);
        let order = u16::try_from(self.codes.len()).unwrap_or(u16::MAX);
        let (id, count) = match self.biff {
            Biff::V8 => (fields.u16()?, usize::from(fields.u16()?)),
            Biff::V5 => (fields.u16()?, usize::from(fields.u8()?)),
            Biff::V4 => {
                fields.u16()?;
                (order, usize::from(fields.u8()?))
            }
            _ => (order, usize::from(fields.u8()?)),
        };
        let code = self.text(&mut fields, count)?;
        self.codes.insert(id, code);
        Some(())
    }

    /// Reads the name of a defined name ([MS-XLS] 2.4.150).
    fn name(&self, record: &Record) -> Option<String> {
        const BUILT_IN: [&str; 14] = [
            "Consolidate_Area",
            "Auto_Open",
            "Auto_Close",
            "Extract",
            "Database",
            "Criteria",
            "Print_Area",
            "Print_Titles",
            "Recorder",
            "Data_Form",
            "Auto_Activate",
            "Auto_Deactivate",
            "Sheet_Title",
            "_FilterDatabase",
        ];
        let mut fields = Continued::new(self.stream, record, 0);
        let flags = fields.u16()?;
        fields.skip(1)?;
        let count = usize::from(fields.u8()?);
        fields.skip(10)?;
        let name = self.text(&mut fields, count)?;
        let code = name.chars().next().map(u32::from).unwrap_or_default();
        if flags & 0x20 != 0
            && let Some(built_in) = BUILT_IN.get(usize::try_from(code).ok()?)
        {
            return Some((*built_in).to_owned());
        }
        Some(name)
    }

    fn external_name(&self, record: &Record) -> Option<String> {
        let mut fields = Continued::new(self.stream, record, 6);
        let count = usize::from(fields.u8()?);
        self.text(&mut fields, count)
    }

    fn add_book(&mut self, book: Book) {
        if self.books.len() < limits::SHEETS {
            self.books.push(book);
            self.links.external_names.push(Vec::new());
        }
    }

    /// Reads a workbook to which formulas refer ([MS-XLS] 2.4.271).
    fn other_book(&self, record: &Record) -> Option<Book> {
        let mut fields = Continued::new(self.stream, record, 0);
        let sheets = fields.u16()?;
        let count = fields.u16()?;
        if count == 0x0401 {
            return Some(Book::Own);
        }
        if count == 0x3a01 {
            return Some(Book::AddIns);
        }
        let path = fields.rich(usize::from(count))?;
        let mut names = Vec::new();
        for _ in 0..sheets {
            let Some(count) = fields.u16() else { break };
            let Some(name) = fields.rich(usize::from(count)) else {
                break;
            };
            names.push(name);
        }
        Some(Book::Other {
            file: file_name(&path).to_owned(),
            sheets: names,
        })
    }

    /// Reads the links of formulas ([MS-XLS] 2.4.105). Before Excel 97, each link is a record.
    fn links(&mut self, record: &Record) -> Option<()> {
        let mut fields = Continued::new(self.stream, record, 0);
        if self.biff != Biff::V8 {
            let count = usize::from(fields.u8()?);
            let name = self.text(&mut fields, count.saturating_add(1))?;
            let mut chars = name.chars();
            let text = match chars.next() {
                Some('\u{3}') => prefix("", chars.as_str(), None),
                _ => {
                    let (file, sheet) = name.split_once(']').unwrap_or(("", &name));
                    prefix(
                        file_name(file).trim_start_matches('['),
                        file_name(sheet),
                        None,
                    )
                }
            };
            if self.links.prefixes.len() < limits::SHEETS {
                self.links.prefixes.push(text);
                self.links.books.push(self.books.len());
                self.add_book(Book::Own);
            }
            return Some(());
        }
        let count = fields.u16()?;
        for _ in 0..count {
            let book = usize::from(fields.u16()?);
            let (first, last) = (signed(fields.u16()?), signed(fields.u16()?));
            let found = self.books.get(book).cloned().unwrap_or(Book::AddIns);
            self.links.add(&found, book, first, last);
        }
        Some(())
    }

    /// Gives the sheets their positions. A position without a sheet is replaced by that of the part
    /// with the same number.
    fn locate(&mut self, kind: Kind, notes: &mut Vec<String>) {
        let is_part = |at: &usize| {
            let record = Records::new(self.stream, *at).next();
            record.is_some_and(|record| begin(&record).is_some())
        };
        if self.sheets.is_empty() || !self.positions.iter().all(is_part) {
            let mut found = parts(self.stream);
            found.retain(|(_, kind)| *kind != Kind::Globals);
            if self.sheets.is_empty() {
                if kind == Kind::Globals && self.biff >= Biff::V5 {
                    notes.push(
                        "The list of sheets is damaged. The sheets have no names.".to_owned(),
                    );
                }
                for (index, (at, kind)) in found.iter().enumerate() {
                    self.skipped.push(*kind == Kind::Other);
                    self.positions.push(*at);
                    self.sheets.push(SheetName {
                        name: format!("Sheet{}", index.saturating_add(1)),
                        visibility: Visibility::Visible,
                    });
                }
            } else {
                let wrong: Vec<bool> = self.positions.iter().map(|at| !is_part(at)).collect();
                let positions = self.positions.iter_mut().zip(wrong);
                for ((position, wrong), (at, _)) in positions.zip(found) {
                    if wrong {
                        *position = at;
                    }
                }
            }
        }
        let mut count = 0_usize;
        for skipped in &self.skipped {
            self.listed.push((!skipped).then_some(count));
            count = count.saturating_add(usize::from(!skipped));
        }
        let mut skipped = std::mem::take(&mut self.skipped).into_iter();
        self.positions.retain({
            let mut skipped = skipped.clone();
            move |_| !skipped.next().unwrap_or_default()
        });
        self.sheets.retain(|_| !skipped.next().unwrap_or_default());
    }
}

impl State<'_> {
    /// Before Excel 97, names of the workbook itself have no link.
    fn links_of_old_versions(&mut self) {
        if self.biff != Biff::V8 && self.links.external_names.is_empty() {
            self.links.external_names.push(Vec::new());
        }
    }
}

#[allow(clippy::cast_possible_wrap, reason = "negative numbers have a meaning")]
fn signed(number: u16) -> i32 {
    i32::from(number as i16)
}
