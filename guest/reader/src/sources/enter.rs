//! Opens the content that a path names inside a file: decompressed data, members of archives
//! (also nested ones), and databases.

use super::companion::Archive;
use super::database::{self, Database, MemoryCompanions};
use super::misdirected::too_deep;
use super::package;
use super::peeked::Peeked;
use crate::containers::archive::{Format, Index, zip_part};
use crate::containers::inflate::Inflated;
use crate::containers::shared::Shared;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::{Suffix, ends_in, rows};
use crate::request::BarePath;
use crate::rooted_path::{RootedPath, failure};
use crate::sniff::{COMPOUND_FILE, Container, TableFormat, Unreadable, is_database};
use crate::subject::{Origin, Subject};
use crate::world::{FileError, Remote, Source};

/// The content that a path names, opened and ready to be read.
pub struct Inside {
    /// The origin, the metadata and the path of the content.
    pub subject: Subject,
    /// The content to read.
    pub content: Content,
    /// The text of the path after the name of the content, such as a selector.
    pub rest: Option<Suffix>,
    /// Notes collected while the path was followed.
    pub notes: Vec<String>,
}

/// The content that a path names, by type.
pub enum Content {
    /// The bytes of a file or member. The second field is `Some` if they are an archive or another
    /// container that was detected but not opened.
    Bytes(Box<dyn Source>, Option<Container>),
    /// A directory of an archive.
    Members(Members),
    /// A database that is a file on disk: its path and its bytes.
    Database(RootedPath, Box<dyn Source>),
    /// A database in memory, from an archive or a stream, or on a server.
    OtherDatabase(Database),
}

/// A directory of an archive.
pub struct Members {
    /// The format of the archive.
    pub format: Format,
    /// The index of all members of the archive.
    pub index: Index,
    /// The name of the directory; empty for the root.
    pub directory: String,
    /// Whether the path names the directory. A colon after the name of the archive names its root
    /// directory.
    pub named: bool,
    /// The stored bytes of the archive, before decompression.
    pub stored: Shared,
}

/// A function that returns the deny rule that matches the name of a member of an archive, or `None`
/// if no rule does.
pub type Denies<'d> = dyn Fn(&str) -> Option<String> + 'd;

/// Opens the content of a file. `rest` is the text of the path after the name of the file. If it
/// does not name a member, `bare` decides which files are opened. A member is found even if its
/// name has the syntax of a selector. `denies` has the deny rules for members.
///
/// # Errors
/// Fails if the content does not exist, is denied or cannot be opened. Messages show `typed`.
pub fn enter(
    source: Box<dyn Source>,
    subject: Subject,
    rest: Option<Suffix>,
    bare: BarePath,
    typed: &str,
    denies: Option<&Denies<'_>>,
) -> Result<Inside, Failure> {
    let source = Remote::share(source);
    let way = Way {
        subject,
        rest,
        notes: Vec::new(),
        archive: None,
        stored: None,
        typed,
        denies,
    };
    if bare != BarePath::All && !way.asks_inside() {
        if way.rest.is_none() && bare == BarePath::Nothing {
            return Ok(way.end(Content::Bytes(source, None)));
        }
        let cannot = |error| failure(error, typed);
        let peeked = Peeked::new(source, way.subject.bytes()).map_err(cannot)?;
        // A text with the syntax of a selector may be the name of a table.
        if way.rest.is_some() && is_database(peeked.head()) {
            return way.database(peeked);
        }
        let archive = match archived(peeked, way.rest.is_some()) {
            Ok(archive) => archive,
            Err(bytes) => return Ok(way.end(Content::Bytes(bytes, None))),
        };
        // It may also be the name of a member.
        let inside = way.clone().walk(Box::new(archive.clone()))?;
        let member = inside.subject.inner_path.len() > way.subject.inner_path.len();
        let opened = matches!(
            inside.content,
            Content::OtherDatabase(_) | Content::Bytes(_, Some(Container::Document(_)))
        );
        if member || opened || bare == BarePath::Archives || !archive.rewindable() {
            return Ok(inside);
        }
        return Ok(way.end(Content::Bytes(Box::new(archive), None)));
    }
    way.walk(source)
}

