//! WordprocessingML: documents of Word and of programs that write its format.
//!
//! ```text
//! body       paragraphs, headings, list items and content controls
//! runs       text, fields and links inside a paragraph
//! table      tables with merged cells
//! drawing    images, text boxes, charts and diagrams
//! embedded   objects of other programs, and parts of other formats
//! notes      footnotes, endnotes and comments
//! pages      headers and footers
//! sections   the headers and footers that sections use
//! styles     the properties that styles give to paragraphs and runs
//! numbering  the part of lists
//! references the notes to which the text refers
//! names      names of parts
//! convert    the state of a conversion
//! ```
//!
//! Tracked changes are shown as accepted. A part that is missing or damaged becomes a note.

mod body;
mod convert;
mod drawing;
mod embedded;
mod names;
mod notes;
mod numbering;
mod pages;
mod references;
mod runs;
mod sections;
mod styles;
mod table;
#[cfg(test)]
mod tests;

use crate::package::{Images, Package, metadata};
use crate::{Document, Error, Facts, Unit, UnitFacts};
use convert::Converter;

/// An open document.
pub struct Docx {
    package: Package,
    /// The name of the part with the text.
    main: String,
    facts: Facts,
    notes: Vec<String>,
    images: Option<Images>,
}

/// Opens a document.
///
/// # Errors
/// Fails if the package has no part with text.
pub fn open(bytes: Vec<u8>) -> Result<Docx, Error> {
    let mut package = Package::open(bytes)?;
    let main = main_part(&mut package)?;
    let kind = package.content_type(&main).unwrap_or_default();
    let format = if kind.contains("template") {
        "Word template"
    } else {
        "Word document"
    };
    let facts = Facts {
        format: format.to_owned(),
        metadata: metadata::read(&mut package),
        units: None,
        list: vec![UnitFacts::default()],
    };
    let notes = package.notes().to_vec();
    Ok(Docx {
        package,
        main,
        facts,
        notes,
        images: None,
    })
}

/// Finds the part with the text.
fn main_part(package: &mut Package) -> Result<String, Error> {
    let root = package.relationships("");
    if let Some(found) = root.first("officeDocument")
        && package.has(&found.target)
        && !found.target.starts_with("xl/")
        && !found.target.starts_with("ppt/")
    {
        return Ok(found.target.clone());
    }
    let is_text = |name: &&str| {
        let kind = package.content_type(name).unwrap_or_default();
        kind.contains("wordprocessingml") && kind.contains(".main+xml")
    };
    let typed = package.names().find(is_text).map(str::to_owned);
    if let Some(name) = typed {
        return Ok(name);
    }
    if package.has("word/document.xml") {
        return Ok("word/document.xml".to_owned());
    }
    let has = |folder: &str| package.names().any(|name| name.starts_with(folder));
    let what = if has("xl/") {
        "an Excel workbook"
    } else if has("ppt/") {
        "a PowerPoint presentation"
    } else if has("content.xml") {
        "an OpenDocument file"
    } else {
        "a zip archive without `word/document.xml`"
    };
    Err(Error::Damaged(format!("the file is {what}")))
}

impl Document for Docx {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn unit(&mut self, index: usize) -> Unit {
        if index > 0 {
            return Unit::default();
        }
        self.convert()
    }

    fn image(&mut self, number: usize) -> Option<Vec<u8>> {
        if self.images.is_none() {
            self.convert();
        }
        let part = self.images.as_ref()?.part(number)?.to_owned();
        let part = self.package.part(&part)?;
        (!part.bytes.is_empty()).then_some(part.bytes)
    }
}

impl Docx {
    fn convert(&mut self) -> Unit {
        let mut converter = Converter::new(&mut self.package);
        let text = converter.document(&self.main);
        let mut notes = converter.report.notes();
        notes.extend(converter.budget.notes());
        self.images = Some(converter.images);
        Unit::new(text, notes)
    }
}
