//! The artifacts of a store in memory.

use crate::backend::Draft;
use crate::error::{Problem, StoreError};
use crate::handle::Handle;
use crate::records::ArtifactSummary;
use std::collections::BTreeMap;

/// The artifacts of all handles, by their identifiers.
#[derive(Debug, Default)]
pub(super) struct Artifacts {
    all: BTreeMap<i64, Held>,
    /// The identifier of the newest artifact.
    last: i64,
    /// The size of all parts of all artifacts.
    pub(super) bytes: u64,
}

#[derive(Debug)]
struct Held {
    handle: Handle,
    /// `None` until the artifact is finished.
    summary: Option<ArtifactSummary>,
    parts: Vec<Vec<u8>>,
}

impl Artifacts {
    /// Adds a part, for which the caller has made room.
    pub(super) fn append(&mut self, draft: &mut Draft, part: &[u8]) -> Result<(), StoreError> {
        let id = *draft.id.get_or_insert_with(|| {
            self.last += 1;
            let held = Held {
                handle: draft.handle.clone(),
                summary: None,
                parts: Vec::new(),
            };
            self.all.insert(self.last, held);
            self.last
        });
        let held = self.all.get_mut(&id).ok_or(StoreError::Cleared)?;
        if !part.is_empty() {
            held.parts.push(part.to_vec());
            draft.parts += 1;
            draft.size = draft.size.saturating_add(part.len() as u64);
            self.bytes = self.bytes.saturating_add(part.len() as u64);
        }
        Ok(())
    }

    pub(super) fn finish(&mut self, draft: &Draft, now: i64) -> Result<u64, StoreError> {
        let number = self.of(&draft.handle).count() as u64;
        let held = draft.id.and_then(|id| self.all.get_mut(&id));
        held.ok_or(StoreError::Cleared)?.summary = Some(ArtifactSummary {
            number,
            source: draft.source.clone(),
            mime: draft.mime.clone(),
            size: draft.size,
            created: now,
        });
        Ok(number)
    }

    pub(super) fn remove(&mut self, id: i64) {
        if let Some(held) = self.all.remove(&id) {
            let size: usize = held.parts.iter().map(Vec::len).sum();
            self.bytes = self.bytes.saturating_sub(size as u64);
        }
    }

    /// The finished artifacts of a handle.
    fn of(&self, handle: &Handle) -> impl Iterator<Item = (i64, &ArtifactSummary)> {
        let held = self
            .all
            .iter()
            .filter(move |(_, held)| held.handle == *handle);
        held.filter_map(|(id, held)| Some((*id, held.summary.as_ref()?)))
    }

    pub(super) fn find(&self, handle: &Handle, number: u64) -> Option<(i64, ArtifactSummary)> {
        let mut all = self.of(handle);
        let (id, summary) = all.find(|(_, summary)| summary.number == number)?;
        Some((id, summary.clone()))
    }

    pub(super) fn part(&self, id: i64, part: u64) -> Result<Vec<u8>, StoreError> {
        let held = self.all.get(&id).ok_or(StoreError::Cleared)?;
        let part = usize::try_from(part)
            .ok()
            .and_then(|part| held.parts.get(part));
        part.cloned().ok_or(StoreError::Read(Problem::Damaged))
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
        let all: Vec<i64> = all.map(|(id, _)| *id).collect();
        for id in all {
            self.remove(id);
        }
    }
}
