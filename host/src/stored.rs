//! Content that a program stores in a session, so that a model can read it as `artifact://N`.

use crate::artifacts::{self, Draft, Source};
use crate::session::Session;
use omniread_store::{ArtifactSummary, StoreError};
use std::fmt;
use std::io::{self, ErrorKind, Read};

/// The size of the pieces in bytes in which content is read and written.
const PIECE: usize = 256 << 10;

impl Session {
    /// Stores bytes as an artifact, and returns its URL: `artifact://3`. Reads of this session read the URL like a
    /// file of the media type `mime`, with all selectors. `source` says in lists where the bytes come from: a path, a
    /// URL, or a command.
    ///
    /// An artifact never changes. The oldest artifacts of the store are removed for a new one. Bytes that the
    /// session has from the same source get the URL that they have.
    ///
    /// # Errors
    /// Fails if the bytes are larger than the store allows for all artifacts together, or if the store cannot be
    /// written. No other artifact is removed if they are too large.
    pub fn store(&self, source: &str, mime: &str, bytes: &[u8]) -> Result<String, StoreError> {
        let number = artifacts::store(&self.state, &Source::named(source), mime, bytes)?;
        Ok(artifacts::url(number))
    }

    /// Stores all bytes of a reader as [`store`](Self::store) does. They are not in memory as a whole.
    ///
    /// # Errors
    /// Fails as `store` does, or if the reader fails. The size is known only at the end, so that other artifacts may
    /// be removed for one that turns out to be too large.
    pub fn store_from(
        &self,
        source: &str,
        mime: &str,
        mut content: impl Read,
    ) -> Result<String, StoreFromError> {
        let mut draft = Draft::new(&self.state, Source::named(source), mime);
        let mut piece = vec![0; PIECE];
        loop {
            match content.read(&mut piece) {
                Ok(0) => break,
                Ok(length) => draft.write(piece.get(..length).unwrap_or(&piece))?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(StoreFromError::Read(error)),
            }
        }
        Ok(artifacts::url(draft.finish(&self.state)?))
    }

    /// The artifacts of this session, by their numbers, without those whose files may not be shown any more: a deny
    /// rule covers them, or they are outside the roots.
    pub fn artifacts(&self) -> Vec<ArtifactSummary> {
        let mut all = self.state.store.artifacts(&self.state.handle);
        all.retain(|artifact| artifacts::refusal(self.policy(), artifact).is_none());
        all
    }
}

/// An error of [`Session::store_from`].
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreFromError {
    /// The content cannot be read.
    Read(io::Error),
    /// The content cannot be stored.
    Store(StoreError),
}

impl From<StoreError> for StoreFromError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl fmt::Display for StoreFromError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "cannot read the content of the artifact: {error}"),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StoreFromError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(error) => Some(error),
            Self::Store(error) => Some(error),
        }
    }
}