/// Checks whether `peeked` is an archive, which may be compressed, or, if `is_inside` is true, a
/// compressed database. Returns the unchanged bytes in any case: as `Ok` if it is, as `Err` if not.
fn archived(peeked: Peeked, is_inside: bool) -> Result<Shared, Box<dyn Source>> {
    let compression = match Container::of(peeked.head()) {
        Some(Container::Archive(_)) => return Ok(Shared::new(Box::new(peeked))),
        Some(Container::Compressed(compression)) if peeked.rewindable() => compression,
        _ => return Err(Box::new(peeked)),
    };
    let shared = Shared::new(Box::new(peeked));
    let inflated = Inflated::new(Box::new(shared.clone()), vec![compression.codec()]);
    match Peeked::new(Box::new(inflated), None) {
        Ok(inflated) => match Container::of(inflated.head()) {
            Some(Container::Archive(_)) => Ok(shared),
            Some(Container::Database) if is_inside => Ok(shared),
            _ => Err(Box::new(shared)),
        },
        Err(_) => Err(Box::new(shared)),
    }
}

/// The state while a path is followed from a file to the content that it names inside the file.
#[derive(Clone)]
pub struct Way<'t> {
    pub subject: Subject,
    /// The part of the path that was not followed yet.
    pub rest: Option<Suffix>,
    pub notes: Vec<String>,
    /// The archive that contains the current file.
    pub archive: Option<Archive>,
    /// The compressed bytes, if the current file is decompressed.
    pub stored: Option<Shared>,
    /// The path as the user typed it.
    pub typed: &'t str,
    /// The deny rules for members, if there are any.
    pub denies: Option<&'t Denies<'t>>,
}

/// The result of following one part of a path.
pub enum Step<'t> {
    /// A member was opened. It may be compressed or an archive, so another step follows.
    On(Way<'t>, Box<dyn Source>),
    /// The content that the path names was opened.
    End(Inside),
}

impl<'t> Way<'t> {
    /// Follows the path to its end, starting at the bytes of a file.
    fn walk(self, source: Box<dyn Source>) -> Result<Inside, Failure> {
        let (mut way, mut source) = (self, source);
        let mut depth = 0usize;
        loop {
            match way.step(source, depth)? {
                Step::On(next, member) => (way, source) = (next, member),
                Step::End(inside) => return Ok(inside),
            }
            depth = depth.saturating_add(1);
        }
    }

    /// Whether the text of the path after the current file names a member, and is not a selector.
    pub fn asks_inside(&self) -> bool {
        self.rest.as_ref().is_some_and(|rest| !rest.is_selector())
    }

    /// Whether the path requests rows of the current file, whose name is that of a table.
    fn asks_rows(&self) -> bool {
        let rest = self.rest.as_ref();
        rest.is_some_and(|rest| !matches!(rows::of_file(rest), Ok(None)))
            && TableFormat::of(self.subject.hints()).is_some()
    }

    /// Ends at the content that the path names.
    pub fn end(self, content: Content) -> Inside {
        Inside {
            subject: self.subject,
            content,
            rest: self.rest,
            notes: self.notes,
        }
    }

