//! Reading anything as text for a model: one path string in, an answer out.
//!
//! ```text
//! dialects   arguments → Request                        Answer → blocks
//! lib        locate → open → detect → reader → Answer
//! bytes      a file by what its bytes are               notebooks: those that become text
//! readers    bytes and a window → body                  text, directory, archive, sqlite, notebook,
//!                                                       picture, document, binary
//! outlines   a long text by what it holds             outline: which lines tell that, pure
//! pages      fills a page: lines, columns, what comes next
//! sources    a path string → an open file, member or directory, repaired if asked
//! path       locators, selectors, the escape form: pure
//! world      all contact with the machine, behind one trait
//! ```
//!
//! Imports run downwards only, and three things stand between the layers: a
//! [`Request`], a [`window::Window`] with the [`window::Page`] that answers it,
//! and an [`answer::Answer`].
//!
//! What holds everywhere:
//!
//! * Memory is that of a page, whatever the size of a file. An archive takes
//!   that of its directory, and what decompressors remember; one that is read
//!   from its end inside another is held, up to a limit, and so is a database
//!   in one. Pictures and notebooks are held whole, up to a limit each. What a
//!   database takes, or a picture that is decoded, is up to its engine.
//! * What was shown, of how much, and what comes next is computed in `pages`,
//!   from what was really emitted, and nowhere else; which rows of a database
//!   come next, in its reader, from those that were.
//! * Nothing here reaches anything but through [`world::World`], and nothing
//!   panics on data: no indexing, no unchecked arithmetic, no `unwrap`.
//! * Damage becomes a note; only a read that shows nothing is a failure.

#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unwrap_used,
    )
)]

pub mod answer;
#[cfg(target_family = "wasm")]
mod bindings;
mod bytes;
#[cfg(target_family = "wasm")]
mod component;
pub mod dialects;
pub mod digest;
pub mod encoding;
pub mod failure;
pub mod limits;
mod notebooks;
mod order;
pub mod outline;
mod outlines;
pub mod pages;
pub mod path;
mod readers;
pub mod request;
mod sources;
mod tag;
#[cfg(test)]
mod tests;
mod units;
pub mod window;
pub mod world;

use answer::{Answer, Body, Subject};
use digest::{Digest, Unhashed};
use failure::{Failure, Reason};
use pages::Input;
use pages::visible;
use path::{Locator, Part, Rest, Scheme, Selector};
use readers::sqlite::Unread;
use request::{Hashed, Request};
use sources::{Bare, Content, Database, Denies, Found, Inside, Node, Place};
use window::{Numbering, Window};
use world::{Bytes, FileError, Snapshot, Source, Time, World};

/// Reads what a request asks for.
///
/// # Errors
/// Whatever stands in the way, with the path as it was typed.
pub fn read(request: &Request, world: &mut dyn World) -> Result<Answer, Failure> {
    let style = &request.style;
    let found = match locate(&request.path, request.stdin, style.repair, world)? {
        Located::Stdin(rest) => {
            let subject = Subject {
                typed: "-".to_owned(),
                path: "-".to_owned(),
                resolved: "-".to_owned(),
                stat: None,
                compression: None,
                members: Vec::new(),
                root: false,
                repair: None,
            };
            return read_file(world.stdin(), subject, rest, None, request, world);
        }
        Located::Found(found) => *found,
    };
    if !request.ignore_files.is_empty() {
        let opened = world.opened().map_err(|why| {
            sources::failure(FileError::Other(why), &request.path).hint("read it again")
        })?;
        let names = &request.ignore_files;
        sources::heed(&found.place, opened.as_deref(), names, &request.path, world)?;
    }
    match found.node {
        Node::File(source) => {
            let place = Some(&found.place);
            read_file(source, found.subject, found.rest, place, request, world)
        }
        Node::Directory(_) if !style.listings => Err(not_a_file(&found.subject)),
        Node::Directory(mut directory) => {
            let selector = sources::selector(&found.subject, found.rest.as_ref())?;
            let lines = if selector == Selector::NONE {
                // Above them stands the directory itself.
                limits::DIRECTORY_ENTRIES.saturating_add(1)
            } else {
                limits::MAX_LINES
            };
            let window = listed(request, selector, "directory", lines)?;
            let path = &found.subject.resolved;
            let (listing, notes) =
                readers::directory::read(&mut *directory, path, &window, sources::PRUNED, world);
            Ok(Answer {
                subject: found.subject,
                body: Body::Listing(listing),
                digest: None,
                notes,
            })
        }
    }
}

