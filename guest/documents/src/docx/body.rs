//! Blocks: paragraphs, headings, list items and content controls.

use super::convert::Converter;
use super::styles::{Resolved, list_reference, outline};
use crate::limits;
use crate::model::{Block, Inline, is_blank};
use crate::word::contents::drop_title;
use crate::word::numbering::{ListReference, Marker};
use crate::word::paragraph::{Line, Paragraph};
use crate::word::styles::ParagraphKind;
use crate::xml::Element;

impl Converter<'_> {
    /// Converts the blocks of an element.
    pub fn blocks(&mut self, parent: Element, depth: usize) -> Vec<Block> {
        let mut out = Vec::new();
        if depth >= limits::DEPTH {
            self.report.flattened = true;
            let text = flat_text(parent);
            if !text.trim().is_empty() {
                out.push(Block::Paragraph(vec![Inline::plain(text)]));
            }
            return out;
        }
        for child in parent.children() {
            self.block(child, depth, &mut out);
        }
        if depth == 0 && !self.carry.is_empty() {
            out.push(Block::Paragraph(std::mem::take(&mut self.carry)));
        }
        out
    }

    fn block(&mut self, element: Element, depth: usize, out: &mut Vec<Block>) {
        let deeper = depth.saturating_add(1);
        match element.name() {
            "p" => self.paragraph(element, depth, out),
            "tbl" => self.table(element, depth, out),
            "sdt" => {
                if self.is_contents(element) {
                    self.report.contents = true;
                    let is_drawing =
                        |it: Element| matches!(it.name(), "drawing" | "pict" | "object");
                    self.report.contents_drawings |= element.descendants().any(is_drawing);
                    drop_title(out);
                } else if let Some(content) = element.child("sdtContent") {
                    out.extend(self.blocks(content, deeper));
                }
            }
            "ins" | "moveTo" => {
                self.report.changes = true;
                out.extend(self.blocks(element, deeper));
            }
            "del" | "moveFrom" => self.report.changes = true,
            "customXml" | "smartTag" => out.extend(self.blocks(element, deeper)),
            "AlternateContent" => {
                if let Some(branch) = branch(element) {
                    out.extend(self.blocks(branch, deeper));
                }
            }
            "oMathPara" | "oMath" => {
                for latex in crate::math::formulas(element) {
                    out.push(Block::Math(latex));
                }
            }
            "altChunk" => self.chunk(element, out),
            "sectPr" => self.pages.section(element),
            _ => {}
        }
    }

    /// Returns whether a content control is a table of contents that repeats headings.
    fn is_contents(&self, control: Element) -> bool {
        let gallery = control.at(&["sdtPr", "docPartObj"]);
        let gallery = gallery.and_then(|object| object.val("docPartGallery"));
        self.has_headings && gallery == Some("Table of Contents")
    }

    fn paragraph(&mut self, element: Element, depth: usize, out: &mut Vec<Block>) {
        let properties = element.child("pPr");
        let style_id = properties.and_then(|properties| properties.val("pStyle"));
        let style = self.styles.paragraph(style_id);
        if let Some(section) = properties.and_then(|properties| properties.child("sectPr")) {
            self.pages.section(section);
        }
        let level = properties.and_then(outline).or(style.named.outline);
        let level = level.filter(|level| *level < 9);
        if style.named.kind == ParagraphKind::ContentsHeading && self.has_contents {
            return;
        }
        if level.is_some() {
            self.fields.end_contents();
        }
        let mut line = Line {
            content: std::mem::take(&mut self.carry),
            hidden: style.format.is_hidden(),
            bold: self.styles.is_emphasized(&style),
            ..Line::default()
        };
        self.inlines(element, 0, depth, &mut line);
        self.fields.end_paragraph();
        if properties.is_some_and(|properties| self.continues(properties)) {
            self.carry = line.content;
            out.extend(line.anchored);
            return;
        }
        // Empty paragraphs have a number as well.
        let marker = self.marker(properties, &style);
        let (content, before, after) = line.finish();
        out.extend(before);
        if self.in_contents() {
            drop_title(out);
        }
        if !is_blank(&content) {
            let paragraph = Paragraph {
                content,
                level,
                kind: style.named.kind,
                marker,
                shift: self.shift,
            };
            paragraph.push(out);
        }
        out.extend(after);
    }

    /// Returns whether the next paragraph continues a paragraph: its mark is deleted, or it is an
    /// initial letter of several lines.
    fn continues(&mut self, properties: Element) -> bool {
        let mark = properties.child("rPr");
        let deleted =
            mark.is_some_and(|mark| mark.child("del").or(mark.child("moveFrom")).is_some());
        self.report.changes |= deleted;
        let frame = properties.child("framePr");
        let initial = frame.and_then(|frame| frame.attr("dropCap"));
        deleted || initial.is_some_and(|initial| initial != "none")
    }

    /// Counts a list item or numbered heading, and returns its marker and level.
    fn marker(&mut self, properties: Option<Element>, style: &Resolved) -> Option<(Marker, usize)> {
        let own = properties.and_then(list_reference);
        let inherited = style.list.as_ref();
        let list = own.as_ref().and_then(|own| own.list.clone());
        let from_style = list.is_none();
        let list = list.or_else(|| inherited?.list.clone())?;
        let mut level = own.and_then(|own| own.level);
        if level.is_none() && from_style {
            level = self.numbering.level_of_style(&list, &style.list_style);
        }
        let level = level.or_else(|| inherited?.level).unwrap_or_default();
        let reference = ListReference {
            list: Some(list),
            level: Some(level),
        };
        Some((self.numbering.next(&reference)?, level))
    }
}

/// Returns the branch of alternative content that is shown: the first choice with content, or the
/// fallback.
pub fn branch<'t, 'a>(element: Element<'t, 'a>) -> Option<Element<'t, 'a>> {
    let mut choices = element.children().filter(|child| child.name() == "Choice");
    let choice = choices.find(|choice| choice.children().next().is_some());
    choice.or_else(|| element.child("Fallback"))
}

/// Returns the text of an element without structure.
pub fn flat_text(element: Element) -> String {
    let mut out = String::new();
    for inside in element.descendants() {
        match inside.name() {
            "t" => out.push_str(&inside.text()),
            "p" | "tab" | "br" | "cr" | "tc" => out.push(' '),
            _ => {}
        }
    }
    out
}
