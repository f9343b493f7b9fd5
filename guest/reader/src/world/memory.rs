//! A world in memory, for tests. It counts its calls.

#![expect(missing_docs, reason = "it is for tests")]

mod database;
mod document;
mod http;

pub use document::MemoryDocument;
pub use http::{MemoryHttp, MemoryResponse};

use super::{
    Bytes, Clock, Connection, DatabaseError, DecoderFormat, Directory, Document, DocumentError,
    Engines, Entry, FileError, FileType, Files, Http, ImageBounds, ImageError, ImageFacts, Info,
    Input, Mount, Network, Parts, ReadTime, Resource, ResourceError, Session, ShownImages,
    Snapshot, Source, Stat, Time, Transcoded, no_engine,
};
use omniread_document::Format;
use omniread_schemes::Facts;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Clone)]
enum Item {
    File(Vec<u8>),
    Link(String),
}

/// A file system in memory with one root directory.
pub struct MemoryWorld {
    roots: Vec<String>,
    /// The mounts. The files of a mount are those of the directory of the root with the last name of its path.
    pub mounts: Vec<Mount>,
    items: BTreeMap<String, (Item, u64)>,
    /// The number of calls of the file system so far.
    pub calls: Rc<Cell<u64>>,
    /// The bytes of standard input.
    pub stdin: Vec<u8>,
    /// The current time in seconds since 1970.
    pub now: u64,
    /// The reports so far of the parts of files that were shown.
    pub snapshots: Vec<Snapshot>,
    /// The time of the read that is used up, except by the image engine, and the milliseconds that
    /// each call of `read_time` adds.
    time: (Cell<u64>, u64),
    /// The time after which the host would stop the read.
    time_limit: Option<u64>,
    /// The paths of damaged files, each with the offset of the first byte that cannot be read.
    pub broken: BTreeMap<String, u64>,
    /// The time in milliseconds that the image engine needs for one image. `None` if there is no
    /// image engine.
    pub images: Option<u64>,
    /// The images that were shown.
    pub shown_images: ShownImages,
    /// The document that every file contains for the document engine, or its error. `None` if there
    /// is no document engine.
    pub document: Option<Result<MemoryDocument, DocumentError>>,
    /// The number of documents that the engine opened so far.
    pub opened: u64,
    /// The time in milliseconds that the image engine has used.
    ticks: u64,
    /// The cache entries of the session.
    pub cache: BTreeMap<String, Vec<u8>>,
    /// The path of the file that was opened last, with all symlinks resolved. `None` if it is not
    /// known.
    pub real: Option<String>,
    /// The artifacts, each with its source and text. `None` if none are stored.
    pub artifacts: Option<Vec<(String, String)>>,
    /// The artifact that is not finished, with its source.
    pub draft: Option<(String, Vec<u8>)>,
    /// The content of each internal URL, such as `skill://name`.
    pub resources: BTreeMap<String, Vec<u8>>,
    /// The web. `None` if there is no network.
    pub web: Option<Rc<MemoryHttp>>,
    /// The inputs of the databases and documents that engines opened.
    pub inputs: Vec<Input>,
    /// The hash of the state of every file. `None` if the files may change at any time.
    pub state: Option<[u64; 2]>,
    /// The number of bytes that were read from files.
    pub read_bytes: Rc<Cell<u64>>,
}

impl MemoryWorld {
    pub fn new(root: &str) -> Self {
        Self {
            roots: vec![root.to_owned()],
            mounts: Vec::new(),
            items: BTreeMap::new(),
            calls: Rc::default(),
            stdin: Vec::new(),
            now: 100_000_000,
            snapshots: Vec::new(),
            time: (Cell::new(0), 0),
            time_limit: None,
            broken: BTreeMap::new(),
            images: None,
            shown_images: ShownImages::default(),
            document: None,
            opened: 0,
            ticks: 0,
            cache: BTreeMap::new(),
            real: None,
            artifacts: None,
            draft: None,
            resources: BTreeMap::new(),
            web: None,
            inputs: Vec::new(),
            state: None,
            read_bytes: Rc::default(),
        }
    }

    /// Removes all roots, so that every path is outside the roots.
    pub fn without_roots(&mut self) -> &mut Self {
        self.roots.clear();
        self
    }

    /// Mounts the directory of the root that has the name of the scheme.
    pub fn mount(&mut self, scheme: &str) -> &mut Self {
        self.mount_at(scheme, scheme)
    }

