//! SQLite as a component. It reads databases through handles of the host, and never
//! creates, changes or locks a file.
//!
//! ```text
//! component   the exports: connections and statements, and the preparation of an instance
//! connection  opening and hardening of a database
//! example     a small database that is read before the first connection
//! prepared    a connection that is opened before its database is known
//! unread      the file of a database that is not known yet
//! fill        tables of a database in memory, and their rows
//! handle      the connection of SQLite's C interface
//! statement   parameters, rows and values
//! watch       permissions and the work limit of a statement
//! witness     detection of changes by other programs
//! vfs         a database, its write-ahead log and temporary files, as SQLite opens them
//! temporary   temporary files in memory
//! count       rows of a table, by the headers of its pages
//! describe    a table and its columns, by its name
//! first       the first rows of a table in an order
//! order       the order of values
//! pages       trees of pages
//! evaluate    statements that scan one table
//! scan        the programs of these statements, and their evaluation
//! memory      comparison and search of bytes
//! journal     rollback of an unfinished transaction, in memory
//! input       bytes of an open file, of the host, or in memory
//! hooks       system functions that SQLite calls
//! ```
//!
//! None of SQLite's own modes fits a tool that must not change a database. In the
//! read-only and immutable modes, SQLite misses commits in a write-ahead log, does not
//! apply a rollback journal, or creates files next to the database.

pub mod journal;
pub mod limits;
pub mod order;
pub mod pages;
pub mod scan;

#[cfg(target_family = "wasm")]
mod component;
#[cfg(target_family = "wasm")]
mod connection;
#[cfg(target_family = "wasm")]
mod count;
#[cfg(target_family = "wasm")]
mod describe;
#[cfg(target_family = "wasm")]
mod evaluate;
#[cfg(target_family = "wasm")]
mod example;
#[cfg(target_family = "wasm")]
mod fill;
#[cfg(target_family = "wasm")]
mod first;
#[cfg(target_family = "wasm")]
mod handle;
#[cfg(target_family = "wasm")]
mod hooks;
#[cfg(target_family = "wasm")]
mod input;
#[cfg(target_family = "wasm")]
mod memory;
#[cfg(target_family = "wasm")]
mod prepared;
#[cfg(target_family = "wasm")]
mod statement;
#[cfg(target_family = "wasm")]
mod temporary;
#[cfg(target_family = "wasm")]
mod unread;
#[cfg(target_family = "wasm")]
mod vfs;
#[cfg(target_family = "wasm")]
mod watch;
#[cfg(target_family = "wasm")]
mod witness;

#[cfg(target_family = "wasm")]
mod bindings {
    #![allow(
        missing_docs,
        clippy::pedantic,
        unsafe_code,
        reason = "generated, and pointers cross the boundary"
    )]
    wit_bindgen::generate!({
        world: "omniread:parts/sqlite-engine@0.1.0",
        path: ["../../wit/read", "../../wit/parts"],
        generate_all,
    });
}
