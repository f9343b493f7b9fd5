//! Markdown: the writer that documents and pages share, and the model of a document → Markdown.
//!
//! ```text
//! writer   blocks: lines with the prefixes of quotes and lists
//! line     inline text: words, white space, marks, links, images, code and formulas
//! grid     tables with merged cells
//! row      lines of tables
//! images   the images in a cell
//! escape   text that would be Markdown
//! shape    whether text needs escapes
//! spaces   white space and invisible characters
//! raised   the forms of raised and lowered text
//! mod.rs   blocks of the model
//! inline   inline text of the model
//! table    tables of the model
//! ```
//!
//! [`Writer`], [`Line`] and [`Grid`] know no tree: a page and a document are each a walk that calls them. Recursion of that of a document is as deep as the blocks are nested, which the
//! readers of documents limit.

pub mod escape;
mod grid;
mod images;
mod inline;
mod line;
pub mod raised;
pub mod row;
mod shape;
mod spaces;
mod table;
#[cfg(test)]
mod tests;
mod writer;

use crate::limits;
use crate::model::{Block, Inline};
pub use escape::fence;
pub use grid::{Budget, Grid};
pub use line::{Context, Line};
pub use writer::{Gap, Writer};

/// Writes blocks as Markdown: lines with `\n` between them, and an empty line between blocks.
pub fn render(blocks: &[Block]) -> String {
    render_within(blocks, &mut Budget::default())
}

/// Writes some of the blocks of a document, with what all of them may use.
pub fn render_within(blocks: &[Block], budget: &mut Budget) -> String {
    let mut walk = Walk {
        out: Writer::default(),
        open: Vec::new(),
        budget,
        is_full: false,
    };
    walk.blocks(blocks);
    let mut text = walk.out.finish();
    if walk.is_full {
        let mib = limits::OUTPUT_BYTES >> 20;
        let note = format!("\n\n<!-- The text is longer than {mib} MB. The rest is left out. -->");
        text.push_str(&note);
    }
    text
}

/// Writes a paragraph as Markdown.
pub fn render_inline(content: &[Inline], context: Context) -> String {
    inline::render(content, context)
}

/// A walk over the blocks of a document.
struct Walk<'b> {
    out: Writer,
    /// The levels of the open items of the list.
    open: Vec<usize>,
    budget: &'b mut Budget,
    /// Whether blocks were left out because there is too much text.
    is_full: bool,
}

impl Walk<'_> {
    /// Writes blocks with lists of their own.
    fn blocks(&mut self, blocks: &[Block]) {
        let outer = std::mem::take(&mut self.open);
        for block in blocks {
            self.is_full |= self.out.len() > limits::OUTPUT_BYTES;
            if self.is_full {
                break;
            }
            self.block(block);
        }
        self.end_items(0);
        self.open = outer;
    }

    fn block(&mut self, block: &Block) {
        let Block::Item {
            depth,
            marker,
            blocks,
        } = block
        else {
            self.other(block);
            return;
        };
        let depth = (*depth).min(limits::LIST_DEPTH);
        self.end_items(depth);
        let marker = if marker.is_empty() { "-" } else { marker };
        self.out
            .start_item(&format!("{marker} "), content_width(marker));
        self.blocks(blocks);
        self.out.marker();
        self.out.tighten();
        self.open.push(depth);
    }

    /// Ends the open items that do not contain an item of this level.
    fn end_items(&mut self, depth: usize) {
        while self.open.pop_if(|level| *level >= depth).is_some() {
            self.out.end();
        }
    }

    /// Writes a block that is not an item of a list, and so ends one.
    fn other(&mut self, block: &Block) {
        if !self.open.is_empty() {
            self.end_items(0);
            self.out.gap(Gap::Blank);
        }
        match block {
            Block::Heading { level, content } => {
                let text = inline::render(content, Context::Heading);
                self.out.heading(*level, &text, None);
            }
            Block::Paragraph(content) => {
                self.out.block(&inline::render(content, Context::Paragraph));
            }
            Block::Table(table) if table::is_frame(table) => {
                for cell in table.rows.iter().flatten() {
                    self.blocks(&cell.blocks);
                    self.out.gap(Gap::Blank);
                }
            }
            Block::Table(table) => self.out.block(&table::render(table, self.budget)),
            Block::Code { language, text } => self.out.code(language, text.trim_matches('\n')),
            Block::Quote(blocks) => {
                self.out.start_quote();
                self.blocks(blocks);
                self.out.end();
                self.out.gap(Gap::Blank);
            }
            Block::Math(latex) => {
                let latex = latex.trim();
                if !latex.is_empty() {
                    self.out.block(&format!("$${latex}$$"));
                }
            }
            Block::Footnote { label, blocks } => self.footnote(label, blocks),
            Block::Rule => self.out.rule(),
            Block::Comment(text) => self.out.block(&comment(text)),
            Block::Item { .. } => {}
        }
    }

    fn footnote(&mut self, label: &str, blocks: &[Block]) {
        self.out.start_footnote(label);
        let mut rest = blocks;
        // The note has a label in the place of the mark.
        if let Some((Block::Paragraph(content), after)) = blocks.split_first() {
            let text = inline::render(content, Context::Paragraph);
            self.out.block(without_mark(&text));
            rest = after;
        }
        self.blocks(rest);
        self.out.marker();
        self.out.end();
        self.out.gap(Gap::Blank);
    }
}

/// Removes the brackets around the mark of a note.
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
