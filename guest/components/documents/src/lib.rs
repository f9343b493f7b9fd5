//! The document engine as a component: the interface `documents` over the converters. Without the
//! feature `engine`, a component with the same interface that opens no document.

#[cfg(target_family = "wasm")]
omniread_document_engine::bindings!("documents-engine");

#[cfg(all(target_family = "wasm", feature = "engine"))]
mod engine;
#[cfg(all(target_family = "wasm", not(feature = "engine")))]
mod without;
