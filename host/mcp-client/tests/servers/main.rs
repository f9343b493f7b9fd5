//! The client with servers that behave well and badly.
#![allow(missing_docs, reason = "tests")]

mod common;
mod http;
#[cfg(unix)]
mod skills;
#[cfg(unix)]
mod stdio;
