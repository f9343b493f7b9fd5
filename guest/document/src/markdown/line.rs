//! Inline text: words, the white space between them, and the marks around them.

use super::escape::{self, TypedLists, fence};
use super::shape::{self, Shape};
use super::spaces::{is_space, single_spaces, usual};
use crate::limits;
use std::borrow::Cow;

/// The white space before the next word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    #[default]
    None,
    Space,
    /// The end of a cell of a table in a cell.
    Entry,
    Break,
    /// The end of a paragraph: several line breaks.
    Paragraph,
}

/// The block of a text. It decides what a line break becomes, and what is escaped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Context {
    /// A paragraph, which may have several lines.
    #[default]
    Paragraph,
    /// A heading. It has one line, and is bold without marks.
    Heading,
    /// A cell of a table. Its line ends are `<br>`.
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
    context: Context,
    lists: TypedLists,
    gap: Gap,
    marks: Vec<Mark>,
    /// The mark that was closed at the end of the text, and the position before it.
    closed: Option<(&'static str, usize)>,
}

impl Line {
    /// An empty line.
    pub fn new(context: Context, lists: TypedLists) -> Self {
        Self {
            context,
            lists,
            ..Self::default()
        }
    }

    /// Whether there is no text yet.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The number of bytes so far.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// The block of the text.
    pub fn context(&self) -> Context {
        self.context
    }

    /// The text before the next word, without marks after it. It is empty if white space or a mark
    /// precedes the next word.
    pub fn before_word(&self) -> &str {
        if self.gap != Gap::None || self.marks.iter().any(|mark| mark.start.is_none()) {
            return "";
        }
        let end = self.closed().map_or(self.text.len(), |(_, end)| end);
        self.text.get(..end).unwrap_or_default()
    }

    /// The mark that ends the text, and the position before it.
    fn closed(&self) -> Option<(&'static str, usize)> {
        self.closed
            .filter(|(mark, end)| self.text.len() == end.saturating_add(mark.len()))
    }

