//! Zstandard (RFC 8878): frames, one after the other.

use super::boxed::Input;
use crate::limits;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::io::{self, Read};

/// Bytes of the header of a frame without data: its mark and its length.
const SKIPPABLE: usize = 8;

/// The bytes of a stream, of which some were looked at.
struct Bytes {
    /// Those that were looked at and are still to come.
    seen: Vec<u8>,
    behind: Input,
}

impl Bytes {
    /// The next bytes, as many as there are up to those of a header. There may
    /// be fewer at hand.
    fn look(&mut self) -> io::Result<&[u8]> {
        let missing = SKIPPABLE.saturating_sub(self.seen.len()) as u64;
        (&mut self.behind)
            .take(missing)
            .read_to_end(&mut self.seen)?;
        Ok(&self.seen)
    }
}

impl Read for Bytes {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.seen.is_empty() {
            return self.behind.read(out);
        }
        let count = self.seen.as_slice().read(out)?;
        self.seen.drain(..count);
        Ok(count)
    }
}

/// The frames of a stream.
pub struct Frames {
    bytes: Option<Bytes>,
    frame: Option<StreamingDecoder<Bytes, FrameDecoder>>,
}

impl Frames {
    /// The frames that these bytes are.
    pub fn new(behind: Input) -> Self {
        let seen = Vec::new();
        Self {
            bytes: Some(Bytes { seen, behind }),
            frame: None,
        }
    }

    /// Starts the next frame; false at the end.
    fn next(&mut self) -> io::Result<bool> {
        loop {
            let Some(mut bytes) = self.bytes.take() else {
                return Ok(false);
            };
            let head = bytes.look()?;
            if head.is_empty() {
                return Ok(false);
            }
            // A frame that is to be skipped is read past by hand: the decoder
            // does not give the bytes back that it was made from.
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

/// The length of a frame that carries no data, its header included (section
/// 3.1.2).
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
                // The decoder speaks of its own insides.
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
