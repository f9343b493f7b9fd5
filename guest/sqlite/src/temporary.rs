//! Temporary files of SQLite, in memory: the blocks of a sort, and tables that it fills for a statement.

#![allow(unsafe_code, reason = "SQLite allocates the memory")]

use sqlite_wasm_rs as ffi;
use std::ptr::NonNull;

/// The number of bytes of a block. A power of two.
const BLOCK: usize = 64 * 1024;

/// A file in memory.
#[derive(Default)]
pub struct Temporary {
    blocks: Vec<Block>,
    size: usize,
}

/// Memory of SQLite, so that it counts for the limit on its memory.
struct Block(NonNull<u8>);

impl Block {
    /// A block of zeros. `None` if SQLite has reached the limit on its memory.
    fn new() -> Option<Self> {
        // SAFETY: SQLite is initialised, because it opens this file. It returns null, or memory of this size.
        unsafe {
            let bytes = NonNull::new(ffi::sqlite3_malloc64(BLOCK as u64).cast::<u8>())?;
            bytes.write_bytes(0, BLOCK);
            Some(Self(bytes))
        }
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: the block has this many bytes, all of them are initialised, and only it refers to them.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr(), BLOCK) }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_ptr(), BLOCK) }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: SQLite allocated the block, and it is released once.
        unsafe { ffi::sqlite3_free(self.0.as_ptr().cast()) };
    }
}

impl Temporary {
    /// The size of the file in bytes.
    pub fn size(&self) -> u64 {
        self.size as u64
    }

    /// Reads from `offset` on until `room` is full or the file ends. Returns the number of bytes that were read.
    pub fn read(&self, offset: u64, room: &mut [u8]) -> usize {
        let Some(mut at) = usize::try_from(offset).ok().filter(|at| *at < self.size) else {
            return 0;
        };
        let wanted = room.len().min(self.size.saturating_sub(at));
        let mut done = 0usize;
        while done < wanted {
            let Some(block) = self.blocks.get(at / BLOCK) else {
                break;
            };
            let from = block.bytes().get(at % BLOCK..).unwrap_or_default();
            let to = room.get_mut(done..wanted).unwrap_or_default();
            let count = from.len().min(to.len());
            if let (Some(to), Some(from)) = (to.get_mut(..count), from.get(..count)) {
                to.copy_from_slice(from);
            }
            done = done.saturating_add(count);
            at = at.saturating_add(count);
        }
        done
    }

    /// Writes bytes at `offset`. Bytes between the end of the file and `offset` are zero. Returns whether there is
    /// enough memory.
    pub fn write(&mut self, offset: u64, bytes: &[u8]) -> bool {
        let Ok(mut at) = usize::try_from(offset) else {
            return false;
        };
        let Some(end) = at.checked_add(bytes.len()) else {
            return false;
        };
        while self.blocks.len() < end.div_ceil(BLOCK) {
            let Some(block) = Block::new() else {
                return false;
            };
            self.blocks.push(block);
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let block = self.blocks.get_mut(at / BLOCK);
            let to = block.and_then(|block| block.bytes_mut().get_mut(at % BLOCK..));
            let to = to.unwrap_or_default();
            let count = rest.len().min(to.len());
            let (Some(to), Some((from, after))) =
                (to.get_mut(..count), rest.split_at_checked(count))
            else {
                return false;
            };
            to.copy_from_slice(from);
            rest = after;
            at = at.saturating_add(count);
        }
        self.size = self.size.max(end);
        true
    }

    /// Shortens the file to `size` bytes.
    pub fn truncate(&mut self, size: u64) {
        let Some(size) = usize::try_from(size).ok().filter(|size| *size < self.size) else {
            return;
        };
        self.blocks.truncate(size.div_ceil(BLOCK));
        // What is written after a gap reads it as zeros.
        let last = self.blocks.get_mut(size / BLOCK);
        let rest = last.and_then(|block| block.bytes_mut().get_mut(size % BLOCK..));
        rest.unwrap_or_default().fill(0);
        self.size = size;
    }
}
