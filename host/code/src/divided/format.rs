//! The form of compressed engines, which the build script and the library have in common.

/// The size in bytes of the parts that are compressed alone, so that several threads decompress an engine. It is a multiple
/// of the size of large pages. Parts of half the size make an engine 3 % larger.
pub const PART: usize = 4 << 20;
