//! Generated from `wit/`.

#![allow(missing_docs, unsafe_code, clippy::pedantic, reason = "generated")]

wit_bindgen::generate!({
    world: "omniread:parts/reader@0.1.0",
    path: ["../../wit/read", "../../wit/parts"],
    generate_all,
    pub_export_macro: true,
});
