//! The sheets of a workbook by their names, and the paths of their texts.

use crate::escapes::escape_invisible;
use crate::failure::Failure;
use crate::path::{Part, Selector, UnitKind, View};
use crate::read::unit_path;
use crate::subject::Subject;
use crate::world::{DocumentError, DocumentFailure};

/// The path of the text of a sheet, or of all sheets if a sheet has the name of its selector.
pub fn text_path(names: &[String], index: u64, subject: &Subject) -> String {
    let kind = UnitKind::Sheet;
    let is_taken = |name: &String| one_spaced(name).eq_ignore_ascii_case(kind.word());
    if names.iter().any(is_taken) {
        let text = Selector::of(Part::Converted(View::Main));
        return escape_invisible(&subject.with_selector(&text));
    }
    unit_path(kind, kind.first().saturating_add(index), subject)
}

/// A name without spaces around it, and with one space between words.
pub fn one_spaced(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join(" ")
}

/// The failure for a sheet that the engine cannot read.
pub fn unread(error: &DocumentError, subject: &Subject) -> Failure {
    let failure = error.failure(&format!("cannot read `{}`", subject.requested));
    match error {
        DocumentError::Exhausted(_) => failure.hint("select a part of it: `?range=A1:F5000`"),
        _ => failure,
    }
}
