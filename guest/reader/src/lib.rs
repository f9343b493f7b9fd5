//! Reading anything as text for a model: one path string in, an answer out.
//!
//! ```text
//! dialects    arguments → Request                        Answer → blocks
//! lib         read: resolve → enter → sniff → read
//! sources     resolve: a path string → an open file or directory, repaired if asked
//!             enter: the rest of the path → a member, a database, the bytes of a file
//! sniff       first bytes and hints → Kind: one table
//! read        one match on the kind: text, outline, image, attachment, database,
//!             directory, archive, binary, and what is converted to text
//! convert     bytes → text with images and notes beside it: documents
//! markup      HTML → Markdown
//! sqlite      what is asked of a database, as lines
//! outline     a long text → the lines that tell what it contains
//! pages       fills a page: lines, columns, what comes next
//! containers  archives and compressed streams
//! path        locators, selectors, the escape form: pure
//! world       all contact with the machine, behind one trait
//! ```
//!
//! Imports run downwards only, and these types stand between the layers: a
//! [`request::Request`], a [`subject::Subject`], a [`window::Window`] with the
//! [`window::Page`] that answers it, and an [`answer::Answer`].
//!
//! What holds everywhere:
//!
//! * Memory is that of a page, whatever the size of a file. An archive takes
//!   that of its directory, and what decompressors remember; one that is read
//!   from its end inside another is held, up to a limit, and so is a database
//!   in one. Images and documents are held whole, up to a limit each. What a
//!   database takes, or an image that is decoded, is up to its engine.
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
#[cfg(target_family = "wasm")]
mod component;
mod containers;
mod convert;
pub mod converted;
pub mod dialects;
pub mod digest;
pub mod encoding;
pub mod failure;
pub mod limits;
mod markup;
pub mod outline;
pub mod pages;
pub mod path;
pub mod place;
mod read;
pub mod request;
pub mod sniff;
mod sort;
mod sources;
mod sqlite;
pub mod subject;
mod tag;
#[cfg(test)]
mod tests;
mod units;
pub mod visible;
pub mod window;
pub mod world;

pub use read::{Stamp, State, current};

use answer::Answer;
use failure::Failure;
use request::Request;
use sources::{Denies, Found, Node};
use world::World;

/// Reads what a request asks for.
///
/// # Errors
/// Whatever stands in the way, with the path as it was typed.
pub fn read(request: &Request, world: &mut dyn World) -> Result<Answer, Failure> {
    let (path, style) = (&request.path, &request.style);
    let Found {
        subject,
        node,
        rest,
    } = sources::resolve(path, request.stdin, style.repair, world)?;
    sources::heed(&subject.origin, &request.ignores, path, world)?;
    match node {
        Node::Directory(directory) => {
            read::directory(directory, subject, rest.as_ref(), request, world)
        }
        Node::Bytes(source) => {
            let inside = {
                let denies = |member: &str| world.denies(member);
                let denies = world.denies_members().then_some(&denies as &Denies<'_>);
                sources::enter(source, subject, rest, style.bare(), path, denies)?
            };
            read::inside(inside, request, world)
        }
    }
}
