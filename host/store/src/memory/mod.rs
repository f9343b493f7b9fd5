//! A store in memory, which ends with its process.
//!
//! `state` has all data, and removes what exceeds the limits. `cache` and `artifacts` are parts of it.

mod artifacts;
mod cache;
mod state;

use crate::backend::{Backend, Draft, Parts, now};
use crate::error::{Dropped, StoreError};
use crate::handle::Handle;
use crate::limits::StoreLimits;
use crate::records::{ArtifactSummary, NewReply, PathSummary, SetAside, ShownImages, ShownReply};
use crate::snapshot::Snapshot;
use state::{State, Version};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A store in memory.
#[derive(Debug)]
pub(crate) struct Memory(Mutex<State>);

impl Memory {
    pub(crate) fn new(limits: StoreLimits) -> Self {
        Self(Mutex::new(State::new(limits)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Backend for Memory {
    fn remember(&self, handle: &Handle, snapshot: Snapshot) -> bool {
        self.state().remember(handle, snapshot)
    }

    fn versions(&self, handle: &Handle, path: &str, tag: Option<&str>) -> Vec<Snapshot> {
        let state = self.state();
        let versions = state.versions(handle, path).iter().rev();
        let versions = versions.map(Version::snapshot);
        let tagged = versions.filter(|version| tag.is_none() || version.tag.as_deref() == tag);
        tagged.collect()
    }

    fn paths(&self, handle: &Handle) -> Vec<PathSummary> {
        self.state().paths(handle)
    }

    fn get(&self, handle: &Handle, key: &str) -> Option<Vec<u8>> {
        self.state().cache.get(handle, key)
    }

    fn put(&self, handle: &Handle, key: &str, value: &[u8]) -> bool {
        self.state().put(handle, key, value)
    }

    fn append(&self, draft: &mut Draft, part: &[u8]) -> Result<(), StoreError> {
        self.state().append(draft, part)
    }

    fn finish(&self, draft: &mut Draft, part: &[u8]) -> Result<u64, StoreError> {
        let mut state = self.state();
        state.append(draft, part)?;
        state.artifacts.finish(draft, now())
    }

    fn abandon(&self, id: i64) {
        self.state().artifacts.remove(id);
    }

    fn artifact_limit(&self) -> u64 {
        self.state().artifact_limit()
    }

    fn open_artifact(
        &self,
        handle: &Handle,
        number: u64,
    ) -> Result<(Arc<dyn Parts>, ArtifactSummary), StoreError> {
        self.state().artifacts.find(handle, number)
    }

    fn artifacts(&self, handle: &Handle) -> Vec<ArtifactSummary> {
        self.state().artifacts.list(handle)
    }

    fn generation(&self, handle: &Handle) -> u64 {
        self.state().generation(handle)
    }

    fn start_generation(&self, handle: &Handle) -> Result<u64, StoreError> {
        Ok(self.state().start_generation(handle))
    }

    fn shown(&self, handle: &Handle, key: &[u8; 32]) -> Option<ShownReply> {
        self.state().shown(handle, key)
    }

    fn note_shown(&self, handle: &Handle, key: &[u8; 32], reply: &NewReply<'_>) -> bool {
        self.state().note_shown(handle, key, reply, now())
    }

    fn images(&self, handle: &Handle) -> ShownImages {
        self.state().images(handle)
    }

    fn add_images(&self, handle: &Handle, generation: u64, images: ShownImages) -> bool {
        self.state().add_images(handle, generation, images)
    }

    fn clear(&self, handle: &Handle) -> Result<(), StoreError> {
        self.state().clear(handle);
        Ok(())
    }

    fn clear_all(&self) -> Result<(), StoreError> {
        let mut state = self.state();
        for handle in state.handles() {
            state.clear(&handle);
        }
        Ok(())
    }

    fn handles(&self) -> Vec<Handle> {
        self.state().handles()
    }

    fn set_aside(&self) -> Option<SetAside> {
        None
    }

    fn dropped(&self) -> Dropped {
        Dropped::default()
    }
}
