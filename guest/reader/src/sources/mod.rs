//! Where bytes come from.

mod file;
mod ignore;
mod near;
mod place;

pub use file::{Found, Node, find, find_exact, selector};
pub use ignore::heed;
pub use near::PRUNED;
pub use place::failure;