    /// Mounts a directory of the root for a scheme.
    pub fn mount_at(&mut self, scheme: &str, directory: &str) -> &mut Self {
        self.mounts.push(Mount {
            scheme: scheme.to_owned(),
            directory: Some(format!("{}/{directory}", self.roots[0])),
        });
        self
    }

    /// The path of an item, by the path in a root or mount.
    fn item(&self, root: usize, path: &str) -> String {
        let Some(Mount { scheme, directory }) = self.mount(root) else {
            return path.to_owned();
        };
        let directory = directory
            .as_deref()
            .and_then(|path| path.rsplit('/').next());
        match (directory.unwrap_or(scheme), path) {
            (directory, "") => directory.to_owned(),
            (directory, path) => format!("{directory}/{path}"),
        }
    }

    /// Sets the milliseconds after which the host would stop the read, and the milliseconds that each
    /// call of `read_time` adds to the time that is used.
    pub fn time(&mut self, limit: u64, step: u64) -> &mut Self {
        self.time.1 = step;
        self.time_limit = Some(limit);
        self
    }

    pub fn file(&mut self, path: &str, content: impl Into<Vec<u8>>) -> &mut Self {
        self.file_at(path, content, self.now)
    }

    pub fn file_at(&mut self, path: &str, content: impl Into<Vec<u8>>, modified: u64) -> &mut Self {
        self.items
            .insert(path.to_owned(), (Item::File(content.into()), modified));
        self
    }

    pub fn link(&mut self, path: &str, target: &str) -> &mut Self {
        self.items
            .insert(path.to_owned(), (Item::Link(target.to_owned()), self.now));
        self
    }

    fn count(&self) {
        self.calls.set(self.calls.get() + 1);
    }

    fn metadata(&self, path: &str) -> Result<Stat, FileError> {
        let prefix = format!("{path}/");
        let inside = |name: &String| path.is_empty() || name.starts_with(&prefix);
        match self.items.get(path) {
            Some((item, modified)) => Ok(Stat {
                file_type: match item {
                    Item::File(_) => FileType::File,
                    Item::Link(_) => FileType::Symlink,
                },
                size: match item {
                    Item::File(content) => content.len() as u64,
                    Item::Link(target) => target.len() as u64,
                },
                modified: Some(Time {
                    seconds: *modified,
                    nanos: 0,
                }),
            }),
            None if path.is_empty() || self.items.keys().any(inside) => Ok(Stat {
                file_type: FileType::Directory,
                size: 0,
                modified: self
                    .items
                    .iter()
                    .filter(|(name, _)| inside(name))
                    .map(|(_, (_, modified))| Time {
                        seconds: *modified,
                        nanos: 0,
                    })
                    .max(),
            }),
            None => Err(FileError::NotFound),
        }
    }

    /// Follows symlinks until the path is not a symlink. A relative target is resolved in the
    /// directory of the symlink. An absolute target is outside the root.
    fn follow(&self, path: &str) -> Result<String, FileError> {
        let mut path = path.to_owned();
        for _ in 0..40 {
            match self.items.get(&path) {
                Some((Item::Link(target), _)) if target.starts_with('/') => {
                    return Err(FileError::OutsideRoot);
                }
                Some((Item::Link(target), _)) => {
                    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
                    path = crate::path::clean(&format!("{parent}/{target}"))
                        .trim_start_matches('/')
                        .to_owned();
                }
                _ => return Ok(path),
            }
        }
        Err(FileError::SymlinkLoop)
    }

    fn directory(&self, path: &str) -> Result<MemoryDirectory, FileError> {
        self.metadata(path)?;
        let prefix = if path.is_empty() {
            String::new()
        } else {
            format!("{path}/")
        };
        let mut entries: Vec<(String, Stat, Option<String>)> = Vec::new();
        for (name, (item, _)) in &self.items {
            let Some(rest) = name.strip_prefix(&prefix) else {
                continue;
            };
            let child = rest.split('/').next().unwrap().to_owned();
            if entries.last().is_some_and(|(last, ..)| *last == child) {
                continue;
            }
            let stat = self.metadata(&format!("{prefix}{child}"))?;
            let target = match item {
                Item::Link(target) if rest == child => Some(target.clone()),
                _ => None,
            };
            entries.push((child, stat, target));
        }
        let children = entries
            .iter()
            .filter(|(_, stat, _)| stat.file_type == FileType::Directory)
            .map(|(name, ..)| Ok((name.clone(), self.directory(&format!("{prefix}{name}"))?)))
            .collect::<Result<_, FileError>>()?;
        Ok(MemoryDirectory {
            at: 0,
            entries,
            children,
            calls: Rc::clone(&self.calls),
        })
    }
}

