//! A database without tables, for tests.

use crate::world::{Bounds, Connection, DatabaseError, Rows, Value};

/// A database without tables.
pub struct Empty;

impl Connection for Empty {
    fn notes(&mut self) -> Vec<String> {
        Vec::new()
    }

    fn execute(&mut self, _: &str, _: &[Value], _: Bounds) -> Result<Rows, DatabaseError> {
        Ok(Rows::default())
    }
}
