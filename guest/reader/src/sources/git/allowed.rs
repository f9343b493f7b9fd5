//! The rules of the workspace for a path at a revision: those for the same path in the work tree.

use crate::failure::Failure;
use crate::rooted_path::{RootedPath, failure};
use crate::world::{FileError, Refusal, World};

/// Checks that no deny rule is for a path in the work tree, whether a file is there now or not.
///
/// # Errors
/// Fails if there is such a rule.
pub fn check(place: &RootedPath, typed: &str, world: &mut dyn World) -> Result<(), Failure> {
    match refusal(place, world) {
        Some(rule) => Err(failure(FileError::Refused(Refusal::Denied(rule)), typed)),
        None => Ok(()),
    }
}

/// The deny rule for a path in the work tree. The host compares each part of a path with the rules before it looks
/// for the file.
pub fn refusal(place: &RootedPath, world: &mut dyn World) -> Option<String> {
    if let Err(FileError::Refused(Refusal::Denied(rule))) =
        world.stat(place.root, &place.path, false)
    {
        return Some(rule);
    }
    // A symlink in the work tree may lead out of the root, where the host stops. Rules for names apply there too.
    if !world.denies_members() {
        return None;
    }
    world.denies(&place.path)
}
