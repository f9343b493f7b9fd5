//! Finds the blocks of a text that is read in chunks.
//!
//! Outside of blocks, only lines that start with `<<<<<<<` are examined. In blocks, those are that start with seven or
//! more of any sign.

use crate::block::{Block, End, Section};
use crate::frame::{Effect, Frame};
use crate::marker::{Candidate, Marker, Place, find, is_sign};
use memchr::{memchr, memchr_iter, memrchr};
use std::ops::Range;

/// The byte order mark of UTF-8, which may precede the first line.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// The maximum number of blocks inside of each other that are kept. Git nests a few.
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
    /// The numbers of the blocks whose labels are kept.
    labelled: Range<u64>,
    /// The offset of the next byte.
    offset: u64,
    /// The number of the current line, and the offset at which it starts.
    number: u64,
    start: u64,
    line: Line,
    /// The blocks whose end is not certain. Each is inside of the one before it, or after its first end.
    frames: Vec<Frame>,
    /// The number of blocks that were found.
    found: u64,
    /// The memory for the sections of the next block.
    spare: Vec<Section>,
}

impl Default for Scanner {
    fn default() -> Self {
        Self {
            labelled: 0..u64::MAX,
            offset: 0,
            number: 1,
            start: 0,
            line: Line::Start(0),
            frames: Vec::new(),
            found: 0,
            spare: Vec::new(),
        }
    }
}

impl Scanner {
    /// Keeps the labels only of the blocks with these numbers, from 1. The others have [`Label::skipped`]. A text that
    /// consists of markers is scanned several times as fast without labels.
    ///
    /// [`Label::skipped`]: crate::Label::skipped
    pub fn labelling(numbers: Range<u64>) -> Self {
        Self {
            labelled: numbers,
            ..Self::default()
        }
    }

    /// Whether the label of a marker may be that of a block whose labels are kept. The number of an open block is not
    /// known before those around it end.
    fn keeps_label(&self) -> bool {
        let next = self.found.saturating_add(1);
        let open = INSIDE.saturating_add(DEPTH) as u64;
        next < self.labelled.end && next.saturating_add(open) >= self.labelled.start
    }

    /// Reads the next bytes of the text, and passes the blocks that they end to `found`, in order.
    pub fn push(&mut self, chunk: &[u8], found: &mut dyn FnMut(&Block)) {
        let mut rest = chunk;
        while !rest.is_empty() {
            let read = match &mut self.line {
                Line::Start(_) => self.line_start(rest),
                Line::Candidate(_) => self.candidate(rest, found),
                Line::Text => self.pass_text(rest),
            };
            rest = rest.get(read..).unwrap_or_default();
            self.offset = self.offset.saturating_add(read as u64);
        }
    }

