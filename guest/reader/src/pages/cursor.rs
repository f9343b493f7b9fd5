//! A position in a text: a byte offset, and the number of its line.

use super::decode::{Charset, Decoder};
use super::input::Input;
use super::line::{LineWriter, Room, Written, plain};
use super::marks::Mark;
use super::scan::CodeUnit;
use crate::limits;
use crate::window::Page;
use std::ops::ControlFlow;

/// The number of bytes in which [`Cursor::seek_line`] searches first. It is a multiple of all
/// widths of code units.
const NEAR: usize = 1024;

/// The maximum number of lines that [`Cursor::seek_line`] skips one by one. To skip more, it counts
/// the line ends of a chunk first, which is faster.
const FEW: u64 = 16;

/// A position in a text.
pub struct Cursor<'i, 's> {
    /// The bytes of the text.
    pub input: &'i mut Input<'s>,
    /// The code unit (one, two or four bytes) of the encoding. Line ends are searched in whole code
    /// units.
    pub unit: CodeUnit,
    /// The byte offset of the position in the source.
    pub offset: u64,
    /// The number of the line that contains the position. A negative number counts from the end of
    /// the text.
    pub line: i64,
    /// Whether the position is inside the line, because only the start of the line was written.
    inside: bool,
    /// Whether the lines are numbered from the start of the text, so that the marks of the input hold for them.
    is_marked: bool,
    /// At the end of the text, whether the last line has no line ending.
    pub lacks_line_ending: bool,
}

impl<'i, 's> Cursor<'i, 's> {
    /// Creates a cursor at the byte offset `offset`, which is the start of the line with the number
    /// `line`.
    pub fn new(input: &'i mut Input<'s>, unit: CodeUnit, offset: u64, line: i64) -> Self {
        Self {
            input,
            unit,
            offset,
            line,
            inside: false,
            is_marked: false,
            lacks_line_ending: false,
        }
    }

    /// Creates a cursor at the start of the text, which is at the byte offset `start`. It uses the marks of the
    /// input, and adds others.
    pub fn at_start(input: &'i mut Input<'s>, unit: CodeUnit, start: u64) -> Self {
        input.adopt_marks(unit, start);
        Self {
            is_marked: true,
            ..Self::new(input, unit, start, 1)
        }
    }

    /// Moves forward to a mark. Does nothing if it is not after the current position.
    fn jump(&mut self, mark: Option<Mark>) {
        if let Some(mark) = mark.filter(|mark| mark.offset > self.offset) {
            self.offset = mark.offset;
            self.line = i64::try_from(mark.line).unwrap_or(i64::MAX);
            self.lacks_line_ending = false;
        }
    }

    /// Notes that the line after `passed` further lines starts `bytes` after the current position.
    fn mark(&mut self, passed: u64, bytes: usize) {
        let line = self.line.saturating_add_unsigned(passed);
        if let Some(line) = u64::try_from(line).ok().filter(|_| self.is_marked) {
            let offset = self.offset.saturating_add(bytes as u64);
            self.input.mark(Mark { line, offset });
        }
    }

    /// Whole code units from the current position on, as many as are in memory. Empty at the end of
    /// the text. If only an incomplete code unit is left at the end of the text, returns that.
    fn chunk(&mut self) -> &[u8] {
        let unit = self.unit;
        let bytes = self.input.chunk(self.offset);
        let whole = unit.whole(bytes);
        if whole.is_empty() { bytes } else { whole }
    }

    fn advance(&mut self, bytes: usize) {
        self.offset = self.offset.saturating_add(bytes as u64);
    }

    /// Skips the rest of a line that was cut. Returns whether the text ends at the resulting
    /// position.
    pub fn at_end(&mut self) -> bool {
        self.settle();
        self.input.ends_at(self.offset)
    }

    /// Whether the position is inside a line that was cut.
    pub fn is_inside(&self) -> bool {
        self.inside
    }

    /// Skips the rest of a line that was cut.
    pub fn settle(&mut self) {
        while std::mem::take(&mut self.inside) {
            let unit = self.unit;
            let chunk = self.chunk();
            let length = chunk.len();
            match unit.first(chunk) {
                Some(end) => {
                    self.advance(end);
                    self.line = self.line.saturating_add(1);
                }
                None if length == 0 => self.lacks_line_ending = true,
                None => {
                    self.advance(length);
                    self.inside = true;
                }
            }
        }
    }

