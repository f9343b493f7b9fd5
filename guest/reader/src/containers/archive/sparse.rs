//! Sparse files, as GNU tar stores them: the bytes between the holes, and a map of their
//! positions.
//!
//! The formats are those of the manual of GNU tar, appendix D.2 "Storing Sparse Files":
//! the old format, and versions 0.0, 0.1 and 1.0 in extended headers.

use super::tape::Tape;
use crate::limits;
use crate::world::{FileError, Source};

/// Size in bytes of a tar block. The map of a sparse file fills whole blocks.
const BLOCK: usize = 512;

/// A range of a file that is not a hole: its start and its length in bytes.
pub type Segment = (u64, u64);

/// The map of a sparse file: the positions in the file of the bytes that are stored.
#[derive(Debug, Default)]
pub enum Map {
    /// The file has no holes.
    #[default]
    None,
    /// The map was read with the header of the member.
    Segments(Vec<Segment>),
    /// The map is stored at the start of the member, before the bytes of the file (version 1.0).
    Inside,
}

impl Map {
    /// Reads the map from `tape`, which is at the start of a member that occupies `stored` bytes.
    /// Returns the segments, and the size in bytes of the map in the member. Returns `None` if the
    /// file has no holes.
    ///
    /// # Errors
    /// Fails if the map is invalid or too long.
    pub fn read(self, tape: &mut Tape, stored: u64) -> Result<Option<(Vec<Segment>, u64)>, String> {
        let start = tape.at;
        let segments = match self {
            Self::None => return Ok(None),
            Self::Segments(segments) => segments,
            Self::Inside => inside(tape).ok_or("the map of its holes is damaged")?,
        };
        let length = tape.at.saturating_sub(start);
        // The caller continues to read at the start of the map.
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

/// Reads a map of version 1.0: decimal numbers, one in each line. The first number is the number of
/// segments, and the others are their starts and lengths.
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

/// The content of a sparse file, with zeros in its holes.
pub struct Holes {
    stored: Box<dyn Source>,
    /// Each segment, and the offset of its bytes in `stored`.
    segments: Vec<(Segment, u64)>,
    size: u64,
}

impl Holes {
    /// The content of a sparse file of `size` bytes. `stored` contains the bytes of `segments`, one
    /// segment after the other.
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
                let available = length.saturating_sub(into);
                (0, Some((place.saturating_add(into), available)))
            }
            None => (left, None),
        };
        let Some((place, available)) = bytes else {
            let zeros = usize::try_from(hole.min(len)).unwrap_or(usize::MAX);
            let zeros = zeros.min(limits::CHUNK_BYTES);
            out.resize(out.len().saturating_add(zeros), 0);
            return Ok(());
        };
        let len = usize::try_from(available.min(len)).unwrap_or(usize::MAX);
        self.stored.read(place, len, out)
    }

    fn seekable(&self) -> bool {
        self.stored.seekable()
    }

    fn rewindable(&self) -> bool {
        self.stored.rewindable()
    }
}
