//! The interface of the engine, in builds without converters.

#![allow(unsafe_code, reason = "the generated exports pass pointers")]

use super::bindings::exports::omniread::parts::pdf as wit;
use omniread_document_engine::bindings::omniread::parts::document_types::{Error, Unit};
use omniread_document_engine::bindings::omniread::parts::inputs::Input;
use omniread_document_engine::{Open, no_converters};

super::bindings::export!(Without with_types_in super::bindings);

struct Without;

impl wit::Guest for Without {
    type Document = Document;
}

/// An open document. No value of this type exists.
struct Document(Open);

impl wit::GuestDocument for Document {
    fn open(_: Input, _: Option<String>) -> Result<wit::Document, Error> {
        Err(no_converters())
    }

    omniread_document_engine::shared_methods!();

    fn page(&self, _: u32, _: wit::Text, _: bool) -> Result<Unit, Error> {
        match self.0 {}
    }

    fn layout(&self) -> Result<Option<Vec<u8>>, Error> {
        match self.0 {}
    }

    fn set_layout(&self, _: Vec<u8>) -> Result<bool, Error> {
        match self.0 {}
    }

    fn page_image(&self, _: u32, _: u32) -> Result<Option<Vec<u8>>, Error> {
        match self.0 {}
    }
}
