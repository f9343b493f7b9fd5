//! Generated from `wit/`.

#![allow(
    missing_docs,
    clippy::pedantic,
    unsafe_code,
    reason = "generated, and pointers cross the boundary"
)]

wit_bindgen::generate!({
    world: "document-engine",
    path: "../../../wit",
    generate_all,
});
