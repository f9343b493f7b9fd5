//! The component of `omniread-images`.

#[cfg(target_family = "wasm")]
extern crate omniread_images as _;