    /// Ends the text, and passes the blocks without an end to `found`.
    pub fn finish(mut self, found: &mut dyn FnMut(&Block)) {
        if let Line::Candidate(candidate) = std::mem::replace(&mut self.line, Line::Text) {
            let place = Place {
                line: self.number,
                bytes: self.start..self.offset,
            };
            if let Some(marker) = candidate.end(place, self.keeps_label()) {
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
    fn candidate(&mut self, bytes: &[u8], found: &mut dyn FnMut(&Block)) -> usize {
        let keeps = self.keeps_label();
        let Line::Candidate(candidate) = &mut self.line else {
            return 0;
        };
        let Some(end) = memchr(b'\n', bytes) else {
            if !candidate.read(bytes) {
                self.line = Line::Text;
                return 0;
            }
            return bytes.len();
        };
        let line = bytes.get(..end).unwrap_or(bytes);
        let read = end.saturating_add(1);
        let end = self.offset.saturating_add(read as u64);
        let place = Place {
            line: self.number,
            bytes: self.start..end,
        };
        let marker = if candidate.is_new() {
            Marker::of_line(line, place, keeps)
        } else if candidate.read(line) {
            match std::mem::replace(&mut self.line, Line::Text) {
                Line::Candidate(candidate) => candidate.end(place, keeps),
                Line::Start(_) | Line::Text => None,
            }
        } else {
            None
        };
        if let Some(marker) = marker {
            self.marker(marker, found);
        }
        self.line = Line::Start(0);
        self.number = self.number.saturating_add(1);
        self.start = end;
        read
    }

    /// Reads text up to the line feed before the next line that may be a marker, or to the end of `bytes`.
    fn pass_text(&mut self, bytes: &[u8]) -> usize {
        let feed = if self.frames.is_empty() {
            find(bytes, |byte| byte == b'<')
        } else if self.frames.iter().all(Frame::is_over) {
            find(bytes, |byte| matches!(byte, b'<' | b'=' | b'>'))
        } else {
            find(bytes, is_sign)
        };
        if let Some(feed) = feed {
            return self.begin(bytes, feed);
        }
        if let Some(last) = memrchr(b'\n', bytes) {
            self.begin(bytes, last);
            self.line = Line::Text;
        }
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

    /// Applies a marker to the innermost block with markers of its length.
    fn marker(&mut self, marker: Marker, found: &mut dyn FnMut(&Block)) {
        if marker.sign == b'<' {
            return self.open(marker, found);
        }
        let Some((place, frame)) = self.of_size(marker.size) else {
            return;
        };
        let effect = frame.effect(&marker);
        if effect == Effect::Text || (frame.has_end() && self.is_open_after(place)) {
            return;
        }
        let (at, line) = (marker.bytes.start, marker.line);
        self.give_up_inside(place, at, line, found);
        let around = self.frames.get(..place).unwrap_or_default();
        let is_inner = around.iter().any(|frame| frame.size == marker.size);
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        if effect == Effect::Section {
            frame.section(marker);
        } else if frame.end(marker, is_inner) {
            self.give_up_last(at, line, found);
        }
    }

    /// Begins a block.
    fn open(&mut self, marker: Marker, found: &mut dyn FnMut(&Block)) {
        let (at, line) = (marker.bytes.start, marker.line);
        if let Some((place, frame)) = self.of_size(marker.size) {
            let around = self.frames.get(..place).unwrap_or_default();
            let outer = around.iter().position(|frame| frame.size == marker.size);
            let is_finished = if frame.has_end() {
                !self.is_open_after(place)
            } else {
                // In the base, Git leaves conflicts. A side may have one, which has none.
                let is_third = outer.is_some_and(|outer| self.is_open_side(outer));
                !frame.is_in_base() && (frame.encloses() || (is_third && outer != Some(0)))
            };
            if is_finished {
                self.give_up_inside(place, at, line, found);
                self.give_up_last(at, line, found);
            } else if outer == Some(0) && self.is_open_side(0) && self.is_open_side(place) {
                self.give_up_first(found);
            }
        }
        while self.frames.len() >= DEPTH {
            self.give_up_first(found);
        }
        let sections = std::mem::take(&mut self.spare);
        self.frames.push(Frame::new(marker, sections));
    }

    /// The innermost block with markers of a length, and its place.
    fn of_size(&self, size: u64) -> Option<(usize, &Frame)> {
        let place = self.frames.iter().rposition(|frame| frame.size == size)?;
        Some((place, self.frames.get(place)?))
    }

    /// Whether the block at this place is open, and not in its base.
    fn is_open_side(&self, place: usize) -> bool {
        let frame = self.frames.get(place);
        frame.is_some_and(|frame| !frame.has_end() && !frame.is_in_base())
    }

    /// Whether a block after this place has no end yet, so that a marker is text of it rather than one of the block at
    /// this place, which has an end.
    fn is_open_after(&self, place: usize) -> bool {
        let mut inner = self.frames.iter().skip(place.saturating_add(1));
        inner.any(|frame| !frame.has_end())
    }

    /// Removes the blocks after this place. Those that are open have no end before the offset `at`.
    fn give_up_inside(&mut self, place: usize, at: u64, line: u64, found: &mut dyn FnMut(&Block)) {
        while self.frames.len() > place.saturating_add(1) {
            self.give_up_last(at, line, found);
        }
    }

    /// Removes the innermost block. If it is open, it has no end before the offset `at`.
    fn give_up_last(&mut self, at: u64, line: u64, found: &mut dyn FnMut(&Block)) {
        if let Some(frame) = self.frames.pop() {
            self.add(frame, at, line, found);
        }
    }

    /// Adds a block as far as it was found before the offset `at`, and those inside of it unless they are its text.
    fn add(&mut self, frame: Frame, at: u64, line: u64, found: &mut dyn FnMut(&Block)) {
        let (block, inside) = frame.finished(at, line);
        if let (Some(block), Some(around)) = (&block, self.frames.last_mut())
            && block.end == End::Marker
        {
            around.count(block);
        }
        for block in block.into_iter().chain(inside) {
            self.add_one(block, found);
        }
    }

    /// Removes the outermost block, in which too much was found for it to have a later end.
    fn give_up_first(&mut self, found: &mut dyn FnMut(&Block)) {
        if self.frames.is_empty() {
            return;
        }
        let outer = self.frames.remove(0);
        let inner = std::mem::take(&mut self.frames);
        let next = inner.first().map(Frame::start);
        let (at, line) = next.unwrap_or((self.start, self.number));
        self.add(outer, at, line, found);
        self.frames = inner;
    }

    /// Adds a block to the one around it, or passes it on.
    fn add_one(&mut self, mut block: Block, found: &mut dyn FnMut(&Block)) {
        let Some(around) = self.frames.last_mut() else {
            self.found = self.found.saturating_add(1);
            block.number = self.found;
            found(&block);
            self.spare = block.sections;
            self.spare.clear();
            return;
        };
        around.inside.push(block);
        let inside = self.frames.iter().map(|frame| frame.inside.len());
        if inside.fold(0usize, usize::saturating_add) > INSIDE {
            self.give_up_first(found);
        }
    }
}
