//! Bytes of an open file, or in memory.

use crate::bindings::exports::omniread::read::sqlite;
use crate::bindings::wasi::filesystem::types::{Descriptor, Filesize};

/// Bytes that can be read anywhere.
pub enum Part {
    /// An open file.
    File(Descriptor),
    /// All of them.
    Bytes(Vec<u8>),
}

/// What tells that a file was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    size: Filesize,
    modified: Option<(u64, u32)>,
}

impl From<sqlite::Part> for Part {
    fn from(part: sqlite::Part) -> Self {
        match part {
            sqlite::Part::File(file) => Self::File(file),
            sqlite::Part::Bytes(bytes) => Self::Bytes(bytes),
        }
    }
}

impl Part {
    /// What there is now.
    pub fn stamp(&self) -> Result<Stamp, String> {
        match self {
            Self::Bytes(bytes) => Ok(Stamp {
                size: bytes.len() as u64,
                modified: None,
            }),
            Self::File(file) => {
                let stat = file.stat().map_err(|error| error.name().to_owned())?;
                let time = stat.data_modification_timestamp;
                Ok(Stamp {
                    size: stat.size,
                    modified: time.map(|time| (time.seconds, time.nanoseconds)),
                })
            }
        }
    }

    /// Bytes that there are.
    pub fn size(&self) -> Result<u64, String> {
        Ok(self.stamp()?.size)
    }

    /// Reads from `offset` on, as much as there is up to the room.
    pub fn read(&self, offset: u64, room: &mut [u8]) -> Result<usize, String> {
        match self {
            Self::Bytes(bytes) => {
                let start = usize::try_from(offset).unwrap_or(usize::MAX);
                let held = bytes.get(start..).unwrap_or_default();
                let count = held.len().min(room.len());
                if let (Some(to), Some(from)) = (room.get_mut(..count), held.get(..count)) {
                    to.copy_from_slice(from);
                }
                Ok(count)
            }
            Self::File(file) => {
                let mut done = 0usize;
                while done < room.len() {
                    let left = room.get_mut(done..).unwrap_or_default();
                    let at = offset.saturating_add(done as u64);
                    let (bytes, _) = file
                        .read(left.len() as u64, at)
                        .map_err(|error| error.name().to_owned())?;
                    let count = bytes.len().min(left.len());
                    if count == 0 {
                        break;
                    }
                    if let (Some(to), Some(from)) = (left.get_mut(..count), bytes.get(..count)) {
                        to.copy_from_slice(from);
                    }
                    done = done.saturating_add(count);
                }
                Ok(done)
            }
        }
    }
}
