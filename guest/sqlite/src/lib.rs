//! SQLite as a component: what it reads is handed to it, and nothing is ever
//! created, changed or locked.
//!
//! ```text
//! component   the `sqlite` interface: connections and what they are asked
//! connection  SQLite, hardened
//! handle      a connection as SQLite has it
//! statement   what a statement is given, and what it gives
//! watch       what it may do, and how much of it
//! witness     what tells that a program writes into what is read
//! vfs         a database and its log as the files that SQLite opens
//! journal     what a rollback journal would undo, undone in memory
//! input       bytes of an open file, of the host, or in memory
//! hooks       what SQLite asks of a machine
//! ```
//!
//! No stock way to open a database is right for a tool that must not touch it:
//! read-only and immutable opens miss what a log has committed, or do not undo
//! what a journal would, or create files beside it.

pub mod journal;

#[cfg(target_family = "wasm")]
mod component;
#[cfg(target_family = "wasm")]
mod connection;
#[cfg(target_family = "wasm")]
mod handle;
#[cfg(target_family = "wasm")]
mod hooks;
#[cfg(target_family = "wasm")]
mod input;
#[cfg(target_family = "wasm")]
mod statement;
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
        world: "sqlite-engine",
        path: "../../wit",
        generate_all,
    });
}
