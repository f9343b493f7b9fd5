//! The sheets, the names and the links of `workbook.bin`.

use super::records::{Record, Records};
use super::styles;
use crate::package::{Package, Relationships, is_limit};
use crate::report::incomplete;
use crate::workbook::binary::Fields;
use crate::workbook::binary::styles::Styles;
use crate::workbook::formula::reference::file_name;
use crate::workbook::formula::{Book, Links, Version};
use crate::workbook::number_format::Epoch;
use crate::workbook::{SheetName, Visibility};
use crate::{Error, limits};

/// What the workbook says about its parts.
pub struct Content {
    /// The sheets.
    pub sheets: Vec<SheetName>,
    /// The name of the part of each sheet.
    pub parts: Vec<String>,
    /// The name of the part with the shared strings.
    pub strings: Option<String>,
    /// The number formats.
    pub styles: Styles,
    /// What formulas refer to.
    pub links: Links,
    /// The relationships of the workbook.
    pub related: Relationships,
    /// Notes on damage.
    pub notes: Vec<String>,
}

/// Reads the workbook and the styles of a package.
pub fn read(package: &mut Package) -> Result<Content, Error> {
    let root = package.relationships("");
    let main = root.first("officeDocument").map(|it| it.target.clone());
    let main = main
        .filter(|name| package.has(name))
        .or_else(|| {
            package
                .has("xl/workbook.bin")
                .then(|| "xl/workbook.bin".to_owned())
        })
        .ok_or_else(|| Error::Damaged("the workbook is missing".to_owned()))?;
    let relationships = package.relationships(&main);
    let part = package.part(&main).unwrap_or_default();
    let mut state = State {
        sheets: Vec::new(),
        parts: Vec::new(),
        epoch: Epoch::Y1900,
        books: Vec::new(),
        links: Links::new(Version::Biff12),
        targets: Vec::new(),
    };
    let mut records = Records::new(&part.bytes, 0);
    for record in &mut records {
        state.record(package, &relationships, &record);
    }
    let mut notes = Vec::new();
    let cut = part.damage.as_deref().filter(|why| is_limit(why));
    let list = cut.map_or_else(
        || "The list of sheets is damaged.".to_owned(),
        |why| incomplete("The list of sheets", why),
    );
    if part.damage.is_some() || records.damaged() {
        notes.push(format!("{list} Some sheets may be missing."));
    }
    if state.sheets.is_empty() {
        state.find_parts(package);
        if state.sheets.is_empty() {
            return Err(Error::Damaged("the workbook has no sheets".to_owned()));
        }
        notes.push(format!("{list} The sheets have no names."));
    }
    let target = |kind: &str| {
        let found = relationships.first(kind).filter(|found| !found.external);
        found.map(|found| found.target.clone())
    };
    let strings = target("sharedStrings");
    let style = target("styles").and_then(|name| package.part(&name));
    let style = style.unwrap_or_default();
    Ok(Content {
        sheets: state.sheets,
        parts: state.parts,
        strings,
        styles: styles::read(&style.bytes, state.epoch),
        links: state.links,
        related: relationships,
        notes,
    })
}

struct State {
    sheets: Vec<SheetName>,
    parts: Vec<String>,
    epoch: Epoch,
    books: Vec<Book>,
    links: Links,
    targets: Vec<String>,
}

