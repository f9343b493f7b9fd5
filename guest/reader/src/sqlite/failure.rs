//! Failures of reads of databases: error messages and hints.

use super::clause::{literal, quoted};
use super::context::UserSql;
use super::schema::{Column, Kind, Table};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, OperatorHint, Reason, library_message};
use crate::limits;
use crate::path::{Lines, Part, Range, Selector, Suffix};
use crate::rooted_path;
use crate::subject::Subject;
use crate::units;
use crate::world::DatabaseError;
use crate::world::fetch::REQUESTS;

/// The hint if a database on a server would have to be scanned.
const REMOTE_HINT: &str = "read a row by its key, add a condition on an indexed column or a LIMIT, or download the file and read it";

/// The failure for an error of the engine. `rest` is the text of the path after the database.
/// `user_sql` is the SQL in it that was run, so that the error may be in that SQL.
pub fn of(
    error: DatabaseError,
    subject: &Subject,
    rest: Option<&Suffix>,
    user_sql: Option<UserSql>,
) -> Failure {
    let name = subject.shown();
    let requested = || match rest {
        Some(rest) => format!("`{name}:{}`", rest.as_str()),
        None => format!("`{name}`"),
    };
    match error {
        DatabaseError::File(error) => rooted_path::failure(error, &subject.requested),
        DatabaseError::NotADatabase(error_text) => Failure::new(
            Reason::Unsupported("not a SQLite database".to_owned()),
            format!(
                "`{name}` is not a SQLite database, or is encrypted: {}",
                library_message(escape_invisible(&error_text))
            ),
        ),
        DatabaseError::Damaged(error_text) => {
            let message = format!("cannot read `{name}`: [damaged: {error_text}]");
            Failure::new(Reason::Io(error_text), message)
                .hint(format!("list what can be read with `{}`", subject.name()))
        }
        DatabaseError::Changed(what) => {
            let message = format!(
                "`{name}` was changed by another program during every attempt to read it, for {} ms: {what} changed",
                limits::BUSY_MILLIS
            );
            Failure::new(Reason::Io(message.clone()), message)
                .hint("read fewer rows, or try again when no program writes to it")
        }
        // The path has no SQL, so a view or a virtual table does this.
        DatabaseError::Refused(what) if user_sql.is_none() => {
            let message = format!("cannot read {}: its definition {what}", requested());
            Failure::new(Reason::Unsupported(what), message)
        }
        DatabaseError::Invalid(error_text) if user_sql.is_none() => {
            let message = format!("cannot read {}: {error_text}", requested());
            Failure::new(Reason::Io(error_text), message)
        }
        error @ (DatabaseError::Work(_) | DatabaseError::Exhausted(_)) => {
            let (stopped, hint) = match user_sql {
                None => (
                    format!("the read of {} was stopped", requested()),
                    "read fewer rows: add `?limit=`, or a condition with `?where=`",
                ),
                Some(_) => (
                    "the query was stopped".to_owned(),
                    "add a condition on the key or an indexed column, add a LIMIT, or use fewer tables",
                ),
            };
            let is_remote = matches!(&error, DatabaseError::Exhausted(what) if what == REQUESTS);
            let (reason, error_text) = exhausted(&error);
            let failure = Failure::new(reason, format!("{stopped}: {error_text}"));
            if is_remote {
                failure.hint(REMOTE_HINT)
            } else {
                failure.hint(hint).operator_hint(OperatorHint::MoreTime)
            }
        }
        DatabaseError::Refused(what) => {
            let message = format!("Not run: this statement {what}");
            Failure::new(Reason::Query(what), message).hint(
                "use one SELECT, WITH, VALUES or EXPLAIN statement, or a PRAGMA that only reads",
            )
        }
        DatabaseError::Invalid(error_text) => {
            let message = format!("Not run: SQLite reports: {error_text}");
            let failure = Failure::new(Reason::Query(error_text), message);
            let is_command = rest.is_some_and(|rest| {
                let statement = rest.as_str().strip_prefix("?q=").unwrap_or_default();
                statement.trim_start().starts_with('.')
            });
            if user_sql == Some(UserSql::Condition) {
                failure.hint("check the condition after `where=`; SQLite gets it in parentheses")
            } else if is_command {
                let list = escape_invisible(&subject.member_path(""));
                failure.hint(format!(
                    "commands of the sqlite3 program are not SQL; list the tables with `{list}`"
                ))
            } else {
                failure
            }
        }
        DatabaseError::Io(error_text) => {
            let message = format!("cannot read `{name}`: {error_text}");
            Failure::new(Reason::Io(error_text), message)
        }
        DatabaseError::Failed(error_text) => {
            let message = format!("the engine failed on `{name}`: {error_text}");
            Failure::new(Reason::Internal(error_text), message)
        }
    }
}

