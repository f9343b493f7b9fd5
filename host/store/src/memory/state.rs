//! The data of a store in memory, and the removal of what exceeds its limits.

use super::artifacts::Artifacts;
use super::cache::Cache;
use crate::backend::{Draft, entry_bytes};
use crate::error::StoreError;
use crate::handle::Handle;
use crate::limits::{ENTRY_BYTES, HANDLES, PART_OVERHEAD, REPLIES, StoreLimits, VERSIONS};
use crate::records::{NewReply, PathSummary, ShownImages, ShownReply};
use crate::snapshot::{Snapshot, Window};
use crate::versions::{Runs, facts_bytes, joined_facts, run_bytes, same_version};
use std::collections::{BTreeMap, HashMap};

/// All data of a store in memory.
#[derive(Debug)]
pub(super) struct State {
    limits: StoreLimits,
    clients: BTreeMap<Handle, Client>,
    /// The paths of all handles, by the time of their last use according to `clock`.
    used: BTreeMap<u64, (Handle, String)>,
    /// The keys of shown replies of all handles, by the time of their last use according to `clock`.
    replies: BTreeMap<u64, (Handle, [u8; 32])>,
    /// The number of uses so far, which serves as the time.
    clock: u64,
    pub(super) cache: Cache,
    pub(super) artifacts: Artifacts,
    /// The size of all snapshots, as it counts for the limits.
    text: u64,
    /// The size of the paths of all shown replies.
    reply_paths: u64,
}

/// The data of one handle.
#[derive(Debug, Default)]
struct Client {
    /// The time of the last write according to `clock`.
    used: u64,
    generation: u64,
    /// The images that were shown in the generation.
    images: ShownImages,
    paths: HashMap<String, Versions>,
    replies: HashMap<[u8; 32], (u64, ShownReply)>,
}

/// The versions of a path, the newest last.
#[derive(Debug, Default)]
struct Versions {
    used: u64,
    all: Vec<Version>,
}

/// A version of a path.
#[derive(Debug)]
pub(super) struct Version {
    facts: Snapshot,
    windows: Vec<Window>,
    runs: Runs,
}

impl Version {
    /// Adds the windows and lines of a snapshot of the same version.
    fn add(&mut self, windows: Vec<Window>, runs: Runs) {
        for window in windows {
            let lines = (window.first, window.last);
            self.windows.retain(|old| (old.first, old.last) != lines);
            self.windows.push(window);
        }
        for run in runs.into_parts() {
            self.runs.insert(run);
        }
    }

    fn bytes(&self) -> u64 {
        let windows = (self.windows.len() as u64).saturating_mul(PART_OVERHEAD);
        let parts = facts_bytes(&self.facts).saturating_add(windows);
        let runs = self.runs.iter().map(run_bytes);
        runs.fold(parts, u64::saturating_add)
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot {
            windows: self.windows.clone(),
            runs: self.runs.clone().joined(),
            ..self.facts.clone()
        }
    }
}

impl State {
    pub(super) fn new(limits: StoreLimits) -> Self {
        Self {
            limits,
            clients: BTreeMap::new(),
            used: BTreeMap::new(),
            replies: BTreeMap::new(),
            clock: 0,
            cache: Cache::default(),
            artifacts: Artifacts::default(),
            text: 0,
            reply_paths: 0,
        }
    }

    /// The data of a handle. If there are too many for a new one, those of the handle that was used longest ago are
    /// removed.
    fn client(&mut self, handle: &Handle) -> &mut Client {
        if self.clients.len() >= HANDLES && !self.clients.contains_key(handle) {
            let oldest = self.clients.iter().min_by_key(|(_, client)| client.used);
            if let Some(oldest) = oldest.map(|(handle, _)| handle.clone()) {
                self.clear(&oldest);
            }
        }
        self.clock += 1;
        let clock = self.clock;
        let client = self.clients.entry(handle.clone()).or_default();
        client.used = clock;
        client
    }

