//! The import `session`: state that outlives a read, such as snapshots and the cache.

use crate::bindings::omniread::parts::session::{Host, Snapshot};
use crate::sandbox::examine;
use crate::snapshots;
use crate::state::State;
use std::path::Path;
use wasmtime::Result;

impl Host for State {
    fn remember(&mut self, snapshot: Snapshot) -> Result<()> {
        let filesystem = &self.system.filesystem;
        let path = Path::new(&snapshot.path);
        // A process that reads once keeps nothing.
        if !self.keeps() {
            return Ok(());
        }
        let hashed = self.session.on_disk && snapshot.sha256.is_none();
        let Some(examined) = examine(&filesystem.policy, path, hashed) else {
            return Ok(());
        };
        let before = filesystem.opened_as(&examined.stamp);
        let reported =
            snapshots::reported(snapshot, before, examined, self.began, self.session.on_disk);
        self.session.store.remember(&self.session.handle, reported);
        Ok(())
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
        let mut artifact =
            self.session
                .store
                .artifact(&self.session.handle, &source, "text/markdown");
        let written = artifact
            .write(text.as_bytes())
            .and_then(|()| artifact.finish());
        Ok(written.ok().map(|number| number.to_string()))
    }

    fn lasting(&mut self) -> Result<bool> {
        Ok(self.keeps())
    }

    fn put(&mut self, key: String, value: Vec<u8>) -> Result<bool> {
        Ok(self.session.store.put(&self.session.handle, &key, &value))
    }
}

impl State {
    /// Whether later reads get what this one keeps.
    pub(super) fn keeps(&self) -> bool {
        self.access.lasting || self.session.on_disk
    }
}
