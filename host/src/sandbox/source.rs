//! Bytes that the host has, such as the body of a web page.

use super::{Stop, Stopped, wait};
use std::fmt;
use std::sync::Arc;

/// Bytes of one call: what the reader asks for.
const READ_BYTES: usize = 64 * 1024;

/// Where bytes of the host come from. A call may wait, for example for a network: no
/// read waits for it past its deadline.
pub trait Bytes: Send + Sync {
    /// Up to `length` bytes from `offset`: at least one, unless that is the end.
    ///
    /// # Errors
    /// What went wrong.
    fn read(&self, offset: u64, length: usize) -> Result<Vec<u8>, String>;
}

/// Bytes of the host, as a sandbox reads them. No read waits for them past its end.
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
    /// Bytes that a read may have, and how many there are, if that is known.
    pub fn new(bytes: Arc<dyn Bytes>, size: Option<u64>) -> Self {
        Self { bytes, size }
    }

    /// How many bytes there are, if that is known.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// Up to `length` bytes from `offset`: at least one, unless that is the end.
    ///
    /// # Errors
    /// If the read is to stop; inside of that, what went wrong.
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
