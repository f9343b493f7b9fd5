//! Images, text boxes, charts and diagrams.

use super::body::branch;
use super::convert::Converter;
use crate::budget::start;
use crate::limits;
use crate::model::{Block, Inline};
use crate::objects::object_name;
use crate::word::paragraph::Line;
use crate::xml::{Element, Tree, decode};

impl Converter<'_> {
    /// Converts a drawing. `alt` is the alternative text of the drawing around it.
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
        let mut own = description(element).map(single_line);
        if own.is_none()
            && element.name() == "object"
            && let Some(object) = element.child("OLEObject")
        {
            own = Some(object_name(object.attr("ProgID").unwrap_or_default()));
        }
        let alt = own.as_deref().unwrap_or(alt);
        let link = element.child("docPr").and_then(|it| it.child("hlinkClick"));
        let link = link.and_then(|link| {
            let found = self.relations.get(link.attr("r:id")?)?;
            let shown = found.external && self.budget.is_address(&found.target);
            shown.then(|| found.target.clone())
        });
        let linked = link.is_some();
        if linked {
            self.links.push(link);
        }
        let deeper = inside.saturating_add(1);
        for child in element.children() {
            match child.name() {
                "blip" => {
                    let id = child.attr("r:embed").or_else(|| child.attr("r:link"));
                    self.image(id, alt, line);
                }
                "imagedata" => {
                    let id = child.attr("r:id").or_else(|| child.attr("r:pict"));
                    let title = child.attr("title").unwrap_or_default();
                    self.image(id, if alt.is_empty() { title } else { alt }, line);
                }
                "chart" => self.part(child.attr("r:id"), crate::chart::blocks, line),
                "relIds" => self.part(child.attr("r:dm"), crate::diagram::blocks, line),
                "txbxContent" => {
                    let links = std::mem::take(&mut self.links);
                    let carry = std::mem::take(&mut self.carry);
                    let blocks = self.blocks(child, depth.saturating_add(1));
                    line.anchor(blocks);
                    self.links = links;
                    self.carry = carry;
                }
                "textpath" => {
                    if let Some(text) = child.attr("string") {
                        self.push(line, Inline::plain(text));
                    }
                }
                "txBody" => {
                    for paragraph in child.children().filter(|child| child.name() == "p") {
                        let text = super::body::flat_text(paragraph);
                        if !text.trim().is_empty() {
                            line.anchor([Block::Paragraph(vec![Inline::plain(text)])]);
                        }
                    }
                }
                "AlternateContent" => {
                    if let Some(branch) = branch(child) {
                        self.drawing(branch, alt, (deeper, depth), line);
                    }
                }
                "OLEObject" => self.object(child),
                "extLst" | "docPr" | "cNvPr" => {}
                _ => self.drawing(child, alt, (deeper, depth), line),
            }
        }
        if linked {
            self.links.pop();
        }
    }

    fn image(&mut self, id: Option<&str>, alt: &str, line: &mut Line) {
        let Some(found) = id.and_then(|id| self.relations.get(id)) else {
            return;
        };
        if !self.budget.image() {
            self.report.omit_images(1);
            return;
        }
        if found.external {
            let url = found.target.clone();
            let text = if alt.trim().is_empty() { "image" } else { alt };
            let text = start(text, limits::ALT_BYTES);
            let content = vec![Inline::plain(text)];
            line.content.push(Inline::Link { url, content });
            return;
        }
        let Some(number) = self.images.number(&found.target) else {
            self.report.omit_images(1);
            return;
        };
        let alt = start(alt.trim(), limits::ALT_BYTES).to_owned();
        self.push(line, Inline::Image { alt, number });
    }

    /// Adds the blocks of a part, such as a chart, after a line. `id` is the id of its relationship.
    fn part(&mut self, id: Option<&str>, blocks: fn(Element) -> Vec<Block>, line: &mut Line) {
        let Some(part) = id.and_then(|id| self.relations.part(id)) else {
            return;
        };
        let part = part.to_owned();
        if let Some(found) = self.budget.embedded(self.package, &part) {
            let text = decode(&found.bytes);
            let tree = Tree::parse(&text);
            self.report
                .check(&part, found.damage.as_deref(), tree.damage());
            let blocks = blocks(tree.root());
            self.budget.spend_cells(&blocks);
            line.anchor(blocks);
        }
    }
}

/// Returns a text in one line.
fn single_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the alternative text that an element of a drawing specifies.
fn description<'t>(element: Element<'t, '_>) -> Option<&'t str> {
    let properties = element
        .child("docPr")
        .or_else(|| element.child("cNvPr"))
        .or_else(|| element.at(&["nvPicPr", "cNvPr"]));
    let text = match properties {
        Some(properties) => {
            let text = properties.attr("descr");
            text.filter(|text| !text.trim().is_empty())
                .or_else(|| properties.attr("title"))
        }
        None => element.attr("alt"),
    };
    text.filter(|text| !text.trim().is_empty())
}
