//! One line of a text, read byte by byte: whether it is a marker.

use crate::block::Label;
use memchr::memrchr;
use std::ops::Range;

/// The least number of signs of a marker.
pub const LEAST: u64 = 7;

/// Whether a marker may begin with this sign.
pub fn is_sign(byte: u8) -> bool {
    matches!(byte, b'<' | b'|' | b'=' | b'>' | b'%' | b'+' | b'-' | b'\\')
}

/// Whether a byte may follow the signs of a marker.
fn is_after(sign: u8, byte: u8) -> bool {
    matches!(byte, b' ' | b'\r') || (sign == b'=' && byte == b'\t')
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
        if self.label.is_empty() && (self.size < LEAST || !is_after(self.sign, *first)) {
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

    /// Whether nothing was read yet.
    pub fn is_new(&self) -> bool {
        self.size == 0
    }

    /// The marker that the line is, which has now ended. `None` if it is not one.
    pub fn end(self, place: Place, keeps: bool) -> Option<Marker> {
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
        let kept = label.get(..label.len().min(Label::BYTES.saturating_add(1)));
        let kept = kept.unwrap_or_default();
        let cut = cut || kept.len() < label.len();
        Marker::new((sign, size), (kept, cut), place, keeps)
    }
}

/// The place of a line in a text.
pub struct Place {
    /// The number of the line, from 1.
    pub line: u64,
    /// The offsets of the line, with its line ending.
    pub bytes: Range<u64>,
}

impl Marker {
    /// The marker that a whole line without its line feed is. `None` if it is not one.
    pub fn of_line(line: &[u8], place: Place, keeps: bool) -> Option<Self> {
        let sign = *line.first()?;
        let size = line.iter().take_while(|byte| **byte == sign).count();
        let rest = line.get(size..).unwrap_or_default();
        let size = size as u64;
        // A carriage return without a line feed is not the end of a line.
        let is_end = match rest {
            [] | [b'\r'] => true,
            [b'\r', ..] => false,
            [first, ..] => is_after(sign, *first),
        };
        if size < LEAST || !is_end {
            return None;
        }
        let label = rest.strip_suffix(b"\r").unwrap_or(rest);
        let most = Label::BYTES.saturating_add(1);
        let (kept, cut) = match label.get(..most) {
            Some(kept) => (kept, label.len() > most),
            None => (label, false),
        };
        Self::new((sign, size), (kept, cut), place, keeps)
    }

    /// A marker with a label, which has the space before it, and may be cut.
    fn new(
        (sign, size): (u8, u64),
        (label, cut): (&[u8], bool),
        place: Place,
        keeps: bool,
    ) -> Option<Self> {
        // `=======` has no label: text after it is that of a heading. An editor may add white space.
        if sign == b'=' && (cut || label.iter().any(|byte| !byte.is_ascii_whitespace())) {
            return None;
        }
        // Text that consists of white space is no label. Most labels have a letter near their start.
        let has_text = label.iter().any(u8::is_ascii_graphic);
        let mut label = if keeps || !has_text {
            text(label, cut)
        } else {
            Label::default()
        };
        if !keeps {
            label = Label {
                skipped: has_text || !label.is_empty(),
                ..Label::default()
            };
        }
        Some(Self {
            sign,
            size,
            label,
            line: place.line,
            bytes: place.bytes,
        })
    }
}

/// The label after a marker. Bytes that are not UTF-8 are replaced.
fn text(label: &[u8], cut: bool) -> Label {
    let text = String::from_utf8_lossy(label);
    // A character that the cut splits is not a part of the label.
    let text = if cut {
        text.trim_end_matches(char::REPLACEMENT_CHARACTER).trim()
    } else {
        text.trim()
    };
    Label {
        text: text.to_owned(),
        cut,
        skipped: false,
    }
}

/// The index of the line feed before the first line that begins with a run of [`LEAST`] signs, or with fewer signs at the
/// end of `bytes`. `starts` says which signs count.
///
/// Every run of seven bytes has one at an index that is divisible by seven, so that the others are looked at only near a
/// sign.
pub fn find(bytes: &[u8], starts: impl Fn(u8) -> bool) -> Option<usize> {
    const STEP: usize = 7;
    let mut at = STEP;
    while let Some(&sign) = bytes.get(at) {
        // Most signs in code are alone.
        let is_alone = || {
            let next = bytes.get(at.saturating_add(1));
            next.is_some_and(|next| *next != sign) && bytes.get(at.saturating_sub(1)) != Some(&sign)
        };
        if !starts(sign) || is_alone() {
            at = at.saturating_add(STEP);
            continue;
        }
        let before = bytes.get(..at).unwrap_or_default();
        let before = before.iter().rev().take(STEP);
        let first = at.saturating_sub(before.take_while(|byte| **byte == sign).count());
        let after = bytes.get(at..).unwrap_or_default();
        let end = at.saturating_add(after.iter().take_while(|byte| **byte == sign).count());
        let feed = first.checked_sub(1);
        let is_start = feed.and_then(|feed| bytes.get(feed)) == Some(&b'\n');
        if is_start && (end.saturating_sub(first) >= STEP || end == bytes.len()) {
            return feed;
        }
        at = end.saturating_add(STEP).saturating_sub(1);
    }
    // A run may begin in the last bytes.
    let last = bytes.len().saturating_sub(STEP);
    let feed = memrchr(b'\n', bytes.get(last..)?)?.saturating_add(last);
    let rest = bytes.get(feed.saturating_add(1)..)?;
    let sign = rest.first().copied();
    let is_run = sign.is_none_or(|sign| starts(sign) && rest.iter().all(|byte| *byte == sign));
    is_run.then_some(feed)
}