    /// Moves forward to the start of the line `target`. Returns false if the text ends before it.
    pub fn seek_line(&mut self, target: i64) -> bool {
        self.settle();
        let unit = self.unit;
        if let (true, Some(marks)) = (self.is_marked, self.input.marks()) {
            let mark = u64::try_from(target)
                .ok()
                .and_then(|line| marks.before(line));
            self.jump(mark);
        }
        // Starts with few bytes, so that a near line is found without a scan of the whole chunk.
        let mut stride = NEAR;
        loop {
            let missing = u64::try_from(target.saturating_sub(self.line)).unwrap_or(0);
            let chunk = self.chunk();
            if chunk.is_empty() {
                return false;
            }
            if missing == 0 {
                return true;
            }
            let chunk = chunk.get(..stride).unwrap_or(chunk);
            stride = stride.saturating_mul(2);
            let length = chunk.len();
            // Counting is faster than finding each line end.
            let ends = if missing > FEW {
                unit.count(chunk)
            } else {
                missing
            };
            let (passed, end) = if ends < missing {
                (ends, unit.last(chunk))
            } else {
                unit.pass(chunk, missing)
            };
            let used = if passed < missing {
                length
            } else {
                end.unwrap_or(length)
            };
            self.lacks_line_ending = passed < missing && end != Some(length);
            if let Some(end) = end {
                self.mark(passed, end);
            }
            self.line = self.line.saturating_add_unsigned(passed);
            self.advance(used);
        }
    }

    /// Moves to the end. Returns the number of lines, if they are numbered from 1.
    pub fn count_to_end(&mut self) -> u64 {
        self.settle();
        if let (true, Some(marks)) = (self.is_marked, self.input.marks()) {
            self.jump(marks.last());
        }
        loop {
            let unit = self.unit;
            let chunk = self.chunk();
            if chunk.is_empty() {
                return self.lines_passed();
            }
            let (length, ends, end) = (chunk.len(), unit.count(chunk), unit.last(chunk));
            self.lacks_line_ending = end != Some(length);
            if let Some(end) = end {
                self.mark(ends, end);
            }
            self.line = self.line.saturating_add_unsigned(ends);
            self.advance(length);
        }
    }

    /// The number of lines of the text. The position must be the end of the text, and lines must be
    /// numbered from 1.
    pub fn lines_passed(&self) -> u64 {
        let complete = u64::try_from(self.line).unwrap_or(0).saturating_sub(1);
        complete.saturating_add(u64::from(self.lacks_line_ending))
    }

    /// Writes the line that starts at the current position onto `page`, up to the limits of `room`.
    /// Moves to the next line, or stays in the line if the line was cut.
    pub fn write_line(&mut self, coding: Charset, page: &mut Page, room: Room) -> Written {
        if coding == Charset::Utf8
            && let Some(written) = self.write_plain(page, room)
        {
            return written;
        }
        let unit = self.unit;
        let mut decoder = Decoder::new(coding);
        let mut writer = LineWriter::new(&mut page.text, &mut page.escapes, room);
        loop {
            let chunk = self.chunk();
            if chunk.is_empty() {
                self.lacks_line_ending = true;
                let _ = decoder.decode(&[], true, &mut |piece| writer.piece(piece));
                break;
            }
            let end = unit.first(chunk);
            let line = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
            let used = line.len();
            let mut flow = ControlFlow::Continue(());
            let mut pieces = line.chunks(limits::DECODE_BYTES).peekable();
            while let (ControlFlow::Continue(()), Some(piece)) = (flow, pieces.next()) {
                let last = end.is_some() && pieces.peek().is_none();
                flow = decoder.decode(piece, last, &mut |piece| writer.piece(piece));
            }
            if flow.is_break() {
                break;
            }
            self.advance(used);
            if end.is_some() {
                self.line = self.line.saturating_add(1);
                break;
            }
        }
        let ended = writer.ended;
        let written = writer.finish();
        // The writer may report a cut after the cursor has passed the end of the line.
        self.inside = written.cut.is_some() && !ended && !self.lacks_line_ending;
        written
    }

    /// Writes the line that starts at the current position, which is in UTF-8, and moves to the next line. `None` if its
    /// text is not written as it is, or if its end is not in memory.
    fn write_plain(&mut self, page: &mut Page, room: Room) -> Option<Written> {
        // A longer line is cut. Its end is not searched.
        let chars = room.chars.unwrap_or(u64::MAX).saturating_add(2);
        let most = usize::try_from(chars).unwrap_or(usize::MAX);
        let unit = self.unit;
        let chunk = self.chunk();
        let end = unit.first(chunk.get(..most).unwrap_or(chunk))?;
        page.text.push_str(plain(chunk.get(..end)?, room)?);
        self.advance(end);
        self.line = self.line.saturating_add(1);
        self.inside = false;
        Some(Written {
            cut: None,
            length: None,
        })
    }
}
