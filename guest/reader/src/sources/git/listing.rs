//! The entries of a directory at a revision, and the names of a repository.

use super::allowed;
use crate::escapes::escape_invisible;
use crate::limits;
use crate::path::clean;
use crate::rooted_path::RootedPath;
use crate::sources::search::PRUNED;
use crate::world::{Directory, Entry, FileError, FileType, Stat, World};
use omniread_git as git;
use omniread_git::{Mode, Object, Reference, Repository, Target};
use std::fmt::Write as _;

/// A directory at a revision, whose entries are in memory, with those of its subdirectories.
#[derive(Default)]
pub struct Listing {
    entries: Vec<Listed>,
    next: usize,
    /// Directories of which the entries are not in memory.
    unlisted: bool,
    notes: Vec<String>,
}

struct Listed {
    entry: Entry,
    size: u64,
    target: Option<String>,
    below: Option<Listing>,
}

/// An entry of a tree before its metadata is looked up.
struct Raw {
    mode: Mode,
    name: String,
    id: git::Id,
    below: Option<Vec<Raw>>,
}

/// The entries of a tree and of its subdirectories, whose metadata is not known yet.
pub struct Tree {
    raw: Vec<Raw>,
    notes: Vec<String>,
    budget: u64,
}

impl Tree {
    /// Reads the entries of a tree, and of the directories in it.
    ///
    /// # Errors
    /// Fails if the tree is damaged. A directory in it that cannot be read is reported in a note.
    pub fn read(tree: &Object, repository: &mut Repository<'_>) -> Result<Self, git::Error> {
        let mut notes = Vec::new();
        let mut budget = limits::REVISION_ENTRIES;
        let mut raw = entries(tree, &mut budget, &mut notes)?;
        for entry in &mut raw {
            if entry.mode != Mode::Directory || PRUNED.contains(&entry.name.as_str()) {
                continue;
            }
            if budget == 0 {
                break;
            }
            let below = repository.of_kind(&entry.id, git::ObjectKind::Tree);
            match below.and_then(|tree| entries(&tree, &mut budget, &mut notes)) {
                Ok(below) => entry.below = Some(below),
                Err(error) => notes.push(format!(
                    "cannot list `{}`: {error}",
                    escape_invisible(&entry.name)
                )),
            }
        }
        Ok(Self { raw, notes, budget })
    }

    /// Looks up the sizes of files and the targets of symlinks.
    fn measured(raw: Vec<Raw>, repository: &mut Repository<'_>) -> Listing {
        let mut listing = Listing::default();
        for raw in raw {
            let (file_type, note) = match raw.mode {
                Mode::File | Mode::Program => (FileType::File, None),
                Mode::Symlink => (FileType::Symlink, None),
                Mode::Directory => (FileType::Directory, None),
                Mode::Submodule => (
                    FileType::Directory,
                    Some(format!(
                        "`{}` is a submodule at the commit {}",
                        escape_invisible(&raw.name),
                        raw.id
                    )),
                ),
            };
            listing.notes.extend(note);
            let header = matches!(raw.mode, Mode::File | Mode::Program)
                .then(|| repository.header(&raw.id).ok())
                .flatten();
            let target = matches!(raw.mode, Mode::Symlink)
                .then(|| repository.object(&raw.id).ok())
                .flatten();
            let target = target.map(|it| String::from_utf8_lossy(&it.content).into_owned());
            listing.entries.push(Listed {
                size: header.map_or(0, |(_, size)| size),
                target,
                below: raw.below.map(|below| Self::measured(below, repository)),
                entry: Entry {
                    name: raw.name,
                    file_type,
                },
            });
        }
        listing
    }

    /// The listing, with the metadata of the entries.
    pub fn listing(self, repository: &mut Repository<'_>) -> Listing {
        let mut listing = Self::measured(self.raw, repository);
        listing.unlisted = self.budget == 0;
        listing.notes.extend(self.notes);
        if listing.unlisted {
            listing.notes.push(format!(
                "only {} entries are listed",
                limits::REVISION_ENTRIES
            ));
        }
        listing
    }
}

/// The entries of one tree.
fn entries(
    tree: &Object,
    budget: &mut u64,
    notes: &mut Vec<String>,
) -> Result<Vec<Raw>, git::Error> {
    let mut raw = Vec::new();
    let mut unsafe_names = 0_u64;
    for entry in git::entries(tree) {
        let entry = entry?;
        if *budget == 0 {
            break;
        }
        if !entry.is_safe() {
            unsafe_names = unsafe_names.saturating_add(1);
            continue;
        }
        *budget = budget.saturating_sub(1);
        raw.push(Raw {
            mode: entry.mode,
            name: String::from_utf8_lossy(entry.name).into_owned(),
            id: entry.id,
            below: None,
        });
    }
    if unsafe_names > 0 {
        notes.push(format!(
            "{unsafe_names} names are left out, because no checkout can have them, such as `..` and `.git`"
        ));
    }
    Ok(raw)
}

