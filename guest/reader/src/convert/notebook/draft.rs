//! Output buffer of the conversion: text, and the attachments that follow its lines.

use super::errors::too_long;
use crate::converted::{Attached, Attachment, ConversionError};
use crate::limits;
use memchr::memchr_iter;

/// Converted text to which lines are appended.
#[derive(Default)]
pub struct Draft {
    /// The text.
    pub text: String,
    /// Images and notices that follow lines of the text.
    pub attachments: Vec<Attachment>,
    /// Notes on the outputs, each of which names the cell.
    pub notes: Vec<String>,
    /// Whether the output of a cell was shortened.
    pub cut: bool,
    ends: u64,
}

impl Draft {
    /// Appends `text` to the last line of the draft.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        let ends = memchr_iter(b'\n', text.as_bytes()).count() as u64;
        self.ends = self.ends.saturating_add(ends);
    }

    /// Starts a new line and appends `text`.
    pub fn lines(&mut self, text: &str) {
        self.push("\n");
        self.push(text);
    }

    /// Checks that the text and the attachments are within their limits.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    pub fn room(&self) -> Result<(), ConversionError> {
        if self.text.len() > limits::CONVERTED_TEXT_BYTES
            || self.attachments.len() > limits::NOTEBOOK_ATTACHMENTS
        {
            return Err(too_long());
        }
        Ok(())
    }

    /// Attaches an image or notice after the last line.
    pub fn attach(&mut self, what: Attached) {
        self.attachments.push(Attachment {
            line: self.ends.saturating_add(1),
            what,
        });
    }
}
