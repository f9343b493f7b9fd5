//! A facade of the reader: one function from a path to a text.
//!
//! `component` has the bindings, and `text` the text of a reply.

#[cfg(target_family = "wasm")]
mod component;
#[cfg(any(test, target_family = "wasm"))]
mod text;
