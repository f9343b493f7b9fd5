//! The skills of the mounts of `skill`, as SEP-2640 (the skills extension of MCP) serves them: with all
//! their front matter, and a manifest of their files.
//!
//! A client compares the front matter and the hashes of the manifest with what it reads later, so a skill is
//! served only if it satisfies the specification. All others are named with the reason.

mod locate;
mod manifest;

use super::skills::{directories, is_name};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::front_matter;
use crate::limits;
use crate::rooted_path::{RootedPath, failure};
use crate::world::{FileError, FileType, World};
use locate::{SCHEME, is_hidden, locate, resolved, url};
use manifest::Reading;
use omniread_document::order;
use omniread_schemes::SKILL_FILE;
use serde_json::{Map, Value};

pub use manifest::ServedFile;

/// A skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedSkill {
    /// The path of its directory in the mount: `NAME` or `NAMESPACE/NAME`.
    pub path: String,
    /// The front matter of its `SKILL.md`, a JSON object.
    pub front_matter: String,
    /// Its files, in the order of their paths.
    pub files: Vec<ServedFile>,
    /// What of its directory is not in `files`, with the reason.
    pub left_out: Vec<String>,
}

/// A skill that is not served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedSkill {
    /// The path of its directory in the mount.
    pub path: String,
    /// Why it is not served.
    pub reason: String,
}

/// A page of skills.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServedPage {
    /// The skills, in the order of the mounts and of their paths.
    pub skills: Vec<ServedSkill>,
    /// The skills between them that are not served.
    pub skipped: Vec<SkippedSkill>,
    /// Where the next page starts. `None` on the last page.
    pub next: Option<String>,
}

/// An entry of a directory of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedEntry {
    /// The name of the entry.
    pub name: String,
    /// The size of the file in bytes. `None` for a directory.
    pub size: Option<u64>,
}

/// A page of the entries of a directory of a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServedEntries {
    /// The entries, in the order of their names.
    pub entries: Vec<ServedEntry>,
    /// Where the next page starts. `None` on the last page.
    pub next: Option<String>,
}

/// Reads a page of skills. `after` is the [`next`](ServedPage::next) of the page before.
///
/// # Errors
/// Fails if a mount cannot be read, or if `after` is not the end of a page.
pub fn served_skills(after: Option<&str>, world: &mut dyn World) -> Result<ServedPage, Failure> {
    page(after, limits::SEARCHED_SKILLS, world)
}

/// Reads a page of skills, for which at most `most` directories are looked at.
fn page(after: Option<&str>, most: u64, world: &mut dyn World) -> Result<ServedPage, Failure> {
    let start = after.map_or(Some((0, "")), |after| {
        let (mount, path) = after.split_once('/')?;
        Some((mount.parse().ok()?, path))
    });
    let Some((first, after)) = start else {
        let message = "cannot list the skills: the cursor is not one of this server".to_owned();
        return Err(Failure::new(
            Reason::InvalidArgument("cursor".to_owned()),
            message,
        ));
    };
    let mut list = List {
        most,
        ..List::default()
    };
    for (mount, root) in world.mounts_of(SCHEME).into_iter().enumerate().skip(first) {
        let place = RootedPath {
            root,
            path: String::new(),
        };
        let after = if mount == first { after } else { "" };
        list.read(mount, &place, after, world)?;
        if list.is_full {
            break;
        }
    }
    Ok(list.page)
}

/// Reads one skill. `path` is the path of its directory in the mount.
///
/// # Errors
/// Fails if there is no such skill, or if it is not served.
pub fn served_skill(path: &str, world: &mut dyn World) -> Result<ServedSkill, Failure> {
    let located = locate(&format!("{path}/{SKILL_FILE}"), world)?;
    if located.skill != path {
        return Err(failure(FileError::NotFound, &url(path)));
    }
    let mut reading = Reading::default();
    skill(&located.place, path, &mut reading, world).map_err(|reason| {
        let message = format!("cannot serve `{}`: {reason}", escape_invisible(&url(path)));
        Failure::new(Reason::Unsupported(reason), message)
    })
}

