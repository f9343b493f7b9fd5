//! The last step of a read: builds the answer from the content to which the walk led.
//!
//! ```text
//! content         what a read of bytes is given
//! bytes           the bytes of a file: detects their kind, and makes the answer
//! reading         a read of bytes: tries readers
//! readers         which readers are tried, by kind of file
//! text            pages of text
//! line_marks      marks of the lines of a large file, which a session keeps
//! outline         outlines of long texts
//! log             views of long logs
//! document        documents, web pages and feeds, which are converted to text
//! converted       pages of converted text
//! converted_form  the converted form of a file whose bare path is its text
//! sections        sections of texts with headings, such as Markdown
//! symbols         declarations, headings and keys, by name or by a line
//! missing         refusals of searches for declarations
//! searched        a text that is searched for them
//! long            a text that is searched for them in pieces
//! conflicts       merge conflicts: their list, one of them, a side
//! conflict_notes  what replies say of a merge conflict
//! conflict_scan   the merge conflicts of a text, or of a page of it
//! shown_conflicts the files whose conflicts the session showed
//! contents        tables of contents of long documents
//! page            bodies of web addresses, as pages to be read
//! beside          other forms of a web page, and what it links to
//! offers          hints that name what a path can select
//! figure          one image of a document
//! figures         the images of a document to which a page refers
//! office          documents of office programs, which an engine converts
//! rest            the declarations, headings and units that a page does not show
//! unit_notes      notes on the pages of a reply
//! unit_paths      paths of units of documents, and failures for those that do not exist
//! units           pages of text that is converted unit by unit
//! embedded        images on a page of converted text
//! image           images
//! attachment      files that are returned unchanged
//! rows            answers with rows of tables
//! database        SQLite databases
//! binary          all other files
//! kept            content that a session keeps as an artifact
//! extract         a value in JSON that an internal URL selects
//! skills          the list of skills of an internal URL
//! served_skills   skills with the manifests of their files, for clients of MCP
//! directory       directories
//! archive         directories in archives
//! kinds           counts of listing entries that a page leaves out, by extension
//! stamp           the current state of a file, and the snapshot for a session
//! ```

mod archive;
mod attachment;
mod beside;
mod binary;
mod bytes;
mod conflict_notes;
mod conflict_scan;
mod conflicts;
mod content;
mod contents;
mod converted;
mod converted_form;
mod database;
mod directory;
mod document;
mod embedded;
mod extract;
pub(crate) mod figure;
mod figures;
mod image;
mod image_budget;
mod indented;
mod kept;
mod kinds;
mod line_marks;
mod log;
mod long;
mod missing;
pub(crate) mod offers;
mod office;
mod outline;
mod page;
mod readers;
mod reading;
mod rest;
pub(crate) mod rows;
mod searched;
mod sections;
mod served_skills;
mod shown_conflicts;
mod skills;
mod stamp;
mod symbols;
mod text;
mod unit_notes;
mod unit_paths;
mod units;

pub(crate) use archive::{Members, answer as archive};
pub(crate) use bytes::read as bytes;
pub(crate) use content::{Content, Context};
pub(crate) use database::read as database;
pub(crate) use directory::directory;
pub(crate) use extract::extract;
pub use served_skills::{
    ServedEntries, ServedEntry, ServedFile, ServedPage, ServedSkill, SkippedSkill,
    served_directory, served_file, served_skill, served_skills,
};
pub(crate) use shown_conflicts::{name as conflict_url, of_url as shown_conflict};
pub(crate) use skills::skills;
pub(crate) use stamp::snapshot;
pub use stamp::{Stamp, State, current};
pub(crate) use unit_paths::unit_path;

use crate::digest::{self, Digest, DigestError};
use crate::failure::{Failure, Reason};
use crate::pages::Input;
use crate::path::{Part, Selector};
use crate::request::{HashPolicy, Request};
use crate::subject::Subject;
use crate::units::with_article;
use crate::window::{Numbering, Window};
use crate::world::{Source, World};

/// The window (the requested lines and the limits of a page) for a listing. `lines` is the default
/// for the maximum number of lines on a page. `:raw` has no effect, because a listing is generated.
/// `what` is the word for the content in messages.
///
/// # Errors
/// Returns [`Reason::InvalidSelector`] if `of_path`, the selector in the path, selects an image or
/// units such as notebook cells.
fn listed(
    subject: &Subject,
    request: &Request,
    of_path: Selector,
    what: &str,
    lines: u64,
) -> Result<Window, Failure> {
    if of_path.part != Part::Whole {
        let path = &subject.requested;
        let what = with_article(what);
        let message = format!("`{path}` is {what}; `:{of_path}` does not apply to it");
        return Err(Failure::new(
            Reason::InvalidSelector(of_path.to_string()),
            message,
        ));
    }
    let mut window = unnumbered(request, request.selector(of_path)?);
    // A dialect without a limit of lines lists as many entries as fit into a page.
    if request.slice.is_none() && request.style.open_lines != u64::MAX {
        window.open_lines = lines;
    }
    Ok(window)
}

/// The window (the requested lines and the limits of a page) for lines that the reader generates,
/// such as those of a listing. The lines have no line numbers, no context lines are added, and
/// `:raw` does not change them.
fn unnumbered(request: &Request, selector: Selector) -> Window {
    let mut window = request.style.window(selector, Numbering::None);
    window.selector.raw = false;
    window.context = false;
    window
}

/// The hash of the stored bytes of an archive or a database. `None` unless the dialect (the read
/// tool of an agent) requests a hash of every file.
fn hashed(
    source: &mut dyn Source,
    size: Option<u64>,
    request: &Request,
    world: &dyn World,
) -> Option<Result<Digest, DigestError>> {
    if request.style.hash != HashPolicy::Always {
        return None;
    }
    if source.remote() {
        return Some(Err(DigestError::Remote));
    }
    if !source.seekable() {
        return Some(Err(DigestError::Unread));
    }
    Some(match Input::new(source, size) {
        Ok(mut input) => digest::digest(&mut input, size, world),
        Err(_) => Err(DigestError::Unread),
    })
}
