//! What the survey keeps between operators.

use super::budget::{Budget, Stop};
use super::path::Path;
use super::state::State;
use crate::decode;
use crate::file::File;
use crate::limits;
use crate::render::size::Size;
use hayro::kurbo::{Affine, Rect};
use hayro_syntax::object::Stream;
use std::collections::{BTreeMap, BTreeSet};

/// The time of an operator in nanoseconds.
pub const OPERATOR: u64 = 150;

/// The time of a form in nanoseconds, without its content.
pub const FORM: u64 = 5000;

/// The time in nanoseconds for a byte that is decompressed.
pub const DECOMPRESSED: u64 = 3;

/// The limit on the bytes of content.
pub const CONTENT: Stop = Stop {
    limit: "bytes of content",
    by_size: false,
};

/// The limit on the depth of content.
pub const DEPTH: Stop = Stop {
    limit: "depth of forms",
    by_size: false,
};

/// Surveys content.
pub struct Survey<'a> {
    /// The file.
    pub file: &'a File,
    /// The size of the image.
    pub size: Size,
    /// What is spent so far.
    pub budget: Budget,
    /// The graphics state.
    pub state: State<'a>,
    /// The states that are saved.
    pub saved: Vec<State<'a>>,
    /// The path that is being made.
    pub path: Path,
    /// Whether the next painting operator also clips.
    pub clips: bool,
    /// How many forms, patterns and glyphs are around the content.
    pub depth: usize,
    /// The bytes of content that may still be read.
    pub content: usize,
    /// The bytes of the programs of functions that may still be read.
    pub program_bytes: usize,
    /// Soft masks that are drawn already: the place of their dictionary in the file, and their transform.
    pub masks: BTreeSet<(usize, [u64; 6])>,
    /// The objects of fonts and of other streams that are measured already.
    pub measured: BTreeSet<(usize, usize)>,
    /// What a glyph that is content costs, by its font, its code and the size in powers of two.
    pub glyphs: BTreeMap<(usize, u8, i32), (u64, u64)>,
}

impl<'a> Survey<'a> {
    /// A survey before the first operator.
    pub fn new(file: &'a File, size: Size) -> Self {
        let target = Rect::new(0.0, 0.0, f64::from(size.width), f64::from(size.height));
        Self {
            file,
            size,
            budget: Budget::default(),
            state: State::new(Affine::IDENTITY, target),
            saved: Vec::new(),
            path: Path::default(),
            clips: false,
            depth: 0,
            content: limits::CONTENT_BYTES,
            program_bytes: limits::RENDER_PROGRAM_BYTES,
            masks: BTreeSet::new(),
            measured: BTreeSet::new(),
            glyphs: BTreeMap::new(),
        }
    }

    /// The rectangle of the image.
    pub fn target(&self) -> Rect {
        Rect::new(
            0.0,
            0.0,
            f64::from(self.size.width),
            f64::from(self.size.height),
        )
    }

    /// A group of which the pixels are mixed with those below (ISO 32000-2, 11.4).
    pub fn group(&mut self) -> Result<(), Stop> {
        self.budget.time(FORM)?;
        self.budget
            .pixels(self.state.clip.area(), 2.0 + self.state.blend)
    }

    /// The bytes of a stream of content.
    pub fn content(&mut self, stream: &Stream<'a>) -> Result<Vec<u8>, Stop> {
        let Some((bytes, cut)) = decode::data(stream, self.content) else {
            return Ok(Vec::new());
        };
        if cut {
            return Err(CONTENT);
        }
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.budget.time(length.saturating_mul(DECOMPRESSED))?;
        self.budget.check(length, false)?;
        Ok(bytes.into_owned())
    }

    /// Clips to a rectangle.
    pub fn clip(&mut self, area: Rect) {
        let common = self.state.clip.intersect(area);
        // Rectangles without a common part have a negative size.
        self.state.clip = Rect::new(
            common.x0,
            common.y0,
            common.x1.max(common.x0),
            common.y1.max(common.y0),
        );
    }
}
