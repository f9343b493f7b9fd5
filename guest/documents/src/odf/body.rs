//! Blocks: paragraphs, headings, lists and sections.

use super::convert::Converter;
use super::line::Line;
use crate::limits;
use crate::model::{Block, Inline, Style, is_blank};
use crate::slides::text::is_code;
use crate::word::contents::drop_title;
use crate::word::numbering::Marker;
use crate::word::paragraph::{Paragraph, push_text};
use crate::xml::{Content, Element};

/// The name of an item without a number.
const HEADER: &str = "list-header";

/// The list around an item.
#[derive(Clone)]
struct List {
    /// The place of its counters.
    counters: usize,
    style: String,
    /// The level, from 0.
    level: usize,
}

impl Converter<'_> {
    /// Converts the blocks of an element.
    pub fn blocks(&mut self, parent: Element, depth: usize) -> Vec<Block> {
        let mut out = Vec::new();
        if depth >= limits::DEPTH {
            self.flatten(parent, &mut out);
            return out;
        }
        for child in parent.children() {
            self.block(child, depth, &mut out);
        }
        out
    }

    /// Adds the text of deep content without structure.
    pub fn flatten(&mut self, parent: Element, out: &mut Vec<Block>) {
        self.report.flattened = true;
        let text = flat_text(parent);
        if !text.trim().is_empty() {
            out.push(Block::Paragraph(vec![Inline::plain(text)]));
        }
    }

    /// Converts a block.
    pub fn block(&mut self, element: Element, depth: usize, out: &mut Vec<Block>) {
        let deeper = depth.saturating_add(1);
        match element.name() {
            "p" | "h" => self.paragraph(element, None, depth, out),
            "list" => self.list(element, None, depth, out),
            "numbered-paragraph" => self.numbered_paragraph(element, depth, out),
            "table" => self.table(element, depth, out),
            "section" => {
                if element.attr("display") == Some("none") {
                    let count = flat_text(element).trim().chars().count();
                    self.report.hide(count);
                } else {
                    out.extend(self.blocks(element, deeper));
                }
            }
            "table-of-content" if self.has_headings => {
                self.report.contents = true;
                drop_title(out);
            }
            "table-of-content" | "illustration-index" | "table-index" | "object-index"
            | "user-index" | "alphabetical-index" | "bibliography" => {
                if let Some(body) = element.child("index-body") {
                    out.extend(self.blocks(body, deeper));
                }
            }
            "index-title" => out.extend(self.blocks(element, deeper)),
            "tracked-changes" => {
                self.report.changes |= element.children().next().is_some();
            }
            name if super::shape::is_shape(name) => {
                let mut line = Line::new();
                self.drawing(element, "", (0, depth), &mut line);
                if !is_blank(&line.content) {
                    out.push(Block::Paragraph(line.content));
                }
                out.extend(line.anchored);
            }
            _ => {}
        }
    }

    /// Converts a list. `around` is the list in whose item it is.
    fn list(
        &mut self,
        element: Element,
        around: Option<&List>,
        depth: usize,
        out: &mut Vec<Block>,
    ) {
        if depth >= limits::DEPTH {
            self.flatten(element, out);
            return;
        }
        let own = element.attr("style-name");
        let list = match around {
            Some(around) => List {
                counters: around.counters,
                style: own.unwrap_or(&around.style).to_owned(),
                level: around.level.saturating_add(1),
            },
            None => {
                let style = own.unwrap_or_default().to_owned();
                List {
                    counters: self.lists.start(element, &style),
                    style,
                    level: 0,
                }
            }
        };
        for item in element.children() {
            if matches!(item.name(), "list-item" | HEADER) {
                self.item(item, &list, depth, out);
            }
        }
    }

    /// Converts an item of a list, or its header, which has no number.
    fn item(&mut self, item: Element, list: &List, depth: usize, out: &mut Vec<Block>) {
        let start = item.attr("start-value").and_then(|it| it.parse().ok());
        let mut first = item.name() != HEADER;
        // The number of blocks after the item that the next paragraphs continue.
        let mut open = usize::MAX;
        for child in item.children() {
            match child.name() {
                "p" | "h" if first => {
                    first = false;
                    let style = self.styles.get("paragraph", child.attr("style-name"));
                    let marker = if style.numbered == Some(false) {
                        None
                    } else {
                        self.marker(list, item.attr("style-override"), start)
                    };
                    let marker = marker.map(|marker| (marker, list.level));
                    let before = out.len();
                    self.paragraph(child, marker, depth, out);
                    if out.len() == before.saturating_add(1) {
                        open = out.len();
                    }
                }
                "p" => {
                    let mut more = Vec::new();
                    self.paragraph(child, None, depth, &mut more);
                    let is_open = out.len() == open;
                    match out.last_mut() {
                        Some(Block::Item { blocks, .. }) if is_open => blocks.append(&mut more),
                        _ => out.append(&mut more),
                    }
                }
                "list" => self.list(child, Some(list), depth.saturating_add(1), out),
                _ => self.block(child, depth, out),
            }
        }
    }

    /// Counts an item, and returns its marker.
    fn marker(&mut self, list: &List, style: Option<&str>, start: Option<u32>) -> Option<Marker> {
        let style = style.unwrap_or(&list.style);
        let counters = self.lists.counters(list.counters)?;
        match self.styles.lists.get(style) {
            Some(style) => style.next(counters, list.level, start),
            None => Some(Marker::Bullet),
        }
    }

    /// Converts a paragraph that names its list and level.
    fn numbered_paragraph(&mut self, element: Element, depth: usize, out: &mut Vec<Block>) {
        let style = element.attr("style-name").unwrap_or_default();
        let level = element
            .attr("level")
            .and_then(|it| it.parse::<usize>().ok());
        let list = List {
            counters: self.lists.named(element.attr("list-id").unwrap_or(style)),
            style: style.to_owned(),
            level: level.unwrap_or(1).saturating_sub(1),
        };
        self.item(element, &list, depth, out);
    }

    /// Converts a paragraph or a heading. `marker` is that of its list, with the level of the list.
    fn paragraph(
        &mut self,
        element: Element,
        marker: Option<(Marker, usize)>,
        depth: usize,
        out: &mut Vec<Block>,
    ) {
        let style = self.styles.get("paragraph", element.attr("style-name"));
        let is_heading = element.name() == "h";
        let level = if is_heading {
            let own = element.attr("outline-level").and_then(|it| it.parse().ok());
            Some(own.or(style.outline).unwrap_or(1_u8))
        } else {
            style.outline
        };
        let level = level.filter(|level| (1..=9).contains(level) && !self.is_slide);
        let mut marker = marker;
        if marker.is_none()
            && is_heading
            && element.attr("is-list-header") != Some("true")
            && let Some(at) = level.and_then(|level| usize::from(level).checked_sub(1))
        {
            let start = element.attr("start-value").and_then(|it| it.parse().ok());
            let restart = element.attr("restart-numbering") == Some("true");
            let start = start.or_else(|| restart.then_some(1));
            let own = self.styles.outline.next(&mut self.lists.outline, at, start);
            marker = own.map(|marker| (marker, at));
        }
        let hidden = element.child("hidden-paragraph");
        if hidden.is_some_and(|it| it.attr("is-hidden") == Some("true")) {
            let count = flat_text(element).trim().chars().count();
            self.report.hide(count);
            return;
        }
        let mut format = style.format.clone();
        if style.code {
            format = format.with(Style::CODE);
        }
        let mut line = Line::new();
        self.inlines(element, &format, (0, depth), &mut line);
        let Line {
            content,
            anchored: mut before,
            before: count,
            ..
        } = line;
        let after = before.split_off(count.min(before.len()));
        out.extend(before);
        if !is_blank(&content) {
            let paragraph = Paragraph {
                content,
                level: level.map(|level| level.saturating_sub(1)),
                kind: style.kind,
                marker,
                shift: self.shift,
            };
            push_paragraph(paragraph, out);
        } else if self.is_slide && marker.is_none() && is_after_code(out) {
            out.push(Block::Paragraph(Vec::new()));
        }
        out.extend(after);
    }
}

