//! What the components that convert documents share: the interfaces that they import, the bytes of
//! their input, and the facts about a document in the types of these interfaces.

#![cfg(target_family = "wasm")]

pub mod bindings;
#[cfg(feature = "engine")]
mod facts;
#[cfg(feature = "engine")]
mod input;

#[cfg(feature = "engine")]
pub use facts::{attachments, facts, unit};
#[cfg(feature = "engine")]
pub use input::bytes;

/// The number as a length of this machine, on which every `u32` is one.
pub fn place(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
