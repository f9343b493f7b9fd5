//! Texts: odt, ott, fodt.

use super::convert::Converter;
use super::pages;
use super::source::Source;
use super::styles::Styles;
use crate::package::Images;
use crate::word::styles::ParagraphKind;
use crate::xml::{Content, Element, Tree, decode};
use crate::{Document, Facts, Unit, markdown};
use omniread_document::base64;
use std::rc::Rc;

/// An open text.
pub struct Text {
    /// The parts.
    pub source: Source,
    /// The facts.
    pub facts: Facts,
    /// Notes on the document as a whole.
    pub notes: Vec<String>,
    /// The images, after the conversion.
    pub images: Option<Images>,
}

impl Document for Text {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn unit(&mut self, index: usize) -> Unit {
        if index > 0 {
            return Unit::default();
        }
        let mut images = Images::default();
        let unit = convert(&mut self.source, &mut images);
        self.images = Some(images);
        unit
    }

    fn image(&mut self, number: usize) -> Option<Vec<u8>> {
        if self.images.is_none() {
            self.unit(0);
        }
        let part = self.images.as_ref()?.part(number)?;
        image(&mut self.source, part)
    }
}

/// Returns the bytes of an image, by its part or its position in a flat file.
pub fn image(source: &mut Source, part: &str) -> Option<Vec<u8>> {
    let bytes = match part.split_once('#').filter(|_| source.is_flat()) {
        Some((slice, position)) => {
            let position: usize = position.parse().ok()?;
            let part = source.part("content.xml")?;
            let text = decode(&part.bytes);
            let slice = match slice.split_once('-') {
                Some((start, end)) => text.get(start.parse().ok()?..end.parse().ok()?)?,
                None => &text,
            };
            let tree = Tree::parse(slice);
            let mut all = tree.root().descendants();
            let element = all.find(|found| found.position() == position)?;
            base64::decode(element.child("binary-data")?.text().as_bytes())
        }
        None => source.part(part)?.bytes,
    };
    (!bytes.is_empty()).then_some(bytes)
}

/// Converts the whole text.
fn convert(source: &mut Source, images: &mut Images) -> Unit {
    let content = source.part("content.xml").unwrap_or_default();
    let text = decode(&content.bytes);
    let tree = Tree::parse(&text);
    let root = tree.root();
    // A flat file has all styles in the same element.
    let other = source.part("styles.xml");
    let other_text = other.as_ref().map(|part| decode(&part.bytes));
    let other_tree = other_text.as_deref().map(Tree::parse);
    let page_root = other_tree.as_ref().map_or(root, Tree::root);
    let common = page_root.child("styles");
    let styles = Rc::new(Styles::read(common, root));
    let page_styles = if other_tree.is_some() {
        Rc::new(Styles::read(common, page_root))
    } else {
        Rc::clone(&styles)
    };
    let mut converter = Converter::new(source, images, Rc::clone(&styles));
    converter
        .report
        .check("content.xml", content.damage.as_deref(), tree.damage());
    if let Some(tree) = &other_tree {
        let damage = other.as_ref().and_then(|part| part.damage.as_deref());
        converter.report.check("styles.xml", damage, tree.damage());
    }
    let Some(body) = root.at(&["body", "text"]) else {
        let note = "The part `content.xml` has no text.".to_owned();
        converter.report.notes.push(note);
        return Unit {
            text: String::new(),
            notes: converter.report.notes(),
            edges: [0, 0],
        };
    };
    let first = survey(&mut converter, body);
    let blocks = converter.blocks(body, 0);
    let used = pages::used(page_root, first.as_deref(), styles.pages());
    converter.styles = page_styles;
    let (mut all, footers) = converter.page_texts(page_root, &used);
    all.extend(blocks);
    all.extend(footers);
    all.extend(converter.references.take());
    Unit {
        text: markdown::render(&all),
        notes: converter.report.notes(),
        edges: [0, 0],
    }
}

/// Looks for a title, for headings and for the ends of comments. Returns the page style of the first
/// paragraph.
fn survey(converter: &mut Converter, body: Element) -> Option<Rc<str>> {
    let mut first = None;
    for element in body.descendants() {
        match element.name() {
            "h" | "p" => {
                converter.has_headings |= element.name() == "h";
                let style = converter
                    .styles
                    .get("paragraph", element.attr("style-name"));
                if style.kind == ParagraphKind::Title && converter.shift == 0 {
                    // A few nodes are enough to find text.
                    let mut nodes = element.all_content().take(64);
                    let has_text = nodes.any(|node| match node {
                        Content::Text(text) => !text.trim().is_empty(),
                        Content::Element(_) => false,
                    });
                    converter.shift = u8::from(has_text);
                }
                first = first.or(Some(style.page));
            }
            "annotation-end" => {
                if let Some(name) = element.attr("name") {
                    converter.ranges.insert(name.to_owned());
                }
            }
            _ => {}
        }
    }
    first.flatten()
}
