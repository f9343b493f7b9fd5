//! Documents of Word before 2007 ([MS-DOC]).
//!
//! ```text
//! fib         the block that says where everything is
//! text        the characters, in pieces
//! sprms       the properties of characters, paragraphs and rows
//! styles      the properties that styles give to them
//! lists       the definitions of lists
//! paragraphs  paragraphs, headings, list items and tables
//! runs        text, fields and links inside a paragraph
//! table       tables with merged cells
//! notes       footnotes, endnotes and comments
//! pages       headers and footers
//! references  the notes to which the text refers
//! shapes      the shapes and text boxes that are anchored in the text
//! drawing     images and text boxes
//! streams     the streams of a document
//! convert     the state of a conversion
//! old         Word 6 and Word 95: text only
//! ```
//!
//! Tracked changes are shown as accepted. What is shown, and how, is the same as for WordprocessingML.

mod convert;
mod drawing;
mod fib;
mod lists;
mod notes;
mod old;
mod pages;
mod paragraphs;
mod references;
mod runs;
mod shapes;
mod sprms;
mod streams;
mod styles;
mod table;
#[cfg(test)]
mod tests;
mod text;

use crate::ole::{Compound, equation, properties, rc4};
use crate::report::damaged_stream;
use crate::{Document, Error, Facts, Unit, UnitFacts};
use convert::Converter;
use fib::Fib;
use shapes::Image;
use std::collections::BTreeMap;
use streams::Streams;

/// An open document.
struct Doc {
    streams: Streams,
    fib: Fib,
    facts: Facts,
    notes: Vec<String>,
    images: Option<Vec<Image>>,
}

/// Opens a document.
///
/// # Errors
/// Fails if the password is missing or wrong, or if the file has no stream with text.
pub fn open(bytes: Vec<u8>, password: Option<&str>) -> Result<Box<dyn Document>, Error> {
    let mut file = Compound::open(bytes)?;
    let mut notes = file.notes().to_vec();
    let mut stream = |file: &mut Compound, name: &str| {
        let part = file.stream(name)?;
        if let Some(damage) = part.damage {
            notes.push(damaged_stream(name, &damage));
        }
        Some(part.bytes)
    };
    let Some(mut word) = stream(&mut file, "WordDocument") else {
        let what = if file.has("Workbook") || file.has("Book") {
            "an Excel workbook"
        } else if file.has("PowerPoint Document") {
            "a PowerPoint presentation"
        } else {
            "a compound file without `WordDocument`"
        };
        return Err(Error::Damaged(format!("the file is {what}")));
    };
    let Some(mut fib) = Fib::read(&word) else {
        return Err(Error::Damaged(
            "the stream `WordDocument` has another format".to_owned(),
        ));
    };
    if fib.version < 101 {
        return Err(Error::Unsupported("Word 2 and older".to_owned()));
    }
    // A document whose table stream is missing may have the other one.
    let table = stream(&mut file, fib.table_stream());
    let table = table.or_else(|| stream(&mut file, "1Table"));
    let table = table.or_else(|| stream(&mut file, "0Table"));
    let mut table = table.unwrap_or_default();
    let mut data = stream(&mut file, "Data").unwrap_or_default();
    if fib.is_encrypted() {
        decrypt(&fib, password, &mut word, &mut table, &mut data)?;
        fib = Fib::read(&word).unwrap_or(fib);
    }
    let format = if fib.is_template() {
        "Word 97-2003 template"
    } else {
        "Word 97-2003 document"
    };
    let format = match fib.version {
        ..193 => "Word 6/95 document",
        _ => format,
    };
    let facts = Facts {
        format: format.to_owned(),
        metadata: properties::read(&mut file),
        units: None,
        list: vec![UnitFacts::default()],
    };
    Ok(Box::new(Doc {
        streams: Streams {
            word,
            table,
            data,
            formulas: formulas(&mut file),
        },
        fib,
        facts,
        notes,
        images: None,
    }))
}

impl Document for Doc {
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
        let image = self.images.as_ref()?.get(number.checked_sub(1)?)?;
        shapes::bytes(&self.streams, *image)
    }
}

impl Doc {
    fn convert(&mut self) -> Unit {
        if self.fib.version < 193 {
            self.images = Some(Vec::new());
            return old::convert(&self.streams.word, &self.fib);
        }
        let mut converter = Converter::new(&self.streams, &self.fib);
        let text = converter.document();
        let notes = converter.report.notes();
        self.images = Some(converter.images);
        Unit::new(text, notes)
    }
}

/// Decrypts the streams of a document.
fn decrypt(
    fib: &Fib,
    password: Option<&str>,
    word: &mut [u8],
    table: &mut [u8],
    data: &mut [u8],
) -> Result<(), Error> {
    /// The number of bytes of the stream `WordDocument` that are never encrypted.
    const PLAIN: usize = 68;
    if password.is_none() {
        return Err(Error::Encrypted);
    }
    if fib.is_obfuscated() || fib.version < 193 {
        let name = "the encryption of Word 95".to_owned();
        return Err(Error::Unsupported(name));
    }
    let size = fib::number(fib.key).min(table.len());
    let header = table.get(..size).unwrap_or_default();
    let key = rc4::Key::derive(header, password)?;
    let plain = word.get(..PLAIN).unwrap_or_default().to_vec();
    key.decrypt(word);
    for (byte, plain) in word.iter_mut().zip(plain) {
        *byte = plain;
    }
    key.decrypt(table);
    key.decrypt(data);
    Ok(())
}

/// Reads the formulas of the Equation Editor. Their objects are in storages such as `_1006857411`.
fn formulas(file: &mut Compound) -> BTreeMap<usize, String> {
    let objects: Vec<String> = file
        .children("ObjectPool")
        .map(|entry| entry.path.clone())
        .collect();
    let mut found = BTreeMap::new();
    for object in objects {
        let number = object.rsplit('_').next().and_then(|it| it.parse().ok());
        let stream = file.stream(&format!("{object}/{}", equation::STREAM));
        let formula = stream.and_then(|part| equation::latex(&part.bytes));
        if let (Some(number), Some(formula)) = (number, formula) {
            found.insert(number, formula);
        }
    }
    found
}
