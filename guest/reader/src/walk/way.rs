//! Where a walk is, and what is left of the path.

use super::companion::Archive;
use super::unnamed;
use crate::containers::archive::read_to_memory;
use crate::containers::inflate::Inflated;
use crate::containers::shared::Shared;
use crate::failure::Failure;
use crate::limits;
use crate::path::Suffix;
use crate::path::rows::RowsRequest;
use crate::read::{Content, Context};
use crate::request::{BarePath, Request};
use crate::rooted_path::failure;
use crate::sniff::{COMPOUND_FILE, Container, Kind, is_database, is_named_database};
use crate::sources::Peeked;
use crate::subject::{Step, Subject};
use crate::world::{Bytes, FileError, Info, Refusal, Source};

/// The state of a walk.
#[derive(Clone)]
pub struct Way {
    /// The origin, the metadata and the path of the content at which the walk is.
    pub subject: Subject,
    /// The part of the path that was not followed yet.
    pub rest: Option<Suffix>,
    /// Notes collected while the path was followed.
    pub notes: Vec<String>,
    /// The archive that contains the content.
    pub archive: Option<Archive>,
    /// The compressed bytes, if the content is decompressed.
    pub stored: Option<Shared>,
    /// The kind of the content, and the rows that the path requests of it, if only its name is that of a
    /// table.
    pub not_rows: Option<(Kind, RowsRequest)>,
    /// Whether the content is shown as it is, whatever container it is.
    is_closed: bool,
    /// Whether the next content is one of which the dialect decides whether its bare path opens it: a
    /// file or an attachment.
    pub is_start: bool,
    /// Where the walk goes on if the path names no member of an archive: at the archive, closed.
    unopened: Option<Box<(Self, Shared)>>,
}

impl Way {
    /// The start of a walk. `rest` is the text of the path after the name of the file.
    pub fn new(subject: Subject, rest: Option<Suffix>) -> Self {
        Self {
            subject,
            rest,
            notes: Vec::new(),
            archive: None,
            stored: None,
            not_rows: None,
            is_closed: false,
            is_start: true,
            unopened: None,
        }
    }

    /// Detects what the content at which the walk arrived is.
    ///
    /// # Errors
    /// Fails if no byte can be read, or if a stream cannot be read into memory.
    pub fn arrive(
        &mut self,
        source: Box<dyn Source>,
        request: &Request,
    ) -> Result<Content, Failure> {
        let is_start = std::mem::take(&mut self.is_start);
        let bare = request.style.bare_path();
        let is_bare = is_start && bare != BarePath::All && !self.asks_inside();
        self.is_closed &= !is_start;
        if is_bare && self.rest.is_none() && bare == BarePath::Nothing {
            self.is_closed = true;
            return Ok(Content::of(source, None));
        }
        let cannot = |error| failure(error, &request.path);
        let size = self.subject.bytes();
        let peeked = if source.seekable() && is_named_database(&self.subject.path) {
            Peeked::brief(source, size, is_database)
        } else {
            Peeked::new(source, size)
        };
        let peeked = peeked.map_err(cannot)?;
        if unnamed::is_table(peeked.head(), &self.subject, self.rest.as_ref())? {
            self.subject.info.mime = Some("text/csv".to_owned());
        }
        if is_bare {
            return self.bare(peeked, bare).map_err(cannot);
        }
        if self.is_closed {
            return Ok(Content::of(Box::new(peeked), None));
        }
        let is_compound = peeked.head().starts_with(COMPOUND_FILE);
        let mut content = opened(peeked);
        if is_compound && !content.source.rewindable() {
            // Its directory is anywhere, and a document is read again after it.
            self.load(&mut content).map_err(cannot)?;
        }
        Ok(content)
    }

    /// The content of a file that the dialect may not open for a path without a member. A text with the
    /// syntax of a selector may be the name of a table or of a member.
    fn bare(&mut self, peeked: Peeked, bare: BarePath) -> Result<Content, FileError> {
        let has_rest = self.rest.is_some();
        if has_rest && is_database(peeked.head()) {
            return Ok(opened(peeked));
        }
        let archive = match archived(peeked, has_rest) {
            Ok(archive) => archive,
            Err(source) => {
                self.is_closed = true;
                return Ok(Content::of(source, None));
            }
        };
        if bare == BarePath::Nothing && archive.rewindable() {
            let closed = Self {
                is_closed: true,
                ..self.clone()
            };
            self.unopened = Some(Box::new((closed, archive.clone())));
        }
        let size = self.subject.bytes();
        Ok(opened(Peeked::new(Box::new(archive), size)?))
    }

