//! Terms whose definitions are indented, such as the options of manual pages.
//!
//! ```text
//! -a      Shows all of them, even
//!         those that are hidden.
//! --long-option
//!         Shows more of them.
//! ```
//!
//! A short term is on the first line of its definition.

use super::breaks;
use super::limits;
use super::lines::{self, Line};
use super::margins::{self, Margins};
use super::marker;
use super::words::{Rise, Word};
use crate::extremes::Extremes as _;

/// The least width of the white after a term, relative to the size. A space is a quarter to a third.
const GAP: f32 = 0.4;

/// The least width of a space relative to the size.
const SPACE: f32 = 0.12;

/// The width of the white after a term from which it may be between the columns of a table, in font sizes.
const TABLE_GAP: f32 = 0.95;

/// The distance of starts in points below which they are at one place: positions are rounded.
const SAME_START: f32 = 0.5;

/// The distance by which a line starts at the left of the one before, in font sizes, so that it is a new part.
const BACK: f32 = 0.6;

/// The distance by which a definition is indented below its term, in font sizes.
const INDENT: f32 = 0.8;

/// The distance of the starts of the lines of a definition below its term, in font sizes.
const SAME_TEXT: f32 = 0.15;

/// Splits lines that start with a term. `edges` tells for each line whether an edge is above it. `None`
/// if there are no terms.
pub fn split(
    words: &[Word],
    lines: &[Line],
    edges: &[bool],
    margins: &Margins,
) -> Option<Vec<Line>> {
    let columns = columns(words, lines, edges, margins);
    if columns.is_empty() {
        return None;
    }
    let mut out = Vec::with_capacity(lines.len());
    let mut before: Option<&Line> = None;
    for (index, line) in lines.iter().enumerate() {
        let after = lines.get(index.saturating_add(1));
        let starts = before.is_none_or(|it| {
            line.y - it.y > breaks::PARAGRAPH * margins.pitch(line.size)
                || it.x0 > line.x0 + BACK * line.size
        });
        before = Some(line);
        let at = columns
            .iter()
            .find(|it| (it.term - line.x0).abs() < SAME_START)
            .filter(|_| starts && !line.entry && !edges.get(index).copied().unwrap_or(false))
            .and_then(|it| Some((it, split_at(words, line, *it, after, margins)?)))
            .filter(|it| goes_on(line, *it.0, after, margins));
        let parts = at.and_then(|(_, at)| {
            let (term, text) = line.words.split_at_checked(at)?;
            Some((lines::part(words, term)?, lines::part(words, text)?))
        });
        if let Some((term, text)) = parts {
            out.push(Line { term: true, ..term });
            out.push(text);
        } else {
            out.push(line.clone());
        }
    }
    Some(out)
}

/// Where terms and definitions start.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Columns {
    term: f32,
    text: f32,
}

/// The columns of terms and definitions.
fn columns(words: &[Word], lines: &[Line], edges: &[bool], margins: &Margins) -> Vec<Columns> {
    let mut out: Vec<Columns> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let next = index.saturating_add(1);
        let Some(after) = lines.get(next) else { break };
        let found = Columns {
            term: line.x0,
            text: after.x0,
        };
        let same = |it: &Columns| {
            (it.term - found.term).abs() < SAME_START && (it.text - found.text).abs() < SAME_START
        };
        let close =
            after.y - line.y < breaks::PARAGRAPH * margins.pitch(line.size) + breaks::ROUNDING;
        let edge = |at: usize| edges.get(at).copied().unwrap_or(false);
        if !close
            || line.mono
            || line.rtl
            || line.entry
            || after.x0 < line.x0 + line.size
            || edge(index)
            || edge(next)
            || is_marked(words, line)
            || is_marked(words, after)
            || out.len() >= limits::HANGING
            || out.iter().any(same)
        {
            continue;
        }
        // A term over the column of the definitions, or white that is too narrow for a table.
        let long = line.cells.len() == 1
            && line.x1 > after.x0 - GAP * line.size
            && !margins.is_full(line)
            && border(words, line, after.x0).is_none()
            && (has_face(words, line) && !has_face(words, after)
                || lines
                    .get(next.saturating_add(1))
                    .is_some_and(|it| (it.x0 - after.x0).abs() < SAME_START));
        let narrow = || {
            let at = border(words, line, after.x0)?;
            let word = |at: usize| line.words.get(at).and_then(|it| words.get(*it));
            let (a, b) = (word(at.checked_sub(1)?)?, word(at)?);
            Some(b.x0 - a.x1 < TABLE_GAP * line.size && margins.is_full(line))
        };
        if long || narrow() == Some(true) {
            out.push(found);
        }
    }
    out
}

