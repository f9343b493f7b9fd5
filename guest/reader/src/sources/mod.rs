//! From a path string to the bytes that it names.
//!
//! ```text
//! resolve      the path → an open file, stream or directory, and the rest of the path
//! repair       what a path that does not exist probably means
//! pattern      what a path that does not exist matches as a pattern
//! search       what these two share
//! ignore       ignore files, where a dialect honours them
//! enter        the rest of the path → a member, a directory of an archive, a database
//! lookup       a name in an archive that is not that of a file
//! companion    the files that belong to a database in an archive
//! database     a database, with the files beside it
//! misdirected  failures of what follows a name that exists
//! ```

mod companion;
mod database;
mod enter;
mod ignore;
mod lookup;
mod misdirected;
mod pattern;
mod peeked;
mod repair;
mod resolve;
mod search;
mod symlinks;

pub use database::Database;
pub use enter::{Content, Denies, Inside, Members, enter};
pub use ignore::heed;
pub use misdirected::{not_in_root, selector};
pub use resolve::{Found, Node, absolute, resolve};
pub use search::PRUNED;
