//! Files with holes, as GNU tar stores them: what is no zero, and a map of
//! where it belongs.
//!
//! The formats are those of the manual of GNU tar, appendix D.2 "Storing Sparse
//! Files": the old one, and 0.0, 0.1 and 1.0 in extended headers.

use super::tape::Tape;
use crate::limits;
use crate::world::{FileError, Source};

/// Bytes of a block, at whose end a map ends.
const BLOCK: usize = 512;

/// Bytes that a file has: from where, and how many.
pub type Segment = (u64, u64);

/// Where the bytes of a member belong.
#[derive(Debug, Default)]
pub enum Map {
    /// One after the other: there are no holes.
    #[default]
    None,
    /// To these segments.
    Segments(Vec<Segment>),
    /// To the segments that stand before them.
    Inside,
}

impl Map {
    /// Reads what there is of a map on a tape, and the bytes that it takes
    /// there.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(self, tape: &mut Tape, stored: u64) -> Result<Option<(Vec<Segment>, u64)>, String> {
        let start = tape.at;
        let segments = match self {
            Self::None => return Ok(None),
            Self::Segments(segments) => segments,
            Self::Inside => inside(tape).ok_or("the map of its holes is damaged")?,
        };
        let length = tape.at.saturating_sub(start);
        // The source is read on from where the map started.
        tape.at = start;
        let sum = segments
            .iter()
            .fold(0u64, |sum, (_, length)| sum.saturating_add(*length));
        let ends = segments
            .iter()
            .map(|(start, length)| start.checked_add(*length));
        let starts = segments.iter().map(|(start, _)| *start).skip(1);
        let ordered = ends.clone().all(|end| end.is_some())
            && ends.zip(starts).all(|(end, next)| end <= Some(next));
        let all = stored.checked_sub(length) == Some(sum);
        if !ordered || !all || segments.len() > limits::SPARSE_SEGMENTS {
            return Err("the map of its holes is damaged".to_owned());
        }
        Ok(Some((segments, length)))
    }
}

/// Reads a map of version 1.0: numbers in decimal digits, one a line, the first
/// of which tells how many pairs there are.
fn inside(tape: &mut Tape) -> Option<Vec<Segment>> {
    let mut lines = Lines {
        tape,
        block: Vec::new(),
        used: 0,
    };
    let count = lines
        .number()
        .filter(|n| *n <= limits::SPARSE_SEGMENTS as u64)?;
    let mut segments = Vec::new();
    for _ in 0..count {
        segments.push((lines.number()?, lines.number()?));
    }
    Some(segments)
}

struct Lines<'t> {
    tape: &'t mut Tape,
    block: Vec<u8>,
    used: usize,
}

impl Lines<'_> {
    fn number(&mut self) -> Option<u64> {
        let mut number = 0u64;
        loop {
            let Some(byte) = self.block.get(self.used) else {
                self.block = self.tape.take(BLOCK).ok()?;
                self.used = 0;
                if self.block.is_empty() {
                    return None;
                }
                continue;
            };
            self.used = self.used.saturating_add(1);
            match byte {
                b'\n' => return Some(number),
                b'0'..=b'9' => {
                    let digit = u64::from(byte.saturating_sub(b'0'));
                    number = number.checked_mul(10)?.checked_add(digit)?;
                }
                _ => return None,
            }
        }
    }
}

/// A file with its holes.
pub struct Holes {
    stored: Box<dyn Source>,
    /// Each segment, and where its bytes are stored.
    segments: Vec<(Segment, u64)>,
    size: u64,
}

impl Holes {
    /// A file of `size` bytes, those of which are stored that belong to these
    /// segments.
    pub fn new(stored: Box<dyn Source>, segments: Vec<Segment>, size: u64) -> Self {
        let place = |at: &mut u64, segment: Segment| {
            let place = *at;
            *at = at.saturating_add(segment.1);
            Some((segment, place))
        };
        Self {
            stored,
            segments: segments.into_iter().scan(0, place).collect(),
            size,
        }
    }
}

impl Source for Holes {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        let left = self.size.saturating_sub(offset);
        let len = (len as u64).min(left);
        let next = self
            .segments
            .partition_point(|((start, length), _)| start.saturating_add(*length) <= offset);
        let (hole, bytes) = match self.segments.get(next) {
            Some(((start, _), _)) if *start > offset => (start.saturating_sub(offset), None),
            Some(((start, length), place)) => {
                let into = offset.saturating_sub(*start);
                let held = length.saturating_sub(into);
                (0, Some((place.saturating_add(into), held)))
            }
            None => (left, None),
        };
        let Some((place, held)) = bytes else {
            let zeros = usize::try_from(hole.min(len)).unwrap_or(usize::MAX);
            let zeros = zeros.min(limits::CHUNK_BYTES);
            out.resize(out.len().saturating_add(zeros), 0);
            return Ok(());
        };
        let len = usize::try_from(held.min(len)).unwrap_or(usize::MAX);
        self.stored.read(place, len, out)
    }

    fn seekable(&self) -> bool {
        self.stored.seekable()
    }

    fn rewindable(&self) -> bool {
        self.stored.rewindable()
    }
}
