//! The limits of a request.

/// The maximum size of the body of a request in bytes. The reader accepts arguments of at most this size.
pub const BODY_BYTES: usize = 1 << 20;

/// The maximum size of the path and query of a request in bytes: that of the longest path of the operating system,
/// with each byte in its three characters, and a selector.
pub const TARGET_BYTES: usize = 16 << 10;

/// The minimum length of a token in bytes, as that of `omniread mcp --http`.
pub const TOKEN_BYTES: usize = 16;

/// The maximum number of pages that one response has as events. Its last event names the path that continues.
pub const PAGES: usize = 1000;
