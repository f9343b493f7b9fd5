//! The default limits of a read, and the limits of engines.

use std::time::Duration;

/// The default memory limit of one read in bytes. It is many times `WHOLE_BYTES`, the maximum size
/// of a text that is examined as a whole.
pub const DEFAULT_MEMORY: usize = 512 << 20;

/// The default limit in bytes on the memory of all engines (SQLite, images, documents and PDF) of a
/// process together. An engine that needs more memory than is free waits until other engines end.
pub const DEFAULT_ENGINE_MEMORY: usize = 1 << 30;

/// The default limit in bytes on the memory of all reads of a process together, without their engines. A
/// read that needs more memory than is free waits until other reads end. A read that is alone gets all that
/// its own limit allows.
pub const DEFAULT_READS_MEMORY: usize = 1 << 30;

/// The default timeout of one read: its time on the processor, and its waits for standard input and
/// providers. Most reads take a few milliseconds. The client of a server waits for the reply, so it
/// is short.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// The default timeout of one read on the command line. A person sees the progress, and may end the
/// command. A query of a CSV file of 100 MB takes a tenth of it.
pub const COMMAND_TIMEOUT: Duration = Duration::from_mins(1);

/// The maximum number of entries of a directory that [`Reader::entries`](crate::Reader::entries) examines. Their names
/// are in memory.
pub const DIRECTORY_ENTRIES: usize = 1_000_000;

/// The real time after which a request that refreshes an old copy ends. The program on the command line waits for it.
pub const REFRESH_TIME: Duration = Duration::from_secs(3);

/// The number of requests of a process that refresh old copies at once.
pub const REFRESHES: usize = 4;

/// The real time after which a read ends in any case, in multiples of its timeout. A read that ends
/// then had less than a twentieth of a core, or waits for a disk that does not answer.
pub(crate) const REAL_TIME: u32 = 20;

/// The part of the time that is left for a read, 1/`TIME_SPARED`, that a call of an engine leaves for
/// the rest of the read, so that the reply can state what the engine did not finish.
pub(crate) const TIME_SPARED: u32 = 5;

// The time limits of engines apply to reads with at most [`COMMAND_TIMEOUT`], and to those without a
// timeout. A longer timeout raises them.

/// The memory limit of an instance of SQLite in bytes. It is the 256 MiB that SQLite limits itself
/// to, with room for a result and for a database in memory. The memory limit of the read applies to
/// all engines too.
pub(crate) const SQLITE_MEMORY: usize = 320 << 20;

/// The processor time limit of one call of SQLite for a read without a timeout. SQLite limits the
/// work of a query itself, and this limit applies to work that it does not count.
pub(crate) const SQLITE_TIME: Duration = Duration::from_hours(1);

/// The memory limit of an instance of the image engine in bytes. It has room for the file, 176 MiB
/// of decoded pixels, the scaled image, and the decoder.
pub(crate) const IMAGES_MEMORY: usize = 448 << 20;

/// The processor time limit of one call of the image engine. An image with the maximum number of
/// pixels takes one second, or three if it is WebP.
pub(crate) const IMAGES_TIME: Duration = Duration::from_secs(30);

/// The processor time limit of one call of the image engine for an SVG. Drawings take up to some
/// tenths of a second. An SVG that takes longer than this is probably hostile.
pub(crate) const DRAWING_TIME: Duration = Duration::from_secs(5);

/// The memory limit of an instance of the document engine in bytes. It has room for the file, for the
/// largest part of it after decompression, and for the model of its text.
pub(crate) const DOCUMENTS_MEMORY: usize = 256 << 20;

/// The processor time limit of one call of the document engine. A call converts one unit, or reads
/// the facts. A document of a thousand pages takes less than half a second.
pub(crate) const DOCUMENTS_TIME: Duration = Duration::from_secs(20);

/// The memory limit of an instance of the PDF engine in bytes. It has room for the file, for the
/// largest part of it after decompression, and for the glyphs of a page and its neighbours.
pub(crate) const PDF_MEMORY: usize = 256 << 20;

/// The processor time limit of one call of the PDF engine. A call converts or renders one page, or
/// reads the facts. The engine limits its work on a page itself, to about two seconds.
pub(crate) const PDF_TIME: Duration = Duration::from_secs(20);