    pub(super) fn remember(&mut self, handle: &Handle, mut snapshot: Snapshot) -> bool {
        let limits = self.limits;
        self.clock += 1;
        let clock = self.clock;
        let path = snapshot.path.clone();
        let versions = self.client(handle).paths.entry(path.clone()).or_default();
        let before = std::mem::replace(&mut versions.used, clock);
        let taken: u64 = versions.all.iter().map(Version::bytes).sum();
        let windows = std::mem::take(&mut snapshot.windows);
        let runs = std::mem::take(&mut snapshot.runs).into_iter().collect();
        snapshot.text_left_out = false;
        let same = versions
            .all
            .pop_if(|newest| same_version(&newest.facts, &snapshot));
        let mut version = match same {
            Some(newest) => Version {
                facts: joined_facts(&newest.facts, &snapshot),
                ..newest
            },
            None => Version {
                facts: snapshot,
                windows: Vec::new(),
                runs: Runs::default(),
            },
        };
        version.add(windows, runs);
        if version.bytes() > limits.text() {
            version.runs = Runs::default();
            version.facts.text_left_out = true;
        }
        if version.bytes() > limits.text() {
            version.windows.clear();
        }
        versions.all.push(version);
        if versions.all.len() > VERSIONS {
            versions.all.remove(0);
        }
        let now: u64 = versions.all.iter().map(Version::bytes).sum();
        self.text = self.text.saturating_sub(taken).saturating_add(now);
        self.used.remove(&before);
        self.used.insert(clock, (handle.clone(), path.clone()));
        self.remove_excess(handle);
        !self.versions(handle, &path).is_empty()
    }

    /// Removes the paths of a handle, and then those of all handles, that exceed the limits.
    fn remove_excess(&mut self, handle: &Handle) {
        let count = self
            .clients
            .get(handle)
            .map_or(0, |client| client.paths.len());
        for _ in self.limits.paths..count {
            let mut all = self.used.iter();
            let oldest = all.find(|(_, (of, _))| of == handle);
            let Some(oldest) = oldest.map(|(used, _)| *used) else {
                break;
            };
            self.remove_path(oldest);
        }
        while self.text > self.limits.text()
            && let Some((&oldest, _)) = self.used.first_key_value()
        {
            // The path that was used last remains alone in the end. Only its newest version is kept.
            if self.used.len() > 1 || !self.remove_oldest_version(oldest) {
                self.remove_path(oldest);
            }
        }
        self.shrink_cache();
    }

    fn remove_oldest_version(&mut self, used: u64) -> bool {
        let place = self.used.get(&used);
        let versions = place.and_then(|(handle, path)| {
            let client = self.clients.get_mut(handle)?;
            client.paths.get_mut(path)
        });
        match versions {
            Some(versions) if versions.all.len() > 1 => {
                let removed = versions.all.remove(0).bytes();
                self.text = self.text.saturating_sub(removed);
                true
            }
            _ => false,
        }
    }

    fn remove_path(&mut self, used: u64) {
        let Some((handle, path)) = self.used.remove(&used) else {
            return;
        };
        let client = self.clients.get_mut(&handle);
        let versions = client.and_then(|client| client.paths.remove(&path));
        let bytes: u64 = versions
            .iter()
            .flat_map(|v| &v.all)
            .map(Version::bytes)
            .sum();
        self.text = self.text.saturating_sub(bytes);
    }

    fn shrink_cache(&mut self) {
        let bytes = self.limits.cache(self.text, self.artifacts.bytes);
        self.cache.shrink(bytes);
    }

    pub(super) fn versions(&self, handle: &Handle, path: &str) -> &[Version] {
        let client = self.clients.get(handle);
        let versions = client.and_then(|client| client.paths.get(path));
        versions.map(|versions| &*versions.all).unwrap_or_default()
    }

    pub(super) fn paths(&self, handle: &Handle) -> Vec<PathSummary> {
        let Some(client) = self.clients.get(handle) else {
            return Vec::new();
        };
        let mut paths: Vec<_> = client.paths.iter().collect();
        paths.sort_by_key(|(_, versions)| std::cmp::Reverse(versions.used));
        let summary = |(path, versions): (&String, &Versions)| PathSummary {
            path: path.clone(),
            versions: versions.all.len(),
            real: versions
                .all
                .last()
                .and_then(|newest| newest.facts.real.clone()),
            tag: versions
                .all
                .last()
                .and_then(|newest| newest.facts.tag.clone()),
            read: versions.all.last().map_or(0, |newest| newest.facts.read),
            bytes: versions.all.iter().map(Version::bytes).sum(),
        };
        paths.into_iter().map(summary).collect()
    }

