//! The lines of an outline.

/// A line of an outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A line of the text.
    Line(u32),
    /// A line of the text, and others after it that are left out.
    Fold {
        /// The line.
        first: u32,
        /// The last one that is left out, or closes what the first one opens.
        last: u32,
        /// The last one is shown behind the first.
        tail: bool,
        /// Declarations among what is left out.
        words: Option<String>,
    },
    /// Lines that are left out.
    Gap {
        /// The first of them.
        first: u32,
        /// The last of them.
        last: u32,
        /// Declarations among them.
        words: Option<String>,
    },
}

impl Piece {
    /// Its first line.
    pub fn first(&self) -> u32 {
        match self {
            Self::Line(line) => *line,
            Self::Fold { first, .. } | Self::Gap { first, .. } => *first,
        }
    }
}
