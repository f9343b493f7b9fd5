//! The component of `omniread-reader`.

#[cfg(target_family = "wasm")]
extern crate omniread_reader as _;