/// Whether a line starts with heavy or slanted text.
fn has_face(words: &[Word], line: &Line) -> bool {
    let first = line.words.first().and_then(|it| words.get(*it));
    first.is_some_and(|it| it.face.bold || it.face.italic)
}

/// The position of the first word of the definition in a line, if it starts at `x` after a gap.
fn border(words: &[Word], line: &Line, x: f32) -> Option<usize> {
    border_after(words, line, x, GAP)
}

/// As [`border`], with the least gap in font sizes.
fn border_after(words: &[Word], line: &Line, x: f32, gap: f32) -> Option<usize> {
    if line.mono || line.rtl || is_marked(words, line) {
        return None;
    }
    let word = |it: Option<&usize>| it.and_then(|it| words.get(*it));
    let at = line
        .words
        .iter()
        .position(|it| {
            words
                .get(*it)
                .is_some_and(|it| (it.x0 - x).abs() < SAME_START)
        })
        .filter(|it| *it > 0)?;
    let last = word(line.words.get(at.checked_sub(1)?))?;
    let text = lines::part(words, line.words.get(at..)?)?;
    let apart = x - last.x1 > gap * line.size;
    (apart && lines::is_running(words, &text)).then_some(at)
}

/// The position of the first word of the definition in a line that may start with a term. A term that is nearly as wide
/// as its column has only a space after it, if the definition goes on below its start.
fn split_at(
    words: &[Word],
    line: &Line,
    columns: Columns,
    after: Option<&Line>,
    margins: &Margins,
) -> Option<usize> {
    let below = after.is_some_and(|it| {
        let pitch = margins.pitch(line.size);
        (it.x0 - columns.text).abs() < SAME_START
            && it.y - line.y < breaks::PARAGRAPH * pitch + breaks::ROUNDING
    });
    let gap = if below { SPACE } else { GAP };
    border_after(words, line, columns.text, gap)
}

/// Whether the line after a term with its definition fits: it continues the definition, or it is the
/// next term.
fn goes_on(line: &Line, columns: Columns, after: Option<&Line>, margins: &Margins) -> bool {
    after.is_none_or(|it| {
        let close = it.y - line.y < breaks::PARAGRAPH * margins.pitch(line.size) + breaks::ROUNDING;
        !close || (it.x0 - columns.text).abs() < SAME_START || !margins.is_full(line)
    })
}

/// Whether a line starts with the marker of an item or the label of a note.
fn is_marked(words: &[Word], line: &Line) -> bool {
    let first = line.words.first().and_then(|it| words.get(*it));
    first.is_some_and(|it| it.rise != Rise::None || marker::marker(&it.text).is_some())
}

/// Whether a line is a term with an indented definition below it: the lines after it start at one place.
/// The first of the lines is the term.
pub fn is_term(words: &[Word], lines: &[Line], margins: &Margins) -> bool {
    let [line, text, rest @ ..] = lines else {
        return false;
    };
    let near =
        |a: &Line, b: &Line| b.y - a.y < breaks::APART * margins.pitch(a.size.greater(b.size));
    let indented = margins::start(text) > margins::start(line) + INDENT * line.size;
    if !indented || !near(line, text) || text.mono || is_marked(words, text) {
        return false;
    }
    // The first line of a paragraph may be indented.
    rest.first().is_none_or(|it| {
        let same = (margins::start(it) - margins::start(text)).abs() < SAME_TEXT * text.size;
        same || !near(text, it) || !margins.is_full(text)
    })
}
