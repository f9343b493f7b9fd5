//! Databases of SQLite: what is asked of one, as lines.
//!
//! ```text
//! mod      what is asked for, and what came of it
//! look     a database that is looked at, and what a form makes of it
//! list     the tables of a database
//! rows     a table: its definition, and rows of it
//! row      one row, by its key
//! raw      statements that a path gives, and how they go on
//! schema   what a database says of its tables
//! clause   conditions and orders that a path gives
//! cells    values: how they are asked for, and their words
//! table    rows as text
//! failure  what stands in the way, in words
//! ```
//!
//! What it runs reads: the engine sees to that. Nothing here holds more of a
//! value than it shows.

mod cells;
mod clause;
mod failure;
mod list;
mod look;
mod raw;
mod row;
mod rows;
mod schema;
mod table;

use crate::answer;
use crate::failure::{Failure, aside};
use crate::limits;
use crate::pages::fill_text;
use crate::path::Rest;
use crate::path::query::{self, OfDatabase, OfTable};
use crate::sources::Database;
use crate::subject::{Step, Subject};
use crate::visible::visible;
use crate::window::Window;
use crate::world::{DatabaseError, World};
use look::{Look, Shown, Stop};
use schema::Table;

/// What came of a read.
pub struct Read {
    /// What was read.
    pub subject: Subject,
    /// What it says.
    pub body: answer::Database,
    /// What is to be said of it.
    pub notes: Vec<String>,
}

/// Why there is none.
pub enum Unread {
    /// A failure.
    Failure(Failure),
    /// The file is no database after all, or too damaged to be one.
    Closed(Box<Subject>, String),
}

/// Reads what a path asks of a database: `rows` at once, unless the path says how many.
///
/// # Errors
/// What stands in the way.
pub fn read(
    database: &Database,
    subject: Subject,
    rest: Option<&Rest>,
    rows: u64,
    window: &Window,
    world: &mut dyn World,
) -> Result<Read, Unread> {
    let size = database.size(&subject);
    let room = window.max_bytes(limits::MAX_LINES).min(limits::REPLY_BYTES);
    let room = usize::try_from(room).unwrap_or(usize::MAX);
    let room = room.saturating_sub(limits::DAMAGE_BYTES);
    let mut given = false;
    let mut look_at = |careful| {
        database.read(world, |connection, beside| {
            let mut notes = connection.notes();
            notes.extend_from_slice(beside);
            let mut look = Look {
                connection,
                subject: &subject,
                size,
                rows,
                room,
                careful,
                damage: None,
                given: false,
            };
            let outcome = form(&mut look, rest);
            given = look.given;
            match outcome {
                Ok(mut shown) => {
                    if let Some(damage) = look.damage {
                        let damage = aside(visible(&damage));
                        shown.text.insert_str(0, &format!("[damaged: {damage}]\n"));
                    }
                    shown.notes.append(&mut notes);
                    Ok(Ok(shown))
                }
                Err(Stop::Failure(failure)) => Ok(Err(failure)),
                Err(Stop::Database(error)) => Err(error),
            }
        })
    };
    let mut outcome = look_at(false);
    let ended = matches!(
        outcome,
        Err(DatabaseError::Failed(_) | DatabaseError::Exhausted(_))
    );
    if ended && rest.is_none_or(Rest::is_root) {
        outcome = look_at(true);
    }
    let shown = match outcome {
        Ok(Ok(shown)) => shown,
        Ok(Err(failure)) => return Err(Unread::Failure(failure)),
        // Nothing can be said of it but what any file says.
        Err(
            error @ (DatabaseError::Foreign(_)
            | DatabaseError::Damaged(_)
            | DatabaseError::Invalid(_)
            | DatabaseError::Io(_)
            | DatabaseError::Exhausted(_)
            | DatabaseError::Failed(_)),
        ) if rest.is_none_or(Rest::is_root) => {
            return Err(Unread::Closed(Box::new(subject), error.to_string()));
        }
        Err(error) => return Err(Unread::Failure(failure::of(error, &subject, rest, given))),
    };
    let mut subject = subject;
    for part in &shown.path {
        subject.typed = format!("{}:{part}", subject.typed);
        subject.inside.push(Step::Table(part.clone()));
    }
    let body = answer::Database {
        page: fill_text(shown.text, window),
        form: shown.form,
        table: shown.path.into_iter().next(),
        columns: shown.columns,
        rows: shown.rows,
        total: shown.total,
        next: shown.next,
    };
    Ok(Read {
        subject,
        body,
        notes: shown.notes,
    })
}

fn form(look: &mut Look<'_>, rest: Option<&Rest>) -> Result<Shown, Stop> {
    match query::of_database(rest)? {
        Some(OfDatabase::Tables) => return list::read(look),
        Some(OfDatabase::Raw(statement)) => return raw::read(look, &statement),
        None => {}
    }
    let (table, behind) = Table::find(look, &query::tables(rest))?;
    match query::of_table(&table.name, behind.as_ref())? {
        OfTable::Definition => rows::definition(look, &table),
        OfTable::Row(key) => row::read(look, &table, &key),
        OfTable::Rows(parameters) => rows::read(look, &table, &parameters),
    }
}
