//! The memory of the reader, for the build script that links it and for the host.

/// Bytes of memory that the reader starts with: its stack, its data, and room for
/// a page of a file of usual size, so that most reads need not ask for more, which
/// takes two calls of the system.
pub const READER_MEMORY: usize = 2 << 20;
