//! What a session has shown: its generations, and its files.

use crate::sandbox;
use crate::session::Session;
use crate::session_state::SessionState;
use omniread_store::{PathSummary, StoreError};
use std::path::Path;
use std::sync::Arc;

impl Session {
    /// The number of the present generation: the part of a conversation that its model still sees. The option
    /// `repeat` leaves out only replies that were shown in it.
    pub fn generation(&self) -> u64 {
        self.state.store.generation(&self.state.handle)
    }

    /// Returns a session whose reads belong to the present generation, also if a new one is started before they end.
    /// For a program that queues reads: what they show is then not taken for a part of the new generation.
    #[must_use]
    pub fn in_present_generation(&self) -> Self {
        let generation = self.state.generation;
        let state = SessionState {
            generation: Some(generation.unwrap_or_else(|| self.generation())),
            ..(*self.state).clone()
        };
        let mut session = self.clone();
        session.state = Arc::new(state);
        session
    }

    /// Starts a new generation, in which no reply was shown, and returns its number. To be called after the
    /// conversation was compacted, so that its model does not see earlier replies any more.
    ///
    /// # Errors
    /// Fails if the store cannot be written: other processes do not know of the generation then. In this process, no
    /// earlier reply counts as shown, and the next write that is possible starts the generation.
    pub fn start_generation(&self) -> Result<u64, StoreError> {
        self.state.store.start_generation(&self.state.handle)
    }

    /// The files of which lines were shown. The file that was read last is the first one. Those that may not be shown
    /// any more are missing: a deny rule covers them, or they are outside the roots.
    pub fn shown_files(&self) -> Vec<PathSummary> {
        self.all_files().0
    }

    /// The number of files that are missing in [`shown_files`](Self::shown_files).
    pub fn hidden_files(&self) -> usize {
        self.all_files().1.len()
    }

    /// The files that may be shown, and the others.
    fn all_files(&self) -> (Vec<PathSummary>, Vec<PathSummary>) {
        let all = self.state.store.paths(&self.state.handle).into_iter();
        all.partition(|file| {
            let real = file.real.as_deref().unwrap_or(&file.path);
            sandbox::allows(self.policy(), Path::new(real))
        })
    }
}
