//! Where the bytes of a file come from.

use crate::limits;

/// Bytes that can be read at any offset.
pub trait Source {
    /// The number of bytes.
    fn size(&self) -> u64;

    /// Reads up to `length` bytes from `offset`: at least one, except at the end.
    ///
    /// # Errors
    /// Fails with a message if they cannot be read.
    fn read(&self, offset: u64, length: u64) -> Result<Vec<u8>, String>;

    /// Whether many small reads cost little, as in a file on disk.
    fn is_local(&self) -> bool;
}

/// Why objects cannot be read one by one.
#[derive(Debug)]
pub enum Failure {
    /// The file must be read whole.
    Whole,
    /// The bytes cannot be read. The message says why.
    Io(String),
}

/// All bytes of a source. `None` if there are too many.
///
/// # Errors
/// Fails with a message if they cannot be read.
pub fn whole(source: &dyn Source) -> Result<Option<Vec<u8>>, String> {
    let size = source.size();
    if size > limits::FILE_BYTES as u64 {
        return Ok(None);
    }
    bytes(source, 0, size).map(Some)
}

/// Reads bytes. There are fewer only at the end of the source.
///
/// # Errors
/// Fails with a message if they cannot be read.
pub fn bytes(source: &dyn Source, start: u64, length: u64) -> Result<Vec<u8>, String> {
    // The size of a large file is not trusted.
    let expected = length.min(limits::SMALL_FILE_BYTES);
    let mut out = Vec::with_capacity(usize::try_from(expected).unwrap_or_default());
    let mut rest = length;
    while rest > 0 {
        let at = start.saturating_add(out.len() as u64);
        let more = source.read(at, rest)?;
        if more.is_empty() {
            break;
        }
        rest = rest.saturating_sub(more.len() as u64);
        out.extend_from_slice(&more);
    }
    Ok(out)
}
