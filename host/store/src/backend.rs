//! The functions that a store in memory and a store in a directory implement.

use crate::error::{Dropped, StoreError};
use crate::handle::Handle;
use crate::limits::OVERHEAD;
use crate::records::{ArtifactSummary, NewReply, PathSummary, SetAside, ShownImages, ShownReply};
use crate::snapshot::Snapshot;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::SystemTime;

/// The functions of a store. `Store` documents them.
pub(crate) trait Backend: Debug + Send + Sync {
    fn remember(&self, handle: &Handle, snapshot: Snapshot) -> bool;
    /// The versions of a path, the newest first; with a tag, only those that have it.
    fn versions(&self, handle: &Handle, path: &str, tag: Option<&str>) -> Vec<Snapshot>;
    fn paths(&self, handle: &Handle) -> Vec<PathSummary>;

    fn get(&self, handle: &Handle, key: &str) -> Option<Vec<u8>>;
    fn put(&self, handle: &Handle, key: &str, value: &[u8]) -> bool;

    /// Adds a part to an artifact that is not finished.
    fn append(&self, draft: &mut Draft, part: &[u8]) -> Result<(), StoreError>;
    /// Adds the last part, and returns the number of the artifact.
    fn finish(&self, draft: &mut Draft, part: &[u8]) -> Result<u64, StoreError>;
    /// Removes the parts of an artifact that is not finished.
    fn abandon(&self, id: i64);
    /// The maximum size of an artifact in bytes.
    fn artifact_limit(&self) -> u64;
    fn open_artifact(
        &self,
        handle: &Handle,
        number: u64,
    ) -> Result<(Arc<dyn Parts>, ArtifactSummary), StoreError>;
    fn artifacts(&self, handle: &Handle) -> Vec<ArtifactSummary>;

    fn generation(&self, handle: &Handle) -> u64;
    fn start_generation(&self, handle: &Handle) -> Result<u64, StoreError>;
    fn shown(&self, handle: &Handle, key: &[u8; 32]) -> Option<ShownReply>;
    fn note_shown(&self, handle: &Handle, key: &[u8; 32], reply: &NewReply<'_>) -> bool;

    fn images(&self, handle: &Handle) -> ShownImages;
    fn add_images(&self, handle: &Handle, generation: u64, images: ShownImages) -> bool;

    fn clear(&self, handle: &Handle) -> Result<(), StoreError>;
    fn clear_all(&self) -> Result<(), StoreError>;
    fn handles(&self) -> Vec<Handle>;
    fn set_aside(&self) -> Option<SetAside>;
    fn dropped(&self) -> Dropped;
}

/// The parts of an artifact that is open. They stay after the artifact is removed to make room.
pub(crate) trait Parts: Debug + Send + Sync {
    /// The part with this number, from 0.
    fn part(&self, number: u64) -> Result<Vec<u8>, StoreError>;
}

/// An artifact that is not finished.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) handle: Handle,
    pub(crate) source: String,
    pub(crate) real: Option<String>,
    pub(crate) mime: String,
    /// The identifier in the store, once it contains a part.
    pub(crate) id: Option<i64>,
    /// The number of parts so far.
    pub(crate) parts: u64,
    /// The size of all parts so far in bytes.
    pub(crate) size: u64,
}

/// The time in nanoseconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |time| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX))
}

/// The size of an entry, as it counts for the limits. Its key counts twice, because an index contains
/// it too.
pub(crate) fn entry_bytes(key: &str, value: &[u8]) -> u64 {
    let key = (key.len() as u64).saturating_mul(2);
    key.saturating_add(value.len() as u64)
        .saturating_add(OVERHEAD)
}
