//! What the components that convert documents share: the interfaces that they import, the bytes of
//! their input, and an open document in the types of these interfaces.
//!
//! ```text
//! bindings  the interfaces that the components import
//! macros    code in the types of each component: its bindings, and the methods of a document
//! open      an open document
//! facts     its facts, its attachments and errors in the types of the interfaces
//! input     the bytes of a document
//! without   a document in builds without converters
//! ```

#![cfg(target_family = "wasm")]

pub mod bindings;
#[cfg(feature = "engine")]
mod facts;
#[cfg(feature = "engine")]
mod input;
mod macros;
#[cfg(feature = "engine")]
mod open;
#[cfg(not(feature = "engine"))]
mod without;

#[cfg(feature = "engine")]
pub use input::bytes;
#[cfg(feature = "engine")]
pub use open::Open;
#[cfg(not(feature = "engine"))]
pub use without::{Open, no_converters};

/// The number as a length of this machine, on which every `u32` is one.
pub fn place(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
