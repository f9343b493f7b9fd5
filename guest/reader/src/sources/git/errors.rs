//! Errors of repositories as failures of a read.

use crate::failure::{Failure, Reason};
use crate::limits;
use crate::sources::repair::{similar_names, similar_names_hint};
use omniread_git as git;
use omniread_git::{Error, FileError, Repository};

/// The failure for an error. `typed` is the path as it was typed.
pub fn failure(error: &Error, typed: &str) -> Failure {
    let (reason, hint) = reason(error, typed);
    let failure = Failure::new(reason, format!("cannot read `{typed}`: {error}"));
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// The reason of an error, and what to do next.
fn reason(error: &Error, typed: &str) -> (Reason, Option<String>) {
    match error {
        Error::Outside { path, .. } => (
            Reason::OutsideRoots(path.clone()),
            Some("the directories of a repository have to be in the roots too".to_owned()),
        ),
        Error::File { path, error } => (file_reason(path, error), None),
        Error::LinkOutside { link, target } => (
            Reason::LinkOutsideRoots {
                link: link.clone(),
                target: target.clone(),
            },
            None,
        ),
        Error::Links(path) => (Reason::Symlink(path.clone()), None),
        Error::Unsupported(what) => (Reason::Unsupported(what.clone()), None),
        Error::Ambiguous { candidates, .. } => {
            let ids = candidates.iter().map(|candidate| candidate.id.to_string());
            let hint = "write more digits of one of them";
            (Reason::NotFound(ids.collect()), Some(hint.to_owned()))
        }
        Error::WrongKind { .. } => (
            Reason::InvalidPath(typed.to_owned()),
            Some("write the name or the id of a commit".to_owned()),
        ),
        // Objects in a directory that was refused cannot be fetched with git.
        Error::Missing {
            refused: Some(refused),
            ..
        } if !matches!(**refused, Error::Missing { .. }) => reason(refused, typed),
        Error::Missing { .. } => (
            Reason::NotFound(Vec::new()),
            Some("fetch it with git, and read it again".to_owned()),
        ),
        Error::Submodule { path, .. } => (
            Reason::Unsupported(
                "a file of a submodule at a revision of another repository".to_owned(),
            ),
            Some(format!(
                "the files of the submodule are read as `{path}/PATH@COMMIT`"
            )),
        ),
        Error::Damaged { .. } => (
            Reason::Io(error.to_string()),
            Some("check the repository with `git fsck`".to_owned()),
        ),
        Error::Limit { name, value, .. } => (Reason::limit(*name, *value), None),
        Error::NoRepository(_) => (
            Reason::NotFound(Vec::new()),
            Some("the directory with `.git` has to be in a root".to_owned()),
        ),
        _ => (Reason::NotFound(Vec::new()), None),
    }
}

fn file_reason(path: &str, error: &FileError) -> Reason {
    match error {
        FileError::Outside => Reason::OutsideRoots(path.to_owned()),
        FileError::Denied(rule) => Reason::Denied(rule.clone()),
        FileError::Other(message) => Reason::Io(message.clone()),
    }
}

/// The failure for a revision that does not exist, with similar names.
pub fn of_revision(error: &Error, typed: &str, repository: &mut Repository<'_>) -> Failure {
    let failed = failure(error, typed);
    let Error::UnknownRevision(name) = error else {
        return failed;
    };
    let Ok(references) = repository.references() else {
        return failed;
    };
    let mut similar = Vec::new();
    // The name of a branch may have slashes, of which the first one was taken as the end of the revision.
    let text = typed.split_once("://").map_or("", |(_, text)| text);
    let ends = text.match_indices('/').map(|(at, _)| at).skip(1);
    let longer = ends.take(2).filter_map(|end| text.get(..end));
    for name in [name.as_str()].into_iter().chain(longer) {
        let mut names = references.list.iter().map(git::Reference::short);
        let near = similar_names(name, &mut names);
        similar.extend(
            near.into_iter()
                .filter(|near| !similar.contains(near))
                .collect::<Vec<_>>(),
        );
    }
    similar.truncate(limits::SIMILAR_NAMES);
    let hint = match similar.as_slice() {
        [] => "`git://` lists the branches and tags".to_owned(),
        similar => similar_names_hint(similar),
    };
    Failure {
        reason: Reason::NotFound(similar),
        ..failed.hint(hint)
    }
}

/// The same failure without similar names.
pub fn without_names(failed: Failure) -> Failure {
    match failed.reason {
        Reason::NotFound(names) if !names.is_empty() => Failure {
            reason: Reason::NotFound(Vec::new()),
            hint: None,
            ..failed
        },
        _ => failed,
    }
}

/// The failure for a path that does not exist at a revision, with similar paths. `spelled` writes the path that
/// reads such a path.
pub fn of_path(error: &Error, typed: &str, spelled: impl Fn(&str) -> String) -> Failure {
    let failed = failure(error, typed);
    if let Error::NotDirectory(file) = error {
        let file = spelled(file);
        let hint = format!("read the file: `{file}`; a member of an archive follows a colon");
        return Failure {
            reason: Reason::NotFound(vec![file]),
            ..failed.hint(hint)
        };
    }
    let Error::NoPath { path, siblings } = error else {
        return failed;
    };
    // The first part that does not exist, and what follows it.
    let directory = siblings.first().and_then(|sibling| sibling.rfind('/'));
    let start = directory.map_or(0, |slash| slash.saturating_add(1));
    let length = path.get(start..).and_then(|part| part.find('/'));
    let end = length.map_or(path.len(), |length| start.saturating_add(length));
    let (wanted, rest) = path.split_at_checked(end).unwrap_or((path, ""));
    let mut similar = similar_names(wanted, &mut siblings.iter().map(String::as_str));
    similar.truncate(limits::SIMILAR_NAMES);
    let similar = similar.iter().map(|path| spelled(&format!("{path}{rest}")));
    let similar: Vec<String> = similar.collect();
    let failed = match similar.as_slice() {
        [] => failed,
        similar => failed.hint(similar_names_hint(similar)),
    };
    Failure {
        reason: Reason::NotFound(similar),
        ..failed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omniread_git::Id;

    #[test]
    fn objects_of_an_alternate_that_was_refused_are_outside_the_roots() {
        let outside = Error::Outside {
            from: ".git/objects/info/alternates".to_owned(),
            path: "/other/objects".to_owned(),
        };
        let missing = |refused: Option<Box<Error>>| Error::Missing {
            id: Id::from_hex(git::Algorithm::Sha1, &"a".repeat(40)).unwrap(),
            reason: None,
            refused,
        };
        let refused = failure(&missing(Some(Box::new(outside))), "git://HEAD/a");
        let outside = Reason::OutsideRoots("/other/objects".to_owned());
        assert_eq!(refused.reason, outside);
        let hint = refused.hint.unwrap();
        assert!(
            hint.contains("in the roots") && !hint.contains("fetch"),
            "{hint}"
        );
        let absent = failure(&missing(None), "git://HEAD/a");
        assert!(absent.hint.is_some_and(|hint| hint.contains("fetch")));
    }

    #[test]
    fn path_through_a_file_names_the_file() {
        let error = Error::NotDirectory("a/file.txt".to_owned());
        let spelled = |path: &str| format!("git://HEAD/{path}");
        let failed = of_path(&error, "git://HEAD/a/file.txt/x", spelled);
        let file = "git://HEAD/a/file.txt".to_owned();
        let hint = format!("read the file: `{file}`; a member of an archive follows a colon");
        assert_eq!(failed.hint.as_deref(), Some(hint.as_str()));
        assert_eq!(failed.reason, Reason::NotFound(vec![file]));
    }
}
