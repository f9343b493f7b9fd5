//! Bytes that the host supplies, such as those of an internal URL.

use super::{Stop, Stopped, wait};
use std::fmt;
use std::sync::Arc;

/// The maximum number of bytes that one call of `read` returns. The reader requests this many.
const READ_BYTES: usize = 64 * 1024;

/// The bytes of a resource, such as the content of an internal URL. A call may block, for example
/// on a network. A read whose time is up does not wait for the call any longer. A `Vec<u8>` has the bytes of a
/// resource in memory.
pub trait Bytes: Send + Sync {
    /// Reads up to `length` bytes from `offset`. Returns at least one byte, unless `offset` is at
    /// the end of the bytes.
    ///
    /// # Errors
    /// Fails with a message if the bytes cannot be read.
    fn read(&self, offset: u64, length: usize) -> Result<Vec<u8>, String>;
}

impl Bytes for Vec<u8> {
    fn read(&self, offset: u64, length: usize) -> Result<Self, String> {
        let start = usize::try_from(offset).map_or(self.len(), |start| start.min(self.len()));
        let end = start.saturating_add(length).min(self.len());
        Ok(self.get(start..end).unwrap_or_default().to_vec())
    }
}

/// Bytes that the host supplies to a sandbox, and their number, if known. A read whose time is
/// up does not wait for them any longer.
#[derive(Clone)]
pub struct Source {
    bytes: Arc<dyn Bytes>,
    size: Option<u64>,
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source")
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

impl Source {
    /// Creates a source. `size` is the number of bytes, if known.
    pub fn new(bytes: Arc<dyn Bytes>, size: Option<u64>) -> Self {
        Self { bytes, size }
    }

    /// The number of bytes, if known.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// Reads up to `length` bytes from `offset`. Returns at least one byte, unless `offset` is at
    /// the end of the bytes.
    ///
    /// # Errors
    /// The outer error means that the read was stopped. The inner error is the reason why the bytes
    /// cannot be read.
    pub fn read(
        &self,
        offset: u64,
        length: u64,
        stop: &Stop,
    ) -> Result<Result<Vec<u8>, String>, Stopped> {
        let length = usize::try_from(length).map_or(READ_BYTES, |length| length.min(READ_BYTES));
        let bytes = Arc::clone(&self.bytes);
        let read = wait(stop, move || bytes.read(offset, length))?;
        Ok(match read {
            Ok(read) => read.map(|mut bytes| {
                bytes.truncate(length);
                bytes
            }),
            Err(none) => Err(none.message().to_owned()),
        })
    }
}
