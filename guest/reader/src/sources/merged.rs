//! One listing of the directories that several mounts of a scheme have under one name.

use super::opened::{Opened, Resolved};
use crate::escapes::escape_invisible;
use crate::limits;
use crate::rooted_path::RootedPath;
use crate::subject::Origin;
use crate::world::{Directory, Entry, FileError, FileType, Stat, World};
use omniread_schemes::{Naming, SKILL_FILE, Scheme};
use std::collections::BTreeMap;

/// Adds the entries that later mounts of a scheme have in the directory that was found in an earlier one. A
/// file or stream is returned unchanged. `later` are the indexes of these mounts, each with its number.
pub(super) fn merged(
    found: Resolved,
    scheme: &str,
    later: &[(usize, usize)],
    world: &mut dyn World,
) -> Resolved {
    let Origin::Mounted { place, .. } = &found.subject.origin else {
        return found;
    };
    let path = place.path.clone();
    let Opened::Directory(first) = found.node else {
        return found;
    };
    let mut parts = vec![(1, first)];
    let mut notes = Vec::new();
    for (number, root) in later {
        let place = RootedPath {
            root: *root,
            path: path.clone(),
        };
        let url = &found.subject.path;
        let opened = match place.stat(true, url, world) {
            Ok(Ok((place, stat))) if stat.file_type == FileType::Directory => {
                world.list(place.root, &place.path)
            }
            Ok(Ok(_) | Err(FileError::NotFound)) => continue,
            Ok(Err(error)) => Err(error),
            Err(failure) => Err(FileError::Other(failure.message.to_string())),
        };
        match opened {
            Ok(directory) => parts.push((*number, directory)),
            Err(error) => notes.push(format!(
                "directory {number} of `{scheme}://` is not listed: {error}"
            )),
        }
    }
    Resolved {
        node: Opened::Directory(Box::new(Merged::new(scheme, parts, notes))),
        ..found
    }
}

/// Directories as one. The first one that has a name decides what it is, unless several have a directory of
/// that name, which are merged too.
struct Merged {
    scheme: String,
    /// The directories, each with the number of its mount.
    parts: Vec<(usize, Box<dyn Directory>)>,
    /// The part whose entries are returned now.
    current: usize,
    /// The part that decides about a name, and whether it is a directory there.
    names: BTreeMap<String, (usize, bool)>,
    /// The names that a part has in vain, each with the number of its mount.
    hidden: Vec<(usize, String)>,
    /// The number of names that were left out of `hidden`.
    more: u64,
    notes: Vec<String>,
}

impl Merged {
    fn new(scheme: &str, parts: Vec<(usize, Box<dyn Directory>)>, notes: Vec<String>) -> Self {
        Self {
            scheme: scheme.to_owned(),
            parts,
            current: 0,
            names: BTreeMap::new(),
            hidden: Vec::new(),
            more: 0,
            notes,
        }
    }

    /// Whether an entry of the current part is the one that decides about its name.
    fn decides(&mut self, entry: &Entry) -> bool {
        let is_directory = entry.file_type == FileType::Directory;
        match self.names.get(&entry.name) {
            None => {
                if self.names.len() < limits::MERGED_NAMES {
                    let name = entry.name.clone();
                    self.names.insert(name, (self.current, is_directory));
                }
                true
            }
            Some((_, true)) if is_directory => false,
            Some(_) if self.hidden.len() < limits::SIMILAR_NAMES => {
                let number = self
                    .parts
                    .get(self.current)
                    .map_or(0, |(number, _)| *number);
                self.hidden.push((number, entry.name.clone()));
                false
            }
            Some(_) => {
                self.more = self.more.saturating_add(1);
                false
            }
        }
    }

    /// The part that decides about a name.
    fn part(&mut self, name: &str) -> Result<&mut Box<dyn Directory>, FileError> {
        let part = self.names.get(name).map_or(self.current, |(part, _)| *part);
        let part = self.parts.get_mut(part).ok_or(FileError::NotFound)?;
        Ok(&mut part.1)
    }
}

impl Directory for Merged {
    fn next(&mut self) -> Option<Result<Entry, FileError>> {
        loop {
            let (_, part) = self.parts.get_mut(self.current)?;
            match part.next() {
                Some(Ok(entry)) if !self.decides(&entry) => {}
                Some(entry) => return Some(entry),
                // The last part stays the current one, for the names that are not kept.
                None if self.current.saturating_add(1) >= self.parts.len() => return None,
                None => self.current = self.current.saturating_add(1),
            }
        }
    }

    fn stat(&mut self, name: &str) -> Result<Stat, FileError> {
        self.part(name)?.stat(name)
    }

    fn read_link(&mut self, name: &str) -> Result<String, FileError> {
        self.part(name)?.read_link(name)
    }

    fn open(&mut self, name: &str) -> Result<Box<dyn Directory>, FileError> {
        let first = self.names.get(name).map_or(0, |(part, _)| *part);
        let has_skills = Scheme::of(&self.scheme).naming == Naming::Skills;
        let mut parts = Vec::new();
        let mut first_error = None;
        for (number, part) in self.parts.iter_mut().skip(first) {
            match part.open(name) {
                Ok(mut directory) => {
                    // All files of a skill are from one directory.
                    if has_skills && directory.stat(SKILL_FILE).is_ok() {
                        return Ok(directory);
                    }
                    parts.push((*number, directory));
                }
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
        match parts.pop() {
            None => Err(first_error.unwrap_or(FileError::NotFound)),
            Some((_, only)) if parts.is_empty() => Ok(only),
            Some(last) => {
                parts.push(last);
                Ok(Box::new(Self::new(&self.scheme, parts, Vec::new())))
            }
        }
    }

    fn notes(&self) -> Vec<String> {
        let scheme = &self.scheme;
        let hidden = self.hidden.iter().map(|(number, name)| {
            let name = escape_invisible(name);
            format!(
                "`{name}` is also in directory {number} of `{scheme}://`, which is searched later"
            )
        });
        let more = (self.more > 0).then(|| {
            format!(
                "{} more names are also in later directories of `{scheme}://`",
                self.more
            )
        });
        self.notes
            .iter()
            .cloned()
            .chain(hidden)
            .chain(more)
            .collect()
    }
}
