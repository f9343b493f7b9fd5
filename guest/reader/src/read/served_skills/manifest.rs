//! The manifest of a skill: all its files, with their sizes and hashes.

use super::locate::{is_hidden, resolved};
use crate::escapes::escape_invisible;
use crate::limits;
use crate::rooted_path::RootedPath;
use crate::world::{FileError, FileType, World};
use omniread_document::order;
use omniread_schemes::SKILL_FILE;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// A file of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedFile {
    /// The path in the directory of the skill.
    pub path: String,
    /// The number of its bytes.
    pub size: u64,
    /// The SHA-256 of its bytes, 64 hex digits in lower case.
    pub sha256: String,
}

/// The number of bytes that are read at once.
const STEP: usize = 64 * 1024;

/// What was read so far for a page.
#[derive(Default)]
pub(super) struct Reading {
    /// The number of bytes.
    pub bytes: u64,
}

pub(super) struct Manifest {
    /// The bytes of `SKILL.md`. They are those of its hash.
    pub text: Vec<u8>,
    pub files: Vec<ServedFile>,
    pub left_out: Vec<String>,
}

/// Reads a file in parts. Returns the number of its bytes, or `None` if there are more than `most`.
///
/// # Errors
/// Fails if the file cannot be read.
pub(super) fn read(
    place: &RootedPath,
    most: u64,
    world: &mut dyn World,
    mut part: impl FnMut(&[u8]),
) -> Result<Option<u64>, FileError> {
    let mut source = world.open(place.root, &place.path)?;
    let mut bytes = Vec::new();
    let mut total = 0u64;
    loop {
        bytes.clear();
        source.read(total, STEP, &mut bytes)?;
        if bytes.is_empty() {
            return Ok(Some(total));
        }
        total = total.saturating_add(bytes.len() as u64);
        if total > most {
            return Ok(None);
        }
        part(&bytes);
    }
}

/// The files of a directory and those below it, before they are read.
#[derive(Default)]
struct Tree {
    /// The paths in the directory, each with the place of its bytes and its size.
    files: Vec<(String, RootedPath, u64)>,
    /// Directories that were not read yet.
    directories: Vec<String>,
    looked: usize,
    hidden: usize,
    /// Links that lead to a directory, or out of the mount, and files that are not regular.
    others: Vec<String>,
    unreadable: Vec<(String, String)>,
}

impl Tree {
    /// Reads one directory.
    ///
    /// # Errors
    /// Fails with the reason if the skill has too many files.
    fn read(
        &mut self,
        skill: &RootedPath,
        directory: &str,
        world: &mut dyn World,
    ) -> Result<(), String> {
        let place = if directory.is_empty() {
            skill.clone()
        } else {
            skill.join(directory)
        };
        let mut entries = match world.list(place.root, &place.path) {
            Ok(entries) => entries,
            Err(error) => {
                self.unreadable
                    .push((directory.to_owned(), error.to_string()));
                return Ok(());
            }
        };
        while let Some(entry) = entries.next() {
            self.looked = self.looked.saturating_add(1);
            if self.looked > limits::SERVED_SKILL_ENTRIES {
                return Err(format!(
                    "it has more than {} files and directories",
                    limits::SERVED_SKILL_ENTRIES
                ));
            }
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.unreadable
                        .push((directory.to_owned(), error.to_string()));
                    continue;
                }
            };
            if is_hidden(&entry.name) {
                self.hidden = self.hidden.saturating_add(1);
                continue;
            }
            let path = if directory.is_empty() {
                entry.name
            } else {
                format!("{directory}/{}", entry.name)
            };
            match entry.file_type {
                FileType::Directory => self.directories.push(path),
                FileType::Special(_) => self.others.push(path),
                FileType::File | FileType::Symlink => self.file(skill, path, world)?,
            }
        }
        Ok(())
    }

    fn file(
        &mut self,
        skill: &RootedPath,
        path: String,
        world: &mut dyn World,
    ) -> Result<(), String> {
        match resolved(skill.join(&path), &path, world) {
            Ok((place, stat)) if stat.file_type == FileType::File => {
                self.files.push((path, place, stat.size));
            }
            Ok(_) => self.others.push(path),
            Err(failure) => self.unreadable.push((path, failure.message.to_string())),
        }
        if self.files.len() > limits::SERVED_SKILL_FILES {
            return Err(format!(
                "it has more than {} files",
                limits::SERVED_SKILL_FILES
            ));
        }
        Ok(())
    }

    /// What is not in the manifest.
    fn left_out(&self, denied: u64) -> Vec<String> {
        let mut notes = Vec::new();
        let mut note = |what: &str, names: &[String]| {
            let first = names.iter().take(limits::SIMILAR_NAMES).cloned();
            let first: Vec<String> = first.collect();
            match names.len().saturating_sub(first.len()) {
                0 => notes.push(format!("{what}: {}", first.join(", "))),
                more => notes.push(format!("{what}: {} and {more} more", first.join(", "))),
            }
        };
        let quoted = |path: &String| format!("`{}`", escape_invisible(path));
        if self.hidden > 0 {
            note("hidden entries", &[self.hidden.to_string()]);
        }
        if denied > 0 {
            note("entries that deny rules hide", &[denied.to_string()]);
        }
        if !self.others.is_empty() {
            let names: Vec<String> = self.others.iter().map(quoted).collect();
            note("links to directories, and special files", &names);
        }
        if !self.unreadable.is_empty() {
            let names = self.unreadable.iter();
            let names = names.map(|(path, why)| format!("{} ({why})", quoted(path)));
            note("entries that cannot be read", &names.collect::<Vec<_>>());
        }
        notes
    }
}

