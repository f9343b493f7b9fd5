//! Headers and footers of pages. Each text is shown once.

use super::Converter;
use super::styles::is_on;
use crate::budget::start;
use crate::model::{Block, Inline, Style, is_blank, plain_text};
use crate::xml::{Element, Tree, decode};
use crate::{limits, markdown};

/// The headers and footers that sections use.
#[derive(Default)]
pub struct Pages {
    /// The identifiers of relationships, in the order of the sections.
    headers: Vec<String>,
    footers: Vec<String>,
    /// Whether even pages have their own.
    even: bool,
}

/// The number of words beside a page number up to which a line is only a page number.
const PAGE_WORDS: usize = 3;

/// The maximum number of headers or footers of a document.
pub const TEXTS: usize = 64;

impl Converter<'_> {
    /// Reads the settings that concern pages.
    pub fn read_settings(&mut self, part: &str) {
        if let Some((bytes, _)) = self.read(part) {
            let text = decode(&bytes);
            let tree = Tree::parse(&text);
            self.pages.even = tree.root().child("evenAndOddHeaders").is_some_and(is_on);
        }
    }

    /// Reads the properties of a section.
    pub fn section(&mut self, properties: Element) {
        let first = properties.child("titlePg").is_some_and(is_on);
        for child in properties.children() {
            let list = match child.name() {
                "headerReference" => &mut self.pages.headers,
                "footerReference" => &mut self.pages.footers,
                _ => continue,
            };
            let used = match child.attr("type") {
                Some("first") => first,
                Some("even") => self.pages.even,
                _ => true,
            };
            if let Some(id) = child.attr("r:id")
                && used
                && list.len() < TEXTS
                && !list.iter().any(|own| own == id)
            {
                list.push(id.to_owned());
            }
        }
    }

    /// Converts the headers and the footers.
    pub fn page_texts(&mut self, main: &str) -> (Vec<Block>, Vec<Block>) {
        let relations = self.package.relationships(main);
        let pages = std::mem::take(&mut self.pages);
        self.in_page_text = true;
        let mut converted = [Vec::new(), Vec::new()];
        let kinds = [("header", &pages.headers), ("footer", &pages.footers)];
        for ((label, ids), out) in kinds.into_iter().zip(&mut converted) {
            let mut texts: Vec<String> = Vec::new();
            for id in ids {
                let Some(part) = relations.part(id) else {
                    continue;
                };
                let text = self.page_text(part);
                let text = start(&text, limits::PAGE_TEXT_BYTES).to_owned();
                if !text.is_empty() && !texts.contains(&text) {
                    out.push(Block::Comment(format!("{label}: {text}")));
                    texts.push(text);
                }
            }
        }
        self.in_page_text = false;
        self.relations = relations;
        let [headers, footers] = converted;
        (headers, footers)
    }

    /// Converts a header or footer without page numbers.
    fn page_text(&mut self, part: &str) -> String {
        let Some((bytes, _)) = self.read(part) else {
            return String::new();
        };
        let text = decode(&bytes);
        let tree = Tree::parse(&text);
        self.check(part, &tree);
        self.relations = self.package.relationships(part);
        self.report.notes.extend(self.relations.notes());
        self.fields.clear();
        let before = self.page_fields;
        let blocks = self.blocks(tree.root(), 0);
        page_text(blocks, self.page_fields > before)
    }
}

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
