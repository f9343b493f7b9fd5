//! A database that is looked at, what a form makes of it, and what stands in its
//! way.

use crate::answer::Form;
use crate::failure::Failure;
use crate::limits;
use crate::path::query::{self, Parameters};
use crate::subject::Subject;
use crate::window::Total;
use crate::world::{Bounds, Connection, DatabaseError, Rows, Value};

/// What stands in the way of a form.
pub enum Stop {
    /// The database or its engine.
    Database(DatabaseError),
    /// What was asked for.
    Failure(Failure),
}

impl Stop {
    /// The error, if it stands in the way of a part only: what else there is can
    /// be shown.
    pub fn of_part(self) -> Result<DatabaseError, Self> {
        match self {
            Self::Database(
                error @ (DatabaseError::Damaged(_)
                | DatabaseError::Invalid(_)
                | DatabaseError::Refused(_)
                | DatabaseError::Exhausted(_)
                | DatabaseError::Failed(_)),
            ) => Ok(error),
            stop => Err(stop),
        }
    }
}

impl From<DatabaseError> for Stop {
    fn from(error: DatabaseError) -> Self {
        Self::Database(error)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// Bounds of what a database says of itself.
pub const FEW: Bounds = Bounds {
    rows: 100_000,
    bytes: 64 * 1024,
    work: limits::QUERY_WORK,
};

/// An open database that is looked at.
pub struct Look<'c> {
    /// It, as the engine has opened it.
    pub connection: &'c mut dyn Connection,
    /// What is looked at.
    pub subject: &'c Subject,
    /// Its bytes.
    pub size: u64,
    /// Rows that are shown where a path does not say how many.
    pub rows: u64,
    /// Bytes that may be shown.
    pub room: usize,
    /// The engine was ended while rows were counted: only what can be stopped is
    /// done.
    pub careful: bool,
    /// Damage that was met first.
    pub damage: Option<String>,
    /// The path gives SQL, which is run.
    pub given: bool,
}

impl Look<'_> {
    /// Rows that are shown at once.
    pub fn rows(&self, parameters: &Parameters) -> u64 {
        parameters.limit.unwrap_or(self.rows)
    }

    /// Runs a statement, and remembers damage.
    ///
    /// # Errors
    /// What stands in the way.
    pub fn execute(
        &mut self,
        statement: &str,
        parameters: &[Value],
        bounds: Bounds,
    ) -> Result<Rows, Stop> {
        let rows = self.connection.execute(statement, parameters, bounds)?;
        if self.damage.is_none() {
            self.damage.clone_from(&rows.damage);
        }
        Ok(rows)
    }

    /// How a statement is asked for: what is appended to the path of the
    /// database, and the whole path.
    pub fn asking(&self, statement: &str) -> (String, String) {
        let query = format!("?q={}", query::encoded(statement));
        let path = self.subject.asking(None, &query);
        (query, path)
    }

    /// Whether counting rows may have ended the engine, so that it is worth to
    /// begin anew and do less.
    pub fn begins_anew(&self, error: &DatabaseError) -> bool {
        let failed = matches!(error, DatabaseError::Failed(_));
        let ended = matches!(error, DatabaseError::Exhausted(what) if what != "work");
        !self.careful && (failed || ended)
    }

    /// Whether all of it can be read in no time.
    pub fn is_small(&self) -> bool {
        self.size <= limits::SMALL_DATABASE_BYTES
    }
}

/// What a form shows.
pub struct Shown {
    /// The form.
    pub form: Form,
    /// The table, and the key of a row.
    pub path: Vec<String>,
    /// Its lines.
    pub text: String,
    /// The columns that are shown.
    pub columns: Vec<String>,
    /// Rows that are shown, or tables.
    pub rows: u64,
    /// Rows that there are, or tables.
    pub total: Total,
    /// The path that shows what follows.
    pub next: Option<String>,
    /// What is to be said of it.
    pub notes: Vec<String>,
}

impl Shown {
    /// One that shows nothing yet.
    pub fn new(form: Form, path: Vec<String>, columns: Vec<String>) -> Self {
        Self {
            form,
            path,
            text: String::new(),
            columns,
            rows: 0,
            total: Total::Exact(0),
            next: None,
            notes: Vec::new(),
        }
    }
}
