//! The writer and the reader of an artifact: long output that is kept outside of a reply.

use crate::backend::{Backend, Draft, Parts};
use crate::error::StoreError;
use crate::limits::{CHUNK_BYTES, PATH_BYTES, READ_BYTES};
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
        let limit = PATH_BYTES;
        let is_long = draft.source.len() > limit || draft.mime.len() > limit;
        Self {
            backend,
            draft,
            buffer: Vec::new(),
            failed: is_long.then_some(StoreError::SourceTooLong { limit }),
        }
    }

    /// Says which file the content comes from, by its real path.
    #[must_use]
    pub fn of_file(mut self, real: Option<String>) -> Self {
        let limit = PATH_BYTES;
        if real.as_ref().is_some_and(|real| real.len() > limit) {
            self.failed
                .get_or_insert(StoreError::SourceTooLong { limit });
        }
        self.draft.real = real;
        self
    }

    /// Appends bytes. After an error, the artifact cannot be finished.
    ///
    /// The oldest artifacts are removed to make room. Bytes with which the artifact would be too large are refused
    /// before that.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), StoreError> {
        let limit = self.backend.artifact_limit();
        let written = self.draft.size.saturating_add(self.buffer.len() as u64);
        if written.saturating_add(bytes.len() as u64) > limit {
            self.failed
                .get_or_insert(StoreError::ArtifactTooLarge { limit });
        }
        while !bytes.is_empty() {
            if let Some(error) = &self.failed {
                return Err(error.clone());
            }
            let room = CHUNK_BYTES.saturating_sub(self.buffer.len());
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.buffer.extend_from_slice(now);
            bytes = later;
            if self.buffer.len() >= CHUNK_BYTES {
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

/// An artifact that is open. Its bytes never change, and stay readable after it is removed to make room. They are
/// gone after its handle is cleared in the same process.
///
/// An open artifact of a store on disk delays the reuse of the write-ahead log, so that it is not to be kept.
#[derive(Clone, Debug)]
pub struct Artifact {
    parts: Arc<dyn Parts>,
    summary: ArtifactSummary,
}

impl Deref for Artifact {
    type Target = ArtifactSummary;

    fn deref(&self) -> &ArtifactSummary {
        &self.summary
    }
}

impl Artifact {
    pub(crate) fn new(parts: Arc<dyn Parts>, summary: ArtifactSummary) -> Self {
        Self { parts, summary }
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
            let found = self.parts.part(part)?;
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