/// Lists a page of a directory of a skill. `after` is the [`next`](ServedEntries::next) of the page before.
///
/// # Errors
/// Fails if the path is not a directory of a skill, or cannot be read.
pub fn served_directory(
    path: &str,
    after: Option<&str>,
    world: &mut dyn World,
) -> Result<ServedEntries, Failure> {
    let located = locate(path, world)?;
    let typed = url(path);
    let place = located.file();
    let (place, stat) = resolved(place, &typed, world)?;
    if stat.file_type != FileType::Directory {
        let message = format!(
            "cannot list `{}`: it is not a directory",
            escape_invisible(&typed)
        );
        return Err(Failure::new(Reason::InvalidPath(typed), message));
    }
    let mut names = Vec::new();
    let listed = world.list(place.root, &place.path);
    let mut directory = listed.map_err(|error| failure(error, &typed))?;
    for _ in 0..limits::COUNTED_ENTRIES {
        match directory.next() {
            Some(Ok(entry)) => {
                let is_listed = !is_hidden(&entry.name)
                    && !matches!(entry.file_type, FileType::Special(_))
                    && after.is_none_or(|after| entry.name.as_str() > after);
                if is_listed {
                    names.push((entry.name, entry.file_type));
                }
            }
            Some(Err(_)) => {}
            None => break,
        }
    }
    order::by(&mut names, |a, b| a.0.cmp(&b.0));
    let mut page = ServedEntries::default();
    for (name, file_type) in names {
        if page.entries.len() >= limits::SERVED_ENTRIES {
            page.next = page.entries.last().map(|entry| entry.name.clone());
            break;
        }
        let size = match file_type {
            FileType::Directory => None,
            _ => match resolved(place.join(&name), &typed, world) {
                Ok((_, stat)) if stat.file_type == FileType::File => Some(stat.size),
                // Directories to which links lead are not in the manifest either.
                _ => continue,
            },
        };
        page.entries.push(ServedEntry { name, size });
    }
    Ok(page)
}

/// Reads a file of a skill.
///
/// # Errors
/// Fails if the path is not a file of a skill, cannot be read, or is larger than a skill may be.
pub fn served_file(path: &str, world: &mut dyn World) -> Result<Vec<u8>, Failure> {
    let located = locate(path, world)?;
    let typed = url(path);
    let (place, stat) = resolved(located.file(), &typed, world)?;
    if stat.file_type != FileType::File {
        return Err(failure(FileError::NotFound, &typed));
    }
    let mut bytes = Vec::new();
    let read = manifest::read(&place, limits::SERVED_SKILL_BYTES, world, |part| {
        bytes.extend_from_slice(part);
    });
    match read {
        Ok(Some(_)) => Ok(bytes),
        Ok(None) => Err(failure(
            FileError::Other("it is larger than a skill may be (16 MiB)".to_owned()),
            &typed,
        )),
        Err(error) => Err(failure(error, &typed)),
    }
}

/// The skills that were read so far.
#[derive(Default)]
struct List {
    page: ServedPage,
    reading: Reading,
    /// The approximate size of the page in bytes of JSON.
    bytes: usize,
    /// The number of directories that were looked at.
    looked: u64,
    /// The largest number of directories that are looked at.
    most: u64,
    is_full: bool,
}

impl List {
    /// Reads the skills of a mount whose paths are after `after`.
    fn read(
        &mut self,
        mount: usize,
        place: &RootedPath,
        after: &str,
        world: &mut dyn World,
    ) -> Result<(), Failure> {
        let names =
            directories(place, world).map_err(|error| failure(error, &format!("{SCHEME}://")))?;
        let (outer, inner) = match after.split_once('/') {
            Some((outer, inner)) => (outer, Some(inner)),
            None => (after, None),
        };
        let mut last = after.to_owned();
        for name in names {
            if name.as_str() < outer || (name == outer && inner.is_none()) {
                continue;
            }
            let is_in = name == outer;
            let directory = place.join(&name);
            if !is_in && self.is_end(mount, &last) {
                return Ok(());
            }
            if !is_in && self.try_skill(&directory, &name, world) {
                last = name;
                continue;
            }
            // A directory without `SKILL.md` is a namespace.
            let skills = match directories(&directory, world) {
                Ok(skills) => skills,
                // A link to a file.
                Err(FileError::NotFound) => Vec::new(),
                Err(error) => {
                    self.skip(&name, error.to_string());
                    Vec::new()
                }
            };
            // The page may end before the first skill of the namespace.
            if !is_in {
                last = format!("{name}/");
            }
            for skill in skills {
                if is_in && inner.is_some_and(|inner| skill.as_str() <= inner) {
                    continue;
                }
                if self.is_end(mount, &last) {
                    return Ok(());
                }
                last = format!("{name}/{skill}");
                self.try_skill(&directory.join(&skill), &last, world);
            }
        }
        Ok(())
    }

