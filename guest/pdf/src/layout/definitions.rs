//! Lists of terms and their definitions, which look like tables of two columns.

use super::draft::Found;
use super::lines::Line;
use super::margins::Margins;
use super::parts::{Kind, Part};
use super::words::Word;

/// The width of the column of terms, in font sizes, from which they are text as well: a third of a page.
const TERMS: f32 = 14.0;

/// The size of text in points if it is not known.
const SIZE: f32 = 10.0;

/// Whether a table is a list of terms with sentences that explain them.
pub fn is_list(words: &[Word], found: &Found) -> bool {
    let [first, _] = found.columns.as_slice() else {
        return false;
    };
    let size = |it: &Word| it.size;
    let em = found
        .rows
        .iter()
        .flatten()
        .flat_map(|it| it.lines.iter().flatten())
        .find_map(|it| words.get(*it))
        .map_or(SIZE, size);
    let sentences = found.rows.iter().filter(|row| {
        let text = row.iter().find(|it| it.column == 1);
        let last = text.and_then(|it| it.lines.last()).and_then(|it| it.last());
        let long = text
            .is_some_and(|it| it.lines.iter().map(Vec::len).fold(0, usize::saturating_add) >= 2);
        long && last
            .and_then(|it| words.get(*it))
            .is_some_and(|it| it.text.ends_with(['.', '!', '?']))
    });
    first.1 - first.0 < TERMS * em
        && sentences.count().saturating_mul(5) >= found.rows.len().saturating_mul(3)
}

/// Terms and what explains them as paragraphs.
pub fn parts(words: &[Word], found: &Found, margins: &Margins) -> Vec<Part> {
    let mut out = Vec::new();
    for cell in found.rows.iter().flatten() {
        let lines: Vec<Line> = cell
            .lines
            .iter()
            .filter_map(|it| super::lines::of_words(words, it))
            .collect();
        let Some(last) = lines.last() else { continue };
        out.push(Part {
            kind: Kind::Paragraph,
            full: margins.is_full(last),
            indented: cell.column > 0,
            lines,
        });
    }
    out
}

/// Replaces lists of terms by their parts. The first one of a page stays: it may be the rest of a table
/// on the page before.
pub fn expanded(parts: Vec<Part>) -> Vec<Part> {
    let mut out = Vec::with_capacity(parts.len());
    for part in parts {
        match part.kind {
            Kind::Terms(_, own) if !out.is_empty() => out.extend(own),
            kind => out.push(Part { kind, ..part }),
        }
    }
    out
}
