//! Decompression: a compressed file is read as its content, so `log.gz` is a log.
//!
//! Bytes are decompressed as they are read, so a page at the start of a file costs
//! little. A stream with a very high compression ratio is stopped, but only after
//! [`limits::BOMB_MIN_BYTES`], because small repetitive text is not a decompression bomb.

mod boxed;
mod codec;
mod compression;
mod gzip;
mod xz;
mod zstd;

pub use codec::{Codec, Machine};
pub use compression::Compression;

use self::boxed::{Input, Output};
use super::shared::Shared;
use crate::failure::library_message;
use crate::limits;
use crate::units;
use crate::world::{FileError, Source, part_from};
use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

/// The decompressed content of all frames of a Zstandard stream.
pub fn zstd_frames(stream: Box<dyn Read>) -> Box<dyn Read> {
    Box::new(zstd::Frames::new(Input::new(BufReader::new(stream))))
}

/// The decompressed content of a source.
///
/// A read before the current position starts the decompression again from the first byte. Callers
/// do so only if there is no other way.
pub struct Inflated {
    source: Shared,
    /// The codecs that are applied one after the other. The first one is applied to the source.
    codecs: Vec<Codec>,
    /// The decompressor. `None` before the first read.
    reader: Option<Output>,
    /// The number of bytes that the decompressor has returned so far.
    given: u64,
    /// The number of compressed bytes that the decompressor has consumed so far.
    taken: Rc<Cell<u64>>,
    /// Why the source could not be read. Decompressors pass on errors of input and output only.
    failed: Rc<Cell<Option<FileError>>>,
    /// The most recently decompressed bytes. They are kept because decompressors are slow with
    /// small reads. `chunk_start` is their offset in the decompressed content.
    chunk: Vec<u8>,
    chunk_start: u64,
}

impl Inflated {
    /// Creates a source of the decompressed content of `source`. The first codec is applied to
    /// `source`, and each further codec to the output of the codec before it.
    pub fn new(source: Box<dyn Source>, codecs: Vec<Codec>) -> Self {
        Self {
            source: Shared::new(source),
            codecs,
            reader: None,
            given: 0,
            taken: Rc::default(),
            failed: Rc::default(),
            chunk: Vec::new(),
            chunk_start: 0,
        }
    }

    /// The part of `chunk` from the offset `offset` of the decompressed content on. Empty if the
    /// chunk does not contain it.
    fn buffered(&self, offset: u64) -> &[u8] {
        part_from(&self.chunk, self.chunk_start, offset)
    }

    /// Creates a decompressor that starts at the first byte of the source.
    fn start(&mut self) -> io::Result<Output> {
        self.taken.set(0);
        let bytes = Compressed {
            source: self.source.clone(),
            chunk: Vec::new(),
            used: 0,
            taken: Rc::clone(&self.taken),
            failed: Rc::clone(&self.failed),
        };
        let mut codecs = self.codecs.iter();
        let Some(first) = codecs.next() else {
            return Ok(Output::new(bytes));
        };
        let reader = first.decode(Input::new(bytes))?;
        codecs.try_fold(reader, |reader, codec| {
            codec.decode(Input::new(BufReader::new(reader)))
        })
    }

    /// The error for a compression ratio that is too high. `None` if the ratio is acceptable.
    fn exhausted(&self) -> Option<FileError> {
        let ratio = self.given.checked_div(self.taken.get()).unwrap_or(0);
        (self.given > limits::BOMB_MIN_BYTES && ratio > limits::BOMB_RATIO).then(|| {
            FileError::Other(format!(
                "stopped after {}, which came from {} (ratio {ratio})",
                units::bytes(self.given),
                units::bytes(self.taken.get())
            ))
        })
    }

