//! Where bytes come from.

mod file;
mod near;
mod place;

pub use file::{Node, find, find_exact, selector};
pub use near::PRUNED;
pub use place::failure;
