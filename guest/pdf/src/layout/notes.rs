//! Footnotes: a note goes after the paragraph that refers to it.

use super::parts::{Kind, Part};
use super::words::{Rise, Word};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The usual size of words in points, if a page has none.
const SIZE: f32 = 10.0;

/// The size below which a number is raised, relative to the usual size.
const RAISED: f32 = 0.85;

/// The maximum number of digits of the label of a note.
pub const LABEL: usize = 3;

/// The labels of raised numbers and signs of a page.
pub fn labels(words: &[Word]) -> BTreeSet<String> {
    let mut sizes: Vec<f32> = words.iter().map(|it| it.size).collect();
    sizes.sort_by(f32::total_cmp);
    let usual = sizes.get(sizes.len() / 2).copied().unwrap_or(SIZE);
    words
        .iter()
        .filter(|it| it.size < RAISED * usual && is_label(&it.text))
        .map(|it| it.text.clone())
        .collect()
}

/// Whether a text is a number or a sign of a note.
fn is_label(text: &str) -> bool {
    let number =
        !text.is_empty() && text.len() <= LABEL && text.bytes().all(|it| it.is_ascii_digit());
    number || matches!(text, "*" | "†" | "‡" | "§" | "¶")
}

/// Moves each note after the part that refers to it. Notes without a reference stay.
pub fn place(words: &[Word], parts: Vec<Part>) -> Vec<Part> {
    let is_note = |it: &Part| matches!(it.kind, Kind::Note(_));
    if !parts.iter().any(is_note) {
        return parts;
    }
    let referred: BTreeSet<String> = parts
        .iter()
        .filter(|it| !is_note(it))
        .flat_map(|it| raised(words, it))
        .collect();
    let mut notes: BTreeMap<String, VecDeque<Part>> = BTreeMap::new();
    let mut rest: Vec<Part> = Vec::new();
    for part in parts {
        match &part.kind {
            Kind::Note(label) if referred.contains(label) => {
                notes.entry(label.clone()).or_default().push_back(part);
            }
            _ => rest.push(part),
        }
    }
    let mut out = Vec::new();
    for part in rest {
        let labels = if is_note(&part) {
            Vec::new()
        } else {
            raised(words, &part)
        };
        out.push(part);
        for label in labels {
            out.extend(notes.get_mut(&label).and_then(VecDeque::pop_front));
        }
    }
    out.extend(notes.into_values().flatten());
    out
}

/// The raised labels of a part.
fn raised(words: &[Word], part: &Part) -> Vec<String> {
    part.lines
        .iter()
        .flat_map(|it| &it.words)
        .filter_map(|it| words.get(*it))
        .filter(|it| it.rise == Rise::Super && is_label(&it.text))
        .map(|it| it.text.clone())
        .collect()
}
