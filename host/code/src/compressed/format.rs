//! What the build script and the library do with code in the same way: the script compresses it, and the library
//! decompresses it.

use lzma_rust2::filter::bcj::BcjWriter;
use std::io::{self, Write};

/// The largest page size on Linux in bytes.
pub const PAGE: usize = 1 << 16;

/// Each part of the code is compressed alone, so that two threads decompress the reader.
pub const PART: usize = 144 * PAGE;

/// The size of the dictionary of LZMA in bytes: all code before a part, and the part.
pub const DICTIONARY: u32 = 1 << 26;

/// The code as it is compressed. A call in machine code names the distance to a function. The filter replaces it by the
/// address, which is the same in each call. It is for x86-64, and changes little in code for other processors.
///
/// # Errors
/// Fails if there is not enough memory.
pub fn filtered(code: &[u8]) -> io::Result<Vec<u8>> {
    let mut filtered = Vec::new();
    filtered.try_reserve_exact(code.len())?;
    for part in code.chunks(PART) {
        let mut writer = BcjWriter::new_x86(filtered, 0);
        writer.write_all(part)?;
        filtered = writer.finish()?;
    }
    Ok(filtered)
}