    /// Returns the text, and empties the line.
    pub fn take(&mut self) -> String {
        self.gap = Gap::None;
        self.closed = None;
        self.marks.clear();
        let mut text = std::mem::take(&mut self.text);
        text.truncate(text.trim_end().len());
        match self.context {
            Context::Paragraph => escape::block_starts(&mut text, self.lists),
            Context::Cell if text.contains('|') => text = text.replace('|', "\\|"),
            Context::Heading | Context::Cell => {}
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

    /// Ends a cell with text, of a table in a cell.
    pub fn entry(&mut self) {
        self.gap = Gap::Entry;
    }

    /// Adds a line break before the next word. Two of them end a paragraph.
    pub fn line_break(&mut self) {
        self.gap = match self.gap {
            Gap::None | Gap::Space | Gap::Entry => Gap::Break,
            Gap::Break | Gap::Paragraph => Gap::Paragraph,
        };
    }

    /// Appends words. White space in `text` is collapsed, and what would be Markdown is escaped. The
    /// text after it is not known.
    pub fn words(&mut self, text: &str) {
        self.words_before(text, None);
    }

    /// Appends words, as [`Line::words`]. `after` is the character after them: a line feed at the end of the
    /// block.
    pub fn words_before(&mut self, text: &str, after: Option<char>) {
        let shape = shape::shape(text);
        if shape == Shape::Unusual {
            return self.words_before(&usual(text), after);
        }
        // Markdown does not accept marks next to white space, such as a wide space.
        if !self.marks.is_empty() && !text.is_ascii() {
            let inner = text.trim();
            let outer = text.trim_ascii();
            if inner.len() < outer.len() {
                let (is_first, is_last) = (outer.starts_with(inner), outer.ends_with(inner));
                if !is_first || text.starts_with(char::is_whitespace) {
                    self.space();
                }
                if !inner.is_empty() {
                    self.words_before(inner, after);
                }
                if !is_last || text.ends_with(char::is_whitespace) {
                    self.space();
                }
                return;
            }
        }
        // A wide space at the start of a line is an indentation.
        let text = if self.is_at_start() {
            text.trim_start()
        } else {
            text
        };
        let inner = text.trim_matches(is_space);
        if inner.len() < text.len() && text.starts_with(is_space) {
            self.space();
        }
        if inner.is_empty() {
            return;
        }
        if text == "*" && after.is_none() {
            // It may be next to the mark of formatted text.
            self.exactly("\\*");
            return;
        }
        self.fill();
        if inner.starts_with('(') && self.text.ends_with(']') {
            // Brackets before it would be a link.
            self.text.push('\\');
        }
        let ends_with_space = text.ends_with(is_space);
        if shape == Shape::Plain {
            self.text.push_str(inner);
        } else {
            let is_marked = || self.marks.iter().any(|mark| mark.text.starts_with('*'));
            let is_in_mark = || self.marks.iter().any(|mark| !mark.text.is_empty());
            let after = match after {
                // It would be a part of the mark, or would escape it.
                _ if inner.ends_with('*') && is_marked() => Some('*'),
                _ if inner.ends_with('\\') && is_in_mark() => Some('*'),
                Some(_) if ends_with_space => Some(' '),
                after => after,
            };
            let before = self.before();
            let inner = single_spaces(inner);
            self.text.push_str(&escape::inline(&inner, before, after));
        }
        if ends_with_space {
            self.space();
        }
    }

    /// Whether the next word starts a line.
    fn is_at_start(&self) -> bool {
        self.text.is_empty() || self.gap >= Gap::Break
    }

    /// The character before the next word.
    fn before(&self) -> Option<char> {
        if self.context == Context::Cell && self.text.ends_with("<br>") {
            return Some('\n');
        }
        self.text.chars().next_back()
    }

    /// Appends Markdown.
    pub fn exactly(&mut self, text: &str) {
        if !text.is_empty() {
            self.fill();
            self.text.push_str(text);
        }
    }

    /// Appends code.
    pub fn code(&mut self, text: &str) {
        let usual = match shape::shape(text) {
            Shape::Unusual => usual(text),
            _ => Cow::Borrowed(text),
        };
        let inner = usual.trim();
        if inner.len() < usual.len() && usual.starts_with(char::is_whitespace) {
            self.space();
        }
        if inner.is_empty() {
            return;
        }
        let words = single_spaces(inner);
        let ticks = fence(&words, 1);
        let is_tick = words.starts_with('`') || words.ends_with('`');
        let space = if is_tick { " " } else { "" };
        self.fill();
        for part in [ticks.as_str(), space, &words, space, &ticks] {
            self.text.push_str(part);
        }
        if usual.ends_with(char::is_whitespace) {
            self.space();
        }
    }

    /// Appends a formula in LaTeX. One on its own line has a space around it, and is a usual one in
    /// headings and cells.
    pub fn formula(&mut self, latex: &str, is_display: bool) {
        let mut latex = single_spaces(latex.trim());
        if latex.is_empty() {
            return;
        }
        // A bar would end the cell.
        if self.context == Context::Cell && latex.contains('|') {
            let bars = latex.replace("\\|", "\\Vert ").replace('|', "\\vert ");
            latex = Cow::Owned(bars.trim_end().to_owned());
        }
        if is_display && self.context == Context::Paragraph {
            self.space();
            self.exactly(&format!("$${latex}$$"));
            self.space();
        } else {
            self.exactly(&format!("${latex}$"));
        }
    }

    /// Appends an image. The address is empty if it is not known.
    pub fn image(&mut self, alt: &str, address: &str) {
        let alt = usual(alt);
        self.fill();
        self.text.push_str("![");
        escape::label(&single_spaces(alt.trim()), &mut self.text);
        self.text.push_str("](");
        self.text.push_str(&escape::destination(address));
        self.text.push(')');
    }

    /// Appends a reference to a footnote.
    pub fn note(&mut self, label: &str) {
        self.exactly(&format!("[^{label}]"));
    }

    /// Appends a check box.
    pub fn check_box(&mut self, is_checked: bool) {
        self.exactly(if is_checked { "[x]" } else { "[ ]" });
    }

    /// Starts formatted text or a link. Nothing is written if no text follows.
    pub fn open(&mut self, mark: &'static str) {
        // Text that is bold already does not become more so.
        let is_bold = self.context == Context::Heading && mark == "**";
        let nested = is_bold || self.marks.iter().any(|open| open.text == mark);
        self.marks.push(Mark {
            text: if nested { "" } else { mark },
            start: None,
        });
    }

    /// Ends the text that the last call of [`Line::open`] started. `end` is the mark at its end.
    pub fn close(&mut self, end: &str) {
        if let Some((mark, before)) = self.end_mark() {
            self.text.push_str(end);
            self.closed = (end == mark).then_some((mark, before));
        }
    }

    /// Ends the text of a link to an address, which [`Line::open`] started with `[`. A text that is the
    /// address is written once.
    pub fn close_link(&mut self, address: &str) {
        let start = self.marks.last().and_then(|mark| mark.start);
        if self.end_mark().is_none() {
            return;
        }
        escape::link(&mut self.text, start.unwrap_or_default(), address);
        self.closed = None;
    }

    /// Takes the last mark. Returns the mark and the end of the text, if the mark was written and text
    /// follows it.
    fn end_mark(&mut self) -> Option<(&'static str, usize)> {
        let mark = self.marks.pop()?;
        let start = mark.start?;
        let end = self.text.len();
        if mark.text.is_empty() {
            return None;
        }
        if end == start {
            // Only the mark was written.
            self.text.truncate(start.saturating_sub(mark.text.len()));
            return None;
        }
        Some((mark.text, end))
    }

    /// Writes the white space and the marks before the next word.
    fn fill(&mut self) {
        if let Some((closed, end)) = self.closed() {
            let is_new = |mark: &&mut Mark| mark.start.is_none() && !mark.text.is_empty();
            let is_joined = self.gap == Gap::None && closed.starts_with('*');
            match self.marks.iter_mut().find(is_new) {
                // Bold text directly after bold text continues it.
                Some(mark) if mark.text == closed && self.gap < Gap::Break => {
                    self.text.truncate(end);
                    // The start of the text that continues is not known, but it is not empty.
                    mark.start = Some(end.saturating_sub(1));
                }
                // `**a***b*` has no clear meaning.
                Some(_) if is_joined => {
                    let new = self.marks.iter_mut().filter(is_new);
                    for mark in new.take_while(|mark| mark.text.starts_with('*')) {
                        mark.text = "";
                    }
                }
                _ => {}
            }
        }
        self.closed = None;
        if self.text.capacity() == 0 {
            // Most paragraphs fit, so that the text is not moved while it grows.
            self.text.reserve(limits::PARAGRAPH_BYTES);
        }
        if self.gap >= Gap::Break {
            self.text.truncate(self.text.trim_end().len());
        }
        // A mark that is open does not reach into the next paragraph.
        let mut open = self.marks.iter().filter(|mark| mark.start.is_some());
        let is_open = open.any(|mark| !mark.text.is_empty());
        match std::mem::take(&mut self.gap) {
            _ if self.text.is_empty() => {}
            Gap::None => {}
            Gap::Entry if self.context == Context::Cell => self.text.push_str("; "),
            Gap::Space | Gap::Entry => self.text.push(' '),
            Gap::Paragraph if self.context == Context::Paragraph && !is_open => {
                self.text.push_str("\n\n");
            }
            Gap::Break | Gap::Paragraph => match self.context {
                Context::Paragraph => self.text.push_str("  \n"),
                Context::Heading => self.text.push(' '),
                Context::Cell => self.text.push_str("<br>"),
            },
        }
        for mark in &mut self.marks {
            if mark.start.is_none() {
                if mark.text == "[" && self.text.ends_with('!') {
                    // It would make the link an image.
                    self.text.insert(self.text.len().saturating_sub(1), '\\');
                }
                self.text.push_str(mark.text);
                mark.start = Some(self.text.len());
            }
        }
    }
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
        line.close("**");
        line.words("c");
        line.open("*");
        line.words(" ");
        line.close("*");
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
    fn marks_of_two_kinds_do_not_touch() {
        let mut line = Line::default();
        line.open("**");
        line.words("a");
        line.close("**");
        line.open("*");
        line.words("b");
        line.close("*");
        assert_eq!(line.take(), "**a**b");
        line.open("**");
        line.words("a");
        line.close("**");
        line.open("**");
        line.open("*");
        line.words("b");
        line.close("*");
        line.close("**");
        assert_eq!(line.take(), "**a*b***");
        line.open("*");
        line.words("a");
        line.close("*");
        line.open("[");
        line.open("*");
        line.words("b");
        line.close("*");
        line.close_link("x");
        assert_eq!(line.take(), "*a*[*b*](x)");
    }

    #[test]
    fn link_in_a_link_is_text() {
        let mut line = Line::default();
        line.open("[");
        line.words("a ");
        line.open("[");
        line.words("b");
        line.close_link("y");
        line.close_link("x");
        assert_eq!(line.take(), "[a b](x)");
    }

    #[test]
    fn text_before_a_mark_does_not_change_it() {
        let mut line = Line::default();
        line.words("Wow!");
        line.open("[");
        line.words("a]");
        line.close_link("x");
        assert_eq!(line.take(), "Wow\\![a]](x)");
        line.open("**");
        line.words("C:\\");
        line.close("**");
        assert_eq!(line.take(), "**C:\\\\**");
        line.check_box(false);
        line.words("(a) yes");
        assert_eq!(line.take(), "[ ]\\(a) yes");
        line.image("C:\\", "x");
        assert_eq!(line.take(), "![C:\\\\](x)");
    }

    #[test]
    fn marks_end_with_the_paragraph() {
        let mut line = Line::default();
        line.open("**");
        line.words("a");
        line.line_break();
        line.line_break();
        line.words("b");
        line.close("**");
        line.line_break();
        line.line_break();
        line.words("c");
        assert_eq!(line.take(), "**a  \nb**\n\nc");
    }

    #[test]
    fn line_breaks_depend_on_the_block() {
        for (context, expected) in [
            (Context::Paragraph, "a  \nb"),
            (Context::Heading, "a b"),
            (Context::Cell, "a<br>b"),
        ] {
            let mut line = Line::new(context, TypedLists::Text);
            line.words("a");
            line.line_break();
            line.words(" b");
            line.line_break();
            assert_eq!(line.take(), expected);
        }
    }
}
