//! How much is requested and shown.

/// The maximum number of characters of a title, a name or another text in one line. Titles on GitHub have up to
/// 256.
pub const LINE_CHARS: usize = 300;

/// The maximum number of bytes of one text of a service, such as a comment. Those on GitHub have up to 65,536
/// characters; a read shows 50 KiB by default.
pub const TEXT_BYTES: usize = 256 << 10;
