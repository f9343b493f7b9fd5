//! OpenDocument: texts, presentations and spreadsheets ([ODF 1.3], OASIS, 2021), as packages and as
//! flat XML files.
//!
//! ```text
//! source       the parts of a package or a flat file
//! metadata     title, author and dates
//! styles       what paragraphs, texts and pages inherit
//! lists        the numbers of list items and headings
//! text         texts: facts and images
//! convert      the state of a conversion
//! body         paragraphs, headings, lists and sections
//! line         the content of a paragraph
//! inline       text, fields and links inside a paragraph
//! table        tables with merged cells
//! drawing      images, text boxes, shapes and formulas
//! chart        charts
//! notes        footnotes, endnotes and comments
//! references   the notes so far
//! shape        frames and shapes
//! pages        headers and footers
//! slides       presentations
//! spreadsheet  spreadsheets
//! ```
//!
//! Tracked changes are shown as accepted. A part that is missing or damaged becomes a note.

mod body;
pub mod chart;
mod convert;
mod drawing;
mod inline;
mod line;
mod lists;
mod metadata;
mod notes;
mod pages;
mod references;
mod shape;
mod slides;
mod source;
mod spreadsheet;
mod styles;
mod table;
#[cfg(test)]
pub mod tests;
mod text;

use crate::xml::{Tree, decode};
use crate::{Document, Error, Facts, Format, UnitFacts};
use source::Source;
use text::Text;

/// Opens a document.
///
/// # Errors
/// Fails if nothing of the document can be read.
pub fn open(
    bytes: Vec<u8>,
    format: Format,
    password: Option<&str>,
) -> Result<Box<dyn Document>, Error> {
    let mut source = Source::open(bytes, password)?;
    let mime = source.mime();
    let template = mime.ends_with("-template");
    // The declared type counts, because the name of a file may be wrong.
    let format = if mime.contains("opendocument.text") {
        Format::Odt
    } else if mime.contains("opendocument.spreadsheet") {
        Format::Ods
    } else if mime.contains("opendocument.presentation") {
        Format::Odp
    } else {
        format
    };
    let name = match (format, template) {
        (Format::Ods, false) => "OpenDocument spreadsheet",
        (Format::Ods, true) => "OpenDocument spreadsheet template",
        (Format::Odp, false) => "OpenDocument presentation",
        (Format::Odp, true) => "OpenDocument presentation template",
        (_, false) => "OpenDocument text",
        (_, true) => "OpenDocument text template",
    };
    let notes = source.notes();
    let metadata = read_metadata(&mut source);
    match format {
        Format::Ods => spreadsheet::open(source, name, metadata, notes),
        Format::Odp => Ok(slides::open(source, name, metadata, notes)),
        _ => Ok(Box::new(Text {
            source,
            facts: Facts {
                format: name.to_owned(),
                metadata,
                units: None,
                list: vec![UnitFacts::default()],
            },
            notes,
            images: None,
        })),
    }
}

/// Reads the metadata. That of a flat file is before its text.
fn read_metadata(source: &mut Source) -> Vec<(String, String)> {
    let name = if source.is_flat() {
        "content.xml"
    } else {
        "meta.xml"
    };
    let part = source.part(name).unwrap_or_default();
    let text = decode(&part.bytes);
    let end = text.find("</office:meta>").unwrap_or(text.len());
    let tree = Tree::parse(text.get(..end).unwrap_or_default());
    metadata::read(tree.root())
}
