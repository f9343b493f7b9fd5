//! Compressed streams, read as the file that they hold: `log.gz` is a log.
//!
//! A stream is told by its bytes and inflated as it is read, so that a page at
//! the head costs a page. What grows without end is stopped, by ratio and not
//! before it has become large: text that repeats itself is no bomb.

use crate::limits;
use crate::units;
use crate::world::{FileError, Source, Stat};
use bzip2::read::MultiBzDecoder;
use deflate64::Deflate64Decoder;
use flate2::read::{DeflateDecoder, MultiGzDecoder};
use lzma_rust2::{LzmaReader, XzReader};
use ruzstd::decoding::StreamingDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

/// How a stream is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// gzip (RFC 1952).
    Gzip,
    /// The same without a header, as zip archives hold it (RFC 1951).
    Deflate,
    /// Its kin with a window of 64 KiB, as zip archives hold it.
    Deflate64,
    /// LZMA with the header that zip archives give it (APPNOTE.TXT, 5.8), and
    /// the bytes that come out, unless a mark ends them.
    Lzma(Option<u64>),
    /// bzip2.
    Bzip2,
    /// xz.
    Xz,
    /// Zstandard (RFC 8878).
    Zstd,
}

impl Compression {
    /// The compression that first bytes tell.
    pub fn of(head: &[u8]) -> Option<Self> {
        Some(match head {
            // The only method there is.
            [0x1f, 0x8b, 8, ..] => Self::Gzip,
            // A block, or the end of a stream without one.
            [
                b'B',
                b'Z',
                b'h',
                b'1'..=b'9',
                0x31,
                0x41,
                0x59,
                0x26,
                0x53,
                0x59,
                ..,
            ]
            | [
                b'B',
                b'Z',
                b'h',
                b'1'..=b'9',
                0x17,
                0x72,
                0x45,
                0x38,
                0x50,
                0x90,
                ..,
            ] => Self::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            _ => return None,
        })
    }

    /// Its name in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Deflate => "deflate",
            Self::Deflate64 => "deflate64",
            Self::Lzma(_) => "LZMA",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Zstd => "zstd",
        }
    }
}

/// What a compressed source holds.
pub struct Inflated {
    compression: Compression,
    reader: Box<dyn Read>,
    /// Bytes given so far.
    given: u64,
    /// Bytes that they came from.
    taken: Rc<Cell<u64>>,
}

impl Inflated {
    /// What a source holds that is compressed so.
    pub fn new(source: Box<dyn Source>, compression: Compression) -> Self {
        let taken = Rc::new(Cell::new(0));
        let bytes = Compressed {
            source,
            chunk: Vec::new(),
            used: 0,
            taken: Rc::clone(&taken),
        };
        let reader: Box<dyn Read> = match compression {
            Compression::Gzip => Box::new(MultiGzDecoder::new(bytes)),
            Compression::Deflate => Box::new(DeflateDecoder::new(bytes)),
            Compression::Deflate64 => Box::new(Deflate64Decoder::new(bytes)),
            Compression::Lzma(size) => Box::new(Lzma::Unopened(Some((bytes, size)))),
            Compression::Bzip2 => Box::new(MultiBzDecoder::new(bytes)),
            Compression::Xz => Box::new(XzReader::new_mem_limit(bytes, true, limits::INFLATE_KIB)),
            Compression::Zstd => Box::new(Frames {
                bytes: Some(bytes),
                frame: None,
            }),
        };
        Self {
            compression,
            reader,
            given: 0,
            taken,
        }
    }

    /// Why no more is inflated, if it has become too much.
    fn exhausted(&self) -> Option<FileError> {
        let ratio = self.given.checked_div(self.taken.get()).unwrap_or(0);
        (self.given > limits::SOUND_BYTES && ratio > limits::SOUND_RATIO).then(|| {
            FileError::Other(format!(
                "stopped after {}, which came from {} (ratio {ratio})",
                units::bytes(self.given),
                units::bytes(self.taken.get())
            ))
        })
    }
}

impl Source for Inflated {
    fn read(&mut self, _: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        if let Some(error) = self.exhausted() {
            return Err(error);
        }
        let start = out.len();
        out.resize(start.saturating_add(len), 0);
        let room = out.get_mut(start..).unwrap_or_default();
        let outcome = self.reader.read(room);
        let read = *outcome.as_ref().unwrap_or(&0);
        out.truncate(start.saturating_add(read));
        self.given = self.given.saturating_add(read as u64);
        match outcome {
            Ok(_) => Ok(()),
            Err(error) => Err(FileError::Other(format!(
                "the {} data is damaged: {error}",
                self.compression.name()
            ))),
        }
    }

