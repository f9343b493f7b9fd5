//! The records of a sheet. They are in memory, or they are read in pieces of whole rows if they are too
//! large.

use super::records::{ROW, Records};
use crate::limits;
use crate::package::{Package, Pieces};
use std::cell::RefCell;

/// The records of a sheet.
pub enum Content {
    /// All, in memory.
    Whole(Vec<u8>),
    /// Pieces that are read again when they are needed.
    Large(Box<RefCell<Large>>),
}

/// Records that are read in pieces.
pub struct Large {
    pieces: Pieces,
    /// The positions and the sizes of the pieces.
    places: Vec<(u64, usize)>,
    /// The piece that was read last, with its position.
    current: (u64, Vec<u8>),
}

impl Content {
    /// Passes the records from a position, up to the end of their row at least.
    pub fn with<R>(
        &self,
        package: &Package,
        at: u32,
        read: impl FnOnce(Records) -> R,
    ) -> Option<R> {
        match self {
            Self::Whole(bytes) => Some(read(Records::new(bytes, usize::try_from(at).ok()?))),
            Self::Large(large) => {
                let mut large = large.try_borrow_mut().ok()?;
                let (start, bytes) = large.at(package, at)?;
                let offset = u64::from(at).checked_sub(start)?;
                Some(read(Records::new(bytes, usize::try_from(offset).ok()?)))
            }
        }
    }

    /// The bytes in memory.
    pub fn size(&self) -> usize {
        match self {
            Self::Whole(bytes) => bytes.len(),
            Self::Large(_) => limits::PIECE_BYTES,
        }
    }
}

impl Large {
    /// Starts to read a part. `None` if it cannot be read in pieces.
    pub fn new(package: &Package, part: &str) -> Option<Self> {
        Some(Self {
            pieces: Pieces::new(package, part, last_row)?,
            places: Vec::new(),
            current: (0, Vec::new()),
        })
    }

    /// Reads the next piece. Returns its position and its bytes. `None` after the last one.
    pub fn next(&mut self, package: &Package) -> Option<(u64, &[u8])> {
        self.current.1 = Vec::new();
        let last = self.places.last().map_or(0, |(start, _)| *start);
        if last >= limits::LARGE_SHEET_BYTES {
            return None;
        }
        let piece = self.pieces.next(package)?;
        self.places.push((piece.start, piece.bytes.len()));
        self.current = (piece.start, piece.bytes);
        Some((self.current.0, &self.current.1))
    }

    /// The reason why the part is not complete, after its last piece.
    pub fn missing(&self) -> Option<String> {
        self.pieces.missing("data")
    }

    /// Returns the piece with a position.
    fn at(&mut self, package: &Package, at: u32) -> Option<(u64, &[u8])> {
        let next = self
            .places
            .partition_point(|(start, _)| *start <= u64::from(at));
        let (start, length) = self.places.get(next.checked_sub(1)?).copied()?;
        if self.current.0 != start || self.current.1.is_empty() {
            self.current.1 = Vec::new();
            let piece = self.pieces.again(package, start, length)?;
            self.current = (start, piece.bytes);
        }
        Some((start, &self.current.1))
    }
}

/// The start of the last row that does not start the bytes.
fn last_row(bytes: &[u8]) -> Option<usize> {
    let rows = Records::new(bytes, 0).filter(|record| record.kind == ROW);
    rows.map(|record| record.at).filter(|at| *at > 0).last()
}
