//! Buffered access to the bytes of a source by offset. The first bytes stay in memory.

use super::marks::{Mark, Marks};
use super::scan::CodeUnit;
use crate::limits;
use crate::world::{FileError, Source, part_from};
use std::borrow::Cow;

/// A source of bytes, such as a file. The first bytes and the most recently read chunk are kept in
/// memory.
pub struct Input<'a> {
    source: &'a mut dyn Source,
    head: Vec<u8>,
    /// Whether `head` contains all bytes of the source.
    complete: bool,
    /// The most recently read chunk after the head. `chunk_start` is its offset in the source.
    chunk: Vec<u8>,
    chunk_start: u64,
    /// The minimum size of a chunk in bytes, except at the end of the source.
    least: usize,
    /// The offset and error at which reading stopped before the end.
    damage: Option<(u64, FileError)>,
    /// The known starts of lines, if the session keeps them for this source.
    marks: Option<Marks>,
}

impl<'a> Input<'a> {
    /// Reads the first bytes of a source (the head). These are all bytes of a source of at most
    /// [`limits::WHOLE_BYTES`], and only the first chunk of a larger seekable source. `size` is the
    /// size in bytes, if known.
    ///
    /// # Errors
    /// Fails if the first read fails. [`Input::damage`] reports a later error.
    pub fn new(source: &'a mut dyn Source, size: Option<u64>) -> Result<Self, FileError> {
        let large = source.seekable() && size.is_some_and(|size| size > limits::WHOLE_BYTES);
        // Reserves memory once. The stated size is not trusted beyond the limit.
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
                    // A short read at the stated size is the end, which saves one read. Files in
                    // `/proc` and growing files end elsewhere. Members of archives need the last
                    // read, because their checksum is verified at the end.
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
            marks: None,
        })
    }

    /// An input for UTF-8 text that is generated when it is read. Reads nothing in advance.
    pub fn lazy(source: &'a mut dyn Source) -> Self {
        Self {
            source,
            head: Vec::new(),
            complete: false,
            least: 1,
            chunk: Vec::new(),
            chunk_start: 0,
            damage: None,
            marks: None,
        }
    }

    /// The first bytes of the source; all bytes if the input is complete.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// Whether the head contains all bytes of the source.
    pub fn complete(&self) -> bool {
        self.complete
    }

    /// Whether bytes at any offset may be read in any order.
    pub fn seekable(&self) -> bool {
        self.complete || self.source.seekable()
    }

    /// Whether the bytes that are not in memory come from a network, so that callers do not scan
    /// them.
    pub fn remote(&self) -> bool {
        !self.complete && self.source.remote()
    }

    /// Uses marks of the lines of this source, and adds others when lines are counted.
    pub fn use_marks(&mut self, marks: Marks) {
        self.marks = Some(marks);
    }

    /// The marks of the lines of this source, with those that were added.
    pub fn marks(&self) -> Option<&Marks> {
        self.marks.as_ref()
    }

    /// Prepares the marks for lines that are counted in code units of `unit` from the offset `start`.
    pub(super) fn adopt_marks(&mut self, unit: CodeUnit, start: u64) {
        if let Some(marks) = &mut self.marks {
            marks.adopt(unit, start);
        }
    }

    /// Notes that a line starts at an offset.
    pub(super) fn mark(&mut self, mark: Mark) {
        if let Some(marks) = &mut self.marks {
            marks.add(mark);
        }
    }

    /// The message about the error that stopped reading before the end, if there was one.
    pub fn damage(&self) -> Option<String> {
        self.damage
            .as_ref()
            .map(|(offset, error)| format!("reading stopped at byte {offset}: {error}"))
    }

    /// The underlying source.
    pub fn source(&mut self) -> &mut dyn Source {
        self.source
    }

    /// A chunk of the source from `offset` on; empty at the end of the source. A read error counts
    /// as the end of the source.
    ///
    /// Unless the source ends, a chunk contains at least one whole code unit. The most
    /// recently read chunk stays in memory, because the next line usually starts in it.
    pub fn chunk(&mut self, offset: u64) -> &[u8] {
        let left = self.in_memory(offset).len();
        if left < self.least && !self.complete && self.damage.is_none() {
            self.refill(offset, left);
        }
        self.in_memory(offset)
    }

    /// Lets [`Input::chunk`] read from the start again, also in a source without random access.
    ///
    /// # Errors
    /// Fails if the source can be read only once.
    pub fn rewind(&mut self) -> Result<(), FileError> {
        if self.seekable() {
            return Ok(());
        }
        // The head is in memory, and reading continues after it.
        let end = self.head.len() as u64;
        let mut bytes = Vec::new();
        let mut at = 0u64;
        while at < end {
            let missing = usize::try_from(end.saturating_sub(at)).unwrap_or(usize::MAX);
            bytes.clear();
            self.source
                .read(at, missing.min(limits::CHUNK_BYTES), &mut bytes)?;
            if bytes.is_empty() {
                return Err(FileError::Other("it is shorter than before".to_owned()));
            }
            at = at.saturating_add(bytes.len() as u64);
        }
        self.chunk.clear();
        self.chunk_start = 0;
        self.damage = None;
        Ok(())
    }

    /// Whether the source ends at `offset`.
    pub fn ends_at(&mut self, offset: u64) -> bool {
        if !self.in_memory(offset).is_empty() {
            return false;
        }
        match self.source.has_more(offset) {
            Some(more) => !more,
            None => self.chunk(offset).is_empty(),
        }
    }

    /// The first bytes of the source, at most `limit`. They are not copied if they are in memory.
    pub fn first(&mut self, limit: u64) -> Cow<'_, [u8]> {
        if self.complete {
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            return Cow::Borrowed(self.head.get(..limit).unwrap_or(&self.head));
        }
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
        Cow::Owned(bytes)
    }

    /// The bytes from `offset` on that are in memory, in the chunk or in the head.
    fn in_memory(&self, offset: u64) -> &[u8] {
        // If the head ends inside a code unit, the chunk starts in the head.
        match part_from(&self.chunk, self.chunk_start, offset) {
            [] => part_from(&self.head, 0, offset),
            chunk => chunk,
        }
    }

    /// Replaces the chunk by one that starts at `offset`. The first `left` bytes of it are in
    /// memory and are not read again.
    fn refill(&mut self, offset: u64, left: usize) {
        let mut bytes = self.in_memory(offset).to_vec();
        let end = offset.saturating_add(left as u64);
        if let Err(error) = self.source.read(end, limits::CHUNK_BYTES, &mut bytes) {
            self.damage = Some((end, error));
        }
        self.chunk = bytes;
        self.chunk_start = offset;
    }
}

/// The size in bytes of the widest code unit of any encoding.
const WIDEST: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that returns at most 1000 bytes at a time, in order.
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
    fn stream_bytes_are_read_once_and_in_order() {
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
            // Requests the same offset again, and uses only a part of the chunk.
            let chunk = input.chunk(read.len() as u64);
            let taken = chunk.len().min(777);
            read.extend_from_slice(&chunk[..taken]);
        }
        assert!(read == bytes);
    }
}
