//! gzip (RFC 1952): members, one after the other.

use super::boxed::Input;
use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

/// The members of a stream. Zeros behind them are none: tapes and disks fill up
/// blocks with them.
pub struct Members {
    member: Option<GzDecoder<Input>>,
}

impl Members {
    /// The members that these bytes are.
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

/// The next member, if there is one.
fn next(mut bytes: Input) -> io::Result<Option<GzDecoder<Input>>> {
    loop {
        let held = bytes.fill_buf()?;
        if held.is_empty() {
            return Ok(None);
        }
        let zeros = held.iter().take_while(|byte| **byte == 0).count();
        if zeros == 0 {
            return Ok(Some(GzDecoder::new(bytes)));
        }
        bytes.consume(zeros);
    }
}
