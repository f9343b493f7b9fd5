//! What stands in the way of a read of a database, in words.

use super::clause::quoted;
use super::schema::{Kind, Table};
use crate::failure::{Failure, Reason, aside};
use crate::limits;
use crate::path::Rest;
use crate::place;
use crate::subject::Subject;
use crate::visible::visible;
use crate::world::DatabaseError;

/// The failure of a read of what a path names in a database; `given` tells that
/// the path contains SQL.
pub fn of(error: DatabaseError, subject: &Subject, rest: Option<&Rest>, given: bool) -> Failure {
    let name = subject.shown();
    let asked = || match rest {
        Some(rest) => format!("`{name}:{}`", rest.as_str()),
        None => format!("`{name}`"),
    };
    match error {
        DatabaseError::File(error) => place::failure(error, &subject.typed),
        DatabaseError::Foreign(words) => Failure::new(
            Reason::Unsupported("not a SQLite database".to_owned()),
            format!(
                "`{name}` is not a database, or an encrypted one: {}",
                aside(visible(&words))
            ),
        ),
        DatabaseError::Damaged(words) => {
            let message = format!("cannot read `{name}`: [damaged: {words}]");
            Failure::new(Reason::Io(words), message)
                .hint(format!("`{}` shows what can be read of it", subject.name()))
        }
        DatabaseError::Changed(what) => {
            let message = format!(
                "`{name}` was written to each time it was read, for {} ms: {what} changed",
                limits::BUSY_MILLIS
            );
            Failure::new(Reason::Io(message.clone()), message)
                .hint("ask for less of it, or read it again when nobody writes")
        }
        // A view or a module does what it does.
        DatabaseError::Refused(what) if !given => {
            let message = format!(
                "cannot read {}: it would do more than read: {what}",
                asked()
            );
            Failure::new(Reason::Unsupported(what), message)
        }
        DatabaseError::Invalid(words) if !given => {
            let message = format!("cannot read {}: {words}", asked());
            Failure::new(Reason::Io(words), message)
        }
        DatabaseError::Exhausted(what) if !given => {
            let (reason, words) = exhausted(&what);
            Failure::new(
                reason,
                format!("the read of {} was stopped: {words}", asked()),
            )
            .hint("ask for fewer rows with `?limit=`, or for some by a condition with `?where=`")
        }
        DatabaseError::Refused(what) => {
            let message = format!("the query is not run, since it would do more than read: {what}");
            Failure::new(Reason::Query(what), message)
                .hint("one statement that reads is run: SELECT, WITH, VALUES, EXPLAIN, or a pragma that tells something")
        }
        DatabaseError::Invalid(words) => {
            let message = format!("the query is not run: {words}");
            Failure::new(Reason::Query(words), message)
        }
        DatabaseError::Exhausted(what) => {
            let (reason, words) = exhausted(&what);
            Failure::new(reason, format!("the query was stopped: {words}")).hint(
                "ask for less: by a condition on the key or an indexed column, a LIMIT, fewer tables",
            )
        }
        DatabaseError::Io(words) => {
            let message = format!("cannot read `{name}`: {words}");
            Failure::new(Reason::Io(words), message)
        }
        DatabaseError::Failed(words) => {
            let message = format!("the engine failed on `{name}`: {words}");
            Failure::new(Reason::Internal(words), message)
        }
    }
}

/// What was exceeded, and the same in words.
fn exhausted(what: &str) -> (Reason, String) {
    let (value, words) = match what {
        "work" => {
            let work = limits::QUERY_WORK;
            (work, format!("it takes more than {work} steps of SQLite"))
        }
        other => (0, format!("it takes more {other} than it may")),
    };
    (Reason::limit(format!("query-{what}"), value), words)
}

/// The failure of a key that no row has.
pub fn no_row(table: &str, key: &str) -> Failure {
    Failure::new(
        Reason::NotFound(Vec::new()),
        format!("No row found in table '{table}' for key '{key}'."),
    )
    .hint("the table is there; without the key it is described")
}

/// The failure of a key that is no whole number, where the column takes those.
pub fn not_whole(table: &str, column: &str, key: &str) -> Failure {
    let key = visible(key);
    let message =
        format!("Primary key '{column}' of table '{table}' must be an integer; got '{key}'");
    Failure::new(Reason::Selector(key), message)
        .hint("a row stands behind its key; `?where=` finds rows by other columns")
}

/// The failure of a key in a table whose rows have no number, with the columns
/// to ask for instead.
pub fn no_key(subject: &Subject, table: &Table, columns: &[&str]) -> Failure {
    let name = visible(&table.name);
    let conditions: Vec<String> = columns
        .iter()
        .map(|column| format!("{}='…'", quoted(column)))
        .collect();
    let query = format!("?where={}", conditions.join(" and "));
    let ready = subject.asking(Some(&table.name), &query);
    let message = match table.kind {
        Kind::View => format!("'{name}' is a view, whose rows have no key"),
        _ if columns.len() < 2 => {
            format!("the columns of table '{name}' have the names by which rows are numbered")
        }
        _ => format!(
            "table '{name}' has a primary key of several columns ({}) and no rowid",
            columns.join(", ")
        ),
    };
    Failure::new(Reason::Selector(name), message).hint(format!("use `{ready}`"))
}

/// The failure of a key that is no number of a row.
pub fn no_rowid(table: &str, key: &str, columns: usize) -> Failure {
    let why = match columns {
        0 => "no primary key",
        _ => "a primary key of several columns",
    };
    let message = format!(
        "table '{table}' has {why}, so its rows are known by their rowid, an integer; got '{key}'"
    );
    Failure::new(Reason::Selector(key.to_owned()), message)
        .hint("`?where=` finds rows by their columns")
}
