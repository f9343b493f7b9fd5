//! Tests of the store through its public functions.

#![allow(missing_docs, reason = "a test")]

mod artifacts;
mod basics;
#[cfg(feature = "disk")]
mod damage;
#[cfg(feature = "disk")]
mod directory;
#[cfg(feature = "disk")]
mod evictions;
#[cfg(feature = "disk")]
mod kills;
#[cfg(feature = "disk")]
mod model;
#[cfg(feature = "disk")]
mod place;
#[cfg(feature = "disk")]
mod processes;
#[cfg(feature = "disk")]
mod read_only;
mod support;
