//! The forms in which a notebook is shown.

use super::draft::Draft;
use super::json::Lists;
use super::output::{self, Outputs};
use super::parse::{Cell, Kind, Notebook};
use super::{Heading, Rendered, View};
use crate::answer::Facts;
use crate::converted::{Attached, Broken, Hidden, NoUnit, Unit};
use crate::limits;
use crate::path::{UnitKind, UnitRange};
use crate::sniff::Document;
use crate::visible::visible;
use memchr::{memchr_iter, memmem};

/// What a marker starts with.
const MARKER: &str = "# %% [";

/// A notebook in one of its forms.
pub fn render(notebook: Notebook<'_>, view: View) -> Result<Rendered, Broken> {
    let Notebook {
        cells,
        language,
        format,
        lists,
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
                editable(cell, at, lists, &mut draft, &mut notes)?;
            }
        }
        View::Outputs => {
            let name = language.as_deref().map(visible);
            draft.push("# Jupyter Notebook (");
            draft.push(name.as_deref().unwrap_or("unknown"));
            let many = if count == 1 { "" } else { "s" };
            draft.push(&format!(")\n# {count} cell{many}"));
            for (at, cell) in (0..).zip(&cells) {
                draft.push("\n\n");
                with_outputs(cell, at, (Heading::Numbered, false), lists, &mut draft)?;
            }
        }
        View::Cells { range, heading } => {
            let (first, end) = within(range, count)?;
            let start = usize::try_from(first).unwrap_or(usize::MAX);
            for (at, cell) in (first..end).zip(cells.iter().skip(start)) {
                if at > first {
                    draft.push("\n\n");
                }
                with_outputs(cell, at, (heading, true), lists, &mut draft)?;
            }
        }
    }
    let more = notes.len().saturating_sub(limits::NOTEBOOK_NOTES);
    if more > 0 {
        notes.truncate(limits::NOTEBOOK_NOTES);
        notes.push(format!("{more} more of this kind"));
    }
    if view == View::Outputs && draft.cut {
        // The headings count from 1.
        notes.push("`:cell:0` is the first cell, with all that it puts out".to_owned());
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

/// What is known about a notebook. Its version is 0 if it states none.
fn facts(cells: u64, language: Option<String>, (major, minor): (u64, u64)) -> Facts {
    let language = language.map(|language| ("language", language));
    // 0 is not a version.
    let version = (major > 0).then(|| ("nbformat", format!("{major}.{minor}")));
    Facts {
        format: Document::Notebook.name(),
        units: Some((UnitKind::Cell, cells)),
        stated: language.into_iter().chain(version).collect(),
    }
}

/// The first cell of a range, and the one after the last.
fn within(range: UnitRange, cells: u64) -> Result<(u64, u64), Broken> {
    range.within(cells).ok_or(Broken::NoUnit(NoUnit {
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

/// A cell whose source stands exactly between its marker and the next.
fn editable(
    cell: &Cell<'_>,
    at: u64,
    lists: Lists,
    draft: &mut Draft,
    notes: &mut Vec<String>,
) -> Result<(), Broken> {
    let kind = cell.kind();
    let source = cell.source(lists);
    heading(&kind, at, Heading::Marker, draft);
    draft.push("\n");
    marks(&kind, draft);
    draft.push(&source);
    if let Some(line) = like_a_marker(&source) {
        notes.push(format!(
            "line {line} of the source of cell:{at} looks like a marker, and is none"
        ));
    }
    let files = cell.attachments.map_or(Ok(0), |files| {
        output::files(files).map(|files| files.0.len())
    })?;
    hidden(cell.outputs.len(), files, at, draft);
    draft.room()
}

/// The marks of a heading that is a cell of its own.
fn marks(kind: &Kind<'_>, draft: &mut Draft) {
    if let Kind::Markdown(Some(level)) = kind {
        draft.push(&"#".repeat(*level));
        draft.push(" ");
    }
}

/// Tells of outputs and attachments that are not shown.
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

/// The first line of a source that could be taken for a marker, counted from 1.
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

/// A cell with what it puts out, below a heading; `whole` asks for long outputs
/// as a whole.
fn with_outputs(
    cell: &Cell<'_>,
    at: u64,
    (style, whole): (Heading, bool),
    lists: Lists,
    draft: &mut Draft,
) -> Result<(), Broken> {
    let kind = cell.kind();
    let source = cell.source(lists);
    let source = trimmed(&source);
    heading(&kind, at, style, draft);
    if kind == Kind::Code {
        if let Some(count) = cell.count() {
            draft.lines(&format!("In [{count}]:"));
        }
        let fence = fence(source);
        draft.lines(&fence);
        draft.lines(source);
        draft.lines(&fence);
    } else if !source.is_empty() {
        draft.push("\n");
        marks(&kind, draft);
        draft.push(source);
    }
    if let Some(files) = cell.attachments {
        output::attachments(files, at, lists, draft)?;
    }
    let mut outputs = Outputs::new(draft, at, whole, lists);
    for output in &cell.outputs {
        outputs.write(output)?;
    }
    draft.room()
}

/// A source without blank lines before it and white space behind it.
fn trimmed(source: &str) -> &str {
    let source = source.trim_end();
    let blank = source.len().saturating_sub(source.trim_start().len());
    let blank = source.get(..blank).unwrap_or_default();
    let start = blank.rfind('\n').map_or(0, |end| end.saturating_add(1));
    source.get(start..).unwrap_or(source)
}

/// A fence that the source does not hold.
fn fence(source: &str) -> String {
    let mut longest = 2usize;
    let mut run = 0usize;
    let mut last = None;
    for at in memchr_iter(b'`', source.as_bytes()) {
        let follows = at.checked_sub(1).is_some_and(|before| last == Some(before));
        run = if follows { run.saturating_add(1) } else { 1 };
        longest = longest.max(run);
        last = Some(at);
    }
    "`".repeat(longest.saturating_add(1))
}
