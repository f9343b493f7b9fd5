//! The import `sqlite`: an instance of the SQLite engine for each connection. It reads only the
//! inputs that are passed to it.

use super::inputs::Bytes;
use crate::bindings::omniread::read::sqlite::{
    Bounds, Database, Error, Host, HostConnection, Outcome, Value,
};
use crate::engines::Running;
use crate::engines::table::SQLITE;
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
        let (running, resource, notes) = match self.connect(taken) {
            Ok(Ok(connected)) => connected,
            Ok(Err(error)) => return Ok(Err(error)),
            Err(ended) => return Ok(Err(self.ended(&ended)?.into())),
        };
        self.opened += 1;
        let number = self.opened;
        self.open = Some(Open {
            number,
            resource,
            running,
        });
        let engine = number;
        Ok(Ok(self.system.table.push(Connection { engine, notes })?))
    }

    fn notes(&mut self, connection: Resource<Connection>) -> Result<Vec<String>> {
        Ok(self.system.table.get(&connection)?.notes.clone())
    }

    fn execute(
        &mut self,
        connection: Resource<Connection>,
        statement: String,
        parameters: Vec<Value>,
        bounds: Bounds,
    ) -> Result<Result<Outcome, Error>> {
        let engine = self.system.table.get(&connection)?.engine;
        if let Err(why) = self.check_stack() {
            return Ok(Err(self.ended(&why)?.into()));
        }
        let Some(mut open) = self.open.take_if(|open| open.number == engine) else {
            return Ok(Err(Error::Failed("the engine was ended".to_owned())));
        };
        let parameters = (open.resource, statement, parameters, bounds);
        let stop = self.stop();
        let called = open.running.run(SQLITE.time, stop, |calls| {
            calls.call("[method]connection.execute", parameters)
        });
        match called {
            Ok(outcome) => {
                self.open = Some(open);
                Ok(outcome)
            }
            Err(ended) => Ok(Err(self.ended(&ended)?.into())),
        }
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
            let notes = calls.call("[method]connection.notes", (connection,))?;
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
