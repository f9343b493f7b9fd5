//! A source that its first owner keeps while a parser tries to read it.

use crate::world::{FileError, Info, Remote, Source};
use std::cell::RefCell;
use std::rc::Rc;

/// A source with several owners. One owner reads at a time.
#[derive(Clone)]
pub struct Shared(Rc<RefCell<Box<dyn Source>>>);

impl Shared {
    /// Wraps `source` for several owners.
    pub fn new(source: Box<dyn Source>) -> Self {
        Self(Rc::new(RefCell::new(source)))
    }
}

impl Source for Shared {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        self.0.borrow_mut().read(offset, len, out)
    }

    fn seekable(&self) -> bool {
        self.0.borrow().seekable()
    }

    fn rewindable(&self) -> bool {
        self.0.borrow().rewindable()
    }

    fn remote(&self) -> bool {
        self.0.borrow().remote()
    }

    fn expect(&mut self, offset: u64, length: u64) {
        self.0.borrow_mut().expect(offset, length);
    }

    fn shared(&self) -> Option<Remote> {
        self.0.borrow().shared()
    }

    fn info(&mut self) -> Info {
        self.0.borrow_mut().info()
    }

    fn state(&mut self) -> Option<[u64; 2]> {
        self.0.borrow_mut().state()
    }
}