    fn seekable(&self) -> bool {
        false
    }

    fn stat(&mut self) -> Option<Stat> {
        None
    }
}

/// The bytes of a source, in order.
struct Compressed {
    source: Box<dyn Source>,
    chunk: Vec<u8>,
    /// Bytes of the chunk that were handed out.
    used: usize,
    /// Bytes of the source that were handed out.
    taken: Rc<Cell<u64>>,
}

impl Read for Compressed {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.used >= self.chunk.len() {
            self.chunk.clear();
            self.used = 0;
            self.source
                .read(self.taken.get(), limits::CHUNK_BYTES, &mut self.chunk)
                .map_err(|error| io::Error::other(error.to_string()))?;
        }
        let left = self.chunk.get(self.used..).unwrap_or_default();
        let count = left.len().min(out.len());
        if let (Some(to), Some(from)) = (out.get_mut(..count), left.get(..count)) {
            to.copy_from_slice(from);
        }
        self.used = self.used.saturating_add(count);
        self.taken
            .set(self.taken.get().saturating_add(count as u64));
        Ok(count)
    }
}

/// LZMA data behind its header.
enum Lzma {
    Unopened(Option<(Compressed, Option<u64>)>),
    Open(Box<LzmaReader<Compressed>>),
}

impl Read for Lzma {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if let Self::Unopened(bytes) = self {
            let (mut bytes, size) = bytes.take().ok_or(io::ErrorKind::UnexpectedEof)?;
            // Two bytes of version, two of length, then the properties.
            let mut header = [0; 9];
            bytes.read_exact(&mut header)?;
            let [_, _, _, _, properties, a, b, c, d] = header;
            let dictionary = u32::from_le_bytes([a, b, c, d]);
            if dictionary / 1024 > limits::INFLATE_KIB {
                return Err(io::Error::other("its dictionary is too large"));
            }
            let size = size.unwrap_or(u64::MAX);
            let reader = LzmaReader::new_with_props(bytes, size, properties, dictionary, None)?;
            *self = Self::Open(Box::new(reader));
        }
        match self {
            Self::Open(reader) => reader.read(out),
            Self::Unopened(_) => Ok(0),
        }
    }
}

type Frame = StreamingDecoder<Compressed, ruzstd::decoding::FrameDecoder>;

/// The frames of a zstd stream, one after the other.
struct Frames {
    bytes: Option<Compressed>,
    frame: Option<Frame>,
}

impl Frames {
    /// Starts the next frame; false at the end.
    fn next(&mut self) -> io::Result<bool> {
        loop {
            let Some(mut bytes) = self.bytes.take() else {
                return Ok(false);
            };
            if bytes.used >= bytes.chunk.len() {
                bytes.chunk.clear();
                bytes.used = 0;
                bytes
                    .source
                    .read(bytes.taken.get(), limits::CHUNK_BYTES, &mut bytes.chunk)
                    .map_err(|error| io::Error::other(error.to_string()))?;
                if bytes.chunk.is_empty() {
                    return Ok(false);
                }
            }
            let window = u64::from(limits::INFLATE_KIB).saturating_mul(1024);
            // A frame that is to be skipped is read past by hand: the decoder
            // does not give the bytes back that it was made from.
            let head = peek(&bytes);
            if let Some(length) = skippable(head) {
                let mut skipped = (&mut bytes).take(length);
                io::copy(&mut skipped, &mut io::sink())?;
                self.bytes = Some(bytes);
                continue;
            }
            let frame =
                StreamingDecoder::new_with_max_window_size(bytes, window).map_err(|error| {
                    match error {
                        FrameDecoderError::ReadFrameHeaderError(
                            ReadFrameHeaderError::BadMagicNumber(_),
                        ) => io::Error::other("something else follows"),
                        error => io::Error::other(error.to_string()),
                    }
                })?;
            self.frame = Some(frame);
            return Ok(true);
        }
    }
}

/// What is held of the bytes that come next.
fn peek(bytes: &Compressed) -> &[u8] {
    bytes.chunk.get(bytes.used..).unwrap_or_default()
}

/// The length of a frame that carries no data, its header included (RFC 8878,
/// section 3.1.2).
fn skippable(head: &[u8]) -> Option<u64> {
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
                let read = frame.read(out)?;
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
