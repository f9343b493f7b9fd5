//! How the parts of a reply stand together: lines with their numbers, what is
//! said before them, and what is said behind.

use super::Block;
use crate::window::{Line, Numbering, Page};

/// The parts of a reply that is text.
#[derive(Debug, Default)]
pub struct Layout {
    /// Lines before the text.
    pub head: Vec<String>,
    /// The text.
    pub body: String,
    /// Lines behind it.
    pub notices: Vec<String>,
    /// The text is exact, so it stands alone.
    pub exact: bool,
}

impl Layout {
    /// A text block with these gaps after head and text. Exact text stands in
    /// one of its own, and what is said of it in a second one.
    pub fn blocks(self, after_head: &str, after_body: &str) -> Vec<Block> {
        if !self.exact {
            return vec![Block::Text(self.text(after_head, after_body))];
        }
        let around: Vec<String> = self.head.into_iter().chain(self.notices).collect();
        let mut blocks = vec![Block::Text(self.body)];
        if !around.is_empty() {
            blocks.push(Block::Notice(around.join("\n")));
        }
        blocks
    }

    /// The same as one text.
    pub fn text(self, after_head: &str, after_body: &str) -> String {
        let (head, notices) = (self.head.join("\n"), self.notices.join("\n"));
        // The text may be long and has room: it is not copied.
        let mut text = self.body;
        if !head.is_empty() {
            let gap = if text.is_empty() { "" } else { after_head };
            text.insert_str(0, &(head + gap));
        }
        if !notices.is_empty() {
            if !text.is_empty() {
                text.push_str(after_body);
            }
            text.push_str(&notices);
        }
        text
    }
}

/// Room for what stands around the lines, so that it can be added in place.
const AROUND_BYTES: usize = 512;

/// How lines are written.
#[derive(Clone, Copy)]
pub struct Lines {
    /// What stands before each.
    pub numbering: Numbering,
    /// What stands where lines are left out, as a line of its own.
    pub gap: Option<&'static str>,
    /// Writes what marks a line as cut; the column comes next.
    pub cut: fn(&Line, u64, &mut String),
}

impl Lines {
    /// Adds the lines of a page, without a line end behind the last.
    pub fn write(self, page: &Page, out: &mut String) {
        let numbers = page.lines.len().saturating_mul(10);
        let room = page.text.len().saturating_add(numbers);
        out.reserve(room.saturating_add(AROUND_BYTES));
        for (index, line) in page.lines.iter().enumerate() {
            if index > 0 {
                out.push('\n');
            }
            if let Some(gap) = self.gap.filter(|_| page.gap_before(index)) {
                out.push_str(gap);
                out.push('\n');
            }
            self.numbering.write(line.number, line.column, out);
            out.push_str(page.line(index));
            if let Some(column) = line.cut {
                (self.cut)(line, column, out);
            }
        }
    }
}
