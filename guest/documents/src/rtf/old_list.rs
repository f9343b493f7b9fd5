//! List items of Word 6: `\pn`.

use super::state::{OldList, Paragraph};
use crate::limits;
use crate::word::numbering::number;

/// A list item of Word 6: `\pn`.
#[derive(Default)]
pub struct OldNumber {
    before: String,
    after: String,
    start: u32,
    format: &'static str,
    /// The number of the last item. `None` if the last paragraph is no item.
    pub last: Option<u32>,
}

impl OldNumber {
    /// Starts a format.
    pub fn start(&mut self) {
        self.before.clear();
        self.after.clear();
        self.start = 1;
        self.format = "decimal";
    }

    /// Reads a control word of the format.
    pub fn word(&mut self, name: &str, value: i32, paragraph: &mut Paragraph) {
        match name {
            "pnlvlblt" => paragraph.old_list = OldList::Bullet,
            "pnlvlbody" => paragraph.old_list = OldList::Number,
            "pnlvl" => {
                paragraph.old_list = OldList::Number;
                let level = u8::try_from(value).unwrap_or_default().clamp(1, 9);
                paragraph.level = level.saturating_sub(1);
            }
            "pnstart" => self.start = u32::try_from(value).unwrap_or_default(),
            "pnucrm" => self.format = "upperRoman",
            "pnlcrm" => self.format = "lowerRoman",
            "pnucltr" => self.format = "upperLetter",
            "pnlcltr" => self.format = "lowerLetter",
            "pnord" => self.format = "ordinal",
            _ => {}
        }
    }

    /// Adds to the text before the number.
    pub fn before(&mut self, text: &str) {
        if self.before.len() < limits::RTF_NAME {
            self.before.push_str(text);
        }
    }

    /// Adds to the text after the number.
    pub fn after(&mut self, text: &str) {
        if self.after.len() < limits::RTF_NAME {
            self.after.push_str(text);
        }
    }

    /// Counts an item, and returns its number.
    pub fn next(&mut self) -> String {
        let value = match self.last {
            Some(last) => last.saturating_add(1),
            None => self.start,
        };
        self.last = Some(value);
        let number = number(value, self.format);
        format!("{}{number}{}", self.before, self.after)
    }
}
