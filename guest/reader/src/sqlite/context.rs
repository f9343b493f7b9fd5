//! The context of a read: the open database, and the results and errors of request handlers.

use super::table::Room;
use crate::answer::DatabasePart;
use crate::failure::Failure;
use crate::limits;
use crate::path::query::{self, Parameters};
use crate::subject::Subject;
use crate::window::{Limit, Total};
use crate::world::fetch::REQUESTS;
use crate::world::{Bounds, Connection, DatabaseError, Need, Rows, Value, Work};
use omniread_tokens::estimate;

/// The error of a request handler, a function that answers one kind of request to a database.
pub enum HandlerError {
    /// An error of the database or its engine.
    Database(DatabaseError),
    /// An error in the request.
    Failure(Failure),
}

impl HandlerError {
    /// Returns the database error if it affects only a part of the result, so that the rest can be
    /// shown.
    ///
    /// # Errors
    /// Returns all other errors unchanged.
    pub fn of_part(self) -> Result<DatabaseError, Self> {
        match self {
            Self::Database(
                error @ (DatabaseError::Damaged(_)
                | DatabaseError::Invalid(_)
                | DatabaseError::Refused(_)
                | DatabaseError::Work(_)
                | DatabaseError::Exhausted(_)
                | DatabaseError::Failed(_)),
            ) => Ok(error),
            stop => Err(stop),
        }
    }
}

impl From<DatabaseError> for HandlerError {
    fn from(error: DatabaseError) -> Self {
        Self::Database(error)
    }
}

impl From<Failure> for HandlerError {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// SQL in a path. An error of a statement that contains it may be in this SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserSql {
    /// The condition in `?where=`.
    Condition,
    /// The statement in `?q=`.
    Statement,
}

/// The bounds for statements that read the schema and other metadata.
pub const FEW: Bounds = Bounds {
    rows: 100_000,
    bytes: 64 * 1024,
    work: Work::Query,
    need: Need::Required,
};

/// An open database, and the settings and findings of one read of it.
pub struct Context<'c> {
    /// The connection to the engine.
    pub connection: &'c mut dyn Connection,
    /// The origin, the metadata and the path of the database.
    pub subject: &'c Subject,
    /// The size of the database in bytes.
    pub size: u64,
    /// The maximum number of rows on a page, unless the path has a `limit`.
    pub rows: u64,
    /// The maximum size in bytes of the text of a result.
    pub room: usize,
    /// The maximum number of tokens of the text. `None` for no limit.
    pub tokens: Option<u64>,
    /// The maximum width of a table in characters. `None` for tables as wide as their values.
    pub table_width: Option<usize>,
    /// Whether the rows are those of a table that is not in a database, such as a CSV file.
    pub is_table: bool,
    /// Whether this is the second attempt to read. The first one ended because the engine failed or
    /// was stopped, probably while it counted rows. Only statements that can be stopped are run in
    /// the second one.
    pub careful: bool,
    /// The message on the first damage that a statement met.
    pub damage: Option<String>,
    /// The SQL from the path that was run. `None` if the path has none or it was not run yet.
    pub user_sql: Option<UserSql>,
}

impl Context<'_> {
    /// The maximum number of rows on a page: the parameter `limit`, or the default.
    pub fn rows(&self, parameters: &Parameters) -> u64 {
        parameters.limit.unwrap_or(self.rows)
    }

    /// The room for rows after a text.
    pub fn room_after(&self, text: &str) -> Room {
        Room {
            bytes: self.room.saturating_sub(text.len()),
            tokens: self
                .tokens
                .map(|tokens| tokens.saturating_sub(estimate(text))),
        }
    }

    /// Whether a row of so many bytes may take more than one reply. Few tokens have less than a byte.
    pub fn may_take_parts(&self, bytes: u64) -> bool {
        self.tokens.is_some_and(|tokens| bytes > tokens)
    }

    /// Runs a statement. Stores the message on the first damage in `damage`.
    ///
    /// # Errors
    /// Fails if the engine cannot run the statement.
    pub fn execute(
        &mut self,
        statement: &str,
        parameters: &[Value],
        bounds: Bounds,
    ) -> Result<Rows, HandlerError> {
        let rows = self.connection.execute(statement, parameters, bounds)?;
        if self.damage.is_none() {
            self.damage.clone_from(&rows.damage);
        }
        Ok(rows)
    }

    /// The path that requests the result of a statement. Returns the words for a note on it, such as
    /// `append ?q=SELECT 1 to the database path`, and the path.
    pub fn request_for(&self, statement: &str) -> (String, String) {
        let query = format!("?q={}", query::encoded(statement));
        let path = self.subject.query_path(None, &query);
        let words = if self.is_table {
            format!("use {path}")
        } else {
            format!("append {query} to the database path")
        };
        (words, path)
    }

    /// Whether a second attempt with `careful` is worthwhile after this error. It is if the engine
    /// failed or was stopped, which probably happened while it counted rows.
    pub fn begins_anew(&self, error: &DatabaseError) -> bool {
        let failed = matches!(error, DatabaseError::Failed(_));
        let ended = matches!(error, DatabaseError::Exhausted(what) if what != REQUESTS);
        !self.careful && (failed || ended)
    }

    /// Whether the database is so small that a scan of all of it takes little time.
    pub fn is_small(&self) -> bool {
        self.size <= limits::SMALL_DATABASE_BYTES
    }
}

/// The result of a request handler, a function that answers one kind of request to a database.
pub struct Shown {
    /// The kind of result.
    pub form: DatabasePart,
    /// The name of the table and the key of the row, as far as the request names them.
    pub path: Vec<String>,
    /// The text.
    pub text: String,
    /// The names of the columns that are shown.
    pub columns: Vec<String>,
    /// The number of rows or tables that are shown.
    pub rows: u64,
    /// The number of rows or tables in total.
    pub total: Total,
    /// The path that reads the next rows, or the rest of a cut value.
    pub next: Option<String>,
    /// The limit that ended the text before the last of the rows, tables or values. `None` for the number of rows.
    pub limit: Option<Limit>,
    /// Notes on the result.
    pub notes: Vec<String>,
}

impl Shown {
    /// A result without text and rows.
    pub fn new(form: DatabasePart, path: Vec<String>, columns: Vec<String>) -> Self {
        Self {
            form,
            path,
            text: String::new(),
            columns,
            rows: 0,
            total: Total::Exact(0),
            next: None,
            limit: None,
            notes: Vec::new(),
        }
    }
}
