//! The cells of a notebook, of any version of the format.

use super::json::{self, Fields, FromObject, Held, Lists, Shape, Skipped, Text};
use super::{shortened, shown_name};
use crate::converted::Broken;
use crate::limits;
use serde::de::{IgnoredAny, MapAccess};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// The newest major version of the format.
const NEWEST: u64 = 4;

/// A notebook, whose values stand in the text it was made from.
pub struct Notebook<'j> {
    /// Its cells.
    pub cells: Vec<Cell<'j>>,
    /// The language of its code.
    pub language: Option<String>,
    /// Major and minor version of its format, 0 where it does not say.
    pub format: (u64, u64),
    /// How its lists of lines make up texts.
    pub lists: Lists,
    /// What is wrong with it.
    pub notes: Vec<String>,
}

/// A cell.
#[derive(Default)]
pub struct Cell<'j> {
    kind: Option<&'j RawValue>,
    source: Option<&'j RawValue>,
    input: Option<&'j RawValue>,
    /// The source of code, and that of text, in version 1.
    first: (Option<&'j RawValue>, Option<&'j RawValue>),
    count: Option<&'j RawValue>,
    level: Option<&'j RawValue>,
    language: Option<&'j RawValue>,
    /// What it puts out.
    pub outputs: Vec<&'j RawValue>,
    /// Files that its source refers to, by name.
    pub attachments: Option<&'j RawValue>,
    /// What its outputs are if they are no list.
    odd_outputs: Option<&'static str>,
    /// What stands in its place.
    odd: Option<&'static str>,
}

/// What a cell is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind<'j> {
    /// Code.
    Code,
    /// Markdown, and of what level a heading that has no marks of its own.
    Markdown(Option<usize>),
    /// Anything else.
    Other(Cow<'j, str>),
}

impl<'j> Cell<'j> {
    /// What it is.
    pub fn kind(&self) -> Kind<'j> {
        let Some(kind) = self.kind else {
            return Kind::Other("unknown".into());
        };
        match json::text(kind) {
            kind if kind == "code" => Kind::Code,
            kind if kind == "markdown" => Kind::Markdown(None),
            // The name in version 1.
            kind if kind == "text" && self.first.1.is_some() => Kind::Markdown(None),
            kind if kind == "heading" => {
                let level = self.level.and_then(json::number).unwrap_or(1);
                Kind::Markdown(Some(usize::try_from(level).unwrap_or(6).clamp(1, 6)))
            }
            kind => Kind::Other(kind),
        }
    }

    /// Its source, without the marks of a heading.
    pub fn source(&self, lists: Lists) -> Cow<'j, str> {
        let (code, text) = self.first;
        self.source
            .or(self.input)
            .or(code)
            .or(text)
            .map(|source| lists.text(source))
            .unwrap_or_default()
    }

    /// How many cells had been run once it was.
    pub fn count(&self) -> Option<u64> {
        self.count.and_then(json::number)
    }
}

impl Kind<'_> {
    /// Its name, on one line.
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
            let field = match &*name {
                "cell_type" => &mut cell.kind,
                "source" => &mut cell.source,
                "input" => &mut cell.input,
                "code" => &mut cell.first.0,
                "text" => &mut cell.first.1,
                "execution_count" | "prompt_number" => &mut cell.count,
                "level" => &mut cell.level,
                "language" => &mut cell.language,
                "attachments" => &mut cell.attachments,
                "outputs" => {
                    let outputs: Shape<Skipped, &RawValue> = object.next_value()?;
                    (cell.outputs, cell.odd_outputs) = match outputs {
                        Shape::List(outputs) => (outputs, None),
                        Shape::Null => (Vec::new(), None),
                        Shape::Object(_) => (Vec::new(), Some("an object")),
                        Shape::Other(what) => (Vec::new(), Some(what)),
                    };
                    continue;
                }
                _ => {
                    object.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            let value: &RawValue = object.next_value()?;
            *field = Some(value).filter(|value| !json::is_null(value));
        }
        Ok(cell)
    }
}

