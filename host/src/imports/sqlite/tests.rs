use super::*;
use crate::bindings::omniread::parts::images;
use crate::bindings::omniread::parts::inputs::{HostSparse, Input};
use crate::component::Component;
use crate::handles::{Descriptor, InputSource};
use crate::sandbox::{self, CancelToken, ReadTime, Source, Stop, Stopped};
use crate::state::ReadGrant;
use crate::system::{Grant, StandardInput};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// A query that never ends: it sums up infinitely many rows.
const ENDLESS: &str =
    "with recursive c(x) as (select 1 union all select x + 1 from c) select sum(x) from c";

/// The host side of a read, without the reader.
struct Read {
    state: State,
}

fn read(stop: Stop, memory: usize) -> Read {
    let grant = ReadGrant {
        system: Grant {
            policy: Arc::default(),
            stop,
            memory,
            environment: Arc::default(),
            stdin: StandardInput::Empty,
        },
        access: Arc::default(),
        #[cfg(feature = "net")]
        progress: None,
    };
    let component = Component::shared(true).unwrap();
    Read {
        state: component.state(grant, Arc::default()),
    }
}

/// The stop conditions of a read with this timeout.
fn stop_in(time: Duration) -> Stop {
    Stop {
        time: Arc::new(ReadTime::new(Some(time))),
        ..Stop::default()
    }
}

impl Read {
    fn open(&mut self, main: Input) -> Result<Result<Resource<Connection>, Error>> {
        self.state.open(Database {
            main,
            wal: None,
            journal: None,
        })
    }

    /// Opens an empty file as a database without tables.
    fn open_empty(&mut self) -> Result<Result<Resource<Connection>, Error>> {
        self.open(Input::Bytes(Vec::new()))
    }

    fn open_source(
        &mut self,
        bytes: Arc<dyn sandbox::Bytes>,
        size: u64,
    ) -> Result<Result<Resource<Connection>, Error>> {
        let source = self
            .state
            .system
            .table
            .push(InputSource::Host(Source::new(bytes, Some(size))))
            .unwrap();
        self.open(Input::Source(source))
    }

    fn execute(
        &mut self,
        connection: &Resource<Connection>,
        statement: &str,
    ) -> Result<Result<Outcome, Error>> {
        let connection = Resource::new_own(connection.rep());
        let bounds = Bounds {
            rows: 10,
            bytes: 100,
            work: u64::MAX,
        };
        let wanted = statement.matches("?1").count();
        let parameters = vec![Value::Text("é".to_owned()); wanted];
        let statement = statement.to_owned();
        self.state
            .execute(connection, statement, parameters, bounds)
    }
}

fn is_two(outcome: Result<Result<Outcome, Error>>) -> bool {
    let outcome = outcome.unwrap().unwrap();
    let values = &outcome.result.rows[0].values;
    matches!(values[..], [Value::Integer(2), Value::Text(_)])
}

#[test]
fn finished_engine_frees_its_place() {
    let mut read = read(Stop::default(), 512 << 20);
    for _ in 0..40 {
        let connection = read.open_empty().unwrap().unwrap();
        assert!(is_two(read.execute(&connection, "select 1 + 1, ?1")));
        // A read has one connection at a time.
        let second = read.open_empty().unwrap();
        let expected = "the engine `sqlite` is open";
        assert!(matches!(second, Err(Error::Failed(why)) if why == expected));
        let image = images::Host::probe(&mut read.state, Vec::new(), images::Format::Png);
        let refused = image.unwrap().unwrap_err();
        assert!(matches!(refused, images::Error::Failed(why) if why == expected));
        HostConnection::drop(&mut read.state, connection).unwrap();
    }
}

#[test]
fn stopped_engine_does_not_stop_the_read() {
    let mut read = read(stop_in(Duration::from_secs(1)), 64 << 20);
    let connection = read.open_empty().unwrap().unwrap();
    let time = read.execute(&connection, ENDLESS).unwrap();
    assert!(
        matches!(&time, Err(Error::Exhausted(what)) if what == "time"),
        "{time:?}"
    );
    // Some time is left for the reply.
    assert_eq!(read.state.stop().check(), Ok(()));
    read.state.system.filesystem.stop = Stop::default();
    let after = read.execute(&connection, "select 1").unwrap();
    assert!(matches!(after, Err(Error::Failed(_))), "{after:?}");
    // A connection whose engine was stopped does not prevent another one.
    let connection = read.open_empty().unwrap().unwrap();
    let large = "select length(group_concat(hex(zeroblob(1000000)))) from \
                 (with recursive c(x) as (select 1 union all select x + 1 from c limit 200) \
                 select x from c)";
    let memory = read.execute(&connection, large).unwrap();
    assert!(
        matches!(&memory, Err(Error::Exhausted(what)) if what == "memory"),
        "{memory:?}"
    );
    let connection = read.open_empty().unwrap().unwrap();
    assert!(is_two(read.execute(&connection, "select 1 + 1, ?1")));
}

#[test]
fn stopped_read_stops_the_engine() {
    let token = CancelToken::new();
    let stop = Stop {
        token: Some(token.clone()),
        ..Stop::default()
    };
    let mut cancelled = read(stop, 512 << 20);
    let connection = cancelled.open_empty().unwrap().unwrap();
    let cancelling = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        token.cancel();
    });
    let error = cancelled.execute(&connection, ENDLESS).unwrap_err();
    assert_eq!(error.downcast_ref(), Some(&Stopped::Cancelled));
    cancelling.join().unwrap();
}

