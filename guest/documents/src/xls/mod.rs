//! Workbooks of Excel before 2007.

use crate::{Document, Error};

/// Opens a document.
///
/// # Errors
/// Fails if nothing of the document can be read.
pub fn open(_bytes: Vec<u8>, _password: Option<&str>) -> Result<Box<dyn Document>, Error> {
    Err(Error::Unsupported("this format".to_owned()))
}
