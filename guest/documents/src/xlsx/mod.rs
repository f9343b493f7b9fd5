//! SpreadsheetML.

use crate::{Document, Error};

/// Opens a document.
///
/// # Errors
/// Fails if nothing of the document can be read.
pub fn open(_bytes: Vec<u8>) -> Result<Box<dyn Document>, Error> {
    Err(Error::Unsupported("this format".to_owned()))
}
