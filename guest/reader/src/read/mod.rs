//! The last step of a read: from what a path led to, to an answer.
//!
//! ```text
//! mod         one match on what there is to read
//! bytes       one match on the kind of a file: which readers are tried
//! text        text, by lines and columns          outline     long text, by its declarations
//! document    documents, converted to text        converted   the pages of that text
//! units       text that is made unit by unit      embedded    the images on a page of it
//! image       images                              attachment  files that are passed through as they are
//! database    SQLite databases                    binary      all other files
//! directory   directories                         archive     directories of archives
//! kinds       entries that a listing leaves out, by kind
//! stamp       what a file is now, and what a session remembers of it
//! ```

mod archive;
mod attachment;
mod binary;
mod bytes;
mod converted;
mod database;
mod directory;
mod document;
mod embedded;
mod image;
mod kinds;
mod outline;
mod stamp;
mod text;
mod units;

pub(crate) use directory::directory;
pub(crate) use stamp::remember;
pub use stamp::{Stamp, State, current};

use crate::answer::Answer;
use crate::digest::{self, Digest, Unhashed};
use crate::failure::{Failure, Reason};
use crate::pages::Input;
use crate::path::{Part, Selector};
use crate::request::{Hashed, Request};
use crate::sources::{self, Content, Inside};
use crate::units::with_article;
use crate::window::{Numbering, Window};
use crate::world::{Source, World};

/// Reads what a path names inside a file.
///
/// # Errors
/// What stands in the way.
pub fn inside(inside: Inside, request: &Request, world: &mut dyn World) -> Result<Answer, Failure> {
    let Inside {
        subject,
        content,
        rest,
        notes,
    } = inside;
    let rest = rest.as_ref();
    let mut answer = match content {
        Content::Bytes(mut source, container) => {
            let selector = request.selector(sources::selector(&subject, rest)?)?;
            bytes::read(&mut *source, container, subject, selector, request, world)?
        }
        Content::Members(members) => archive::answer(members, subject, rest, request, world)?,
        Content::Database(place, source) => {
            database::on_disk(&place, source, subject, rest, request, world)?
        }
        Content::Held(database) => database::read(&database, None, subject, rest, request, world)?,
    };
    answer.notes.extend(notes);
    Ok(answer)
}

/// The window over a listing. It is made here: there is nothing to be exact
/// about, and it is shown as far as `lines` unless less is asked for.
fn listed(request: &Request, of_path: Selector, what: &str, lines: u64) -> Result<Window, Failure> {
    if of_path.part != Part::Whole {
        let path = &request.path;
        let what = with_article(what);
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
