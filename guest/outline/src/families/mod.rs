//! The families of languages: one module for each, with the rules for its statements.
//!
//! A family is a table of functions and properties ([`crate::language::Family`]), to which the tables
//! of its languages refer. Languages in which all declarations have a keyword need none.

#![expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a path to a method is a function of statements with one lifetime only"
)]

pub mod c;
pub mod constants;
pub mod css;
pub mod elixir;
pub mod go;
pub mod graphql;
pub mod haskell;
pub mod hcl;
pub mod julia;
pub mod lua;
pub mod objc;
pub mod ocaml;
pub mod r;
pub mod ruby;
pub mod rust;
pub mod script;
pub mod shell;
pub mod sql;
pub mod swift;
pub mod zig;
