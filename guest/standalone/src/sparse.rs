//! Bytes of which only parts are known. There is no host that provides other bytes.

use crate::bindings::exports::omniread::parts::inputs::{self, GuestSource, GuestSparse, Range};
use omniread_sparse::{KNOWN_BYTES, Parts};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Bytes of which only parts are known, and the memory that is counted for them.
pub struct Sparse {
    parts: Rc<RefCell<Parts>>,
    counted: Cell<usize>,
}

/// A source that reads the known parts.
pub struct Source(Rc<RefCell<Parts>>);

impl GuestSparse for Sparse {
    fn new(size: u64) -> Self {
        Self {
            parts: Rc::new(RefCell::new(Parts::new(size))),
            counted: Cell::new(0),
        }
    }

    fn add(&self, offset: u64, bytes: Vec<u8>) -> Result<(), String> {
        self.parts.borrow_mut().add(offset, bytes, |more| {
            let counted = self.counted.get().saturating_add(more);
            let is_counted = counted <= KNOWN_BYTES;
            if is_counted {
                self.counted.set(counted);
            }
            is_counted
        })
    }

    fn open(&self) -> inputs::Source {
        inputs::Source::new(Source(Rc::clone(&self.parts)))
    }

    fn missing(&self) -> Option<Range> {
        let (offset, length) = self.parts.borrow_mut().missing()?;
        Some(Range { offset, length })
    }
}

impl GuestSource for Source {
    fn size(&self) -> Option<u64> {
        Some(self.0.borrow().size())
    }

    fn read(&self, offset: u64, length: u64) -> Result<Vec<u8>, String> {
        self.0.borrow_mut().read(offset, length)
    }
}
