//! Fields: links, page numbers, tables of contents and fields of forms.

use crate::model::Inline;
use crate::word::fields::hyperlink;

/// The maximum number of open fields. The text of deeper ones is shown.
pub const FIELDS: usize = 64;

/// The maximum number of bytes of the instruction of a field that are used.
const INSTRUCTION: usize = 4096;

/// The maximum number of entries of a drop-down list.
const ENTRIES: usize = 256;

/// The kinds of fields whose result is not shown as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FieldKind {
    /// The result is shown.
    #[default]
    Other,
    /// A link.
    Link(String),
    /// A table of contents.
    Contents,
    /// The number of a page.
    Page,
}

/// A field whose end is not read yet.
#[derive(Debug, Default)]
pub struct Field {
    /// The instruction.
    instruction: String,
    /// The kind, which is known at the start of the result.
    pub kind: FieldKind,
    /// Whether the instruction is read.
    pub is_known: bool,
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
    /// Adds text to the instruction.
    pub fn instruct(&mut self, text: &str) {
        if self.instruction.len() < INSTRUCTION {
            self.instruction.push_str(text);
        }
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
            && entry.len() < INSTRUCTION
        {
            entry.push_str(text);
        }
    }

    /// Reads the instruction. Returns the value of a form field that has no text.
    pub fn read(&mut self) -> Option<Inline> {
        if self.is_known {
            return None;
        }
        self.is_known = true;
        let instruction = self.instruction.trim();
        let name = instruction.split_whitespace().next().unwrap_or_default();
        self.kind = match name.to_ascii_uppercase().as_str() {
            "HYPERLINK" => {
                // Links inside the document are text.
                let url = hyperlink(instruction).filter(|url| !url.starts_with('#'));
                url.map_or(FieldKind::Other, FieldKind::Link)
            }
            // `\c` lists captions, which are not headings.
            "TOC" if !instruction.contains("\\c") => FieldKind::Contents,
            "PAGE" | "NUMPAGES" | "SECTIONPAGES" => FieldKind::Page,
            _ => FieldKind::Other,
        };
        let value = match self.value {
            25 => self.default,
            value => value,
        };
        match self.form {
            0 if name == "FORMCHECKBOX" => Some(Inline::CheckBox(false)),
            0 => crate::word::ruby::text(instruction).map(Inline::plain),
            1 => Some(Inline::CheckBox(value == 1)),
            2 => {
                let place = usize::try_from(value).unwrap_or_default();
                self.entries.get(place).map(Inline::plain)
            }
            _ => None,
        }
    }
}