/// The window over a listing. It is made here: there is nothing to be exact
/// about, and it is shown as far as `lines` unless less is asked for.
fn listed(request: &Request, of_path: Selector, what: &str, lines: u64) -> Result<Window, Failure> {
    if of_path.part != Part::Whole {
        let path = visible(&request.path);
        let what = units::with_article(what);
        let message = format!("`{path}` is {what}, to which `:{of_path}` does not apply");
        return Err(Failure::new(Reason::Selector(of_path.to_string()), message));
    }
    let mut window = unnumbered(request, request.selector(of_path)?);
    // A dialect without pages of lines lists as much as there is room for.
    if request.slice.is_none() && request.style.open_lines != u64::MAX {
        window.open_lines = lines;
    }
    Ok(window)
}

/// The window over lines that are not those of a file.
fn unnumbered(request: &Request, selector: Selector) -> Window {
    let mut window = request.style.window(selector, Numbering::None);
    window.selector.raw = false;
    window.context = false;
    window
}

fn not_a_file(subject: &Subject) -> Failure {
    let typed = visible(&subject.typed);
    Failure::new(
        Reason::Directory(subject.typed.clone()),
        format!("`{typed}` is a directory, not a file"),
    )
}

/// Reads a file, or what the path names inside it.
fn read_file(
    source: Box<dyn Source>,
    subject: Subject,
    rest: Option<Rest>,
    place: Option<&Place>,
    request: &Request,
    world: &mut dyn World,
) -> Result<Answer, Failure> {
    let style = &request.style;
    let bare = if !style.nul_is_binary {
        Bare::All
    } else if !style.listings && style.binary_bytes.is_none() {
        // They are refused, with what they hold.
        Bare::Archives
    } else {
        Bare::Nothing
    };
    let Inside {
        subject,
        content,
        rest,
        notes,
    } = {
        let denies = |member: &str| world.denies(member);
        let denies = world.denies_members().then_some(&denies as &Denies<'_>);
        sources::enter(source, subject, rest, bare, &request.path, denies)?
    };
    // What stands behind a database is for that to understand.
    let selector = || sources::selector(&subject, rest.as_ref());
    let mut answer = match content {
        Content::Database(source) => {
            // Only what has a place is a file of its own.
            let place =
                place.ok_or_else(|| sources::failure(FileError::passed(), &request.path))?;
            let database = Database::on_disk(place, &subject.typed, world)?;
            read_database(
                &database,
                Some(source),
                subject,
                rest.as_ref(),
                request,
                world,
            )?
        }
        Content::Held(database) => {
            read_database(&database, None, subject, rest.as_ref(), request, world)?
        }
        Content::Bytes(mut source, packed) => {
            let selector = request.selector(selector()?)?;
            bytes::read(&mut *source, packed, subject, selector, request, world)?
        }
        Content::Members(mut members) => {
            if let Some(rest) = rest.as_ref().filter(|_| subject.root)
                && !rest.is_selector()
                && !rest.as_str().starts_with('?')
            {
                return Err(sources::not_in_root(&subject, &request.path));
            }
            let selector = selector()?;
            let (body, notes) = if members.named || style.listings {
                let what = members.format.name();
                let window = listed(request, selector, what, limits::ARCHIVE_LINES)?;
                let (listing, notes) = readers::archive::read(&members, &window);
                (Body::Listing(listing), notes)
            } else {
                let (inside, notes) = readers::archive::inside(&members);
                (Body::Archive(inside), notes)
            };
            let size = subject.stat.map(|stat| stat.size);
            let digest = hashed(&mut members.stored, size, request, world);
            Answer {
                subject,
                body,
                digest,
                notes,
            }
        }
    };
    answer.notes.extend(notes);
    Ok(answer)
}

/// Reads what a path asks of a database, of which `file` has the bytes unless
/// it is held.
fn read_database(
    database: &Database,
    file: Option<Box<dyn Source>>,
    subject: Subject,
    rest: Option<&Rest>,
    request: &Request,
    world: &mut dyn World,
) -> Result<Answer, Failure> {
    let mut window = unnumbered(request, Selector::NONE);
    window.open_lines = limits::REPLY_LINES;
    window.max_lines = limits::REPLY_LINES;
    window.line_chars = None;
    let source = || -> Box<dyn Source> {
        file.unwrap_or_else(|| Box::new(Bytes::new(database.bytes().unwrap_or_default().to_vec())))
    };
    let read = match readers::sqlite::read(database, subject, rest, &window, world) {
        Ok(read) => read,
        Err(Unread::Failure(failure)) => return Err(failure),
        // It is shown as what it is.
        Err(Unread::Closed(subject, words)) => {
            let mut answer = bytes::read(
                &mut *source(),
                true,
                *subject,
                Selector::NONE,
                request,
                world,
            )?;
            answer.notes.push(format!(
                "it cannot be read as a database: {}",
                visible(&words)
            ));
            return Ok(answer);
        }
    };
    let mut notes = read.notes;
    if let Some(slice) = &request.slice {
        notes.push(format!(
            "`{}` was left out: it asks for lines, and rows are asked for by ?limit=5&offset=10 behind their table",
            slice.argument
        ));
    }
    let digest = match request.style.hashed {
        Hashed::Always if read.subject.compression.is_some() => Some(Err(Unhashed::Compressed)),
        Hashed::Always => hashed(&mut *source(), read.subject.bytes(), request, world),
        Hashed::Never | Hashed::Shown(_) => None,
    };
    Ok(Answer {
        subject: read.subject,
        body: Body::Database(read.body),
        digest,
        notes,
    })
}

/// The hash of a file of which something else is shown than its bytes, where
/// one is wanted of every file.
fn hashed(
    source: &mut dyn Source,
    size: Option<u64>,
    request: &Request,
    world: &dyn World,
) -> Option<Result<Digest, Unhashed>> {
    if request.style.hashed != Hashed::Always {
        return None;
    }
    if !source.seekable() {
        return Some(Err(Unhashed::Unread));
    }
    Some(match Input::new(source, size) {
        Ok(mut input) => digest::digest(&mut input, size, world),
        Err(_) => Err(Unhashed::Unread),
    })
}

/// A path, and what is there now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The absolute path.
    pub resolved: String,
    /// The file there, if there is one.
    pub stamp: Option<Stamp>,
}

