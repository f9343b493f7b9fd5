//! Compressed bytes, read as those that they stand for: `log.gz` is a log.
//!
//! They are inflated as they are read, so that a page at the head costs a page.
//! What grows without end is stopped, by ratio and not before it has become
//! large: text that repeats itself is no bomb.

mod boxed;
mod codec;
mod compression;
mod gzip;
mod zstd;

pub use codec::{Codec, Machine};
pub use compression::Compression;

use self::boxed::{Input, Output};
use super::shared::Shared;
use crate::failure::aside;
use crate::limits;
use crate::units;
use crate::world::{FileError, Source, part_from};
use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

/// What a compressed source holds.
///
/// Reading where it has been before starts again from the first byte, so it is
/// not done but where there is no other way.
pub struct Inflated {
    source: Shared,
    /// The steps from the source to what it holds.
    codecs: Vec<Codec>,
    /// What gives the next bytes, once there are any.
    reader: Option<Output>,
    /// Bytes given so far.
    given: u64,
    /// Bytes that they came from.
    taken: Rc<Cell<u64>>,
    /// What was given last to somebody who asks for little, and where it
    /// starts: decompressors are slow with small pieces.
    chunk: Vec<u8>,
    chunk_start: u64,
}

impl Inflated {
    /// What a source holds that is compressed so, the outermost codec first.
    pub fn new(source: Box<dyn Source>, codecs: Vec<Codec>) -> Self {
        Self {
            source: Shared::new(source),
            codecs,
            reader: None,
            given: 0,
            taken: Rc::default(),
            chunk: Vec::new(),
            chunk_start: 0,
        }
    }

    /// What is held from `offset` on.
    fn held(&self, offset: u64) -> &[u8] {
        part_from(&self.chunk, self.chunk_start, offset)
    }

    /// Starts from the first byte.
    fn start(&mut self) -> io::Result<Output> {
        self.taken.set(0);
        let bytes = Compressed {
            source: self.source.clone(),
            chunk: Vec::new(),
            used: 0,
            taken: Rc::clone(&self.taken),
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

    /// Adds the next bytes, at most `len`.
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
            if error.kind() == io::ErrorKind::OutOfMemory {
                let limit = u64::from(limits::INFLATE_KIB).saturating_mul(1024);
                return FileError::Limit("inflate-memory", limit);
            }
            let name = self.codecs.first().map_or("stored", Codec::name);
            let words = aside(error);
            FileError::Other(format!("the {name} data is damaged: {words}"))
        })
    }
}

impl Source for Inflated {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        loop {
            let held = self.held(offset);
            if !held.is_empty() {
                out.extend_from_slice(held.get(..len).unwrap_or(held));
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

/// The bytes of a source, in order.
struct Compressed {
    source: Shared,
    chunk: Vec<u8>,
    /// Bytes of the chunk that were handed out.
    used: usize,
    /// Bytes of the source that were handed out.
    taken: Rc<Cell<u64>>,
}

impl BufRead for Compressed {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.used >= self.chunk.len() {
            self.chunk.clear();
            self.used = 0;
            self.source
                .read(self.taken.get(), limits::CHUNK_BYTES, &mut self.chunk)
                .map_err(|error| io::Error::other(error.to_string()))?;
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
