//! The component: what `omniread-images` exports.

#[cfg(target_family = "wasm")]
extern crate omniread_images as _;
