//! The completion of paths and of internal URLs: the entries of a directory whose names start with the last
//! part.
//!
//! It makes the same calls as an instance that lists a directory, so that roots and deny rules
//! apply.

use super::{Filesystem, Policy, Stop, View};
use crate::bindings::wasi::filesystem::preopens::Host as _;
use crate::bindings::wasi::filesystem::types::{
    DescriptorFlags, DescriptorType, HostDescriptor as _, HostDirectoryEntryStream as _, OpenFlags,
    PathFlags,
};
use crate::handles::Descriptor;
use crate::limits::DIRECTORY_ENTRIES;
use omniread_schemes::{Naming, SKILL_FILE, Scheme};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use wasmtime::component::{Resource, ResourceTable};

/// The maximum number of entries of a directory that are examined.
const EXAMINED: usize = 20_000;

/// The entries of a directory that reads may access.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entries {
    /// Their names, sorted. Those of directories end in `/`.
    pub names: Vec<String>,
    /// Whether these are all of them: there are not too many, and each could be examined.
    pub is_complete: bool,
}

/// Returns at most `most` paths in the roots that start with `path`, sorted. `path` is relative to
/// the first root or absolute. The paths of directories end in `/`.
pub fn complete(policy: Arc<Policy>, stop: Stop, path: &str, most: usize) -> Vec<String> {
    let mut view = View {
        table: &mut ResourceTable::new(),
        filesystem: &mut Filesystem::new(policy, stop),
    };
    let (directory, start) = split(path);
    let mut names = names(&mut view, directory, start).unwrap_or_default();
    names.sort();
    names.truncate(most);
    names
        .into_iter()
        .map(|name| format!("{directory}{name}"))
        .collect()
}

/// Returns the entries of a directory in the roots, sorted. The path is relative to the first root or absolute. `None`
/// if it is not a directory, or cannot be read.
pub fn entries_of(policy: Arc<Policy>, stop: Stop, directory: &str) -> Option<Entries> {
    let mut view = View {
        table: &mut ResourceTable::new(),
        filesystem: &mut Filesystem::new(policy, stop),
    };
    let directory = match directory {
        "/" => "/",
        other => other.trim_end_matches('/'),
    };
    let (root, below) = root_of(&mut view, directory)?;
    let mut found = entries(&mut view, &root, &below, ("", DIRECTORY_ENTRIES))?;
    found.names.sort();
    Some(found)
}

/// Returns at most `most` names of a scheme that start with `start`, sorted, without `SCHEME://`: the entries
/// of one directory in all mounts of the scheme, each under its shortest name. The names of directories end
/// in `/`, except those of skills.
pub fn complete_mounted(
    policy: Arc<Policy>,
    stop: Stop,
    scheme: &str,
    start: &str,
    most: usize,
) -> Vec<String> {
    let mut view = View {
        table: &mut ResourceTable::new(),
        filesystem: &mut Filesystem::new(policy, stop),
    };
    let naming = Scheme::of(scheme).naming;
    let (directory, last) = split(start);
    let mut found = BTreeSet::new();
    if naming == Naming::Memory && !directory.starts_with("root/") {
        // `root` is a file, and the directory of all others.
        found.extend(["root", "root/"].map(str::to_owned));
        found.retain(|name| name.starts_with(start));
        return found.into_iter().take(most).collect();
    }
    if directory.split(['/', '\\']).any(|part| part == "..") || directory.starts_with('/') {
        return Vec::new();
    }
    let below = match naming {
        Naming::Memory => directory.strip_prefix("root/").unwrap_or_default(),
        _ => directory,
    };
    let Ok(roots) = view.get_directories() else {
        return Vec::new();
    };
    let prefix = format!("{scheme}://");
    for (root, name) in &roots {
        if !name.starts_with(&prefix) {
            continue;
        }
        let Some(found_here) = entries(&mut view, root, below, (last, EXAMINED)) else {
            continue;
        };
        let mut names = found_here.names;
        names.sort();
        for entry in names.into_iter().take(most) {
            let path = format!("{below}{entry}");
            let skill = format!("{path}{SKILL_FILE}");
            let path = match naming {
                Naming::Skills if entry.ends_with('/') && is_file(&mut view, root, &skill) => skill,
                _ => path,
            };
            let name = naming.name_of(&path);
            found.insert(if name.starts_with(start) { name } else { path });
        }
    }
    found.into_iter().take(most).collect()
}

