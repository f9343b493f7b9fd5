//! Where bytes come from.

pub mod archive;
mod companion;
mod database;
mod file;
mod ignore;
mod inflate;
mod inside;
mod misdirected;
mod near;
mod place;
mod shared;
mod sniffed;
mod trail;

pub use database::{Database, is_database, is_named_so};
pub use file::{Found, Node, absolute, find, find_exact, selector};
pub use ignore::heed;
pub use inflate::Codec;
pub use inside::{Bare, Content, Denies, Inside, Members, enter};
pub use misdirected::not_in_root;
pub use near::PRUNED;
pub use place::{Place, failure};
