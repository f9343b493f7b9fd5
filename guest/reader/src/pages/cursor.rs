//! A place in a text: a byte, and the number of the line that holds it.

use super::decode::{Coding, Decoder};
use super::input::Input;
use super::line::{Cut, LineWriter, Room};
use super::scan::Unit;
use crate::limits;
use crate::window::Page;
use std::ops::ControlFlow;

/// Bytes in which a line is looked for first: whole units of any width.
const NEAR: usize = 1024;

/// Lines that are passed one by one at once: of more it is first counted whether
/// they are there.
const FEW: u64 = 16;

/// A place in a text.
pub struct Cursor<'i, 's> {
    /// The bytes.
    pub input: &'i mut Input<'s>,
    /// The width in which lines end.
    pub unit: Unit,
    /// The next byte.
    pub offset: u64,
    /// The number of the line that holds it.
    pub line: i64,
    /// The next byte is inside that line, behind a cut.
    inside: bool,
    /// The text ended inside that line: it has no line ending.
    pub torn: bool,
}

impl<'i, 's> Cursor<'i, 's> {
    /// A cursor at the start of a line.
    pub fn new(input: &'i mut Input<'s>, unit: Unit, offset: u64, line: i64) -> Self {
        Self {
            input,
            unit,
            offset,
            line,
            inside: false,
            torn: false,
        }
    }

    /// Whole units from here on; empty at the end. A torn unit at the end is
    /// handed out as it is.
    fn chunk(&mut self) -> &[u8] {
        let unit = self.unit;
        let bytes = self.input.chunk(self.offset);
        let whole = unit.whole(bytes);
        if whole.is_empty() { bytes } else { whole }
    }

    fn advance(&mut self, bytes: usize) {
        self.offset = self.offset.saturating_add(bytes as u64);
    }

    /// Whether there is no line here or behind.
    pub fn at_end(&mut self) -> bool {
        self.settle();
        self.input.ends_at(self.offset)
    }

    /// Whether the next byte is inside a line that was cut.
    pub fn is_inside(&self) -> bool {
        self.inside
    }

    /// Goes behind the rest of a line that was cut.
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
                None if length == 0 => self.torn = true,
                None => {
                    self.advance(length);
                    self.inside = true;
                }
            }
        }
    }

    /// Goes to the start of a line that is not behind; false if the text ends
    /// before it.
    pub fn seek_line(&mut self, target: i64) -> bool {
        self.settle();
        let unit = self.unit;
        // A line that is near is found without a look at all that lies behind it.
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
            // What is far is counted first, which is faster than to look at each
            // end.
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
            self.torn = passed < missing && end != Some(length);
            self.line = self.line.saturating_add_unsigned(passed);
            self.advance(used);
        }
    }

    /// Goes to the end; the number of lines, if they are numbered from 1.
    pub fn count_to_end(&mut self) -> u64 {
        self.settle();
        loop {
            let unit = self.unit;
            let chunk = self.chunk();
            if chunk.is_empty() {
                return self.lines_passed();
            }
            let (length, ends) = (chunk.len(), unit.count(chunk));
            self.torn = unit.last(chunk) != Some(length);
            self.line = self.line.saturating_add_unsigned(ends);
            self.advance(length);
        }
    }

    /// The lines up to here, if they are numbered from 1 and this is the end.
    pub fn lines_passed(&self) -> u64 {
        let complete = u64::try_from(self.line).unwrap_or(0).saturating_sub(1);
        complete.saturating_add(u64::from(self.torn))
    }

    /// Writes the line that starts here as far as there is room, and goes to
    /// where it was cut or behind it.
    pub fn write_line(&mut self, coding: Coding, page: &mut Page, room: Room) -> Option<Cut> {
        let unit = self.unit;
        let mut decoder = Decoder::new(coding);
        let mut writer = LineWriter::new(&mut page.text, &mut page.marks, room);
        let mut begins = true;
        loop {
            let chunk = self.chunk();
            if chunk.is_empty() {
                self.torn = true;
                let _ = decoder.decode(&[], true, &mut |piece| writer.piece(piece));
                break;
            }
            let end = unit.first(chunk);
            let line = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
            let used = line.len();
            let mut flow = ControlFlow::Continue(());
            let whole = begins && coding == Coding::Utf8 && writer.whole(line);
            if !whole {
                let mut pieces = line.chunks(limits::DECODE_BYTES).peekable();
                while let (ControlFlow::Continue(()), Some(piece)) = (flow, pieces.next()) {
                    let last = end.is_some() && pieces.peek().is_none();
                    flow = decoder.decode(piece, last, &mut |piece| writer.piece(piece));
                }
            }
            begins = false;
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
        let cut = writer.finish();
        // A cut can be found only when the line has already been passed.
        self.inside = cut.is_some() && !ended && !self.torn;
        cut
    }
}
