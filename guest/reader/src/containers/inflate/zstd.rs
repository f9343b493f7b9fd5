//! Zstandard (RFC 8878): a stream of one or more frames.

use super::boxed::Input;
use crate::limits;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::io::{self, Read};

/// Size in bytes of the header of a skippable frame: its magic number and its length.
const SKIPPABLE: usize = 8;

/// A reader whose first bytes can be examined before they are read.
struct Bytes {
    /// Bytes that were examined but not yet read.
    seen: Vec<u8>,
    rest: Input,
}

impl Bytes {
    /// The next bytes, which are not consumed: as many as the header of a skippable frame has, or
    /// fewer at the end of the stream.
    fn peek(&mut self) -> io::Result<&[u8]> {
        let missing = SKIPPABLE.saturating_sub(self.seen.len()) as u64;
        (&mut self.rest).take(missing).read_to_end(&mut self.seen)?;
        Ok(&self.seen)
    }
}

impl Read for Bytes {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.seen.is_empty() {
            return self.rest.read(out);
        }
        let count = self.seen.as_slice().read(out)?;
        self.seen.drain(..count);
        Ok(count)
    }
}

/// A reader of the decompressed content of all frames of a Zstandard stream.
pub struct Frames {
    bytes: Option<Bytes>,
    frame: Option<StreamingDecoder<Bytes, FrameDecoder>>,
}

impl Frames {
    /// Creates a reader of the frames in `rest`.
    pub fn new(rest: Input) -> Self {
        let seen = Vec::new();
        Self {
            bytes: Some(Bytes { seen, rest }),
            frame: None,
        }
    }

    /// Starts the next frame. Returns false at the end of the stream.
    fn next(&mut self) -> io::Result<bool> {
        loop {
            let Some(mut bytes) = self.bytes.take() else {
                return Ok(false);
            };
            let head = bytes.peek()?;
            if head.is_empty() {
                return Ok(false);
            }
            // Skippable frames are skipped here, because the decoder does not return its
            // input after an error.
            if let Some(length) = skippable(head) {
                let mut skipped = (&mut bytes).take(length);
                io::copy(&mut skipped, &mut io::sink())?;
                self.bytes = Some(bytes);
                continue;
            }
            let window = u64::from(limits::INFLATE_KIB).saturating_mul(1024);
            let frame =
                StreamingDecoder::new_with_max_window_size(bytes, window).map_err(|error| {
                    match error {
                        FrameDecoderError::ReadFrameHeaderError(
                            ReadFrameHeaderError::BadMagicNumber(_),
                        ) => io::Error::other("something else follows"),
                        FrameDecoderError::WindowSizeTooBig { .. } => {
                            io::Error::from(io::ErrorKind::OutOfMemory)
                        }
                        error => io::Error::other(error.to_string()),
                    }
                })?;
            self.frame = Some(frame);
            return Ok(true);
        }
    }
}

/// The length in bytes, including the header, of a skippable frame that starts with `head` (RFC
/// 8878, section 3.1.2). `None` if it is not a skippable frame.
pub(super) fn skippable(head: &[u8]) -> Option<u64> {
    match head {
        [0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d, ..] => {
            Some(u64::from(u32::from_le_bytes([*a, *b, *c, *d])).saturating_add(8))
        }
        _ => None,
    }
}

impl Read for Frames {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                // Messages of the decoder describe its internals.
                let read = frame
                    .read(out)
                    .map_err(|_| io::Error::other("a block makes no sense, or is cut off"))?;
                if read > 0 || out.is_empty() {
                    return Ok(read);
                }
                self.bytes = self.frame.take().map(StreamingDecoder::into_inner);
            }
            if !self.next()? {
                return Ok(0);
            }
        }
    }
}
