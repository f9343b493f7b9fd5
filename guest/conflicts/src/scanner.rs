//! Finds the blocks of a text that is read in chunks.
//!
//! Outside of blocks, only lines that start with `<<<<<<<` are examined. In blocks, each line is, by its
//! first byte.

use crate::block::{Block, End};
use crate::frame::{Effect, Frame};
use crate::marker::{Candidate, Marker, is_sign};
use memchr::{memchr, memchr_iter, memmem, memrchr};

/// The bytes before a block that is not at the start of the text: a line feed and the least marker.
const START: &[u8] = b"\n<<<<<<<";

/// The byte order mark of UTF-8, which may precede the first line.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// The maximum number of blocks inside of each other that are open. Git nests a few.
const DEPTH: usize = 8;

/// The maximum number of blocks that are kept until it is known whether they are text of the block
/// around them. Each has up to [`Block::SECTIONS`] labels.
const INSIDE: usize = 64;

/// What is known of the current line.
#[derive(Debug)]
enum Line {
    /// Nothing was read of it. Of the first line, this number of bytes of a byte order mark was.
    Start(usize),
    /// It may be a marker.
    Candidate(Candidate),
    /// It is no marker.
    Text,
}

/// Finds the blocks of a text.
#[derive(Debug)]
pub struct Scanner {
    finder: memmem::Finder<'static>,
    /// The offset of the next byte.
    offset: u64,
    /// The number of the current line, and the offset at which it starts.
    number: u64,
    start: u64,
    line: Line,
    /// The open blocks. Each is inside of the one before it.
    frames: Vec<Frame>,
    /// The number of blocks that were found.
    found: u64,
}

impl Default for Scanner {
    fn default() -> Self {
        Self {
            finder: memmem::Finder::new(START),
            offset: 0,
            number: 1,
            start: 0,
            line: Line::Start(0),
            frames: Vec::new(),
            found: 0,
        }
    }
}

impl Scanner {
    /// Reads the next bytes of the text, and passes the blocks that they end to `found`, in order.
    pub fn push(&mut self, chunk: &[u8], found: &mut dyn FnMut(Block)) {
        let mut rest = chunk;
        while !rest.is_empty() {
            let read = match &mut self.line {
                Line::Start(_) => self.line_start(rest),
                Line::Candidate(_) => self.candidate(rest, found),
                Line::Text if self.frames.is_empty() => self.pass_text(rest),
                Line::Text => self.pass_line(rest),
            };
            rest = rest.get(read..).unwrap_or_default();
            self.offset = self.offset.saturating_add(read as u64);
        }
    }

    /// Ends the text, and passes the blocks without an end to `found`.
    pub fn finish(mut self, found: &mut dyn FnMut(Block)) {
        if let Line::Candidate(candidate) = std::mem::replace(&mut self.line, Line::Text) {
            let bytes = self.start..self.offset;
            if let Some(marker) = candidate.end(self.number, bytes) {
                self.marker(marker, found);
            }
        }
        // The line after the last one, which may have no line ending.
        let begun = u64::from(self.offset > self.start);
        let line = self.number.saturating_add(begun);
        while !self.frames.is_empty() {
            self.give_up_last(self.offset, line, found);
        }
    }

    /// Reads the first byte of a line. Returns the number of bytes that were read.
    fn line_start(&mut self, bytes: &[u8]) -> usize {
        let Some(first) = bytes.first() else {
            return 0;
        };
        if let Line::Start(marks) = &mut self.line
            && self.number == 1
            && BOM.get(*marks) == Some(first)
        {
            *marks = marks.saturating_add(1);
            // A byte order mark is not a part of the block.
            self.start = self.start.saturating_add(1);
            return 1;
        }
        let cut_mark = matches!(self.line, Line::Start(1 | 2));
        self.line = if is_sign(*first) && !cut_mark {
            Line::Candidate(Candidate::new(*first))
        } else {
            Line::Text
        };
        0
    }

    /// Reads the rest of a line that may be a marker.
    fn candidate(&mut self, bytes: &[u8], found: &mut dyn FnMut(Block)) -> usize {
        let end = memchr(b'\n', bytes);
        let line = end.and_then(|end| bytes.get(..end)).unwrap_or(bytes);
        let Line::Candidate(candidate) = &mut self.line else {
            return 0;
        };
        if !candidate.read(line) {
            self.line = Line::Text;
            return 0;
        }
        if end.is_none() {
            return line.len();
        }
        let read = line.len().saturating_add(1);
        let end = self.offset.saturating_add(read as u64);
        if let Line::Candidate(candidate) = std::mem::replace(&mut self.line, Line::Start(0))
            && let Some(marker) = candidate.end(self.number, self.start..end)
        {
            self.marker(marker, found);
        }
        self.number = self.number.saturating_add(1);
        self.start = end;
        read
    }

