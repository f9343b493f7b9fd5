//! The directories of a repository, and its objects.

use crate::config;
use crate::error::Error;
use crate::files::{FileError, Files, Kind, join};
use crate::id::{Algorithm, Id};
use crate::inflate::Inflater;
use crate::kind::ObjectKind;
use crate::limits;
use crate::object::Object;
use crate::pack::{self, Base};
use crate::store::Store;
use crate::windows::{Windows, value, whole};
use std::collections::{BTreeMap, BTreeSet};

/// An open repository. Everything that was read of it stays in memory, up to limits, and no file is opened twice.
pub struct Repository<'f> {
    pub(crate) files: &'f mut dyn Files,
    /// The directory of the work tree: `.git`, or a directory in `.git/worktrees`.
    pub(crate) directory: String,
    /// The directory of what all work trees share.
    pub(crate) common: String,
    pub(crate) algorithm: Algorithm,
    /// The text of `packed-refs`.
    pub(crate) packed: Option<Vec<u8>>,
    stores: Vec<Store>,
    inflater: Inflater,
    /// Why objects may be missing.
    partial: bool,
    shallow: Option<BTreeSet<Id>>,
    /// Directories of objects that may not be read.
    refused: Vec<Error>,
    /// Trees that were read, because paths share their first directories.
    trees: BTreeMap<Id, Object>,
    /// The number of objects that were read.
    count: u64,
}

/// Where an object is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    store: usize,
    pack: usize,
    offset: u64,
}

impl<'f> Repository<'f> {
    /// Opens the repository of a work tree, or a bare repository. `directory` is the directory with `.git`, or the
    /// bare repository.
    ///
    /// # Errors
    /// Fails with [`Error::NoRepository`] if there is none, and if its format is not supported.
    pub fn open(files: &'f mut dyn Files, directory: &str) -> Result<Self, Error> {
        let (own, common) = directories(files, directory)?;
        let path = join(&common, "config");
        let text = whole(files, &path, limits::SETTINGS_BYTES)?.unwrap_or_default();
        let config = config::parse(&String::from_utf8_lossy(&text));
        if let Some(format) = config.references {
            let what = format!("the format `{format}` of references");
            return Err(Error::Unsupported(what));
        }
        let algorithm = config.algorithm.ok_or_else(|| {
            Error::Unsupported("the hash of the objects of this repository".to_owned())
        })?;
        let mut repository = Self {
            files,
            stores: vec![Store::new(join(&common, "objects"), algorithm)],
            directory: own,
            common,
            algorithm,
            packed: None,
            inflater: Inflater::new(),
            partial: config.partial,
            shallow: None,
            refused: Vec::new(),
            trees: BTreeMap::new(),
            count: 0,
        };
        repository.add_alternates()?;
        Ok(repository)
    }

    /// The hash of ids.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The object with an id, whose content was compared with the id.
    ///
    /// # Errors
    /// Fails if it does not exist, is damaged or exceeds a limit.
    pub fn object(&mut self, id: &Id) -> Result<Object, Error> {
        self.count = self.count.saturating_add(1);
        if self.count > limits::OBJECTS {
            let what = "the number of objects of one read";
            return Err(Error::limit("git-objects", limits::OBJECTS, what));
        }
        let (kind, content) = match self.place(id)? {
            Some(place) => self.packed(place, id)?,
            None => match self.loose(id)? {
                Some((kind, size, mut file, mut out)) => {
                    let header = out.len();
                    let end = size.saturating_add(header);
                    self.inflater.finish(&mut file, &mut out, end)?;
                    out.drain(..header);
                    (kind, out)
                }
                None => return Err(self.missing(*id)),
            },
        };
        if self.algorithm.of_object(kind.name(), &content) != *id {
            let what = format_args!("the object {id}");
            return Err(Error::damaged(what, "its content does not have this id"));
        }
        Ok(Object {
            id: *id,
            kind,
            content,
        })
    }

    /// The object with an id, which has to be a tree. The last ones stay in memory.
    pub(crate) fn tree_object(&mut self, id: &Id) -> Result<Object, Error> {
        if let Some(tree) = self.trees.get(id) {
            return Ok(tree.clone());
        }
        let tree = self.of_kind(id, ObjectKind::Tree)?;
        if tree.content.len() <= limits::KEPT_TREE_BYTES {
            if self.trees.len() >= limits::KEPT_TREES {
                self.trees.pop_first();
            }
            self.trees.insert(*id, tree.clone());
        }
        Ok(tree)
    }

