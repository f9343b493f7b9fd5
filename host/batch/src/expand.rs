//! What directories and archives contain.

use crate::limits;
use crate::listing::{self, Listed};
use crate::names::{Excluded, is_hidden, join};
use crate::queue::{Child, What};
use crate::row::{Outcome, OwnError};
use omniread::files::Entries;
use omniread::{Dialect, Failure, Kind, Options, Reason, Reply, Session};
use std::collections::HashSet;
use std::path::Path;

/// The path of an archive, or of a directory in one, if this may be what a path has led to.
pub(crate) fn archive(path: &Path, outcome: &Result<Reply, Failure>) -> Option<String> {
    match outcome {
        Ok(reply) if matches!(reply.details.kind, Kind::Archive(_)) => {
            Some(reply.details.path.clone())
        }
        Ok(_) => None,
        // A dialect that shows no archives names the format. Whether it is one that is listed is found out later.
        Err(failure) => match &failure.reason {
            Reason::Binary(file) if file.format.ends_with(" archive") => {
                path.to_str().map(str::to_owned)
            }
            _ => None,
        },
    }
}

/// Whether a path has led to a directory of the file system.
pub(crate) fn is_directory(outcome: &Result<Reply, Failure>) -> bool {
    match outcome {
        Ok(reply) => matches!(reply.details.kind, Kind::Directory(_)),
        Err(failure) => matches!(failure.reason, Reason::Directory(_)),
    }
}

/// The files and directories in a directory, without hidden ones and those that are excluded.
pub(crate) fn directory(path: &str, entries: Entries, excluded: &Excluded) -> Vec<Child> {
    let mut children = Vec::with_capacity(entries.names.len());
    for name in entries.names {
        if is_hidden(&name) {
            continue;
        }
        let child = join(path, &name);
        if name.ends_with('/') {
            children.push(Child::new(child, What::Directory));
        } else if !excluded.has(&child) {
            children.push(Child::new(child, What::Path { is_listed: false }));
        }
    }
    if !entries.is_complete {
        children.push(incomplete(path));
    }
    children
}

/// The row that says that a directory or an archive has more than its other rows.
pub(crate) fn incomplete(path: &str) -> Child {
    Child::new(path.to_owned(), What::Failed(Box::new(unlisted(path))))
}

/// The error of a directory or an archive of which not all entries are known.
pub(crate) fn unlisted(path: &str) -> Outcome {
    Outcome::Error(OwnError {
        kind: "limit",
        message: format!("not all entries of `{path}` could be listed"),
        hint: Some("pass the names of its files on standard input, as `find` prints them"),
    })
}

/// The members of an archive.
pub(crate) enum Members {
    /// Their paths, in the order of the listings.
    Found(Vec<Child>),
    /// The file is not an archive that can be listed.
    NotArchive,
}

/// The paths of all members of an archive, at most `most`. A directory in it that cannot be listed has a row with its
/// error.
///
/// # Errors
/// Fails if the archive itself cannot be listed, or if the read was cancelled.
pub(crate) fn members(
    session: &Session,
    archive: &str,
    most: usize,
) -> Result<Members, Box<Failure>> {
    let prefix = if archive.ends_with([':', '/']) {
        archive.to_owned()
    } else {
        format!("{archive}:")
    };
    let mut children = Vec::new();
    // The directories that are listed later, the next one last.
    let mut left = vec![prefix];
    let mut is_first = true;
    while let Some(directory) = left.pop() {
        let mut found = Contents::default();
        match found.list(session, &directory, most.saturating_sub(children.len())) {
            Ok(true) => {}
            Ok(false) if is_first => return Ok(Members::NotArchive),
            Ok(false) => children.push(incomplete(&directory)),
            Err(failure) if matches!(failure.reason, Reason::Cancelled(_)) => return Err(failure),
            Err(failure) if is_first && found.children.is_empty() && found.below.is_empty() => {
                return Err(failure);
            }
            Err(failure) => {
                let what = What::Failed(Box::new(Outcome::Failure(failure)));
                found.children.push(Child::new(directory, what));
            }
        }
        is_first = false;
        children.append(&mut found.children);
        if children.len() >= most || left.len() >= limits::NAMES {
            children.push(incomplete(archive));
            break;
        }
        left.extend(found.below.into_iter().rev());
    }
    Ok(Members::Found(children))
}

/// The members of a directory of an archive.
#[derive(Default)]
struct Contents {
    children: Vec<Child>,
    /// Its directories.
    below: Vec<String>,
}

impl Contents {
    /// Adds the members of a directory, page by page. Returns false if it is not a directory of an archive.
    fn list(
        &mut self,
        session: &Session,
        directory: &str,
        most: usize,
    ) -> Result<bool, Box<Failure>> {
        // A page then has up to 8 MiB.
        let options = Options {
            all: true,
            ..Options::default()
        };
        let mut seen = HashSet::new();
        let mut page = Some(directory.to_owned());
        while let Some(path) = page {
            let reply = session.read_as(&path, Dialect::Omp, &options)?;
            if !matches!(reply.details.kind, Kind::Archive(_)) {
                return Ok(false);
            }
            for listed in listing::names(&reply) {
                self.add(directory, listed, &mut seen);
            }
            let next = reply.details.next;
            page = next.filter(|_| self.children.len() < most);
        }
        Ok(true)
    }

    fn add(&mut self, directory: &str, mut listed: Listed, seen: &mut HashSet<String>) {
        // Two entries have different names, so that two lines with the same one have another meaning.
        if !seen.insert(listed.name.clone())
            && let Some(other) = listed.other.take()
        {
            listed.name = other;
        }
        let path = |name: &str| format!("{directory}{}", listing::escaped(name));
        if listed.name.ends_with('/') {
            self.below.push(path(&listed.name));
        } else {
            let other = listed.other.as_deref().map(path);
            let what = What::Member { other };
            self.children.push(Child::new(path(&listed.name), what));
        }
    }
}
