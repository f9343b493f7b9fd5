//! SQLite beside the reader: an instance for each connection. It reaches the
//! files that are handed to it and nothing else.

use super::Ended;
use crate::bindings::omniread::read::sqlite::{self as wit, Error};
use crate::bindings::sqlite_engine::SqliteEngine;
use crate::bindings::sqlite_engine::exports::omniread::read::sqlite as engine;
use crate::engine::{Placed, State};
use crate::sandbox::{Descriptor, Stop};
use std::time::Duration;
use wasmtime::Result;
use wasmtime::component::{Resource, ResourceAny};

/// Memory of an engine, if the read has as much: the 256 MiB that SQLite allows
/// itself, and room for an answer and for a database that is handed over as
/// bytes.
pub(super) const MEMORY: usize = 320 << 20;

/// Processor time of one call of an engine. It bounds the work of queries
/// itself; this ends what it does not count.
const TIME: Duration = Duration::from_secs(2);

/// An open database, as the reader holds it.
pub struct Connection {
    /// None once the engine was ended.
    running: Option<Running>,
    notes: Vec<String>,
}

/// An engine that has opened a database.
struct Running {
    store: Placed,
    sqlite: SqliteEngine,
    connection: ResourceAny,
}

/// What an engine's call gave: its own error, or what ended it.
type Called<T> = Result<Result<T, engine::Error>>;

impl wit::Host for State {}

impl wit::HostConnection for State {
    fn open(&mut self, source: wit::Source) -> Result<Result<Resource<Connection>, Error>> {
        let source = match self.take(source)? {
            Ok(source) => source,
            Err(error) => return Ok(Err(error)),
        };
        if let Err(why) = self.ready() {
            return Ok(Err(Error::Failed(why.to_owned())));
        }
        let (running, notes) = match self.start(source) {
            Ok(Ok(started)) => started,
            Ok(Err(failure)) => return Ok(Err(error(failure))),
            Err(ended) => return Ok(Err(self.ended(&ended)?.into())),
        };
        let running = Some(running);
        self.runs_engine = true;
        Ok(Ok(self.table.push(Connection { running, notes })?))
    }

    fn notes(&mut self, connection: Resource<Connection>) -> Result<Vec<String>> {
        Ok(self.table.get(&connection)?.notes.clone())
    }

    fn execute(
        &mut self,
        connection: Resource<Connection>,
        statement: String,
        parameters: Vec<wit::Value>,
        bounds: wit::Bounds,
    ) -> Result<Result<wit::Outcome, Error>> {
        if let Err(why) = self.shallow() {
            return Ok(Err(Error::Failed(why.to_owned())));
        }
        let stop = self.filesystem.stop.clone();
        let Some(running) = &mut self.table.get_mut(&connection)?.running else {
            return Ok(Err(Error::Failed("the engine was ended".to_owned())));
        };
        let parameters: Vec<_> = parameters.into_iter().map(parameter).collect();
        match running.execute(&stop, &statement, &parameters, bounds) {
            Ok(outcome) => Ok(outcome.map(self::outcome).map_err(error)),
            Err(ended) => {
                self.table.get_mut(&connection)?.running = None;
                self.runs_engine = false;
                Ok(Err(self.ended(&ended)?.into()))
            }
        }
    }

    fn drop(&mut self, connection: Resource<Connection>) -> Result<()> {
        if self.table.delete(connection)?.running.is_some() {
            self.runs_engine = false;
        }
        Ok(())
    }
}

/// What is handed to an engine.
struct Source {
    main: Part,
    wal: Option<Part>,
    journal: Option<Part>,
}

enum Part {
    File(Descriptor),
    Bytes(Vec<u8>),
}

impl Part {
    fn hand_over(self, store: &mut Placed) -> Result<engine::Part> {
        Ok(match self {
            Self::File(file) => engine::Part::File(store.data_mut().table.push(file)?),
            Self::Bytes(bytes) => engine::Part::Bytes(bytes),
        })
    }
}

impl State {
    /// Takes from the reader what it hands over. A directory would lead to
    /// what deny rules keep from the reader.
    fn take(&mut self, source: wit::Source) -> Result<Result<Source, Error>> {
        let mut part = |part| -> Result<Part> {
            Ok(match part {
                wit::Part::File(handle) => Part::File(self.table.delete(handle)?),
                wit::Part::Bytes(bytes) => Part::Bytes(bytes),
            })
        };
        let source = Source {
            main: part(source.main)?,
            wal: source.wal.map(&mut part).transpose()?,
            journal: source.journal.map(&mut part).transpose()?,
        };
        let parts = [
            Some(&source.main),
            source.wal.as_ref(),
            source.journal.as_ref(),
        ];
        let folder = |part: &Part| matches!(part, Part::File(Descriptor::Directory(_)));
        if parts.into_iter().flatten().any(folder) {
            return Ok(Err(Error::Io("it is a directory".to_owned())));
        }
        Ok(Ok(source))
    }

