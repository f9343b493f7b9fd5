//! What a path string says, before anything is opened. Pure: nothing here asks
//! the disk.

mod escape;
mod locator;
mod selector;

pub use escape::{escape, escape_all, escape_with, unescape};
pub use locator::{Locator, Scheme, clean, is_absolute, is_address, is_relative, locate};
pub use selector::{Lines, Range, Selector, Start};