/// What a file is now, to be compared with what it was when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Its bytes on disk.
    pub size: u64,
    /// Time of the last change.
    pub modified: Option<Time>,
    /// Their SHA-256, if it was asked for.
    pub sha256: Option<String>,
    /// The tag of its text, if it was asked for and there is one.
    pub tag: Option<String>,
}

/// Tells what the file at a path is now. `content` asks for what only its
/// bytes tell: hash and tag.
///
/// # Errors
/// As [`read`], but that there is no such file is none.
pub fn current(path: &str, content: bool, world: &mut dyn World) -> Result<State, Failure> {
    let directory = || {
        Failure::new(
            Reason::Directory(path.to_owned()),
            format!("`{path}` is a directory, not a file"),
        )
    };
    let found = match locate(path, false, false, world) {
        Ok(Located::Found(found)) => found,
        Ok(Located::Stdin(_)) => return Err(directory()),
        Err(failure) => {
            let missing = matches!(failure.reason, Reason::NotFound(_));
            let resolved = sources::absolute(path, world).filter(|_| missing);
            let stamp = None;
            return resolved.map_or(Err(failure), |resolved| Ok(State { resolved, stamp }));
        }
    };
    let Found { subject, node, .. } = *found;
    let (Node::File(mut source), Some(stat)) = (node, subject.stat) else {
        return Err(directory());
    };
    let mut stamp = Stamp {
        size: stat.size,
        modified: stat.modified,
        sha256: None,
        tag: None,
    };
    if content {
        let mut input =
            Input::new(&mut *source, Some(stat.size)).map_err(|e| sources::failure(e, path))?;
        stamp.tag = encoding::detect(&mut input, Some(stat.size), readers::is_known)
            .and_then(|encoding| readers::text::tag(&input, encoding));
        if let Ok(digest) = digest::digest(&mut input, Some(stat.size), world) {
            stamp.size = digest.bytes;
            stamp.sha256 = Some(digest.sha256);
        }
    }
    Ok(State {
        resolved: subject.resolved,
        stamp: Some(stamp),
    })
}

