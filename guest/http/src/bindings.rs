//! Generated from `wit/`.

#![allow(
    missing_docs,
    unsafe_code,
    clippy::pedantic,
    reason = "generated, and passes pointers across the boundary"
)]

wit_bindgen::generate!({
    inline: "package omniread:server@0.1.0;

        world server {
            import omniread:read/read@0.1.0;
            import omniread:read/tools@0.1.0;
            import wasi:cli/environment@0.2.12;
            import wasi:http/types@0.2.12;
            export wasi:http/incoming-handler@0.2.12;
        }",
    path: ["../../wit/read", "../../wit/parts"],
    generate_all,
    pub_export_macro: true,
});
