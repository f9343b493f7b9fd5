//! Where bytes come from.

mod file;
mod ignore;
mod inflate;
mod near;
mod place;
mod sniffed;
mod trail;

pub use file::{Found, Node, absolute, find, find_exact, selector};
pub use ignore::heed;
pub use inflate::{Compression, Inflated};
pub use near::PRUNED;
pub use place::failure;
pub use sniffed::Sniffed;