    pub(super) fn put(&mut self, handle: &Handle, key: &str, value: &[u8]) -> bool {
        self.cache.remove(handle, key);
        let room = self.limits.cache(self.text, self.artifacts.bytes);
        if entry_bytes(key, value) > room.min(ENTRY_BYTES) {
            return false;
        }
        self.client(handle);
        self.cache.push(handle, key, value.to_vec());
        self.shrink_cache();
        true
    }

    pub(super) fn artifact_limit(&self) -> u64 {
        self.limits.artifacts()
    }

    pub(super) fn append(&mut self, draft: &mut Draft, part: &[u8]) -> Result<(), StoreError> {
        let limit = self.artifact_limit();
        let room = limit.saturating_sub(part.len() as u64);
        if !self.artifacts.shrink(room) {
            return Err(StoreError::NoRoom { limit });
        }
        let starts = draft.id.is_none();
        self.artifacts.append(draft, part)?;
        if starts {
            self.client(&draft.handle);
        }
        self.shrink_cache();
        Ok(())
    }

    pub(super) fn generation(&self, handle: &Handle) -> u64 {
        self.clients
            .get(handle)
            .map_or(0, |client| client.generation)
    }

    pub(super) fn start_generation(&mut self, handle: &Handle) -> u64 {
        let client = self.client(handle);
        client.generation += 1;
        client.images = ShownImages::default();
        let generation = client.generation;
        let shown = std::mem::take(&mut client.replies);
        for (used, reply) in shown.into_values() {
            self.replies.remove(&used);
            self.reply_paths = self.reply_paths.saturating_sub(reply.path.len() as u64);
        }
        generation
    }

    pub(super) fn images(&self, handle: &Handle) -> ShownImages {
        let client = self.clients.get(handle);
        client.map_or_else(ShownImages::default, |client| client.images)
    }

    pub(super) fn add_images(
        &mut self,
        handle: &Handle,
        generation: u64,
        images: ShownImages,
    ) -> bool {
        if generation != self.generation(handle) {
            return false;
        }
        let shown = &mut self.client(handle).images;
        shown.count = shown.count.saturating_add(images.count);
        shown.tokens = shown.tokens.saturating_add(images.tokens);
        true
    }

    pub(super) fn shown(&self, handle: &Handle, key: &[u8; 32]) -> Option<ShownReply> {
        let (_, reply) = self.clients.get(handle)?.replies.get(key)?;
        Some(reply.clone())
    }

    pub(super) fn note_shown(
        &mut self,
        handle: &Handle,
        key: &[u8; 32],
        reply: &NewReply<'_>,
        now: i64,
    ) -> bool {
        if reply.generation != self.generation(handle) {
            return false;
        }
        self.clock += 1;
        let clock = self.clock;
        let path = reply.path;
        let client = self.client(handle);
        let reply = ShownReply {
            content: reply.content,
            path: path.to_owned(),
            generation: client.generation,
            read: now,
        };
        if let Some((before, reply)) = client.replies.insert(*key, (clock, reply)) {
            self.replies.remove(&before);
            self.reply_paths = self.reply_paths.saturating_sub(reply.path.len() as u64);
        }
        self.replies.insert(clock, (handle.clone(), *key));
        self.reply_paths = self.reply_paths.saturating_add(path.len() as u64);
        while (self.replies.len() > REPLIES || self.reply_paths > self.limits.reply_paths())
            && let Some((_, (handle, key))) = self.replies.pop_first()
        {
            let client = self.clients.get_mut(&handle);
            let removed = client.and_then(|client| client.replies.remove(&key));
            let bytes = removed.map_or(0, |(_, reply)| reply.path.len() as u64);
            self.reply_paths = self.reply_paths.saturating_sub(bytes);
        }
        true
    }

    pub(super) fn clear(&mut self, handle: &Handle) {
        let paths = self.used.iter().filter(|(_, (of, _))| of == handle);
        let paths: Vec<u64> = paths.map(|(used, _)| *used).collect();
        for used in paths {
            self.remove_path(used);
        }
        self.replies.retain(|_, (of, _)| of != handle);
        self.cache.clear(handle);
        self.artifacts.clear(handle);
        if let Some(client) = self.clients.remove(handle) {
            let paths = client
                .replies
                .values()
                .map(|(_, reply)| reply.path.len() as u64);
            let paths = paths.fold(0, u64::saturating_add);
            self.reply_paths = self.reply_paths.saturating_sub(paths);
        }
    }

    pub(super) fn handles(&self) -> Vec<Handle> {
        self.clients.keys().cloned().collect()
    }
}
