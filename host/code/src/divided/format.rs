//! The form of compressed engines, which the build script and the library have in common.

/// The parts have whole pages of this size, the largest one on Linux.
const PAGE: usize = 1 << 16;

/// The size in bytes of the parts that are compressed alone, of code of this size. There are two of about the same size, so
/// that two threads decompress an engine. Four make it 2 % larger.
pub const fn part(size: usize) -> usize {
    let half = size.div_ceil(2).next_multiple_of(PAGE);
    if half == 0 { PAGE } else { half }
}
