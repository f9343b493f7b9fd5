//! The component of `omniread-documents`.

#[cfg(target_family = "wasm")]
extern crate omniread_documents as _;
