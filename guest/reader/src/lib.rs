//! Reads anything as text for a model: one path string in, an answer out.
//!
//! ```text
//! dialects    arguments → Request                        Answer → blocks
//! lib         read: resolve → walk → sniff → read
//! sources     resolve: a path string → an open file or directory, with repair of the path
//! walk        the suffix of the path → a member, an attachment, a picture, rows, a database, or the
//!             content itself: one loop over the kinds of content in which a path can go on
//! web         a web address → a response as a source of bytes
//! sniff       first bytes and hints → Kind: tables of magic bytes, and the detection of markup,
//!             compound files, packages and mails
//! read        what content is shown as: a page of the web, a converted document, or the first
//!             reader that accepts the bytes: text, outline, image, attachment, binary. Rows,
//!             databases, directories and archives are listings of their own
//! convert     the bytes of a document → text with images and notes
//! sqlite      a selector of a database → lines
//! tables      rows of CSV files and other tables → lines
//! pages       fills a page: lines, columns, what comes next
//! containers  archives and compressed streams
//! path        locators, selectors, the escape form: pure
//! world       all contact with the machine: one trait, and one for each engine
//! ```
//!
//! Imports point downwards only. These types connect the layers: [`request::Request`],
//! [`subject::Subject`], [`window::Window`] with the resulting [`window::Page`], and
//! [`answer::Answer`].
//!
//! Invariants:
//!
//! * A read needs memory for a page, whatever the size of the file. An archive also needs
//!   memory for its directory and for the windows of decompressors. These are loaded into
//!   memory as a whole, up to a limit each: images, documents, a zip archive in another
//!   archive, a database in an archive. The memory of SQLite and of the image decoders is
//!   limited by their engines.
//! * `pages` alone computes what was shown, of how much, and what comes next, from the lines
//!   that were emitted. For the rows of a database, `sqlite` does, and for other
//!   tables of rows, `tables`.
//! * The reader reaches the machine through [`world::World`] only.
//! * The reader never panics on data: no indexing, no unchecked arithmetic, no `unwrap`.
//! * Damage becomes a note. A read fails only if it can show nothing.

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
#[cfg(target_family = "wasm")]
mod component;
mod containers;
mod convert;
pub mod converted;
mod cp437;
pub mod dialects;
pub mod digest;
pub mod encoding;
pub mod escapes;
pub mod failure;
mod front_matter;
pub mod limits;
pub mod pages;
pub mod path;
mod quoted;
mod read;
pub mod request;
pub mod rooted_path;
pub mod sniff;
mod sources;
mod sqlite;
pub mod subject;
mod tables;
mod tag;
#[cfg(test)]
mod tests;
mod units;
mod walk;
pub mod web;
pub mod window;
pub mod world;

pub use read::{
    ServedEntries, ServedEntry, ServedFile, ServedPage, ServedSkill, SkippedSkill, Stamp, State,
    current, served_directory, served_file, served_skill, served_skills,
};

use answer::{Answer, Body};
use failure::{Failure, Reason};
use read::Context;
use request::Request;
pub use sources::name_length;
use sources::{Opened, Resolved, Wanted};
use std::borrow::Cow;
use subject::Repair;
use world::World;

/// Reads the path of a request, and returns an answer, which a dialect (the reply format of one
/// agent) renders.
///
/// # Errors
/// Fails if the path cannot be resolved or its content cannot be read. The message contains the
/// path as it was typed.
pub fn read(request: &Request, world: &mut dyn World) -> Result<Answer, Failure> {
    if let Some(name) = read::conflict_url(&request.path) {
        return read_conflict(name, request, world);
    }
    let failure = match read_path(request, world) {
        Err(failure) if matches!(failure.reason, Reason::NotFound(_)) => failure,
        outcome => return outcome,
    };
    // The failure of a spelling says more if its file exists.
    let mut explained = None;
    for spelling in sources::spellings(&request.path, &failure, world) {
        let spelled = Request {
            path: spelling.path.clone(),
            ..request.clone()
        };
        let mut answer = match read_path(&spelled, world) {
            Ok(answer) => answer,
            Err(other) => {
                let is_inside = !matches!(
                    other.reason,
                    Reason::OutsideRoots(_) | Reason::LinkOutsideRoots { .. }
                );
                let useful = Some(other).filter(|other| is_inside && other.hint.is_some());
                explained = explained.or(useful);
                continue;
            }
        };
        if !request.style.repair {
            // Dialects refuse the bytes of a file that is not text.
            if matches!(answer.body, Body::Binary(_) | Body::Archive(_)) {
                continue;
            }
            return Err(sources::with_spelling(failure, spelling.path));
        }
        answer.subject.repair.get_or_insert(Repair {
            from: request.path.clone(),
            to: spelling.path,
            method: spelling.method,
        });
        return Ok(answer);
    }
    Err(match explained {
        Some(explained) => sources::with_hint_of(failure, explained),
        None => failure,
    })
}

