//! Markdown of strangers within a page: its headings get lower levels, and what it leaves open is closed.
//!
//! The blocks of `CommonMark` (<https://spec.commonmark.org/0.31.2/>) are followed as far as they decide what a
//! heading is: list items, code blocks and blocks of HTML. Quotes are left as they are: each of their lines has
//! its mark.

mod html;
#[cfg(test)]
mod tests;

use crate::limits;
use html::{Html, has_end};

/// Markdown with its headings at level 4 and below, so that it is part of a page with headings of the levels 1
/// to 3.
pub fn nested(markdown: &str) -> String {
    lowered(markdown, |level| level.saturating_add(3).min(6))
}

/// Markdown with the levels of its headings changed. Headings with underlines become those with number signs.
pub fn lowered(markdown: &str, changed: fn(usize) -> usize) -> String {
    let mut blocks = Blocks {
        changed,
        ..Blocks::default()
    };
    // Some programs end lines at these characters too.
    let markdown = markdown.replace('\r', "");
    let markdown = markdown.replace(['\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'], "\n");
    for line in markdown.lines() {
        blocks.line(line);
    }
    blocks.end()
}

/// A block of lines that are not Markdown.
#[derive(Default)]
enum Open {
    #[default]
    None,
    /// A code block with a fence of a character, and the number of these.
    Fence(char, usize),
    Html(Html),
}

/// The blocks at a line.
struct Blocks {
    out: Vec<String>,
    changed: fn(usize) -> usize,
    /// The columns at which the contents of the list items start that are open.
    items: Vec<usize>,
    open: Open,
    /// Where the text of the last line starts, if it is a line of a paragraph.
    paragraph: Option<usize>,
    /// Whether the last line is a list marker without text.
    is_empty_item: bool,
    /// The blocks of the quote at the last line. A paragraph in it may go on without a mark.
    quote: Option<Box<Blocks>>,
    /// The number of quotes that this one is in.
    depth: usize,
}

impl Default for Blocks {
    fn default() -> Self {
        Self {
            out: Vec::new(),
            changed: |level| level,
            items: Vec::new(),
            open: Open::None,
            paragraph: None,
            is_empty_item: false,
            quote: None,
            depth: 0,
        }
    }
}

/// The start of a block.
enum Start<'a> {
    Heading(usize),
    Fence(char, usize),
    Break,
    Quote,
    /// A list marker: the number of its characters, and what follows.
    Item(usize, &'a str),
    Html(Html),
    Text,
}

impl Blocks {
    /// Takes a line.
    fn line(&mut self, text: &str) {
        if text.trim_matches([' ', '\t']).is_empty() {
            self.empty(text);
            return;
        }
        self.is_empty_item = false;
        let (mut column, mut rest) = indented(text, 0);
        let matched = self.items.iter().take_while(|it| column >= **it).count();
        if matched < self.items.len() {
            self.open = Open::None;
        }
        if self.is_in_block(rest, column) {
            // Not all readers take a tab after a fence.
            let is_closed = matches!(self.open, Open::None);
            let text = if is_closed { text.trim_end() } else { text };
            self.out.push(text.to_owned());
            return;
        }
        let base = matched
            .checked_sub(1)
            .and_then(|it| self.items.get(it))
            .copied()
            .unwrap_or(0);
        let is_code = column.saturating_sub(base) >= 4;
        let is_lazy = match &self.quote {
            Some(quote) => quote.is_paragraph(),
            None => self.paragraph.is_some() && matched < self.items.len(),
        };
        if is_lazy && (is_code || matches!(start(rest, Before::Lazy), Start::Text)) {
            // The line continues a paragraph in a quote or a list item, although it has not its mark.
            if self.quote.is_none() {
                self.paragraph = Some(text.len().saturating_sub(rest.len()));
            }
            self.out.push(text.to_owned());
            return;
        }
        if matched < self.items.len() {
            self.items.truncate(matched);
            self.paragraph = None;
            self.quote = None;
        }
        if is_code || !rest.starts_with('>') {
            self.quote = None;
        }
        if is_code {
            if self.paragraph.is_some() {
                self.paragraph = Some(text.len().saturating_sub(rest.len()));
            }
            self.out.push(text.to_owned());
            return;
        }
        if let Some(at) = self.paragraph
            && let Some(level) = underline(rest)
        {
            self.underlined(at, level);
            return;
        }
        loop {
            let before = if self.paragraph.is_some() {
                Before::Paragraph
            } else {
                Before::Nothing
            };
            let found = start(rest, before);
            self.paragraph = None;
            let Start::Item(width, after) = found else {
                let at = text.len().saturating_sub(rest.len());
                self.block(text, at, found);
                return;
            };
            if self.items.len() >= limits::MARKDOWN_DEPTH {
                break;
            }
            let end = column.saturating_add(width);
            let (next, content) = indented(after, end);
            let spaces = next.saturating_sub(end);
            let is_empty = content.is_empty();
            if is_empty || spaces >= 5 {
                self.items.push(end.saturating_add(1));
                self.is_empty_item = is_empty;
                break;
            }
            self.items.push(next);
            (column, rest) = (next, content);
        }
        self.out.push(text.to_owned());
    }

