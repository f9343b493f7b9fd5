//! What a session has shown: its generations, and its files.

use crate::session::Session;
use crate::session_state::SessionState;
use crate::snapshots::{Snapshot, Tagged};
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
            self.reader().allows(Path::new(real))
        })
    }

    /// Returns the snapshot of the file with this absolute path: its shown lines, and its state
    /// when it was read. `None` if there is no snapshot of the file.
    pub fn snapshot(&self, path: impl AsRef<Path>) -> Option<Snapshot> {
        self.snapshots(path).into_iter().next()
    }

    /// Returns the snapshots of all versions of the file with this absolute path that were shown or written, the
    /// newest first. Lines of an earlier version that the newest one does not have are what was shown of them.
    pub fn snapshots(&self, path: impl AsRef<Path>) -> Vec<Snapshot> {
        let kept = path.as_ref().to_str().map(|path| self.kept(path));
        let kept = kept.unwrap_or_default().into_iter();
        kept.map(Snapshot::of).collect()
    }

    /// Returns the snapshot of the file with this absolute path whose text had a tag. A tag is short, so that
    /// different texts may have the same one.
    pub fn tagged(&self, path: impl AsRef<Path>, tag: &str) -> Tagged {
        let Some(path) = path.as_ref().to_str() else {
            return Tagged::None;
        };
        let may_show = |kept: &omniread_store::Snapshot| {
            let real = kept.real.as_deref().unwrap_or(&kept.path);
            self.reader().allows(Path::new(real))
        };
        match self.state.store.by_tag(&self.state.handle, path, tag) {
            omniread_store::Tagged::One(one) if may_show(&one) => Tagged::One(Snapshot::of(*one)),
            omniread_store::Tagged::Ambiguous(all) if all.iter().all(may_show) => {
                Tagged::Ambiguous(all.into_iter().map(Snapshot::of).collect())
            }
            _ => Tagged::None,
        }
    }

    /// The snapshots of an absolute path, the newest first. Empty if its file may not be shown any more: a deny
    /// rule covers it, or it is outside the roots.
    pub(crate) fn kept(&self, path: &str) -> Vec<omniread_store::Snapshot> {
        let mut kept = self.state.store.snapshots(&self.state.handle, path);
        kept.retain(|kept| {
            let real = kept.real.as_deref().unwrap_or(&kept.path);
            self.reader().allows(Path::new(real))
        });
        kept
    }
}
