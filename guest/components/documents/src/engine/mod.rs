//! Exports the `documents` interface.

#![allow(unsafe_code, reason = "the generated exports pass pointers")]

mod sheets;

use crate::bindings::exports::omniread::parts::documents as wit;
use omniread_document_engine::bindings::omniread::parts::document_types::{Error, Unit};
use omniread_document_engine::bindings::omniread::parts::inputs::Input;
use omniread_document_engine::{Open, place};
use omniread_documents::Format;

crate::bindings::export!(Engine with_types_in crate::bindings);

struct Engine;

impl wit::Guest for Engine {
    type Document = Document;
}

/// An open document.
struct Document(Open);

impl wit::GuestDocument for Document {
    fn open(
        source: Input,
        format: wit::Format,
        password: Option<String>,
    ) -> Result<wit::Document, Error> {
        let bytes = omniread_document_engine::bytes(source)?;
        let document = omniread_documents::open(bytes, converter(format), password.as_deref())?;
        Ok(wit::Document::new(Self(Open::new(document))))
    }

    omniread_document_engine::shared_methods!();

    fn unit(&self, index: u32) -> Result<Unit, Error> {
        let unit = self.0.document().unit(place(index));
        Ok(Open::unit(unit))
    }

    fn sheet(&self, index: u32) -> Result<wit::SheetFacts, Error> {
        Ok(sheets::sheet(&mut *self.0.document(), place(index))?)
    }

    fn rows(&self, index: u32, window: wit::Window) -> Result<wit::Rows, Error> {
        Ok(sheets::rows(&mut *self.0.document(), place(index), window)?)
    }
}

/// The format in the type of the converters.
fn converter(format: wit::Format) -> Format {
    match format {
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
    }
}