impl State {
    fn record(&mut self, package: &mut Package, own: &Relationships, record: &Record) {
        const NAME: u16 = 39;
        const PROPERTIES: u16 = 153;
        const SHEET: u16 = 156;
        const OTHER_BOOK: u16 = 355;
        const OWN_BOOK: u16 = 357;
        const SAME_SHEET: u16 = 358;
        const LINKS: u16 = 362;
        const ADD_INS: u16 = 667;
        let mut fields = Fields(record.data);
        match record.kind {
            PROPERTIES if fields.u32().is_some_and(|flags| flags & 1 != 0) => {
                self.epoch = Epoch::Y1904;
            }
            SHEET if self.sheets.len() < limits::SHEETS => {
                self.sheet(own, &mut fields);
            }
            NAME if self.links.names.len() < limits::WORKBOOK_STYLES => {
                fields.skip(9);
                let name = fields.wide().unwrap_or_default();
                self.links.names.push(plain_name(&name).to_owned());
            }
            OWN_BOOK | SAME_SHEET => self.book(Book::Own, Vec::new()),
            ADD_INS => self.book(Book::AddIns, Vec::new()),
            OTHER_BOOK => {
                let id = fields.wide().unwrap_or_default();
                let part = own.part(&id).unwrap_or_default().to_owned();
                let (book, names) = external(package, &part);
                self.book(book, names);
            }
            LINKS => {
                let count = fields.u32().unwrap_or_default();
                for _ in 0..count.min(1 << 16) {
                    let (Some(book), Some(first), Some(last)) =
                        (fields.u32(), fields.u32(), fields.u32())
                    else {
                        break;
                    };
                    let index = usize::try_from(book).unwrap_or(usize::MAX);
                    let book = self.books.get(index).cloned().unwrap_or(Book::AddIns);
                    self.links.add(&book, index, signed(first), signed(last));
                }
            }
            _ => {}
        }
    }

    fn book(&mut self, book: Book, names: Vec<String>) {
        if self.books.len() < limits::SHEETS {
            self.books.push(book);
            self.links.external_names.push(names);
        }
    }

    /// Reads a sheet ([MS-XLSB] 2.4.313).
    fn sheet(&mut self, own: &Relationships, fields: &mut Fields) -> Option<()> {
        let visibility = match fields.u32()? {
            0 => Visibility::Visible,
            2 => Visibility::VeryHidden,
            _ => Visibility::Hidden,
        };
        fields.skip(4)?;
        let id = fields.wide()?;
        let name = fields.wide().unwrap_or_default();
        self.links.sheets.push(name.clone());
        self.sheets.push(SheetName { name, visibility });
        self.parts
            .push(own.part(&id).unwrap_or_default().to_owned());
        Some(())
    }

    /// Lists the parts that could be sheets, if the workbook lists none.
    fn find_parts(&mut self, package: &Package) {
        let sheet = |name: &&str| {
            let name = name.to_lowercase();
            let file = name.strip_prefix("xl/worksheets/sheet");
            file.is_some_and(|file| file.strip_suffix(".bin").is_some())
        };
        self.targets = package.names().filter(sheet).map(str::to_owned).collect();
        for (index, part) in self.targets.drain(..).take(limits::SHEETS).enumerate() {
            self.sheets.push(SheetName {
                name: format!("Sheet{}", index.saturating_add(1)),
                visibility: Visibility::Visible,
            });
            self.parts.push(part);
        }
    }
}

#[allow(clippy::cast_possible_wrap, reason = "negative numbers have a meaning")]
fn signed(number: u32) -> i32 {
    number as i32
}

/// Returns a name without the prefix of names that Excel defines.
pub fn plain_name(name: &str) -> &str {
    ["_xlnm.", "_xlpm."]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name)
}

/// Reads the file name, the sheets and the names of another workbook.
fn external(package: &mut Package, part: &str) -> (Book, Vec<String>) {
    const SHEETS: u16 = 359;
    const BEGIN: u16 = 360;
    const NAME: u16 = 577;
    let relationships = package.relationships(part);
    let bytes = package.part(part).unwrap_or_default().bytes;
    let mut file = String::new();
    let mut sheets = Vec::new();
    let mut names = Vec::new();
    for record in Records::new(&bytes, 0) {
        let mut fields = Fields(record.data);
        match record.kind {
            BEGIN => {
                fields.skip(2);
                let id = fields.wide().unwrap_or_default();
                let target = relationships.get(&id).map(|found| found.target.as_str());
                file_name(target.unwrap_or_default()).clone_into(&mut file);
            }
            SHEETS => {
                let count = fields.u32().unwrap_or_default();
                for _ in 0..count {
                    let Some(name) = fields.wide() else { break };
                    sheets.push(name);
                }
            }
            NAME if names.len() < limits::WORKBOOK_STYLES => {
                names.push(fields.wide().unwrap_or_default());
            }
            _ => {}
        }
    }
    (Book::Other { file, sheets }, names)
}
