//! A store, which all functions of this crate go through.

use crate::artifact::{Artifact, ArtifactWriter};
use crate::backend::{Backend, Draft};
#[cfg(feature = "disk")]
use crate::disk::{self, Disk};
use crate::error::{Dropped, StoreError};
use crate::handle::Handle;
use crate::limits::{PATH_BYTES, StoreLimits};
use crate::memory::Memory;
use crate::records::{ArtifactSummary, NewReply, PathSummary, SetAside, ShownImages, ShownReply};
use crate::snapshot::{Snapshot, Tagged};
use crate::versions::tagged;
#[cfg(feature = "disk")]
use std::path::Path;
use std::sync::Arc;

/// What sessions keep between their reads. Clones share the same data.
///
/// A write that is not possible is dropped and counted, so that a read never fails because of its
/// session. See [`Store::dropped`].
#[derive(Clone, Debug)]
pub struct Store(Arc<dyn Backend>);

/// A store that was opened in a directory.
#[cfg(feature = "disk")]
#[derive(Debug)]
pub struct Opened {
    /// The store.
    pub store: Store,
    /// The previous file of the store, if it was not usable.
    pub set_aside: Option<SetAside>,
}

impl Store {
    /// Makes a store that ends with the process.
    pub fn memory(limits: StoreLimits) -> Self {
        Self(Arc::new(Memory::new(limits)))
    }

    /// Opens the store in a directory, and creates both if they do not exist. Several processes can
    /// use the same directory.
    ///
    /// The directory must belong to the user of the process, must not be a symlink, and must not be
    /// writable by others. A file that is not a store, or is damaged, is renamed and reported.
    #[cfg(feature = "disk")]
    pub fn open(directory: &Path, limits: StoreLimits) -> Result<Opened, StoreError> {
        let (disk, set_aside) = Disk::open(directory, limits)?;
        Ok(Opened {
            store: Self(Arc::new(disk)),
            set_aside,
        })
    }

    /// Whether there is a store in a directory. Nothing is created.
    #[cfg(feature = "disk")]
    pub fn exists(directory: &Path) -> bool {
        disk::exists(directory)
    }

    /// Removes all files of stores in a directory, also those that were set aside. Other processes go on with an empty
    /// store. Returns false if there were none. Nothing is created, and no room on the disk is needed.
    #[cfg(feature = "disk")]
    pub fn erase(directory: &Path) -> Result<bool, StoreError> {
        disk::erase(directory)
    }

    /// Adds what was shown or written of a path. A snapshot of the same version as the newest one is
    /// merged with it. Returns false if nothing of it is kept.
    pub fn remember(&self, handle: &Handle, snapshot: Snapshot) -> bool {
        let tag = snapshot.tag.as_ref().map_or(0, String::len);
        let kept = snapshot.path.len() <= PATH_BYTES && tag <= PATH_BYTES;
        kept && self.0.remember(handle, snapshot)
    }

    /// The versions of a path, the newest first.
    pub fn snapshots(&self, handle: &Handle, path: &str) -> Vec<Snapshot> {
        self.0.versions(handle, path, None)
    }

    /// The snapshot of a path with a tag.
    pub fn by_tag(&self, handle: &Handle, path: &str, tag: &str) -> Tagged {
        tagged(self.0.versions(handle, path, Some(tag)))
    }

    /// The paths with snapshots. The path that was read last is the first one.
    pub fn paths(&self, handle: &Handle) -> Vec<PathSummary> {
        self.0.paths(handle)
    }

    /// The value of a key in the cache, which becomes the most recently used one.
    pub fn get(&self, handle: &Handle, key: &str) -> Option<Vec<u8>> {
        self.0.get(handle, key)
    }

    /// Puts a value into the cache, in place of the previous value of its key. Returns false if the
    /// value is too large or was dropped. No value is stored under the key then.
    pub fn put(&self, handle: &Handle, key: &str, value: &[u8]) -> bool {
        self.0.put(handle, key, value)
    }

    /// Starts a new artifact of a path or URL.
    pub fn artifact(&self, handle: &Handle, source: &str, mime: &str) -> ArtifactWriter {
        let draft = Draft {
            handle: handle.clone(),
            source: source.to_owned(),
            real: None,
            mime: mime.to_owned(),
            id: None,
            parts: 0,
            size: 0,
        };
        ArtifactWriter::new(Arc::clone(&self.0), draft)
    }

    /// Opens the artifact with a number. The error says whether it was removed to make room, or never was there:
    /// a number is not used again until the handle is cleared.
    pub fn open_artifact(&self, handle: &Handle, number: u64) -> Result<Artifact, StoreError> {
        let (parts, summary) = self.0.open_artifact(handle, number)?;
        Ok(Artifact::new(parts, summary))
    }

    /// The maximum size of an artifact in bytes, which is that of all artifacts together.
    pub fn artifact_limit(&self) -> u64 {
        self.0.artifact_limit()
    }

    /// The artifacts that are finished, by their numbers.
    pub fn artifacts(&self, handle: &Handle) -> Vec<ArtifactSummary> {
        self.0.artifacts(handle)
    }

    /// The number of the present generation: the part of a conversation that its model still sees.
    pub fn generation(&self, handle: &Handle) -> u64 {
        self.0.generation(handle)
    }

    /// Starts a new generation, in which no reply was shown, and returns its number.
    ///
    /// After an error, other processes do not know of the generation. In this process, no earlier reply counts as
    /// shown, and the next write that is possible starts it.
    pub fn start_generation(&self, handle: &Handle) -> Result<u64, StoreError> {
        self.0.start_generation(handle)
    }

    /// The reply with a key, if it was shown in the present generation.
    pub fn shown(&self, handle: &Handle, key: &[u8; 32]) -> Option<ShownReply> {
        self.0.shown(handle, key)
    }

    /// Notes that a reply with a key was shown for a path. Returns false if that was dropped.
    pub fn note_shown(&self, handle: &Handle, key: &[u8; 32], reply: &NewReply<'_>) -> bool {
        reply.path.len() <= PATH_BYTES && self.0.note_shown(handle, key, reply)
    }

    /// The images that were shown in the present generation.
    pub fn images(&self, handle: &Handle) -> ShownImages {
        self.0.images(handle)
    }

    /// Adds images that a reply shows, which was requested in a generation. Returns false if that was dropped, or if
    /// it is not the present one.
    pub fn add_images(&self, handle: &Handle, generation: u64, images: ShownImages) -> bool {
        self.0.add_images(handle, generation, images)
    }

    /// Removes everything that a handle has. Its generations count from 0 again.
    pub fn clear(&self, handle: &Handle) -> Result<(), StoreError> {
        self.0.clear(handle)
    }

    /// Removes everything.
    pub fn clear_all(&self) -> Result<(), StoreError> {
        self.0.clear_all()
    }

    /// The handles that have data, in alphabetical order.
    pub fn handles(&self) -> Vec<Handle> {
        self.0.handles()
    }

    /// The file that was set aside since the store was opened, because a read found it damaged. The store goes on
    /// with a new one.
    pub fn set_aside(&self) -> Option<SetAside> {
        self.0.set_aside()
    }

    /// The numbers of writes that this process dropped since it opened the store.
    pub fn dropped(&self) -> Dropped {
        self.0.dropped()
    }
}
