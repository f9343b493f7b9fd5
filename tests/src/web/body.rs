//! The bytes of a page.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;

/// A function that computes the bytes at an offset.
type Fill = Arc<dyn Fn(u64, &mut [u8]) + Send + Sync>;

/// The bytes of a page.
#[derive(Clone)]
pub enum Body {
    /// Bytes in memory.
    Bytes(Arc<[u8]>),
    /// A file, which may be much larger than the memory.
    File(PathBuf),
    /// Bytes that are computed when they are sent, and their number.
    Computed(u64, Fill),
    /// Bytes that are repeated until the client closes the connection.
    Endless(Arc<[u8]>),
}

impl Body {
    /// Bytes that a function computes when they are sent. It fills the buffer with those at an
    /// offset.
    pub fn computed(length: u64, fill: impl Fn(u64, &mut [u8]) + Send + Sync + 'static) -> Self {
        Self::Computed(length, Arc::new(fill))
    }

    /// The number of bytes. `None` if they do not end.
    pub fn len(&self) -> io::Result<Option<u64>> {
        Ok(match self {
            Self::Bytes(bytes) => Some(bytes.len() as u64),
            Self::File(path) => Some(path.metadata()?.len()),
            Self::Computed(length, _) => Some(*length),
            Self::Endless(_) => None,
        })
    }

    /// Reads bytes at an offset. Returns their number, which is 0 only at the end.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self
            .len()?
            .map_or(u64::MAX, |length| length.saturating_sub(offset));
        let count = buffer
            .len()
            .min(usize::try_from(left).unwrap_or(usize::MAX));
        let buffer = &mut buffer[..count];
        match self {
            Self::Bytes(bytes) => {
                let start = usize::try_from(offset)
                    .unwrap_or(usize::MAX)
                    .min(bytes.len());
                buffer.copy_from_slice(&bytes[start..start + count]);
            }
            Self::File(path) => {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(offset))?;
                file.read_exact(buffer)?;
            }
            Self::Computed(_, fill) => fill(offset, buffer),
            Self::Endless(bytes) => {
                for (byte, at) in buffer.iter_mut().zip(offset..) {
                    let at = at % bytes.len() as u64;
                    *byte = bytes[usize::try_from(at).unwrap_or(0)];
                }
            }
        }
        Ok(count)
    }
}

impl<T: AsRef<[u8]>> From<T> for Body {
    fn from(bytes: T) -> Self {
        Self::Bytes(bytes.as_ref().into())
    }
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} bytes", self.len())
    }
}