    /// Decompresses at most `len` further bytes, and appends them to `out`.
    fn next(&mut self, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        if let Some(error) = self.exhausted() {
            return Err(error);
        }
        let start = out.len();
        out.resize(start.saturating_add(len), 0);
        let room = out.get_mut(start..).unwrap_or_default();
        let outcome = match &mut self.reader {
            Some(reader) => reader.read(room),
            None => self
                .start()
                .and_then(|reader| self.reader.insert(reader).read(room)),
        };
        let read = *outcome.as_ref().unwrap_or(&0);
        out.truncate(start.saturating_add(read));
        self.given = self.given.saturating_add(read as u64);
        outcome.map(|_| ()).map_err(|error| {
            if let Some(error) = self.failed.take() {
                return error;
            }
            if error.kind() == io::ErrorKind::OutOfMemory {
                let limit = u64::from(limits::INFLATE_KIB).saturating_mul(1024);
                return FileError::Limit("inflate-memory", limit);
            }
            let name = self.codecs.first().map_or("stored", Codec::name);
            let outcome = match error.kind() {
                io::ErrorKind::Unsupported => "cannot be decompressed",
                _ => "is damaged",
            };
            let message = library_message(error);
            FileError::Other(format!("the {name} data {outcome}: {message}"))
        })
    }
}

impl Source for Inflated {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        loop {
            let buffered = self.buffered(offset);
            if !buffered.is_empty() {
                out.extend_from_slice(buffered.get(..len).unwrap_or(buffered));
                return Ok(());
            }
            if offset < self.given {
                self.reader = None;
                self.given = 0;
                self.chunk.clear();
            }
            if offset == self.given && len >= limits::CHUNK_BYTES {
                return self.next(len, out);
            }
            let mut chunk = std::mem::take(&mut self.chunk);
            chunk.clear();
            self.chunk_start = self.given;
            self.next(limits::CHUNK_BYTES, &mut chunk)?;
            self.chunk = chunk;
            if self.chunk.is_empty() {
                return Ok(());
            }
        }
    }

    fn seekable(&self) -> bool {
        false
    }

    fn rewindable(&self) -> bool {
        self.source.rewindable()
    }
}

/// The compressed bytes of a source, in order.
struct Compressed {
    source: Shared,
    chunk: Vec<u8>,
    /// The number of bytes of `chunk` that were consumed.
    used: usize,
    /// The number of bytes of the source that were consumed.
    taken: Rc<Cell<u64>>,
    failed: Rc<Cell<Option<FileError>>>,
}

impl BufRead for Compressed {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.used >= self.chunk.len() {
            self.chunk.clear();
            self.used = 0;
            self.source
                .read(self.taken.get(), limits::CHUNK_BYTES, &mut self.chunk)
                .map_err(|error| {
                    let message = error.to_string();
                    self.failed.set(Some(error));
                    io::Error::other(message)
                })?;
        }
        Ok(self.chunk.get(self.used..).unwrap_or_default())
    }

    fn consume(&mut self, count: usize) {
        self.used = self.used.saturating_add(count);
        self.taken
            .set(self.taken.get().saturating_add(count as u64));
    }
}

impl Read for Compressed {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that cannot be read.
    struct Unreadable;

    impl Source for Unreadable {
        fn read(&mut self, _: u64, _: usize, _: &mut Vec<u8>) -> Result<(), FileError> {
            Err(FileError::Limit("inflate-memory", 5))
        }

        fn seekable(&self) -> bool {
            false
        }
    }

    #[test]
    fn a_limit_of_the_source_is_not_damage() {
        for codec in [
            Codec::Gzip,
            Codec::Deflate,
            Codec::Bzip2,
            Codec::Xz,
            Codec::Zstd,
        ] {
            let mut inflated = Inflated::new(Box::new(Unreadable), vec![codec]);
            let error = inflated.read(0, 10, &mut Vec::new());
            assert!(matches!(error, Err(FileError::Limit("inflate-memory", 5))));
        }
    }

    #[test]
    fn what_no_decompressor_reads_is_not_damage() {
        // A stream of xz whose check has the number 2, which no program writes.
        let stream = b"\xfd7zXZ\0\0\x02\xd3\x73\xd7\xaf";
        let source = crate::world::Bytes::new(stream.to_vec());
        let mut inflated = Inflated::new(Box::new(source), vec![Codec::Xz]);
        let error = inflated
            .read(0, 10, &mut Vec::new())
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("xz data cannot be decompressed: "),
            "{error}"
        );
    }
}
