//! The pieces of an outline.

/// A piece of an outline: one line of the reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A line of the text.
    Line(u32),
    /// A line of the text, and folded lines after it.
    Fold {
        /// The number of the shown line.
        first: u32,
        /// The last line of the fold. It is folded too, or closes the block if `tail` is true.
        last: u32,
        /// Whether the line `last` is shown too, in the same line of the reply after the line
        /// `first`.
        tail: bool,
        /// The counts of the folded declarations: `2 types, 1 function`.
        words: Option<String>,
    },
    /// Lines that are left out.
    Gap {
        /// The first line.
        first: u32,
        /// The last line.
        last: u32,
        /// The counts of the declarations in these lines.
        words: Option<String>,
    },
}

impl Piece {
    /// The number of the first line of the text that the piece covers.
    pub fn first(&self) -> u32 {
        match self {
            Self::Line(line) => *line,
            Self::Fold { first, .. } | Self::Gap { first, .. } => *first,
        }
    }
}
