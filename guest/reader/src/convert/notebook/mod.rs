//! Jupyter notebooks as text: cells with markers, or cells with their outputs.
//!
//! ```text
//! parse      JSON → Notebook: cells whose values are parsed when they are shown
//! json       values that may be of any type
//! scan       valid JSON in one pass
//! invalid    JSON that is not valid
//! render     Notebook and View → Rendered
//! output     one output → lines and images
//! terminal   escape sequences, carriage returns and backspaces → visible text
//! excerpt    first and last lines of a long text
//! draft      output buffer: text, and the attachments that follow its lines
//! names      names from a notebook → short names on one line
//! errors     errors for notebooks that are too large
//! view       View, Heading and Rendered
//! ```

mod draft;
mod errors;
mod excerpt;
mod invalid;
mod json;
mod names;
mod output;
mod parse;
mod render;
mod scan;
mod terminal;
mod view;

pub use view::{Heading, View};

use crate::converted::{Conversion, ConversionError, Converted, Outlined};
use view::Rendered;

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
    let json = invalid::with_named_numbers(json).ok_or_else(|| error.clone())?;
    let mut notebook = parse::notebook(&json).map_err(|_| error)?;
    let note =
        "it contains numbers that JSON does not allow, such as NaN; they are read as strings";
    notebook.notes.push(note.to_owned());
    render::render(notebook, *view)
}

#[cfg(test)]
mod tests;
