//! The parts of a source on a server that were fetched for an engine.

use crate::bindings::omniread::parts::inputs;
use crate::world::fetch::{RemoteParts, Sparse};
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// The parts of a source that were fetched for an engine.
pub type Parts = Rc<RefCell<RemoteParts<inputs::Sparse>>>;

impl Sparse for inputs::Sparse {
    fn add(&self, offset: u64, bytes: Vec<u8>) -> Result<(), String> {
        inputs::Sparse::add(self, offset, &bytes)
    }

    fn missing(&self) -> Option<Range<u64>> {
        let inputs::Range { offset, length } = inputs::Sparse::missing(self)?;
        Some(offset..offset.saturating_add(length))
    }
}
