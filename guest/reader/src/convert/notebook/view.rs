//! The views of a notebook that a request may ask for, and a notebook as text.

use crate::answer::DocumentFacts;
use crate::converted::Unit;
use crate::path::UnitRange;

/// The requested part of a notebook, and the form in which it is shown. Cells are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The exact sources of all cells, each after a marker line such as `# %% [code] cell:0`.
    Editable,
    /// All cells with their outputs. Long outputs are shortened.
    Outputs,
    /// Some cells with their full outputs.
    Cells {
        /// The requested cells.
        range: UnitRange,
        /// The heading before each cell.
        heading: Heading,
    },
}

/// The heading before a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading {
    /// The heading `# %% [code] cell:0`. Cells are counted from 0.
    Marker,
    /// The heading `## Cell 1 [code]`. Cells are counted from 1.
    Numbered,
}

/// A notebook as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The text, with `\n` between lines, and the images and notices that follow its lines.
    pub unit: Unit,
    /// The format, the number of cells, the programming language and the version of the notebook.
    pub facts: DocumentFacts,
}
