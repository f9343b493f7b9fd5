//! The import `sqlite`: an instance of the SQLite engine for each connection. It reads only the
//! inputs that are passed to it.

use super::inputs::Bytes;
use crate::bindings::omniread::parts::sqlite::{
    Bounds, Database, Described, Error, Host, HostConnection, NumberedRow, Ordered, Ordering,
    Outcome, Value,
};
use crate::engines::table::SQLITE;
use crate::engines::{Calls, Running};
use crate::handles::Connection;
use crate::state::{Ended, Open, State};
use wasmtime::Result;
use wasmtime::component::{Resource, ResourceAny};

impl Host for State {}

impl HostConnection for State {
    fn open(&mut self, database: Database) -> Result<Result<Resource<Connection>, Error>> {
        let taken = match self.take(database)? {
            Ok(taken) => taken,
            Err(error) => return Ok(Err(error)),
        };
        let connected = self.connect(taken);
        self.keep(connected)
    }

    fn create(&mut self) -> Result<Result<Resource<Connection>, Error>> {
        let created = self.create_in_memory();
        self.keep(created)
    }

    fn define(
        &mut self,
        connection: Resource<Connection>,
        table: String,
        columns: Vec<String>,
    ) -> Result<Result<(), Error>> {
        self.call(&connection, |resource, calls| {
            calls.method("[method]connection.define", (resource, table, columns))
        })
    }

    fn insert(
        &mut self,
        connection: Resource<Connection>,
        table: String,
        rows: Vec<NumberedRow>,
    ) -> Result<Result<(), Error>> {
        self.call(&connection, |resource, calls| {
            calls.method("[method]connection.insert", (resource, table, rows))
        })
    }

    fn clear(
        &mut self,
        connection: Resource<Connection>,
        table: String,
    ) -> Result<Result<(), Error>> {
        self.call(&connection, |resource, calls| {
            calls.method("[method]connection.clear", (resource, table))
        })
    }

    fn notes(&mut self, connection: Resource<Connection>) -> Result<Vec<String>> {
        Ok(self.system.table.get(&connection)?.notes.clone())
    }

    fn describe(
        &mut self,
        connection: Resource<Connection>,
        names: Vec<String>,
        bounds: Bounds,
    ) -> Result<Result<Option<Described>, Error>> {
        self.call(&connection, |resource, calls| {
            calls.call("[method]connection.describe", (resource, names, bounds))
        })
    }

    fn count(
        &mut self,
        connection: Resource<Connection>,
        table: String,
        most: u64,
    ) -> Result<Result<Option<u64>, Error>> {
        self.call(&connection, |resource, calls| {
            calls.method("[method]connection.count", (resource, table, most))
        })
    }

    fn first(
        &mut self,
        connection: Resource<Connection>,
        ordering: Ordering,
    ) -> Result<Result<Option<Ordered>, Error>> {
        self.call(&connection, |resource, calls| {
            calls.method("[method]connection.first", (resource, ordering))
        })
    }

    fn execute(
        &mut self,
        connection: Resource<Connection>,
        statement: String,
        parameters: Vec<Value>,
        bounds: Bounds,
    ) -> Result<Result<Outcome, Error>> {
        self.call(&connection, |resource, calls| {
            let parameters = (resource, statement, parameters, bounds);
            calls.method("[method]connection.execute", parameters)
        })
    }

    fn drop(&mut self, connection: Resource<Connection>) -> Result<()> {
        let engine = self.system.table.delete(connection)?.engine;
        self.open.take_if(|open| open.number == engine);
        Ok(())
    }
}

/// A database and its log and journal, after they were removed from the handles of the reader and
/// before they are passed to an engine.
struct Taken {
    main: Bytes,
    wal: Option<Bytes>,
    journal: Option<Bytes>,
}

/// An engine with an open database, the connection to the database, and notes on how the database
/// was opened.
type Connected = (Running, ResourceAny, Vec<String>);

