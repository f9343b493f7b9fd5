//! Generated from `wit/`.

#![allow(missing_docs, unsafe_code, clippy::pedantic, reason = "generated")]

wit_bindgen::generate!({
    world: "reader",
    path: "../../wit",
    generate_all,
    pub_export_macro: true,
});
