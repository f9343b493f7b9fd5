//! Documents and objects inside of a document.
//!
//! A part of text or HTML (`altChunk`), also in a mail that saves it, is shown as text. Objects of other
//! programs are named in the notes, with their parts.

use super::convert::Converter;
use crate::mime::page;
use crate::model::{Block, Inline, is_blank};
use crate::package::{Part, is_limit};
use crate::report::Report;
use crate::xml::{Element, Event, Events, decode};

impl Converter<'_> {
    /// Notes an object of another program.
    pub fn object(&mut self, object: Element) {
        let program = object.attr("ProgID").unwrap_or_default();
        let part = object.attr("r:id").and_then(|id| self.relations.part(id));
        if object.attr("Type") == Some("Embed")
            && !program.starts_with("Equation")
            && let Some(part) = part
        {
            let program = if program.is_empty() {
                "object"
            } else {
                program
            };
            self.report.embedded.push(part, program);
        }
    }

    /// Converts `altChunk`: a part of another format.
    pub fn chunk(&mut self, element: Element, out: &mut Vec<Block>) {
        let part = element.attr("r:id").and_then(|id| self.relations.part(id));
        let Some(part) = part.map(str::to_owned) else {
            return;
        };
        let kind = self.package.content_type(&part).unwrap_or_default();
        let extension = part.rsplit_once('.').map_or("", |(_, extension)| extension);
        let extension = extension.to_ascii_lowercase();
        let is_html = matches!(extension.as_str(), "htm" | "html" | "xhtml");
        let is_html = is_html || kind.contains("html");
        let is_mail = page::is_named(kind, &extension);
        if !is_html && !is_mail && extension != "txt" && !kind.starts_with("text/plain") {
            self.report.embedded.push(&part, "");
            return;
        }
        let Some(Part { bytes, damage }) = self.read(&part) else {
            return;
        };
        self.report.check(&part, damage.as_deref(), None);
        let is_cut = damage.as_deref().is_some_and(is_limit);
        if is_mail {
            match page::read(&bytes) {
                Some(text) => out.extend(html(&text, is_cut, &mut self.report)),
                None => self.report.embedded.push(&part, ""),
            }
            return;
        }
        let text = decode(&bytes);
        if is_html {
            out.extend(html(&text, is_cut, &mut self.report));
        } else {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            out.extend(lines.map(|line| Block::Paragraph(vec![Inline::plain(line)])));
        }
    }
}

/// References to characters that are common in HTML and do not exist in XML.
const REFERENCES: [(&str, &str); 10] = [
    ("&nbsp;", " "),
    ("&ndash;", "–"),
    ("&mdash;", "—"),
    ("&lsquo;", "‘"),
    ("&rsquo;", "’"),
    ("&ldquo;", "“"),
    ("&rdquo;", "”"),
    ("&hellip;", "…"),
    ("&bull;", "•"),
    ("&copy;", "©"),
];

/// Reads the paragraphs, headings and list items of HTML, without formats. `is_cut` is whether a limit ends it.
fn html(text: &str, is_cut: bool, report: &mut Report) -> Vec<Block> {
    let mut text = std::borrow::Cow::Borrowed(text);
    for (reference, char) in REFERENCES {
        if text.contains(reference) {
            text = text.replace(reference, char).into();
        }
    }
    let mut out = Vec::new();
    let mut content: Vec<Inline> = Vec::new();
    let mut name = String::new();
    let mut skipped = 0_usize;
    let mut images = 0_usize;
    let mut events = Events::new(&text);
    for event in &mut events {
        let (tag, starts) = match event {
            Event::Text(piece) => {
                if skipped == 0 {
                    content.push(Inline::plain(piece));
                }
                continue;
            }
            Event::Start(start) => (start.name.to_ascii_lowercase(), true),
            Event::End(name) => (name.to_ascii_lowercase(), false),
        };
        match tag.as_str() {
            "head" | "script" | "style" if starts => skipped = skipped.saturating_add(1),
            "head" | "script" | "style" => skipped = skipped.saturating_sub(1),
            "img" if starts => images = images.saturating_add(1),
            "br" if starts => content.push(Inline::Break),
            "td" | "th" if !starts => content.push(Inline::plain(" ")),
            "p" | "div" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "li" | "ul" | "ol" | "tr"
            | "table" | "blockquote" | "pre" | "body" => {
                push(&mut out, std::mem::take(&mut content), &name);
                name = if starts { tag } else { String::new() };
            }
            _ => {}
        }
    }
    push(&mut out, content, &name);
    report.notes.extend(match images {
        0 => None,
        1 => Some("An image of an embedded HTML page is not shown.".to_owned()),
        count => Some(format!(
            "{count} images of an embedded HTML page are not shown."
        )),
    });
    if events.damage().is_some() && !is_cut {
        let note = "An embedded HTML page is damaged. A part of its text is left out.";
        report.notes.push(note.to_owned());
    }
    out
}

/// Adds the text of an element of HTML.
fn push(out: &mut Vec<Block>, content: Vec<Inline>, name: &str) {
    if is_blank(&content) {
        return;
    }
    let level = name.strip_prefix('h').and_then(|level| level.parse().ok());
    out.push(match level {
        Some(level @ 1..=6_u8) => Block::Heading { level, content },
        _ if name == "li" => Block::Item {
            depth: 0,
            marker: String::new(),
            blocks: vec![Block::Paragraph(content)],
        },
        _ => Block::Paragraph(content),
    });
}
