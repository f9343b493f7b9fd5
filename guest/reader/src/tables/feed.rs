//! The text of a source, decoded to UTF-8 in order.

use crate::encoding::Encoding;
use crate::limits;
use crate::pages::{Charset, Decoder, Input, Piece};
use crate::world::FileError;
use std::ops::ControlFlow;

/// The text of a source in pieces. UTF-8 is passed on unchanged, so it may be invalid.
pub struct Feed<'i, 'a> {
    input: &'i mut Input<'a>,
    encoding: Encoding,
    /// `None` if the bytes of the source are the text.
    decoder: Option<Decoder>,
    /// The offset in the source after the bytes in `buffer`.
    at: u64,
    buffer: Vec<u8>,
    /// The number of bytes of `buffer` that were used.
    used: usize,
    ended: bool,
    /// The number of changes of `buffer`.
    changes: u64,
}

impl<'i, 'a> Feed<'i, 'a> {
    /// A feed of the text after the byte order mark.
    pub fn new(input: &'i mut Input<'a>, encoding: Encoding) -> Self {
        let mut feed = Self {
            input,
            encoding,
            decoder: None,
            at: 0,
            buffer: Vec::new(),
            used: 0,
            ended: false,
            changes: 0,
        };
        feed.to(encoding.bom_len);
        feed
    }

    /// Continues at an offset in the source, at which a character starts.
    fn to(&mut self, at: u64) {
        let charset = self.encoding.charset;
        self.decoder = (charset != Charset::Utf8).then(|| Decoder::new(charset));
        self.at = at;
        self.buffer.clear();
        self.used = 0;
        self.ended = false;
        self.changes = self.changes.wrapping_add(1);
    }

    /// Whether the source can be read again from any place.
    pub fn is_seekable(&self) -> bool {
        self.input.seekable()
    }

    /// Starts again at the first character.
    ///
    /// # Errors
    /// Fails if the source is a stream that can be read only once.
    pub fn restart(&mut self) -> Result<(), FileError> {
        self.input.rewind()?;
        self.to(self.encoding.bom_len);
        Ok(())
    }

    /// The text that was read and not used yet. Reads more if there is none. Empty at the end.
    pub fn text(&mut self) -> &[u8] {
        while self.used >= self.buffer.len() && !self.ended {
            self.buffer.clear();
            self.used = 0;
            self.fill();
        }
        self.buffer.get(self.used..).unwrap_or_default()
    }

    /// The text in memory, the number of bytes of it that were used, and the number of changes of it so
    /// far. Reads nothing.
    pub fn memory(&self) -> (&[u8], usize, u64) {
        (&self.buffer, self.used, self.changes)
    }

    /// The text that was read and not used yet. Reads nothing.
    pub fn buffered(&self) -> &[u8] {
        self.buffer.get(self.used..).unwrap_or_default()
    }

    /// Marks this many bytes of the text as used.
    pub fn advance(&mut self, bytes: usize) {
        self.used = self.used.saturating_add(bytes);
    }

    /// The number of bytes of the source that were read.
    pub fn position(&self) -> u64 {
        let left = self.buffer.len().saturating_sub(self.used);
        self.at.saturating_sub(left as u64)
    }

    /// Reads at least this many bytes more, and keeps the text that was not used yet. Returns whether
    /// there were more.
    pub fn more(&mut self, bytes: usize) -> bool {
        self.buffer.drain(..self.used.min(self.buffer.len()));
        self.used = 0;
        self.changes = self.changes.wrapping_add(1);
        let before = self.buffer.len();
        while !self.ended && self.buffer.len().saturating_sub(before) < bytes.max(1) {
            self.fill();
        }
        self.buffer.len() > before
    }

    /// Skips text. Skips less at the end.
    pub fn skip(&mut self, bytes: usize) {
        let mut left = bytes;
        while left > 0 {
            let found = self.text().len().min(left);
            if found == 0 {
                return;
            }
            self.advance(found);
            left = left.saturating_sub(found);
        }
    }

    /// The first text of the source, at most about [`limits::TABLE_SAMPLE_BYTES`], and whether it is
    /// all of the text. Uses none of it.
    pub fn sample(&mut self) -> (Vec<u8>, bool) {
        let head = self.input.head();
        let sample = head.get(..limits::TABLE_SAMPLE_BYTES).unwrap_or(head);
        let whole = self.input.complete() && sample.len() == head.len();
        let text = self.encoding.decoded(sample, whole).into_owned();
        (text, whole)
    }

    /// Adds the next text to the buffer.
    fn fill(&mut self) {
        self.changes = self.changes.wrapping_add(1);
        let chunk = self.input.chunk(self.at);
        // The chunk in memory may be all of a small file, and a page needs little of it.
        let chunk = chunk.get(..limits::CHUNK_BYTES).unwrap_or(chunk);
        self.at = self.at.saturating_add(chunk.len() as u64);
        self.ended = chunk.is_empty();
        match &mut self.decoder {
            None => self.buffer.extend_from_slice(chunk),
            Some(decoder) => {
                let buffer = &mut self.buffer;
                let _ = decoder.decode(chunk, chunk.is_empty(), &mut |piece| {
                    match piece {
                        Piece::Text(text) => buffer.extend_from_slice(text.as_bytes()),
                        Piece::Invalid(_) => {
                            let mut bytes = [0; 4];
                            let mark = char::REPLACEMENT_CHARACTER.encode_utf8(&mut bytes);
                            buffer.extend_from_slice(mark.as_bytes());
                        }
                    }
                    ControlFlow::Continue(())
                });
            }
        }
    }
}
