//! RTF: documents of word processors, and texts that programs exchange.
//!
//! ```text
//! tokens      groups, control words and text
//! reader      groups and their destinations
//! text        text of groups → their destinations
//! ends        fields, images, formulas and texts of their own
//! words       control words
//! state       the properties that groups save
//! characters  bytes of a font → text
//! tables      fonts, styles and lists
//! story       the document, footnotes, headers and text boxes
//! paragraph   headings, list items, code and quotations
//! old_list    list items of Word 6
//! sizes       headings of documents without styles
//! plain       list items and code of documents without styles
//! table       tables with merged cells
//! field       links, page numbers and fields of forms
//! math        formulas
//! picture     images
//! info        title, author and dates
//! html        HTML in RTF
//! compressed  compressed RTF of mails
//! ```
//!
//! Source of the format: Rich Text Format Specification 1.9.1. The document is read once, without
//! recursion. Tracked changes are shown as accepted.

mod characters;
mod compressed;
mod ends;
mod field;
mod html;
mod info;
mod math;
mod old_list;
mod paragraph;
mod picture;
mod plain;
mod reader;
mod sizes;
mod state;
mod story;
mod table;
mod tables;
#[cfg(test)]
mod tests;
mod text;
mod tokens;
mod words;

use crate::model::Block;
use crate::word::contents::drop_title;
use crate::{Document, Error, Facts, Unit, UnitFacts, limits, markdown};
pub use compressed::decompressed;
pub use html::html;
use picture::Pictures;
use reader::Reader;

/// An open document.
struct Rtf {
    bytes: Vec<u8>,
    pictures: Pictures,
    facts: Facts,
    unit: Unit,
}

/// Opens a document.
///
/// # Errors
/// Fails if the bytes are not RTF.
pub fn open(bytes: Vec<u8>) -> Result<Box<dyn Document>, Error> {
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limits::DOCUMENT_BYTES {
        return Err(Error::exhausted("document size"));
    }
    let start = start(&bytes).ok_or_else(|| {
        Error::Damaged("the file is not RTF: it does not start with `{\\rtf`".to_owned())
    })?;
    let document = bytes.get(start..).unwrap_or_default();
    let mut reader = Reader::default();
    reader.read(document);
    if is_typed(&reader) {
        reader = Reader::default();
        reader.fixed_is_code = false;
        reader.read(document);
    }
    let facts = Facts {
        format: "RTF document".to_owned(),
        metadata: std::mem::take(&mut reader.info).finish(),
        units: None,
        list: vec![UnitFacts::default()],
    };
    let pictures = std::mem::take(&mut reader.pictures);
    let unit = match html(document) {
        Some(html) => {
            let converted = omniread_markup::html::fragment(&html, None);
            Unit {
                text: converted.text,
                notes: Vec::new(),
                edges: [0, 0],
            }
        }
        None => {
            reader.report.omit_images(pictures.omitted);
            unit(reader)
        }
    };
    let mut bytes = bytes;
    bytes.drain(..start);
    Ok(Box::new(Rtf {
        bytes,
        pictures,
        facts,
        unit,
    }))
}

/// Returns whether a document is typed in a font of one width, so that the font does not mark code.
fn is_typed(reader: &Reader) -> bool {
    const OTHER_SHARE: usize = 4;
    let (fixed, all) = reader.fixed;
    all.saturating_sub(fixed).saturating_mul(OTHER_SHARE) < all
}

/// Returns the start of the document. Some programs write a byte order mark or white space before
/// it. A part of a document, as pandoc writes it, starts with a paragraph.
fn start(bytes: &[u8]) -> Option<usize> {
    const HEAD: usize = 64;
    let head = bytes.get(..HEAD.min(bytes.len()))?;
    let start = head.iter().position(|byte| *byte == b'{')?;
    let rest = head.get(start..)?;
    [b"{\\rtf".as_slice(), b"{\\pard"]
        .iter()
        .find(|mark| rest.starts_with(mark))?;
    let before = head.get(..start)?;
    let is_mark = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0 | 0xef | 0xbb | 0xbf);
    before.iter().all(is_mark).then_some(start)
}

/// Writes the document as Markdown.
fn unit(mut reader: Reader) -> Unit {
    reader.end_paragraph();
    let contents = std::mem::take(&mut reader.main.contents);
    let sizes = std::mem::take(&mut reader.main.sizes);
    let mut content = reader.main.finish();
    let has_headings = content
        .iter()
        .any(|block| matches!(block, Block::Heading { level, .. } if *level > 0));
    if has_headings && !contents.is_empty() {
        reader.report.contents = true;
        let mut place = 0_usize;
        let mut left_out = contents.iter().peekable();
        content.retain(|_| {
            let is_left_out = left_out.next_if_eq(&&place).is_some();
            place = place.saturating_add(1);
            !is_left_out
        });
        if let Some(first) = contents.first() {
            let rest = content.split_off((*first).min(content.len()));
            drop_title(&mut content);
            content.extend(rest);
        }
    }
    let is_heading = |block: &Block| matches!(block, Block::Heading { .. });
    if !content.iter().any(is_heading) {
        sizes.mark(&mut content);
    }
    let has_title = content
        .iter()
        .any(|block| matches!(block, Block::Heading { level, .. } if *level == paragraph::TITLE));
    set_levels(&mut content, u8::from(has_title), 0);
    let mut blocks: Vec<Block> = Vec::new();
    let comment = |label: &str, text: &String| Block::Comment(format!("{label}: {text}"));
    blocks.extend(reader.headers.iter().map(|it| comment("header", it)));
    blocks.append(&mut content);
    blocks.extend(reader.footers.iter().map(|it| comment("footer", it)));
    for notes in reader.notes.values_mut() {
        set_levels(notes, u8::from(has_title), 0);
        blocks.append(notes);
    }
    Unit {
        text: markdown::render(&blocks),
        notes: reader.report.notes(),
        edges: [0, 0],
    }
}

/// Moves headings below the title.
fn set_levels(blocks: &mut [Block], shift: u8, depth: usize) {
    if depth > limits::DEPTH.saturating_mul(2) {
        return;
    }
    let deeper = depth.saturating_add(1);
    for block in blocks {
        match block {
            Block::Heading { level, .. } => {
                *level = if *level == paragraph::TITLE {
                    1
                } else {
                    level.saturating_add(shift)
                };
            }
            Block::Item { blocks, .. } | Block::Quote(blocks) | Block::Footnote { blocks, .. } => {
                set_levels(blocks, shift, deeper);
            }
            Block::Table(table) => {
                for cell in table.rows.iter_mut().flatten() {
                    set_levels(&mut cell.blocks, shift, deeper);
                }
            }
            _ => {}
        }
    }
}

impl Document for Rtf {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn notes(&self) -> &[String] {
        &[]
    }

    fn unit(&mut self, index: usize) -> Unit {
        if index > 0 {
            return Unit::default();
        }
        self.unit.clone()
    }

    fn image(&mut self, number: usize) -> Option<Vec<u8>> {
        self.pictures.decode(number, &self.bytes)
    }
}
