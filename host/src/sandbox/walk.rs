//! Checks deny rules along a path, before anything of it is opened.
//!
//! The kernel resolves the path that is opened, and the real path of the opened file is checked
//! afterwards. That check alone would reveal which names exist in a denied directory: a symlink
//! into it would be "denied" if its target exists, and "not found" if it does not. So the walk
//! stops at the first name that a rule denies, before it examines the entry.
//!
//! Rules are also matched against the path as it is written. A rule may be for a path through a
//! symlink whose target changes.

use super::policy::{Policy, Refusal};
use std::ffi::OsString;
use std::path::{Component, Path};

/// The maximum number of symlinks that are followed in one path. It is the limit of Linux
/// (`path_resolution(7)`).
const MAX_SYMLINKS: u32 = 40;

/// The refusal of a path that is relative to a directory, if a rule denies it. Rules are matched
/// against the path as it is written, each directory on the way to it, and the target of each
/// symlink, including a symlink at its end. `base` is the real path of the directory, which the caller
/// has checked.
///
/// `None` does not permit access. The opened file must also be checked through its handle, because
/// other processes may change the path at any time.
pub fn refusal(policy: &Policy, base: &Path, path: &str) -> Option<Refusal> {
    let mut ahead = parts(Path::new(path));
    let mut written = base.to_owned();
    for part in ahead.iter().rev() {
        if part == ".." {
            written.pop();
        } else {
            written.push(part);
        }
        if let Some(refusal) = policy.denied_entry(&written) {
            return Some(refusal);
        }
    }
    let mut here = base.to_owned();
    let mut symlinks = 0;
    while let Some(part) = ahead.pop() {
        if part == ".." {
            here.pop();
            continue;
        }
        here.push(part);
        // Paths outside the roots are not opened.
        if !policy.contains(&here) {
            return None;
        }
        // Before the first symlink, this is the path as it is written.
        if symlinks > 0
            && let Some(refusal) = policy.denied_entry(&here)
        {
            return Some(refusal);
        }
        let Ok(target) = here.read_link() else {
            continue;
        };
        symlinks += 1;
        if symlinks > MAX_SYMLINKS {
            return None;
        }
        // Absolute symlinks are not followed beneath a handle. The reader opens their target by
        // another path.
        if target.is_absolute() {
            return None;
        }
        here.pop();
        ahead.extend(parts(&target));
    }
    None
}

/// The components of a path in reverse order. A `..` is kept, because after a symlink it leads to
/// the parent of the target.
fn parts(path: &Path) -> Vec<OsString> {
    let mut parts: Vec<OsString> = path
        .components()
        .filter_map(|part| match part {
            Component::Normal(part) => Some(part.to_owned()),
            Component::ParentDir => Some("..".into()),
            _ => None,
        })
        .collect();
    parts.reverse();
    parts
}