fn too_large() -> String {
    "its files have more than 16 MiB".to_owned()
}

/// Reads the files of a skill.
///
/// # Errors
/// Fails with the reason if the skill is too large, or its `SKILL.md` cannot be read.
pub(super) fn of(
    skill: &RootedPath,
    reading: &mut Reading,
    world: &mut dyn World,
) -> Result<Manifest, String> {
    let denied_before = world.denied_entries();
    // Its directory may be a link to another one of the mount.
    let (skill, _) = resolved(skill.clone(), &skill.path, world)
        .map_err(|failure| failure.message.to_string())?;
    let mut tree = Tree::default();
    tree.directories.push(String::new());
    while let Some(directory) = tree.directories.pop() {
        tree.read(&skill, &directory, world)?;
    }
    let denied = world.denied_entries().saturating_sub(denied_before);
    let expected = tree.files.iter().map(|(_, _, size)| *size);
    let expected = expected.fold(0, u64::saturating_add);
    if expected > limits::SERVED_SKILL_BYTES {
        return Err(too_large());
    }
    let mut paths = std::mem::take(&mut tree.files);
    order::by(&mut paths, |a, b| a.0.cmp(&b.0));
    let mut files = Vec::new();
    let mut text = None;
    let mut left = limits::SERVED_SKILL_BYTES;
    for (path, place, _) in paths {
        let mut hash = Sha256::new();
        let is_text = path == SKILL_FILE;
        let mut bytes = Vec::new();
        let read = read(&place, left, world, |part| {
            hash.update(part);
            if is_text {
                bytes.extend_from_slice(part);
            }
        });
        let size = match read {
            Ok(Some(size)) => size,
            Ok(None) => {
                reading.bytes = reading.bytes.saturating_add(limits::SERVED_SKILL_BYTES);
                return Err(too_large());
            }
            Err(error) => {
                tree.unreadable.push((path, error.to_string()));
                continue;
            }
        };
        reading.bytes = reading.bytes.saturating_add(size);
        left = left.saturating_sub(size);
        if is_text {
            text = Some(bytes);
        }
        let mut sha256 = String::with_capacity(64);
        for byte in hash.finalize() {
            let _ = write!(sha256, "{byte:02x}");
        }
        files.push(ServedFile { path, size, sha256 });
    }
    let left_out = tree.left_out(denied);
    let Some(text) = text else {
        let (_, why) = tree
            .unreadable
            .iter()
            .find(|(path, _)| path == SKILL_FILE)
            .ok_or_else(|| format!("there is no `{SKILL_FILE}`"))?;
        return Err(format!("cannot read `{SKILL_FILE}`: {why}"));
    };
    Ok(Manifest {
        text,
        files,
        left_out,
    })
}
