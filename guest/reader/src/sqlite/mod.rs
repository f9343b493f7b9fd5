//! Reads of SQLite databases: runs the request of a path and formats the result as text.
//!
//! ```text
//! mod      entry point: dispatch by kind of request, errors, retry
//! context  state of a read: the open database, results and errors of request handlers
//! list     handler: the tables of a database
//! rows     handlers: the definition of a table, and rows of it
//! ordered  a page of rows in an order, with their number, from one scan
//! row      handler: one row, by its key
//! raw      handler: the result of a statement, and how to continue it
//! schema   tables and columns from the schema of a database
//! clause   validation of conditions and orders, and SQL syntax
//! cut      notes on values that are cut, and the paths of their rows
//! cells    values: how statements select them, and how they are formatted
//! columns  columns of a table: how statements select them, and how much is loaded
//! table    rows as text
//! failure  failures for errors of the engine, missing rows and invalid keys
//! ```
//!
//! Invariants: only reading statements run, which the engine enforces. Values that are too large to
//! be shown are not loaded into memory.

mod cells;
mod clause;
mod columns;
mod context;
mod cut;
mod failure;
mod list;
mod ordered;
mod raw;
mod row;
mod rows;
mod schema;
mod table;

use crate::answer::{self, DatabasePart};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, library_message};
use crate::limits;
use crate::pages::fill_text;
use crate::path::Suffix;
use crate::path::query::{self, DatabaseRequest, Parameters, TableRequest};
use crate::sources::Database;
use crate::subject::{Step, Subject};
use crate::window::Window;
use crate::world::fetch::REQUESTS;
use crate::world::{Connection, DatabaseError, World};
use context::{Context, HandlerError};
use schema::Table;

pub use cells::line;
pub use clause::{condition, order, quoted};
pub use context::{Shown, UserSql};
pub use failure::{columns_hint, of as failure_of};
pub use rows::last_rows;
pub use table::{
    aligned_widths, format_cuts, write_line as write_aligned, write_rule, write_unaligned,
};

/// The result of a read.
pub struct Read {
    /// The origin, the metadata and the path of the database. The path is extended by the table and
    /// the key that were read.
    pub subject: Subject,
    /// The page and its details.
    pub body: answer::Database,
    /// Notes on the database and on the result.
    pub notes: Vec<String>,
}

/// The reason for which a read has no result.
pub enum Unread {
    /// The request failed.
    Failure(Failure),
    /// The file is not a database, or is too damaged to be read. Contains the subject of the read,
    /// and the message.
    Closed(Box<Subject>, String),
}

/// The limits of a page of rows.
#[derive(Clone, Copy)]
pub struct PageLimits<'w> {
    /// The maximum number of rows, unless the path has a `limit`.
    pub rows: u64,
    /// As in [`Style`](crate::request::Style).
    pub table_width: Option<usize>,
    /// The maximum number of tokens of the text. `None` for no limit.
    pub tokens: Option<u64>,
    /// The window that the page fills.
    pub window: &'w Window,
}

