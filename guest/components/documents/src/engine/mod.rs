//! Exports the `documents` interface.

#![allow(unsafe_code, reason = "the generated exports pass pointers")]

mod sheets;

use crate::bindings::exports::omniread::read::documents as wit;
use crate::bindings::omniread::read::inputs::Input;
use omniread_documents::{Error, Format, UnitKind, limits};
use std::cell::RefCell;

crate::bindings::export!(Engine with_types_in crate::bindings);

/// The number of bytes that are requested from the host at a time.
const CHUNK: u64 = 1 << 20;

struct Engine;

impl wit::Guest for Engine {
    type Document = Document;
}

/// An open document. Units and images are converted one at a time.
struct Document(RefCell<Box<dyn omniread_documents::Document>>);

impl wit::GuestDocument for Document {
    fn open(
        source: Input,
        format: wit::Format,
        password: Option<String>,
    ) -> Result<wit::Document, wit::Error> {
        let bytes = bytes(source)?;
        let password = password.as_deref();
        let document = match office(format) {
            Some(format) => omniread_documents::open(bytes, format, password)?,
            None => omniread_pdf::open(bytes, password)?,
        };
        Ok(wit::Document::new(Self(RefCell::new(document))))
    }

    fn facts(&self) -> wit::Facts {
        facts(&**self.0.borrow())
    }

    fn notes(&self) -> Vec<String> {
        self.0.borrow().notes().to_vec()
    }

    fn unit(&self, index: u32) -> Result<wit::Unit, wit::Error> {
        let unit = self.0.borrow_mut().unit(place(index));
        Ok(wit::Unit {
            text: unit.text,
            notes: unit.notes,
        })
    }

    fn image(&self, number: u32) -> Result<Option<Vec<u8>>, wit::Error> {
        Ok(self.0.borrow_mut().image(place(number)))
    }

    fn attachments(&self) -> Vec<wit::Attachment> {
        let document = self.0.borrow();
        let attachments = document.attachments().iter().map(|one| wit::Attachment {
            name: one.name.clone(),
            declared: one.declared.clone(),
            mime: one.mime.clone(),
            size: one.size,
        });
        attachments.collect()
    }

    fn attachment(&self, index: u32) -> Result<Option<Vec<u8>>, wit::Error> {
        Ok(self.0.borrow_mut().attachment(place(index)))
    }

    fn sheet(&self, index: u32) -> Result<wit::SheetFacts, wit::Error> {
        sheets::sheet(&mut **self.0.borrow_mut(), place(index))
    }

    fn rows(&self, index: u32, window: wit::Window) -> Result<wit::Rows, wit::Error> {
        sheets::rows(&mut **self.0.borrow_mut(), place(index), window)
    }
}

/// The number as a length of this machine, on which every `u32` is one.
fn place(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Reads all bytes of a document, up to the limit on its size.
fn bytes(source: Input) -> Result<Vec<u8>, wit::Error> {
    let mut all = match source {
        Input::Bytes(bytes) => bytes,
        Input::File(file) => read_all(|offset| match file.read(CHUNK, offset) {
            Ok((bytes, _)) => Ok(bytes),
            Err(error) => Err(error.name().to_owned()),
        })?,
        Input::Source(source) => read_all(|offset| source.read(offset, CHUNK))?,
    };
    if all.len() as u64 > limits::DOCUMENT_BYTES {
        return Err(wit::Error::Exhausted("bytes".to_owned()));
    }
    all.shrink_to_fit();
    Ok(all)
}

/// Reads a source from its start to its end.
///
/// # Errors
/// Fails if it cannot be read, or at the limit on the size of a document. The buffer, which doubles
/// when it grows, never grows beyond the limit.
fn read_all(read: impl Fn(u64) -> Result<Vec<u8>, String>) -> Result<Vec<u8>, wit::Error> {
    let mut all = Vec::new();
    loop {
        let bytes = read(all.len() as u64).map_err(wit::Error::Io)?;
        if bytes.is_empty() {
            break;
        }
        if all.len().saturating_add(bytes.len()) as u64 > limits::DOCUMENT_BYTES {
            return Err(wit::Error::Exhausted("bytes".to_owned()));
        }
        all.extend_from_slice(&bytes);
    }
    Ok(all)
}

/// The format for the converters of office documents. `None` for a PDF document.
fn office(format: wit::Format) -> Option<Format> {
    Some(match format {
        wit::Format::Docx => Format::Docx,
        wit::Format::Pptx => Format::Pptx,
        wit::Format::Xlsx => Format::Xlsx,
        wit::Format::Xlsb => Format::Xlsb,
        wit::Format::Xls => Format::Xls,
        wit::Format::Doc => Format::Doc,
        wit::Format::Ppt => Format::Ppt,
        wit::Format::Rtf => Format::Rtf,
        wit::Format::Epub => Format::Epub,
        wit::Format::Odt => Format::Odt,
        wit::Format::Ods => Format::Ods,
        wit::Format::Odp => Format::Odp,
        wit::Format::Eml => Format::Eml,
        wit::Format::Msg => Format::Msg,
        wit::Format::Mbox => Format::Mbox,
        wit::Format::Pdf => return None,
    })
}

/// The facts about a document in the types of the interface.
fn facts(document: &dyn omniread_documents::Document) -> wit::Facts {
    let facts = document.facts();
    let entry = |(name, value): &(String, String)| wit::MetadataEntry {
        name: name.clone(),
        value: value.clone(),
    };
    let units = facts.list.iter().map(|unit| wit::UnitFacts {
        name: unit.name.clone(),
        hidden: unit.hidden,
    });
    let outline = document.outline().iter().filter_map(|entry| {
        Some(wit::OutlineEntry {
            level: entry.level,
            title: entry.title.clone(),
            unit: u32::try_from(entry.unit?).ok()?,
        })
    });
    wit::Facts {
        format: facts.format.clone(),
        metadata: facts.metadata.iter().map(entry).collect(),
        kind: facts.units.map(|kind| match kind {
            UnitKind::Slide => wit::UnitKind::Slide,
            UnitKind::Sheet => wit::UnitKind::Sheet,
            UnitKind::Chapter => wit::UnitKind::Chapter,
            UnitKind::Mail => wit::UnitKind::Mail,
            UnitKind::Page => wit::UnitKind::Page,
        }),
        units: units.collect(),
        outline: outline.collect(),
    }
}

impl From<Error> for wit::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Encrypted => Self::Encrypted,
            Error::Damaged(what) => Self::Damaged(what),
            Error::Exhausted(limit) => Self::Exhausted(limit.to_owned()),
            Error::Unsupported(what) => Self::Unsupported(what),
        }
    }
}
