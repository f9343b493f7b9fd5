//! The initial memory of the reader, for the build script that links it and for the host.

/// The size in bytes of the memory with which the reader component starts. It is enough for its
/// stack, its data, and a page of a typical file, so that most reads do not grow the memory, which
/// costs two system calls.
pub const READER_MEMORY: usize = 5 << 19;
