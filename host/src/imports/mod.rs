//! What the reader imports beside WASI, a file for each interface.

mod images;
mod inputs;
mod resources;
mod sandbox;
mod session;
mod sqlite;
mod stdin;
