//! Bytes of an open file, of the host, or in memory.

use crate::bindings::omniread::read::inputs::{self, Source};
use crate::bindings::wasi::filesystem::types::{Descriptor, Filesize};
use std::cell::RefCell;

/// Bytes that are read at a time where one read follows another: tables lie
/// mostly in order, and a call costs as much as some pages.
const AHEAD: usize = 64 * 1024;

/// Bytes that can be read anywhere.
pub enum Input {
    /// Bytes behind a handle.
    Handle(Handle, RefCell<Ahead>),
    /// All of them.
    Bytes(Vec<u8>),
}

/// What is read with a call for each piece.
pub enum Handle {
    /// An open file.
    File(Descriptor),
    /// Bytes of the host.
    Source(Source),
}

/// What was read ahead.
#[derive(Default)]
pub struct Ahead {
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

impl From<inputs::Input> for Input {
    fn from(input: inputs::Input) -> Self {
        let handle = match input {
            inputs::Input::File(descriptor) => Handle::File(descriptor),
            inputs::Input::Source(source) => Handle::Source(source),
            inputs::Input::Bytes(bytes) => return Self::Bytes(bytes),
        };
        Self::Handle(handle, RefCell::default())
    }
}

impl Input {
    /// What there is now.
    pub fn stamp(&self) -> Result<Stamp, String> {
        match self {
            Self::Bytes(bytes) => Ok(Stamp::unchanging(bytes.len() as u64)),
            Self::Handle(handle, _) => handle.stamp(),
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
            Self::Handle(handle, ahead) => ahead.borrow_mut().read(handle, offset, room),
        }
    }

    /// The same of what there is now, whatever was read ahead.
    pub fn read_anew(&self, offset: u64, room: &mut [u8]) -> Result<usize, String> {
        if let Self::Handle(_, ahead) = self {
            ahead.borrow_mut().bytes.clear();
        }
        self.read(offset, room)
    }
}

impl Stamp {
    /// The stamp of bytes that nobody changes.
    fn unchanging(size: u64) -> Self {
        Self {
            size,
            modified: None,
            names: 1,
        }
    }
}

impl Handle {
    fn stamp(&self) -> Result<Stamp, String> {
        match self {
            Self::Source(source) => {
                let size = source.size().ok_or("its size is not known")?;
                Ok(Stamp::unchanging(size))
            }
            Self::File(file) => {
                let stat = file.stat().map_err(|error| error.name().to_owned())?;
                let time = stat.data_modification_timestamp;
                Ok(Stamp {
                    size: stat.size,
                    modified: time.map(|time| (time.seconds, time.nanoseconds)),
                    names: stat.link_count,
                })
            }
        }
    }

    fn read(&self, offset: u64, length: u64) -> Result<Vec<u8>, String> {
        match self {
            Self::Source(source) => source.read(offset, length),
            Self::File(file) => match file.read(length, offset) {
                Ok((bytes, _)) => Ok(bytes),
                Err(error) => Err(error.name().to_owned()),
            },
        }
    }
}

impl Ahead {
    fn read(&mut self, handle: &Handle, offset: u64, room: &mut [u8]) -> Result<usize, String> {
        let mut done = 0usize;
        while let Some(left) = room.get_mut(done..).filter(|left| !left.is_empty()) {
            let at = offset.saturating_add(done as u64);
            let held = at.checked_sub(self.at);
            let mut count = held.map_or(0, |at| copy(&self.bytes, at, left));
            if count == 0 {
                let wanted = if at == self.end {
                    left.len().max(AHEAD)
                } else {
                    left.len()
                };
                self.bytes = handle.read(at, wanted as u64)?;
                self.at = at;
                count = copy(&self.bytes, 0, left);
            }
            if count == 0 {
                break;
            }
            done = done.saturating_add(count);
            self.end = at.saturating_add(count as u64);
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