    /// Whether the content is shown as it is, whatever container it is.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Goes back to the archive whose bare path the dialect does not open, and returns its bytes. `None`
    /// if it opens the archive, or if the path names a member of it.
    pub fn close(&mut self) -> Option<Shared> {
        let steps = self.subject.inner_path.len();
        let unopened = self.unopened.take();
        let (way, source) =
            *unopened.filter(|unopened| unopened.0.subject.inner_path.len() == steps)?;
        *self = way;
        Some(source)
    }

    /// Whether the text of the path after the content names a member, and is not a selector.
    pub fn asks_inside(&self) -> bool {
        self.rest.as_ref().is_some_and(|rest| !rest.is_selector())
    }

    /// The number of archives and mails in which the content is.
    pub fn depth(&self) -> usize {
        let steps = self.subject.inner_path.iter();
        steps.filter(|step| matches!(step, Step::Member(_))).count()
    }

    /// Goes on in bytes of the content that are in memory. `step` is their name.
    pub fn enter(&mut self, step: Step, bytes: Vec<u8>) -> Bytes {
        self.subject.enter(step);
        self.subject.compression = None;
        self.subject.info = Info {
            size: Some(bytes.len() as u64),
            modified: self.subject.info.modified,
            ..Info::default()
        };
        Bytes::new(bytes)
    }

    /// Reads a stream into memory, so that it can be read more than once. Returns its size in bytes.
    ///
    /// # Errors
    /// Fails if it is too large or cannot be read.
    pub fn load(&mut self, content: &mut Content) -> Result<u64, FileError> {
        let source = &mut *content.source;
        let bytes = read_to_memory(source, "nested-archive", limits::NESTED_BYTES)?;
        let size = bytes.len() as u64;
        if self.subject.compression.is_none() {
            self.subject.info.size = Some(size);
        }
        content.source = Box::new(Bytes::new(bytes));
        Ok(size)
    }

    /// Reads a stream, such as standard input, into memory if `is_wanted` returns true for its first
    /// bytes. Returns whether the content can be read more than once now.
    ///
    /// # Errors
    /// Fails if the stream is too large or cannot be read.
    pub fn load_if(
        &mut self,
        content: &mut Content,
        is_wanted: impl FnOnce(&mut Bytes, &Subject) -> bool,
    ) -> Result<bool, FileError> {
        if content.source.rewindable() {
            return Ok(true);
        }
        let source = std::mem::replace(&mut content.source, Box::new(Bytes::new(Vec::new())));
        let peeked = Peeked::new(source, self.subject.bytes())?;
        let mut head = Bytes::new(peeked.head().to_vec());
        content.source = Box::new(peeked);
        let is_wanted = is_wanted(&mut head, &self.subject);
        if is_wanted {
            self.load(content)?;
        }
        Ok(is_wanted)
    }
}

/// Checks the deny rules for a member.
///
/// # Errors
/// Fails if a deny rule matches the member.
pub fn allow(member: &str, context: &Context<'_>) -> Result<(), Failure> {
    match denied(member, context) {
        Some(rule) => Err(failure(
            FileError::Refused(Refusal::Denied(rule)),
            &context.request.path,
        )),
        None => Ok(()),
    }
}

/// The deny rule that matches a member. Backslashes, as Windows writes them, are separators too.
pub fn denied(member: &str, context: &Context<'_>) -> Option<String> {
    let world = &*context.world;
    if !world.denies_members() {
        return None;
    }
    world.denies(member).or_else(|| {
        let separated = member.contains('\\').then(|| member.replace('\\', "/"))?;
        world.denies(&separated)
    })
}

/// Content whose container may be opened.
fn opened(peeked: Peeked) -> Content {
    let head = peeked.head();
    let first = head.get(..Content::HEAD).unwrap_or(head).to_vec();
    let container = Container::of(head);
    Content {
        head: first,
        ..Content::of(Box::new(peeked), container)
    }
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
