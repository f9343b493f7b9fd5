//! Bytes of which only parts are known. There is no host that provides other bytes.

use crate::bindings::exports::omniread::read::inputs::{self, GuestSource, GuestSparse, Range};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The maximum number of known bytes. The reader and the engines have their own memory.
const KNOWN_BYTES: usize = 64 << 20;

/// The maximum number of bytes that one read returns. An engine requests up to this many.
const READ_BYTES: usize = 1 << 20;

/// The known parts, which a [`Sparse`] and its sources share.
struct Parts {
    size: u64,
    /// Each part by its offset. No two overlap.
    ranges: BTreeMap<u64, Vec<u8>>,
    /// The number of bytes of all parts.
    known: usize,
    /// The first range that could not be read since the latest call of `missing`.
    missing: Option<Range>,
}

/// Bytes of which only parts are known.
pub struct Sparse(Rc<RefCell<Parts>>);

/// A source that reads the known parts.
pub struct Source(Rc<RefCell<Parts>>);

impl GuestSparse for Sparse {
    fn new(size: u64) -> Self {
        Self(Rc::new(RefCell::new(Parts {
            size,
            ranges: BTreeMap::new(),
            known: 0,
            missing: None,
        })))
    }

    fn add(&self, offset: u64, bytes: Vec<u8>) -> Result<(), String> {
        self.0.borrow_mut().add(offset, bytes)
    }

    fn open(&self) -> inputs::Source {
        inputs::Source::new(Source(Rc::clone(&self.0)))
    }

    fn missing(&self) -> Option<Range> {
        self.0.borrow_mut().missing.take()
    }
}

impl GuestSource for Source {
    fn size(&self) -> Option<u64> {
        Some(self.0.borrow().size)
    }

    fn read(&self, offset: u64, length: u64) -> Result<Vec<u8>, String> {
        self.0.borrow_mut().read(offset, length)
    }
}

impl Parts {
    fn add(&mut self, offset: u64, bytes: Vec<u8>) -> Result<(), String> {
        if bytes.is_empty() {
            return Ok(());
        }
        let end = offset.checked_add(bytes.len() as u64);
        let Some(end) = end.filter(|end| *end <= self.size) else {
            return Err("the part ends after the end of the bytes".to_owned());
        };
        if let Some((start, last)) = self.ranges.range(..end).next_back()
            && start.saturating_add(last.len() as u64) > offset
        {
            return Err("the part has bytes that are known already".to_owned());
        }
        let known = self.known.saturating_add(bytes.len());
        if known > KNOWN_BYTES {
            let limit = KNOWN_BYTES >> 20;
            return Err(format!("more than {limit} MB of the bytes are needed"));
        }
        self.known = known;
        self.ranges.insert(offset, bytes);
        Ok(())
    }

    fn read(&mut self, offset: u64, length: u64) -> Result<Vec<u8>, String> {
        let length = length.min(self.size.saturating_sub(offset));
        if length == 0 {
            return Ok(Vec::new());
        }
        let part = self.ranges.range(..=offset).next_back();
        let known = part.and_then(|(start, bytes)| {
            let skipped = usize::try_from(offset.checked_sub(*start)?).ok()?;
            bytes.get(skipped..).filter(|known| !known.is_empty())
        });
        if let Some(known) = known {
            let most = usize::try_from(length).map_or(READ_BYTES, |most| most.min(READ_BYTES));
            return Ok(known.get(..most).unwrap_or(known).to_vec());
        }
        self.missing.get_or_insert(Range { offset, length });
        Err(format!("the byte at offset {offset} is not known yet"))
    }
}