    /// Takes an empty line.
    fn empty(&mut self, text: &str) {
        if matches!(self.open, Open::Html(Html::Paragraph)) {
            self.open = Open::None;
        }
        // An item starts with at most one empty line.
        if self.is_empty_item {
            self.items.pop();
            self.is_empty_item = false;
        }
        self.paragraph = None;
        self.quote = None;
        self.out.push(text.to_owned());
    }

    /// Whether a line is one of a code block or of HTML. Closes the block if the line is its last one.
    fn is_in_block(&mut self, rest: &str, column: usize) -> bool {
        match &self.open {
            Open::None => return false,
            Open::Fence(mark, count) => {
                let base = self.items.last().copied().unwrap_or(0);
                let text = rest.trim_end_matches([' ', '\t']);
                let closes = text.chars().all(|c| c == *mark) && text.chars().count() >= *count;
                if closes && column.saturating_sub(base) < 4 {
                    self.open = Open::None;
                }
            }
            Open::Html(Html::Until(ends)) => {
                if has_end(rest, ends) {
                    self.open = Open::None;
                }
            }
            Open::Html(Html::Paragraph) => {}
        }
        true
    }

    /// Takes a line of a quote. The blocks in it only decide whether it ends in a paragraph.
    fn quoted(&mut self, before: &str, rest: &str) {
        let depth = self.depth.saturating_add(1);
        if depth > limits::MARKDOWN_DEPTH {
            return;
        }
        let rest = rest.strip_prefix('>').unwrap_or(rest);
        let start = columns(before).saturating_add(1);
        // The mark takes one column of the spaces and tabs after it.
        let (column, content) = indented(rest, start);
        let spaces = column.saturating_sub(start).saturating_sub(1);
        let rest = format!("{}{content}", " ".repeat(spaces));
        let quote = self.quote.get_or_insert_with(|| {
            Box::new(Self {
                depth,
                ..Self::default()
            })
        });
        quote.line(&rest);
        quote.out.clear();
    }

    /// Whether the last line is one of a paragraph, which may be in a quote.
    fn is_paragraph(&self) -> bool {
        self.paragraph.is_some() || self.quote.as_ref().is_some_and(|it| it.is_paragraph())
    }

    /// Makes the last line a heading.
    fn underlined(&mut self, at: usize, level: usize) {
        self.paragraph = None;
        if let Some(last) = self.out.pop() {
            let (before, text) = last.split_at_checked(at).unwrap_or(("", &last));
            self.out.push(heading(before, text, (self.changed)(level)));
        }
    }

    /// Takes a block that is no list item. Its text starts at `at` in the line.
    fn block(&mut self, text: &str, at: usize, found: Start<'_>) {
        let (before, rest) = text.split_at_checked(at).unwrap_or(("", text));
        match found {
            Start::Heading(level) => {
                let content = rest.trim_start_matches('#');
                self.out
                    .push(heading(before, content, (self.changed)(level)));
                return;
            }
            Start::Fence(mark, count) => self.open = Open::Fence(mark, count),
            Start::Html(html) => {
                let is_closed = matches!(&html, Html::Until(ends) if has_end(rest, ends));
                if !is_closed {
                    self.open = Open::Html(html);
                }
            }
            Start::Text => self.paragraph = Some(at),
            Start::Quote => self.quoted(before, rest),
            Start::Break | Start::Item(..) => {}
        }
        self.out.push(text.to_owned());
    }

