//! A text that grows, and what follows its lines.

use crate::converted::{Attached, Attachment, Broken};
use crate::limits;
use memchr::memchr_iter;

/// A text that grows.
#[derive(Default)]
pub struct Draft {
    /// The text.
    pub text: String,
    /// What follows its lines.
    pub attachments: Vec<Attachment>,
    /// Something of it was left out.
    pub cut: bool,
    ends: u64,
}

impl Draft {
    /// Appends to the last line.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        let ends = memchr_iter(b'\n', text.as_bytes()).count() as u64;
        self.ends = self.ends.saturating_add(ends);
    }

    /// Appends lines of their own.
    pub fn lines(&mut self, text: &str) {
        self.push("\n");
        self.push(text);
    }

    /// Whether there is room for more.
    ///
    /// # Errors
    /// If there is none.
    pub fn room(&self) -> Result<(), Broken> {
        if self.text.len() > limits::CONVERTED_TEXT_BYTES
            || self.attachments.len() > limits::NOTEBOOK_ASIDES
        {
            return Err(super::too_long());
        }
        Ok(())
    }

    /// Puts something behind the last line.
    pub fn attach(&mut self, what: Attached) {
        self.attachments.push(Attachment {
            line: self.ends.saturating_add(1),
            what,
        });
    }
}
