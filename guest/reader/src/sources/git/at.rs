//! `PATH@REV`: a file or directory at a revision of the repository in which it is.
//!
//! A path without a file of that name is tried as this form. The revision follows the last `@` for which there is one.

use super::errors;
use super::files::WorldFiles;
use super::opened::{Contents, Names, commit, open};
use crate::failure::Failure;
use crate::limits;
use crate::path::Suffix;
use crate::rooted_path::RootedPath;
use crate::sources::opened::Resolved;
use crate::world::{FileError, World};
use omniread_git::{Commit, Error, ObjectKind, Repository};

/// A path and the revision after it.
struct Parts<'p> {
    path: &'p str,
    revision: &'p str,
    /// The offset after the revision.
    end: usize,
}

/// Opens what a path of this form names. `None` if it has another form, or if neither the path nor the revision
/// exists.
///
/// # Errors
/// Fails if only one of them exists, if the repository cannot be read, and if a rule forbids the path.
pub fn find(path: &str, world: &mut dyn World) -> Result<Option<Resolved>, Failure> {
    let mut failed = None;
    for (at, _) in path.rmatch_indices('@').take(limits::REVISION_SIGNS) {
        let Some(parts) = parts(path, at) else {
            continue;
        };
        match at_revision(path, &parts, world) {
            Ok(Some(found)) => return Ok(Some(found)),
            Ok(None) => {}
            // Another `@` may be the one before the revision.
            Err(failure) => failed = failed.or(Some(failure)),
        }
    }
    failed.map_or(Ok(None), Err)
}

/// Divides a path at an `@`. `None` if nothing is before it or after it.
fn parts(path: &str, at: usize) -> Option<Parts<'_>> {
    let (name, rest) = path.split_at_checked(at)?;
    let rest = rest.get(1..)?;
    let length = rest.find([':', '?', '#']).unwrap_or(rest.len());
    let revision = rest.get(..length)?;
    // The `@` of `:12@2001` is a part of a selector.
    let start = name.rfind(':').map_or(at, |colon| colon.saturating_add(1));
    let selector = path.get(start..).unwrap_or_default();
    if start < at && Suffix::new(selector, false).is_selector() {
        return None;
    }
    // The `@` of `HEAD@{1}` is a part of a revision.
    let is_revision = !revision.is_empty() && !revision.starts_with('{');
    (is_revision && !name.is_empty()).then(|| Parts {
        path: name,
        revision,
        end: at.saturating_add(1).saturating_add(length),
    })
}

fn at_revision(
    typed: &str,
    parts: &Parts<'_>,
    world: &mut dyn World,
) -> Result<Option<Resolved>, Failure> {
    let Ok(place) = RootedPath::of(parts.path, world) else {
        return Ok(None);
    };
    let exists = match world.stat(place.root, &place.path, false) {
        Ok(_) => true,
        Err(FileError::NotFound) => false,
        // The path is denied, or cannot be read otherwise.
        Err(error) => return Err(crate::rooted_path::failure(error, typed)),
    };
    let Some(top) = top(&place, world) else {
        if !exists {
            return Ok(None);
        }
        let error = Error::NoRepository(parts.path.to_owned());
        return Err(errors::failure(&error, typed));
    };
    let requested = match top.path.as_str() {
        "" => place.path.as_str(),
        directory => place.path.strip_prefix(directory).unwrap_or_default(),
    };
    let requested = requested.trim_start_matches('/').to_owned();
    let directory = top.absolute(world);
    // Similar names could be those of files that a rule hides.
    let has_rules = world.denies_members();
    let mut files = WorldFiles { world };
    let read = Repository::open(&mut files, &directory)
        .map_err(|error| errors::failure(&error, typed))
        .and_then(|mut repository| {
            let commit = match commit(parts.revision, &mut repository) {
                Ok(commit) => commit,
                // A name such as `logo@2x.png` has no revision.
                Err(Error::UnknownRevision(_)) if !exists => return Ok(None),
                Err(error) => return Err(errors::of_revision(&error, typed, &mut repository)),
            };
            let found = read(&requested, typed, parts, commit, &mut repository);
            let found = found.map_err(|error| {
                if has_rules {
                    errors::without_names(error)
                } else {
                    error
                }
            });
            found.map(Some)
        })?;
    let Some(contents) = read else {
        return Ok(None);
    };
    let (name, rest) = typed.split_at_checked(parts.end).unwrap_or((typed, ""));
    let names = Names {
        typed,
        name,
        rest,
        requested: &requested,
        top: &top,
    };
    open(contents, &names, world).map(Some)
}

fn read(
    requested: &str,
    typed: &str,
    parts: &Parts<'_>,
    commit: Commit,
    repository: &mut Repository<'_>,
) -> Result<Contents, Failure> {
    let failed = |error: &Error| errors::failure(error, typed);
    let tree = repository.of_kind(&commit.tree, ObjectKind::Tree);
    let tree = tree.map_err(|error| failed(&error))?;
    let before = parts.path.strip_suffix(requested).unwrap_or_default();
    let found = repository.find(&tree, requested).map_err(|error| {
        errors::of_path(&error, typed, |similar| {
            format!("{before}{similar}@{}", parts.revision)
        })
    })?;
    let contents = Contents::read(parts.revision, commit, found, repository);
    contents.map_err(|error| failed(&error))
}

/// The directory of the work tree in which a path is: the nearest one above it with `.git`.
fn top(place: &RootedPath, world: &mut dyn World) -> Option<RootedPath> {
    let mut directory = place.parent();
    for _ in 0..limits::REVISION_DIRECTORIES {
        let git = directory.join(".git");
        // One that may not be read is an error when the repository is opened.
        let found = world.stat(git.root, &git.path, false);
        if !matches!(found, Err(FileError::NotFound)) {
            return Some(directory);
        }
        if directory.path.is_empty() {
            return None;
        }
        directory = directory.parent();
    }
    None
}