    /// The kind and the size of an object. Its content is not compared with the id.
    ///
    /// # Errors
    /// Fails if it does not exist, or is damaged.
    pub fn header(&mut self, id: &Id) -> Result<(ObjectKind, u64), Error> {
        let Some(place) = self.place(id)? else {
            let found = self.loose(id)?;
            let found = found.map(|(kind, size, ..)| (kind, size as u64));
            return found.ok_or_else(|| self.missing(*id));
        };
        let (kind, ..) = self.chain(place, id)?;
        let entry = self.entry(place)?;
        let size = match entry.base {
            Base::Whole(_) => entry.size,
            // The size of the object is at the start of the difference.
            _ => self.result_size(place)?,
        };
        Ok((kind, size))
    }

    /// Whether an object exists.
    pub(crate) fn exists(&mut self, id: &Id) -> Result<bool, Error> {
        Ok(self.place(id)?.is_some() || self.loose(id)?.is_some())
    }

    /// Whether the history of the repository ends at a commit, because it is a shallow clone.
    pub(crate) fn is_shallow(&mut self, id: &Id) -> Result<bool, Error> {
        if self.shallow.is_none() {
            let path = join(&self.common, "shallow");
            let text = whole(self.files, &path, limits::SETTINGS_BYTES)?.unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let ids = text
                .lines()
                .filter_map(|line| Id::from_hex(self.algorithm, line.trim()));
            // Unlike `collect`, this does not sort them first, which takes 6 KB of code.
            let mut shallow = BTreeSet::new();
            shallow.extend(ids);
            self.shallow = Some(shallow);
        }
        Ok(self.shallow.as_ref().is_some_and(|ids| ids.contains(id)))
    }

    /// Objects whose ids are from `first` to `last`, at most `most`.
    pub(crate) fn range(&mut self, first: &Id, last: &Id, most: usize) -> Result<Vec<Id>, Error> {
        let mut found = BTreeSet::new();
        for store in &mut self.stores {
            store.range(self.files, (first, last), most, &mut found)?;
        }
        Ok(found.into_iter().take(most).collect())
    }

    /// The error for an object that is nowhere.
    fn missing(&mut self, id: Id) -> Error {
        if let Some(problem) = self.stores.iter().find_map(|store| store.problem.clone()) {
            return problem;
        }
        let _ = self.is_shallow(&id);
        let is_shallow = self.shallow.as_ref().is_some_and(|ids| !ids.is_empty());
        let refused = self.refused.first().cloned();
        let reason = match &refused {
            Some(refused @ Error::Outside { .. }) => {
                Some(format!("{refused}, so that its objects were refused"))
            }
            Some(refused) => Some(refused.to_string()),
            None if self.partial => {
                Some("it is a partial clone, and has fetched no such object".to_owned())
            }
            None if is_shallow => Some("it is a shallow clone".to_owned()),
            None => None,
        };
        let refused = refused.map(Box::new);
        Error::Missing {
            id,
            reason,
            refused,
        }
    }

    /// Adds the directories of objects that `info/alternates` names, and those that these name.
    fn add_alternates(&mut self) -> Result<(), Error> {
        let mut next = 0;
        while let Some(store) = self.stores.get(next) {
            let directory = store.directory().to_owned();
            next = next.saturating_add(1);
            let from = join(&directory, "info/alternates");
            let Some(text) = whole(self.files, &from, limits::SETTINGS_BYTES)? else {
                continue;
            };
            let text = String::from_utf8_lossy(&text).into_owned();
            for line in text.lines().map(str::trim) {
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                if self.stores.len() >= limits::STORES {
                    let limit = limits::STORES as u64;
                    return Err(Error::limit(
                        "git-alternates",
                        limit,
                        format_args!("`{from}`"),
                    ));
                }
                match inside(self.files, &directory, line, &from) {
                    Ok(path) if self.stores.iter().any(|store| store.directory() == path) => {}
                    Ok(path) => self.stores.push(Store::new(path, self.algorithm)),
                    Err(refused) => self.refused.push(refused),
                }
            }
        }
        Ok(())
    }

    /// The place of an object in a pack.
    fn place(&mut self, id: &Id) -> Result<Option<Place>, Error> {
        for (store, objects) in self.stores.iter_mut().enumerate() {
            if let Some((pack, offset)) = objects.packed(self.files, id)? {
                return Ok(Some(Place {
                    store,
                    pack,
                    offset,
                }));
            }
        }
        Ok(None)
    }

