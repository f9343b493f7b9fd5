//! A slide → Markdown.

use super::bullets::Levels;
use super::layout::{Layout, Placeholder, area};
use super::notes::Authors;
use super::{heading, notes, table, text};
use crate::budget::{Budget, start};
use crate::model::{Block, Inline};
use crate::objects::{object_name, object_note};
use crate::package::{Package, Relationships};
use crate::report;
use crate::slides::order::{merged, sorted};
use crate::slides::page;
use crate::slides::text::{linked, normal, without_marks};
use crate::xml::{Element, Tree, decode};
use crate::{limits, markdown};
use std::collections::BTreeMap;

/// The parts of a presentation that its slides share.
pub struct Shared<'p> {
    /// The package.
    pub package: &'p mut Package,
    /// The numbers of the images by their parts.
    pub images: &'p BTreeMap<String, usize>,
    /// The authors of comments.
    pub authors: &'p Authors,
    /// The texts of footers, and on how many slides each is.
    pub footers: &'p BTreeMap<String, usize>,
    /// The bullets of text without a placeholder.
    pub defaults: Levels,
}

/// A converter of one slide.
pub struct Slide<'s, 'p> {
    shared: &'s mut Shared<'p>,
    layout: &'s Layout,
    related: Relationships,
    budget: Budget,
    tables: markdown::Budget,
    /// Notes for the reply.
    pub notes: Vec<String>,
    /// The number of images that the package does not contain.
    missing: usize,
    /// Whether deep groups are left out.
    deep: bool,
}

impl<'s, 'p> Slide<'s, 'p> {
    /// Starts a slide with its layout, its relationships and what it may still use.
    pub fn new(
        shared: &'s mut Shared<'p>,
        layout: &'s Layout,
        related: Relationships,
        budget: Budget,
    ) -> Self {
        Self {
            shared,
            layout,
            related,
            budget,
            tables: markdown::Budget::default(),
            notes: Vec::new(),
            missing: 0,
            deep: false,
        }
    }

    /// Converts the outermost element of the slide.
    pub fn convert(&mut self, root: Element) -> String {
        let mut title = String::new();
        let mut fixed = Vec::new();
        let mut placed = Vec::new();
        if let Some(shapes) = root.at(&["cSld", "spTree"]) {
            let shapes = children(shapes);
            let has_title = shapes.iter().any(is_title);
            let heading = if has_title {
                None
            } else {
                heading::find(&shapes, self.layout)
            };
            for shape in shapes {
                let placeholder = Placeholder::read(shape);
                let is_heading = placeholder.as_ref().is_some_and(Placeholder::is_title)
                    || heading == Some(shape.position());
                if title.is_empty() && is_heading {
                    title = self.title(shape);
                    if !title.is_empty() {
                        continue;
                    }
                }
                let Some(found) = self.shape(shape, placeholder.as_ref(), 0) else {
                    continue;
                };
                let position = area(shape);
                match placeholder {
                    Some(it) => fixed.push((position.or_else(|| self.layout.area(&it)), found)),
                    None => placed.push((position, found)),
                }
            }
        }
        let mut parts = vec![title];
        if is_hidden(root) {
            parts.push(page::hidden_mark());
        }
        parts.append(&mut merged(fixed, placed));
        let package = &mut *self.shared.package;
        if let Some(notes) = notes::speaker_notes(package, &mut self.budget, &self.related) {
            parts.push(markdown::render(&[notes]));
        }
        let authors = self.shared.authors;
        for comment in notes::comments(package, &mut self.budget, &self.related, authors) {
            parts.push(markdown::render(&[comment]));
        }
        self.notes
            .extend(report::missing_images(" of the slide", self.missing));
        self.notes.extend(self.related.notes());
        self.notes.extend(self.budget.notes());
        if self.deep {
            self.notes.push(page::DEEP_GROUPS.to_owned());
        }
        page::joined(parts)
    }

    /// Converts the title. It is empty if there is no text.
    fn title(&self, shape: Element) -> String {
        let Some(body) = shape.child("txBody") else {
            return String::new();
        };
        markdown::render(&[Block::Heading {
            level: 2,
            content: text::line(body, &self.related),
        }])
    }

    /// Converts a shape. `None` if it shows nothing.
    fn shape(
        &mut self,
        shape: Element,
        placeholder: Option<&Placeholder>,
        depth: usize,
    ) -> Option<String> {
        let properties = shape.children().next()?.child("cNvPr");
        if properties.is_some_and(|it| matches!(it.attr("hidden"), Some("1" | "true"))) {
            return None;
        }
        let text = match shape.name() {
            "grpSp" => self.group(shape, depth),
            "sp" => {
                let blocks = self.text_shape(shape, placeholder);
                self.rendered(&blocks)
            }
            "pic" => {
                let blocks = self.picture(shape);
                self.rendered(&blocks)
            }
            "graphicFrame" => {
                let blocks = self.frame(shape);
                self.rendered(&blocks)
            }
            _ => String::new(),
        };
        (!text.is_empty()).then_some(text)
    }

