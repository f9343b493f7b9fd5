//! The syntax of paths: schemes, escape form, suffixes and selectors.
//!
//! All functions are pure. None of them accesses the filesystem.

pub mod cells;
mod conflict;
mod ending;
mod escape;
mod extraction;
mod fragment;
mod lines;
pub mod list;
mod locator;
mod picture;
pub mod query;
pub mod rows;
mod selector;
mod suffix;
mod symbol;
mod units;
mod view;

pub use conflict::{Conflict, is_conflict_address};
pub use ending::{ending, ends_in, is_one_of};
pub use escape::{as_file, escape, escape_all, is_escaped};
pub use extraction::{Extraction, Key};
pub use fragment::follows as is_fragment;
pub use lines::{Lines, Range, Start};
pub use locator::{
    Locator, Scheme, by_form, clean, is_absolute, is_address, is_relative, locate, short_file_url,
};
pub use picture::Picture;
pub use selector::{Part, Selector, View};
pub use suffix::{Suffix, strip_separator};
pub use symbol::{Indentation, Symbol};
pub use units::{UnitKind, UnitRange};
