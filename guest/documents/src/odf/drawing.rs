//! Images, text boxes, shapes, formulas and charts.
//!
//! In a flat file, the part `#12` is the image in the element at the position 12, and `100-200#12` the one
//! in a part of the file.

use super::chart;
use super::convert::Converter;
use super::line::Line;
use super::shape::{description, is_shape};
use crate::limits;
use crate::model::Inline;
use crate::slides::text::without_marks;
use crate::xml::{Element, Tree, decode};
use omniread_document::latex::mathml;

impl Converter<'_> {
    /// Converts a frame, a shape or a group. `alt` is the alternative text of the group around it.
    pub fn drawing(
        &mut self,
        element: Element,
        alt: &str,
        (inside, depth): (usize, usize),
        line: &mut Line,
    ) {
        if inside >= limits::INLINE_DEPTH {
            self.report.flattened = true;
            return;
        }
        let mut own = description(element);
        if self.is_slide
            && let Some(text) = &mut own
        {
            text.truncate(without_marks(text).len());
        }
        let alt = own.as_deref().unwrap_or(alt);
        let deeper = inside.saturating_add(1);
        match element.name() {
            "frame" => self.frame(element, alt, depth, line),
            "g" => {
                for child in element.children() {
                    if is_shape(child.name()) || child.name() == "a" {
                        self.drawing(child, alt, (deeper, depth), line);
                    }
                }
            }
            "a" => {
                let url = element.attr("href").and_then(|url| self.address(url));
                self.links.push(url);
                for child in element.children() {
                    self.drawing(child, alt, (deeper, depth), line);
                }
                self.links.pop();
            }
            _ => self.text_box(element, depth, line),
        }
    }

    /// Adds the blocks of a text box or a shape after the line.
    fn text_box(&mut self, element: Element, depth: usize, line: &mut Line) {
        let links = std::mem::take(&mut self.links);
        let blocks = self.blocks(element, depth.saturating_add(1));
        line.anchor(blocks);
        self.links = links;
    }

    /// Converts a frame: the first of its contents that can be shown.
    fn frame(&mut self, frame: Element, alt: &str, depth: usize, line: &mut Line) {
        let (mut embedded, mut media) = (false, "");
        for child in frame.children() {
            match child.name() {
                "text-box" => return self.text_box(child, depth, line),
                "table" => {
                    let mut blocks = Vec::new();
                    self.table(child, depth.saturating_add(1), &mut blocks);
                    line.anchor(blocks);
                    return;
                }
                "object" => {
                    if self.object(child, line) {
                        return;
                    }
                    embedded = true;
                }
                "object-ole" => embedded = true,
                "plugin" => {
                    media = media_name(child.attr("href").unwrap_or_default());
                }
                _ => {}
            }
        }
        let mut alt = alt;
        if embedded && !self.is_slide {
            self.report.embedded.add();
        } else if alt.is_empty() && embedded {
            alt = "Embedded object";
        } else if alt.is_empty() && self.is_slide {
            alt = media;
        }
        match image(frame) {
            Some(image) => self.image(image, alt, line),
            // An object without an image has its name only.
            None if embedded && self.is_slide => self.push(line, Inline::plain(alt)),
            None => {}
        }
    }

    /// Converts an embedded formula or chart. Returns whether it is one.
    fn object(&mut self, object: Element, line: &mut Line) -> bool {
        // The object of a flat file is inside the element.
        if let Some(root) = object
            .children()
            .find(|it| matches!(it.name(), "math" | "document"))
        {
            return self.object_content(root, line);
        }
        let Some(href) = object.attr("href") else {
            return false;
        };
        let folder = crate::package::join("", href);
        let name = format!("{folder}/content.xml");
        let Some(part) = self.source.part(&name) else {
            return false;
        };
        let text = decode(&part.bytes);
        let tree = Tree::parse(&text);
        self.report
            .check(&name, part.damage.as_deref(), tree.damage());
        self.object_content(tree.root(), line)
    }

    fn object_content(&mut self, root: Element, line: &mut Line) -> bool {
        if root.name() == "math" {
            let latex = mathml::formula(root);
            if !latex.is_empty() {
                let display = false;
                self.push(line, Inline::Math { latex, display });
            }
            return true;
        }
        let Some(found) = root.at(&["body", "chart", "chart"]) else {
            return false;
        };
        line.anchor(chart::blocks(root, found));
        true
    }

    /// Adds an image to a line. An image outside of the package is a link.
    fn image(&mut self, image: Element, alt: &str, line: &mut Line) {
        let part = match image
            .attr("href")
            .map(str::trim)
            .filter(|it| !it.is_empty())
        {
            Some(url) if url.contains("://") || url.starts_with("../") => {
                let url = self.address(url).unwrap_or_default();
                let alt = alt.trim().to_owned();
                if self.is_slide {
                    line.content.push(Inline::LinkedImage { alt, url });
                    return;
                }
                let text = if alt.is_empty() { "image" } else { &alt };
                let content = vec![Inline::plain(text)];
                line.content.push(Inline::Link { url, content });
                return;
            }
            Some(href) => {
                let part = crate::package::join("", href);
                if !self.source.has(&part) {
                    self.report.miss_image();
                    return;
                }
                part
            }
            None if image.child("binary-data").is_some() => {
                format!("{}#{}", self.slice, image.position())
            }
            None => return,
        };
        let Some(number) = self.images.number(&part) else {
            self.report.omit_images(1);
            return;
        };
        let alt = alt.trim().to_owned();
        self.push(line, Inline::Image { alt, number });
    }
}

/// Returns the name of a medium by the extension of its part.
fn media_name(part: &str) -> &'static str {
    let extension = part.rsplit('.').next().unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "mp3" | "wav" | "m4a" | "ogg" | "oga" | "wma" | "aac" | "flac" | "mid" | "aif" => "Audio",
        _ => "Video",
    }
}

/// Returns the image of a frame. Of several forms of the same image, drawings are the last choice.
fn image<'t, 'a>(frame: Element<'t, 'a>) -> Option<Element<'t, 'a>> {
    let all = || frame.children().filter(|child| child.name() == "image");
    let is_drawing = |image: &Element| {
        let href = image.attr("href").unwrap_or_default().to_ascii_lowercase();
        let kind = image.attr("mime-type").unwrap_or_default();
        [".svg", ".svm", ".emf", ".wmf"]
            .iter()
            .any(|end| href.ends_with(end))
            || kind.contains("svg")
    };
    all()
        .find(|image| !is_drawing(image))
        .or_else(|| all().next())
}
