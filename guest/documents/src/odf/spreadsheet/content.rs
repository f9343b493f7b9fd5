//! The XML of the sheets. It is in memory, or it is read in pieces of whole rows if it is too large.

use crate::limits;
use crate::odf::source::Source;
use crate::package::{Package, Part, Pieces, last_end};
use crate::xml::into_text;
use memchr::memmem;

/// The name of the part with the sheets.
const PART: &str = "content.xml";

/// A place in the XML.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The piece, from 0.
    pub piece: usize,
    /// The offset in bytes in the text of the piece.
    pub offset: usize,
}

/// The XML of the sheets.
pub enum Content {
    /// One piece, which is in memory.
    Whole(String),
    /// Pieces that are read again when they are needed.
    Large(Box<Large>),
}

/// XML that is read in pieces.
pub struct Large {
    pieces: Pieces,
    places: Vec<Place>,
    /// Whether all pieces are known.
    is_complete: bool,
    /// The piece that was read last, by its position in the list.
    current: Option<(usize, String)>,
}

/// Where a piece is.
struct Place {
    start: u64,
    length: usize,
    /// Whether it may have comments or drawings.
    has_objects: bool,
}

impl Content {
    /// Takes the part, or starts to read it in pieces. Also returns why it is not complete.
    pub fn open(source: &mut Source) -> (Self, Option<String>) {
        let part = source.part(PART).unwrap_or_default();
        if part.bytes.len() >= limits::PART_BYTES
            && let Some(pieces) = source.package().and_then(pieces)
        {
            let large = Large {
                pieces,
                places: Vec::new(),
                is_complete: false,
                current: None,
            };
            return (Self::Large(Box::new(large)), None);
        }
        let Part { bytes, damage } = part;
        (Self::Whole(into_text(bytes)), damage)
    }

    /// The text of a piece. `None` after the last one. The first pass reads the pieces in their order.
    pub fn piece(&mut self, source: &Source, index: usize) -> Option<&str> {
        match self {
            Self::Whole(text) => (index == 0).then_some(text),
            Self::Large(large) => large.piece(source, index),
        }
    }

    /// Ends the first pass after a number of pieces. Returns why the last piece is not the end of the
    /// part.
    pub fn end(&mut self, pieces: usize) -> Option<String> {
        let Self::Large(large) = self else {
            return None;
        };
        large.is_complete = true;
        large.places.truncate(pieces);
        large.pieces.missing("XML")
    }

    /// Whether a piece may have comments or drawings. Every program declares the prefixes of the standard.
    pub fn has_objects(&self, index: usize) -> bool {
        match self {
            Self::Whole(_) => true,
            Self::Large(large) => large.places.get(index).is_some_and(|it| it.has_objects),
        }
    }
}

/// Starts to read the part in pieces, which end with rows.
fn pieces(package: &Package) -> Option<Pieces> {
    Pieces::of_xml(package, PART, |text| last_end(text, b"table-row>"))
}

impl Large {
    fn piece(&mut self, source: &Source, index: usize) -> Option<&str> {
        let is_current = self.current.as_ref().is_some_and(|it| it.0 == index);
        if !is_current {
            // The memory of the last piece is free before the next one is read.
            self.current = None;
            let package = source.package()?;
            let piece = if let Some(place) = self.places.get(index) {
                self.pieces.again(package, place.start, place.length)?
            } else {
                let is_known = self.is_complete || index != self.places.len();
                let before = self.places.last().map_or(0, |it| it.start);
                if is_known || before >= limits::LARGE_SPREADSHEET_BYTES {
                    return None;
                }
                let piece = self.pieces.next(package)?;
                let has = |text| memmem::find(&piece.bytes, text).is_some();
                self.places.push(Place {
                    start: piece.start,
                    length: piece.bytes.len(),
                    has_objects: has(b"<draw:") || has(b"annotation"),
                });
                piece
            };
            self.current = Some((index, into_text(piece.bytes)));
        }
        self.current.as_ref().map(|current| current.1.as_str())
    }
}
