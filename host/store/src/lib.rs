//! What a session keeps between its reads, in memory or in a directory: which text of which files was
//! shown, conversions and bodies for later reads, long replies as artifacts, and which replies were shown.
//!
//! Modules import only from modules below them in this table.
//!
//! | module | contents |
//! |---|---|
//! | `store` | the type `Store`, which all functions of this crate go through |
//! | `artifact` | the writer and the reader of an artifact |
//! | `disk` | a store in a directory, with SQLite; `disk/mod.rs` is its map |
//! | `memory` | a store in memory |
//! | `backend` | the functions that both kinds of stores implement |
//! | `versions` | which snapshots show the same version of a file, and which lines replace others |
//! | `snapshot`, `records` | the types of what is kept |
//! | `error` | errors, and the counts of writes that were dropped |
//! | `handle` | the name of the state of one client |
//! | `limits` | the limits, with reasons |

mod artifact;
mod backend;
#[cfg(feature = "disk")]
mod disk;
mod error;
mod handle;
mod limits;
mod memory;
mod records;
mod snapshot;
mod store;
mod versions;

pub use artifact::{Artifact, ArtifactWriter};
pub use error::{Dropped, Problem, StoreError};
pub use handle::Handle;
pub use limits::StoreLimits;
pub use records::{ArtifactSummary, NewReply, PathSummary, SetAside, ShownImages, ShownReply};
pub use snapshot::{Origin, Run, Snapshot, Stamp, Tagged, Window};
#[cfg(feature = "disk")]
pub use store::Opened;
pub use store::Store;
