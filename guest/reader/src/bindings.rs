//! Generated from `wit/`: one source, with and without the import of `wasi:http`.

#![allow(missing_docs, unsafe_code, clippy::pedantic, reason = "generated")]

#[cfg(not(feature = "http"))]
wit_bindgen::generate!({
    world: "reader",
    path: "../../wit",
    generate_all,
    pub_export_macro: true,
});

#[cfg(feature = "http")]
wit_bindgen::generate!({
    world: "reader-http",
    path: "../../wit",
    generate_all,
    pub_export_macro: true,
});
