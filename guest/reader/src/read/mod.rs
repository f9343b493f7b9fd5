//! The last step of a read: builds the answer from the opened content.
//!
//! ```text
//! mod             dispatch by type of content
//! bytes           the bytes of a file: detects their kind, and makes the answer
//! reading         a read of bytes: tries readers
//! readers         which readers are tried, by kind of file
//! text            pages of text
//! outline         outlines of long texts
//! document        documents, web pages and feeds, which are converted to text
//! converted       pages of converted text
//! converted_form  the converted form of a file whose bare path is its text
//! sections        sections of texts with headings, such as Markdown
//! contents        tables of contents of long documents
//! page            bodies of web addresses, as pages to be read
//! beside          other forms of a web page, and what it links to
//! offers          hints that name what a path can select
//! figure          one image of a document
//! figures         the images of a document to which a page refers
//! office          documents of office programs, which an engine converts
//! unit_notes      notes on the pages of a reply
//! units           pages of text that is converted unit by unit
//! embedded        images on a page of converted text
//! image           images
//! attachment      files that are returned unchanged
//! rows            answers with rows of tables
//! table           tables of rows in text files: CSV, TSV, JSON lines
//! workbook        sheets of workbooks, which are read like tables
//! database        SQLite databases
//! binary          all other files
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
mod contents;
mod converted;
mod converted_form;
mod database;
mod directory;
mod document;
mod embedded;
mod figure;
mod figures;
mod image;
mod kinds;
mod offers;
mod office;
mod outline;
mod page;
mod readers;
mod reading;
mod rows;
mod sections;
mod stamp;
mod table;
mod text;
mod unit_notes;
mod units;
mod workbook;

pub(crate) use directory::directory;
pub(crate) use stamp::remember;
pub use stamp::{Stamp, State, current};

use crate::answer::{Answer, Body};
use crate::digest::{self, Digest, DigestError};
use crate::failure::{Failure, Reason};
use crate::pages::Input;
use crate::path::{Part, Selector, View};
use crate::request::{HashPolicy, Request};
use crate::sniff::Container;
use crate::sources::{self, Content, Inside};
use crate::subject::Subject;
use crate::units::with_article;
use crate::web::Method;
use crate::window::{Numbering, Window};
use crate::world::{Source, World};

/// Reads the content of a file that a path names: the file itself, a member or a directory of an
/// archive, or a database.
///
/// # Errors
/// Fails if the content cannot be read, or if the selector (such as `:50-80`) does not apply to it.
pub fn inside(inside: Inside, request: &Request, world: &mut dyn World) -> Result<Answer, Failure> {
    let Inside {
        mut subject,
        content,
        rest,
        notes,
    } = inside;
    let rest = rest.as_ref();
    let answer = match content {
        Content::Bytes(mut source, container) => {
            if container.is_none() {
                source = table::recognised(source, &mut subject, rest, request)?;
            }
            let source = &mut *source;
            // A name such as `a.csv` does not decide what the content is.
            let mut other = None;
            if container.is_none()
                && let Some((format, rows)) = table::requested(&subject, rest)?
            {
                match table::read(source, &subject, format, &rows, rest, request, world)? {
                    table::Read::Answer(answer) => return Ok(with_notes(*answer, notes)),
                    table::Read::Other(kind) => other = Some((kind, rows)),
                }
            }
            let mut opened = None;
            if let Some(rest) = rest
                && let Some(format) = workbook::format(source, container, &subject, Some(rest))
            {
                match workbook::read(format, source, &subject, rest, request, world)? {
                    workbook::Read::Answer(answer) => return Ok(with_notes(*answer, notes)),
                    workbook::Read::Text(document) => opened = Some(Ok(document)),
                }
            }
            let mut of_path = match (other, rest) {
                (Some((kind, rows)), Some(rest)) => {
                    table::selector_of_other(kind, &subject, &rows, rest)?
                }
                _ => sources::selector(&subject, rest).map_err(|failure| match rest {
                    Some(rest) => {
                        offers::with_hint(failure, source, container, &subject, rest, request)
                    }
                    None => failure,
                })?,
            };
            if let Some(Container::Document(_)) = container
                && of_path.part == Part::Whole
                && of_path.selects_lines()
            {
                // Only the converted form has lines, also if the bare path reads the bytes.
                of_path.part = Part::Converted(View::Main);
            }
            let selector = request.selector(of_path)?;
            bytes::read_opened(source, container, opened, subject, selector, request, world)?
        }
        Content::Members(members) => archive::answer(members, subject, rest, request, world)?,
        Content::Database(place, source) => {
            database::on_disk(&place, source, subject, rest, request, world)?
        }
        Content::OtherDatabase(database) => {
            database::read(&database, None, subject, rest, request, world)?
        }
    };
    Ok(with_notes(answer, notes))
}

/// Adds notes to an answer.
fn with_notes(mut answer: Answer, notes: Vec<String>) -> Answer {
    answer.notes.extend(notes);
    if let Some(web) = &mut answer.subject.web {
        web.method.get_or_insert(match &answer.body {
            Body::Text(_) => Method::Text,
            Body::Listing(_) | Body::Archive(_) => Method::Archive,
            Body::Database(_) => Method::Database,
            Body::Media(_) => Method::Image,
            Body::Binary(_) => Method::Raw,
        });
    }
    answer
}

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