    /// Ends the page if it is full. `last` is the path that was looked at last.
    fn is_end(&mut self, mount: usize, last: &str) -> bool {
        self.is_full = self.looked >= self.most
            || self
                .page
                .skills
                .len()
                .saturating_add(self.page.skipped.len())
                >= limits::SERVED_SKILLS
            || self.reading.bytes >= limits::SERVED_SKILL_BYTES
            || self.bytes >= limits::SERVED_PAGE_BYTES;
        if self.is_full {
            self.page.next = Some(format!("{mount}/{last}"));
        }
        self.is_full
    }

    /// Adds a directory if it is a skill. Returns whether it is one.
    fn try_skill(&mut self, place: &RootedPath, path: &str, world: &mut dyn World) -> bool {
        self.looked = self.looked.saturating_add(1);
        let file = place.join(SKILL_FILE);
        let outcome = match file.stat(true, &url(path), world) {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(FileError::NotFound)) => return false,
            Ok(Err(error)) => Err(error.to_string()),
            Err(failure) => Err(failure.message.to_string()),
        };
        if let Err(reason) = outcome {
            self.skip(path, reason);
            return true;
        }
        // The skill of an earlier mount has precedence.
        match locate(&format!("{path}/{SKILL_FILE}"), world) {
            Ok(located) if located.place == *place => {}
            _ => return true,
        }
        match skill(place, path, &mut self.reading, world) {
            Ok(skill) => {
                let files = skill.files.iter().map(|file| file.path.len());
                let files: usize = files.map(|length| length.saturating_add(150)).sum();
                self.bytes = self.bytes.saturating_add(skill.front_matter.len());
                self.bytes = self.bytes.saturating_add(files);
                self.page.skills.push(skill);
            }
            Err(reason) => self.skip(path, reason),
        }
        true
    }

    fn skip(&mut self, path: &str, reason: String) {
        self.page.skipped.push(SkippedSkill {
            path: path.to_owned(),
            reason,
        });
    }
}

/// Reads a skill.
///
/// # Errors
/// Fails with the reason if it is not served.
fn skill(
    place: &RootedPath,
    path: &str,
    reading: &mut Reading,
    world: &mut dyn World,
) -> Result<ServedSkill, String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if !is_name(name) {
        return Err(
            "names of skills have 1 to 64 lower-case letters, digits and hyphens".to_owned(),
        );
    }
    let manifest::Manifest {
        text,
        files,
        left_out,
    } = manifest::of(place, reading, world)?;
    let front_matter = object(&text, name)?;
    Ok(ServedSkill {
        path: path.to_owned(),
        front_matter: serde_json::to_string(&front_matter).unwrap_or_default(),
        files,
        left_out,
    })
}

/// The front matter of a skill with this name.
///
/// # Errors
/// Fails with the reason if it has not what the specification requires.
fn object(text: &[u8], name: &str) -> Result<Map<String, Value>, String> {
    let text = std::str::from_utf8(text).map_err(|_| format!("`{SKILL_FILE}` is not UTF-8"))?;
    let start = text.get(..text.floor_char_boundary(limits::FRONT_MATTER_BYTES));
    let start = start.unwrap_or(text);
    let object = match front_matter::object(start) {
        Some(object) => object.map_err(|wrong| format!("cannot read the front matter: {wrong}"))?,
        None if start.len() < text.len() && front_matter::is_open(start) => {
            return Err("the front matter is longer than 64 KiB".to_owned());
        }
        None => return Err("there is no front matter".to_owned()),
    };
    let has = |key: &str| {
        let value = object.get(key).and_then(Value::as_str);
        value.filter(|value| !value.trim().is_empty())
    };
    if has("description").is_none() {
        return Err("the front matter has no description".to_owned());
    }
    match has("name") {
        None => Err("the front matter has no name".to_owned()),
        Some(own) if own == name => Ok(object),
        Some(own) => Err(format!(
            "the name in the front matter, `{}`, is not that of the directory",
            escape_invisible(own)
        )),
    }
}

#[cfg(test)]
mod tests;
