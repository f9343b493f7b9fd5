//! The blocks of Markdown, line by line, with the levels of headings changed.

use super::html::{self, Html, has_end};
use super::spans::Spans;
use super::start::{Before, Start, columns, indented, start, underline};
use crate::limits;

/// The kind of a line, which decides whether comments in it are left out.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Line {
    #[default]
    Empty,
    /// Code, or the content of an element such as `pre`.
    Code,
    /// The first line of a paragraph.
    Paragraph,
    ParagraphGoesOn,
    /// The first line of a block of HTML that starts with a comment.
    Comment,
    /// The first line of another block of HTML.
    Html,
    HtmlGoesOn,
    Quote,
    /// A block of one line.
    Other,
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
pub struct Blocks {
    out: Vec<String>,
    changed: fn(usize) -> usize,
    /// The starts of headings that code may not imitate.
    own: &'static [&'static str],
    /// The kind of the last line.
    kind: Line,
    /// The code in the paragraph.
    spans: Spans,
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
            own: &[],
            kind: Line::Empty,
            spans: Spans::default(),
            items: Vec::new(),
            open: Open::None,
            paragraph: None,
            is_empty_item: false,
            quote: None,
            depth: 0,
        }
    }
}

impl Blocks {
    /// Blocks whose headings get other levels, and whose code may not imitate headings that start with `own`.
    pub fn new(changed: fn(usize) -> usize, own: &'static [&'static str]) -> Self {
        Self {
            changed,
            own,
            ..Self::default()
        }
    }

    /// The text of lines with the levels of their headings changed.
    pub fn changed(mut self, markdown: &str) -> String {
        for line in markdown.lines() {
            self.line(line);
        }
        self.end()
    }

    /// The kind of the next line.
    pub fn kind_of(&mut self, line: &str) -> Line {
        self.line(line);
        self.out.clear();
        self.kind
    }

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
        let at = text.len().saturating_sub(rest.len());
        if self.in_block(text, at, column) {
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
                self.paragraph = Some(at);
            }
            self.kind = Line::ParagraphGoesOn;
            self.text(text);
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
                self.paragraph = Some(at);
                self.kind = Line::ParagraphGoesOn;
                self.text(text);
            } else {
                self.code(text, at);
            }
            return;
        }
        if let Some(start) = self.paragraph
            && let Some(level) = underline(rest)
        {
            self.underlined(start, level);
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
                self.kind = match (&found, before) {
                    (Start::Text, Before::Paragraph) => Line::ParagraphGoesOn,
                    (Start::Text, _) => Line::Paragraph,
                    (Start::Html(html), _) if html.is_raw() => Line::Code,
                    (Start::Html(_), _) if rest.starts_with("<!--") => Line::Comment,
                    (Start::Html(_), _) => Line::Html,
                    (Start::Fence(..), _) => Line::Code,
                    _ => Line::Other,
                };
                self.block(text, text.len().saturating_sub(rest.len()), found);
                return;
            };
            self.kind = Line::Other;
            if self.items.len() >= limits::MARKDOWN_DEPTH {
                self.text(text);
                return;
            }
            let end = column.saturating_add(width);
            let (next, content) = indented(after, end);
            let spaces = next.saturating_sub(end);
            let is_empty = content.is_empty();
            if is_empty || spaces >= 5 {
                self.items.push(end.saturating_add(1));
                self.is_empty_item = is_empty;
                self.kind = if is_empty { Line::Other } else { Line::Code };
                self.push(text.to_owned());
                return;
            }
            self.items.push(next);
            (column, rest) = (next, content);
        }
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
        self.spans.end();
        self.kind = match &self.open {
            Open::None => Line::Empty,
            Open::Html(html) if !html.is_raw() => Line::HtmlGoesOn,
            Open::Html(_) | Open::Fence(..) => Line::Code,
        };
        self.push(text.to_owned());
    }

    /// Takes a line of a code block or of HTML, whose text starts at `at`. Closes the block if the line is its last
    /// one. Returns whether the line is in such a block.
    fn in_block(&mut self, text: &str, at: usize, column: usize) -> bool {
        let rest = text.get(at..).unwrap_or_default();
        match &self.open {
            Open::None => return false,
            Open::Fence(mark, count) => {
                let base = self.items.last().copied().unwrap_or(0);
                let fence = rest.trim_end_matches([' ', '\t']);
                let closes = fence.chars().all(|c| c == *mark) && fence.chars().count() >= *count;
                if closes && column.saturating_sub(base) < 4 {
                    self.open = Open::None;
                    // Not all readers take a tab after a fence.
                    self.code(text.trim_end(), at);
                } else {
                    self.code(text, at);
                }
            }
            Open::Html(html) => {
                let is_raw = html.is_raw();
                if matches!(html, Html::Until(ends) if has_end(rest, ends)) {
                    self.open = Open::None;
                }
                let text = self.with_headings_of_html(text);
                if is_raw {
                    self.code(&text, at);
                } else {
                    self.html(&text, at);
                }
            }
        }
        true
    }

    /// Adds a line. Those in quotes are added with their marks.
    fn push(&mut self, line: String) {
        if self.depth == 0 {
            self.out.push(line);
        }
    }

    /// Adds a line of a paragraph or of another block that may have code in it.
    fn text(&mut self, text: &str) {
        let text = self.with_headings(text);
        self.push(text);
    }

    /// Adds a line of code, whose text starts at `at`.
    fn code(&mut self, text: &str, at: usize) {
        self.kind = Line::Code;
        let (before, rest) = text.split_at_checked(at).unwrap_or(("", text));
        let title = rest.trim_start_matches('#');
        let level = rest.len().saturating_sub(title.len());
        let title = title.trim_start();
        let imitates = (1..=3).contains(&level) && self.own.iter().any(|it| title.starts_with(it));
        let escape = if imitates { "\\" } else { "" };
        self.push(format!("{before}{escape}{rest}"));
    }

    /// Adds a line in a block of HTML, whose text starts at `at`.
    fn html(&mut self, text: &str, at: usize) {
        self.kind = Line::HtmlGoesOn;
        let (before, rest) = text.split_at_checked(at).unwrap_or(("", text));
        let line = match start(rest, Before::Nothing) {
            Start::Heading(level) => {
                heading(before, rest.trim_start_matches('#'), (self.changed)(level))
            }
            _ if underline(rest).is_some() => format!("{before}\\{rest}"),
            _ => text.to_owned(),
        };
        self.push(line);
    }

    /// The text with the levels of its headings in HTML changed, except in code.
    fn with_headings(&mut self, text: &str) -> String {
        let mut out = text.to_owned();
        if self.depth > 0 {
            return out;
        }
        let mut at = 0;
        while let Some(found) = self.spans.next(text, at) {
            self.change_heading(&mut out, found);
            at = found.saturating_add(1);
            self.spans.pass(text.get(at..).unwrap_or_default());
        }
        out
    }

    /// The text with the levels of all its headings in HTML changed.
    fn with_headings_of_html(&self, text: &str) -> String {
        let mut out = text.to_owned();
        for (at, _) in text.match_indices('<') {
            self.change_heading(&mut out, at);
        }
        out
    }

    /// Changes the level of the heading whose tag starts at `at`, if it is one.
    fn change_heading(&self, text: &mut String, at: usize) {
        let found = text.get(at..).and_then(html::heading);
        if let Some((level, offset)) = found {
            let start = at.saturating_add(offset);
            let level = (self.changed)(level).to_string();
            text.replace_range(start..start.saturating_add(1), &level);
        }
    }

    /// Takes a line of a quote. The blocks in it only decide whether it ends in a paragraph.
    fn quoted(&mut self, before: &str, rest: &str) {
        let depth = self.depth.saturating_add(1);
        if depth > limits::MARKDOWN_DEPTH {
            self.kind = Line::Code;
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
        let is_code = quote.kind == Line::Code;
        self.kind = if is_code { Line::Code } else { Line::Quote };
    }

    /// Whether the last line is one of a paragraph, which may be in a quote.
    fn is_paragraph(&self) -> bool {
        self.paragraph.is_some() || self.quote.as_ref().is_some_and(|it| it.is_paragraph())
    }

    /// Makes the last line a heading.
    fn underlined(&mut self, at: usize, level: usize) {
        self.paragraph = None;
        self.kind = Line::Other;
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
                let content = self.with_headings(rest.trim_start_matches('#'));
                self.push(heading(before, &content, (self.changed)(level)));
            }
            Start::Fence(mark, count) => {
                self.open = Open::Fence(mark, count);
                self.push(text.to_owned());
            }
            Start::Html(html) => {
                let is_closed = matches!(&html, Html::Until(ends) if has_end(rest, ends));
                if !is_closed {
                    self.open = Open::Html(html);
                }
                let text = self.with_headings_of_html(text);
                self.push(text);
            }
            Start::Text => {
                self.paragraph = Some(at);
                self.text(text);
            }
            Start::Quote => {
                self.quoted(before, rest);
                if self.kind == Line::Quote {
                    // The paragraph may go on without a mark.
                    self.with_headings(text);
                }
                self.push(text.to_owned());
            }
            Start::Break | Start::Item(..) => self.push(text.to_owned()),
        }
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
