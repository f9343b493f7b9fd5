//! HTML comments in Markdown, which no page shows: they are left out and counted.
//!
//! A comment is one of `CommonMark`: a block that starts with `<!--` and ends in a line with `-->`, or a part of a
//! block of HTML or of a paragraph. All else is text and is kept: comments without an end, those in code, those in a
//! paragraph that ends before them, those in several lines of a quote, and those in text that can be read in several
//! ways.

use super::blocks::{Blocks, Line};
use super::spans::Spans;

const START: &str = "<!--";
const END: &str = "-->";

/// The text without its comments, and their number. Lines end at `\n` only.
pub fn without_comments(markdown: &str) -> (String, usize) {
    if !markdown.contains(END) {
        return (markdown.to_owned(), 0);
    }
    let mut text = Text::default();
    let mut blocks = Blocks::default();
    for line in markdown.lines() {
        text.line(line, blocks.kind_of(line));
    }
    (text.out.join("\n"), text.hidden)
}

/// A comment that did not end in its line.
struct Open {
    /// The line of the output, and the offset in it.
    at: (usize, usize),
    /// The kind of its first line.
    kind: Line,
}

/// The text that is kept.
#[derive(Default)]
struct Text {
    out: Vec<String>,
    hidden: usize,
    open: Option<Open>,
    /// Whether a block that was only a comment is before the next line.
    is_after_block: bool,
    spans: Spans,
}

impl Text {
    fn line(&mut self, line: &str, kind: Line) {
        let goes_on = |open: &Open| match kind {
            Line::ParagraphGoesOn => !is_html(open.kind),
            Line::HtmlGoesOn => is_html(open.kind),
            _ => false,
        };
        if let Some(open) = self.open.take().filter(goes_on) {
            let Some((_, after)) = line.split_once(END) else {
                self.open = Some(open);
                self.out.push(line.to_owned());
                return;
            };
            self.hidden = self.hidden.saturating_add(1);
            self.spans.end();
            let (first, end) = open.at;
            self.out.truncate(first.saturating_add(1));
            let mut before = self.out.pop().unwrap_or_default();
            before.truncate(end);
            if open.kind == Line::Comment || before.trim().is_empty() {
                self.scan(before, after, open.kind, true);
            } else {
                self.out.push(before);
                self.scan(String::new(), after, kind, true);
            }
            return;
        }
        if matches!(kind, Line::Code | Line::Empty) {
            if kind == Line::Empty {
                self.spans.end();
            }
            self.push(line.to_owned());
            return;
        }
        self.scan(String::new(), line, kind, false);
    }

    /// Adds a line without its comments: what is before them, and the text in which they are. `is_cut` says that a
    /// comment ended before this text.
    fn scan(&mut self, mut kept: String, text: &str, kind: Line, mut is_cut: bool) {
        let (mut copied, mut at) = (0, 0);
        let mut open = None;
        // The definition of a link may have these characters in its destination.
        if !is_html(kind) && text.contains("]:") {
            self.spans.stop();
        }
        while let Some(start) = self.next(text, at, kind) {
            at = start.saturating_add(1);
            let rest = text.get(start..).unwrap_or_default();
            let comment = rest.strip_prefix(START);
            // These are whole comments, without content.
            let comment = comment.filter(|it| !it.starts_with('>') && !it.starts_with("->"));
            let is_clear = is_html(kind) || self.spans.is_clear();
            if let Some(comment) = comment.filter(|_| is_clear) {
                if let Some((_, after)) = comment.split_once(END) {
                    kept.push_str(text.get(copied..start).unwrap_or_default());
                    self.hidden = self.hidden.saturating_add(1);
                    at = text.len().saturating_sub(after.len());
                    copied = at;
                    is_cut = true;
                    continue;
                }
                if !matches!(kind, Line::Other | Line::Quote) {
                    let offset = start.saturating_sub(copied).saturating_add(kept.len());
                    open = Some(offset);
                }
            }
            if !is_html(kind) {
                self.spans.pass(rest.get(1..).unwrap_or_default());
            }
            if open.is_some() {
                break;
            }
        }
        kept.push_str(text.get(copied..).unwrap_or_default());
        // A line that had only a comment is no line.
        if is_cut && kept.trim().is_empty() {
            self.is_after_block |= kind == Line::Comment;
            return;
        }
        self.push(kept);
        let line = self.out.len().saturating_sub(1);
        self.open = open.map(|offset| Open {
            at: (line, offset),
            kind,
        });
    }

    /// The next `<` that may start a comment.
    fn next(&mut self, text: &str, from: usize, kind: Line) -> Option<usize> {
        if is_html(kind) {
            let found = text.get(from..)?.find(START)?;
            return Some(from.saturating_add(found));
        }
        self.spans.next(text, from)
    }

    /// Adds a line. An empty one separates it from the block before the comment.
    fn push(&mut self, line: String) {
        let is_after_text = self.out.last().is_some_and(|it| !it.trim().is_empty());
        if self.is_after_block && is_after_text && !line.trim().is_empty() {
            self.out.push(String::new());
        }
        self.is_after_block = false;
        self.out.push(line);
    }
}

fn is_html(kind: Line) -> bool {
    matches!(kind, Line::Comment | Line::Html | Line::HtmlGoesOn)
}