#[test]
fn directory_is_refused_as_a_database() {
    let mut read = read(Stop::default(), 512 << 20);
    let directory = std::fs::File::open(".").unwrap();
    let directory = Descriptor::Directory(Arc::new(directory));
    let directory = read.state.system.table.push(directory).unwrap();
    let opened = read.state.open(Database {
        main: Input::Bytes(Vec::new()),
        wal: Some(Input::File(directory)),
        journal: None,
    });
    assert!(matches!(opened, Ok(Err(Error::Io(_)))));
    assert!(read.state.system.table.is_empty());
}

/// Bytes that the host provides, and the number of bytes that were read from them.
struct Counted {
    bytes: Vec<u8>,
    read: AtomicUsize,
}

impl sandbox::Bytes for Counted {
    fn read(&self, offset: u64, length: usize) -> std::result::Result<Vec<u8>, String> {
        let start = usize::try_from(offset).unwrap().min(self.bytes.len());
        let end = start.saturating_add(length).min(self.bytes.len());
        self.read.fetch_add(end - start, Ordering::Relaxed);
        Ok(self.bytes[start..end].to_vec())
    }
}

/// The database in the examples. The directory at the time of the compilation may be that of another clone.
fn example() -> Vec<u8> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap();
    std::fs::read(std::path::Path::new(&package).join("../examples/app.db")).unwrap()
}

#[test]
fn unused_pages_of_a_database_of_the_host_are_not_read() {
    let mut bytes = example();
    // The header counts the pages. The pages after them are unused.
    let used = bytes.len();
    bytes.resize(64 << 20, 0);
    let counted = Arc::new(Counted {
        bytes,
        read: AtomicUsize::new(0),
    });
    let mut read = read(Stop::default(), 512 << 20);
    let source: Arc<dyn sandbox::Bytes> = Arc::clone(&counted) as _;
    let connection = read.open_source(source, 64 << 20).unwrap().unwrap();
    let outcome = read.execute(&connection, "select count(*) from users");
    let rows = outcome.unwrap().unwrap().result.rows;
    assert!(matches!(rows[0].values[..], [Value::Integer(count)] if count > 0));
    let count = counted.read.load(Ordering::Relaxed);
    assert!(count <= used + (256 << 10), "{count} bytes were read");
    // The engine has the source. The reader has no handle to it any more.
    HostConnection::drop(&mut read.state, connection).unwrap();
    assert!(read.state.system.table.is_empty());
}

/// The reader learns from a failed call which bytes the engine needs, adds them, and repeats the call.
#[test]
fn database_is_read_although_only_parts_of_it_are_known() {
    const PAGE: u64 = 4096;
    let bytes = example();
    let size = bytes.len() as u64;
    let mut read = read(Stop::default(), 512 << 20);
    let sparse = HostSparse::new(&mut read.state.system, size).unwrap();
    let handle = || Resource::new_own(sparse.rep());
    let mut added = Vec::new();
    let rows = loop {
        let source = HostSparse::open(&mut read.state.system, handle()).unwrap();
        let opened = read.open(Input::Source(source)).unwrap();
        let outcome = opened.and_then(|connection| {
            let statement = "select 1 + 1, name from users where id = 2";
            let outcome = read.execute(&connection, statement).unwrap();
            HostConnection::drop(&mut read.state, connection).unwrap();
            outcome
        });
        let system = &mut read.state.system;
        let Some(missing) = HostSparse::missing(system, handle()).unwrap() else {
            break outcome.unwrap().result.rows;
        };
        assert!(matches!(outcome, Err(Error::Io(_))), "{outcome:?}");
        let start = missing.offset - missing.offset % PAGE;
        let end = usize::try_from(start + PAGE).unwrap().min(bytes.len());
        let page = bytes[usize::try_from(start).unwrap()..end].to_vec();
        let part = HostSparse::add(system, handle(), start, page.clone());
        assert_eq!(part.unwrap(), Ok(()));
        let again = HostSparse::add(system, handle(), start, page);
        assert!(again.unwrap().is_err());
        added.push(start);
    };
    assert!(matches!(
        &rows[0].values[..],
        [Value::Integer(2), Value::Text(_)]
    ));
    // The header, and the pages on the way to the row. Not all pages of the database.
    let pages = size / PAGE;
    assert!(
        added.len() >= 2 && (added.len() as u64) < pages,
        "{added:?}"
    );
    HostSparse::drop(&mut read.state.system, sparse).unwrap();
    assert!(read.state.system.table.is_empty());
}

/// Bytes that the host provides. A call that reads them never returns.
struct Silent(Mutex<Receiver<()>>);

impl sandbox::Bytes for Silent {
    fn read(&self, _: u64, _: usize) -> std::result::Result<Vec<u8>, String> {
        let _ = self.0.lock().unwrap().recv();
        Err("nobody waits for this any more".to_owned())
    }
}

/// The engine waits in a call of the host, which cannot be interrupted.
#[test]
fn host_call_that_never_returns_ends_with_the_read() {
    let (hold, never) = channel();
    let mut late = read(stop_in(Duration::from_millis(200)), 512 << 20);
    let error = late.open_source(Arc::new(Silent(Mutex::new(never))), 1 << 20);
    let error = error.map(drop).unwrap_err();
    assert_eq!(error.downcast_ref(), Some(&Stopped::Time));

    let (hold_too, never) = channel();
    let token = CancelToken::new();
    let stop = Stop {
        token: Some(token.clone()),
        ..Stop::default()
    };
    let mut cancelled = read(stop, 512 << 20);
    let cancelling = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        token.cancel();
    });
    let error = cancelled.open_source(Arc::new(Silent(Mutex::new(never))), 1 << 20);
    let error = error.map(drop).unwrap_err();
    assert_eq!(error.downcast_ref(), Some(&Stopped::Cancelled));
    cancelling.join().unwrap();
    drop((hold, hold_too));
}