/// Reads a conflict of the file whose conflicts the session showed. `name` is the text after `conflict://`.
fn read_conflict(name: &str, request: &Request, world: &mut dyn World) -> Result<Answer, Failure> {
    let url = &request.path;
    let of_path = |path: &str| Request {
        path: path.to_owned(),
        ..request.clone()
    };
    let mut shown = read::shown_conflict(name, url, world)?;
    let mut lists = shown.lists();
    if !lists.is_empty() {
        lists.retain(|list| {
            let read = read_path(&of_path(list), world);
            read.is_err_and(|failure| matches!(failure.reason, Reason::NotFound(_)))
        });
        shown.forget(&lists, world);
    }
    let path = shown.path(url, world)?;
    let mut answer = read_path(&of_path(&path), world)?;
    shown.check(url, world)?;
    answer.notes.push(format!("`{url}` is `{path}`"));
    Ok(answer)
}

/// Reads a path as it is spelled, or as the resolution of the file name repairs it. The members of a URL in a
/// mounted directory may be encoded.
fn read_path(request: &Request, world: &mut dyn World) -> Result<Answer, Failure> {
    let resolved = resolve(request, world)?;
    let decoded = sources::decoded_members(&resolved);
    let failure = match read_resolved(resolved, request, world) {
        Err(failure) if matches!(failure.reason, Reason::NotFound(_)) => failure,
        outcome => return outcome,
    };
    let Some(decoded) = decoded else {
        return Err(failure);
    };
    let resolved = Resolved {
        suffix: Some(decoded),
        ..resolve(request, world)?
    };
    match read_resolved(resolved, request, world) {
        Err(other) if matches!(other.reason, Reason::NotFound(_)) => Err(failure),
        outcome => outcome,
    }
}

/// Opens what the path of a request names.
fn resolve(request: &Request, world: &mut dyn World) -> Result<Resolved, Failure> {
    let wanted = Wanted {
        stdin: request.stdin,
        repair: request.style.repair,
        is_later: request.is_later(),
        github: request.github.clone(),
    };
    sources::resolve(&request.path, &wanted, world)
}

/// Reads what was opened for the path of a request.
fn read_resolved(
    resolved: Resolved,
    request: &Request,
    world: &mut dyn World,
) -> Result<Answer, Failure> {
    let Resolved {
        subject,
        node,
        suffix: rest,
        extraction,
    } = resolved;
    let (path, style) = (&request.path, &request.style);
    sources::check_ignored(&subject.origin, &request.ignores, path, world)?;
    let unpaged = style.unpaged_schemes && subject.is_unpaged() && !subject.lists_skills();
    let mut request = Cow::Borrowed(request);
    if unpaged || extraction.is_some() || subject.takes_no_selector() {
        request.to_mut().remove_page_limits();
    }
    let request = &*request;
    let facts = subject.origin.facts();
    let mut answer = match node {
        Opened::Directory(_) if subject.lists_skills() => {
            read::skills(subject, rest.as_ref(), request, world)
        }
        Opened::Directory(directory) => {
            read::directory(directory, subject, rest.as_ref(), request, world)
        }
        Opened::Bytes(source) => {
            let mut context = Context {
                request,
                world,
                walk: walk::read,
            };
            if let Some(extraction) = extraction {
                return read::extract(source, subject, &extraction, rest.as_ref(), &mut context);
            }
            walk::read(source, subject, rest, &mut context)
        }
    }?;
    answer.notes.splice(0..0, facts);
    Ok(answer)
}
