//! Objects of other programs that are embedded in a document: their names, and the notes on them.

use crate::budget::start;
use crate::limits;
use crate::note::quoted_name;

/// The objects that are not shown.
#[derive(Default)]
pub struct Embedded {
    /// The first of them: the part, and the name of the program.
    list: Vec<(String, String)>,
    count: usize,
}

impl Embedded {
    /// Adds an object.
    pub fn push(&mut self, part: &str, program: &str) {
        if self.list.iter().any(|(own, _)| own == part) {
            return;
        }
        self.count = self.count.saturating_add(1);
        if self.list.len() < limits::NOTES {
            let program = start(program.trim(), limits::MARKER_BYTES);
            self.list.push((part.to_owned(), program.to_owned()));
        }
    }

    /// Adds an object without a part of its own.
    pub fn add(&mut self) {
        self.count = self.count.saturating_add(1);
    }

    /// Writes the notes.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let more = self.count.saturating_sub(self.list.len());
        let rest = match (more, self.list.is_empty()) {
            (0, _) => None,
            (1, true) => Some("An embedded document is not shown.".to_owned()),
            (_, true) => Some(format!("{more} embedded documents are not shown.")),
            (_, false) => Some(format!("{more} more embedded objects are not shown.")),
        };
        let list = self.list.iter().map(|(part, program)| {
            if program.is_empty() {
                format!("The embedded document {} is not shown.", quoted_name(part))
            } else {
                object_note(part, program)
            }
        });
        list.chain(rest)
    }
}

/// The note on an object of a program.
pub fn object_note(part: &str, program: &str) -> String {
    format!(
        "The embedded object {} ({}) is not shown as text.",
        quoted_name(part),
        quoted_name(program)
    )
}

/// Returns the name of an object for its image.
pub fn object_name(program: &str) -> String {
    let program = start(program.trim(), limits::MARKER_BYTES);
    if program.starts_with("Equation") {
        return "Equation".to_owned();
    }
    match program.split('.').next().unwrap_or_default() {
        "" => "Embedded object".to_owned(),
        first => format!("Embedded object ({first})"),
    }
}