/// Runs the request that `rest`, the text of the path after the database, contains.
///
/// # Errors
/// Returns [`Unread::Closed`] if a path without a request names a file that cannot be opened as a
/// database. Returns [`Unread::Failure`] for all other errors.
pub fn read(
    database: &Database,
    subject: Subject,
    rest: Option<&Suffix>,
    page: PageLimits<'_>,
    world: &mut dyn World,
) -> Result<Read, Unread> {
    let PageLimits {
        rows,
        table_width,
        tokens,
        window,
    } = page;
    let size = database.size(&subject);
    let room = window.max_bytes(limits::MAX_LINES).min(limits::REPLY_BYTES);
    let room = usize::try_from(room).unwrap_or(usize::MAX);
    let room = room.saturating_sub(limits::DAMAGE_BYTES);
    let mut user_sql = None;
    let mut attempt = |careful| {
        database.read(world, |connection, companion_notes| {
            let mut notes = connection.notes();
            notes.extend_from_slice(companion_notes);
            let mut look = Context {
                connection,
                subject: &subject,
                size,
                rows,
                room,
                tokens,
                table_width,
                is_table: false,
                careful,
                damage: None,
                user_sql: None,
            };
            let outcome = handle(&mut look, rest);
            user_sql = look.user_sql;
            match outcome {
                Ok(mut shown) => {
                    if let Some(damage) = look.damage {
                        let damage = library_message(escape_invisible(&damage));
                        shown.text.insert_str(0, &format!("[damaged: {damage}]\n"));
                    }
                    shown.notes.append(&mut notes);
                    Ok(Ok(shown))
                }
                Err(HandlerError::Failure(failure)) => Ok(Err(failure)),
                Err(HandlerError::Database(error)) => Err(error),
            }
        })
    };
    let mut outcome = attempt(false);
    let ended = match &outcome {
        Err(DatabaseError::Failed(_) | DatabaseError::Work(_)) => true,
        // The second attempt would need as many requests.
        Err(DatabaseError::Exhausted(what)) => what != REQUESTS,
        _ => false,
    };
    if ended && rest.is_none_or(Suffix::is_root) {
        outcome = attempt(true);
    }
    let shown = match outcome {
        Ok(Ok(shown)) => shown,
        Ok(Err(failure)) => return Err(Unread::Failure(failure)),
        // The path requests the list of tables, so the file can be shown as binary instead.
        Err(
            error @ (DatabaseError::NotADatabase(_)
            | DatabaseError::Damaged(_)
            | DatabaseError::Invalid(_)
            | DatabaseError::Io(_)
            | DatabaseError::Work(_)
            | DatabaseError::Exhausted(_)
            | DatabaseError::Failed(_)),
        ) if rest.is_none_or(Suffix::is_root) => {
            return Err(Unread::Closed(Box::new(subject), error.to_string()));
        }
        Err(error) => {
            return Err(Unread::Failure(failure::of(
                error, &subject, rest, user_sql,
            )));
        }
    };
    let mut shown = shown;
    if shown.form == DatabasePart::Tables && shown.rows == 0 && database.lacks_log(world) {
        shown.notes.push(NO_LOG.to_owned());
    }
    let mut subject = subject;
    for part in &shown.path {
        subject.enter(Step::Table(part.clone()));
    }
    let body = answer::Database {
        page: fill_text(shown.text, window),
        is_text: false,
        part: shown.form,
        table: shown.path.into_iter().next(),
        columns: shown.columns,
        rows: shown.rows,
        total: shown.total,
        next: shown.next,
        limit: shown.limit,
    };
    Ok(Read {
        subject,
        body,
        notes: shown.notes,
    })
}

/// The note on an empty database in WAL mode without its log. One with tables has none: a program that
/// ends writes all changes to the database and removes the log.
const NO_LOG: &str = "it is in WAL mode and has no write-ahead log (`-wal`), which has its tables if it was copied without it";

/// A statement on a database in memory, whose tables have the rows of a content.
pub struct Statement<'s> {
    /// The content.
    pub subject: &'s Subject,
    /// The text of the path after the content.
    pub rest: Option<&'s Suffix>,
    /// The statement in SQL.
    pub sql: &'s str,
    /// The maximum size of the text of the result in bytes.
    pub room: usize,
    /// The maximum number of tokens of the text. `None` for no limit.
    pub tokens: Option<u64>,
    /// As in [`Style`](crate::request::Style).
    pub table_width: Option<usize>,
}

/// Runs a statement on a database in memory.
///
/// # Errors
/// Fails if the engine cannot run the statement.
pub fn statement(
    connection: &mut dyn Connection,
    statement: &Statement<'_>,
) -> Result<Shown, Failure> {
    let Statement {
        subject,
        rest,
        sql,
        room,
        tokens,
        table_width,
    } = *statement;
    let mut look = Context {
        connection,
        subject,
        size: 0,
        rows: limits::STATEMENT_ROWS,
        room,
        tokens,
        table_width,
        is_table: true,
        careful: false,
        damage: None,
        user_sql: None,
    };
    raw::read(&mut look, sql).map_err(|error| match error {
        HandlerError::Failure(failure) => failure,
        HandlerError::Database(error) => failure::of(error, subject, rest, look.user_sql),
    })
}

fn handle(look: &mut Context<'_>, rest: Option<&Suffix>) -> Result<Shown, HandlerError> {
    match query::of_database(rest)? {
        Some(DatabaseRequest::Tables) => return list::read(look),
        Some(DatabaseRequest::Raw(statement)) => return raw::read(look, &statement),
        None => {}
    }
    let (table, after) = Table::find(look, &query::tables(rest))?;
    match query::of_table(&look.subject.member_path(&table.name), after.as_ref())? {
        TableRequest::Definition => rows::definition(look, &table),
        TableRequest::Row(key) => row::read(look, &table, &key),
        TableRequest::Rows(Parameters { at: Some(_), .. }) => Err(query::unknown("at", &[]).into()),
        TableRequest::Rows(parameters) => {
            let error = match rows::read(look, &table, &parameters) {
                Err(HandlerError::Database(error)) if failure::is_missing_column(&error) => error,
                outcome => return outcome,
            };
            let columns = table.columns(look)?;
            let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
            let missing = failure::of(error, look.subject, None, look.user_sql);
            Err(missing.hint(failure::columns_hint(&names)).into())
        }
    }
}
