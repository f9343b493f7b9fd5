//! Reads over HTTP: a handler of `wasi:http`, which asks the reader for each request.
//!
//! ```text
//! component    the request → a response
//! ├── token    who may send it
//! ├── route    what it asks for
//! ├── accept   in which form
//! ├── json     replies as JSON
//! └── refused  requests that nothing is read for
//! ```
//!
//! Each request has an instance of its own unless the host reuses them, and no instance keeps anything.

#![cfg_attr(
    not(target_family = "wasm"),
    allow(dead_code, reason = "only the component uses all of it")
)]

mod accept;
#[cfg(target_family = "wasm")]
mod bindings;
#[cfg(target_family = "wasm")]
mod component;
#[cfg(target_family = "wasm")]
mod json;
mod limits;
mod refused;
mod route;
#[cfg(any(test, target_family = "wasm"))]
mod text;
mod token;