    /// The kind and the size of a loose object, its file, and its header, after which the inflater goes on.
    #[expect(clippy::type_complexity, reason = "both callers take it apart")]
    fn loose(&mut self, id: &Id) -> Result<Option<(ObjectKind, usize, Windows, Vec<u8>)>, Error> {
        for store in &self.stores {
            let Some(mut file) = store.loose(self.files, id)? else {
                continue;
            };
            let mut out = Vec::new();
            self.inflater.start(0);
            // `commit 18446744073709551615` and a zero have 28 bytes.
            let mut end = None;
            while end.is_none() && out.len() < 28 {
                let most = out.len().saturating_add(1);
                if self.inflater.fill(&mut file, &mut out, most)? {
                    end = out.iter().position(|byte| *byte == 0);
                    break;
                }
                end = out
                    .last()
                    .filter(|byte| **byte == 0)
                    .map(|_| most.saturating_sub(1));
            }
            let header = end.and_then(|end| out.get(..end)).and_then(loose_header);
            let what = format_args!("the object {id}");
            let (kind, size) =
                header.ok_or_else(|| Error::damaged(what, "its header is not valid"))?;
            return Ok(Some((kind, bounded(size, what)?, file, out)));
        }
        Ok(None)
    }

    fn entry(&mut self, place: Place) -> Result<pack::Entry, Error> {
        let store = self.stores.get_mut(place.store);
        let store = store.ok_or_else(|| Error::damaged("the repository", "a pack is not open"))?;
        store.pack(place.pack)?.entry(self.files, place.offset)
    }

    /// The decompressed bytes of an object in a pack, or of a difference.
    fn inflate(&mut self, place: Place, entry: &pack::Entry) -> Result<Vec<u8>, Error> {
        let store = self.stores.get_mut(place.store);
        let store = store.ok_or_else(|| Error::damaged("the repository", "a pack is not open"))?;
        let data = store.pack(place.pack)?.data(self.files)?;
        let size = bounded(entry.size, format_args!("an object of `{}`", data.path()))?;
        self.inflater.exact(data, entry.start, size)
    }

    /// The size that an object has after the difference at a place is applied.
    fn result_size(&mut self, place: Place) -> Result<u64, Error> {
        let entry = self.entry(place)?;
        let store = self.stores.get_mut(place.store);
        let store = store.ok_or_else(|| Error::damaged("the repository", "a pack is not open"))?;
        let data = store.pack(place.pack)?.data(self.files)?;
        let mut start = Vec::new();
        self.inflater.start(entry.start);
        self.inflater.fill(data, &mut start, 20)?;
        let what = || format!("an object of `{}`", data.path());
        pack::result_size(&start).ok_or_else(|| Error::damaged(what(), "a difference is too short"))
    }

    /// The kind of an object in a pack, the place of its base, and the differences from the object to the base. The
    /// base is a loose object if it has no place.
    #[expect(clippy::type_complexity, reason = "both callers take it apart")]
    fn chain(
        &mut self,
        place: Place,
        id: &Id,
    ) -> Result<(ObjectKind, Option<Id>, Vec<(Place, pack::Entry)>), Error> {
        let what = format!("the object {id}");
        let mut chain: Vec<(Place, pack::Entry)> = Vec::new();
        let mut passed = BTreeSet::new();
        let mut place = place;
        loop {
            if !passed.insert(place) {
                return Err(Error::damaged(what, "its differences are in a circle"));
            }
            let entry = self.entry(place)?;
            let base = match entry.base {
                Base::Whole(kind) => {
                    chain.push((place, entry));
                    return Ok((kind, None, chain));
                }
                Base::Offset(offset) => Place { offset, ..place },
                Base::Id(base) => {
                    let same = self.stores.get_mut(place.store);
                    let same = same.and_then(|store| store.pack(place.pack).ok());
                    let same = same.map_or(Ok(None), |pack| pack.index.find(&base))?;
                    let found = match same {
                        Some(offset) => Some(Place { offset, ..place }),
                        None => self.place(&base)?,
                    };
                    let Some(found) = found else {
                        chain.push((place, entry));
                        let Some((kind, ..)) = self.loose(&base)? else {
                            return Err(self.missing(base));
                        };
                        return Ok((kind, Some(base), chain));
                    };
                    found
                }
            };
            chain.push((place, entry));
            if chain.len() > limits::DELTA_CHAIN {
                let limit = limits::DELTA_CHAIN as u64;
                return Err(Error::limit("git-delta-chain", limit, what));
            }
            place = base;
        }
    }