#[derive(Clone)]
struct MemoryDirectory {
    at: usize,
    entries: Vec<(String, Stat, Option<String>)>,
    children: BTreeMap<String, MemoryDirectory>,
    calls: Rc<Cell<u64>>,
}

impl MemoryDirectory {
    fn entry(&self, name: &str) -> Result<&(String, Stat, Option<String>), FileError> {
        self.calls.set(self.calls.get() + 1);
        self.entries
            .iter()
            .find(|entry| entry.0 == name)
            .ok_or(FileError::NotFound)
    }
}

impl Directory for MemoryDirectory {
    fn next(&mut self) -> Option<Result<Entry, FileError>> {
        let (name, stat, _) = self.entries.get(self.at)?;
        self.at += 1;
        self.calls.set(self.calls.get() + 1);
        Some(Ok(Entry {
            name: name.clone(),
            file_type: stat.file_type,
        }))
    }

    fn stat(&mut self, name: &str) -> Result<Stat, FileError> {
        self.entry(name).map(|entry| entry.1)
    }

    fn read_link(&mut self, name: &str) -> Result<String, FileError> {
        self.entry(name)?.2.clone().ok_or(FileError::NotFound)
    }

    fn open(&mut self, name: &str) -> Result<Box<dyn Directory>, FileError> {
        let child = self
            .children
            .get(name)
            .cloned()
            .ok_or(FileError::NotFound)?;
        Ok(Box::new(child))
    }
}

struct MemoryFile {
    bytes: Bytes,
    stat: Stat,
    /// The offset of the first byte that cannot be read.
    broken: Option<u64>,
    state: Option<[u64; 2]>,
    read_bytes: Rc<Cell<u64>>,
}

impl Source for MemoryFile {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        if self
            .broken
            .is_some_and(|broken| offset + len as u64 > broken)
        {
            return Err(FileError::Other("I/O error".to_owned()));
        }
        let before = out.len();
        self.bytes.read(offset, len, out)?;
        let read = out.len().saturating_sub(before) as u64;
        self.read_bytes.set(self.read_bytes.get() + read);
        Ok(())
    }

    fn seekable(&self) -> bool {
        true
    }

    fn info(&mut self) -> Info {
        self.stat.into()
    }

    fn state(&mut self) -> Option<[u64; 2]> {
        self.state
    }
}

impl Files for MemoryWorld {
    fn roots(&self) -> &[String] {
        &self.roots
    }

    fn mounts(&self) -> &[Mount] {
        &self.mounts
    }

    fn stat(&mut self, root: usize, path: &str, follow: bool) -> Result<Stat, FileError> {
        self.count();
        let path = self.item(root, path);
        if follow {
            self.metadata(&self.follow(&path)?)
        } else {
            self.metadata(&path)
        }
    }

    fn open(&mut self, root: usize, path: &str) -> Result<Box<dyn Source>, FileError> {
        self.count();
        let path = self.follow(&self.item(root, path))?;
        match self.items.get(&path) {
            Some((Item::File(content), _)) => {
                let stat = self.metadata(&path)?;
                let broken = self.broken.get(&path).copied();
                let bytes = Bytes::new(content.clone());
                Ok(Box::new(MemoryFile {
                    bytes,
                    stat,
                    broken,
                    state: self.state,
                    read_bytes: Rc::clone(&self.read_bytes),
                }))
            }
            _ => Err(FileError::NotFound),
        }
    }

    fn list(&mut self, root: usize, path: &str) -> Result<Box<dyn Directory>, FileError> {
        self.count();
        let path = self.item(root, path);
        Ok(Box::new(self.directory(&self.follow(&path)?)?))
    }

    fn read_link(&mut self, root: usize, path: &str) -> Result<String, FileError> {
        self.count();
        match self.items.get(&self.item(root, path)) {
            Some((Item::Link(target), _)) => Ok(target.clone()),
            _ => Err(FileError::NotFound),
        }
    }

    fn stdin(&mut self) -> Box<dyn Source> {
        Box::new(Bytes::new(self.stdin.clone()))
    }

    fn home(&self) -> Option<&str> {
        Some("/ws/home")
    }

    fn denied_entries(&self) -> u64 {
        0
    }

    fn opened_path(&self) -> Result<Option<String>, String> {
        Ok(self.real.clone())
    }
}

