//! Documents in builds without converters.

use crate::bindings::omniread::parts::document_types::{Attachment, Error, Facts};

/// An open document. No value of this type exists.
pub enum Open {}

impl Open {
    /// The facts about the document.
    pub fn facts(&self) -> Facts {
        match *self {}
    }

    /// Notes on the document as a whole.
    pub fn notes(&self) -> Vec<String> {
        match *self {}
    }

    /// The bytes of the image with this number, from 1.
    pub fn image(&self, _: u32) -> Option<Vec<u8>> {
        match *self {}
    }

    /// The attachments.
    pub fn attachments(&self) -> Vec<Attachment> {
        match *self {}
    }

    /// The bytes of an attachment. `index` is from 0.
    pub fn attachment(&self, _: u32) -> Option<Vec<u8>> {
        match *self {}
    }
}

/// The error of each attempt to open a document.
pub fn no_converters() -> Error {
    Error::Failed("this build has no converters".to_owned())
}
