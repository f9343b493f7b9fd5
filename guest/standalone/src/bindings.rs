//! Generated from `wit/`.

#![allow(missing_docs, clippy::pedantic, reason = "generated")]

wit_bindgen::generate!({
    world: "standalone",
    path: "../../wit",
    generate_all,
    pub_export_macro: true,
});