    /// The lines, with what is open closed.
    fn end(mut self) -> String {
        let indent = " ".repeat(self.items.last().copied().unwrap_or(0));
        match self.open {
            Open::Fence(mark, count) => self
                .out
                .push(format!("{indent}{}", mark.to_string().repeat(count))),
            Open::Html(Html::Until(ends)) => self
                .out
                .push(format!("{indent}{}", ends.first().unwrap_or(&""))),
            Open::None | Open::Html(Html::Paragraph) => {}
        }
        self.out.join("\n")
    }
}

/// A heading after the markers of its list items.
fn heading(before: &str, text: &str, level: usize) -> String {
    format!("{before}{} {}", "#".repeat(level), text.trim())
}

/// The column after the spaces and tabs at the start of a text that starts at a column, and the rest.
fn indented(text: &str, column: usize) -> (usize, &str) {
    let mut column = column;
    for c in text.chars() {
        match c {
            ' ' => column = column.saturating_add(1),
            '\t' => column = column.saturating_add(4).saturating_sub(column % 4),
            _ => break,
        }
    }
    (column, text.trim_start_matches([' ', '\t']))
}

/// The number of columns of a text.
fn columns(text: &str) -> usize {
    text.chars().fold(0, |column, c| match c {
        '\t' => column.saturating_add(4).saturating_sub(column % 4),
        _ => column.saturating_add(1),
    })
}

/// What is before a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    /// A paragraph, which some blocks do not interrupt.
    Paragraph,
    /// A paragraph in a list item that the line is not indented for.
    Lazy,
}

/// The block that starts at a text without indentation.
fn start(text: &str, before: Before) -> Start<'_> {
    let Some(first) = text.chars().next() else {
        return Start::Text;
    };
    let count = text.chars().take_while(|c| *c == first).count();
    let after = text.trim_start_matches(first);
    match first {
        '#' if count <= 6 && (after.is_empty() || after.starts_with([' ', '\t'])) => {
            Start::Heading(count)
        }
        '`' if count >= 3 && !after.contains('`') => Start::Fence(first, count),
        '~' if count >= 3 => Start::Fence(first, count),
        '>' => Start::Quote,
        '-' | '*' | '_' if is_break(text, first) => Start::Break,
        '-' | '*' | '+' => item(text, 1, before, true),
        '0'..='9' => {
            let digits = text.chars().take_while(char::is_ascii_digit).count();
            let mark = text.chars().nth(digits);
            if digits <= 9 && matches!(mark, Some('.' | ')')) {
                let is_one = text.get(..digits) == Some("1");
                item(text, digits.saturating_add(1), before, is_one)
            } else {
                Start::Text
            }
        }
        '<' => html::start(text, before == Before::Nothing).map_or(Start::Text, Start::Html),
        _ => Start::Text,
    }
}

/// A list item with a marker. Only some interrupt a paragraph: those with text, and numbers that start at 1.
fn item(text: &str, width: usize, before: Before, interrupts: bool) -> Start<'_> {
    let after = text.get(width..).unwrap_or_default();
    let is_empty = after.trim_matches([' ', '\t']).is_empty();
    let is_marker = is_empty || after.starts_with([' ', '\t']);
    if is_marker && (before != Before::Paragraph || (interrupts && !is_empty)) {
        Start::Item(width, after)
    } else {
        Start::Text
    }
}

/// Whether a line is a thematic break: three or more of a character, and spaces.
fn is_break(text: &str, mark: char) -> bool {
    let marks = text.chars().filter(|c| *c == mark).count();
    marks >= 3 && text.chars().all(|c| c == mark || c == ' ' || c == '\t')
}

/// The level of the heading that a line underlines.
fn underline(text: &str) -> Option<usize> {
    let text = text.trim_end_matches([' ', '\t']);
    if text.chars().all(|c| c == '=') {
        Some(1)
    } else if text.chars().all(|c| c == '-') {
        Some(2)
    } else {
        None
    }
}
