//! Jupyter notebooks as text: cells under markers, or with what they put out.
//!
//! ```text
//! parse      JSON → Notebook: cells whose values are looked at when they are shown
//! json       values that may be of any type
//! pretty     JSON on lines of its own
//! render     Notebook and View → Rendered
//! output     one output → lines and images
//! terminal   escapes, carriage returns and backspaces → what a terminal shows
//! excerpt    head and tail of a long text
//! draft      text that grows, and what follows its lines
//! ```

mod draft;
mod excerpt;
mod json;
mod output;
mod parse;
mod pretty;
mod render;
mod terminal;

use crate::answer::Facts;
use crate::converted::{Broken, Conversion, Converted, Unit};
use crate::limits;
use crate::path::UnitRange;
use crate::units;
use crate::visible::visible;
use std::borrow::Cow;

/// What is wanted of a notebook. Cells are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The sources of all cells, exactly, each under a marker.
    Editable,
    /// All cells with what they put out, of which long ones are cut.
    Outputs,
    /// Some cells with all that they put out.
    Cells {
        /// Which.
        range: UnitRange,
        /// What stands above each.
        heading: Heading,
    },
}

/// What stands above a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading {
    /// `# %% [code] cell:0`
    Marker,
    /// `## Cell 1 [code]`
    Numbered,
}

/// A notebook as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// Lines with `\n` between them, and what stands after them.
    pub unit: Unit,
    /// What the notebook says about itself.
    pub facts: Facts,
}

/// There are too many cells or outputs.
fn too_many() -> Broken {
    let cells = units::thousands(limits::NOTEBOOK_CELLS as u64);
    let values = units::thousands(limits::NOTEBOOK_VALUES as u64);
    too_large(&format!("{cells} cells, or {values} outputs"))
}

/// The text has too many bytes.
fn too_long() -> Broken {
    let bytes = units::bytes(limits::CONVERTED_TEXT_BYTES as u64);
    let asides = units::thousands(limits::NOTEBOOK_ASIDES as u64);
    too_large(&format!("{bytes} of text, or {asides} images"))
}

fn too_large(what: &str) -> Broken {
    Broken::Large(format!("a notebook of more than {what} is not converted"))
}

/// A name that a notebook gives to something, as far as it is shown.
fn shortened(name: &str) -> Cow<'_, str> {
    let end = name.char_indices().nth(limits::NOTEBOOK_NAME_CHARS);
    match end.and_then(|(end, _)| name.get(..end)) {
        Some(start) => format!("{start}…").into(),
        None => name.into(),
    }
}

/// The same on one line.
fn shown_name(name: &str) -> String {
    visible(&shortened(name))
}

/// Converts a notebook. All that is shown of it is made at once: the JSON is parsed
/// as a whole.
///
/// # Errors
/// If it is not a notebook, has no such cell, or too much of anything.
pub fn convert(json: &str, view: &View) -> Result<Converted, Broken> {
    let Rendered { mut unit, facts } = rendered(json, view)?;
    Ok(Converted {
        facts,
        editable: *view == View::Editable,
        notes: std::mem::take(&mut unit.notes),
        text: Conversion::Made(unit),
    })
}

fn rendered(json: &str, view: &View) -> Result<Rendered, Broken> {
    let error = match parse::notebook(json) {
        Ok(notebook) => return render::render(notebook, *view),
        Err(error @ Broken::Large(_)) => return Err(error),
        Err(error) => error,
    };
    let json = json::with_named_numbers(json).ok_or_else(|| error.clone())?;
    let mut notebook = parse::notebook(&json).map_err(|_| error)?;
    let note = "it holds numbers that JSON has not, such as NaN, which are read as strings";
    notebook.notes.push(note.to_owned());
    render::render(notebook, *view)
}

#[cfg(test)]
mod tests;
