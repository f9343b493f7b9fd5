//! Reads of SQLite databases.

use super::{Content, Context, bytes, hashed, unnumbered};
use crate::answer::{Answer, Body, UNREAD_DATABASE};
use crate::digest::DigestError;
use crate::failure::Failure;
use crate::limits;
use crate::path::{Selector, Suffix};
use crate::request::HashPolicy;
use crate::sniff::Container;
use crate::sources::Database;
use crate::sqlite::{self, PageLimits, Unread};
use crate::subject::Subject;
use crate::world::Source;

/// Reads the part of a database that `rest`, the rest of the path, requests. `file` has the bytes
/// of a database on disk. It is `None` for any other database.
///
/// # Errors
/// Fails if the database cannot be read, or if the request is invalid.
pub fn read(
    database: &Database,
    file: Option<Box<dyn Source>>,
    subject: Subject,
    rest: Option<&Suffix>,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let request = context.request;
    let mut window = unnumbered(request, Selector::NONE);
    window.open_lines = limits::REPLY_LINES;
    window.max_lines = limits::REPLY_LINES;
    window.line_chars = None;
    // The rows of the page are chosen within the budget.
    window.tokens = None;
    let source = || file.unwrap_or_else(|| database.source());
    let limits = PageLimits {
        rows: request.style.rows,
        tokens: request.style.tokens,
        table_width: request.style.table_width,
        window: &window,
    };
    let read = match sqlite::read(database, subject, rest, limits, context.world) {
        Ok(read) => read,
        Err(Unread::Failure(failure)) => return Err(failure),
        // The file is shown as binary, with a note.
        Err(Unread::Closed(subject, reason)) => {
            let mut content = Content::of(source(), Some(Container::Database));
            let mut answer = bytes::read(&mut content, *subject, Selector::NONE, context)?;
            let note = format!("{UNREAD_DATABASE}: {reason}");
            answer.notes.push(note);
            return Ok(answer);
        }
    };
    let mut notes = read.notes;
    if let Some(slice) = &request.slice {
        notes.push(format!(
            "`{}` was ignored: a database has no lines; select rows with ?limit=5&offset=10 after the name of a table",
            slice.origin.name()
        ));
    }
    let digest = match request.style.hash {
        HashPolicy::Always if read.subject.compression.is_some() => {
            Some(Err(DigestError::Compressed))
        }
        HashPolicy::Always => hashed(&mut *source(), read.subject.bytes(), request, context.world),
        HashPolicy::Never | HashPolicy::Shown(_) => None,
    };
    Ok(Answer {
        subject: read.subject,
        body: Body::Database(read.body),
        digest,
        notes,
    })
}
