//! The views of a notebook.

use super::draft::Draft;
use super::json::LineJoin;
use super::output::{self, Outputs};
use super::parse::{Cell, Kind, Notebook};
use super::view::{Heading, Rendered, View};
use crate::answer::DocumentFacts;
use crate::converted::{Attached, ConversionError, Hidden, NoUnit, Unit};
use crate::escapes::escape_invisible;
use crate::limits;
use crate::path::{UnitKind, UnitRange};
use crate::sniff::Document;
use memchr::{memchr_iter, memmem};
use omniread_document::markdown::fence;

/// The first characters of a marker line, such as `# %% [code] cell:0`, before a cell.
const MARKER: &str = "# %% [";

/// Renders the requested view of a notebook.
pub fn render(notebook: Notebook<'_>, view: View) -> Result<Rendered, ConversionError> {
    let Notebook {
        cells,
        language,
        format,
        line_join,
        mut notes,
    } = notebook;
    let count = cells.len() as u64;
    let mut draft = Draft::default();
    match view {
        View::Editable => {
            for (at, cell) in (0..).zip(&cells) {
                if at > 0 {
                    draft.push("\n");
                }
                editable(cell, at, line_join, &mut draft, &mut notes)?;
            }
        }
        View::Outputs => {
            let name = language.as_deref().map(escape_invisible);
            draft.push("# Jupyter Notebook (");
            draft.push(name.as_deref().unwrap_or("unknown"));
            let many = if count == 1 { "" } else { "s" };
            draft.push(&format!(")\n# {count} cell{many}"));
            for (at, cell) in (0..).zip(&cells) {
                draft.push("\n\n");
                with_outputs(cell, at, (Heading::Numbered, false), line_join, &mut draft)?;
            }
        }
        View::Cells { range, heading } => {
            let (first, end) = within(range, count)?;
            let start = usize::try_from(first).unwrap_or(usize::MAX);
            for (at, cell) in (first..end).zip(cells.iter().skip(start)) {
                if at > first {
                    draft.push("\n\n");
                }
                with_outputs(cell, at, (heading, true), line_join, &mut draft)?;
            }
        }
    }
    notes.append(&mut draft.notes);
    let more = notes.len().saturating_sub(limits::NOTEBOOK_NOTES);
    if more > 0 {
        notes.truncate(limits::NOTEBOOK_NOTES);
        notes.push(format!("{more} more of this kind"));
    }
    if view == View::Outputs && draft.cut {
        // Headings count from 1, but selectors count from 0.
        notes.push(
            "long outputs are shortened; PATH:cell:0 shows the first cell with its full output"
                .to_owned(),
        );
    }
    Ok(Rendered {
        unit: Unit {
            text: draft.text,
            attachments: draft.attachments,
            notes,
        },
        facts: facts(count, language, format),
    })
}

/// The facts about a notebook. If `major` is 0, the notebook does not state its version.
fn facts(cells: u64, language: Option<String>, (major, minor): (u64, u64)) -> DocumentFacts {
    let language = language.map(|language| ("language", language));
    // 0 is not a version.
    let version = (major > 0).then(|| ("nbformat", format!("{major}.{minor}")));
    DocumentFacts {
        format: Document::Notebook.name().into(),
        units: Some((UnitKind::Cell, cells)),
        metadata: language.into_iter().chain(version).collect(),
        headed: false,
    }
}

/// The indexes of the first cell of a range and of the cell after its last cell. Fails if the
/// notebook has no cell in the range.
fn within(range: UnitRange, cells: u64) -> Result<(u64, u64), ConversionError> {
    range.within(cells).ok_or(ConversionError::NoUnit(NoUnit {
        kind: range.kind,
        number: range.first,
        count: cells,
    }))
}

