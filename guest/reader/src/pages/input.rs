//! Bytes by offset over any source, with its head kept.

use crate::limits;
use crate::world::{FileError, Source, part_from};

/// A source and the bytes of it that were already read to judge it.
pub struct Input<'a> {
    source: &'a mut dyn Source,
    head: Vec<u8>,
    /// The head is all there is.
    complete: bool,
    /// What was read last, and where it starts.
    chunk: Vec<u8>,
    chunk_start: u64,
    /// Bytes that a chunk has at least, if there are as many.
    least: usize,
    /// Why reading stopped before the end.
    damage: Option<(u64, FileError)>,
}

impl<'a> Input<'a> {
    /// Reads the head of a source: all of it up to [`limits::WHOLE_BYTES`],
    /// and of a larger file that can be read anywhere just the first chunk.
    ///
    /// # Errors
    /// If not even the first byte can be read.
    pub fn new(source: &'a mut dyn Source, size: Option<u64>) -> Result<Self, FileError> {
        let large = source.seekable() && size.is_some_and(|size| size > limits::WHOLE_BYTES);
        // What is read as a whole is held once, whatever its size turns out
        // to be.
        let whole = size
            .filter(|size| !large && *size > limits::CHUNK_BYTES as u64)
            .unwrap_or(0)
            .min(limits::WHOLE_BYTES);
        let mut head = Vec::with_capacity(usize::try_from(whole).unwrap_or(0));
        let mut complete = false;
        let mut damage = None;
        loop {
            let before = head.len();
            let offset = before as u64;
            if offset > limits::WHOLE_BYTES || (large && before >= limits::CHUNK_BYTES) {
                break;
            }
            match source.read(offset, limits::CHUNK_BYTES, &mut head) {
                Ok(()) => {
                    let read = head.len().saturating_sub(before);
                    // A file that ends where its size says so needs no read
                    // to find that out, but `/proc` and growing files do, and
                    // members of archives, which are checked at their end.
                    let ends = source.seekable()
                        && size == Some(head.len() as u64)
                        && read < limits::CHUNK_BYTES;
                    if read == 0 || ends {
                        complete = true;
                        break;
                    }
                }
                Err(error) if head.is_empty() => return Err(error),
                Err(error) => {
                    complete = true;
                    damage = Some((offset, error));
                    break;
                }
            }
        }
        Ok(Self {
            source,
            head,
            complete,
            least: WIDEST,
            chunk: Vec::new(),
            chunk_start: 0,
            damage,
        })
    }

    /// A source in UTF-8 that is made when it is read: nothing is read ahead.
    pub fn lazy(source: &'a mut dyn Source) -> Self {
        Self {
            source,
            head: Vec::new(),
            complete: false,
            least: 1,
            chunk: Vec::new(),
            chunk_start: 0,
            damage: None,
        }
    }

    /// The first bytes; all of them if the input is complete.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// Whether the head is all there is.
    pub fn complete(&self) -> bool {
        self.complete
    }

    /// Whether any offset may be read at any time.
    pub fn seekable(&self) -> bool {
        self.complete || self.source.seekable()
    }

    /// Why reading stopped before the end, if it did.
    pub fn damage(&self) -> Option<String> {
        self.damage
            .as_ref()
            .map(|(offset, error)| format!("reading stopped at byte {offset}: {error}"))
    }

    /// The source beneath.
    pub fn source(&mut self) -> &mut dyn Source {
        self.source
    }

    /// Bytes from `offset`, empty at the end. A source that fails ends there.
    ///
    /// At least [`WIDEST`] bytes, unless that is all there is, so that no unit
    /// is torn. What was read last is kept: a line ends somewhere in it, and
    /// the next one starts there.
    pub fn chunk(&mut self, offset: u64) -> &[u8] {
        let left = self.held(offset).len();
        if left < self.least && !self.complete && self.damage.is_none() {
            self.refill(offset, left);
        }
        self.held(offset)
    }

    /// Whether there are no bytes from `offset` on.
    pub fn ends_at(&mut self, offset: u64) -> bool {
        if !self.held(offset).is_empty() {
            return false;
        }
        match self.source.has_more(offset) {
            Some(more) => !more,
            None => self.chunk(offset).is_empty(),
        }
    }

    /// The first bytes, as many as there are up to `limit`.
    pub fn first(&mut self, limit: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < limit {
            let chunk = self.chunk(bytes.len() as u64);
            let missing = limit.saturating_sub(bytes.len() as u64);
            let taken = usize::try_from(missing)
                .unwrap_or(usize::MAX)
                .min(chunk.len());
            if taken == 0 {
                break;
            }
            bytes.extend_from_slice(chunk.get(..taken).unwrap_or_default());
        }
        bytes
    }

    /// What is held from `offset` on.
    fn held(&self, offset: u64) -> &[u8] {
        // The chunk starts inside the head where that ends inside a unit.
        match part_from(&self.chunk, self.chunk_start, offset) {
            [] => part_from(&self.head, 0, offset),
            chunk => chunk,
        }
    }

    /// Reads on behind the `left` bytes that are held from `offset` on.
    fn refill(&mut self, offset: u64, left: usize) {
        let mut bytes = self.held(offset).to_vec();
        let end = offset.saturating_add(left as u64);
        if let Err(error) = self.source.read(end, limits::CHUNK_BYTES, &mut bytes) {
            self.damage = Some((end, error));
        }
        self.chunk = bytes;
        self.chunk_start = offset;
    }
}

/// Bytes of the widest unit of any encoding.
const WIDEST: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that gives a few bytes at a time, each once.
    struct Drip {
        bytes: Vec<u8>,
        at: usize,
    }

    impl Source for Drip {
        fn read(&mut self, offset: u64, _: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
            assert_eq!(offset, self.at as u64, "a stream is read in order");
            let start = self.at;
            self.at = (start + 1000).min(self.bytes.len());
            out.extend_from_slice(&self.bytes[start..self.at]);
            Ok(())
        }

        fn seekable(&self) -> bool {
            false
        }
    }

    #[test]
    fn a_stream_is_read_once() {
        let bytes: Vec<u8> = (0..6_000_003u32)
            .map(|n| n.to_le_bytes()[n as usize % 3])
            .collect();
        let mut source = Drip {
            bytes: bytes.clone(),
            at: 0,
        };
        let mut input = Input::new(&mut source, None).unwrap();
        let mut read = Vec::new();
        while !input.chunk(read.len() as u64).is_empty() {
            // The same place is asked for again, and not all of it is taken.
            let chunk = input.chunk(read.len() as u64);
            let taken = chunk.len().min(777);
            read.extend_from_slice(&chunk[..taken]);
        }
        assert!(read == bytes);
    }
}