/// The reason and the message for a limit that a statement exceeded.
fn exhausted(error: &DatabaseError) -> (Reason, String) {
    let (name, value, message) = match error {
        DatabaseError::Work(work) => {
            let message = format!("it needs more than {work} SQLite instructions");
            ("work", *work, message)
        }
        DatabaseError::Exhausted(what) if what == REQUESTS => {
            let (fetches, bytes) = (limits::DATABASE_FETCHES, limits::DATABASE_FETCH_BYTES);
            let size = units::bytes(bytes);
            let message = format!(
                "it needs more than {fetches} requests or {size} of the file on the server"
            );
            (REQUESTS, fetches, message)
        }
        DatabaseError::Exhausted(other) => {
            let message = format!("it exceeds the limit of {other}");
            (other.as_str(), 0, message)
        }
        error => ("", 0, error.to_string()),
    };
    (Reason::limit(format!("query-{name}"), value), message)
}

/// The maximum number of columns that a hint names.
const NAMED_COLUMNS: usize = 20;

/// The hint with the names of the columns of a table.
pub fn columns_hint(names: &[&str]) -> String {
    let named: Vec<String> = names
        .iter()
        .take(NAMED_COLUMNS)
        .map(|name| escape_invisible(&quoted(name)))
        .collect();
    format!("the columns are {}", named.join(", "))
}

/// Whether a statement names a column that does not exist.
pub fn is_missing_column(error: &DatabaseError) -> bool {
    matches!(error, DatabaseError::Invalid(message) if message.contains("no such column"))
}

/// The failure for a key that no row has, with the path of rows as the hint, if the key is a selector
/// of lines.
fn with_rows(failure: Failure, subject: &Subject, table: &str, key: &str) -> Failure {
    let Some(query) = rows_of_lines(key) else {
        return failure;
    };
    let path = escape_invisible(&subject.query_path(Some(table), &query));
    failure.hint(format!("rows have no lines; read rows with `{path}`"))
}

/// The query for the rows with the numbers of a selector of lines. `None` if a key is not one, or is a
/// number, which is more likely a key.
fn rows_of_lines(key: &str) -> Option<String> {
    let selector = Selector::parse(key).ok()??;
    if selector.part != Part::Whole || key.parse::<u64>().is_ok() {
        return None;
    }
    let few = limits::QUERY_ROWS;
    let (first, count) = match selector.lines {
        Lines::One(Range { start, end, .. }) => {
            let count = end.map(|end| end.saturating_sub(start.line).saturating_add(1));
            (start.line, count.unwrap_or(few).min(limits::MAX_QUERY_ROWS))
        }
        Lines::All | Lines::List(_) | Lines::Tail { .. } => (1, few),
    };
    let offset = match first.saturating_sub(1) {
        0 => String::new(),
        skipped => format!("&offset={skipped}"),
    };
    Some(format!("?limit={count}{offset}"))
}

/// The failure for a key that no row has.
pub fn no_row(subject: &Subject, table: &str, key: &str) -> Failure {
    let path = escape_invisible(&subject.member_path(table));
    let failure = Failure::new(
        Reason::NotFound(Vec::new()),
        format!("No row found in table '{table}' for key '{key}'."),
    )
    .hint(format!("`{path}` shows the columns and sample rows"));
    with_rows(failure, subject, table, key)
}

/// The failure for a key that is not an integer, if the primary key is an integer.
/// The primary key is `column`, one of `columns`.
pub fn not_whole(
    subject: &Subject,
    table: &str,
    column: &Column,
    columns: &[Column],
    key: &str,
) -> Failure {
    let mut hint = "write an integer as the key".to_owned();
    if let Some(query) = by_other_column(subject, table, columns, key) {
        hint.push_str(&format!(", or find rows by another column: `{query}`"));
    }
    let (shown, column) = (escape_invisible(key), &column.name);
    let message =
        format!("Primary key '{column}' of table '{table}' must be an integer; got '{shown}'");
    let failure = Failure::new(Reason::InvalidSelector(shown), message).hint(hint);
    with_rows(failure, subject, table, key)
}

