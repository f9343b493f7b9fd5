//! One line of a text, read byte by byte: whether it is a marker.

use crate::block::Label;
use std::ops::Range;

/// The least number of signs of a marker.
pub const LEAST: u64 = 7;

/// Whether a marker may begin with this sign.
pub fn is_sign(byte: u8) -> bool {
    matches!(byte, b'<' | b'|' | b'=' | b'>' | b'%' | b'+' | b'-' | b'\\')
}

/// A line that looks like a marker.
#[derive(Clone, Debug)]
pub struct Marker {
    /// The sign that it repeats.
    pub sign: u8,
    /// The number of signs.
    pub size: u64,
    pub label: Label,
    /// The number of the line, from 1.
    pub line: u64,
    /// The offsets of the line, with its line ending.
    pub bytes: Range<u64>,
}

/// The start of a line that may be a marker, as far as it was read.
#[derive(Debug)]
pub struct Candidate {
    sign: u8,
    size: u64,
    /// The label with the space before it, and with the carriage return before the line ending.
    label: Vec<u8>,
    cut: bool,
    /// The last byte that was read.
    last: u8,
}

impl Candidate {
    pub fn new(sign: u8) -> Self {
        Self {
            sign,
            size: 0,
            label: Vec::new(),
            cut: false,
            last: sign,
        }
    }

    /// Reads the next bytes of the line, without its line feed. Returns whether the line may still be
    /// a marker.
    pub fn read(&mut self, bytes: &[u8]) -> bool {
        let mut rest = bytes;
        if self.label.is_empty() {
            let run = bytes.iter().take_while(|byte| **byte == self.sign).count();
            self.size = self.size.saturating_add(run as u64);
            rest = bytes.get(run..).unwrap_or_default();
        }
        let (Some(first), Some(last)) = (rest.first(), rest.last()) else {
            return true;
        };
        if self.label.is_empty() && (self.size < LEAST || !matches!(first, b' ' | b'\r')) {
            return false;
        }
        self.last = *last;
        // A carriage return and the space do not count.
        let room = Label::BYTES
            .saturating_add(2)
            .saturating_sub(self.label.len());
        self.cut |= rest.len() > room;
        self.label.extend(rest.iter().take(room));
        // A carriage return without a line feed is not the end of a line.
        !(self.label.len() > 1 && self.label.starts_with(b"\r"))
    }

    /// The marker that the line is, which has now ended. `bytes` has the offsets of the line. `None` if
    /// it is not one.
    pub fn end(self, line: u64, bytes: Range<u64>) -> Option<Marker> {
        let Self {
            sign,
            size,
            label,
            cut,
            last,
        } = self;
        if size < LEAST {
            return None;
        }
        let label = match label.strip_suffix(b"\r") {
            Some(label) if last == b'\r' => label,
            _ => &label,
        };
        // `=======` has no label: text after it is that of a heading.
        if sign == b'=' && !label.is_empty() {
            return None;
        }
        let kept = label.get(..label.len().min(Label::BYTES.saturating_add(1)));
        let text = String::from_utf8_lossy(kept.unwrap_or_default());
        let cut = cut || kept.is_some_and(|kept| kept.len() < label.len());
        // A character that the cut splits is not a part of the label.
        let text = if cut {
            text.trim_end_matches(char::REPLACEMENT_CHARACTER).trim()
        } else {
            text.trim()
        };
        let label = Label {
            text: text.to_owned(),
            cut,
        };
        Some(Marker {
            sign,
            size,
            label,
            line,
            bytes,
        })
    }
}
