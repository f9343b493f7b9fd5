//! The cells of a notebook, of any version of the format.

use super::errors::too_many;
use super::invalid;
use super::json::{self, Fields, FromObject, LineJoin, Raw, Shape, Skipped, Text, Weighted};
use super::names::{shortened, shown_name};
use super::scan::Scan;
use crate::converted::ConversionError;
use crate::failure::json_error;
use crate::limits;
use serde::de::{IgnoredAny, MapAccess};
use std::borrow::Cow;

/// The newest major version of the notebook format that is supported.
const NEWEST: u64 = 4;

/// A notebook. Its values are borrowed from the JSON text.
pub struct Notebook<'j> {
    /// The cells.
    pub cells: Vec<Cell<'j>>,
    /// The programming language.
    pub language: Option<String>,
    /// Major and minor version of the format; 0 if not stated.
    pub format: (u64, u64),
    /// The rule by which the strings of a list are joined to a text.
    pub line_join: LineJoin,
    /// Notes about invalid parts.
    pub notes: Vec<String>,
}

/// A cell.
#[derive(Default)]
pub struct Cell<'j> {
    kind: Option<Raw<'j>>,
    source: Option<Raw<'j>>,
    input: Option<Raw<'j>>,
    /// The fields `code` and `text`, one of which contains the source in version 1 of the format.
    first: (Option<Raw<'j>>, Option<Raw<'j>>),
    count: Option<Raw<'j>>,
    level: Option<Raw<'j>>,
    language: Option<Raw<'j>>,
    /// The outputs, as JSON.
    pub outputs: Vec<Raw<'j>>,
    /// The attached files that the source refers to, as a JSON object with their names as keys.
    pub attachments: Option<Raw<'j>>,
    /// The JSON type of the field `outputs`, such as `an object`, if it is neither a list nor null.
    odd_outputs: Option<&'static str>,
    /// The JSON type of the cell, such as `a list`, if it is not an object.
    odd: Option<&'static str>,
}

/// The type of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind<'j> {
    /// Code.
    Code,
    /// Markdown. Contains the level if this is a heading cell. The source of a heading cell has no
    /// `#`.
    Markdown(Option<usize>),
    /// Another type. Contains its name.
    Other(Cow<'j, str>),
}

impl<'j> Cell<'j> {
    /// The value that a field of the JSON states. `None` for the outputs and for fields that do not matter.
    fn field(&mut self, name: &str) -> Option<&mut Option<Raw<'j>>> {
        Some(match name {
            "cell_type" => &mut self.kind,
            "source" => &mut self.source,
            "input" => &mut self.input,
            "code" => &mut self.first.0,
            "text" => &mut self.first.1,
            "execution_count" | "prompt_number" => &mut self.count,
            "level" => &mut self.level,
            "language" => &mut self.language,
            "attachments" => &mut self.attachments,
            _ => return None,
        })
    }

    /// Reads a cell that is an object. Its outputs must be a list that is not too long.
    fn read(scan: &mut Scan<'j>) -> Option<Self> {
        let mut cell = Self::default();
        scan.object(|scan, name| {
            if name == "outputs" {
                let mut outputs = Vec::new();
                scan.list(|scan| {
                    outputs.push(Raw::read(scan)?);
                    (outputs.len() <= limits::NOTEBOOK_VALUES).then_some(())
                })?;
                cell.outputs = outputs;
                return Some(());
            }
            let value = Raw::read(scan)?;
            if let Some(field) = cell.field(name) {
                *field = Some(value).filter(|value| !json::is_null(*value));
            }
            Some(())
        })?;
        Some(cell)
    }

    /// The type of the cell.
    pub fn kind(&self) -> Kind<'j> {
        let Some(kind) = self.kind else {
            return Kind::Other("unknown".into());
        };
        match json::text(kind) {
            kind if kind == "code" => Kind::Code,
            kind if kind == "markdown" => Kind::Markdown(None),
            // The type of a Markdown cell in version 1.
            kind if kind == "text" && self.first.1.is_some() => Kind::Markdown(None),
            kind if kind == "heading" => {
                let level = self.level.and_then(json::number).unwrap_or(1);
                Kind::Markdown(Some(usize::try_from(level).unwrap_or(6).clamp(1, 6)))
            }
            kind => Kind::Other(kind),
        }
    }

    /// The source of the cell. The source of a heading cell has no `#`.
    pub fn source(&self, line_join: LineJoin) -> Cow<'j, str> {
        let (code, text) = self.first;
        self.source
            .or(self.input)
            .or(code)
            .or(text)
            .map(|source| line_join.text(source))
            .unwrap_or_default()
    }

    /// The execution count, if the cell was run.
    pub fn count(&self) -> Option<u64> {
        self.count.and_then(json::number)
    }
}

