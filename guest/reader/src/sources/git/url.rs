//! `git://REV/PATH` in the repository of the first root, and `git://`.

use super::errors;
use super::files::WorldFiles;
use super::listing;
use super::opened::{Contents, Names, commit, open};
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::{Suffix, clean, is_fragment, query};
use crate::rooted_path::RootedPath;
use crate::sources::opened::{Opened, Resolved};
use crate::sources::unnamed::nothing_granted;
use crate::subject::{Origin, Revision, Subject};
use crate::world::{Bytes, Info, World};
use omniread_git::{Error, Found, Object, ObjectKind, Repository};
use percent_encoding::percent_decode_str;

/// What was read of the repository, with the ends of the name and of the requested path in the tree.
enum Read {
    Names(String),
    Contents(Box<Contents>, usize, String),
}

/// Opens what a URL names.
///
/// # Errors
/// Fails if there is no repository, no such revision or no such path, and if a rule forbids the path.
pub fn find(path: &str, world: &mut dyn World) -> Result<Resolved, Failure> {
    if world.roots().is_empty() {
        return Err(nothing_granted(path));
    }
    let start = path.find("://").map_or(0, |at| at.saturating_add(3));
    let typed = path.get(start..).unwrap_or_default();
    let top = RootedPath::of(".", world)?;
    let directory = top.absolute(world);
    // Similar names could be those of files that a rule hides.
    let has_rules = world.denies_members();
    let mut files = WorldFiles { world };
    let read = Repository::open(&mut files, &directory)
        .map_err(|error| errors::failure(&error, path))
        .and_then(|mut repository| read(typed, path, &mut repository));
    let read = read.map_err(|error| {
        if has_rules {
            errors::without_names(error)
        } else {
            error
        }
    })?;
    match read {
        Read::Names(text) => {
            let rest = typed.trim_start_matches('/');
            Ok(names(path, rest, text, top))
        }
        Read::Contents(contents, end, requested) => {
            let end = start.saturating_add(end);
            let (name, rest) = path.split_at_checked(end).unwrap_or((path, ""));
            let names = Names {
                typed: path,
                name,
                rest,
                requested: &requested,
                top: &top,
            };
            open(*contents, &names, world)
        }
    }
}

fn read(typed: &str, path: &str, repository: &mut Repository<'_>) -> Result<Read, Failure> {
    if typed.trim_start_matches('/').is_empty() || typed.starts_with(':') {
        let names = listing::names(repository);
        return names
            .map(Read::Names)
            .map_err(|error| errors::failure(&error, path));
    }
    if let Some((revision, inner)) = with_colon(typed) {
        let reason = Reason::InvalidPath(path.to_owned());
        let message = format!("cannot read `{path}`: a slash ends the revision, not a colon");
        let hint = format!("write `git://{revision}/{inner}`");
        return Err(Failure::new(reason, message).hint(hint));
    }
    let failed = |error: &Error| errors::failure(error, path);
    // A revision has no colon and no question mark. A path may have them.
    let located = repository.locate(typed).map_err(|error| failed(&error))?;
    let (revision, inner) = (located.revision, located.path);
    let Some(inner) = inner else {
        let end = revision.find([':', '?']).unwrap_or(revision.len());
        let revision = revision.get(..end).unwrap_or(revision);
        let commit = commit(revision, repository)
            .map_err(|error| errors::of_revision(&error, path, repository))?;
        let contents = whole(revision, commit, repository).map_err(|error| failed(&error))?;
        return Ok(Read::Contents(Box::new(contents), end, String::new()));
    };
    let commit = commit(revision, repository)
        .map_err(|error| errors::of_revision(&error, path, repository))?;
    let tree = repository.of_kind(&commit.tree, ObjectKind::Tree);
    let tree = tree.map_err(|error| failed(&error))?;
    let (found, end, requested) = longest(inner, &tree, repository).map_err(|error| {
        errors::of_path(&error, path, |similar| {
            format!("git://{revision}/{similar}")
        })
    })?;
    let contents = Contents::read(revision, commit, found, repository);
    let contents = contents.map_err(|error| failed(&error))?;
    let end = revision.len().saturating_add(1).saturating_add(end);
    Ok(Read::Contents(Box::new(contents), end, requested))
}

/// The revision and the path in a text of the form `HEAD:src/lib.rs`, as git writes them.
fn with_colon(text: &str) -> Option<(&str, &str)> {
    let (revision, inner) = text.split_once(':')?;
    let is_suffix = inner == "diff" || Suffix::new(inner, false).is_selector();
    (!revision.contains('/') && !inner.is_empty() && !is_suffix).then_some((revision, inner))
}

fn whole(
    revision: &str,
    commit: omniread_git::Commit,
    repository: &mut Repository<'_>,
) -> Result<Contents, Error> {
    let tree = repository.of_kind(&commit.tree, ObjectKind::Tree)?;
    let found = repository.find(&tree, "")?;
    Contents::read(revision, commit, found, repository)
}

/// The longest start of a text that is a path in a tree, as it is written or decoded. Also returns the offset of its
/// end, and the path.
pub fn longest(
    text: &str,
    tree: &Object,
    repository: &mut Repository<'_>,
) -> Result<(Found, usize, String), Error> {
    let separators = text.char_indices().filter(|(at, c)| {
        let (name, rest) = text.split_at_checked(*at).unwrap_or((text, ""));
        match c {
            ':' => true,
            '?' => query::is_query(rest),
            '#' => is_fragment(name, rest),
            _ => false,
        }
    });
    let mut ends: Vec<usize> = separators
        .map(|(at, _)| at)
        .take(limits::NAME_CANDIDATES)
        .collect();
    ends.push(text.len());
    let mut shortest = None;
    for end in ends.into_iter().rev() {
        let name = text.get(..end).unwrap_or(text);
        let decoded = percent_decode_str(name).decode_utf8().ok();
        let decoded = decoded.filter(|decoded| decoded != name && !decoded.contains('\0'));
        for name in [Some(name.into()), decoded].into_iter().flatten() {
            let requested = clean(&name);
            let requested = if requested == "." {
                String::new()
            } else {
                requested
            };
            match repository.find(tree, &name) {
                Ok(found) => return Ok((found, end, requested)),
                // The rest of the text may be a suffix.
                Err(error @ (Error::NoPath { .. } | Error::NotDirectory(_))) => {
                    shortest = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
    }
    let none = || Error::NoPath {
        path: text.to_owned(),
        siblings: Vec::new(),
    };
    Err(shortest.unwrap_or_else(none))
}

/// The list of branches and tags.
fn names(path: &str, rest: &str, text: String, place: RootedPath) -> Resolved {
    let name = path
        .strip_suffix(rest)
        .filter(|_| !rest.is_empty())
        .unwrap_or(path);
    let origin = Origin::Revision(Box::new(Revision {
        place,
        name: String::new(),
        notes: Vec::new(),
    }));
    let info = Info {
        size: Some(text.len() as u64),
        mime: Some("text/plain".to_owned()),
        charset: Some("utf-8".to_owned()),
        ..Info::default()
    };
    Resolved {
        subject: Subject::remote(name, name.to_owned(), origin, info),
        node: Opened::Bytes(Box::new(Bytes::new(text.into_bytes()))),
        suffix: Suffix::after_name(rest, false),
        extraction: None,
    }
}
