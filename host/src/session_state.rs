//! The state of a session between its reads.

use crate::cache::Cache;
use crate::snapshots::Snapshots;

/// The state of a session between its reads.
#[derive(Debug, Default)]
pub(crate) struct SessionState {
    /// The files and lines that were shown.
    pub(crate) snapshots: Snapshots,
    /// The data that the reader caches for later reads.
    pub(crate) cache: Cache,
}
