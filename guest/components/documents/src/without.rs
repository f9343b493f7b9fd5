//! The interface of the engine, in builds without converters.

#![allow(unsafe_code, reason = "the generated exports pass pointers")]

use super::bindings::exports::omniread::read::documents as wit;
use super::bindings::omniread::read::inputs::Input;

super::bindings::export!(Without with_types_in super::bindings);

struct Without;

impl wit::Guest for Without {
    type Document = Document;
}

/// An open document. No value of this type exists.
enum Document {}

impl wit::GuestDocument for Document {
    fn open(_: Input, _: wit::Format, _: Option<String>) -> Result<wit::Document, wit::Error> {
        Err(wit::Error::Failed(
            "this build has no converters".to_owned(),
        ))
    }

    fn facts(&self) -> wit::Facts {
        match *self {}
    }

    fn notes(&self) -> Vec<String> {
        match *self {}
    }

    fn unit(&self, _: u32) -> Result<wit::Unit, wit::Error> {
        match *self {}
    }

    fn image(&self, _: u32) -> Result<Option<Vec<u8>>, wit::Error> {
        match *self {}
    }

    fn attachments(&self) -> Vec<wit::Attachment> {
        match *self {}
    }

    fn attachment(&self, _: u32) -> Result<Option<Vec<u8>>, wit::Error> {
        match *self {}
    }

    fn sheet(&self, _: u32) -> Result<wit::SheetFacts, wit::Error> {
        match *self {}
    }

    fn rows(&self, _: u32, _: wit::Window) -> Result<wit::Rows, wit::Error> {
        match *self {}
    }
}
