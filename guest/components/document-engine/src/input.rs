//! The bytes of a document.

use crate::bindings::omniread::parts::inputs::Input;
use omniread_document::{Error, limits};

/// The number of bytes that are requested from the host at a time.
const CHUNK: u64 = 1 << 20;

/// Reads all bytes of a document, up to the limit on its size.
///
/// # Errors
/// Fails if they cannot be read, or if there are too many.
pub fn bytes(source: Input) -> Result<Vec<u8>, Error> {
    let mut all = match source {
        Input::Bytes(bytes) => bytes,
        Input::File(file) => read_all(|offset| match file.read(CHUNK, offset) {
            Ok((bytes, _)) => Ok(bytes),
            Err(error) => Err(error.name().to_owned()),
        })?,
        Input::Source(source) => read_all(|offset| source.read(offset, CHUNK))?,
    };
    if all.len() as u64 > limits::DOCUMENT_BYTES {
        return Err(Error::exhausted("bytes"));
    }
    all.shrink_to_fit();
    Ok(all)
}

/// Reads a source from its start to its end.
///
/// # Errors
/// Fails if it cannot be read, or at the limit on the size of a document. The buffer, which doubles
/// when it grows, never grows beyond the limit.
fn read_all(read: impl Fn(u64) -> Result<Vec<u8>, String>) -> Result<Vec<u8>, Error> {
    let mut all = Vec::new();
    loop {
        let bytes = read(all.len() as u64).map_err(Error::Io)?;
        if bytes.is_empty() {
            break;
        }
        if all.len().saturating_add(bytes.len()) as u64 > limits::DOCUMENT_BYTES {
            return Err(Error::exhausted("bytes"));
        }
        all.extend_from_slice(&bytes);
    }
    Ok(all)
}
