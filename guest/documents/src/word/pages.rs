//! The texts of headers and footers of pages.

use crate::markdown;
use crate::model::{Block, Inline, Style, is_blank, plain_text};

/// The number of words beside a page number up to which a line is only a page number.
const PAGE_WORDS: usize = 3;

/// The maximum number of headers or footers of a document.
pub const TEXTS: usize = 64;

/// Writes the text of a header or footer. If it has page numbers, lines with little else are left
/// out.
pub fn page_text(blocks: Vec<Block>, has_page_numbers: bool) -> String {
    let mut blocks = lines(blocks);
    if has_page_numbers {
        blocks.retain(|block| match block {
            Block::Paragraph(content) => {
                let text = plain_text(content);
                let words = text
                    .split(|char: char| !char.is_alphanumeric())
                    .filter(|word| !word.is_empty());
                words.count() >= PAGE_WORDS
            }
            _ => true,
        });
    }
    for block in &mut blocks {
        if let Block::Paragraph(content) | Block::Heading { content, .. } = block {
            without_styles(content);
        }
    }
    // An image without text is decoration.
    let text = markdown::render(&blocks);
    let is_text = |char: char| char.is_alphanumeric();
    let mut lines = text.lines().filter(|line| !line.starts_with("![](image:"));
    if lines.any(|line| line.contains(is_text)) {
        text
    } else {
        String::new()
    }
}

/// Removes the formats of texts. Their marks would be text in a comment.
fn without_styles(content: &mut [Inline]) {
    for piece in content {
        match piece {
            Inline::Text { style, .. } => *style = Style::default(),
            Inline::Link { content, .. } => {
                for piece in content {
                    if let Inline::Text { style, .. } = piece {
                        *style = Style::default();
                    }
                }
            }
            _ => {}
        }
    }
}

/// Converts the rows of tables to paragraphs. Tables place the texts of headers.
fn lines(blocks: Vec<Block>) -> Vec<Block> {
    let mut out = Vec::with_capacity(blocks.len());
    for block in blocks {
        let Block::Table(table) = block else {
            out.push(block);
            continue;
        };
        for row in table.rows {
            let mut line = Vec::new();
            for block in row.into_iter().flat_map(|cell| cell.blocks) {
                if let Block::Paragraph(content) | Block::Heading { content, .. } = block
                    && !is_blank(&content)
                {
                    if !line.is_empty() {
                        line.push(Inline::plain(" | "));
                    }
                    line.extend(content);
                }
            }
            out.push(Block::Paragraph(line));
        }
    }
    out
}