    /// Decompresses `source` if it is compressed. If the result is an archive, opens the member or
    /// directory that the path names in it. `depth` is the number of archives that were opened
    /// before.
    fn step(mut self, source: Box<dyn Source>, depth: usize) -> Result<Step<'t>, Failure> {
        let (peeked, container) = self.inflate(source)?;
        let detected = match container {
            Some(Container::Database) => return self.database(peeked).map(Step::End),
            Some(Container::Unreadable(format)) => return self.unreadable(format, peeked),
            Some(Container::Archive(format)) => Some(format),
            Some(Container::Compressed(_) | Container::Document(_)) | None => None,
        };
        if detected.is_none() && self.subject.compression.is_some() {
            self.skip_own_name();
        }
        let root = self.rest.as_ref().is_some_and(Suffix::is_root);
        // The path names a member, so formats without a signature at the start are tried too.
        let guess = self.asks_inside() && !root && peeked.rewindable();
        let guess = guess && depth < limits::ARCHIVE_DEPTH && !self.asks_rows();
        let is_compound = peeked.head().starts_with(COMPOUND_FILE);
        let Some(format) = detected.or(Some(Format::APPENDED).filter(|_| guess)) else {
            // `a.gz:/` requests the decompressed content in dialects that do not open bare paths.
            // So does `a.gz:`, unless the content has a converted form.
            let named = self
                .rest
                .as_ref()
                .is_some_and(|rest| !rest.as_str().is_empty());
            if root && named && self.subject.compression.is_some() {
                self.rest = None;
            }
            let mut source: Box<dyn Source> = Box::new(peeked);
            if container.is_none() && ends_in(&self.subject.path, &["zip"]) {
                let shared = Shared::new(source);
                let part = zip_part(Box::new(shared.clone()), self.subject.bytes());
                self.notes.extend(part.map(str::to_owned));
                source = Box::new(shared);
            }
            if is_compound && !source.rewindable() {
                // Its directory is anywhere, and a document is read again after it.
                let mut size = None;
                source = package::in_memory(&mut *source, &mut size)
                    .map_err(|error| failure(error, self.typed))?;
                if self.subject.compression.is_none() {
                    self.subject.info.size = size;
                }
            }
            let content = Content::Bytes(source, container);
            return Ok(Step::End(self.end(content)));
        };
        if depth >= limits::ARCHIVE_DEPTH {
            return Err(too_deep(self.typed));
        }
        self.member(peeked, format, container)
    }

    /// Follows a path that names the decompressed file as if it were a member: `a.log.gz:a.log`.
    fn skip_own_name(&mut self) {
        let Some(rest) = &self.rest else {
            return;
        };
        let name = self.subject.inner_name();
        let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
        let mut names = rest.names().into_iter();
        if let Some((_, after)) = names.find(|(first, _)| first == name) {
            self.rest = after;
        }
    }

    /// Decompresses a file if it is compressed. Returns the resulting bytes, and their container
    /// format, such as an archive format. Only one layer of compression is removed.
    fn inflate(&mut self, source: Box<dyn Source>) -> Result<(Peeked, Option<Container>), Failure> {
        self.stored = None;
        let cannot = |error| failure(error, self.typed);
        let peeked = Peeked::new(source, self.subject.bytes()).map_err(cannot)?;
        let container = Container::of(peeked.head());
        let Some(Container::Compressed(compression)) = container else {
            return Ok((peeked, container));
        };
        let shared = Shared::new(Box::new(peeked));
        let inflated = Inflated::new(Box::new(shared.clone()), vec![compression.codec()]);
        match Peeked::new(Box::new(inflated), None) {
            Ok(peeked) => {
                self.subject.compression = Some(compression.name());
                // `key.pem.gz` contains `key.pem`, as an archive does.
                self.allow(self.subject.inner_name())?;
                self.stored = Some(shared);
                let container = Container::of(peeked.head());
                Ok((peeked, container))
            }
            // No byte can be decompressed, so the compressed bytes are shown.
            Err(error) if shared.rewindable() && !self.asks_inside() => {
                self.notes.push(error.to_string());
                let peeked = Peeked::new(Box::new(shared), self.subject.bytes());
                Ok((peeked.map_err(cannot)?, container))
            }
            Err(error) => Err(cannot(error)),
        }
    }

    /// Handles an unsupported archive: a binary file with a note. Fails if the path names a member.
    fn unreadable(
        mut self,
        format: &'static Unreadable,
        peeked: Peeked,
    ) -> Result<Step<'t>, Failure> {
        let (name, tool) = (format.name, format.tool);
        if !self.asks_inside() {
            self.notes.push(format!(
                "{name}: this format is not supported; unpack it with `{tool}`"
            ));
            let container = Some(Container::Unreadable(format));
            return Ok(Step::End(
                self.end(Content::Bytes(Box::new(peeked), container)),
            ));
        }
        let failure = Failure::new(
            Reason::Unsupported(name.to_owned()),
            format!("`{}` is not opened: {name}", self.subject.shown()),
        );
        Err(failure.hint(format!(
            "unpack it with `{tool}`, or read a zip or tar archive of the same files"
        )))
    }

    /// Returns the content for a database. One that is not a file on disk is loaded into memory,
    /// unless it is on a server and large.
    fn database(mut self, mut peeked: Peeked) -> Result<Inside, Failure> {
        if let Origin::File(place) = &self.subject.origin
            && self.subject.is_whole()
            && peeked.seekable()
        {
            let place = place.clone();
            return Ok(self.end(Content::Database(place, Box::new(peeked))));
        }
        if self.subject.is_whole()
            && let Some(remote) = peeked.shared()
            && remote.size() > limits::SMALL_REMOTE_BYTES
        {
            let database = Database::on_server(remote);
            return Ok(self.end(Content::OtherDatabase(database)));
        }
        let suffix = database::companion(peeked.head());
        let cannot = |error| failure(error, self.typed);
        let main = database::to_memory(&mut peeked).map_err(cannot)?;
        let archive = self.archive.take();
        let archive = archive.filter(|_| self.subject.compression.is_none());
        let mut companions = MemoryCompanions::default();
        let mut notes = Vec::new();
        if let Some(archive) = archive {
            let found = match self.allow(&format!("{}{suffix}", archive.member)) {
                Ok(()) => archive.beside(suffix),
                Err(denied) => Err(FileError::Other(denied.message.into())),
            };
            match found {
                Ok(found) if suffix == database::LOG => companions.wal = found,
                Ok(found) => companions.journal = found,
                Err(why) => notes.push(format!(
                    "`{}{suffix}` in the archive is not used: {why}",
                    archive.member
                )),
            }
        }
        Ok(self.end(Content::OtherDatabase(Database::in_memory(
            main, companions, notes,
        ))))
    }
}
