//! Exports the `documents` interface.

#![allow(unsafe_code, reason = "the generated exports pass pointers")]

mod sheets;

use crate::bindings::exports::omniread::read::documents as wit;
use omniread_document_engine::bindings::omniread::read::document_types::{
    Attachment, Error, Facts, Unit,
};
use omniread_document_engine::bindings::omniread::read::inputs::Input;
use omniread_document_engine::place;
use omniread_documents::Format;
use std::cell::RefCell;

crate::bindings::export!(Engine with_types_in crate::bindings);

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
    ) -> Result<wit::Document, Error> {
        let bytes = omniread_document_engine::bytes(source)?;
        let document = omniread_documents::open(bytes, converter(format), password.as_deref())?;
        Ok(wit::Document::new(Self(RefCell::new(document))))
    }

    fn facts(&self) -> Facts {
        omniread_document_engine::facts(&**self.0.borrow())
    }

    fn notes(&self) -> Vec<String> {
        self.0.borrow().notes().to_vec()
    }

    fn unit(&self, index: u32) -> Result<Unit, Error> {
        let unit = self.0.borrow_mut().unit(place(index));
        Ok(omniread_document_engine::unit(unit))
    }

    fn image(&self, number: u32) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.0.borrow_mut().image(place(number)))
    }

    fn attachments(&self) -> Vec<Attachment> {
        omniread_document_engine::attachments(&**self.0.borrow())
    }

    fn attachment(&self, index: u32) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.0.borrow_mut().attachment(place(index)))
    }

    fn sheet(&self, index: u32) -> Result<wit::SheetFacts, Error> {
        sheets::sheet(&mut **self.0.borrow_mut(), place(index))
    }

    fn rows(&self, index: u32, window: wit::Window) -> Result<wit::Rows, Error> {
        sheets::rows(&mut **self.0.borrow_mut(), place(index), window)
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
