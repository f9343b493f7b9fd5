//! The writer and the reader of an artifact: long output that is kept outside of a reply.

use crate::backend::{Backend, Draft};
use crate::error::StoreError;
use crate::limits::{ARTIFACT_BYTES, CHUNK_BYTES, READ_BYTES};
use crate::records::ArtifactSummary;
use std::ops::Deref;
use std::sync::Arc;

/// Writes a new artifact. Without a call of `finish`, nothing of it stays.
#[derive(Debug)]
pub struct ArtifactWriter {
    backend: Arc<dyn Backend>,
    draft: Draft,
    /// The start of the next part.
    buffer: Vec<u8>,
    /// Why the artifact cannot be finished any more.
    failed: Option<StoreError>,
}

impl ArtifactWriter {
    pub(crate) fn new(backend: Arc<dyn Backend>, draft: Draft) -> Self {
        Self {
            backend,
            draft,
            buffer: Vec::new(),
            failed: None,
        }
    }

    /// Appends bytes. After an error, the artifact cannot be finished.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), StoreError> {
        while !bytes.is_empty() {
            if let Some(error) = &self.failed {
                return Err(error.clone());
            }
            let room = CHUNK_BYTES.saturating_sub(self.buffer.len());
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.buffer.extend_from_slice(now);
            bytes = later;
            let size = self.draft.size.saturating_add(self.buffer.len() as u64);
            if size > ARTIFACT_BYTES {
                self.failed = Some(StoreError::ArtifactTooLarge {
                    limit: ARTIFACT_BYTES,
                });
            } else if self.buffer.len() >= CHUNK_BYTES {
                let added = self.backend.append(&mut self.draft, &self.buffer);
                self.failed = added.err();
                self.buffer.clear();
            }
        }
        self.failed.clone().map_or(Ok(()), Err)
    }

    /// Ends the artifact, and returns its number, which counts from 0 for each handle.
    pub fn finish(mut self) -> Result<u64, StoreError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let number = self.backend.finish(&mut self.draft, &self.buffer)?;
        self.draft.id = None;
        Ok(number)
    }
}

impl Drop for ArtifactWriter {
    fn drop(&mut self) {
        if let Some(id) = self.draft.id {
            self.backend.abandon(id);
        }
    }
}

/// An artifact. Its bytes never change.
#[derive(Clone, Debug)]
pub struct Artifact {
    backend: Arc<dyn Backend>,
    id: i64,
    summary: ArtifactSummary,
}

impl Deref for Artifact {
    type Target = ArtifactSummary;

    fn deref(&self) -> &ArtifactSummary {
        &self.summary
    }
}

impl Artifact {
    pub(crate) fn new(backend: Arc<dyn Backend>, id: i64, summary: ArtifactSummary) -> Self {
        Self {
            backend,
            id,
            summary,
        }
    }

    /// Reads up to `length` bytes from an offset. The result is shorter at the end of the artifact, and
    /// it has at most 8 MiB. It is empty after the end.
    pub fn read(&self, offset: u64, length: usize) -> Result<Vec<u8>, StoreError> {
        let left = self.summary.size.saturating_sub(offset);
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        let length = length.min(left).min(READ_BYTES);
        let mut bytes = Vec::with_capacity(length);
        let mut part = offset / CHUNK_BYTES as u64;
        let mut skipped = usize::try_from(offset % CHUNK_BYTES as u64).unwrap_or(0);
        while bytes.len() < length {
            let found = self.backend.part(self.id, part)?;
            let found = found.get(skipped..).unwrap_or_default();
            let wanted = length - bytes.len();
            let found = found.get(..wanted).unwrap_or(found);
            if found.is_empty() {
                return Err(StoreError::Read(crate::error::Problem::Damaged));
            }
            bytes.extend_from_slice(found);
            part += 1;
            skipped = 0;
        }
        Ok(bytes)
    }
}
