//! Names from a notebook, such as the type of a cell, in a message or heading.

use crate::convert;
use crate::escapes::escape_invisible;
use crate::limits;
use std::borrow::Cow;

/// A name from a notebook. A name of more than [`limits::NOTEBOOK_NAME_CHARS`] characters is cut
/// and ends with `…`.
pub fn shortened(name: &str) -> Cow<'_, str> {
    convert::shortened(name, limits::NOTEBOOK_NAME_CHARS)
}

/// A name from a notebook on one line: cut as by [`shortened`], and with hidden characters escaped.
pub fn shown_name(name: &str) -> String {
    escape_invisible(&shortened(name))
}
