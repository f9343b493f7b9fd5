//! The guests that decode formats, for the build script that compiles them and for the host.

/// Each engine, by the name of its interface, and its package.
pub const ENGINES: &[(&str, &str)] = &[
    ("sqlite", "omniread-sqlite"),
    ("images", "omniread-images-component"),
];
