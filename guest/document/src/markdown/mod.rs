//! The model of a document → Markdown.
//!
//! ```text
//! mod.rs   blocks
//! escape   text that would be Markdown
//! inline   text with formats and links
//! table    tables with merged cells
//! ```
//!
//! Recursion is as deep as the blocks are nested, which the readers of documents limit.

pub mod escape;
mod inline;
mod table;
#[cfg(test)]
mod tests;

use crate::limits;
use crate::model::{Block, Inline};
pub use inline::Context;
pub use table::Budget;

/// Writes blocks as Markdown: lines with `\n` between them, and an empty line between blocks.
pub fn render(blocks: &[Block]) -> String {
    render_within(blocks, &mut Budget::default())
}

/// Writes some of the blocks of a document, with what all of them may use.
pub fn render_within(blocks: &[Block], budget: &mut Budget) -> String {
    let mut writer = Writer {
        out: String::new(),
        indents: Vec::new(),
        budget,
    };
    for block in blocks {
        if writer.out.len() > limits::OUTPUT_BYTES {
            let mib = limits::OUTPUT_BYTES >> 20;
            let note =
                format!("\n\n<!-- The text is longer than {mib} MB. The rest is left out. -->");
            writer.out.push_str(&note);
            break;
        }
        writer.block(block);
    }
    writer.out
}

/// Writes a paragraph as Markdown.
pub fn render_inline(content: &[Inline], context: Context) -> String {
    inline::render(content, context)
}

/// The text so far, and the list to which the next item belongs.
struct Writer<'b> {
    out: String,
    /// The levels of the open items and the indentation of their content.
    indents: Vec<(usize, usize)>,
    budget: &'b mut Budget,
}

impl Writer<'_> {
    fn block(&mut self, block: &Block) {
        if let Block::Item {
            depth,
            marker,
            blocks,
        } = block
        {
            self.item((*depth).min(limits::LIST_DEPTH), marker, blocks);
            return;
        }
        if let Block::Table(table) = block
            && table::is_frame(table)
        {
            for cell in table.rows.iter().flatten() {
                self.indents.clear();
                for block in &cell.blocks {
                    self.block(block);
                }
            }
            return;
        }
        let text = match block {
            Block::Heading { level, content } => {
                let text = inline::render(content, Context::Heading);
                if text.is_empty() {
                    return;
                }
                let level = usize::from((*level).clamp(1, 6));
                format!("{} {text}", "#".repeat(level))
            }
            Block::Paragraph(content) => inline::render(content, Context::Paragraph),
            Block::Table(table) => table::render(table, self.budget),
            Block::Code { language, text } => fenced(language, text),
            Block::Quote(blocks) => quoted(&render_within(blocks, self.budget)),
            Block::Math(latex) => {
                let latex = latex.trim();
                if latex.is_empty() {
                    return;
                }
                format!("$${latex}$$")
            }
            Block::Footnote { label, blocks } => {
                let text = render_within(blocks, self.budget);
                let text = without_mark(&text);
                let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
                let mut out = format!("[^{label}]: {first}");
                if !rest.is_empty() {
                    out.push('\n');
                    push_indented(&mut out, rest, 4);
                }
                out
            }
            Block::Rule => "---".to_owned(),
            Block::Comment(text) => comment(text),
            Block::Item { .. } => return,
        };
        if text.is_empty() {
            return;
        }
        self.indents.clear();
        if !self.out.is_empty() {
            self.out.push_str("\n\n");
        }
        self.out.push_str(&text);
    }

    fn item(&mut self, depth: usize, marker: &str, blocks: &[Block]) {
        if !self.out.is_empty() {
            let same = !self.indents.is_empty();
            self.out.push_str(if same { "\n" } else { "\n\n" });
        }
        while self.indents.pop_if(|(level, _)| *level >= depth).is_some() {}
        let indent = self.indents.last().map_or(0, |(_, indent)| *indent);
        let marker = if marker.is_empty() { "-" } else { marker };
        let width = indent.saturating_add(content_width(marker));
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.out.push_str(marker);
        let text = render_within(blocks, self.budget);
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        if !first.is_empty() {
            self.out.push(' ');
            self.out.push_str(first);
        }
        if !rest.is_empty() {
            self.out.push('\n');
            push_indented(&mut self.out, rest, width);
        }
        self.indents.push((depth, width));
    }
}

/// Removes the brackets around the mark of a note. The note has a label in the place of the mark.
fn without_mark(text: &str) -> &str {
    let marks = ["()", "[]", "**()**", "<sup>()</sup>", "**<sup>()</sup>**"];
    let rest = marks.iter().find_map(|mark| text.strip_prefix(mark));
    rest.map_or(text, str::trim_start)
}

/// Returns the indentation of the content of an item. Only the numbers that Markdown knows need their
/// whole width. Others, such as `1.1.1.`, would move nested items far to the right.
fn content_width(marker: &str) -> usize {
    let number = marker.strip_suffix(['.', ')']).unwrap_or_default();
    let is_number = (1..=9).contains(&number.len()) && number.bytes().all(|it| it.is_ascii_digit());
    match marker {
        "-" => 2,
        _ if is_number => marker.len().saturating_add(1),
        _ => 3,
    }
}

/// Writes lines with an indentation. Empty lines have none.
fn push_indented(out: &mut String, text: &str, indent: usize) {
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if !line.is_empty() {
            out.extend(std::iter::repeat_n(' ', indent));
            out.push_str(line);
        }
    }
}

/// Writes code in a fence that is longer than the fences in it.
fn fenced(language: &str, text: &str) -> String {
    let text = text.trim_matches('\n');
    if text.trim().is_empty() {
        return String::new();
    }
    let fence = "`".repeat(inline::longest_ticks(text).saturating_add(1).max(3));
    format!("{fence}{language}\n{text}\n{fence}")
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    if text.is_empty() {
        return out;
    }
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        out.push('>');
        if !line.is_empty() {
            out.push(' ');
            out.push_str(line);
        }
    }
    out
}

/// Writes a comment in one line. Nothing in it ends the comment.
fn comment(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.collect();
    let text = lines
        .join(" ")
        .replace("-->", "-- >")
        .replace("--!>", "--! >");
    format!("<!-- {} -->", text.trim())
}
