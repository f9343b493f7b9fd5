//! OpenDocument: texts, presentations and spreadsheets.

use crate::{Document, Error, Format};

/// Opens a document.
///
/// # Errors
/// Fails if nothing of the document can be read.
pub fn open(
    _bytes: Vec<u8>,
    _format: Format,
    _password: Option<&str>,
) -> Result<Box<dyn Document>, Error> {
    Err(Error::Unsupported("this format".to_owned()))
}
