//! From an open file to what a path names inside it: compressed streams,
//! archives, one in another, and databases.

use super::companion::Archive;
use super::database::{self, Database, Held};
use super::lookup::{Arrived, arrive, leads_out};
use super::misdirected::{read_once, too_deep};
use super::peeked::Peeked;
use crate::containers::archive::{Catalogue, Format, Looked, Member, normal};
use crate::containers::inflate::Inflated;
use crate::containers::shared::Shared;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::Rest;
use crate::place::{Place, failure};
use crate::request::Bare;
use crate::sniff::{Container, Unreadable, is_database};
use crate::subject::{Origin, Step as Entered, Subject};
use crate::world::{FileError, Refusal, Source};
use std::borrow::Cow;

/// What a path led to.
pub struct Inside {
    /// What it is.
    pub subject: Subject,
    /// What there is to read.
    pub content: Content,
    /// What the path says behind it.
    pub rest: Option<Rest>,
    /// What is to be said of the way.
    pub notes: Vec<String>,
}

/// What there is to read.
pub enum Content {
    /// The bytes of a file, and the container that they are: one that nothing
    /// was asked of, or that cannot be opened.
    Bytes(Box<dyn Source>, Option<Container>),
    /// A directory of an archive.
    Members(Members),
    /// A database that is a file, and its bytes.
    Database(Place, Box<dyn Source>),
    /// A database in memory, from an archive or a stream.
    Held(Database),
}

/// A directory of an archive.
pub struct Members {
    /// The format of the archive.
    pub format: Format,
    /// The members of the archive.
    pub catalogue: Catalogue,
    /// The directory; the root is the empty name.
    pub directory: String,
    /// The path asks for the directory, if only by a colon.
    pub named: bool,
    /// The bytes of the archive, compressed if it is.
    pub stored: Shared,
}

/// The deny rule that keeps a member from being read, by its name.
pub type Denies<'d> = dyn Fn(&str) -> Option<String> + 'd;

/// Goes into a file as far as the path does. A path that asks for no member goes
/// as far as `bare` says; a member whose name looks like a selector is asked for
/// in any case. `denies` has the deny rules for members, if there are any.
///
/// # Errors
/// What stands in the way, with `typed` as the path.
pub fn enter(
    source: Box<dyn Source>,
    subject: Subject,
    rest: Option<Rest>,
    bare: Bare,
    typed: &str,
    denies: Option<&Denies<'_>>,
) -> Result<Inside, Failure> {
    let way = Way {
        subject,
        rest,
        notes: Vec::new(),
        archive: None,
        stored: None,
        typed,
        denies,
    };
    if bare != Bare::All && !way.asks_inside() {
        if way.rest.is_none() && bare == Bare::Nothing {
            return Ok(way.end(Content::Bytes(source, None)));
        }
        let cannot = |error| failure(error, typed);
        let peeked = Peeked::new(source, way.subject.bytes()).map_err(cannot)?;
        // What looks like a selector may be a table of a database.
        if way.rest.is_some() && is_database(peeked.head()) {
            return way.database(peeked);
        }
        let archive = match archived(peeked, way.rest.is_some()) {
            Ok(archive) => archive,
            Err(bytes) => return Ok(way.end(Content::Bytes(bytes, None))),
        };
        // And it may be a member of an archive.
        let inside = way.clone().walk(Box::new(archive.clone()))?;
        let member = inside.subject.inside.len() > way.subject.inside.len();
        let database = matches!(inside.content, Content::Held(_));
        if member || database || bare == Bare::Archives || !archive.rewindable() {
            return Ok(inside);
        }
        return Ok(way.end(Content::Bytes(Box::new(archive), None)));
    }
    way.walk(source)
}

/// The bytes of an archive, compressed or not, or of a compressed database if
/// something in it is `asked` for; else the error is the bytes as they are.
fn archived(peeked: Peeked, asked: bool) -> Result<Shared, Box<dyn Source>> {
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
            Some(Container::Database) if asked => Ok(shared),
            _ => Err(Box::new(shared)),
        },
        Err(_) => Err(Box::new(shared)),
    }
}

