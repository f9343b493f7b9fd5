//! Reads revisions of git repositories without git: references, loose objects, packs and deltas.
//!
//! ```text
//! diff        two texts → a unified diff
//! lookup      a revision and a path in one text → the revision, and a path in its tree
//! path        a path in a tree → a file, a directory, a symlink or a submodule
//! revision    the syntax of revisions → an object
//! references  branches, tags and other names of objects
//! repository  the directories of a repository, and its objects
//! store       the objects of one directory: loose ones, and its packs
//! pack        a pack, its index, and its deltas
//! object      the content of objects: trees, commits, tags
//! config      the few settings that change how a repository is read
//! config_text the syntax of configurations
//! inflate     zlib streams
//! windows     parts of a file in memory
//! files       what the reader of a repository needs of a file system
//! error, kind, id, limits
//! ```
//!
//! Imports point downwards only.
//!
//! The formats are those of the documentation of git: `gitrepository-layout`, `gitformat-pack`, `gitrevisions`
//! and `git-check-ref-format`.
//!
//! Invariants:
//!
//! * Only the parts of files that an answer needs are read. An index is searched where an id is expected, and a
//!   pack is read at the offset of an object.
//! * No name in a repository leads to a file outside of what [`Files`] grants. That decides about each path.
//! * The id of each object is compared with its content. What comes from a damaged pack is an error, and never
//!   other bytes.
//! * Work and memory are bounded for any bytes, with the limits in [`limits`].

#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unwrap_used,
    )
)]

mod config;
mod config_text;
mod diff;
mod error;
mod files;
mod id;
mod inflate;
mod kind;
pub mod limits;
mod lookup;
mod object;
mod pack;
mod path;
mod references;
mod repository;
mod revision;
mod store;
#[cfg(test)]
mod tests;
mod windows;

pub use config_text::{Setting, entries as config_entries};
pub use diff::{Diff, unified};
pub use error::{Candidate, Error};
pub use files::{File, FileError, Files, Kind, Name};
pub use id::{Algorithm, Id};
pub use kind::ObjectKind;
pub use lookup::Located;
pub use object::{Commit, Entry, Mode, Object, Signature, entries};
pub use path::{Found, Item};
pub use references::{Reference, References, Target};
pub use repository::{Repository, settings};
