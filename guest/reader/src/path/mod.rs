//! What a path string says, before anything is opened. Pure: nothing here asks
//! the disk.

mod ending;
mod escape;
mod lines;
mod locator;
pub mod query;
mod rest;
mod selector;
mod units;

pub use ending::ends_in;
pub use escape::{as_file, escape, escape_all, is_escaped};
pub use lines::{Lines, Range, Start};
pub use locator::{
    Locator, Scheme, by_form, clean, is_absolute, is_address, is_known, is_relative, locate,
};
pub use rest::{Rest, behind};
pub use selector::{Part, Selector, without_column};
pub use units::{UnitKind, UnitRange};