impl Listing {
    /// Removes the entries that deny rules forbid in the work tree. `place` is the directory there.
    pub fn remove_denied(&mut self, place: &RootedPath, world: &mut dyn World) {
        let denied = self.without_denied(place, world);
        if denied > 0 {
            let entries = if denied == 1 { "entry" } else { "entries" };
            self.notes
                .push(format!("{denied} {entries} hidden by deny rules"));
        }
    }

    fn without_denied(&mut self, place: &RootedPath, world: &mut dyn World) -> u64 {
        let mut denied = 0_u64;
        self.entries.retain_mut(|listed| {
            let own = place.join(&listed.entry.name);
            let target = listed.target.as_deref().filter(|it| !it.starts_with('/'));
            let target = target.map(|target| RootedPath {
                root: place.root,
                path: clean(&format!("./{}/{target}", place.path)),
            });
            let is_denied = [Some(&own), target.as_ref()]
                .into_iter()
                .flatten()
                .any(|place| allowed::refusal(place, world).is_some());
            if is_denied {
                denied = denied.saturating_add(1);
                return false;
            }
            if let Some(below) = &mut listed.below {
                denied = denied.saturating_add(below.without_denied(&own, world));
            }
            true
        });
        denied
    }

    fn listed(&self, name: &str) -> Result<&Listed, FileError> {
        let found = self.entries.iter().find(|listed| listed.entry.name == name);
        found.ok_or(FileError::NotFound)
    }
}

impl Directory for Listing {
    fn next(&mut self) -> Option<Result<Entry, FileError>> {
        let listed = self.entries.get(self.next)?;
        self.next = self.next.saturating_add(1);
        Some(Ok(listed.entry.clone()))
    }

    fn stat(&mut self, name: &str) -> Result<Stat, FileError> {
        let listed = self.listed(name)?;
        Ok(Stat {
            file_type: listed.entry.file_type,
            size: listed.size,
            modified: None,
        })
    }

    fn read_link(&mut self, name: &str) -> Result<String, FileError> {
        self.listed(name)?.target.clone().ok_or(FileError::NotFound)
    }

    fn open(&mut self, name: &str) -> Result<Box<dyn Directory>, FileError> {
        let mut entries = self.entries.iter_mut();
        let found = entries.find(|listed| listed.entry.name == name);
        let below = found.and_then(|listed| listed.below.take());
        Ok(Box::new(below.unwrap_or_default()))
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}

/// The branches and tags of a repository, as a text.
///
/// # Errors
/// Fails if they cannot be read.
pub fn names(repository: &mut Repository<'_>) -> Result<String, git::Error> {
    let references = repository.references()?;
    let mut text = String::new();
    match &references.head {
        Some(Target::Reference(name)) => {
            let branch = name.strip_prefix("refs/heads/").unwrap_or(name);
            let _ = writeln!(text, "HEAD is the branch {}", escape_invisible(branch));
        }
        Some(Target::Id(id)) => {
            let _ = writeln!(text, "HEAD is the commit {id}");
        }
        None => {}
    }
    for (title, start) in [
        ("Branches", "refs/heads/"),
        ("Tags", "refs/tags/"),
        ("Remote branches", "refs/remotes/"),
    ] {
        let of_kind = |reference: &&Reference| reference.name.starts_with(start);
        let mut is_first = true;
        for reference in references.list.iter().filter(of_kind) {
            if is_first {
                let _ = writeln!(text, "\n{title}:");
                is_first = false;
            }
            let target = match &reference.target {
                Target::Id(id) => id.short(),
                Target::Reference(name) => name.strip_prefix(start).unwrap_or(name).to_owned(),
            };
            let name = reference.name.strip_prefix(start).unwrap_or_default();
            let _ = writeln!(
                text,
                "git://{}/  {}",
                escape_invisible(name),
                escape_invisible(&target)
            );
        }
    }
    if references.list.is_empty() {
        text.push_str("(no branches and no tags)\n");
    }
    if references.more {
        let _ = writeln!(
            text,
            "\n(there are more, which can be read but are not listed)"
        );
    }
    Ok(text)
}
