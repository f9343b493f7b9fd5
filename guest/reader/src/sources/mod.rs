//! Where bytes come from.

mod file;
mod ignore;
mod near;
mod place;
mod trail;

pub use file::{Found, Node, absolute, find, find_exact, selector};
pub use ignore::heed;
pub use near::PRUNED;
pub use place::failure;
