//! What becomes of an item: a row, or the items that it contains.

use crate::expand::{self, Members, unlisted};
use crate::limits;
use crate::names::Excluded;
use crate::patterns;
use crate::queue::{Child, Inside, What};
use crate::row::{Outcome, OwnError};
use crate::settings::Settings;
use omniread::{CancelToken, Dialect, Failure, Options, Reason, Reply, Session};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// Reads of a batch.
pub(crate) struct Reads {
    pub(crate) settings: Settings,
    pub(crate) token: CancelToken,
    excluded: Excluded,
}

/// What becomes of an item.
pub(crate) enum Made {
    Row(Outcome),
    /// Another meaning of the path was read.
    Renamed(Box<Path>, Outcome),
    /// The item has children. `is_archive` says that they are members of an archive that the item is.
    Children {
        children: Vec<Child>,
        is_archive: bool,
    },
    /// The batch was stopped before the item was read.
    Cancelled,
}

impl Reads {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            token: CancelToken::new(),
            excluded: Excluded::new(&settings.reader, &settings.excluded),
            settings,
        }
    }

    /// Reads an item, or lists what it contains. `depth` is the number of items that it is in, and itself.
    pub(crate) fn made(&self, path: &Path, what: What, depth: usize, inside: &Inside) -> Made {
        // A reply does not depend on what was read before.
        let session = self.settings.reader.session().with_cancel(&self.token);
        let page = match &what {
            What::Page(number) => *number,
            // Its next page is the item after it.
            What::Read(_) => usize::MAX,
            _ => 1,
        };
        let made = match what {
            What::Path { is_listed } if self.settings.only_paths => {
                self.found(path, (is_listed, depth), &session)
            }
            What::Path { is_listed } => self.read(path, (is_listed, depth), inside, &session),
            What::Member { other } => self.member(path, other, inside, &session),
            What::Page(number) if number > limits::PAGES => refused(
                "limit",
                format!("`{}` is page {number} of a path", path.display()),
                "pass this path in the list of another batch, or set the option `all` for larger pages",
            ),
            What::Page(_) => row(self.read_as_set(path, &session)),
            What::Directory if depth >= limits::DEPTH => {
                Made::Row(unlisted(&path.to_string_lossy()))
            }
            What::Directory => self.directory(path, &session),
            What::Pattern => self.pattern(path, &session),
            What::TooLong(line) => refused(
                "invalid_path",
                format!("line {line} of the list is too long for a path"),
                "write one path on each line, or with `-0` a NUL after each path",
            ),
            What::Read(outcome) | What::Failed(outcome) => Made::Row(*outcome),
        };
        match made {
            Made::Row(Outcome::Failure(failure))
                if self.token.is_cancelled() && matches!(failure.reason, Reason::Cancelled(_)) =>
            {
                Made::Cancelled
            }
            Made::Row(outcome) => match path.to_str() {
                Some(path) => self
                    .with_next(outcome, path, page)
                    .unwrap_or_else(Made::Row),
                None => Made::Row(outcome),
            },
            Made::Renamed(renamed, outcome) => match renamed.to_str() {
                Some(path) => {
                    let made = self.with_next(outcome, path, page);
                    made.unwrap_or_else(|outcome| Made::Renamed(renamed, outcome))
                }
                None => Made::Renamed(renamed, outcome),
            },
            made => made,
        }
    }

    /// A page, and the item of the next one.
    ///
    /// # Errors
    /// Fails with the page if the next one needs no row.
    fn with_next(&self, outcome: Outcome, path: &str, page: usize) -> Result<Made, Outcome> {
        let next = match &outcome {
            Outcome::Reply(reply) if self.settings.pages => reply.details.next.clone(),
            _ => None,
        };
        match (next, page.checked_add(1)) {
            (Some(next), Some(number)) => Ok(Made::Children {
                children: vec![
                    Child::new(path.to_owned(), What::Read(Box::new(outcome))),
                    Child::new(next, What::Page(number)),
                ],
                is_archive: false,
            }),
            _ => Err(outcome),
        }
    }

    /// The row of a path that is not read, or the entries of a directory.
    fn found(&self, path: &Path, (is_listed, depth): (bool, usize), session: &Session) -> Made {
        let Some(text) = path.to_str() else {
            // The row then has the error.
            return row(self.read_as_set(path, session));
        };
        if !self.settings.recursive || !is_listed {
            return Made::Row(Outcome::Found);
        }
        let entries = self.settings.reader.entries(text, &self.token);
        let children = entries.map(|entries| expand::directory(text, entries, &self.excluded));
        match children {
            _ if self.token.is_cancelled() => Made::Cancelled,
            Some(_) if depth >= limits::DEPTH => Made::Row(unlisted(text)),
            Some(children) => Made::Children {
                children,
                is_archive: false,
            },
            None => Made::Row(Outcome::Found),
        }
    }

    fn read_as_set(&self, path: &Path, session: &Session) -> Result<Reply, Failure> {
        session.read_as(path, self.settings.dialect, &self.settings.options)
    }

    /// Reads a path that may be a directory or an archive.
    fn read(
        &self,
        path: &Path,
        (is_listed, depth): (bool, usize),
        inside: &Inside,
        session: &Session,
    ) -> Made {
        let read = self.read_as_set(path, session);
        if let Some(made) = self.members(path, &read, inside, session) {
            return made;
        }
        // A link in a directory may lead to a directory that it is in.
        if self.settings.recursive && is_listed && expand::is_directory(&read) {
            if depth >= limits::DEPTH {
                return Made::Row(unlisted(&path.to_string_lossy()));
            }
            return self.directory(path, session);
        }
        row(read)
    }

    /// Reads a member of an archive, or the one with another name that the listing may mean.
    fn member(
        &self,
        path: &Path,
        other: Option<String>,
        inside: &Inside,
        session: &Session,
    ) -> Made {
        let read = self.read_as_set(path, session);
        let is_missing =
            matches!(&read, Err(failure) if matches!(failure.reason, Reason::NotFound(_)));
        if let Some(other) = other.filter(|_| is_missing) {
            let other = PathBuf::from(other);
            let other_read = self.read_as_set(&other, session);
            // A directory, or an archive, is expanded.
            if let Some(made) = self.members(&other, &other_read, inside, session) {
                return match made {
                    Made::Row(outcome) => Made::Renamed(other.into(), outcome),
                    made => made,
                };
            }
            if let Ok(reply) = other_read {
                return Made::Renamed(other.into(), Outcome::Reply(Box::new(reply)));
            }
            return row(read);
        }
        let leads_to_directory = expand::archive(path, &read).is_some_and(|it| it.ends_with('/'));
        if leads_to_directory {
            // A link, which may lead to a directory that it is in.
            return row(read);
        }
        let made = self.members(path, &read, inside, session);
        made.unwrap_or_else(|| row(read))
    }

    /// The members of an archive, if this is what was read. An archive without members has a row itself.
    fn members(
        &self,
        path: &Path,
        read: &Result<Reply, Failure>,
        inside: &Inside,
        session: &Session,
    ) -> Option<Made> {
        if !self.settings.members {
            return None;
        }
        let archive = expand::archive(path, read)?;
        let is_archive = !archive.ends_with('/');
        if is_archive && inside.archives >= limits::ARCHIVES {
            let most = limits::ARCHIVES;
            return Some(refused(
                "limit",
                format!("`{archive}` is in {most} archives, one in the other"),
                "unpack the outer archives to a directory, and read that",
            ));
        }
        let used = inside.members.load(Ordering::Relaxed);
        let most = limits::NAMES.saturating_sub(used);
        match expand::members(session, &archive, most) {
            Ok(Members::Found(children)) => {
                inside.members.fetch_add(children.len(), Ordering::Relaxed);
                (!children.is_empty()).then_some(Made::Children {
                    children,
                    is_archive,
                })
            }
            Ok(Members::NotArchive) => None,
            Err(failure) => Some(Made::Row(Outcome::Failure(failure))),
        }
    }

    /// The entries of a directory, or the reason why they cannot be listed.
    fn directory(&self, path: &Path, session: &Session) -> Made {
        let entries = path.to_str().and_then(|path| {
            let entries = self.settings.reader.entries(path, &self.token)?;
            Some(expand::directory(path, entries, &self.excluded))
        });
        if self.token.is_cancelled() {
            return Made::Cancelled;
        }
        if let Some(children) = entries {
            return Made::Children {
                children,
                is_archive: false,
            };
        }
        match session.read_as(path, Dialect::Omp, &Options::default()) {
            Ok(_) => Made::Row(unlisted(&path.to_string_lossy())),
            Err(failure) => Made::Row(Outcome::Failure(Box::new(failure))),
        }
    }

    /// The files of a pattern.
    fn pattern(&self, path: &Path, session: &Session) -> Made {
        let pattern = path.to_str().unwrap_or_default();
        let reader = &self.settings.reader;
        let files = patterns::files(reader, &self.token, &self.excluded, pattern);
        if self.token.is_cancelled() {
            return Made::Cancelled;
        }
        let mut children = match files {
            Ok(files) => files,
            Err(error) => {
                return refused(
                    "invalid_path",
                    format!("cannot use `{pattern}` as a pattern: {}", error.kind()),
                    "pass the name of a file on standard input, where a line is not a pattern",
                );
            }
        };
        if children.is_empty() {
            let start = patterns::start(pattern);
            let read = session.read_as(start, Dialect::Omp, &Options::default());
            if let Err(failure) = read
                && !start.is_empty()
                && !matches!(failure.reason, Reason::NotFound(_))
            {
                return Made::Row(Outcome::Failure(Box::new(failure)));
            }
            // The message about a missing file is about the pattern then.
            let what = What::Path { is_listed: true };
            children.push(Child::new(pattern.to_owned(), what));
        }
        Made::Children {
            children,
            is_archive: false,
        }
    }
}

