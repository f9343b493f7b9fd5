//! zlib streams, in which objects are stored.

use crate::error::Error;
use crate::limits;
use crate::windows::Windows;
use flate2::{Decompress, FlushDecompress, Status};

/// A decompressor, which is used for one stream after the other.
pub struct Inflater {
    state: Decompress,
    /// The offset of the next byte of the stream.
    at: u64,
}

impl Inflater {
    pub fn new() -> Self {
        Self {
            state: Decompress::new(true),
            at: 0,
        }
    }

    /// Starts with the stream at an offset.
    pub fn start(&mut self, offset: u64) {
        self.state.reset(true);
        self.at = offset;
    }

    /// Appends the next bytes of the stream to `out`, until that has `most` bytes. Returns whether the stream ended.
    pub fn fill(
        &mut self,
        file: &mut Windows,
        out: &mut Vec<u8>,
        most: usize,
    ) -> Result<bool, Error> {
        loop {
            let before = out.len();
            if before >= most {
                return Ok(false);
            }
            let input = file.from(self.at)?;
            let at_end = input.is_empty();
            // A size in a header may be wrong: memory grows only with the output.
            let room = most.saturating_sub(before).min(limits::INFLATED_BYTES);
            out.resize(before.saturating_add(room), 0);
            let to = out.get_mut(before..).unwrap_or_default();
            let (input_before, output_before) = (self.state.total_in(), self.state.total_out());
            let status = self.state.decompress(input, to, FlushDecompress::None);
            let taken = self.state.total_in().saturating_sub(input_before);
            let made = self.state.total_out().saturating_sub(output_before);
            let made = usize::try_from(made).unwrap_or(0);
            out.truncate(before.saturating_add(made));
            self.at = self.at.saturating_add(taken);
            let damaged = |why: &str| Err(Error::damaged(format_args!("`{}`", file.path()), why));
            match status {
                Ok(Status::StreamEnd) => return Ok(true),
                Ok(_) if taken == 0 && made == 0 && at_end => {
                    return damaged("it ends in the middle of an object");
                }
                Ok(_) if taken == 0 && made == 0 => return damaged("an object is not compressed"),
                Ok(_) => {}
                Err(_) => return damaged("the compression of an object is wrong"),
            }
        }
    }

    /// The bytes of the stream at an offset, which are `size` bytes.
    pub fn exact(
        &mut self,
        file: &mut Windows,
        offset: u64,
        size: usize,
    ) -> Result<Vec<u8>, Error> {
        self.start(offset);
        let mut out = Vec::with_capacity(size.min(64 << 10));
        self.finish(file, &mut out, size)?;
        Ok(out)
    }

    /// Appends the rest of the stream to `out`, which then has `size` bytes.
    pub fn finish(
        &mut self,
        file: &mut Windows,
        out: &mut Vec<u8>,
        size: usize,
    ) -> Result<(), Error> {
        // One more byte: a longer stream is found, and the checksum after the last byte is examined.
        let ended = self.fill(file, out, size.saturating_add(1))?;
        if ended && out.len() == size {
            return Ok(());
        }
        let what = format!("`{}`", file.path());
        Err(Error::damaged(
            what,
            "an object has another size than it states",
        ))
    }
}
