//! gzip (RFC 1952): a stream of one or more members.

use super::boxed::Input;
use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

/// A reader of the decompressed content of all members of a gzip stream. Zeros after a member are
/// skipped, because blocks on tapes and disks are padded with them.
pub struct Members {
    member: Option<GzDecoder<Input>>,
}

impl Members {
    /// Creates a reader of the members in `bytes`.
    pub fn new(bytes: Input) -> Self {
        Self {
            member: Some(GzDecoder::new(bytes)),
        }
    }
}

impl Read for Members {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read = member.read(out)?;
            if read > 0 || out.is_empty() {
                return Ok(read);
            }
            let bytes = self.member.take().map(GzDecoder::into_inner);
            self.member = bytes.map_or(Ok(None), next)?;
        }
        Ok(0)
    }
}

/// Starts to read the next member in `bytes`. `None` at the end of the stream.
fn next(mut bytes: Input) -> io::Result<Option<GzDecoder<Input>>> {
    loop {
        let buffered = bytes.fill_buf()?;
        if buffered.is_empty() {
            return Ok(None);
        }
        let zeros = buffered.iter().take_while(|byte| **byte == 0).count();
        if zeros == 0 {
            return Ok(Some(GzDecoder::new(bytes)));
        }
        bytes.consume(zeros);
    }
}