impl Kind<'_> {
    /// The name of the type, on one line.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Self::Code => "code".into(),
            Self::Markdown(_) => "markdown".into(),
            Self::Other(name) => shown_name(name).into(),
        }
    }
}

impl<'de> FromObject<'de> for Cell<'de> {
    fn from_object<A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        let mut cell = Self::default();
        while let Some(Text(name)) = object.next_key()? {
            if name == "outputs" {
                let outputs: Shape<Skipped, Raw<'_>> = object.next_value()?;
                (cell.outputs, cell.odd_outputs) = match outputs {
                    Shape::List(outputs) => (outputs, None),
                    Shape::Null => (Vec::new(), None),
                    Shape::Object(_) => (Vec::new(), Some("an object")),
                    Shape::Other(what) => (Vec::new(), Some(what)),
                };
                continue;
            }
            let Some(field) = cell.field(&name) else {
                object.next_value::<IgnoredAny>()?;
                continue;
            };
            let value: Raw<'_> = object.next_value()?;
            *field = Some(value).filter(|value| !json::is_null(*value));
        }
        Ok(cell)
    }
}

impl Weighted for Shape<Cell<'_>, IgnoredAny> {
    /// The number of outputs of the cell, plus a constant for the cell itself, which takes more
    /// memory than an output.
    fn weight(&self) -> usize {
        let outputs = match self {
            Self::Object(cell) => cell.outputs.len(),
            Self::List(_) | Self::Null | Self::Other(_) => 0,
        };
        outputs.saturating_add(limits::NOTEBOOK_VALUES / limits::NOTEBOOK_CELLS)
    }
}

type Cells<'j> = Shape<Skipped, Shape<Cell<'j>, IgnoredAny>>;

/// The top-level fields of a notebook.
#[derive(Default)]
struct Document<'j> {
    cells: Option<Cells<'j>>,
    worksheets: Option<Raw<'j>>,
    metadata: Option<Raw<'j>>,
    major: Option<Raw<'j>>,
    minor: Option<Raw<'j>>,
}

impl<'de> FromObject<'de> for Document<'de> {
    fn from_object<A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        let mut document = Self::default();
        while let Some(Text(name)) = object.next_key()? {
            match &*name {
                "cells" => document.cells = Some(object.next_value()?),
                "worksheets" => document.worksheets = Some(object.next_value()?),
                "metadata" => document.metadata = Some(object.next_value()?),
                "nbformat" => document.major = Some(object.next_value()?),
                "nbformat_minor" => document.minor = Some(object.next_value()?),
                _ => {
                    object.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(document)
    }
}

impl<'j> Document<'j> {
    /// Reads a document in one pass, in the form in which programs write it. `None` for all others, which the parser of
    /// JSON reads.
    fn read(json: &'j str) -> Option<Self> {
        let mut scan = Scan::new(json);
        let mut document = Self::default();
        scan.object(|scan, name| {
            if name == "cells" {
                let mut cells = Vec::new();
                let mut left = limits::NOTEBOOK_VALUES;
                scan.list(|scan| {
                    let cell = Shape::Object(Cell::read(scan)?);
                    left = left.checked_sub(cell.weight())?;
                    cells.push(cell);
                    Some(())
                })?;
                document.cells = Some(Shape::List(cells));
                return Some(());
            }
            let value = Raw::read(scan)?;
            match name {
                "worksheets" => document.worksheets = Some(value),
                "metadata" => document.metadata = Some(value),
                "nbformat" => document.major = Some(value),
                "nbformat_minor" => document.minor = Some(value),
                _ => {}
            }
            Some(())
        })?;
        scan.is_end().then_some(document)
    }
}

/// Parses the fields of a notebook.
fn document(json: &str) -> Result<Document<'_>, ConversionError> {
    if let Some(document) = Document::read(json) {
        return Ok(document);
    }
    if let Some((line, column)) = invalid::too_deep(json) {
        return Err(ConversionError::Unreadable(format!(
            "not a notebook: JSON values are nested too deep at line {line} column {column}"
        )));
    }
    let shape: Shape<Document<'_>, IgnoredAny> =
        serde_json::from_str(json).map_err(|error| broken(&error))?;
    match shape {
        Shape::Object(document) => Ok(document),
        _ => Err(foreign("the JSON is not an object")),
    }
}

fn foreign(message: &str) -> ConversionError {
    ConversionError::Unreadable(format!("not a notebook: {message}"))
}

