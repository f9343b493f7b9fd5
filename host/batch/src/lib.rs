//! Reads of many files: paths in, one row of JSON for each.
//!
//! `omniread batch` is this crate with a command line, and a worker of an engine for many machines is this crate
//! with the queue of that engine. Nothing here plans work: threads take the next path when they are free, so that
//! a slow consumer of rows slows down the reads, and memory does not grow with the number of files.
//!
//! * [`Batch`] (`batch.rs`) has the threads. Each takes an item from `queue.rs`, has `reads.rs` read it, and writes its
//!   row.
//! * `row.rs` is the JSON of a row. `order.rs` has rows wait that were finished before an earlier one.
//! * `expand.rs` lists what directories and archives contain, with the lines that `listing.rs` parses, and
//!   `patterns.rs` finds the files of a pattern.
//! * [`Recorded`] (`recorded.rs`) writes rows to a file, and to a manifest which of them are written.
//!   `manifest.rs` is the format of the manifest, and `recovery.rs` continues one after a process was killed.

mod batch;
mod done;
mod expand;
pub mod limits;
mod listing;
mod manifest;
mod names;
mod order;
mod patterns;
mod progress;
mod queue;
mod reads;
mod recorded;
mod recovery;
mod row;
mod seen;
mod settings;

pub use batch::{Batch, Stopper};
pub use done::Done;
pub use manifest::{Facts, ManifestError};
pub use patterns::is_pattern;
pub use progress::{Progress, Summary};
pub use queue::{Entry, Paths};
pub use recorded::{Opened, Recorded, Target};
pub use row::{Finished, Rows};
pub use settings::Settings;
