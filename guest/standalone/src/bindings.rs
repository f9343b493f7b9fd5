//! Generated from `wit/`.

#![allow(missing_docs, clippy::pedantic, reason = "generated")]

#[cfg(not(feature = "without-images"))]
wit_bindgen::generate!({
    world: "omniread:parts/standalone@0.1.0",
    path: ["../../wit/read", "../../wit/parts"],
    generate_all,
    pub_export_macro: true,
});

#[cfg(feature = "without-images")]
wit_bindgen::generate!({
    world: "omniread:parts/standalone-text@0.1.0",
    path: ["../../wit/read", "../../wit/parts"],
    generate_all,
    pub_export_macro: true,
});
