//! Bytes by offset over any source, with its head kept.

use crate::limits;
use crate::world::{FileError, Source};

/// A source and the bytes of it that were already read to judge it.
pub struct Input<'a> {
    source: &'a mut dyn Source,
    head: Vec<u8>,
    /// The head is all there is.
    complete: bool,
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
        let mut head = Vec::new();
        let mut complete = false;
        let mut damage = None;
        loop {
            let offset = head.len() as u64;
            if offset > limits::WHOLE_BYTES || (large && head.len() >= limits::CHUNK_BYTES) {
                break;
            }
            match source.read(offset, limits::CHUNK_BYTES) {
                Ok([]) => {
                    complete = true;
                    break;
                }
                Ok(bytes) => {
                    head.extend_from_slice(bytes);
                    // A file that ends where its size says so needs no read
                    // to find that out, but `/proc` and growing files do.
                    if size == Some(head.len() as u64) && bytes.len() < limits::CHUNK_BYTES {
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
            damage,
        })
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
    pub fn chunk(&mut self, offset: u64) -> &[u8] {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        if start < self.head.len() {
            return self.head.get(start..).unwrap_or_default();
        }
        if self.complete || self.damage.is_some() {
            return &[];
        }
        match self.source.read(offset, limits::CHUNK_BYTES) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.damage = Some((offset, error));
                &[]
            }
        }
    }
}
