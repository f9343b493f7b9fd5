//! Conditions, orders and statements of simple forms on rows, without the SQL engine.
//!
//! ```text
//! mod        exports
//! token      tokens of SQL
//! condition  conditions: parsing and evaluation
//! conjuncts  the simple parts of other conditions
//! like       patterns of LIKE
//! order      the order of values, and keys that have it as bytes
//! cursor     the rows of a table, with the values of some columns
//! sorted     the first items in an order
//! first      the first rows of a table in an order
//! statement  statements: parsing
//! aggregate  count, sum, avg, min and max
//! run        the result of a statement
//! result     the result in place of that of the engine
//! ```
//!
//! A row costs a few microseconds in the engine, and a fraction of one here. Each form that this module
//! accepts has the result of SQLite: columns have no affinity, NULL is less than all numbers and these
//! are less than all texts, texts are compared by bytes, and rows that are equal in an order stay in the
//! order of the table. Everything else is for the engine, also if it would be an error there.

mod aggregate;
mod condition;
mod conjuncts;
mod cursor;
mod first;
mod like;
mod order;
mod result;
mod run;
mod sorted;
mod statement;
mod token;

pub use condition::{Condition, Values};
pub use conjuncts::conjuncts;
pub use cursor::{Cursor, names};
pub use first::{First, Numbers, Wanted, first};
pub use run::{Ran, statement};
pub use statement::restriction;
