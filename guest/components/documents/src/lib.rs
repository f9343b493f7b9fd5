//! The component of `omniread-documents`. Without the feature `engine`, a component with the same
//! interface that opens no document.

#[cfg(all(target_family = "wasm", feature = "engine"))]
extern crate omniread_documents as _;
#[cfg(all(target_family = "wasm", not(feature = "engine")))]
mod without;
