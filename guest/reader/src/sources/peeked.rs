//! A source whose first bytes were read for detection, and can be read again.

use crate::limits;
use crate::world::{FileError, Info, Remote, Source};

/// A source of bytes, and its first bytes, which were read already.
pub struct Peeked {
    source: Box<dyn Source>,
    head: Vec<u8>,
    /// The error that occurred when the bytes after `head` were read.
    failed: Option<FileError>,
}

impl Peeked {
    /// Reads the first bytes of a source. `size` is its size in bytes, if known.
    ///
    /// # Errors
    /// Fails if no byte can be read. A later error is returned when the bytes after the head are
    /// read.
    pub fn new(source: Box<dyn Source>, size: Option<u64>) -> Result<Self, FileError> {
        Self::with(Vec::new(), source, size)
    }

    /// As [`Self::new`], but reads only [`limits::SNIFF_BYTES`] if these say that an engine will read the source.
    ///
    /// # Errors
    /// As those of [`Self::new`].
    pub fn brief(
        mut source: Box<dyn Source>,
        size: Option<u64>,
        is_for_engine: fn(&[u8]) -> bool,
    ) -> Result<Self, FileError> {
        let mut head = Vec::new();
        source.read(0, limits::SNIFF_BYTES, &mut head)?;
        if is_for_engine(&head) && head.len() >= limits::SNIFF_BYTES {
            return Ok(Self {
                source,
                head,
                failed: None,
            });
        }
        Self::with(head, source, size)
    }

    /// Reads the first bytes of a source, of which `head` was read before.
    fn with(
        mut head: Vec<u8>,
        mut source: Box<dyn Source>,
        size: Option<u64>,
    ) -> Result<Self, FileError> {
        let mut failed = None;
        if !head.is_empty() && size != Some(head.len() as u64) {
            let left = limits::CHUNK_BYTES.saturating_sub(head.len());
            failed = source.read(head.len() as u64, left, &mut head).err();
        }
        // A stream may return a few bytes per call.
        while head.len() < limits::SNIFF_BYTES {
            let before = head.len();
            match source.read(before as u64, limits::CHUNK_BYTES, &mut head) {
                Ok(()) => {}
                Err(error) if before == 0 => return Err(error),
                Err(error) => failed = Some(error),
            }
            if head.len() == before || size == Some(head.len() as u64) {
                break;
            }
        }
        Ok(Self {
            source,
            head,
            failed,
        })
    }

    /// The first bytes: at least [`limits::SNIFF_BYTES`], unless the source is shorter.
    pub fn head(&self) -> &[u8] {
        &self.head
    }
}

impl Source for Peeked {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = self.head.get(skipped..).unwrap_or_default();
        if rest.is_empty() {
            return match self.failed.take() {
                Some(error) => Err(error),
                None => self.source.read(offset, len, out),
            };
        }
        if skipped == 0 && out.capacity() == 0 && rest.len() <= len {
            // Moves the head without a copy. It is not read twice from the start.
            *out = std::mem::take(&mut self.head);
        } else {
            out.extend_from_slice(rest.get(..len).unwrap_or(rest));
        }
        Ok(())
    }

    fn seekable(&self) -> bool {
        self.source.seekable()
    }

    fn rewindable(&self) -> bool {
        self.source.rewindable()
    }

    fn remote(&self) -> bool {
        self.source.remote()
    }

    fn expect(&mut self, offset: u64, length: u64) {
        self.source.expect(offset, length);
    }

    fn shared(&self) -> Option<Remote> {
        self.source.shared()
    }

    fn info(&mut self) -> Info {
        self.source.info()
    }

    fn state(&mut self) -> Option<[u64; 2]> {
        self.source.state()
    }
}