impl Held for Shape<Cell<'_>, IgnoredAny> {
    /// Of a cell there is more to hold than where it is.
    fn weight(&self) -> usize {
        let outputs = match self {
            Self::Object(cell) => cell.outputs.len(),
            Self::List(_) | Self::Null | Self::Other(_) => 0,
        };
        outputs.saturating_add(limits::NOTEBOOK_VALUES / limits::NOTEBOOK_CELLS)
    }
}

type Cells<'j> = Shape<Skipped, Shape<Cell<'j>, IgnoredAny>>;

/// The fields of a notebook.
#[derive(Default)]
struct Document<'j> {
    cells: Option<Cells<'j>>,
    worksheets: Option<&'j RawValue>,
    metadata: Option<&'j RawValue>,
    major: Option<&'j RawValue>,
    minor: Option<&'j RawValue>,
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

/// Reads a notebook.
pub fn notebook(json: &str) -> Result<Notebook<'_>, Broken> {
    let json = json.strip_prefix('\u{feff}').unwrap_or(json);
    if let Some((line, column)) = json::too_deep(json) {
        return Err(Broken::Unreadable(format!(
            "not JSON: values are nested too deep at line {line} column {column}"
        )));
    }
    let shape: Shape<Document<'_>, IgnoredAny> =
        serde_json::from_str(json).map_err(|error| broken(&error))?;
    let foreign = |words: &str| Broken::Unreadable(format!("not a notebook: {words}"));
    let Shape::Object(document) = shape else {
        return Err(foreign("the JSON is no object"));
    };
    let mut notes = Vec::new();
    let in_sheets = document.cells.is_none();
    let cells = match (document.cells, document.worksheets) {
        (Some(Shape::List(cells)), _) => cells,
        (Some(_), _) => return Err(foreign("`cells` is no list")),
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
    let number = |value: Option<&RawValue>| value.and_then(json::number).unwrap_or(0);
    let format = (number(document.major), number(document.minor));
    if format.0 > NEWEST {
        notes.push(format!(
            "its format {} is newer than {NEWEST}, and is read as that",
            format.0
        ));
    }
    let lists = if in_sheets || (1..4).contains(&format.0) {
        Lists::Bare
    } else {
        Lists::Ended
    };
    let language = document.metadata.and_then(language);
    let language = language.or_else(|| cells.iter().find_map(|cell| name(cell.language?)));
    Ok(Notebook {
        cells,
        language,
        format,
        lists,
        notes,
    })
}

/// Why JSON could not be taken.
fn broken(error: &serde_json::Error) -> Broken {
    // One of data is that there is too much of it.
    if error.is_data() {
        return super::too_many();
    }
    Broken::Unreadable(format!("not JSON: {error}"))
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

/// The cells of all worksheets, which were in use before version 4.
fn sheets<'j>(
    worksheets: &'j RawValue,
    notes: &mut Vec<String>,
) -> Result<Vec<Shape<Cell<'j>, IgnoredAny>>, Broken> {
    let mut all = Vec::new();
    let mut left = Some(limits::NOTEBOOK_VALUES);
    let (mut at, mut odd) = (0u64, 0u64);
    let listed = json::each(worksheets, |sheet| {
        let cells = Fields::of(sheet).and_then(|sheet| sheet.get("cells"));
        match cells.map(|cells| serde_json::from_str(cells.get())) {
            Some(Ok(Cells::List(cells))) => {
                let weight = cells
                    .iter()
                    .map(Held::weight)
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
        return Err(Broken::Unreadable(
            "not a notebook: `worksheets` is no list".to_owned(),
        ));
    }
    left.map(|_| all).ok_or_else(super::too_many)
}

/// The language that the metadata tells.
fn language(metadata: &RawValue) -> Option<String> {
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

/// A name, unless it is empty.
fn name(value: &RawValue) -> Option<String> {
    let text = json::text(value);
    let name = text.trim();
    (!name.is_empty()).then(|| shortened(name).into_owned())
}

/// The language of a kernel: `python3` runs Python.
fn kernel(name: String) -> String {
    match name.strip_prefix("python") {
        Some(version) if version.bytes().all(|b| b.is_ascii_digit() || b == b'.') => {
            "python".to_owned()
        }
        _ => name,
    }
}
