//! The table of engines, with one row for each. The build script compiles their components
//! ahead of time, and the runtime loads and calls them. `ENGINES` in
//! `guest/components/src/engines.rs` lists the packages of the same engines.

use crate::limits;
use std::time::Duration;

/// The name and the limits of an engine: a component that the reader calls.
#[derive(Debug)]
pub(crate) struct EngineSpec {
    /// The name of the engine. It exports the interface `omniread:parts/NAME`.
    pub(crate) name: &'static str,
    /// The index of this engine in [`ENGINES`].
    pub(crate) index: usize,
    /// The memory limit of an instance of the engine in bytes. The memory limit of the read applies
    /// too.
    pub(crate) memory: usize,
    /// The processor time limit of one call. The time that is left for the read applies too.
    pub(crate) time: Duration,
}

/// SQLite.
pub(crate) const SQLITE: EngineSpec = EngineSpec {
    name: "sqlite",
    index: 0,
    memory: limits::SQLITE_MEMORY,
    time: limits::SQLITE_TIME,
};

/// The image decoders.
pub(crate) const IMAGES: EngineSpec = EngineSpec {
    name: "images",
    index: 1,
    memory: limits::IMAGES_MEMORY,
    time: limits::IMAGES_TIME,
};

/// The converters of documents.
pub(crate) const DOCUMENTS: EngineSpec = EngineSpec {
    name: "documents",
    index: 2,
    memory: limits::DOCUMENTS_MEMORY,
    time: limits::DOCUMENTS_TIME,
};

/// The converter of PDF documents.
pub(crate) const PDF: EngineSpec = EngineSpec {
    name: "pdf",
    index: 3,
    memory: limits::PDF_MEMORY,
    time: limits::PDF_TIME,
};

/// All engines.
pub(crate) const ENGINES: [EngineSpec; 4] = [SQLITE, IMAGES, DOCUMENTS, PDF];