    /// The kind and the content of an object in a pack.
    fn packed(&mut self, place: Place, id: &Id) -> Result<(ObjectKind, Vec<u8>), Error> {
        let (kind, loose, mut chain) = self.chain(place, id)?;
        let what = format!("the object {id}");
        let mut content = match loose {
            Some(base) => {
                let Some((_, size, mut file, mut out)) = self.loose(&base)? else {
                    return Err(self.missing(base));
                };
                let header = out.len();
                let end = size.saturating_add(header);
                self.inflater.finish(&mut file, &mut out, end)?;
                out.drain(..header);
                out
            }
            None => match chain.pop() {
                Some((place, entry)) => self.inflate(place, &entry)?,
                None => return Err(Error::damaged(what, "it has no base")),
            },
        };
        let mut made = 0_u64;
        for (place, entry) in chain.into_iter().rev() {
            let delta = self.inflate(place, &entry)?;
            content = pack::apply(&content, &delta, &what)?;
            made = made.saturating_add(content.len() as u64);
            if made > limits::DELTA_BYTES {
                return Err(Error::limit("git-delta-bytes", limits::DELTA_BYTES, what));
            }
        }
        Ok((kind, content))
    }
}

/// The size of an object as a number of bytes in memory.
fn bounded(size: u64, what: std::fmt::Arguments<'_>) -> Result<usize, Error> {
    match usize::try_from(size) {
        Ok(bytes) if size <= limits::OBJECT_BYTES => Ok(bytes),
        _ => Err(Error::limit("git-object-bytes", limits::OBJECT_BYTES, what)),
    }
}

/// The kind and the size in the header of a loose object: `blob 12`.
fn loose_header(header: &[u8]) -> Option<(ObjectKind, u64)> {
    let space = header.iter().position(|byte| *byte == b' ')?;
    let (kind, size) = header.split_at_checked(space)?;
    let size = std::str::from_utf8(size.get(1..)?).ok()?;
    let is_number = size.bytes().all(|digit| digit.is_ascii_digit());
    let size = size.parse().ok().filter(|_| is_number)?;
    Some((ObjectKind::from_name(kind)?, size))
}

/// The texts of the settings of the repository of a work tree: those that all work trees share, and those of this
/// one. Files that they include are not read.
///
/// # Errors
/// Fails with [`Error::NoRepository`] if there is none, and if a file may not be read.
pub fn settings(files: &mut dyn Files, directory: &str) -> Result<Vec<String>, Error> {
    let (own, common) = directories(files, directory)?;
    let mut texts = Vec::new();
    for path in [join(&common, "config"), join(&own, "config.worktree")] {
        if let Some(text) = whole(files, &path, limits::SETTINGS_BYTES)? {
            texts.push(String::from_utf8_lossy(&text).into_owned());
        }
    }
    Ok(texts)
}

/// The directory of the repository of a work tree, and that of what all its work trees share.
fn directories(files: &mut dyn Files, directory: &str) -> Result<(String, String), Error> {
    let own = git_directory(files, directory)?;
    let from = join(&own, "commondir");
    let common = match value(files, &from)? {
        Some(path) => inside(files, &own, &path, &from)?,
        None => own.clone(),
    };
    Ok((own, common))
}

/// The directory of the repository of a work tree: `.git`, or the one that the file `.git` names.
fn git_directory(files: &mut dyn Files, directory: &str) -> Result<String, Error> {
    let path = join(directory, ".git");
    let kind = files
        .kind(&path)
        .map_err(|error| Error::file(&path, error))?;
    match kind {
        Some(Kind::Directory) => Ok(path),
        Some(Kind::File) => {
            let text = value(files, &path)?.unwrap_or_default();
            let damaged =
                || Error::damaged(format_args!("`{path}`"), "it has no line `gitdir: PATH`");
            let target = text.strip_prefix("gitdir:").ok_or_else(damaged)?.trim();
            inside(files, directory, target, &path)
        }
        None => {
            // A bare repository is itself such a directory.
            for (name, wanted) in [
                ("HEAD", Kind::File),
                ("objects", Kind::Directory),
                ("refs", Kind::Directory),
            ] {
                let path = join(directory, name);
                let found = files
                    .kind(&path)
                    .map_err(|error| Error::file(&path, error))?;
                if found != Some(wanted) {
                    return Err(Error::NoRepository(directory.to_owned()));
                }
            }
            Ok(directory.to_owned())
        }
    }
}

/// The directory that a file of a repository names. `from` is that file, and `directory` the one to which the path is
/// relative.
fn inside(files: &mut dyn Files, directory: &str, path: &str, from: &str) -> Result<String, Error> {
    let joined = join(directory, path);
    match files.kind(&joined) {
        Ok(Some(Kind::Directory)) if !path.is_empty() => Ok(joined),
        Ok(_) => {
            let why = format!("it names `{path}`, which is not a directory");
            Err(Error::damaged(format_args!("`{from}`"), why))
        }
        Err(FileError::Outside) => Err(Error::Outside {
            from: from.to_owned(),
            path: path.to_owned(),
        }),
        Err(error) => Err(Error::file(&joined, error)),
    }
}
