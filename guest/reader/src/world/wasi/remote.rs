//! Databases on a server: the SQLite engine reads sparse bytes, whose missing parts are fetched.

use super::parts::Parts;
use super::preopened::WasiWorld;
use crate::bindings::omniread::parts::{inputs, sqlite};
use crate::world::fetch::{Allowance, DATABASE, Refetching, RemoteParts};
use crate::world::{Bounds, Connection, DatabaseError, Need, Remote, Rows, Value};
use std::cell::RefCell;
use std::rc::Rc;

impl WasiWorld {
    /// The parts of a source that were fetched so far. They are kept for the read, because it may
    /// open a database or a document several times.
    pub(super) fn parts(&mut self, remote: &Remote, allowance: Allowance) -> Parts {
        if let Some(parts) = &self.parts
            && parts.borrow().remote() == remote
        {
            return Rc::clone(parts);
        }
        let sparse = inputs::Sparse::new(remote.size());
        let parts = RemoteParts::new(remote.clone(), sparse, allowance);
        let parts = Rc::new(RefCell::new(parts));
        self.parts = Some(Rc::clone(&parts));
        parts
    }

    /// Opens a database on a server.
    pub(super) fn connect_remote(
        &mut self,
        remote: &Remote,
    ) -> Result<Box<dyn Connection>, DatabaseError> {
        let parts = self.parts(remote, DATABASE);
        let mut connection = RemoteConnection(Refetching::new(parts));
        connection.call(Need::Required, |_| Ok(()))?;
        Ok(Box::new(connection))
    }
}

/// A connection to a database on a server.
struct RemoteConnection(Refetching<inputs::Sparse, sqlite::Connection>);

impl RemoteConnection {
    fn call<T>(
        &mut self,
        need: Need,
        call: impl FnMut(&mut sqlite::Connection) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        let open = |sparse: &inputs::Sparse| {
            let database = sqlite::Database {
                main: inputs::Input::Source(sparse.open()),
                wal: None,
                journal: None,
            };
            sqlite::Connection::open(database).map_err(DatabaseError::from)
        };
        self.0.call(need, open, call)
    }
}

impl Connection for RemoteConnection {
    fn notes(&mut self) -> Vec<String> {
        let notes = self.call(Need::Optional, |connection| {
            Ok(Connection::notes(connection))
        });
        notes.unwrap_or_default()
    }

    fn execute(
        &mut self,
        statement: &str,
        parameters: &[Value],
        bounds: Bounds,
    ) -> Result<Rows, DatabaseError> {
        self.call(bounds.need, |connection| {
            Connection::execute(connection, statement, parameters, bounds)
        })
    }
}
