//! Jupyter notebooks as text: cells under markers, or with what they put out.
//!
//! ```text
//! parse      JSON → Notebook: cells whose values are looked at when they are shown
//! json       values that may be of any type
//! pretty     JSON on lines of its own
//! render     Notebook and View → Converted
//! output     one output → lines and pictures
//! terminal   escapes, carriage returns and backspaces → what a terminal shows
//! html       HTML → text, with its tables in Markdown
//! flow       words and the white space between them
//! table      cells and spans → a table in Markdown
//! excerpt    head and tail of a long text
//! draft      text that grows, and what stands behind its lines
//! ```

mod draft;
mod excerpt;
mod flow;
mod html;
mod json;
mod output;
mod parse;
mod pretty;
mod render;
mod table;
mod terminal;

use crate::limits;
use crate::pages::visible;
use crate::units;
use std::borrow::Cow;
use std::fmt;

/// What is wanted of a notebook. Cells are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The sources of all cells, exactly, each under a marker.
    Editable,
    /// All cells with what they put out, of which long ones are cut.
    Outputs,
    /// Some cells with all that they put out.
    Cells {
        /// The first of them.
        first: u64,
        /// The last of them.
        last: u64,
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
pub struct Converted {
    /// Lines with `\n` between them.
    pub text: String,
    /// What stands behind them, in their order.
    pub asides: Vec<Aside>,
    /// Cells of the whole notebook.
    pub cells: u64,
    /// The language of its code.
    pub language: Option<String>,
    /// Major and minor version of its format, 0 where it does not say.
    pub format: (u64, u64),
    /// Facts worth a sentence.
    pub notes: Vec<String>,
}

/// What stands behind a line of the text and is no line of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// Lines of the text before it. An empty one at the end is one of them.
    pub line: u64,
    /// What it is.
    pub what: AsideWhat,
}

/// See [`Aside`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AsideWhat {
    /// Outputs and attachments that are left out.
    Hidden(Hidden),
    /// A picture.
    Picture(Picture),
}

/// Outputs and attachments that are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// The first and the last of the cells that they belong to.
    pub cells: (u64, u64),
    /// Outputs.
    pub outputs: usize,
    /// Attachments.
    pub files: usize,
}

impl Hidden {
    /// These and those of later cells.
    #[must_use]
    pub fn and(self, later: Self) -> Self {
        Self {
            cells: (self.cells.0, later.cells.1),
            outputs: self.outputs.saturating_add(later.outputs),
            files: self.files.saturating_add(later.files),
        }
    }
}

impl fmt::Display for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |count: usize, name: &str| {
            let many = if count == 1 { "" } else { "s" };
            (count > 0).then(|| format!("{} {name}{many}", units::thousands(count as u64)))
        };
        let what = [
            counted(self.outputs, "output"),
            counted(self.files, "attachment"),
        ];
        let what: Vec<String> = what.into_iter().flatten().collect();
        let them = match self.outputs.saturating_add(self.files) {
            1 => "it",
            _ => "them",
        };
        write!(f, "[{}; read :cell:{}", what.join(", "), self.cells.0)?;
        if self.cells.1 > self.cells.0 {
            write!(f, "-{}", self.cells.1)?;
        }
        write!(f, " to see {them}]")
    }
}

/// A picture that a cell puts out, or that is attached to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The cell, counted from 0.
    pub cell: u64,
    /// What it consists of.
    pub data: PictureData,
}

/// See [`Picture`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PictureData {
    /// Base64 as it stands in the file: line breaks may be in it, and it may be
    /// damaged.
    Base64(String),
    /// The source of an SVG.
    Svg(String),
}

/// Why there is no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// It is not JSON, and where that shows.
    Json(String),
    /// It is JSON of another kind.
    Foreign(String),
    /// It has more than this, and is not converted.
    Large(String),
    /// It has no cell of that number.
    NoCell {
        /// The number, counted from 0.
        cell: u64,
        /// How many there are.
        cells: u64,
    },
}

impl Broken {
    /// There is too much in it.
    fn too_many() -> Self {
        let cells = units::thousands(limits::NOTEBOOK_CELLS as u64);
        let values = units::thousands(limits::NOTEBOOK_VALUES as u64);
        Self::Large(format!("{cells} cells, or {values} outputs"))
    }

    /// Its text has too many bytes.
    fn too_long() -> Self {
        let bytes = units::bytes(limits::CONVERTED_TEXT_BYTES as u64);
        let asides = units::thousands(limits::NOTEBOOK_ASIDES as u64);
        Self::Large(format!("{bytes} of text, or {asides} pictures"))
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(words) => write!(f, "not JSON: {words}"),
            Self::Foreign(words) => write!(f, "not a notebook: {words}"),
            Self::Large(what) => write!(f, "a notebook of more than {what} is not converted"),
            Self::NoCell { cell, cells: 0 } => {
                write!(f, "there is no cell:{cell}: the notebook has no cells")
            }
            Self::NoCell { cell, cells } => {
                let last = cells.saturating_sub(1);
                write!(f, "there is no cell:{cell}: the last one is cell:{last}")
            }
        }
    }
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

/// Converts a notebook.
///
/// # Errors
/// If it is none, has no such cell, or too much of anything.
pub fn convert(json: &str, view: &View) -> Result<Converted, Broken> {
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
