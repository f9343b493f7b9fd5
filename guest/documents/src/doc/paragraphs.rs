//! Blocks: paragraphs, headings, list items and tables.

use super::convert::Converter;
use super::sprms::Paragraph;
use super::styles::Class;
use super::table::Tables;
use crate::limits;
use crate::model::{Block, Inline, is_blank};
use crate::word::contents::drop_title;
use crate::word::numbering::{ListReference, Marker};
use crate::word::paragraph::{self, Line};
use crate::word::styles::ParagraphKind;
use std::ops::Range;
use std::rc::Rc;

/// The end of a paragraph.
const PARAGRAPH: u16 = 13;
/// The end of a cell or a row.
const CELL: u16 = 7;
/// The end of a page or a section.
const PAGE: u16 = 12;

impl Converter<'_> {
    /// Looks for a title and for headings.
    pub fn survey(&mut self, start: usize, end: usize) {
        let mut entries = false;
        let mut at = start;
        while at < end.min(self.text.units.len()) {
            let mark = self.mark(at, end);
            let properties = self.properties(mark);
            let class = self.styles.get(properties.style);
            let named = class.map(|class| class.named).unwrap_or_default();
            let kind = named.kind;
            let level = properties.outline.or(named.outline);
            let is_heading = level.is_some_and(|level| level < 9);
            self.has_headings |= is_heading && kind != ParagraphKind::ContentsHeading;
            entries |= kind == ParagraphKind::Contents;
            if kind == ParagraphKind::Title && self.shift == 0 {
                let text = self.text.units.get(at..mark).unwrap_or_default();
                self.shift = u8::from(text.iter().any(|unit| *unit > 32));
            }
            at = mark.saturating_add(1);
        }
        self.has_contents = entries && self.has_headings;
    }

    /// Returns the character that ends the paragraph, or the end of the story.
    fn mark(&self, start: usize, end: usize) -> usize {
        let end = end.min(self.text.units.len());
        let text = self.text.units.get(start..end).unwrap_or_default();
        let mut at = start;
        for unit in text {
            match *unit {
                PARAGRAPH | CELL => return at,
                PAGE if self.ends_paragraph(at) => return at,
                _ => at = at.saturating_add(1),
            }
        }
        end
    }

    /// Returns whether the end of a page is the end of a paragraph as well.
    fn ends_paragraph(&self, at: usize) -> bool {
        let Some(piece) = self.text.piece(at) else {
            return true;
        };
        let place = piece.place(at);
        match self.paragraphs.find(place) {
            Ok(span) => span.end <= place.saturating_add(piece.width),
            Err(_) => true,
        }
    }

    /// Returns the properties of the paragraph that ends with a character.
    fn properties(&self, mark: usize) -> Paragraph {
        let mut paragraph = Paragraph::default();
        let last = self.text.units.len().saturating_sub(1);
        let Some(piece) = self.text.piece(mark.min(last)) else {
            return paragraph;
        };
        if let Ok(span) = self.paragraphs.find(piece.place(mark.min(last))) {
            let list = span.list(&self.streams.word);
            if let Some((style, list)) = list.split_first_chunk::<2>() {
                paragraph.style = u16::from_le_bytes(*style);
                paragraph.apply(list, &self.streams.data);
            }
        }
        if piece.change & 1 != 0 {
            paragraph.apply(self.change(piece.change), &self.streams.data);
        }
        paragraph
    }

    /// Returns the properties to which a piece refers.
    pub fn change(&self, change: u16) -> &[u8] {
        let range = self.text.change(usize::from(change >> 1));
        let table = self
            .fib
            .table(&self.streams.table, super::fib::Table::Pieces);
        range.and_then(|range| table.get(range)).unwrap_or_default()
    }

    /// Converts the characters of a part of the text.
    pub fn story(&mut self, start: usize, end: usize, depth: usize) -> Vec<Block> {
        let mut out = Vec::new();
        let mut tables = Tables::default();
        let end = end.min(self.text.units.len());
        let mut at = start;
        while at < end {
            let mark = self.mark(at, end);
            let mut properties = self.properties(mark);
            let unit = self.text.units.get(mark).copied().unwrap_or_default();
            let is_cell = unit == CELL && mark < end;
            let level = match properties.depth {
                Some(level) => super::fib::number(level),
                None => usize::from(properties.in_table),
            };
            let level = level.max(usize::from(is_cell || properties.in_table));
            let most = limits::DEPTH.saturating_sub(depth);
            self.report.flattened |= level > most;
            let level = level.min(most);
            let closed = tables.enter(level, &mut out);
            self.row_bytes = self.row_bytes.saturating_sub(closed);
            let inner = level > 1 && !is_cell;
            let ends_row = if inner {
                properties.ends_inner_row
            } else {
                properties.ends_row && level > 0
            };
            if ends_row {
                let mut row = std::mem::take(&mut properties.row);
                let size = row.edges.len().saturating_mul(4);
                let all = self.row_bytes.saturating_add(size);
                if all > limits::DOC_ROW_BYTES {
                    row = super::sprms::Row::default();
                } else {
                    self.row_bytes = all;
                }
                // The fields that are open in the row stay open.
                tables.end_row(row);
            } else {
                let blocks = tables.blocks(&mut out);
                self.paragraph(at..mark, &properties, depth.saturating_add(level), blocks);
                if is_cell || (inner && properties.ends_inner_cell) {
                    if !self.carry.is_empty() {
                        let rest = std::mem::take(&mut self.carry);
                        tables.blocks(&mut out).push(Block::Paragraph(rest));
                    }
                    tables.end_cell();
                }
            }
            at = mark.saturating_add(1);
        }
        let closed = tables.enter(0, &mut out);
        self.row_bytes = self.row_bytes.saturating_sub(closed);
        if !self.carry.is_empty() {
            out.push(Block::Paragraph(std::mem::take(&mut self.carry)));
        }
        out
    }

    /// Converts the characters of a paragraph. The character after them is its mark.
    fn paragraph(
        &mut self,
        range: Range<usize>,
        properties: &Paragraph,
        depth: usize,
        out: &mut Vec<Block>,
    ) {
        let default = Class::default();
        let styles = Rc::clone(&self.styles);
        let class = styles.get(properties.style).unwrap_or(&default);
        let mark = range.end;
        let kind = class.named.kind;
        let level = properties.outline.or(class.named.outline);
        let level = level.filter(|level| *level < 9);
        if kind == ParagraphKind::ContentsHeading && self.has_contents {
            return;
        }
        if level.is_some() {
            self.fields.end_contents();
        }
        let mut line = Line {
            content: std::mem::take(&mut self.carry),
            ..Line::default()
        };
        self.inlines(range, class, depth, &mut line);
        self.fields.end_paragraph();
        let deleted = mark < self.text.units.len() && self.at(mark, class).0.deleted;
        self.report.changes |= deleted;
        if deleted || properties.is_initial {
            self.carry = line.content;
            out.extend(line.anchored);
            return;
        }
        // Empty paragraphs have a number as well.
        let marker = self.marker(properties, class);
        let (mut content, before, after) = line.finish();
        out.extend(before);
        show_alone(&mut content);
        if self.in_contents() {
            drop_title(out);
        }
        if !is_blank(&content) {
            let paragraph = paragraph::Paragraph {
                content,
                level,
                kind,
                marker,
                shift: self.shift,
            };
            paragraph.push(out);
        }
        out.extend(after);
    }

    /// Counts a list item or numbered heading, and returns its marker and level.
    fn marker(&mut self, properties: &Paragraph, class: &Class) -> Option<(Marker, usize)> {
        let list = properties.list.or(class.list)?;
        let level = properties.level.or(class.level);
        let level = usize::from(level.unwrap_or(0));
        // Negative numbers belong to indentations that the paragraph changes.
        let list = if list >= 0xf000 {
            list.wrapping_neg()
        } else {
            list
        };
        let reference = ListReference {
            list: Some(list.to_string()),
            level: Some(level),
        };
        Some((self.numbering.next(&reference)?, level))
    }

    /// Adds text without a format to a line.
    pub fn push_plain(&mut self, line: &mut Line, text: &str) {
        self.push(line, Inline::plain(text));
    }
}

/// Marks a formula that is alone in its paragraph.
fn show_alone(content: &mut Vec<Inline>) {
    let is_text = |piece: &Inline| !is_blank(std::slice::from_ref(piece));
    let mut shown = content.iter().filter(|piece| is_text(piece));
    if let (Some(Inline::Math { latex, .. }), None) = (shown.next(), shown.next()) {
        *content = vec![Inline::Math {
            latex: latex.clone(),
            display: true,
        }];
    }
}
