//! Jupyter notebooks as text: cells with markers, or cells with their outputs.
//!
//! ```text
//! parse      JSON → Notebook: cells whose values are parsed when they are shown
//! json       values that may be of any type
//! render     Notebook and View → Rendered
//! output     one output → lines and images
//! terminal   escape sequences, carriage returns and backspaces → visible text
//! excerpt    first and last lines of a long text
//! draft      output buffer: text, and the attachments that follow its lines
//! ```

mod draft;
mod excerpt;
mod json;
mod output;
mod parse;
mod render;
mod terminal;

use crate::answer::DocumentFacts;
use crate::converted::{Conversion, ConversionError, Converted, Outlined, Unit};
use crate::escapes::escape_invisible;
use crate::limits;
use crate::path::UnitRange;
use crate::units;
use std::borrow::Cow;

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

/// The error for too many cells or outputs.
fn too_many() -> ConversionError {
    let cells = units::thousands(limits::NOTEBOOK_CELLS as u64);
    let values = units::thousands(limits::NOTEBOOK_VALUES as u64);
    too_large(&format!("{cells} cells, or {values} outputs"))
}

/// The error for a converted notebook with too much text or too many images.
fn too_long() -> ConversionError {
    let bytes = units::bytes(limits::CONVERTED_TEXT_BYTES as u64);
    let asides = units::thousands(limits::NOTEBOOK_ATTACHMENTS as u64);
    too_large(&format!("{bytes} of text, or {asides} images"))
}

fn too_large(what: &str) -> ConversionError {
    ConversionError::Large(format!("a notebook of more than {what} is not converted"))
}

/// A name from a notebook. A name of more than [`limits::NOTEBOOK_NAME_CHARS`] characters is cut
/// and ends with `…`.
fn shortened(name: &str) -> Cow<'_, str> {
    super::shortened(name, limits::NOTEBOOK_NAME_CHARS)
}

/// A name from a notebook on one line: cut as by [`shortened`], and with hidden characters escaped.
fn shown_name(name: &str) -> String {
    escape_invisible(&shortened(name))
}

/// Converts a notebook. All requested cells are converted at once, because the JSON is
/// parsed as a whole.
///
/// # Errors
/// Fails if `json` is not a notebook, if a requested cell does not exist, or if a limit
/// is exceeded.
pub fn convert(json: &str, view: &View) -> Result<Converted, ConversionError> {
    let Rendered { mut unit, facts } = rendered(json, view)?;
    let editable = *view == View::Editable;
    Ok(Converted {
        facts,
        editable,
        numbered: editable,
        outline: editable.then_some(Outlined::Cells),
        contents: false,
        notes: std::mem::take(&mut unit.notes),
        text: Conversion::Whole(unit),
        figures: None,
        links: None,
    })
}

fn rendered(json: &str, view: &View) -> Result<Rendered, ConversionError> {
    let error = match parse::notebook(json) {
        Ok(notebook) => return render::render(notebook, *view),
        Err(error @ ConversionError::Large(_)) => return Err(error),
        Err(error) => error,
    };
    let json = json::with_named_numbers(json).ok_or_else(|| error.clone())?;
    let mut notebook = parse::notebook(&json).map_err(|_| error)?;
    let note =
        "it contains numbers that JSON does not allow, such as NaN; they are read as strings";
    notebook.notes.push(note.to_owned());
    render::render(notebook, *view)
}

#[cfg(test)]
mod tests;