/// The path of a query for `key` in the first text column that is not in the primary key. Without
/// such a column, the query uses the first column that is not in the primary key, or else the first
/// column of the table.
fn by_other_column(
    subject: &Subject,
    table: &str,
    columns: &[Column],
    key: &str,
) -> Option<String> {
    let mut others = columns.iter().filter(|column| column.key == 0);
    let first = others.clone().next().or(columns.first())?;
    let column = others.find(|column| column.is_text()).unwrap_or(first);
    let condition = format!("{}={}", quoted(&column.name), literal(key));
    Some(escape_invisible(
        &subject.query_path(Some(table), &format!("?where={condition}")),
    ))
}

/// The failure for a key in a table or view whose rows have no single key. `columns` are the
/// columns that a condition can use instead.
pub fn no_key(subject: &Subject, table: &Table, columns: &[&str]) -> Failure {
    let name = escape_invisible(&table.name);
    let conditions: Vec<String> = columns
        .iter()
        .map(|column| format!("{}='…'", quoted(column)))
        .collect();
    let query = format!("?where={}", conditions.join(" and "));
    let ready = subject.query_path(Some(&table.name), &query);
    let message = match table.kind {
        Kind::View => format!("'{name}' is a view, and the rows of a view have no key"),
        _ if columns.len() < 2 => {
            format!("table '{name}' has columns named like the rowid, so its rows have no key")
        }
        _ => format!(
            "table '{name}' has a primary key of several columns ({}) and no rowid",
            columns.join(", ")
        ),
    };
    Failure::new(Reason::InvalidSelector(name), message).hint(format!("use `{ready}`"))
}

/// The failure for a key that is not an integer, in a table whose rows are found by rowid.
/// `columns` are all its columns.
pub fn no_rowid(subject: &Subject, table: &str, key: &str, columns: &[Column]) -> Failure {
    let why = match columns.iter().filter(|column| column.key > 0).count() {
        0 => "no primary key",
        _ => "a primary key of several columns",
    };
    let message = format!(
        "table '{table}' has {why}, so the key is a rowid, which is an integer; got '{key}'"
    );
    let failure = Failure::new(Reason::InvalidSelector(key.to_owned()), message);
    match by_other_column(subject, table, columns, key) {
        Some(query) => failure.hint(format!("find rows by a column: `{query}`")),
        None => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_after_a_table_are_rows() {
        for (key, query) in [
            ("1-3", Some("?limit=3")),
            ("4-6", Some("?limit=3&offset=3")),
            ("L4-6", Some("?limit=3&offset=3")),
            ("raw", Some("?limit=20")),
            ("5-", Some("?limit=20&offset=4")),
            ("-5", Some("?limit=20")),
            ("5", None),
            ("ann", None),
            ("x-1", None),
        ] {
            assert_eq!(rows_of_lines(key).as_deref(), query, "{key}");
        }
    }

    #[test]
    fn command_of_the_program_has_the_list_of_tables_as_hint() {
        let subject = Subject::stdin(false);
        for (rest, is_hinted) in [
            ("?q=.tables", true),
            ("?q= .schema t", true),
            ("?q=tables", false),
        ] {
            let error = DatabaseError::Invalid("near \".\": syntax error".to_owned());
            let failure = of(
                error,
                &subject,
                Some(&Suffix::of(rest)),
                Some(UserSql::Statement),
            );
            let hint = failure.hint.map(String::from).unwrap_or_default();
            assert_eq!(
                hint.ends_with("list the tables with `-:`"),
                is_hinted,
                "{hint}"
            );
        }
    }

    #[test]
    fn stopped_query_states_the_limit() {
        let subject = Subject::stdin(false);
        let rest = Suffix::of("?q=SELECT 1");
        for (sql, message) in [
            (
                Some(UserSql::Statement),
                "the query was stopped: it needs more than 720000000 SQLite instructions",
            ),
            (
                None,
                "the read of `-:?q=SELECT 1` was stopped: it needs more than 720000000 SQLite instructions",
            ),
        ] {
            let error = DatabaseError::Work(720_000_000);
            let failure = of(error, &subject, Some(&rest), sql);
            assert_eq!(&*failure.message, message);
            assert_eq!(failure.reason, Reason::limit("query-work", 720_000_000));
            let hint = |is_call| String::from(failure.clone().for_caller(is_call).hint.unwrap());
            assert!(hint(false).contains("`--timeout`"));
            assert!(!hint(true).contains("--"));
        }
    }
}
