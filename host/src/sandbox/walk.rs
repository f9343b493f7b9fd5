//! Deny rules along a path, before anything of it is opened.
//!
//! The kernel resolves the path that is opened, and the real path of what was
//! opened is checked afterwards. That check alone would still reveal which names
//! exist in a denied directory: a symlink into it would be "denied" if its target
//! exists, and "not found" if it does not. So the walk stops at the first name
//! that a rule denies, before it looks at what is there.
//!
//! Rules are matched against the path as it is written as well: a rule may be for
//! a path through a symlink, whose target is another one tomorrow.

use super::policy::{Policy, Refusal};
use std::ffi::OsString;
use std::path::{Component, Path};

/// Symlinks that are followed in one path, as many as Linux follows
/// (`path_resolution(7)`).
const MAX_SYMLINKS: u32 = 40;

/// The rule that denies a path in a directory, by any name on the way: the
/// path as it is written, and the target of each symlink in it, the last one
/// included. `base` is the real path of the directory.
///
/// `None` is not a permission: what is opened must be checked by its handle,
/// because names may change at any time.
pub fn refusal(policy: &Policy, base: &Path, path: &str) -> Option<Refusal> {
    if let Some(refusal) = policy.denied(base) {
        return Some(refusal);
    }
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
        // What is outside the roots is not opened.
        if !policy.contains(&here) {
            return None;
        }
        // Up to the first symlink, this is the path as it is written.
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
        // Absolute symlinks are not followed beneath a handle: the reader asks for
        // their target by a path of its own.
        if target.is_absolute() {
            return None;
        }
        here.pop();
        ahead.extend(parts(&target));
    }
    None
}

/// The parts of a path, the first one last. A `..` is kept: after a symlink it
/// leads to the parent of the target.
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
