//! The interface of the engine, in builds without converters.

#![allow(unsafe_code, reason = "the generated exports pass pointers")]

use super::bindings::exports::omniread::read::pdf as wit;
use omniread_document_engine::bindings::omniread::read::document_types::{
    Attachment, Error, Facts, Unit,
};
use omniread_document_engine::bindings::omniread::read::inputs::Input;

super::bindings::export!(Without with_types_in super::bindings);

struct Without;

impl wit::Guest for Without {
    type Document = Document;
}

/// An open document. No value of this type exists.
enum Document {}

impl wit::GuestDocument for Document {
    fn open(_: Input, _: Option<String>) -> Result<wit::Document, Error> {
        Err(Error::Failed("this build has no converters".to_owned()))
    }

    fn facts(&self) -> Facts {
        match *self {}
    }

    fn notes(&self) -> Vec<String> {
        match *self {}
    }

    fn page(&self, _: u32, _: wit::Text, _: bool) -> Result<Unit, Error> {
        match *self {}
    }

    fn page_image(&self, _: u32, _: u32) -> Result<Option<Vec<u8>>, Error> {
        match *self {}
    }

    fn image(&self, _: u32) -> Result<Option<Vec<u8>>, Error> {
        match *self {}
    }

    fn attachments(&self) -> Vec<Attachment> {
        match *self {}
    }

    fn attachment(&self, _: u32) -> Result<Option<Vec<u8>>, Error> {
        match *self {}
    }
}
