//! Fields, with the values of those of forms.

use crate::limits;
use crate::model::Inline;
use crate::word::fields::{self, Instead, Kind};

/// The maximum number of entries of a drop-down list.
const ENTRIES: usize = 256;

/// A field whose end is not read yet.
#[derive(Debug, Default)]
pub struct Field {
    /// The instruction, and what it is.
    content: fields::Field,
    /// The kind of the form field: 1 is a check box, 2 a drop-down list.
    pub form: i32,
    /// The value of the form field. `25` means the default.
    pub value: i32,
    /// The default of the form field.
    pub default: i32,
    /// The entries of a drop-down list.
    entries: Vec<String>,
}

impl Field {
    /// Returns the kind. `None` as long as the instruction is read.
    pub fn kind(&self) -> Option<&Kind> {
        self.content.kind()
    }

    /// Adds text to the instruction.
    pub fn instruct(&mut self, text: &str) {
        self.content.instruct(text);
    }

    /// Starts an entry of a drop-down list.
    pub fn start_entry(&mut self) {
        if self.entries.len() < ENTRIES {
            self.entries.push(String::new());
        }
    }

    /// Adds text to the entry of a drop-down list.
    pub fn entry(&mut self, text: &str) {
        if let Some(entry) = self.entries.last_mut()
            && entry.len() < limits::INSTRUCTION_BYTES
        {
            entry.push_str(text);
        }
    }

    /// Ends the instruction. Returns the value of a form field that has no text.
    pub fn separate(&mut self) -> Option<Inline> {
        self.content.separate();
        let value = match self.value {
            25 => self.default,
            value => value,
        };
        match self.form {
            0 if self.content.is_named("FORMCHECKBOX") => Some(Inline::CheckBox(false)),
            1 => Some(Inline::CheckBox(value == 1)),
            2 => {
                let place = usize::try_from(value).unwrap_or_default();
                self.entries.get(place).map(Inline::plain)
            }
            _ => None,
        }
    }

    /// Notes that the result has text.
    pub fn fill(&mut self) {
        self.content.fill();
    }

    /// Ends the field. Returns what is in the place of its result if it has none.
    pub fn end(self) -> Option<Instead> {
        self.content.end()
    }
}
