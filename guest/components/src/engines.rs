//! The list of engines, for the build script and for the host.

/// The engines, which are components that decode images, read SQLite databases or convert
/// documents.
/// Each has the name of its WIT interface and its cargo package.
pub const ENGINES: &[(&str, &str)] = &[
    ("sqlite", "omniread-sqlite"),
    ("images", "omniread-images-component"),
    ("documents", "omniread-documents-component"),
    ("pdf", "omniread-pdf-component"),
];