/// How far a path has led.
#[derive(Clone)]
struct Way<'t> {
    subject: Subject,
    /// What the path says behind it.
    rest: Option<Rest>,
    notes: Vec<String>,
    /// The archive that a member is read from.
    archive: Option<Archive>,
    /// The bytes that are inflated, if any are.
    stored: Option<Shared>,
    /// The path as it was typed.
    typed: &'t str,
    /// The deny rules for members, if there are any.
    denies: Option<&'t Denies<'t>>,
}

enum Step<'t> {
    /// To a member, which may be more than a file.
    On(Way<'t>, Box<dyn Source>),
    /// To what there is to read.
    End(Inside),
}

impl<'t> Way<'t> {
    /// Goes as far as the path leads.
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

    /// Whether the path goes on, other than with a selector.
    fn asks_inside(&self) -> bool {
        self.rest.as_ref().is_some_and(|rest| !rest.is_selector())
    }

    fn end(self, content: Content) -> Inside {
        Inside {
            subject: self.subject,
            content,
            rest: self.rest,
            notes: self.notes,
        }
    }

    /// Goes into a compressed file, and into the archive that it is or holds.
    fn step(mut self, source: Box<dyn Source>, depth: usize) -> Result<Step<'t>, Failure> {
        let (peeked, container) = self.inflate(source)?;
        let told = match container {
            Some(Container::Database) => return self.database(peeked).map(Step::End),
            Some(Container::Unreadable(format)) => return self.unreadable(format, peeked),
            Some(Container::Archive(format)) => Some(format),
            Some(Container::Compressed(_)) | None => None,
        };
        let root = self.rest.as_ref().is_some_and(Rest::is_root);
        // Who asks for a member may know better.
        let guess = self.asks_inside() && !root && peeked.rewindable();
        let guess = guess && depth < limits::ARCHIVE_DEPTH;
        let Some(format) = told.or(Some(Format::BEHIND).filter(|_| guess)) else {
            // What a file holds is asked for so where bare paths are not looked
            // into.
            if root && self.subject.compression.is_some() {
                self.rest = None;
            }
            let content = Content::Bytes(Box::new(peeked), container);
            return Ok(Step::End(self.end(content)));
        };
        if depth >= limits::ARCHIVE_DEPTH {
            return Err(too_deep(self.typed));
        }
        let asked = self.names(told.is_some(), format)?;
        let wanted: Vec<String> = asked.iter().map(|(name, _)| name.clone()).collect();
        let size = self.subject.bytes();
        let shared = Shared::new(Box::new(peeked));
        let stored = self.stored.take().unwrap_or_else(|| shared.clone());
        self.archive = Some(Archive {
            format,
            source: shared.clone(),
            size,
            member: String::new(),
        });
        match format.look(Box::new(shared.clone()), size, &wanted) {
            Ok(Looked::Missing(mut catalogue)) => {
                // The answer is the same whether there is such a member or not.
                if let Some((name, _)) = asked.last() {
                    self.allow(name)?;
                }
                let denied = self.withhold(&mut catalogue);
                let arrived = |catalogue: &Catalogue| {
                    let rest = self.rest.as_ref();
                    arrive(format, catalogue, &self.subject, &asked, rest, self.typed)
                };
                let arrived = match arrived(&catalogue) {
                    Ok(arrived) => arrived,
                    Err(missing) => {
                        // A link may lead to a member that is denied.
                        catalogue.members.extend(denied);
                        if let Ok(Arrived::Link(target, _)) = arrived(&catalogue) {
                            self.allow(&target)?;
                        }
                        return Err(missing);
                    }
                };
                match arrived {
                    Arrived::Directory(directory, place) => {
                        self.go_to(&directory, asked, place);
                        let content = Content::Members(Members {
                            format,
                            catalogue,
                            directory,
                            named: place.is_some(),
                            stored,
                        });
                        Ok(Step::End(self.end(content)))
                    }
                    Arrived::Spelled(name, place) => {
                        if !shared.rewindable() {
                            return Err(read_once(self.typed));
                        }
                        let looked = format.look(Box::new(shared), size, &[name]);
                        self.go_in(looked, asked, Some(place))
                    }
                    Arrived::Link(target, place) => {
                        if !shared.rewindable() {
                            return Err(read_once(self.typed));
                        }
                        let note = format!("a link to `{target}`");
                        self.notes.push(note);
                        let looked = format.look(Box::new(shared), size, &[target]);
                        self.go_in(looked, asked, Some(place))
                    }
                }
            }
            // Nobody asked for a member, or there is no archive: it is shown as
            // what it is.
            Err(error) if (told.is_none() || !self.asks_inside()) && shared.rewindable() => {
                self.notes.extend(told.map(|_| error.to_string()));
                let content = Content::Bytes(Box::new(shared), container);
                Ok(Step::End(self.end(content)))
            }
            looked => self.go_in(looked, asked, None),
        }
    }

    /// The rule that denies a member. A backslash may separate directories, in
    /// archives that were made on Windows.
    fn denied(&self, member: &str) -> Option<String> {
        let denies = self.denies?;
        denies(member).or_else(|| {
            let separated = member.contains('\\').then(|| member.replace('\\', "/"))?;
            denies(&separated)
        })
    }

    /// Refuses a member that a rule denies.
    fn allow(&self, member: &str) -> Result<(), Failure> {
        match self.denied(member) {
            Some(rule) => Err(failure(
                FileError::Refused(Refusal::Denied(rule)),
                self.typed,
            )),
            None => Ok(()),
        }
    }

    /// Takes the members that rules deny out of a catalogue.
    fn withhold(&self, catalogue: &mut Catalogue) -> Vec<Member> {
        if self.denies.is_none() {
            return Vec::new();
        }
        let denied = |member: &mut Member| {
            normal(&member.name).is_some_and(|name| self.denied(&name).is_some())
        };
        let denied: Vec<Member> = catalogue.members.extract_if(.., denied).collect();
        catalogue.withheld = denied.len() as u64;
        denied
    }

    /// The content of a compressed file, or the file as it is, and the container
    /// that this is. One layer: a file that is compressed twice is shown as it is
    /// then.
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
                self.stored = Some(shared);
                let container = Container::of(peeked.head());
                Ok((peeked, container))
            }
            // Nothing of it can be had, so it is shown as what it is.
            Err(error) if shared.rewindable() && !self.asks_inside() => {
                self.notes.push(error.to_string());
                let peeked = Peeked::new(Box::new(shared), self.subject.bytes());
                Ok((peeked.map_err(cannot)?, container))
            }
            Err(error) => Err(cannot(error)),
        }
    }

    /// An archive that has no reader here: it is shown as binary, unless a member
    /// is asked for.
    fn unreadable(
        mut self,
        format: &'static Unreadable,
        peeked: Peeked,
    ) -> Result<Step<'t>, Failure> {
        let (name, tool) = (format.name, format.tool);
        if !self.asks_inside() {
            self.notes
                .push(format!("{name}: it is not looked into; `{tool}` reads it"));
            let container = Some(Container::Unreadable(format));
            return Ok(Step::End(
                self.end(Content::Bytes(Box::new(peeked), container)),
            ));
        }
        let failure = Failure::new(
            Reason::Unsupported(name.to_owned()),
            format!("`{}` is not looked into: {name}", self.subject.shown()),
        );
        Err(failure.hint(format!(
            "`{tool}` reads it; a zip or tar of what it holds can be read here"
        )))
    }

    /// Arrives at a database. One that is no file of its own is held, with what
    /// belongs to it.
    fn database(mut self, mut peeked: Peeked) -> Result<Inside, Failure> {
        if let Origin::File(place) = &self.subject.origin
            && self.subject.is_whole()
            && peeked.seekable()
        {
            let place = place.clone();
            return Ok(self.end(Content::Database(place, Box::new(peeked))));
        }
        let beside = database::companion(peeked.head());
        let cannot = |error| failure(error, self.typed);
        let main = database::hold(&mut peeked).map_err(cannot)?;
        let archive = self.archive.take();
        let archive = archive.filter(|_| self.subject.compression.is_none());
        let mut held = Held::default();
        let mut notes = Vec::new();
        if let Some(archive) = archive {
            let found = match self.allow(&format!("{}{beside}", archive.member)) {
                Ok(()) => archive.beside(beside),
                Err(denied) => Err(FileError::Other(denied.message.into())),
            };
            match found {
                Ok(found) if beside == database::LOG => held.wal = found,
                Ok(found) => held.journal = found,
                Err(why) => notes.push(format!(
                    "what the archive has in `{}{beside}` is not shown: {why}",
                    archive.member
                )),
            }
        }
        Ok(self.end(Content::Held(Database::held(main, held, notes))))
    }

    /// The names that the start of what follows may mean in an archive of this
    /// format, the longest first, each with what would follow it. `archive` tells
    /// that it is one for sure.
    fn names(&self, archive: bool, format: Format) -> Result<Vec<(String, Option<Rest>)>, Failure> {
        let names = self.rest.as_ref().map_or(Vec::new(), Rest::names);
        // The shortest one is a name in any case.
        let shortest = names.last().map_or("", |(name, _)| name.as_str());
        if archive && shortest.split('/').any(|part| part == "..") {
            return Err(leads_out(self.typed));
        }
        let mut spellings = Vec::new();
        for (name, rest) in names {
            let Some(plain) = normal(&name).map(Cow::into_owned) else {
                continue;
            };
            // A member that is spelled exactly so comes first.
            if plain != name && !name.ends_with('/') {
                spellings.push((name.clone(), rest.clone()));
            }
            let slashes = name.replace('\\', "/");
            let windows = (format == Format::Zip && slashes != name)
                .then(|| normal(&slashes).map(Cow::into_owned))
                .flatten();
            spellings.push((plain, rest.clone()));
            spellings.extend(windows.map(|name| (name, rest)));
        }
        Ok(spellings)
    }

    /// Arrives at a directory, by the name in a place; none is that of the root
    /// of which nothing is said.
    fn go_to(&mut self, directory: &str, asked: Vec<(String, Option<Rest>)>, place: Option<usize>) {
        self.subject.root = directory.is_empty();
        if let Some((name, behind)) = place.and_then(|place| asked.into_iter().nth(place)) {
            self.rest = behind;
            if !name.is_empty() {
                self.subject.typed = format!("{}:{name}", self.subject.typed);
                self.subject
                    .inside
                    .push(Entered::Member(format!("{name}/")));
            }
        }
    }

    /// Goes into the member that was found, by the name in a place.
    fn go_in(
        mut self,
        looked: Result<Looked, FileError>,
        asked: Vec<(String, Option<Rest>)>,
        place: Option<usize>,
    ) -> Result<Step<'t>, Failure> {
        let opened = match looked {
            Ok(Looked::Found(opened)) => opened,
            Ok(Looked::Closed(member, why)) => {
                self.allow(&member.name)?;
                let message = format!(
                    "cannot read `{}` of `{}`: {why}",
                    member.name,
                    self.subject.shown()
                );
                return Err(Failure::new(Reason::Unsupported(why), message));
            }
            // What was just there is there no more.
            Ok(Looked::Missing(_)) => return Err(failure(FileError::NotFound, self.typed)),
            Err(error) => return Err(failure(error, self.typed)),
        };
        let place = place.unwrap_or(opened.name);
        let (name, behind) = asked.into_iter().nth(place).unwrap_or_default();
        // A link is a name of its own.
        self.allow(&name)?;
        self.allow(&normal(&opened.member.name).unwrap_or_default())?;
        self.rest = behind;
        self.notes.extend(opened.notes);
        if let Some(archive) = &mut self.archive {
            archive.member.clone_from(&opened.member.name);
        }
        self.subject.typed = format!("{}:{name}", self.subject.typed);
        self.subject.inside.push(Entered::Member(name));
        self.subject.compression = None;
        self.subject.info = opened.member.info();
        Ok(Step::On(self, opened.source))
    }
}
