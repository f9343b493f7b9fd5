//! The list of sheets of a workbook (ECMA-376-1, 18.2).

use crate::package::{Package, Relationships, is_limit};
use crate::report::incomplete;
use crate::workbook::number_format::Epoch;
use crate::workbook::{SheetName, Visibility};
use crate::xml::{Element, Tree, decode};
use crate::{Error, limits};

/// A workbook and the parts of its sheets.
#[derive(Debug, Default)]
pub struct Book {
    /// The sheets in their order.
    pub sheets: Vec<SheetName>,
    /// The part of each sheet. `None` if it is missing.
    pub parts: Vec<Option<String>>,
    /// The epoch of dates.
    pub epoch: Epoch,
    /// Notes on damage.
    pub notes: Vec<String>,
}

/// Finds the part with the list of sheets.
pub fn main_part(package: &mut Package) -> Result<String, Error> {
    let root = package.relationships("");
    let is_main = |package: &Package, name: &str| {
        let kind = package.content_type(name).unwrap_or_default();
        kind.contains("spreadsheetml") || kind.contains("ms-excel")
    };
    if let Some(found) = root.first("officeDocument")
        && package.has(&found.target)
        && (is_main(package, &found.target) || found.target.starts_with("xl/"))
    {
        return Ok(found.target.clone());
    }
    let is_typed = |name: &&str| is_main(package, name) && name.ends_with("workbook.xml");
    if let Some(name) = package.names().find(is_typed) {
        return Ok(name.to_owned());
    }
    let has = |folder: &str| package.names().any(|name| name.starts_with(folder));
    if package
        .names()
        .any(|name| name.ends_with("xl/workbook.bin"))
    {
        return Err(Error::Damaged("the file is a binary workbook".to_owned()));
    }
    if has("xl/") {
        return Ok("xl/workbook.xml".to_owned());
    }
    let what = if has("word/") {
        "a Word document"
    } else if has("ppt/") {
        "a PowerPoint presentation"
    } else if has("content.xml") {
        "an OpenDocument file"
    } else {
        "a zip archive without `xl/workbook.xml`"
    };
    Err(Error::Damaged(format!("the file is {what}")))
}

/// Reads the list of sheets. If it is damaged, the sheets are those of the package, by the numbers in
/// their names.
pub fn read(package: &mut Package, main: &str, related: &Relationships) -> Book {
    let part = package.part(main).unwrap_or_default();
    let text = decode(&part.bytes);
    let tree = Tree::parse(&text);
    let mut book = Book::default();
    let root = tree.root();
    let properties = root.child("workbookPr");
    let epoch = properties.and_then(|it| it.attr("date1904"));
    if matches!(epoch, Some("1" | "true")) {
        book.epoch = Epoch::Y1904;
    }
    let list = root.child("sheets");
    for sheet in list.iter().flat_map(Element::children) {
        if sheet.name() != "sheet" || book.sheets.len() >= limits::PARTS {
            continue;
        }
        let part = sheet.attr("r:id").and_then(|id| related.part(id));
        let part = part.filter(|name| package.has(name)).map(str::to_owned);
        let number = book.sheets.len().saturating_add(1);
        let name = sheet.attr("name").filter(|it| !it.trim().is_empty());
        book.sheets.push(SheetName {
            name: name.map_or_else(|| format!("Sheet{number}"), one_line),
            visibility: match sheet.attr("state") {
                Some("hidden") => Visibility::Hidden,
                Some("veryHidden") => Visibility::VeryHidden,
                _ => Visibility::Visible,
            },
        });
        book.parts.push(part);
    }
    if book.parts.iter().any(Option::is_some) {
        if let Some(damage) = part.damage.as_deref().or_else(|| tree.damage()) {
            book.notes.push(incomplete("The list of sheets", damage));
        }
        return book;
    }
    let mut numbered = Vec::new();
    for name in package.names() {
        let number = name.strip_prefix("xl/worksheets/sheet");
        let number = number.and_then(|it| it.strip_suffix(".xml"));
        if let Some(number) = number.and_then(|it| it.parse::<u64>().ok()) {
            numbered.push((number, name.to_owned()));
        }
    }
    numbered.sort();
    if numbered.is_empty() {
        return book;
    }
    let cut = part.damage.as_deref().filter(|why| is_limit(why));
    let state = cut.map_or_else(
        || "The list of sheets is damaged.".to_owned(),
        |why| incomplete("The list of sheets", why),
    );
    book.notes.push(format!(
        "{state} They are in the order of their files, and their names may be wrong."
    ));
    book.sheets.resize(numbered.len(), SheetName::default());
    for (sheet, (number, _)) in book.sheets.iter_mut().zip(&numbered) {
        if sheet.name.is_empty() {
            sheet.name = format!("Sheet{number}");
        }
    }
    book.parts = numbered.into_iter().map(|(_, name)| Some(name)).collect();
    book
}

/// Returns a name in one line. Spaces are kept, because paths and formulas have them too, and because
/// another sheet may have the name without them.
fn one_line(name: &str) -> String {
    let mut name = name.replace(|c: char| c.is_control(), " ");
    name.truncate(name.floor_char_boundary(limits::METADATA_BYTES));
    name
}
