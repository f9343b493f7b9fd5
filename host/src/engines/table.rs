//! The engines, a row for each. The build script compiles their components ahead of
//! time by this table, and the runtime loads and calls them by it. `ENGINES` in
//! `guest/components/src/engines.rs` has the packages of the same engines.

use std::time::Duration;

/// A component beside the reader. The interface that it exports has its name.
#[derive(Debug)]
pub(crate) struct EngineSpec {
    /// Its name: the interface is `omniread:read/NAME`.
    pub(crate) name: &'static str,
    /// Its index in [`ENGINES`].
    pub(crate) index: usize,
    /// Bytes of memory of an instance, if the read has as much.
    pub(crate) memory: usize,
    /// Processor time of one call.
    pub(crate) time: Duration,
}

/// SQLite. Its memory is the 256 MiB that SQLite allows itself, and room for an
/// answer and for a database that is handed over as bytes. It bounds the work of
/// queries itself; its time ends what it does not count.
pub(crate) const SQLITE: EngineSpec = EngineSpec {
    name: "sqlite",
    index: 0,
    memory: 320 << 20,
    time: Duration::from_secs(2),
};

/// Decoders of images. The memory is for the file, 176 MiB of decoded pixels, what
/// is made of them, and what the decoder needs. An image of as many pixels as are
/// decoded takes one second, or three if it is a WebP, and some processors are
/// slower.
pub(crate) const IMAGES: EngineSpec = EngineSpec {
    name: "images",
    index: 1,
    memory: 448 << 20,
    time: Duration::from_secs(5),
};

/// All engines.
pub(crate) const ENGINES: [EngineSpec; 2] = [SQLITE, IMAGES];