impl Engines for MemoryWorld {
    fn database(&mut self, parts: &Parts) -> Result<Box<dyn Connection>, DatabaseError> {
        self.inputs.push(parts.main.clone());
        Ok(Box::new(database::Empty))
    }

    fn probe_image(
        &mut self,
        data: &[u8],
        format: DecoderFormat,
    ) -> Result<ImageFacts, ImageError> {
        self.images.ok_or_else(no_engine)?;
        omniread_images::probe(data, format)
    }

    fn transcode_image(
        &mut self,
        data: &[u8],
        format: DecoderFormat,
        bounds: ImageBounds,
    ) -> Result<Transcoded, ImageError> {
        self.ticks += self.images.ok_or_else(no_engine)?;
        omniread_images::transcode(data, format, bounds)
    }

    fn document(
        &mut self,
        input: &Input,
        _: Format,
        _: Option<[u64; 2]>,
    ) -> Result<Box<dyn Document>, DocumentError> {
        self.inputs.push(input.clone());
        let none = || DocumentError::Failed("no engine".to_owned());
        self.opened += 1;
        let document = self.document.clone().ok_or_else(none)??;
        Ok(Box::new(document))
    }
}

impl Network for MemoryWorld {
    fn http(&mut self) -> Option<Rc<dyn Http>> {
        self.web.clone().map(|web| web as Rc<dyn Http>)
    }

    fn facts(&mut self, scheme: &str) -> Result<Facts, Vec<String>> {
        let start = format!("{scheme}://");
        if self.resources.is_empty() {
            return Err(Vec::new());
        }
        if self.resources.keys().any(|url| url.starts_with(&start)) {
            Ok(Facts::of(scheme))
        } else {
            Err(vec!["memory".to_owned()])
        }
    }

    fn resource(&mut self, url: &str, _: bool) -> Result<Resource, ResourceError> {
        if self.resources.is_empty() {
            return Err(ResourceError::Scheme);
        }
        let content = self.resources.get(url);
        let similar = || self.resources.keys().cloned().collect();
        let content = content.ok_or_else(|| ResourceError::NotFound(similar()))?;
        Ok(Resource {
            source: Box::new(Bytes::new(content.clone())),
            info: Info {
                size: Some(content.len() as u64),
                modified: Some(Time::from_millis(1000)),
                ..Info::default()
            },
            path: None,
        })
    }
}

impl Session for MemoryWorld {
    fn remember(&mut self, snapshot: &Snapshot) {
        self.snapshots.push(snapshot.clone());
    }

    fn keeps_text(&self) -> bool {
        true
    }

    fn stores_artifacts(&self) -> bool {
        self.artifacts.is_some()
    }

    fn store_artifact(&mut self, source: &str, text: &str) -> Option<String> {
        let artifacts = self.artifacts.as_mut()?;
        artifacts.push((source.to_owned(), text.to_owned()));
        Some(artifacts.len().to_string())
    }

    fn start_artifact(&mut self, source: &str, _mime: &str) -> bool {
        let stored = self.artifacts.is_some();
        self.draft = stored.then(|| (source.to_owned(), Vec::new()));
        stored
    }

    fn write_artifact(&mut self, bytes: &[u8]) -> bool {
        let draft = self.draft.as_mut();
        draft
            .map(|(_, draft)| draft.extend_from_slice(bytes))
            .is_some()
    }

    fn finish_artifact(&mut self) -> Option<String> {
        let (source, bytes) = self.draft.take()?;
        self.store_artifact(&source, &String::from_utf8(bytes).ok()?)
    }

    fn images(&mut self) -> ShownImages {
        self.shown_images
    }

    fn show_images(&mut self, images: ShownImages) {
        let shown = &mut self.shown_images;
        shown.count += images.count;
        shown.tokens += images.tokens;
    }

    fn cached(&mut self, key: &str) -> Option<Vec<u8>> {
        self.cache.get(key).cloned()
    }

    fn cache(&mut self, key: &str, value: &[u8]) {
        self.cache.insert(key.to_owned(), value.to_vec());
    }
}

impl Clock for MemoryWorld {
    fn now(&self) -> Time {
        Time {
            seconds: self.now,
            nanos: 0,
        }
    }

    fn read_time(&self) -> ReadTime {
        let (used, step) = &self.time;
        let before = used.get();
        used.set(before.saturating_add(*step));
        ReadTime {
            used: self.ticks.saturating_add(before),
            limit: self.time_limit,
        }
    }

    fn monotonic_millis(&self) -> u64 {
        self.ticks
    }
}
