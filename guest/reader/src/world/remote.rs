//! A source that is read over a network, with several owners.

use super::{FileError, Info, Source, part_from};
use crate::limits;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// A source of which every read is a request over a network, such as the body of a response from a
/// server that accepts ranges. Clones share it.
/// Its first bytes are kept in memory, because several readers detect from them what the source is.
#[derive(Clone)]
pub struct Remote(Rc<RefCell<Shared>>);

struct Shared {
    source: Box<dyn Source>,
    size: u64,
    /// The first bytes, up to [`limits::RANGE_BYTES`], as far as they were read.
    head: Vec<u8>,
}

impl Remote {
    /// Gives a source several owners if it is read over a network. Any other source is returned
    /// unchanged, and so is one whose size is not known.
    pub fn share(mut source: Box<dyn Source>) -> Box<dyn Source> {
        if !source.remote() || !source.seekable() || source.shared().is_some() {
            return source;
        }
        match source.info().size {
            Some(size) => Box::new(Self::new(source, size)),
            None => source,
        }
    }

    /// Gives a source of `size` bytes several owners.
    pub fn new(source: Box<dyn Source>, size: u64) -> Self {
        Self(Rc::new(RefCell::new(Shared {
            source,
            size,
            head: Vec::new(),
        })))
    }

    /// The number of bytes.
    pub fn size(&self) -> u64 {
        self.0.borrow().size
    }

    /// The first bytes that were read.
    pub fn head(&self) -> Vec<u8> {
        self.0.borrow().head.clone()
    }

    /// Reads bytes until `length` bytes are read or the source ends, in as few requests as the
    /// source allows.
    ///
    /// # Errors
    /// Fails if the source cannot be read.
    pub fn bytes(&self, offset: u64, length: u64) -> Result<Vec<u8>, FileError> {
        let mut shared = self.0.borrow_mut();
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < length {
            let before = bytes.len();
            let rest = length.saturating_sub(before as u64);
            let rest = usize::try_from(rest).unwrap_or(usize::MAX);
            let at = offset.saturating_add(before as u64);
            shared.read(at, rest, &mut bytes)?;
            if bytes.len() == before {
                break;
            }
        }
        Ok(bytes)
    }
}

impl Shared {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        let known = part_from(&self.head, 0, offset);
        if !known.is_empty() {
            out.extend_from_slice(known.get(..len).unwrap_or(known));
            return Ok(());
        }
        let before = out.len();
        self.source.read(offset, len, out)?;
        if offset == self.head.len() as u64 {
            let most = usize::try_from(limits::RANGE_BYTES).unwrap_or(usize::MAX);
            let room = most.saturating_sub(self.head.len());
            let read = out.get(before..).unwrap_or_default();
            self.head
                .extend_from_slice(read.get(..room).unwrap_or(read));
        }
        Ok(())
    }
}

impl Source for Remote {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        self.0.borrow_mut().read(offset, len, out)
    }

    fn seekable(&self) -> bool {
        true
    }

    fn remote(&self) -> bool {
        true
    }

    fn shared(&self) -> Option<Remote> {
        Some(self.clone())
    }

    fn expect(&mut self, offset: u64, length: u64) {
        self.0.borrow_mut().source.expect(offset, length);
    }

    fn has_more(&self, offset: u64) -> Option<bool> {
        Some(offset < self.size())
    }

    fn info(&mut self) -> Info {
        self.0.borrow_mut().source.info()
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote")
            .field("size", &self.size())
            .finish_non_exhaustive()
    }
}

impl PartialEq for Remote {
    /// Whether both are owners of the same source.
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Remote {}
