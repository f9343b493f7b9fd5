//! Generated from `wit/`.

#![allow(
    missing_docs,
    clippy::pedantic,
    unsafe_code,
    reason = "generated, and pointers cross the boundary"
)]

wit_bindgen::generate!({
    world: "pdf-engine",
    path: "../../../wit",
    generate_all,
    with: {
        "omniread:read/document-types@0.1.0": omniread_document_engine::bindings::omniread::read::document_types,
        "omniread:read/inputs@0.1.0": omniread_document_engine::bindings::omniread::read::inputs,
        "wasi:clocks/wall-clock@0.2.12": omniread_document_engine::bindings::wasi::clocks::wall_clock,
        "wasi:filesystem/types@0.2.12": omniread_document_engine::bindings::wasi::filesystem::types,
        "wasi:io/error@0.2.12": omniread_document_engine::bindings::wasi::io::error,
        "wasi:io/poll@0.2.12": omniread_document_engine::bindings::wasi::io::poll,
        "wasi:io/streams@0.2.12": omniread_document_engine::bindings::wasi::io::streams,
    },
    pub_export_macro: true,
});