/// Where a path leads.
enum Located {
    /// To standard input, and what is said behind it.
    Stdin(Option<Rest>),
    /// To a file or directory.
    Found(Box<Found>),
}

fn locate(
    path: &str,
    stdin: bool,
    repair: bool,
    world: &mut dyn World,
) -> Result<Located, Failure> {
    let found = match path::locate(path, stdin)? {
        Locator::Scheme(scheme) => return Err(unsupported(scheme, path)),
        Locator::Stdin(rest) => return Ok(Located::Stdin(rest)),
        Locator::Escaped(name, rest) => match sources::find_exact(&name, rest, world) {
            // It is a statement that holds a colon behind a backslash.
            Err(failure) if matches!(failure.reason, Reason::NotFound(_)) && path.contains('?') => {
                sources::find(path, false, world).map_err(|_| failure)?
            }
            found => found?,
        },
        Locator::Path(name) if path::is_address(&name) => sources::find(&name, false, world)
            .map_err(|failure| match failure.reason {
                Reason::NotFound(_) => unsupported(Scheme::Web, path),
                _ => failure,
            })?,
        Locator::Path(name) => sources::find(&name, repair, world)?,
    };
    Ok(Located::Found(Box::new(found)))
}

/// Reports an answer that was handed out to the session.
pub(crate) fn remember(answer: &Answer, world: &mut dyn World) {
    let inside = !answer.subject.members.is_empty();
    if matches!(
        answer.body,
        Body::Listing(_) | Body::Archive(_) | Body::Database(_)
    ) || answer.subject.stat.is_none()
        || inside
    {
        return;
    }
    let (tag, shown) = match &answer.body {
        Body::Text(text) => (text.tag.clone(), text.page.whole_spans()),
        _ => (None, Vec::new()),
    };
    world.remember(&Snapshot {
        path: answer.subject.resolved.clone(),
        tag,
        shown,
        // What it claims to be is compared with what it claims then.
        size: answer.size().or(answer.subject.stat.map(|stat| stat.size)),
        modified: answer.subject.stat.and_then(|stat| stat.modified),
        sha256: answer.sha256().map(str::to_owned),
    });
}

fn unsupported(scheme: Scheme, path: &str) -> Failure {
    let what = match scheme {
        Scheme::Web => "web pages".to_owned(),
        Scheme::Internal(scheme) => format!("`{scheme}://` URLs"),
    };
    let message = format!("there is no reader for {what} yet: `{path}`");
    Failure::new(Reason::Unsupported(what), message)
}
