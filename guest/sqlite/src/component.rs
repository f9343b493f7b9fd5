//! Exports the `sqlite` interface, and the function that prepares an instance.

#![allow(unsafe_code, reason = "the generated exports pass pointers")]

use crate::bindings::exports::omniread::parts::sqlite::{
    Bounds, Connection, Database, Described, Error, Guest, GuestConnection, NumberedRow, Ordered,
    Ordering, Outcome, Value,
};

crate::bindings::export!(Engine with_types_in crate::bindings);

struct Engine;

impl crate::bindings::Guest for Engine {
    fn prepare() {
        crate::example::read();
        // They are equal in every read, and the example used some.
        crate::hooks::restart_random();
        crate::prepared::prepare();
    }
}

impl Guest for Engine {
    type Connection = crate::connection::Connection;
}

impl GuestConnection for crate::connection::Connection {
    fn open(database: Database) -> Result<Connection, Error> {
        crate::connection::Connection::of(database).map(Connection::new)
    }

    fn create() -> Result<Connection, Error> {
        crate::connection::Connection::in_memory().map(Connection::new)
    }

    fn define(&self, table: String, columns: Vec<String>) -> Result<(), Error> {
        crate::connection::Connection::define(self, &table, &columns)
    }

    fn insert(&self, table: String, rows: Vec<NumberedRow>) -> Result<(), Error> {
        crate::connection::Connection::insert(self, &table, &rows)
    }

    fn clear(&self, table: String) -> Result<(), Error> {
        crate::connection::Connection::clear(self, &table)
    }

    fn notes(&self) -> Vec<String> {
        crate::connection::Connection::notes(self)
    }

    fn describe(&self, names: Vec<String>, bounds: Bounds) -> Result<Option<Described>, Error> {
        crate::connection::Connection::describe(self, &names, bounds)
    }

    fn count(&self, table: String, most: u64) -> Result<Option<u64>, Error> {
        crate::connection::Connection::count(self, &table, most)
    }

    fn first(&self, ordering: Ordering) -> Result<Option<Ordered>, Error> {
        crate::connection::Connection::first(self, &ordering)
    }

    fn execute(
        &self,
        statement: String,
        parameters: Vec<Value>,
        bounds: Bounds,
    ) -> Result<Outcome, Error> {
        self.run(&statement, &parameters, bounds)
    }
}