/// Returns whether the last paragraph is code, also with empty ones after it. Empty lines in code are part of it.
fn is_after_code(out: &[Block]) -> bool {
    match out.last() {
        Some(Block::Paragraph(content)) => is_blank(content) || is_code(content),
        _ => false,
    }
}

/// Adds a paragraph to blocks.
fn push_paragraph(paragraph: Paragraph, out: &mut Vec<Block>) {
    let Some((content, marker)) = paragraph.push_special(out) else {
        return;
    };
    // A formula that is alone in its paragraph is on its own line.
    let mut shown = content.iter().filter(|piece| !is_space(piece));
    if let (Some(Inline::Math { latex, .. }), None, None) = (shown.next(), shown.next(), &marker) {
        out.push(Block::Math(latex.clone()));
        return;
    }
    push_text(content, marker, out);
}

/// Returns whether a piece is white space.
fn is_space(piece: &Inline) -> bool {
    matches!(piece, Inline::Text { text, .. } if text.trim().is_empty())
}

/// Returns the text of an element without structure.
pub fn flat_text(element: Element) -> String {
    let mut out = String::new();
    for inside in element.all_content() {
        match inside {
            Content::Text(text) => out.push_str(text),
            Content::Element(inside) => {
                if matches!(inside.name(), "p" | "h" | "tab" | "s" | "line-break") {
                    out.push(' ');
                }
            }
        }
    }
    out
}