/// Parses a notebook of any version.
pub fn notebook(json: &str) -> Result<Notebook<'_>, ConversionError> {
    let json = json.strip_prefix('\u{feff}').unwrap_or(json);
    let document = document(json)?;
    let mut notes = Vec::new();
    let in_sheets = document.cells.is_none();
    let cells = match (document.cells, document.worksheets) {
        (Some(Shape::List(cells)), _) => cells,
        (Some(_), _) => return Err(foreign("`cells` is not a list")),
        (None, Some(worksheets)) => sheets(worksheets, &mut notes)?,
        (None, None) => return Err(foreign("it has neither `cells` nor `worksheets`")),
    };
    let cells: Vec<Cell<'_>> = cells.into_iter().map(cell).collect();
    for (at, cell) in cells.iter().enumerate() {
        if let Some(what) = cell.odd {
            notes.push(format!("cell:{at} is {what}, and is shown empty"));
        }
        if let Some(what) = cell.odd_outputs {
            notes.push(format!(
                "the outputs of cell:{at} are {what}, and are not shown"
            ));
        }
    }
    let number = |value: Option<Raw<'_>>| value.and_then(json::number).unwrap_or(0);
    let format = (number(document.major), number(document.minor));
    if format.0 > NEWEST {
        notes.push(format!(
            "its format {} is newer than {NEWEST} and is read as {NEWEST}",
            format.0
        ));
    }
    let line_join = if in_sheets || (1..4).contains(&format.0) {
        LineJoin::AddLineEnds
    } else {
        LineJoin::Concatenate
    };
    let language = document.metadata.and_then(language);
    let language = language.or_else(|| cells.iter().find_map(|cell| name(cell.language?)));
    Ok(Notebook {
        cells,
        language,
        format,
        line_join,
        notes,
    })
}

/// The error for JSON that cannot be parsed as a notebook.
fn broken(error: &serde_json::Error) -> ConversionError {
    // The only data error is that there are too many values.
    if error.is_data() {
        return too_many();
    }
    ConversionError::Unreadable(format!(
        "not a notebook: it is not JSON: {}",
        json_error(error)
    ))
}

fn cell(shape: Shape<Cell<'_>, IgnoredAny>) -> Cell<'_> {
    let what = match shape {
        Shape::Object(cell) => return cell,
        Shape::List(_) => "a list",
        Shape::Null => "null",
        Shape::Other(what) => what,
    };
    Cell {
        odd: Some(what),
        ..Cell::default()
    }
}

/// The cells of all worksheets. Only formats before version 4 have worksheets.
fn sheets<'j>(
    worksheets: Raw<'j>,
    notes: &mut Vec<String>,
) -> Result<Vec<Shape<Cell<'j>, IgnoredAny>>, ConversionError> {
    let mut all = Vec::new();
    let mut left = Some(limits::NOTEBOOK_VALUES);
    let (mut at, mut odd) = (0u64, 0u64);
    let listed = json::each(worksheets, |sheet| {
        let cells = Fields::of(sheet).and_then(|sheet| sheet.get("cells"));
        match cells.map(|cells| serde_json::from_str(cells.get())) {
            Some(Ok(Cells::List(cells))) => {
                let weight = cells
                    .iter()
                    .map(Weighted::weight)
                    .fold(0, usize::saturating_add);
                left = left.and_then(|left| left.checked_sub(weight));
                if left.is_some() {
                    all.extend(cells);
                }
            }
            Some(Err(_)) => left = None,
            _ if odd < limits::NOTEBOOK_NOTES as u64 => {
                notes.push(format!("worksheet {at} has no list of cells"));
                odd = odd.saturating_add(1);
            }
            _ => odd = odd.saturating_add(1),
        }
        at = at.saturating_add(1);
    });
    if !listed {
        return Err(ConversionError::Unreadable(
            "not a notebook: `worksheets` is not a list".to_owned(),
        ));
    }
    left.map(|_| all).ok_or_else(too_many)
}

/// The programming language in the metadata.
fn language(metadata: Raw<'_>) -> Option<String> {
    let metadata = Fields::of(metadata)?;
    let of = |object: &str, field: &str| {
        let object = Fields::of(metadata.get(object)?)?;
        name(object.get(field)?)
    };
    of("language_info", "name")
        .or_else(|| of("kernelspec", "language"))
        .or_else(|| of("kernel_info", "language"))
        .or_else(|| of("kernelspec", "name").map(kernel))
}

/// The name in a JSON value, or `None` if the name is empty.
fn name(value: Raw<'_>) -> Option<String> {
    let text = json::text(value);
    let name = text.trim();
    (!name.is_empty()).then(|| shortened(name).into_owned())
}

/// The programming language of a kernel, from the name of the kernel: `python3` runs Python.
fn kernel(name: String) -> String {
    match name.strip_prefix("python") {
        Some(version) if version.bytes().all(|b| b.is_ascii_digit() || b == b'.') => {
            "python".to_owned()
        }
        _ => name,
    }
}