/// The directory of a path, with its slash, and the start of the last part.
fn split(path: &str) -> (&str, &str) {
    match path.rfind('/') {
        Some(slash) => path.split_at(slash + 1),
        None => ("", path),
    }
}

/// A preopened directory.
type Preopened = Resource<Descriptor>;

/// The names of the entries of a directory that start with `start`. `None` if the directory cannot
/// be read.
fn names(view: &mut View<'_>, directory: &str, start: &str) -> Option<Vec<String>> {
    let (root, below) = root_of(view, directory)?;
    Some(entries(view, &root, &below, (start, EXAMINED))?.names)
}

/// The root of a directory, and the path of the directory in it.
fn root_of(view: &mut View<'_>, directory: &str) -> Option<(Preopened, String)> {
    let roots = view.get_directories().ok()?;
    let inside = |directory: &Path| {
        roots.iter().find_map(|(root, name)| {
            let below = directory.strip_prefix(name).ok()?;
            Some((Resource::new_borrow(root.rep()), below.to_str()?.to_owned()))
        })
    };
    if directory.starts_with('/') {
        return inside(Path::new(directory));
    }
    // The first of the directories is a mount if there are no roots.
    let (root, name) = roots.first().filter(|(_, name)| !name.contains("://"))?;
    match climbed(Path::new(name), directory) {
        // It may be in another root.
        Some(absolute) => inside(&absolute),
        None => Some((Resource::new_borrow(root.rep()), directory.to_owned())),
    }
}

/// The absolute path of a directory that is relative to a root, if it leads out of the root: `../a`.
fn climbed(root: &Path, directory: &str) -> Option<PathBuf> {
    let mut below = Vec::new();
    let mut ups = 0;
    for part in directory.split('/') {
        match part {
            ".." if below.pop().is_none() => ups += 1,
            "" | "." | ".." => {}
            part => below.push(part),
        }
    }
    let up = root.ancestors().nth(ups).filter(|_| ups > 0)?;
    Some(up.join(below.join("/")))
}

/// The entries of the directory `below` whose names start with `start`, of at most `most` that are examined. `None` if it
/// cannot be read.
fn entries(
    view: &mut View<'_>,
    root: &Preopened,
    below: &str,
    (start, most): (&str, usize),
) -> Option<Entries> {
    let below = match below.trim_end_matches('/') {
        "" => ".".to_owned(),
        below => below.to_owned(),
    };
    let opened = view.open_at(
        Resource::new_borrow(root.rep()),
        PathFlags::SYMLINK_FOLLOW,
        below,
        OpenFlags::DIRECTORY,
        DescriptorFlags::READ,
    );
    let opened = opened.ok()?.ok()?;
    let entries = view.read_directory(opened).ok()?.ok()?;
    let entries = entries.rep();
    let mut names = Vec::new();
    let mut is_complete = true;
    for examined in 0.. {
        let stream = Resource::new_borrow(entries);
        let entry = match view.read_directory_entry(stream).ok()? {
            Ok(None) => break,
            _ if examined == most => {
                is_complete = false;
                break;
            }
            Ok(Some(entry)) => entry,
            // The entry cannot be examined.
            Err(_) => {
                is_complete = false;
                continue;
            }
        };
        if entry.name.starts_with(start) {
            let slash = match entry.type_ {
                DescriptorType::Directory => "/",
                _ => "",
            };
            names.push(format!("{}{slash}", entry.name));
        }
    }
    Some(Entries { names, is_complete })
}

/// Whether a path names a file.
fn is_file(view: &mut View<'_>, root: &Preopened, path: &str) -> bool {
    let root = Resource::new_borrow(root.rep());
    let stat = view.stat_at(root, PathFlags::SYMLINK_FOLLOW, path.to_owned());
    matches!(stat, Ok(Ok(stat)) if stat.type_ == DescriptorType::RegularFile)
}
