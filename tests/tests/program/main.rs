//! Tests of the program: its command line, its services and its use of terminals.

#![allow(missing_docs, reason = "a test")]

mod batch;
mod cli;
mod deny;
mod mcp_servers;
mod prepared;
mod service;
mod streams;
mod terminal;
