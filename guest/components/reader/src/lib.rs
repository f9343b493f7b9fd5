//! The component: what `omniread-reader` exports.

#[cfg(target_family = "wasm")]
extern crate omniread_reader as _;
