//! SQLite databases.

use super::{bytes, hashed, unnumbered};
use crate::answer::{Answer, Body};
use crate::digest::Unhashed;
use crate::failure::Failure;
use crate::limits;
use crate::path::{Rest, Selector};
use crate::place::Place;
use crate::request::{Hashed, Request};
use crate::sniff::Container;
use crate::sources::Database;
use crate::sqlite::{self, Unread};
use crate::subject::Subject;
use crate::world::{Bytes, Source, World};

/// Reads what a path asks of a database that is a file, with these bytes.
///
/// # Errors
/// What stands in the way.
pub fn on_disk(
    place: &Place,
    source: Box<dyn Source>,
    subject: Subject,
    rest: Option<&Rest>,
    request: &Request,
    world: &mut dyn World,
) -> Result<Answer, Failure> {
    let database = Database::on_disk(place, &subject.typed, world)?;
    read(&database, Some(source), subject, rest, request, world)
}

/// Reads what a path asks of a database. `file` has its bytes, unless it is in
/// memory.
///
/// # Errors
/// What stands in the way.
pub fn read(
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
    let rows = request.style.rows;
    let read = match sqlite::read(database, subject, rest, rows, &window, world) {
        Ok(read) => read,
        Err(Unread::Failure(failure)) => return Err(failure),
        // It is shown as what it is.
        Err(Unread::Closed(subject, words)) => {
            let mut answer = bytes::read(
                &mut *source(),
                Some(Container::Database),
                *subject,
                Selector::NONE,
                request,
                world,
            )?;
            let note = format!("it cannot be read as a database: {words}");
            answer.notes.push(note);
            return Ok(answer);
        }
    };
    let mut notes = read.notes;
    if let Some(slice) = &request.slice {
        notes.push(format!(
            "`{}` was left out: it asks for lines, and rows are asked for by ?limit=5&offset=10 after the name of their table",
            slice.asker.name()
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
