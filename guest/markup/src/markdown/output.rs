//! Lines of Markdown, with the prefixes of the quotes and lists that contain them.

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
pub struct Output {
    text: String,
    prefixes: Vec<Prefix>,
    /// The gap before the next block. The largest of several requests is used.
    gap: Option<Gap>,
    /// The number of quotes and list items that add no prefix, because there are too many.
    flat: usize,
}

impl Output {
    /// An output with room for this number of bytes.
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

    /// Starts a list item. `marker` is at the start of its first line, and its other lines are
    /// indented by as much.
    pub fn start_item(&mut self, marker: &str) {
        self.start_indented(marker, marker.len());
    }

    /// Starts text with `marker` at the start of its first line, and with its other lines indented
    /// by `indent` spaces.
    pub fn start_indented(&mut self, marker: &str, indent: usize) {
        self.push(Prefix {
            first: Some(marker.to_owned()),
            rest: " ",
            count: indent,
        });
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

    /// Ends the quote or the list item that was started last. Returns whether it has text.
    pub fn end_prefix(&mut self) -> bool {
        if self.flat > 0 {
            self.flat = self.flat.saturating_sub(1);
            return true;
        }
        self.prefixes
            .pop()
            .is_none_or(|prefix| prefix.first.is_none())
    }

    /// Requests a gap before the next block.
    pub fn gap(&mut self, gap: Gap) {
        self.gap = self.gap.max(Some(gap));
    }

    /// Writes a block of one or more lines. The gap after it is an empty line, unless
    /// [`Output::tighten`] is called.
    pub fn block(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let gap = self.gap.take();
        if !self.text.is_empty() {
            self.text.push('\n');
            if gap == Some(Gap::Blank) {
                self.blank_line();
            }
        }
        if memchr::memchr(b'\n', text.as_bytes()).is_none() {
            self.prefix();
            self.text.push_str(text);
            self.gap = Some(Gap::Blank);
            return;
        }
        for (n, line) in text.split('\n').enumerate() {
            if n > 0 {
                self.text.push('\n');
            }
            if line.is_empty() {
                self.prefix();
                let end = self.text.trim_end_matches(' ').len();
                self.text.truncate(end);
            } else {
                self.prefix();
                self.text.push_str(line);
            }
        }
        self.gap = Some(Gap::Blank);
    }

    /// Removes the empty line after the last block.
    pub fn tighten(&mut self) {
        if self.gap.is_some() {
            self.gap = Some(Gap::Line);
        }
    }

    /// Removes the empty line after the last block, if it is in the list item that was started last.
    pub fn tighten_item(&mut self) {
        if self
            .prefixes
            .last()
            .is_none_or(|prefix| prefix.first.is_none())
        {
            self.tighten();
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
            let end = self.text.trim_end_matches(' ').len();
            self.text.truncate(end);
        }
        self.text.push('\n');
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
        let mut out = Output::default();
        out.block("a");
        out.start_item("- ");
        out.block("b\nc");
        out.tighten();
        out.start_item("1. ");
        out.block("d");
        assert!(out.end_prefix());
        out.start_quote();
        out.block("e");
        out.block("f");
        out.end_prefix();
        out.end_prefix();
        out.block("g");
        let expected = "a\n\n- b\n  c\n  1. d\n\n  > e\n  >\n  > f\n\ng";
        assert_eq!(out.finish(), expected);
    }

    #[test]
    fn prefixes_are_limited() {
        let mut out = Output::default();
        for _ in 0..1000 {
            out.start_item("- ");
        }
        out.block("a\nb");
        for _ in 0..1000 {
            out.end_prefix();
        }
        out.block("c");
        let text = out.finish();
        assert!(text.len() < 200 && text.ends_with("\n\nc"), "{text}");
    }
}