    fn rendered(&mut self, blocks: &[Block]) -> String {
        markdown::render_within(blocks, &mut self.tables)
    }

    fn group(&mut self, group: Element, depth: usize) -> String {
        if depth >= limits::DEPTH {
            self.deep = true;
            return String::new();
        }
        let mut placed = Vec::new();
        for shape in children(group) {
            if let Some(found) = self.shape(shape, None, depth.saturating_add(1)) {
                placed.push((area(shape), found));
            }
        }
        sorted(placed).join("\n\n")
    }

    fn text_shape(&mut self, shape: Element, placeholder: Option<&Placeholder>) -> Vec<Block> {
        let mut blocks = Vec::new();
        if let Some(fill) = shape.at(&["spPr", "blipFill", "blip"]) {
            blocks.extend(self.image(fill, description(shape)));
        }
        let Some(body) = shape.child("txBody") else {
            return blocks;
        };
        if placeholder.is_some_and(Placeholder::is_footer) {
            let own = footer_text(body);
            let shown = self
                .shared
                .footers
                .get(&own)
                .is_some_and(|count| *count == 1);
            if !shown || own.is_empty() {
                return blocks;
            }
        }
        let levels = placeholder.map(|it| self.layout.levels(it));
        let levels = levels.unwrap_or(self.shared.defaults);
        let mut found = text::blocks(body, &levels, &self.related);
        if let Some(url) = link(shape, &self.related) {
            linked(&url, &mut found);
        }
        blocks.append(&mut found);
        blocks
    }

    fn picture(&mut self, picture: Element) -> Vec<Block> {
        let mut alt = description(picture);
        if alt.is_empty() {
            let media = picture.at(&["nvPicPr", "nvPr"]);
            let media = media.iter().flat_map(Element::children);
            for kind in media {
                match kind.name() {
                    "videoFile" => "Video".clone_into(&mut alt),
                    "audioFile" | "audioCd" | "wavAudioFile" => "Audio".clone_into(&mut alt),
                    _ => {}
                }
            }
        }
        let Some(blip) = picture.at(&["blipFill", "blip"]) else {
            return Vec::new();
        };
        let url = link(picture, &self.related);
        let block = self.image(blip, alt);
        match (block, url) {
            (Some(Block::Paragraph(content)), Some(url)) => {
                vec![Block::Paragraph(vec![Inline::Link { url, content }])]
            }
            (block, _) => block.into_iter().collect(),
        }
    }

    /// Converts an image. An image outside of the package has an address.
    fn image(&mut self, blip: Element, alt: String) -> Option<Block> {
        if !self.budget.image() {
            return None;
        }
        let id = blip.attr("r:embed").filter(|id| !id.is_empty());
        let found = self.related.get(id.or_else(|| blip.attr("r:link"))?);
        let piece = match found {
            Some(found) if found.external => Inline::LinkedImage {
                alt,
                url: found.target.clone(),
            },
            Some(found) => match self.shared.images.get(&found.target) {
                Some(number) => Inline::Image {
                    alt,
                    number: *number,
                },
                None => {
                    self.missing = self.missing.saturating_add(1);
                    return None;
                }
            },
            None => {
                self.missing = self.missing.saturating_add(1);
                return None;
            }
        };
        Some(Block::Paragraph(vec![piece]))
    }

    /// Converts a table, a chart, a diagram or an embedded object.
    fn frame(&mut self, frame: Element) -> Vec<Block> {
        let Some(data) = frame.at(&["graphic", "graphicData"]) else {
            return Vec::new();
        };
        let mut blocks = Vec::new();
        for child in branches(data) {
            match child.name() {
                "tbl" => blocks.push(Block::Table(table::convert(child, &self.related))),
                "chart" => {
                    blocks.extend(self.related_part(child.attr("r:id"), crate::chart::blocks));
                }
                "relIds" => {
                    blocks.extend(self.related_part(child.attr("r:dm"), crate::diagram::blocks));
                }
                // A frame has one object.
                "oleObj" if blocks.is_empty() => {
                    blocks.extend(self.object(child, description(frame)));
                }
                _ => {}
            }
        }
        blocks
    }