fn heading(kind: &Kind<'_>, at: u64, heading: Heading, draft: &mut Draft) {
    let name = kind.name();
    match heading {
        Heading::Marker => draft.push(&format!("{MARKER}{name}] cell:{at}")),
        Heading::Numbered => draft.push(&format!("## Cell {} [{name}]", at.saturating_add(1))),
    }
}

/// Writes the marker line of a cell, and then the exact source of the cell.
fn editable(
    cell: &Cell<'_>,
    at: u64,
    line_join: LineJoin,
    draft: &mut Draft,
    notes: &mut Vec<String>,
) -> Result<(), ConversionError> {
    let kind = cell.kind();
    let source = cell.source(line_join);
    heading(&kind, at, Heading::Marker, draft);
    draft.push("\n");
    marks(&kind, draft);
    draft.push(&source);
    if let Some(line) = like_a_marker(&source) {
        notes.push(format!(
            "line {line} of the source of cell:{at} looks like a cell marker but is not one"
        ));
    }
    let files = cell.attachments.map_or(Ok(0), |files| {
        output::files(files).map(|files| files.0.len())
    })?;
    hidden(cell.outputs.len(), files, at, draft);
    draft.room()
}

/// Writes the `#` characters of a heading cell, which are not part of its source.
fn marks(kind: &Kind<'_>, draft: &mut Draft) {
    if let Kind::Markdown(Some(level)) = kind {
        draft.push(&"#".repeat(*level));
        draft.push(" ");
    }
}

/// Attaches a notice that the outputs and attached files of the cell `at` are not shown, if it has
/// any.
fn hidden(outputs: usize, files: usize, at: u64, draft: &mut Draft) {
    if outputs > 0 || files > 0 {
        draft.attach(Attached::Hidden(Hidden {
            kind: UnitKind::Cell,
            units: (at, at),
            outputs,
            files,
        }));
    }
}

/// The number of the first line of a source that looks like the marker line of a cell. Lines are
/// counted from 1.
fn like_a_marker(source: &str) -> Option<usize> {
    let at = memmem::find_iter(source.as_bytes(), MARKER).find(|at| {
        let (before, line) = source.split_at_checked(*at).unwrap_or_default();
        let line = line.lines().next().unwrap_or_default();
        let number = line.rsplit_once("] cell:").map_or("", |(_, number)| number);
        (before.is_empty() || before.ends_with('\n'))
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
    })?;
    let before = source.as_bytes().get(..at).unwrap_or_default();
    Some(memchr_iter(b'\n', before).count().saturating_add(1))
}

/// Writes a cell with its outputs, after a heading. `whole` states whether long outputs
/// are written in full.
fn with_outputs(
    cell: &Cell<'_>,
    at: u64,
    (style, whole): (Heading, bool),
    line_join: LineJoin,
    draft: &mut Draft,
) -> Result<(), ConversionError> {
    let kind = cell.kind();
    let source = cell.source(line_join);
    let source = trimmed(&source);
    heading(&kind, at, style, draft);
    if kind == Kind::Code {
        if let Some(count) = cell.count() {
            draft.lines(&format!("In [{count}]:"));
        }
        let fence = fence(source, 3);
        draft.lines(&fence);
        draft.lines(source);
        draft.lines(&fence);
    } else if !source.is_empty() {
        draft.push("\n");
        marks(&kind, draft);
        draft.push(source);
    }
    if let Some(files) = cell.attachments {
        output::attachments(files, at, line_join, draft)?;
    }
    let mut outputs = Outputs::new(draft, at, whole, line_join);
    for output in &cell.outputs {
        outputs.write(*output)?;
    }
    draft.room()
}

/// A source without empty lines before it and without white space after it.
fn trimmed(source: &str) -> &str {
    let source = source.trim_end();
    let leading = source.len().saturating_sub(source.trim_start().len());
    let leading = source.get(..leading).unwrap_or_default();
    let start = leading.rfind('\n').map_or(0, |end| end.saturating_add(1));
    source.get(start..).unwrap_or(source)
}
