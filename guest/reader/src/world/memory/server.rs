//! A server that accepts ranges, and an SQL engine that only records what it opens, for tests.

use crate::world::{
    Bounds, Bytes, Connection, DatabaseError, FileError, Info, Rows, Source, Value,
};
use std::cell::Cell;
use std::rc::Rc;

/// The body of a response of a server that accepts ranges.
pub struct Ranged {
    bytes: Bytes,
    size: u64,
    /// The number of requests.
    requests: Rc<Cell<u64>>,
}

impl Ranged {
    pub fn new(bytes: Vec<u8>, requests: Rc<Cell<u64>>) -> Self {
        Self {
            size: bytes.len() as u64,
            bytes: Bytes::new(bytes),
            requests,
        }
    }
}

impl Source for Ranged {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        self.requests.set(self.requests.get() + 1);
        self.bytes.read(offset, len, out)
    }

    fn seekable(&self) -> bool {
        true
    }

    fn remote(&self) -> bool {
        true
    }

    fn info(&mut self) -> Info {
        Info {
            size: Some(self.size),
            ..Info::default()
        }
    }
}

/// A database without tables.
pub struct Empty;

impl Connection for Empty {
    fn notes(&mut self) -> Vec<String> {
        Vec::new()
    }

    fn execute(&mut self, _: &str, _: &[Value], _: Bounds) -> Result<Rows, DatabaseError> {
        Ok(Rows::default())
    }
}
