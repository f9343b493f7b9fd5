//! Blocks of Markdown, with the prefixes of the quotes and lists that contain them.

use super::escape::fence;
use crate::limits;

/// The prefix that a quote or list item adds to its lines.
struct Prefix {
    /// The prefix of the first line, such as `- `. `None` after that line was written.
    first: Option<String>,
    /// The prefix of the other lines, such as two spaces.
    rest: &'static str,
    /// The number of times that `rest` is repeated.
    count: usize,
}

/// The empty lines between two blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// None: the blocks are on consecutive lines.
    Line,
    /// One empty line.
    #[default]
    Blank,
}

/// Markdown that is written block by block.
#[derive(Default)]
pub struct Writer {
    text: String,
    prefixes: Vec<Prefix>,
    /// The gap before the next block. The largest of several requests is used.
    gap: Option<Gap>,
    /// The number of quotes and list items that add no prefix, because there are too many.
    flat: usize,
}

impl Writer {
    /// A writer with room for this number of bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            text: String::with_capacity(bytes),
            ..Self::default()
        }
    }

    /// The text.
    pub fn finish(mut self) -> String {
        let end = self.text.trim_end().len();
        self.text.truncate(end);
        self.text
    }

    /// The number of bytes so far.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether there is no text yet.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Starts a list item, or a footnote. `marker` is at the start of its first line, and its other
    /// lines are indented by `indent` spaces.
    pub fn start_item(&mut self, marker: &str, indent: usize) {
        self.push(Prefix {
            first: Some(marker.to_owned()),
            rest: " ",
            count: indent,
        });
    }

    /// Starts the text of a footnote.
    pub fn start_footnote(&mut self, label: &str) {
        self.start_item(&format!("[^{label}]: "), 4);
    }

    /// Starts a quote.
    pub fn start_quote(&mut self) {
        self.push(Prefix {
            first: Some("> ".to_owned()),
            rest: "> ",
            count: 1,
        });
    }

    fn push(&mut self, prefix: Prefix) {
        if self.prefixes.len() < limits::PREFIXES {
            self.prefixes.push(prefix);
        } else {
            self.flat = self.flat.saturating_add(1);
        }
    }

    /// Ends the quote, the list item or the footnote that was started last. Returns whether it has
    /// text.
    pub fn end(&mut self) -> bool {
        if self.flat > 0 {
            self.flat = self.flat.saturating_sub(1);
            return true;
        }
        self.prefixes
            .pop()
            .is_none_or(|prefix| prefix.first.is_none())
    }

    /// Writes the marker of the list item that was started last, if the item has no text.
    pub fn marker(&mut self) {
        if self.flat == 0 && !self.has_lines() {
            self.start_line();
            self.prefix();
            self.trim_spaces();
            self.gap = Some(Gap::Blank);
        }
    }

    /// Whether the quote or the list item that was started last has lines.
    fn has_lines(&self) -> bool {
        self.prefixes
            .last()
            .is_none_or(|prefix| prefix.first.is_none())
    }

    /// Requests a gap before the next block.
    pub fn gap(&mut self, gap: Gap) {
        self.gap = self.gap.max(Some(gap));
    }

    /// Writes a block of one or more lines. The gap after it is an empty line, unless
    /// [`Writer::tighten`] is called.
    pub fn block(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.start_line();
        self.lines(text);
        self.gap = Some(Gap::Blank);
    }

    /// Writes a heading. `anchor` is its id, if links need it.
    pub fn heading(&mut self, level: u8, text: &str, anchor: Option<&str>) {
        if text.is_empty() {
            return;
        }
        let marks = "######".get(..usize::from(level.max(1)));
        self.start_line();
        self.prefix();
        self.text.push_str(marks.unwrap_or("######"));
        self.text.push(' ');
        self.text.push_str(text);
        if let Some(anchor) = anchor {
            self.text.push_str(" {#");
            self.text.push_str(anchor);
            self.text.push('}');
        }
        self.gap = Some(Gap::Blank);
    }

    /// Writes code in a fence that is longer than the fences in it.
    pub fn code(&mut self, language: &str, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let fence = fence(text, 3);
        self.start_line();
        self.prefix();
        self.text.push_str(&fence);
        self.text.push_str(language);
        self.text.push('\n');
        self.lines(text);
        self.text.push('\n');
        self.prefix();
        self.text.push_str(&fence);
        self.gap = Some(Gap::Blank);
    }

    /// Writes a horizontal line.
    pub fn rule(&mut self) {
        self.block("---");
    }

    /// Removes the empty line after the last block.
    pub fn tighten(&mut self) {
        if self.gap.is_some() {
            self.gap = Some(Gap::Line);
        }
    }

    /// Removes the empty line after the last block, if it is in the list item that was started last.
    pub fn tighten_item(&mut self) {
        if self.has_lines() {
            self.tighten();
        }
    }

    /// Ends the line before a block.
    fn start_line(&mut self) {
        let gap = self.gap.take();
        if !self.text.is_empty() {
            self.text.push('\n');
            if gap == Some(Gap::Blank) {
                self.blank_line();
            }
        }
    }

    fn lines(&mut self, text: &str) {
        if self.prefixes.is_empty() || !text.contains('\n') {
            self.prefix();
            self.text.push_str(text);
            return;
        }
        for (n, line) in text.split('\n').enumerate() {
            if n > 0 {
                self.text.push('\n');
            }
            self.prefix();
            if line.is_empty() {
                self.trim_spaces();
            } else {
                self.text.push_str(line);
            }
        }
    }

    fn blank_line(&mut self) {
        let quotes = self.prefixes.iter().rposition(|prefix| prefix.rest == "> ");
        if let Some(last) = quotes {
            for prefix in self.prefixes.iter().take(last.saturating_add(1)) {
                // An item that has not started has no lines to continue.
                if prefix.first.is_some() {
                    break;
                }
                for _ in 0..prefix.count {
                    self.text.push_str(prefix.rest);
                }
            }
            self.trim_spaces();
        }
        self.text.push('\n');
    }

    fn trim_spaces(&mut self) {
        let end = self.text.trim_end_matches(' ').len();
        self.text.truncate(end);
    }

    fn prefix(&mut self) {
        for prefix in &mut self.prefixes {
            match prefix.first.take() {
                Some(first) => self.text.push_str(&first),
                None => {
                    for _ in 0..prefix.count {
                        self.text.push_str(prefix.rest);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_quotes_prefix_their_lines() {
        let mut out = Writer::default();
        out.block("a");
        out.start_item("- ", 2);
        out.block("b\nc");
        out.tighten();
        out.start_item("1. ", 3);
        out.block("d");
        assert!(out.end());
        out.start_quote();
        out.block("e");
        out.block("f");
        out.end();
        out.end();
        out.block("g");
        let expected = "a\n\n- b\n  c\n  1. d\n\n  > e\n  >\n  > f\n\ng";
        assert_eq!(out.finish(), expected);
    }

    #[test]
    fn items_without_text_may_have_a_marker() {
        let mut out = Writer::default();
        out.start_item("- ", 2);
        assert!(!out.end());
        out.start_item("1. ", 3);
        out.marker();
        out.tighten();
        out.start_item("a) ", 3);
        out.code("c", "x\n\ny");
        out.end();
        out.end();
        assert_eq!(
            out.finish(),
            "1.\n   a) ```c\n      x\n\n      y\n      ```"
        );
    }

    #[test]
    fn prefixes_are_limited() {
        let mut out = Writer::default();
        for _ in 0..1000 {
            out.start_item("- ", 2);
        }
        out.block("a\nb");
        for _ in 0..1000 {
            out.end();
        }
        out.block("c");
        let text = out.finish();
        assert!(text.len() < 200 && text.ends_with("\n\nc"), "{text}");
    }
}