fn row(read: Result<Reply, Failure>) -> Made {
    Made::Row(match read {
        Ok(reply) => Outcome::Reply(Box::new(reply)),
        Err(failure) => Outcome::Failure(Box::new(failure)),
    })
}

/// The outcome of an item that is not read.
fn refused(kind: &'static str, message: String, hint: &'static str) -> Made {
    Made::Row(Outcome::Error(OwnError {
        kind,
        message,
        hint: Some(hint),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use omniread::Reader;

    /// An archive with an empty file.
    fn archive() -> Vec<u8> {
        // The headers of `ar` are text.
        let header = format!(
            "{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n",
            "a.txt/", 0, 0, 0, 644, 2
        );
        format!("!<arch>\n{header}a\n").into_bytes()
    }

    fn reads(test: impl FnOnce(&Reads, &Result<Reply, Failure>, &Session)) {
        let name = format!("omniread-batch-{}-reads", std::process::id());
        let directory = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&directory).expect("a directory");
        std::fs::write(directory.join("a.a"), archive()).expect("a file");
        let reader = Reader::builder().root(&directory).build();
        let mut settings = Settings::new(reader.expect("a reader"));
        settings.members = true;
        let reads = Reads::new(settings);
        let session = reads.settings.reader.session().with_cancel(&reads.token);
        let read = reads.read_as_set(Path::new("a.a"), &session);
        assert!(read.is_ok(), "{read:?}");
        test(&reads, &read, &session);
        let _ = std::fs::remove_dir_all(&directory);
    }

    #[test]
    fn archive_whose_listing_ends_early_has_no_row_of_its_own() {
        reads(|reads, read, session| {
            let path = Path::new("a.a");
            let members = || reads.members(path, read, &Inside::default(), session);
            assert!(matches!(members(), Some(Made::Children { .. })));
            // It is in as many archives as are expanded.
            let inside = Inside {
                archives: limits::ARCHIVES,
                ..Inside::default()
            };
            let refused = reads.members(path, read, &inside, session);
            assert!(matches!(refused, Some(Made::Row(Outcome::Error(_)))));
            // The archives in one of the list have all the members that there may be.
            let inside = Inside::default();
            inside.members.store(limits::NAMES, Ordering::Relaxed);
            let Some(Made::Children { children, .. }) = reads.members(path, read, &inside, session)
            else {
                panic!("no children");
            };
            let last = children.last().map(|child| &child.what);
            assert!(matches!(last, Some(What::Failed(_))), "{children:?}");
            reads.token.cancel();
            let Some(Made::Row(Outcome::Failure(failure))) = members() else {
                panic!("no failure");
            };
            assert!(matches!(failure.reason, Reason::Cancelled(_)), "{failure}");
        });
    }
}
