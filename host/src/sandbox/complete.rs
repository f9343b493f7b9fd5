//! The completion of paths: the entries of a directory whose names start with the last part.
//!
//! It makes the same calls as an instance that lists a directory, so that roots and deny rules
//! apply.

use super::{Filesystem, Policy, Stop, View};
use crate::bindings::wasi::filesystem::preopens::Host as _;
use crate::bindings::wasi::filesystem::types::{
    DescriptorFlags, DescriptorType, HostDescriptor as _, HostDirectoryEntryStream as _, OpenFlags,
    PathFlags,
};
use std::path::Path;
use std::sync::Arc;
use wasmtime::component::{Resource, ResourceTable};

/// The maximum number of entries of a directory that are examined.
const EXAMINED: usize = 20_000;

/// Returns at most `most` paths in the roots that start with `path`, sorted. `path` is relative to
/// the first root or absolute. The paths of directories end in `/`.
pub fn complete(policy: Arc<Policy>, stop: Stop, path: &str, most: usize) -> Vec<String> {
    let mut view = View {
        table: &mut ResourceTable::new(),
        filesystem: &mut Filesystem::new(policy, stop),
    };
    let (directory, start) = match path.rfind('/') {
        Some(slash) => path.split_at(slash + 1),
        None => ("", path),
    };
    let mut names = names(&mut view, directory, start).unwrap_or_default();
    names.sort();
    names.truncate(most);
    names
        .into_iter()
        .map(|name| format!("{directory}{name}"))
        .collect()
}

/// The names of the entries of a directory that start with `start`. `None` if the directory cannot
/// be read.
fn names(view: &mut View<'_>, directory: &str, start: &str) -> Option<Vec<String>> {
    let roots = view.get_directories().ok()?;
    let (root, below) = if directory.starts_with('/') {
        let inside = |(root, name): &(Resource<_>, String)| {
            let below = Path::new(directory).strip_prefix(name).ok()?;
            Some((Resource::new_borrow(root.rep()), below.to_str()?.to_owned()))
        };
        roots.iter().find_map(inside)?
    } else {
        let (root, _) = roots.first()?;
        let root = Resource::new_borrow(root.rep());
        (root, directory.to_owned())
    };
    let below = match below.trim_end_matches('/') {
        "" => ".".to_owned(),
        below => below.to_owned(),
    };
    let opened = view.open_at(
        root,
        PathFlags::SYMLINK_FOLLOW,
        below,
        OpenFlags::DIRECTORY,
        DescriptorFlags::READ,
    );
    let opened = opened.ok()?.ok()?;
    let entries = view.read_directory(opened).ok()?.ok()?;
    let entries = entries.rep();
    let mut names = Vec::new();
    for _ in 0..EXAMINED {
        let stream = Resource::new_borrow(entries);
        let Some(entry) = view.read_directory_entry(stream).ok()?.ok()? else {
            break;
        };
        if entry.name.starts_with(start) {
            let slash = match entry.type_ {
                DescriptorType::Directory => "/",
                _ => "",
            };
            names.push(format!("{}{slash}", entry.name));
        }
    }
    Some(names)
}
