//! Bytes of an open file, or in memory.

use crate::bindings::exports::omniread::read::sqlite;
use crate::bindings::wasi::filesystem::types::{Descriptor, Filesize};
use std::cell::RefCell;

/// Bytes that are read at a time where one read follows another: tables lie
/// mostly in order, and a call costs as much as some pages.
const AHEAD: usize = 64 * 1024;

/// Bytes that can be read anywhere.
pub enum Part {
    /// An open file.
    File(File),
    /// All of them.
    Bytes(Vec<u8>),
}

/// An open file, and what was read of it ahead.
pub struct File {
    descriptor: Descriptor,
    ahead: RefCell<Ahead>,
}

#[derive(Default)]
struct Ahead {
    at: u64,
    bytes: Vec<u8>,
    /// Where the latest read ended.
    end: u64,
}

/// What tells that a file was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    size: Filesize,
    modified: Option<(u64, u32)>,
    /// Names that the file has.
    pub names: u64,
}

impl From<sqlite::Part> for Part {
    fn from(part: sqlite::Part) -> Self {
        match part {
            sqlite::Part::File(descriptor) => Self::File(File {
                descriptor,
                ahead: RefCell::default(),
            }),
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
                names: 1,
            }),
            Self::File(file) => {
                let stat = file
                    .descriptor
                    .stat()
                    .map_err(|error| error.name().to_owned())?;
                let time = stat.data_modification_timestamp;
                Ok(Stamp {
                    size: stat.size,
                    modified: time.map(|time| (time.seconds, time.nanoseconds)),
                    names: stat.link_count,
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
            Self::Bytes(bytes) => Ok(copy(bytes, offset, room)),
            Self::File(file) => file.read(offset, room),
        }
    }

    /// The same of what there is now, whatever was read ahead.
    pub fn read_anew(&self, offset: u64, room: &mut [u8]) -> Result<usize, String> {
        match self {
            Self::Bytes(_) => {}
            Self::File(file) => file.ahead.borrow_mut().bytes.clear(),
        }
        self.read(offset, room)
    }
}

impl File {
    fn read(&self, offset: u64, room: &mut [u8]) -> Result<usize, String> {
        let mut ahead = self.ahead.borrow_mut();
        let mut done = 0usize;
        while let Some(left) = room.get_mut(done..).filter(|left| !left.is_empty()) {
            let at = offset.saturating_add(done as u64);
            let held = at.checked_sub(ahead.at);
            let mut count = held.map_or(0, |at| copy(&ahead.bytes, at, left));
            if count == 0 {
                let wanted = if at == ahead.end {
                    left.len().max(AHEAD)
                } else {
                    left.len()
                };
                let read = self.descriptor.read(wanted as u64, at);
                let (bytes, _) = read.map_err(|error| error.name().to_owned())?;
                ahead.at = at;
                ahead.bytes = bytes;
                count = copy(&ahead.bytes, 0, left);
            }
            if count == 0 {
                break;
            }
            done = done.saturating_add(count);
            ahead.end = at.saturating_add(count as u64);
        }
        Ok(done)
    }
}

/// Copies what there is of some bytes from a place on, and tells how many.
fn copy(bytes: &[u8], from: u64, room: &mut [u8]) -> usize {
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    let held = bytes.get(from..).unwrap_or_default();
    let count = held.len().min(room.len());
    if let (Some(to), Some(from)) = (room.get_mut(..count), held.get(..count)) {
        to.copy_from_slice(from);
    }
    count
}