impl State {
    /// Removes the files of a database from the handles of the reader. Directories are refused: an
    /// engine could open files in them that deny rules forbid.
    fn take(&mut self, database: Database) -> Result<Result<Taken, Error>> {
        let table = &mut self.system.table;
        let mut take = |input| Bytes::take(input, table);
        let taken = Taken {
            main: take(database.main)?,
            wal: database.wal.map(&mut take).transpose()?,
            journal: database.journal.map(&mut take).transpose()?,
        };
        let all = [
            Some(&taken.main),
            taken.wal.as_ref(),
            taken.journal.as_ref(),
        ];
        if all.into_iter().flatten().any(Bytes::is_directory) {
            return Ok(Err(Error::Io("it is a directory".to_owned())));
        }
        Ok(Ok(taken))
    }

    /// Calls a function of a connection in its engine. The engine ends if the call does not return.
    fn call<T>(
        &mut self,
        connection: &Resource<Connection>,
        run: impl FnOnce(ResourceAny, &mut Calls<'_>) -> Result<Result<T, Error>>,
    ) -> Result<Result<T, Error>> {
        let engine = self.system.table.get(connection)?.engine;
        if let Err(why) = self.check_stack() {
            return Ok(Err(self.ended(&why)?.into()));
        }
        let Some(mut open) = self.open.take_if(|open| open.number == engine) else {
            return Ok(Err(Error::Failed("the engine was ended".to_owned())));
        };
        let (resource, stop) = (open.resource, self.stop());
        let called = open
            .running
            .run(SQLITE.time, stop, |calls| run(resource, calls));
        match called {
            Ok(outcome) => {
                self.open = Some(open);
                Ok(outcome)
            }
            Err(ended) => Ok(Err(self.ended(&ended)?.into())),
        }
    }

    /// Keeps an engine with an open database, and adds a handle of the connection for the reader.
    fn keep(
        &mut self,
        connected: Result<Result<Connected, Error>>,
    ) -> Result<Result<Resource<Connection>, Error>> {
        let (running, resource, notes) = match connected {
            Ok(Ok(connected)) => connected,
            Ok(Err(error)) => return Ok(Err(error)),
            Err(ended) => return Ok(Err(self.ended(&ended)?.into())),
        };
        self.opened += 1;
        let engine = self.opened;
        self.open = Some(Open {
            number: engine,
            resource,
            running,
        });
        Ok(Ok(self.system.table.push(Connection { engine, notes })?))
    }

    /// Creates a database in memory in a fresh instance of the SQLite engine.
    fn create_in_memory(&self) -> Result<Result<Connected, Error>> {
        let mut running = self.start(&SQLITE)?;
        let created: Result<ResourceAny, Error> =
            running.run(SQLITE.time, self.stop(), |calls| {
                calls.call("[static]connection.create", ())
            })?;
        Ok(created.map(|connection| (running, connection, Vec::new())))
    }

    /// Opens a database in a fresh instance of the SQLite engine.
    fn connect(&self, taken: Taken) -> Result<Result<Connected, Error>> {
        let mut running = self.start(&SQLITE)?;
        let mut beside = |bytes: Option<Bytes>| {
            let handed = bytes.map(|bytes| bytes.hand_over(&mut running));
            handed.transpose()
        };
        let (wal, journal) = (beside(taken.wal)?, beside(taken.journal)?);
        let database = Database {
            main: taken.main.hand_over(&mut running)?,
            wal,
            journal,
        };
        let opened = running.run(SQLITE.time, self.stop(), |calls| {
            let opened = calls.call("[static]connection.open", (database,))?;
            let connection: ResourceAny = match opened {
                Ok(connection) => connection,
                Err(error) => return Ok(Err(error)),
            };
            let notes = calls.method("[method]connection.notes", (connection,))?;
            Ok(Ok((connection, notes)))
        })?;
        Ok(opened.map(|(connection, notes)| (running, connection, notes)))
    }
}

impl From<Ended> for Error {
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::Exhausted(what) => Self::Exhausted(what.to_owned()),
            Ended::Failed(why) => Self::Failed(why),
        }
    }
}

#[cfg(test)]
mod tests;
