//! The table of engines, with one row for each. The build script compiles their components
//! ahead of time, and the runtime loads and calls them. `ENGINES` in
//! `guest/components/src/engines.rs` lists the packages of the same engines.

use std::time::Duration;

/// The name and the limits of an engine: a component that the reader calls.
#[derive(Debug)]
pub(crate) struct EngineSpec {
    /// The name of the engine. It exports the interface `omniread:read/NAME`.
    pub(crate) name: &'static str,
    /// The index of this engine in [`ENGINES`].
    pub(crate) index: usize,
    /// The memory limit of an instance of the engine in bytes. The memory limit of the read applies
    /// too.
    pub(crate) memory: usize,
    /// The processor time limit of one call.
    pub(crate) time: Duration,
}

/// SQLite. Its memory is the 256 MiB that SQLite limits itself to, with room for a result and
/// for a database in memory. SQLite limits the work of queries itself. The time limit applies
/// to work that it does not count.
pub(crate) const SQLITE: EngineSpec = EngineSpec {
    name: "sqlite",
    index: 0,
    memory: 320 << 20,
    time: Duration::from_secs(2),
};

/// The image decoders. The memory has room for the file, 176 MiB of decoded pixels, the scaled
/// image, and the decoder. An image with the maximum number of pixels takes one second, or
/// three if it is WebP. Some processors are slower.
pub(crate) const IMAGES: EngineSpec = EngineSpec {
    name: "images",
    index: 1,
    memory: 448 << 20,
    time: Duration::from_secs(5),
};

/// The converters of documents. The memory has room for the file, for the largest part of it after
/// decompression, and for the model of its text. A call converts one unit, or reads the facts. A
/// document of a thousand pages takes less than a tenth of the time.
pub(crate) const DOCUMENTS: EngineSpec = EngineSpec {
    name: "documents",
    index: 2,
    memory: 256 << 20,
    time: Duration::from_secs(5),
};

/// The converter of PDF documents. The memory has room for the file, for the largest part of it after
/// decompression, and for the glyphs of a page and its neighbours. A call converts or renders one page,
/// or reads the facts.
pub(crate) const PDF: EngineSpec = EngineSpec {
    name: "pdf",
    index: 3,
    memory: 256 << 20,
    time: Duration::from_secs(5),
};

/// All engines.
pub(crate) const ENGINES: [EngineSpec; 4] = [SQLITE, IMAGES, DOCUMENTS, PDF];
