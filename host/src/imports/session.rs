//! The import `session`: state that outlives a read, such as snapshots and the cache.

use crate::bindings::omniread::parts::session::{Host, Snapshot};
use crate::snapshots::Report;
use crate::state::State;
use wasmtime::Result;

impl Host for State {
    fn remember(&mut self, snapshot: Snapshot) -> Result<()> {
        let shown = snapshot.shown.iter();
        let report = Report {
            path: snapshot.path,
            tag: snapshot.tag,
            shown: shown.map(|lines| (lines.first, lines.last)).collect(),
            size: snapshot.size,
            modified: snapshot.modified,
            sha256: snapshot.sha256,
        };
        self.session.snapshots.remember(report, self.began);
        Ok(())
    }

    fn get(&mut self, key: String) -> Result<Option<Vec<u8>>> {
        Ok(self.session.cache.get(&key))
    }

    fn stores_artifacts(&mut self) -> Result<bool> {
        Ok(false)
    }

    fn store_artifact(&mut self, _: String, _: String) -> Result<Option<String>> {
        Ok(None)
    }

    fn lasting(&mut self) -> Result<bool> {
        Ok(self.access.lasting)
    }

    fn put(&mut self, key: String, value: Vec<u8>) -> Result<bool> {
        Ok(self.session.cache.put(key, value))
    }
}
