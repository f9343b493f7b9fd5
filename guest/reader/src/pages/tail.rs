//! Where the last lines of a text start.

use super::input::Input;
use super::scan::Unit;
use crate::limits;

/// A place from which the tail of a text can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail {
    /// Where its first line starts.
    pub offset: u64,
    /// Lines from there to the end.
    pub lines: u64,
}

/// Searches from the end of a source of `size` bytes for the line that is
/// `count` from its end, or the first line of all. `None` if the source does
/// not hold what its size says.
pub fn find(
    input: &mut Input<'_>,
    unit: Unit,
    text_start: u64,
    size: u64,
    count: u64,
) -> Option<Tail> {
    let mut end = size;
    let mut lines = 0u64;
    let mut block = Vec::with_capacity(limits::CHUNK_BYTES);
    while end > text_start {
        // Blocks keep to units, counted from the start of the text: the first
        // one read takes up what is torn at the end.
        let start = end
            .saturating_sub(limits::CHUNK_BYTES as u64)
            .max(text_start);
        let torn = start.saturating_sub(text_start) & (unit.width() as u64).saturating_sub(1);
        let start = start.saturating_sub(torn);
        read_block(input, start, end, &mut block)?;
        let mut rest = unit.whole(&block);
        if lines == 0 {
            lines = 1;
            // The end of the last line starts no line.
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

/// The end of a stream, kept while it was read to its end.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// The last bytes, from the start of a line.
    pub bytes: Vec<u8>,
    /// Lines before them.
    pub lines_before: u64,
    /// The first byte is inside a line.
    inside: bool,
}

/// Reads a stream to its end and keeps the last [`limits::TAIL_BYTES`].
pub fn drain(input: &mut Input<'_>, unit: Unit, text_start: u64) -> Kept {
    let mut kept = Kept::default();
    let mut offset = text_start;
    loop {
        let chunk = input.chunk(offset);
        if chunk.is_empty() {
            break;
        }
        offset = offset.saturating_add(chunk.len() as u64);
        kept.bytes.extend_from_slice(chunk);
        // Half of what is held is dropped at a time, so that each byte moves
        // once.
        if kept.bytes.len() > limits::TAIL_BYTES.saturating_mul(2) {
            let surplus = kept.bytes.len().saturating_sub(limits::TAIL_BYTES);
            kept.drop_first(unit.floor(surplus), unit);
        }
    }
    if kept.inside {
        // The start of this line is gone, so none of it is shown.
        let end = unit.first(unit.whole(&kept.bytes));
        kept.drop_first(end.unwrap_or(kept.bytes.len()), unit);
        if end.is_none() {
            kept.lines_before = kept.lines_before.saturating_add(1);
        }
    }
    kept
}

impl Kept {
    fn drop_first(&mut self, count: usize, unit: Unit) {
        let dropped = self.bytes.get(..count).unwrap_or_default();
        self.inside = unit.last(unit.whole(dropped)) != Some(count);
        self.lines_before = self
            .lines_before
            .saturating_add(unit.count(unit.whole(dropped)));
        self.bytes.drain(..count);
    }
}
