//! The document engine as a component: the interface `documents` over the converters. Without the
//! feature `engine`, a component with the same interface that opens no document.

#[cfg(target_family = "wasm")]
omniread_document_engine::bindings!("omniread:parts/documents-engine@0.1.0");

#[cfg(all(target_family = "wasm", feature = "engine"))]
mod engine;
#[cfg(all(target_family = "wasm", not(feature = "engine")))]
mod without;
