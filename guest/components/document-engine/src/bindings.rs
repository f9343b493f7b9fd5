//! Generated from `wit/`.

#![allow(
    missing_docs,
    clippy::pedantic,
    unsafe_code,
    reason = "generated, and pointers cross the boundary"
)]

wit_bindgen::generate!({
    world: "omniread:parts/document-engine@0.1.0",
    path: ["../../../wit/read", "../../../wit/parts"],
    generate_all,
});
