//! What the lines of a page belong to, as notices name it.

use crate::escapes::escape_invisible;
use crate::path::{Conflict, Lines, Part, Range, Selector, Symbol, UnitRange, View};
use std::fmt;

/// The source of the lines of a page, as it is named in notices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The listing of a directory or database.
    Listing,
    /// A file.
    File,
    /// Units of a document: `cell:4`.
    Units(UnitRange),
    /// The merge conflicts of a file, or a side of one.
    Conflict(Conflict),
    /// Declarations, or the lines of one.
    Symbol(Symbol),
    /// The converted form of a file, such as a web page.
    Converted(View),
}

impl Extent {
    /// The extent for the part that was requested.
    pub fn of(part: &Part) -> Self {
        match part {
            Part::Units(range) => Self::Units(*range),
            Part::Conflict(conflict) => Self::Conflict(*conflict),
            Part::Symbol(symbol) => Self::Symbol(symbol.clone()),
            Part::Converted(view) => Self::Converted(view.clone()),
            Part::Whole | Part::Image | Part::Figure(_) => Self::File,
        }
    }

    /// The selector for the lines from `line` on.
    pub fn selector_at(&self, line: u64) -> Selector {
        Selector {
            part: match self {
                Self::Listing | Self::File => Part::Whole,
                Self::Units(range) => Part::Units(*range),
                Self::Conflict(conflict) => Part::Conflict(*conflict),
                Self::Symbol(symbol) => Part::Symbol(symbol.clone()),
                Self::Converted(view) => Part::Converted(view.clone()),
            },
            lines: Lines::One(Range::lines(line, None)),
            raw: false,
        }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listing => f.write_str("listing"),
            Self::File => f.write_str("file"),
            Self::Units(range) => range.fmt(f),
            Self::Conflict(Conflict::All) => f.write_str("list"),
            Self::Conflict(Conflict::Block(_) | Conflict::Side(..)) => f.write_str("side"),
            Self::Symbol(symbol) => write!(f, "`:{}`", escape_invisible(&symbol.to_string())),
            Self::Converted(View::Main) => f.write_str("converted text"),
            Self::Converted(View::Full) => f.write_str("whole page"),
            Self::Converted(View::Section(id)) => {
                write!(f, "section `#{}`", escape_invisible(id))
            }
        }
    }
}
