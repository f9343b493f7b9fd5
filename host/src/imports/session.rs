//! The import `session`: state that outlives a read, such as snapshots and the cache.

use crate::artifacts::{self, Draft, Source};
use crate::bindings::omniread::parts::session::{Change, Comparison, Earlier, Host, Snapshot};
use crate::compared;
use crate::sandbox::examine;
use crate::snapshots;
use crate::state::State;
use std::path::Path;
use wasmtime::Result;

impl Host for State {
    fn remember(&mut self, snapshot: Snapshot) -> Result<()> {
        let hashed = self.session.on_disk && snapshot.sha256.is_none();
        if let Some(reported) = self.reported(snapshot, hashed) {
            self.session.store.remember(&self.session.handle, reported);
        }
        Ok(())
    }

    fn compare(&mut self, snapshot: Snapshot) -> Result<Comparison> {
        let versions = self
            .session
            .store
            .snapshots(&self.session.handle, &snapshot.path);
        if versions.is_empty() {
            return Ok(Comparison::Unchanged);
        }
        let Some(now) = self.reported(snapshot, true) else {
            return Ok(Comparison::Unchanged);
        };
        let is_current = |then: &omniread_store::Snapshot| snapshots::is_same(then, &now);
        let has_text = versions.iter().all(|then| !then.text_left_out);
        let places = compared::compare(&now, &versions, is_current);
        let change = |place: compared::Place| Change {
            first: place.first,
            lines: place.lines as u64,
            before: place.before as u64,
        };
        Ok(match places {
            None => Comparison::Unchanged,
            Some(places) if places.is_empty() && !has_text => Comparison::Unknown,
            Some(places) => Comparison::Changed(places.into_iter().map(change).collect()),
        })
    }

    fn show(&mut self, key: Vec<u8>, path: String) -> Result<Option<Earlier>> {
        let Ok(key) = <[u8; 32]>::try_from(key) else {
            return Ok(None);
        };
        if !self.keeps() {
            return Ok(None);
        }
        let (store, handle) = (&self.session.store, &self.session.handle);
        let earlier = store.shown(handle, &key);
        store.note_shown(handle, &key, &path);
        Ok(earlier.map(|earlier| Earlier {
            path: earlier.path,
            age: snapshots::seconds_since(earlier.read),
        }))
    }

    fn keeps_text(&mut self) -> Result<bool> {
        Ok(self.keeps())
    }

    fn get(&mut self, key: String) -> Result<Option<Vec<u8>>> {
        Ok(self.session.store.get(&self.session.handle, &key))
    }

    fn stores_artifacts(&mut self) -> Result<bool> {
        Ok(self.keeps())
    }

    fn store_artifact(&mut self, source: String, text: String) -> Result<Option<String>> {
        let source = self.source(source);
        let stored = artifacts::store(&self.session, &source, "text/markdown", text.as_bytes());
        Ok(stored.ok().map(|number| number.to_string()))
    }

    fn lasting(&mut self) -> Result<bool> {
        Ok(self.keeps())
    }

    fn put(&mut self, key: String, value: Vec<u8>) -> Result<bool> {
        Ok(self.session.store.put(&self.session.handle, &key, &value))
    }

    fn start_artifact(&mut self, source: String, mime: String) -> Result<bool> {
        self.artifact = self
            .keeps()
            .then(|| Draft::new(&self.session, self.source(source), &mime));
        Ok(self.artifact.is_some())
    }

    fn write_artifact(&mut self, bytes: Vec<u8>) -> Result<bool> {
        let written = self
            .artifact
            .as_mut()
            .is_some_and(|draft| draft.write(&bytes).is_ok());
        if !written {
            self.artifact = None;
        }
        Ok(written)
    }

    fn finish_artifact(&mut self) -> Result<Option<String>> {
        let draft = self.artifact.take();
        let number = draft.and_then(|draft| draft.finish(&self.session).ok());
        Ok(number.map(|number| number.to_string()))
    }
}

impl State {
    /// A snapshot with what the host knows of its file. `None` if nothing is kept of it.
    fn reported(&self, snapshot: Snapshot, hashed: bool) -> Option<omniread_store::Snapshot> {
        // A process that reads once keeps nothing.
        if !self.keeps() {
            return None;
        }
        let filesystem = &self.system.filesystem;
        let hashed = hashed && snapshot.sha256.is_none();
        let examined = examine(&filesystem.policy, Path::new(&snapshot.path), hashed)?;
        let before = filesystem.opened_as(&examined.stamp);
        let on_disk = self.session.on_disk;
        Some(snapshots::reported(
            snapshot, before, examined, self.began, on_disk,
        ))
    }

    /// The source of an artifact: with the file that was opened last, which is the one that the read shows.
    fn source(&self, name: String) -> Source {
        let real = self.system.filesystem.last_real.as_deref();
        let real = real.and_then(|real| real.to_str()).map(str::to_owned);
        Source { name, real }
    }

    /// Whether later reads get what this one keeps.
    pub(super) fn keeps(&self) -> bool {
        self.access.lasting || self.session.on_disk
    }
}