    /// Converts a part to which an element refers.
    fn related_part(&mut self, id: Option<&str>, convert: fn(Element) -> Vec<Block>) -> Vec<Block> {
        let Some(name) = id.and_then(|id| self.related.part(id)) else {
            return Vec::new();
        };
        let Some(part) = self.budget.embedded(self.shared.package, name) else {
            if !self.shared.package.has(name) {
                self.notes.push(report::missing_part(name));
            }
            return Vec::new();
        };
        let text = decode(&part.bytes);
        let tree = Tree::parse(&text);
        if let Some(damage) = part.damage.as_deref().or_else(|| tree.damage()) {
            self.notes.push(report::damaged_part(name, damage));
        }
        let blocks = convert(tree.root());
        self.budget.spend_cells(&blocks);
        blocks
    }

    fn object(&mut self, object: Element, alt: String) -> Vec<Block> {
        let program = object.attr("progId").unwrap_or_default();
        let name = object_name(program);
        let part = object.attr("r:id").and_then(|id| self.related.part(id));
        if let Some(part) = part
            && name != "Equation"
        {
            let program = start(program, limits::MARKER_BYTES);
            self.notes.push(object_note(part, program));
        }
        let name = if alt.is_empty() { name } else { alt };
        let blip = object.at(&["pic", "blipFill", "blip"]);
        let image = blip.and_then(|blip| self.image(blip, name.clone()));
        vec![image.unwrap_or_else(|| Block::Paragraph(vec![Inline::plain(name)]))]
    }
}

/// Returns whether a shape is a title with text.
fn is_title(shape: &Element) -> bool {
    let placeholder = Placeholder::read(*shape);
    let mut inside = shape.descendants().filter(|it| it.name() == "t");
    placeholder.is_some_and(|it| it.is_title()) && inside.any(|it| !it.text().trim().is_empty())
}

/// Returns whether a slide is hidden.
pub fn is_hidden(root: Element) -> bool {
    matches!(root.attr("show"), Some("0" | "false"))
}

/// Returns the text of a footer without fields, such as the number of the slide.
fn footer_text(body: Element) -> String {
    let mut words = String::new();
    for paragraph in body.children().filter(|it| it.name() == "p") {
        for run in paragraph.children().filter(|it| it.name() == "r") {
            words.push_str(
                run.child("t")
                    .map(|it| it.text())
                    .as_deref()
                    .unwrap_or_default(),
            );
        }
        words.push(' ');
    }
    normal(&words)
}

/// Lists the shapes directly inside, with one branch of each alternative.
fn children<'t, 'a>(parent: Element<'t, 'a>) -> Vec<Element<'t, 'a>> {
    branches(parent)
        .into_iter()
        .filter(|it| matches!(it.name(), "sp" | "pic" | "grpSp" | "graphicFrame"))
        .collect()
}

/// Lists the elements directly inside. Of alternatives, the first one that can be shown is listed.
fn branches<'t, 'a>(parent: Element<'t, 'a>) -> Vec<Element<'t, 'a>> {
    let mut found = Vec::new();
    for child in parent.children() {
        if child.name() != "AlternateContent" {
            found.push(child);
            continue;
        }
        let shown = |branch: &Element<'t, 'a>| branch.children().any(is_shown);
        let branch = child
            .children()
            .find(shown)
            .or_else(|| child.child("Choice"));
        found.extend(branch.iter().flat_map(Element::children));
    }
    found
}

/// Returns whether an element of an alternative can be shown. Objects are shown by their images.
fn is_shown(element: Element) -> bool {
    match element.name() {
        "sp" | "pic" | "grpSp" | "tbl" | "chart" | "relIds" => true,
        "oleObj" => element.child("pic").is_some(),
        "graphicFrame" => {
            let data = element.at(&["graphic", "graphicData"]);
            data.is_some_and(|it| {
                it.children()
                    .any(|it| it.name() != "oleObj" || it.child("pic").is_some())
            })
        }
        _ => false,
    }
}

/// Returns the alternative text of a shape. It may be empty.
fn description(shape: Element) -> String {
    let properties = shape.children().next().and_then(|it| it.child("cNvPr"));
    let Some(properties) = properties else {
        return String::new();
    };
    let of = |name| {
        let text = normal(properties.attr(name)?);
        (!text.is_empty()).then_some(text)
    };
    let text = of("descr").or_else(|| of("title")).unwrap_or_default();
    start(without_marks(&text), limits::ALT_BYTES).to_owned()
}

/// Returns the address to which a shape refers.
fn link(shape: Element, related: &Relationships) -> Option<String> {
    let properties = shape.children().next()?.child("cNvPr")?;
    text::address(properties.child("hlinkClick")?, related)
}
