//! Bytes of an open file, of the host, or in memory.

use crate::bindings::omniread::parts::inputs::{self, Source};
use crate::bindings::wasi::filesystem::types::{Descriptor, Filesize};
use std::cell::RefCell;

/// The number of bytes that are requested from the host if a read starts where the previous one
/// ended. The pages of a table are mostly in order, and a call costs as much as reading several
/// pages.
const AHEAD: usize = 64 * 1024;

/// The number of bytes that the first read of a file requests from the host. They contain a small database, or the
/// first pages of its schema.
const FIRST: usize = 16 * 1024;

/// A file of a database, as bytes with random access.
pub enum Input {
    /// A handle, and the bytes that were read ahead from it.
    Handle(Handle, RefCell<Ahead>),
    /// All bytes in memory.
    Bytes(Vec<u8>),
}

/// A file or source of the host. Each read of it is a call to the host.
pub enum Handle {
    /// An open file.
    File(Descriptor),
    /// Bytes that the host provides, such as the body of a web page.
    Source(Source),
}

/// The bytes that the latest call to the host returned, for the following reads.
#[derive(Default)]
pub struct Ahead {
    at: u64,
    bytes: Vec<u8>,
    /// The offset at which the latest read ended.
    end: u64,
}

/// The metadata of a file by which a change of the file is detected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    size: Filesize,
    modified: Option<(u64, u32)>,
    /// The number of hard links.
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
    /// The current metadata of the file.
    pub fn stamp(&self) -> Result<Stamp, String> {
        match self {
            Self::Bytes(bytes) => Ok(Stamp::unchanging(bytes.len() as u64)),
            Self::Handle(handle, _) => handle.stamp(),
        }
    }

    /// The current size of the file in bytes.
    pub fn size(&self) -> Result<u64, String> {
        Ok(self.stamp()?.size)
    }

    /// Reads from `offset` on until `room` is full or the input ends. Returns the number of bytes
    /// that were read.
    pub fn read(&self, offset: u64, room: &mut [u8]) -> Result<usize, String> {
        match self {
            Self::Bytes(bytes) => Ok(copy(bytes, offset, room)),
            Self::Handle(handle, ahead) => ahead.borrow_mut().read(handle, offset, room),
        }
    }

    /// Calls `visit` with `length` bytes from `offset` on, which are read ahead as in [`Self::read`]. They are not
    /// copied. Does not call it if the input ends before.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    pub fn visit(
        &self,
        offset: u64,
        length: usize,
        visit: &mut dyn FnMut(&[u8]),
    ) -> Result<(), String> {
        match self {
            Self::Bytes(bytes) => {
                part(bytes, offset, length).map(visit);
                Ok(())
            }
            Self::Handle(handle, ahead) => {
                let mut ahead = ahead.borrow_mut();
                if ahead.part(offset, length).is_none() {
                    let wanted = if offset == ahead.end {
                        length.max(AHEAD)
                    } else {
                        length
                    };
                    ahead.bytes = handle.read(offset, wanted as u64)?;
                    ahead.at = offset;
                }
                ahead.end = offset.saturating_add(length as u64);
                ahead.part(offset, length).map(visit);
                Ok(())
            }
        }
    }

    /// Reads the current bytes, and not those that were read ahead. The bytes that were read ahead stay: they are
    /// valid if the file has not changed.
    pub fn read_anew(&self, offset: u64, room: &mut [u8]) -> Result<usize, String> {
        match self {
            Self::Bytes(bytes) => Ok(copy(bytes, offset, room)),
            Self::Handle(handle, _) => {
                let mut done = 0usize;
                while let Some(left) = room.get_mut(done..).filter(|left| !left.is_empty()) {
                    let at = offset.saturating_add(done as u64);
                    let count = copy(&handle.read(at, left.len() as u64)?, 0, left);
                    if count == 0 {
                        break;
                    }
                    done = done.saturating_add(count);
                }
                Ok(done)
            }
        }
    }
}

impl Stamp {
    /// The size of the file in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The metadata of `size` bytes that cannot change.
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
    fn part(&self, offset: u64, length: usize) -> Option<&[u8]> {
        part(&self.bytes, offset.checked_sub(self.at)?, length)
    }

    fn read(&mut self, handle: &Handle, offset: u64, room: &mut [u8]) -> Result<usize, String> {
        let mut done = 0usize;
        while let Some(left) = room.get_mut(done..).filter(|left| !left.is_empty()) {
            let at = offset.saturating_add(done as u64);
            let start = at.checked_sub(self.at);
            let mut count = start.map_or(0, |at| copy(&self.bytes, at, left));
            if count == 0 {
                let wanted = match handle {
                    Handle::File(_) if at == 0 => left.len().max(FIRST),
                    _ if at == self.end => left.len().max(AHEAD),
                    _ => left.len(),
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

/// `length` of the bytes from `offset` on.
fn part(bytes: &[u8], offset: u64, length: usize) -> Option<&[u8]> {
    let from = usize::try_from(offset).ok()?;
    bytes.get(from..from.checked_add(length)?)
}

/// Copies `bytes` from the offset `from` on into `room`. Returns the number of copied bytes.
fn copy(bytes: &[u8], from: u64, room: &mut [u8]) -> usize {
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    let available = bytes.get(from..).unwrap_or_default();
    let count = available.len().min(room.len());
    if let (Some(to), Some(from)) = (room.get_mut(..count), available.get(..count)) {
        to.copy_from_slice(from);
    }
    count
}
