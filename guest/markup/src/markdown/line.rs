//! Inline text: words, the white space between them, and the marks around them.

use super::escape;
use crate::limits;

/// The white space before the next word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    #[default]
    None,
    Space,
    Break,
    /// The end of a paragraph: several line breaks.
    Paragraph,
}

/// The kind of text that a line is. It decides what a line break becomes, and what is escaped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A paragraph, which may have several lines.
    #[default]
    Paragraph,
    /// A heading, or another text on one line.
    Heading,
    /// A cell of a table.
    Cell,
}

/// A mark at the start of formatted text: `**`, or `[` for a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    text: &'static str,
    /// The position after the mark. `None` if it was not written yet, because no text follows.
    start: Option<usize>,
}

/// The inline text of one block.
#[derive(Default)]
pub struct Line {
    text: String,
    kind: Kind,
    gap: Gap,
    marks: Vec<Mark>,
    /// The mark that was closed at the end of the text, and the position before it.
    closed: Option<(&'static str, usize)>,
}

impl Line {
    /// An empty line.
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            ..Self::default()
        }
    }

    /// Whether there is no text yet.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The kind of text.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The last character before the next word, without marks after it. `None` if white space or a
    /// mark precedes the next word.
    pub fn last(&self) -> Option<char> {
        if self.gap != Gap::None || self.marks.iter().any(|mark| mark.start.is_none()) {
            return None;
        }
        let closed = self
            .closed
            .filter(|(mark, end)| self.text.len() == end.saturating_add(mark.len()));
        let end = closed.map_or(self.text.len(), |(_, end)| end);
        self.text.get(..end)?.chars().next_back()
    }

    /// Returns the text, and empties the line.
    pub fn take(&mut self) -> String {
        self.gap = Gap::None;
        self.closed = None;
        self.marks.clear();
        let mut text = std::mem::take(&mut self.text);
        if self.kind == Kind::Paragraph {
            escape::block_start(&mut text);
        }
        text
    }

    /// Takes the memory of a text for the next one.
    pub fn reuse(&mut self, mut text: String) {
        text.clear();
        self.text = text;
    }

    /// Adds a space before the next word.
    pub fn space(&mut self) {
        self.gap = self.gap.max(Gap::Space);
    }

    /// Adds a line break before the next word.
    pub fn line_break(&mut self) {
        self.gap = match self.gap {
            Gap::None | Gap::Space => Gap::Break,
            Gap::Break | Gap::Paragraph => Gap::Paragraph,
        };
    }

    /// Appends words. White space in `text` is collapsed, and what would be Markdown is escaped.
    pub fn words(&mut self, text: &str) {
        if !text.is_ascii() && text.contains(is_invisible) {
            let text: String = text.chars().filter(|c| !is_invisible(*c)).collect();
            return self.words(&text);
        }
        // A no-break space at the edge of formatted text would be inside of its marks, and so would
        // an em space. Markdown does not accept marks next to white space.
        let is_marked = !self.marks.is_empty();
        let is_edge = |c: char| c == '\u{a0}' || (is_marked && !c.is_ascii() && c.is_whitespace());
        let outer = text.trim_ascii();
        if outer.starts_with(is_edge) || outer.ends_with(is_edge) {
            let is_space = |c: char| is_edge(c) || c.is_ascii_whitespace();
            let from = text.trim_start_matches(is_space);
            if from.len() < text.len() {
                self.space();
            }
            let inner = from.trim_end_matches(is_space);
            if !inner.is_empty() {
                self.words(inner);
                if inner.len() < from.len() {
                    self.space();
                }
            }
            return;
        }
        if escape::is_plain(text) {
            let words = text.trim_matches(' ');
            if text.starts_with(' ') {
                self.space();
            }
            if !words.is_empty() {
                self.fill();
                self.text.push_str(words);
                if text.ends_with(' ') {
                    self.space();
                }
            }
            return;
        }
        // A no-break space is kept as a character.
        let is_space = |c: char| c.is_ascii_whitespace();
        if text.starts_with(is_space) {
            self.space();
        }
        let mut words = text.split(is_space).filter(|word| !word.is_empty());
        let Some(first) = words.next() else { return };
        if text == "*" {
            // It may be next to the mark of formatted text.
            self.exactly("\\*");
            return;
        }
        self.fill();
        escape::word(first, &mut self.text);
        for word in words {
            self.text.push(' ');
            escape::word(word, &mut self.text);
        }
        if text.ends_with(is_space) {
            self.space();
        }
    }

    /// Appends Markdown.
    pub fn exactly(&mut self, text: &str) {
        if !text.is_empty() {
            self.fill();
            self.text.push_str(text);
        }
    }

    /// Starts formatted text or a link. Nothing is written if no text follows.
    pub fn open(&mut self, mark: &'static str) {
        let nested = self.marks.iter().any(|open| open.text == mark);
        self.marks.push(Mark {
            // Text that is bold already does not become more so.
            text: if nested { "" } else { mark },
            start: None,
        });
    }

    /// Ends the text that the last call of [`Line::open`] started. `end` is the mark at its end.
    /// Returns whether there is text.
    pub fn close(&mut self, end: &str) -> bool {
        let Some(mark) = self.marks.pop() else {
            return false;
        };
        let Some(start) = mark.start else {
            return false;
        };
        if mark.text.is_empty() {
            return true;
        }
        let before = self.text.len();
        if before == start {
            // Only the mark was written.
            self.text.truncate(start.saturating_sub(mark.text.len()));
            return false;
        }
        self.text.push_str(end);
        self.closed = (end == mark.text).then_some((mark.text, before));
        true
    }

    /// Ends the text of a link to an address, which [`Line::open`] started with `[`.
    pub fn close_link(&mut self, address: &str) {
        if self.close("](") {
            self.text.push_str(address);
            self.text.push(')');
        }
    }

    /// Writes the white space and the marks before the next word.
    fn fill(&mut self) {
        let opened = self.marks.iter().filter(|mark| mark.start.is_none());
        // Bold text directly after bold text continues it.
        if let Some((mark, end)) = self.closed.take()
            && opened.count() == 1
            && self.gap < Gap::Break
            && self.text.len() == end.saturating_add(mark.len())
            && let Some(last) = self.marks.last_mut()
            && last.start.is_none()
            && last.text == mark
        {
            self.text.truncate(end);
            // The start of the text that continues is not known, but it is not empty.
            last.start = Some(end.saturating_sub(1));
        }
        if self.text.capacity() == 0 {
            // Most paragraphs fit, so that the text is not moved while it grows.
            self.text.reserve(limits::PARAGRAPH_BYTES);
        }
        match std::mem::take(&mut self.gap) {
            _ if self.text.is_empty() => {}
            Gap::None => {}
            Gap::Space => self.text.push(' '),
            Gap::Paragraph if self.kind == Kind::Paragraph => self.text.push_str("\n\n"),
            Gap::Break | Gap::Paragraph => match self.kind {
                Kind::Paragraph => self.text.push_str("  \n"),
                Kind::Heading => self.text.push(' '),
                Kind::Cell => self.text.push_str("<br>"),
            },
        }
        for mark in &mut self.marks {
            if mark.start.is_none() {
                self.text.push_str(mark.text);
                mark.start = Some(self.text.len());
            }
        }
    }
}

