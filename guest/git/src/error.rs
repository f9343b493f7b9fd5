//! The errors of a read of a repository.

use crate::files::FileError;
use crate::id::Id;
use crate::kind::ObjectKind;
use std::fmt;

/// An object that a short id may mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The id.
    pub id: Id,
    /// The kind. `None` if the object cannot be read.
    pub kind: Option<ObjectKind>,
}

/// Why a revision or an object cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A directory is not in a repository. Contains its path.
    NoRepository(String),
    /// A file of the repository names a path that may not be read.
    Outside {
        /// The file with the name: `.git`, `commondir` or `alternates`.
        from: String,
        /// The path that it names.
        path: String,
    },
    /// The repository or the revision needs something that is not supported. Contains it as a noun.
    Unsupported(String),
    /// No reference and no object has this name.
    UnknownRevision(String),
    /// The branch of `HEAD` has no commit yet. Contains its name.
    Unborn(String),
    /// Several objects have an id that starts like this one.
    Ambiguous {
        /// The digits.
        digits: String,
        /// Objects with such ids, in the order of their ids.
        candidates: Vec<Candidate>,
        /// Whether there are more.
        more: bool,
    },
    /// A commit has no parent with this number.
    NoParent {
        /// The commit.
        id: Id,
        /// The number, from 1.
        number: u32,
        /// The number of its parents.
        parents: usize,
        /// Whether the history of the repository ends at this commit, because it is a shallow clone.
        shallow: bool,
    },
    /// An object is of another kind than is needed.
    WrongKind {
        /// The object.
        id: Id,
        /// Its kind.
        found: ObjectKind,
        /// The kind that is needed.
        wanted: ObjectKind,
    },
    /// The repository does not have an object.
    Missing {
        /// The object.
        id: Id,
        /// Why it is not there, as far as the repository says: `the repository is a partial clone`.
        reason: Option<String>,
        /// Why a directory of objects that the repository names was not read.
        refused: Option<Box<Self>>,
    },
    /// A path does not exist in a tree. Contains the part of it that exists, and similar names in that directory.
    NoPath {
        /// The path that does not exist.
        path: String,
        /// The names in the last directory that exists, with the path of that directory before them. Files are left
        /// out if the path goes on after the part that does not exist.
        siblings: Vec<String>,
    },
    /// A path goes through a file.
    NotDirectory(String),
    /// A symlink leads out of the tree.
    LinkOutside {
        /// The path of the symlink.
        link: String,
        /// Its target.
        target: String,
    },
    /// There are too many symlinks on the way to a path. Contains the path.
    Links(String),
    /// A path leads into a submodule, whose files are in another repository.
    Submodule {
        /// The path of the submodule.
        path: String,
        /// Its commit.
        commit: Id,
        /// The rest of the path.
        rest: String,
    },
    /// A part of the repository breaks the rules of its format.
    Damaged {
        /// The object or the file.
        what: String,
        /// What is wrong.
        why: String,
    },
    /// A limit is exceeded.
    Limit {
        /// The name of the limit.
        name: &'static str,
        /// Its value.
        value: u64,
        /// The object or the file.
        what: String,
    },
    /// A file cannot be read.
    File {
        /// The path of the file.
        path: String,
        /// The reason.
        error: FileError,
    },
}

impl Error {
    /// The error for a part of the repository that breaks the rules of its format.
    pub(crate) fn damaged(what: impl fmt::Display, why: impl Into<String>) -> Self {
        Self::Damaged {
            what: what.to_string(),
            why: why.into(),
        }
    }

    /// The error for a limit that is exceeded.
    pub(crate) fn limit(name: &'static str, value: u64, what: impl fmt::Display) -> Self {
        Self::Limit {
            name,
            value,
            what: what.to_string(),
        }
    }

    /// The error for a file that cannot be read.
    pub(crate) fn file(path: &str, error: FileError) -> Self {
        Self::File {
            path: path.to_owned(),
            error,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRepository(path) => write!(to, "`{path}` is not in a git repository"),
            Self::Outside { from, path } => {
                write!(to, "`{from}` names `{path}`, which is outside the roots")
            }
            Self::Unsupported(what) => write!(to, "{what} is not supported"),
            Self::UnknownRevision(name) => write!(to, "there is no revision `{name}`"),
            Self::Unborn(branch) => write!(to, "the branch `{branch}` has no commit yet"),
            Self::Ambiguous {
                digits,
                candidates,
                more,
            } => {
                write!(to, "`{digits}` is ambiguous:")?;
                for (index, candidate) in candidates.iter().enumerate() {
                    let kind = candidate.kind.map_or("object", ObjectKind::name);
                    let comma = if index > 0 { "," } else { "" };
                    write!(to, "{comma} {kind} {}", candidate.id)?;
                }
                to.write_str(if *more { ", and more" } else { "" })
            }
            Self::NoParent {
                id,
                number,
                parents,
                shallow,
            } => match (shallow, parents) {
                (true, _) => write!(
                    to,
                    "the commit {} is the first one of a shallow clone",
                    id.short()
                ),
                (_, 0) => write!(to, "the commit {} has no parent", id.short()),
                (_, parents) => write!(
                    to,
                    "the commit {} has {parents} parents, and no number {number}",
                    id.short()
                ),
            },
            Self::WrongKind { id, found, wanted } => {
                let (found, wanted) = (found.name(), wanted.name());
                write!(to, "{} is a {found}, not a {wanted}", id.short())
            }
            Self::Missing { id, reason, .. } => {
                write!(to, "the repository does not have the object {id}")?;
                match reason {
                    Some(reason) => write!(to, ": {reason}"),
                    None => Ok(()),
                }
            }
            Self::NoPath { path, .. } => write!(to, "the revision has no `{path}`"),
            Self::NotDirectory(path) => write!(to, "`{path}` is not a directory in the revision"),
            Self::LinkOutside { link, target } => write!(
                to,
                "`{link}` is a symlink to `{target}`, which is outside the revision"
            ),
            Self::Links(path) => write!(to, "`{path}` has too many symlinks in the revision"),
            Self::Submodule { path, commit, .. } => write!(
                to,
                "`{path}` is a submodule at the commit {commit}, whose files are in another repository"
            ),
            Self::Damaged { what, why } => write!(to, "{what} is damaged: {why}"),
            Self::Limit { name, value, what } => {
                write!(to, "{what} exceeds the limit `{name}` of {value}")
            }
            Self::File { path, error } => write!(to, "`{path}` cannot be read: {error}"),
        }
    }
}

impl std::error::Error for Error {}
