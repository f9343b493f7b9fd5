//! Bytes that the host has, such as the body of a web page.

use super::{Stop, Stopped, wait};
use std::fmt;
use std::sync::Arc;

/// Bytes of one read: what the reader asks for.
const READ_BYTES: u64 = 64 * 1024;

/// Where bytes of the host come from. A call may wait; [`Source`] bounds that.
pub trait Bytes: Send + Sync {
    /// How many bytes there are, if that is known.
    fn size(&self) -> Option<u64>;

    /// Up to `length` bytes from `offset`: at least one, unless that is the end.
    ///
    /// # Errors
    /// What went wrong.
    fn read(&self, offset: u64, length: u64) -> Result<Vec<u8>, String>;
}

/// Bytes of the host, as a sandbox reads them. No call of it outlives the read.
#[derive(Clone)]
pub struct Source(Arc<dyn Bytes>);

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Source").finish_non_exhaustive()
    }
}

impl Source {
    /// Bytes that a read may have.
    #[cfg_attr(
        not(test),
        expect(
            dead_code,
            reason = "internal URLs and web pages will be the first callers"
        )
    )]
    pub fn new(bytes: Arc<dyn Bytes>) -> Self {
        Self(bytes)
    }

    /// How many bytes there are, if that is known.
    ///
    /// # Errors
    /// If the read is to stop.
    pub fn size(&self, stop: &Stop) -> Result<Option<u64>, Stopped> {
        let bytes = Arc::clone(&self.0);
        Ok(wait(stop, move || bytes.size())?.flatten())
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
        let bytes = Arc::clone(&self.0);
        let length = length.min(READ_BYTES);
        let read = wait(stop, move || bytes.read(offset, length))?;
        Ok(read.unwrap_or_else(|| Err("the host failed".to_owned())))
    }
}
