//! The content of a paragraph: text, formats, links, fields and notes.

use super::convert::Converter;
use super::line::Line;
use super::shape;
use super::styles::Format;
use crate::fonts::is_fixed;
use crate::limits;
use crate::model::{Inline, Style};
use crate::symbols;
use crate::xml::{Content, Element};

/// The maximum number of spaces that `text:s` writes. More are no text.
const SPACES: usize = 200;

impl Converter<'_> {
    /// Converts the content of a paragraph. `inside` counts the elements around it, and `depth` the
    /// blocks.
    pub fn inlines(
        &mut self,
        parent: Element,
        format: &Format,
        (inside, depth): (usize, usize),
        line: &mut Line,
    ) {
        if inside >= limits::INLINE_DEPTH {
            self.report.flattened = true;
            let text = parent.text();
            self.text(&text, format, line);
            return;
        }
        for child in parent.content() {
            match child {
                Content::Text(text) => self.text(text, format, line),
                Content::Element(child) => {
                    let inside = inside.saturating_add(1);
                    self.inline(child, format, (inside, depth), line);
                }
            }
        }
    }

    fn inline(
        &mut self,
        element: Element,
        format: &Format,
        (inside, depth): (usize, usize),
        line: &mut Line,
    ) {
        match element.name() {
            "span" => {
                let style = self.styles.get("text", element.attr("style-name"));
                let mut own = format.then(&style.format);
                if style.code {
                    own = own.with(Style::CODE);
                }
                self.inlines(element, &own, (inside, depth), line);
            }
            "s" => {
                let count = element.attr("c").map_or(Some(1), |it| it.parse().ok());
                let more = count.unwrap_or(1_usize).min(SPACES).saturating_sub(1);
                let more = more.min(self.spaces);
                self.spaces = self.spaces.saturating_sub(more);
                let spaces = " ".repeat(more.saturating_add(1));
                self.literal(&spaces, format, line);
            }
            "tab" => self.literal("\t", format, line),
            "line-break" => {
                if !format.is_hidden() {
                    self.push(line, Inline::Break);
                }
            }
            "a" => {
                let url = element.attr("href").and_then(|url| self.address(url));
                self.links.push(url);
                self.inlines(element, format, (inside, depth), line);
                self.links.pop();
            }
            "note" => {
                if !format.is_hidden() {
                    self.note(element, depth, line);
                }
            }
            "annotation" => {
                if !self.is_slide {
                    self.comment(element, depth, line);
                }
            }
            "annotation-end" => {
                if let Some(name) = element.attr("name") {
                    self.comment_end(name, line);
                }
            }
            "page-number" | "page-count" | "page-continuation" => {
                self.page_fields = self.page_fields.saturating_add(1);
                if !self.in_page_text {
                    self.inlines(element, format, (inside, depth), line);
                }
            }
            "content-control" if element.attr("checkbox") == Some("true") => {
                let checked = element.attr("checked") == Some("true");
                self.push(line, Inline::CheckBox(checked));
            }
            "fieldmark" => self.form_field(element, line),
            "ruby" => {
                if let Some(base) = element.child("ruby-base") {
                    self.inlines(base, format, (inside, depth), line);
                }
                let above = element.child("ruby-text").map(|it| it.text());
                let above = above.as_deref().unwrap_or_default().trim();
                if !above.is_empty() {
                    self.push(line, Inline::plain(format!("({above})")));
                    line.space = false;
                }
            }
            "hidden-text" => {
                let count = element.text().chars().count();
                self.report.hide(count);
            }
            // Fields that are not shown.
            "variable-set" | "variable-input" | "user-field-get" | "sequence"
                if element.attr("display") == Some("none") => {}
            "script"
            | "forms"
            | "event-listeners"
            | "binary-data"
            | "param"
            | "tracked-changes"
            | "change"
            | "change-start"
            | "change-end"
            | "bookmark"
            | "bookmark-start"
            | "bookmark-end"
            | "soft-page-break"
            | "fieldmark-start"
            | "fieldmark-end"
            | "alphabetical-index-mark"
            | "toc-mark"
            | "user-index-mark" => {}
            name if shape::is_shape(name) => {
                if !format.is_hidden() {
                    self.drawing(element, "", (inside, depth), line);
                }
            }
            _ => self.inlines(element, format, (inside, depth), line),
        }
    }

    /// Adds text in which white space, including line ends, is one space.
    fn text(&mut self, text: &str, format: &Format, line: &mut Line) {
        if format.is_hidden() {
            let count = text.chars().count();
            self.report.hide(count);
            return;
        }
        let is_space = |char: char| matches!(char, ' ' | '\t' | '\r' | '\n');
        let mut out = String::with_capacity(text.len());
        for char in text.chars() {
            if is_space(char) {
                if !line.space {
                    out.push(' ');
                }
                line.space = true;
            } else if char != '\u{ad}' {
                // A soft hyphen is not shown inside a line, and nobody searches for it.
                out.push(char);
                line.space = false;
            }
        }
        if !out.is_empty() {
            let piece = self.piece(&out, format);
            self.push(line, piece);
        }
    }

    /// Adds white space that is not joined.
    fn literal(&mut self, text: &str, format: &Format, line: &mut Line) {
        if format.is_hidden() {
            return;
        }
        line.space = false;
        let piece = self.piece(text, format);
        // A million spaces, each in its own element, are one piece.
        if let Some(Inline::Text { text: last, style }) = line.content.last_mut()
            && let Inline::Text { text, style: own } = &piece
            && style == own
            && self.links.is_empty()
        {
            last.push_str(text);
            return;
        }
        self.push(line, piece);
    }

    /// Returns a text with its format.
    fn piece(&self, text: &str, format: &Format) -> Inline {
        let mut style = format.style();
        if self.is_slide && is_fixed(format.font()) {
            style = style.with(Style::CODE);
        }
        Inline::Text {
            text: symbols::drawn(format.font(), text),
            style,
        }
    }

    /// Adds a piece to a line, as a link if a link is open.
    pub fn push(&mut self, line: &mut Line, piece: Inline) {
        if !matches!(piece, Inline::Text { .. }) {
            // Code on slides keeps its indentation.
            line.space = matches!(piece, Inline::Break) && !self.is_slide;
        }
        let link = self.links.iter().rev().flatten().next();
        let is_linked = matches!(piece, Inline::Text { .. } | Inline::Image { .. });
        let Some(url) = link.filter(|url| is_linked && !url.is_empty()) else {
            line.content.push(piece);
            return;
        };
        let Some(rest) = self.linked.checked_sub(url.len()) else {
            self.report.links.many = true;
            line.content.push(piece);
            return;
        };
        self.linked = rest;
        line.content.push(Inline::Link {
            url: url.clone(),
            content: vec![piece],
        });
    }

    /// Returns the address of a link. `None` for a link inside the document.
    pub fn address(&mut self, url: &str) -> Option<String> {
        let url = url.trim();
        if url.is_empty() || url.starts_with('#') {
            return None;
        }
        if url.len() > limits::URL_BYTES {
            self.report.links.long = true;
            return None;
        }
        // Relative addresses start in the package.
        let outside = url.strip_prefix("../").filter(|_| !self.source.is_flat());
        Some(outside.unwrap_or(url).to_owned())
    }

    /// Adds the check box of a form.
    fn form_field(&mut self, field: Element, line: &mut Line) {
        let kind = field.attr("type").unwrap_or_default();
        if kind.ends_with("FORMCHECKBOX") {
            let checked = field.children().any(|param| {
                param.attr("name") == Some("Checkbox_Checked")
                    && param.attr("value") == Some("true")
            });
            self.push(line, Inline::CheckBox(checked));
        } else if kind.ends_with("FORMDROPDOWN") {
            let values = |name: &'static str| {
                field
                    .children()
                    .filter(move |param| param.attr("name") == Some(name))
                    .filter_map(|param| param.attr("value"))
            };
            let chosen = values("Dropdown_Selected").next();
            let chosen: Option<usize> = chosen.and_then(|it| it.parse().ok());
            let mut entries = values("Dropdown_ListEntry");
            if let Some(entry) = entries.nth(chosen.unwrap_or_default()) {
                let piece = Inline::plain(entry);
                self.push(line, piece);
                line.space = false;
            }
        }
    }
}
