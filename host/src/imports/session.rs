//! The import `session`: state that outlives a read, such as snapshots and the cache.

use crate::artifacts::{self, Draft, Source};
use crate::bindings::omniread::parts::session::{
    Change, Comparison, Earlier, Host, ShownImages, Snapshot,
};
use crate::compared::{self, Compared};
use crate::sandbox::examine;
use crate::snapshots;
use crate::state::State;
use omniread_store::NewReply;
use sha2::{Digest as _, Sha256};
use std::path::Path;
use wasmtime::Result;

impl Host for State {
    fn remember(&mut self, snapshot: Snapshot) -> Result<()> {
        let hashed = self.session.on_disk && snapshot.sha256.is_none();
        // The comparison has examined the file, and hashed it, already.
        let compared = self.compared.take();
        let compared = compared.filter(|compared| compared.path == snapshot.path);
        if let Some(reported) = compared.or_else(|| self.reported(snapshot, hashed)) {
            self.session.store.remember(&self.session.handle, reported);
        }
        Ok(())
    }

    fn compare(&mut self, snapshot: Snapshot) -> Result<Comparison> {
        let versions = self
            .session
            .store
            .snapshots(&self.session.handle, &snapshot.path);
        let Some(now) = self.reported(snapshot, true) else {
            return Ok(Comparison::Unchanged);
        };
        let identity = |then: &omniread_store::Snapshot| snapshots::identity(then, &now);
        let has_text = versions.iter().all(|then| !then.text_left_out);
        let compared = compared::compare(&now, &versions, identity);
        // Without lines, only the hash says that the file is the same.
        self.has_compared = !now.runs.is_empty() || now.hash.is_some();
        self.compared = Some(now);
        let change = |place: compared::Place| Change {
            first: place.first,
            lines: place.lines as u64,
            before: place.before as u64,
        };
        Ok(match compared {
            Compared::Same => Comparison::Unchanged,
            Compared::Changed(places) if places.is_empty() && !has_text => Comparison::Unknown,
            Compared::Changed(places) => {
                Comparison::Changed(places.into_iter().map(change).collect())
            }
            Compared::Unknown => Comparison::Unknown,
        })
    }

    fn show(&mut self, place: Vec<u8>, reply: Vec<u8>, path: String) -> Result<Option<Earlier>> {
        let (Ok(place), Ok(reply)) = (<[u8; 32]>::try_from(place), <[u8; 32]>::try_from(reply))
        else {
            return Ok(None);
        };
        if !self.keeps() || !self.session.is_seen {
            return Ok(None);
        }
        let content = if self.has_compared {
            reply
        } else {
            self.with_files(reply)
        };
        let (store, handle) = (&self.session.store, &self.session.handle);
        let generation = self.session.generation;
        let generation = generation.unwrap_or_else(|| store.generation(handle));
        let earlier = store.shown(handle, &place);
        let earlier =
            earlier.filter(|reply| (reply.content, reply.generation) == (content, generation));
        let shown = NewReply {
            content,
            path: &path,
            generation,
        };
        store.note_shown(handle, &place, &shown);
        Ok(earlier.map(|earlier| Earlier {
            path: earlier.path,
            age: snapshots::seconds_since(earlier.read),
        }))
    }

    fn images(&mut self) -> Result<ShownImages> {
        if !self.keeps() || !self.session.is_seen {
            return Ok(ShownImages {
                count: 0,
                tokens: 0,
            });
        }
        let shown = self.session.store.images(&self.session.handle);
        Ok(ShownImages {
            count: shown.count,
            tokens: shown.tokens,
        })
    }

    fn show_images(&mut self, images: ShownImages) -> Result<()> {
        if !self.keeps() || !self.session.is_seen {
            return Ok(());
        }
        let (store, handle) = (&self.session.store, &self.session.handle);
        let generation = self.session.generation;
        let generation = generation.unwrap_or_else(|| store.generation(handle));
        let images = omniread_store::ShownImages {
            count: images.count,
            tokens: images.tokens,
        };
        store.add_images(handle, generation, images);
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
        let Some(source) = self.source(source) else {
            return Ok(None);
        };
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
        let source = self.source(source).filter(|_| self.keeps());
        self.artifact = source.map(|source| Draft::new(&self.session, source, &mime));
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
        // A process that reads once keeps nothing. A reply that no model sees is not compared either.
        if !self.keeps() || !self.session.is_seen {
            return None;
        }
        let filesystem = &self.system.filesystem;
        let hashed = hashed && snapshot.sha256.is_none();
        let path = Path::new(&snapshot.path);
        let same = (!hashed).then(|| filesystem.examined(path)).flatten();
        let examined = same.or_else(|| examine(&filesystem.policy, path, hashed))?;
        let before = filesystem.opened_as(&examined.stamp);
        let on_disk = self.session.on_disk;
        Some(snapshots::reported(
            snapshot, before, examined, self.began, on_disk,
        ))
    }

    /// The hash of a reply and of the states of the files that were opened for it: a reply with the start of a file,
    /// or with one of its members, does not show whether the file has changed.
    fn with_files(&self, reply: [u8; 32]) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(reply);
        for file in self.system.filesystem.opened_files() {
            hash.update(file.size.to_le_bytes());
            hash.update(file.modified.to_le_bytes());
            hash.update(file.device.to_le_bytes());
            hash.update(file.inode.to_le_bytes());
        }
        hash.finalize().into()
    }

    /// The source of an artifact: with the file that was opened last, which is the one that the read shows. `None` if that
    /// file was removed or replaced meanwhile: nothing is kept of a file whose path cannot be checked later.
    fn source(&self, name: String) -> Option<Source> {
        let real = self.system.filesystem.last_real().ok()?;
        let real = real.and_then(Path::to_str).map(str::to_owned);
        Some(Source { name, real })
    }

    /// Whether later reads get what this one keeps.
    pub(super) fn keeps(&self) -> bool {
        self.access.lasting || self.session.on_disk
    }
}
