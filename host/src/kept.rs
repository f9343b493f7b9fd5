//! What outlives the reads of a session.

use crate::cache::Cache;
use crate::snapshots::Snapshots;

/// What a session keeps.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// What was shown of which file.
    pub(crate) snapshots: Snapshots,
    /// What readers keep for later reads.
    pub(crate) cache: Cache,
}
