//! Search for the start of the last lines of a text.

use super::input::Input;
use super::scan::CodeUnit;
use crate::limits;

/// The position at which the last lines of a text start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail {
    /// The byte offset of the start of the last lines.
    pub offset: u64,
    /// The number of lines from `offset` to the end of the text.
    pub lines: u64,
}

/// Searches backwards from the end of a source of `size` bytes for the start of the last `count`
/// lines. Returns the start of the text if the text has fewer lines, and `None` if the source is
/// shorter than `size`.
pub fn find(
    input: &mut Input<'_>,
    unit: CodeUnit,
    text_start: u64,
    size: u64,
    count: u64,
) -> Option<Tail> {
    let mut end = size;
    let mut lines = 0u64;
    let mut block = Vec::with_capacity(limits::CHUNK_BYTES);
    while end > text_start {
        // Blocks start at a code unit, counted from the start of the text. The first block read
        // contains an incomplete code unit at the end of the text.
        let start = end
            .saturating_sub(limits::CHUNK_BYTES as u64)
            .max(text_start);
        let torn = start.saturating_sub(text_start) & (unit.width() as u64).saturating_sub(1);
        let start = start.saturating_sub(torn);
        read_block(input, start, end, &mut block)?;
        let mut rest = unit.whole(&block);
        if lines == 0 {
            lines = 1;
            // No line starts after the last line ending.
            if unit.last(rest) == Some(block.len()) {
                rest = rest.get(..rest.len().saturating_sub(unit.width()))?;
            }
        }
        while let Some(line_start) = unit.last(rest) {
            if lines >= count {
                let offset = start.saturating_add(line_start as u64);
                return Some(Tail { offset, lines });
            }
            lines = lines.saturating_add(1);
            rest = rest.get(..line_start.saturating_sub(unit.width()))?;
        }
        end = start;
    }
    Some(Tail {
        offset: text_start,
        lines,
    })
}

fn read_block(input: &mut Input<'_>, start: u64, end: u64, block: &mut Vec<u8>) -> Option<()> {
    block.clear();
    let length = usize::try_from(end.saturating_sub(start)).ok()?;
    while block.len() < length {
        let chunk = input.chunk(start.saturating_add(block.len() as u64));
        if chunk.is_empty() {
            return None;
        }
        let missing = length.saturating_sub(block.len()).min(chunk.len());
        block.extend_from_slice(chunk.get(..missing)?);
    }
    Some(())
}

/// The last bytes of a stream.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct StreamTail {
    /// The last bytes of the stream, from the start of a line on.
    pub bytes: Vec<u8>,
    /// The number of lines of the stream before `bytes`.
    pub lines_before: u64,
    /// Whether the first byte of `bytes` is inside a line, because the start of this line was
    /// dropped.
    inside: bool,
}

/// Reads a stream to its end. Keeps the bytes at its end, from the start of a line on: about
/// [`limits::TAIL_BYTES`] to twice as many.
pub fn drain(input: &mut Input<'_>, unit: CodeUnit, text_start: u64) -> StreamTail {
    let mut kept = StreamTail::default();
    let mut offset = text_start;
    loop {
        let chunk = input.chunk(offset);
        if chunk.is_empty() {
            break;
        }
        offset = offset.saturating_add(chunk.len() as u64);
        kept.bytes.extend_from_slice(chunk);
        // Half of the bytes are dropped at a time, so that each byte is moved at most once.
        if kept.bytes.len() > limits::TAIL_BYTES.saturating_mul(2) {
            let surplus = kept.bytes.len().saturating_sub(limits::TAIL_BYTES);
            kept.drop_first(unit.floor(surplus), unit);
        }
    }
    if kept.inside {
        // The start of this line was dropped, so the rest of it is dropped too.
        let end = unit.first(unit.whole(&kept.bytes));
        kept.drop_first(end.unwrap_or(kept.bytes.len()), unit);
        if end.is_none() {
            kept.lines_before = kept.lines_before.saturating_add(1);
        }
    }
    kept
}

impl StreamTail {
    fn drop_first(&mut self, count: usize, unit: CodeUnit) {
        let dropped = self.bytes.get(..count).unwrap_or_default();
        self.inside = unit.last(unit.whole(dropped)) != Some(count);
        self.lines_before = self
            .lines_before
            .saturating_add(unit.count(unit.whole(dropped)));
        self.bytes.drain(..count);
    }
}