    /// Reads the rest of a line in a block.
    fn pass_line(&mut self, bytes: &[u8]) -> usize {
        let Some(end) = memchr(b'\n', bytes) else {
            return bytes.len();
        };
        self.begin(bytes, end)
    }

    /// Reads text outside of blocks, up to the line feed before the next line that starts a block, or to
    /// the last line feed after which such a line may begin.
    fn pass_text(&mut self, bytes: &[u8]) -> usize {
        if let Some(at) = self.finder.find(bytes) {
            return self.begin(bytes, at);
        }
        let Some(last) = memrchr(b'\n', bytes) else {
            return bytes.len();
        };
        let after = bytes.get(last.saturating_add(1)..).unwrap_or_default();
        if after.len() < START.len() && after.iter().all(|byte| *byte == b'<') {
            return self.begin(bytes, last);
        }
        self.begin(bytes, last);
        self.line = Line::Text;
        bytes.len()
    }

    /// Begins the line after the line feed at an offset in `bytes`, and counts the lines before it.
    fn begin(&mut self, bytes: &[u8], feed: usize) -> usize {
        let before = bytes.get(..feed).unwrap_or_default();
        let lines = (memchr_iter(b'\n', before).count() as u64).saturating_add(1);
        let read = feed.saturating_add(1);
        self.number = self.number.saturating_add(lines);
        self.start = self.offset.saturating_add(read as u64);
        self.line = Line::Start(0);
        read
    }

    /// Applies a marker to the innermost open block with markers of its length.
    fn marker(&mut self, marker: Marker, found: &mut dyn FnMut(Block)) {
        let (at, line) = (marker.bytes.start, marker.line);
        let of_size = |frame: &Frame| frame.size == marker.size;
        let frame = self.frames.iter().rfind(|frame| of_size(frame));
        if marker.sign == b'<' {
            // In the base, Git leaves conflicts. Elsewhere, the block before this one has no end.
            if frame.is_some_and(|frame| !frame.is_in_base()) {
                self.give_up_inside(marker.size, at, line, found);
                self.give_up_last(at, line, found);
            }
            while self.frames.len() >= DEPTH {
                self.give_up_first(found);
            }
            self.frames.push(Frame::new(marker));
            return;
        }
        let effect = frame.map_or(Effect::Text, |frame| frame.effect(&marker));
        if effect == Effect::Text {
            return;
        }
        self.give_up_inside(marker.size, at, line, found);
        if effect == Effect::End {
            let ended = self.frames.pop().and_then(|frame| frame.ended(marker));
            if let (Some(ended), Some(around)) = (&ended, self.frames.last_mut())
                && around.is_in_base()
                && ended.end == End::Marker
            {
                around.nested = around.nested.saturating_add(1);
            }
            self.add(ended.into_iter().collect(), found);
        } else if let Some(frame) = self.frames.last_mut() {
            frame.section(marker);
        }
    }

    /// Removes the open blocks inside of the innermost one with markers of this length. They have no end
    /// before the offset `at`.
    fn give_up_inside(&mut self, size: u64, at: u64, line: u64, found: &mut dyn FnMut(Block)) {
        while self.frames.last().is_some_and(|last| last.size != size) {
            self.give_up_last(at, line, found);
        }
    }

    /// Removes the innermost open block, which has no end before the offset `at`.
    fn give_up_last(&mut self, at: u64, line: u64, found: &mut dyn FnMut(Block)) {
        if let Some(frame) = self.frames.pop() {
            self.add(frame.unended(at, line), found);
        }
    }

    /// Removes the outermost open block, in which too much was found for it to have an end.
    fn give_up_first(&mut self, found: &mut dyn FnMut(Block)) {
        if self.frames.is_empty() {
            return;
        }
        let inner = self.frames.split_off(1);
        let next = inner.first().map(Frame::start);
        let (at, line) = next.unwrap_or((self.start, self.number));
        if let Some(outer) = self.frames.pop() {
            self.add(outer.unended(at, line), found);
        }
        self.frames = inner;
    }

    /// Adds blocks to the open block around them, or passes them on.
    fn add(&mut self, blocks: Vec<Block>, found: &mut dyn FnMut(Block)) {
        let Some(around) = self.frames.last_mut() else {
            for mut block in blocks {
                self.found = self.found.saturating_add(1);
                block.number = self.found;
                found(block);
            }
            return;
        };
        around.inside.extend(blocks);
        let inside = self.frames.iter().map(|frame| frame.inside.len());
        if inside.fold(0usize, usize::saturating_add) > INSIDE {
            self.give_up_first(found);
        }
    }
}
