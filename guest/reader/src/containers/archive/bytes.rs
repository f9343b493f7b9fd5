//! The bytes of an archive that may be inside another file: seekable, or read into memory.

use crate::limits;
use crate::world::{Bytes, FileError, Source};
use std::io::{self, Read as _};

/// Reads bytes of a source from the offset `at` on into a slice, as [`io::Read`] does.
pub fn read_into(source: &mut dyn Source, at: u64, out: &mut [u8]) -> io::Result<usize> {
    let mut bytes = Vec::new();
    source
        .read(at, out.len(), &mut bytes)
        .map_err(|error| io::Error::other(error.to_string()))?;
    bytes.as_slice().read(out)
}

/// Returns a seekable source and its size. A source that is not seekable, such as a member of
/// another archive, or that has no known size, is read into memory.
pub fn into_seekable(
    mut source: Box<dyn Source>,
    size: Option<u64>,
) -> Result<(Box<dyn Source>, u64), FileError> {
    if let Some(size) = size.filter(|_| source.seekable()) {
        return Ok((source, size));
    }
    let bytes = read_to_memory(&mut *source, "nested-archive", limits::NESTED_BYTES)?;
    let size = bytes.len() as u64;
    Ok((Box::new(Bytes::new(bytes)), size))
}

/// Reads all bytes of a source into memory, up to `limit` bytes. `name` is the name of the limit in
/// the error message.
///
/// # Errors
/// Fails if there are more bytes, or if they cannot be read.
pub fn read_to_memory(
    source: &mut dyn Source,
    name: &'static str,
    limit: usize,
) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    loop {
        let before = bytes.len();
        source.read(before as u64, limits::CHUNK_BYTES, &mut bytes)?;
        if bytes.len() == before {
            return Ok(bytes);
        }
        if bytes.len() > limit {
            return Err(FileError::Limit(name, limit as u64));
        }
    }
}