/// Returns whether a character is not shown: a possible end of a line, a mark of the byte order, or a
/// mark of the direction of its neighbours. Searches do not find words with such characters. Overrides
/// of directions, which can hide text, are kept, so that the reader reports them.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}' | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_outside_of_marks() {
        let mut line = Line::default();
        line.words("a ");
        line.open("**");
        line.words(" b ");
        assert!(line.close("**"));
        line.words("c");
        line.open("*");
        line.words(" ");
        assert!(!line.close("*"));
        line.words("d");
        assert_eq!(line.take(), "a **b** c d");
    }

    #[test]
    fn adjacent_marks_merge() {
        let mut line = Line::default();
        for word in ["a", "b"] {
            line.open("**");
            line.words(word);
            line.close("**");
        }
        line.space();
        line.open("**");
        line.words("c");
        line.close("**");
        assert_eq!(line.take(), "**ab c**");
    }

    #[test]
    fn nested_marks_of_one_kind_are_one() {
        let mut line = Line::default();
        line.open("**");
        line.words("a");
        line.open("**");
        line.words("b");
        line.close("**");
        line.close("**");
        assert_eq!(line.take(), "**ab**");
    }

    #[test]
    fn line_breaks_depend_on_the_kind_of_text() {
        for (kind, expected) in [
            (Kind::Paragraph, "a  \nb"),
            (Kind::Heading, "a b"),
            (Kind::Cell, "a<br>b"),
        ] {
            let mut line = Line::new(kind);
            line.words("a");
            line.line_break();
            line.words(" b");
            line.line_break();
            assert_eq!(line.take(), expected);
        }
    }
}
