//! The artifacts of a store in memory.

use crate::backend::{Draft, Parts};
use crate::error::{Problem, StoreError};
use crate::handle::Handle;
use crate::limits::ARTIFACTS;
use crate::records::ArtifactSummary;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The artifacts of all handles, by their identifiers, which grow.
#[derive(Debug, Default)]
pub(super) struct Artifacts {
    all: BTreeMap<i64, Held>,
    /// The identifier of the newest artifact.
    last: i64,
    /// The number of the next artifact of each handle that has had any.
    next: BTreeMap<Handle, u64>,
    /// The size of all parts of all artifacts, without those that were removed and are still open.
    pub(super) bytes: u64,
}

#[derive(Debug)]
struct Held {
    handle: Handle,
    /// `None` until the artifact is finished.
    summary: Option<ArtifactSummary>,
    parts: Arc<Shared>,
}

/// The parts of an artifact, which those share that opened it.
#[derive(Debug, Default)]
struct Shared {
    parts: Vec<Vec<u8>>,
    /// Whether the handle was cleared.
    is_cleared: AtomicBool,
}

impl Parts for Shared {
    fn part(&self, number: u64) -> Result<Vec<u8>, StoreError> {
        if self.is_cleared.load(Ordering::Relaxed) {
            return Err(StoreError::Cleared);
        }
        let part = usize::try_from(number)
            .ok()
            .and_then(|part| self.parts.get(part));
        part.cloned().ok_or(StoreError::Read(Problem::Damaged))
    }
}

impl Artifacts {
    /// Adds a part, for which the caller has made room.
    pub(super) fn append(&mut self, draft: &mut Draft, part: &[u8]) -> Result<(), StoreError> {
        let id = *draft.id.get_or_insert_with(|| {
            self.last += 1;
            let held = Held {
                handle: draft.handle.clone(),
                summary: None,
                parts: Arc::default(),
            };
            self.all.insert(self.last, held);
            self.last
        });
        let held = self.all.get_mut(&id);
        // Nobody opens an artifact that is not finished.
        let shared = held.and_then(|held| Arc::get_mut(&mut held.parts));
        let shared = shared.ok_or(StoreError::Cleared)?;
        if !part.is_empty() {
            shared.parts.push(part.to_vec());
            draft.parts += 1;
            draft.size = draft.size.saturating_add(part.len() as u64);
            self.bytes = self.bytes.saturating_add(part.len() as u64);
        }
        Ok(())
    }

    pub(super) fn finish(&mut self, draft: &Draft, now: i64) -> Result<u64, StoreError> {
        let held = draft.id.and_then(|id| self.all.get_mut(&id));
        let held = held.ok_or(StoreError::Cleared)?;
        let next = self.next.entry(draft.handle.clone()).or_default();
        let number = *next;
        *next = next.saturating_add(1);
        held.summary = Some(ArtifactSummary {
            number,
            source: draft.source.clone(),
            real: draft.real.clone(),
            mime: draft.mime.clone(),
            size: draft.size,
            created: now,
        });
        let finished = self.all.iter().rev();
        let mut finished = finished.filter(|(_, held)| held.summary.is_some());
        if let Some((oldest, _)) = finished.nth(ARTIFACTS) {
            let oldest = *oldest;
            self.remove(oldest);
        }
        Ok(number)
    }

    /// Removes the oldest finished artifacts until all have at most this number of bytes. Returns false if those
    /// that are not finished have more.
    pub(super) fn shrink(&mut self, bytes: u64) -> bool {
        while self.bytes > bytes {
            let mut all = self.all.iter();
            let Some((id, _)) = all.find(|(_, held)| held.summary.is_some()) else {
                return false;
            };
            self.remove(*id);
        }
        true
    }

    pub(super) fn remove(&mut self, id: i64) {
        if let Some(held) = self.all.remove(&id) {
            let size: usize = held.parts.parts.iter().map(Vec::len).sum();
            self.bytes = self.bytes.saturating_sub(size as u64);
        }
    }

    /// The finished artifacts of a handle.
    fn of(&self, handle: &Handle) -> impl Iterator<Item = (&Held, &ArtifactSummary)> {
        let held = self.all.values().filter(move |held| held.handle == *handle);
        held.filter_map(|held| Some((held, held.summary.as_ref()?)))
    }

    pub(super) fn find(
        &self,
        handle: &Handle,
        number: u64,
    ) -> Result<(Arc<dyn Parts>, ArtifactSummary), StoreError> {
        let mut all = self.of(handle);
        if let Some((held, summary)) = all.find(|(_, summary)| summary.number == number) {
            let parts: Arc<dyn Parts> = Arc::clone(&held.parts) as _;
            return Ok((parts, summary.clone()));
        }
        let was_given = self.next.get(handle).is_some_and(|next| number < *next);
        Err(if was_given {
            StoreError::Evicted { number }
        } else {
            StoreError::NoArtifact { number }
        })
    }

    pub(super) fn list(&self, handle: &Handle) -> Vec<ArtifactSummary> {
        let mut all: Vec<_> = self
            .of(handle)
            .map(|(_, summary)| summary.clone())
            .collect();
        all.sort_by_key(|summary| summary.number);
        all
    }

    pub(super) fn clear(&mut self, handle: &Handle) {
        let all = self.all.iter().filter(|(_, held)| held.handle == *handle);
        let all: Vec<i64> = all
            .map(|(id, held)| {
                held.parts.is_cleared.store(true, Ordering::Relaxed);
                *id
            })
            .collect();
        for id in all {
            self.remove(id);
        }
        self.next.remove(handle);
    }
}