    /// Opens a database in a fresh instance.
    fn start(&self, source: Source) -> Called<(Running, Vec<String>)> {
        let engine = self.engine.sqlite()?;
        let mut store = self.engine_store(MEMORY)?;
        let beside = |part: Option<Part>, store: &mut Placed| {
            part.map(|part| part.hand_over(store)).transpose()
        };
        let source = engine::Source {
            main: source.main.hand_over(&mut store)?,
            wal: beside(source.wal, &mut store)?,
            journal: beside(source.journal, &mut store)?,
        };
        let opened = super::call(&mut store, TIME, &self.filesystem.stop, |store| {
            let sqlite = engine.instantiate(&mut **store)?;
            let interface = sqlite.omniread_read_sqlite().connection();
            let connection = match interface.call_open(&mut **store, &source)? {
                Ok(connection) => connection,
                Err(error) => return Ok(Err(error)),
            };
            let notes = interface.call_notes(&mut **store, connection)?;
            Ok(Ok((sqlite, connection, notes)))
        })?;
        Ok(opened.map(|(sqlite, connection, notes)| {
            let running = Running {
                store,
                sqlite,
                connection,
            };
            (running, notes)
        }))
    }
}

impl Running {
    fn execute(
        &mut self,
        stop: &Stop,
        statement: &str,
        parameters: &[engine::Value],
        bounds: wit::Bounds,
    ) -> Called<engine::Outcome> {
        let bounds = engine::Bounds {
            rows: bounds.rows,
            bytes: bounds.bytes,
            work: bounds.work,
        };
        let interface = self.sqlite.omniread_read_sqlite().connection();
        super::call(&mut self.store, TIME, stop, |store| {
            interface.call_execute(&mut **store, self.connection, statement, parameters, bounds)
        })
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

fn parameter(value: wit::Value) -> engine::Value {
    match value {
        wit::Value::Integer(value) => engine::Value::Integer(value),
        wit::Value::Real(value) => engine::Value::Real(value),
        wit::Value::Text(text) => engine::Value::Text(text),
        wit::Value::Blob(blob) => engine::Value::Blob(blob),
        wit::Value::Null => engine::Value::Null,
    }
}

fn value(value: engine::Value) -> wit::Value {
    match value {
        engine::Value::Integer(value) => wit::Value::Integer(value),
        engine::Value::Real(value) => wit::Value::Real(value),
        engine::Value::Text(text) => wit::Value::Text(text),
        engine::Value::Blob(blob) => wit::Value::Blob(blob),
        engine::Value::Null => wit::Value::Null,
    }
}

fn outcome(outcome: engine::Outcome) -> wit::Outcome {
    let row = |row: engine::RowResult| wit::RowResult {
        values: row.values.into_iter().map(value).collect(),
    };
    let cut = |cut: engine::Cut| wit::Cut {
        row: cut.row,
        column: cut.column,
        length: cut.length,
    };
    wit::Outcome {
        result: wit::QueryResult {
            columns: outcome.result.columns,
            rows: outcome.result.rows.into_iter().map(row).collect(),
        },
        more: outcome.more,
        cuts: outcome.cuts.into_iter().map(cut).collect(),
        damage: outcome.damage,
    }
}

fn error(error: engine::Error) -> Error {
    match error {
        engine::Error::Foreign(words) => Error::Foreign(words),
        engine::Error::Damaged(words) => Error::Damaged(words),
        engine::Error::Changed(what) => Error::Changed(what),
        engine::Error::Refused(what) => Error::Refused(what),
        engine::Error::Invalid(words) => Error::Invalid(words),
        engine::Error::Exhausted(what) => Error::Exhausted(what),
        engine::Error::Io(why) => Error::Io(why),
        engine::Error::Failed(why) => Error::Failed(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Grant};
    use crate::pool::Purpose;
    use crate::sandbox::{CancelToken, Stopped, processor_time};
    use std::sync::Arc;
    use std::time::Instant;
    use wit::HostConnection as _;

    /// Rows without an end.
    const ENDLESS: &str =
        "with recursive c(x) as (select 1 union all select x + 1 from c) select sum(x) from c";

    fn read(stop: Stop, memory: usize) -> Placed {
        let grant = Grant {
            policy: Arc::default(),
            stop,
            memory,
            environment: Arc::default(),
            stdin: false,
            kept: Arc::default(),
            purpose: Purpose::Read,
        };
        Engine::shared(true).unwrap().store(grant).unwrap()
    }

    /// A database without tables: a file without bytes.
    fn open(read: &mut Placed) -> Result<Result<Resource<Connection>, Error>> {
        let main = wit::Part::Bytes(Vec::new());
        read.data_mut().open(wit::Source {
            main,
            wal: None,
            journal: None,
        })
    }

    fn execute(
        read: &mut Placed,
        connection: &Resource<Connection>,
        statement: &str,
    ) -> Result<Result<wit::Outcome, Error>> {
        let _ticking = read.data().engine.tick();
        let connection = Resource::new_own(connection.rep());
        let bounds = wit::Bounds {
            rows: 10,
            bytes: 100,
            work: u64::MAX,
        };
        let wanted = statement.matches("?1").count();
        let parameters = vec![wit::Value::Text("é".to_owned()); wanted];
        let state = read.data_mut();
        state.execute(connection, statement.to_owned(), parameters, bounds)
    }

    fn is_two(outcome: Result<Result<wit::Outcome, Error>>) -> bool {
        let outcome = outcome.unwrap().unwrap();
        let values = &outcome.result.rows[0].values;
        matches!(values[..], [wit::Value::Integer(2), wit::Value::Text(_)])
    }

    #[test]
    fn an_engine_answers_and_gives_its_place_back() {
        let mut read = read(Stop::default(), 512 << 20);
        for _ in 0..40 {
            let connection = open(&mut read).unwrap().unwrap();
            let outcome = execute(&mut read, &connection, "select 1 + 1, ?1");
            assert!(is_two(outcome));
            // A read has one at a time.
            assert!(matches!(open(&mut read), Ok(Err(Error::Failed(_)))));
            read.data_mut().drop(connection).unwrap();
        }
    }

    #[test]
    fn what_ends_an_engine_does_not_end_the_read() {
        let mut read = read(Stop::default(), 64 << 20);
        let connection = open(&mut read).unwrap().unwrap();
        let time = execute(&mut read, &connection, ENDLESS).unwrap();
        assert!(
            matches!(&time, Err(Error::Exhausted(what)) if what == "time"),
            "{time:?}"
        );
        let after = execute(&mut read, &connection, "select 1").unwrap();
        assert!(matches!(after, Err(Error::Failed(_))), "{after:?}");
        // One that was ended is in nobody's way.
        let connection = open(&mut read).unwrap().unwrap();
        let large = "select length(group_concat(hex(zeroblob(1000000)))) from \
                     (with recursive c(x) as (select 1 union all select x + 1 from c limit 200) \
                     select x from c)";
        let memory = execute(&mut read, &connection, large).unwrap();
        assert!(
            matches!(&memory, Err(Error::Exhausted(what)) if what == "memory"),
            "{memory:?}"
        );
        let connection = open(&mut read).unwrap().unwrap();
        assert!(is_two(execute(&mut read, &connection, "select 1 + 1, ?1")));
    }

    #[test]
    fn what_ends_the_read_ends_the_engine() {
        let token = CancelToken::new();
        let mut cancelled = read(
            Stop {
                token: Some(token.clone()),
                ..Stop::default()
            },
            512 << 20,
        );
        let connection = open(&mut cancelled).unwrap().unwrap();
        let cancelling = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            token.cancel();
        });
        let error = execute(&mut cancelled, &connection, ENDLESS).unwrap_err();
        assert_eq!(error.downcast_ref(), Some(&Stopped::Cancelled));
        cancelling.join().unwrap();

        let mut late = read(Stop::default(), 512 << 20);
        let connection = open(&mut late).unwrap().unwrap();
        let deadline = Instant::now().checked_add(Duration::from_millis(300));
        late.data_mut().filesystem.stop.deadline = deadline;
        let began = processor_time();
        let error = execute(&mut late, &connection, ENDLESS).unwrap_err();
        assert_eq!(error.downcast_ref(), Some(&Stopped::Deadline));
        // It was not ended by its own limit.
        assert!(processor_time().saturating_sub(began) < TIME);
    }

    #[test]
    fn directories_are_not_handed_over() {
        let mut read = read(Stop::default(), 512 << 20);
        let folder = std::fs::File::open(".").unwrap();
        let folder = Descriptor::Directory(Arc::new(folder));
        let folder = read.data_mut().table.push(folder).unwrap();
        let opened = read.data_mut().open(wit::Source {
            main: wit::Part::Bytes(Vec::new()),
            wal: Some(wit::Part::File(folder)),
            journal: None,
        });
        assert!(matches!(opened, Ok(Err(Error::Io(_)))));
        assert!(read.data().table.is_empty());
    }
}
