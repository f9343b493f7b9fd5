//! Exports the `pdf` interface.

#![allow(unsafe_code, reason = "the generated exports pass pointers")]

use crate::bindings::exports::omniread::read::pdf as wit;
use crate::source::Bytes;
use omniread_document_engine::bindings::omniread::read::document_types::{
    Attachment, Error, Facts, Unit,
};
use omniread_document_engine::bindings::omniread::read::inputs::Input;
use omniread_document_engine::place;
use std::cell::RefCell;

crate::bindings::export!(Engine with_types_in crate::bindings);

struct Engine;

impl wit::Guest for Engine {
    type Document = Document;
}

/// An open document. Pages and images are converted one at a time.
struct Document(RefCell<Box<dyn omniread_document::Document>>);

impl wit::GuestDocument for Document {
    fn open(source: Input, password: Option<String>) -> Result<wit::Document, Error> {
        let password = password.as_deref();
        let document = match crate::source::source(source)? {
            Bytes::InMemory(bytes) => omniread_pdf::open(bytes, password)?,
            Bytes::Source(source) => omniread_pdf::open_source(source, password)?,
        };
        Ok(wit::Document::new(Self(RefCell::new(document))))
    }

    fn facts(&self) -> Facts {
        omniread_document_engine::facts(&**self.0.borrow())
    }

    fn notes(&self) -> Vec<String> {
        self.0.borrow().notes().to_vec()
    }

    fn page(&self, index: u32, text: wit::Text, alone: bool) -> Result<Unit, Error> {
        let mut document = self.0.borrow_mut();
        document.set_alone(alone);
        let page = match text {
            wit::Text::Visible => document.unit(place(index)),
            wit::Text::All => document.whole_unit(place(index)),
        };
        Ok(omniread_document_engine::unit(page))
    }

    fn page_image(&self, index: u32, side: u32) -> Result<Option<Vec<u8>>, Error> {
        let mut document = self.0.borrow_mut();
        // The side bounds the number of pixels.
        Ok(document.page_image(place(index), side, u64::MAX)?)
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
}
