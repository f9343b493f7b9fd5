//! The drawings of a sheet: images, charts and text boxes (ECMA-376-1, 20.5).

use crate::model::{Block, Inline};
use crate::package::{Package, Relationships};
use crate::report::{missing_images, state};
use crate::workbook::notes::too_many;
use crate::workbook::{Drawing, LAST_COLUMN, LAST_ROW};
use crate::xml::{Element, Event, Events, Tree, decode};
use crate::{chart, limits};
use std::collections::BTreeMap;

/// The images of a workbook in the order of the sheets and of their drawings.
#[derive(Debug, Default)]
pub struct Images {
    /// The parts of the images.
    pub parts: Vec<String>,
    numbers: BTreeMap<String, usize>,
}

impl Images {
    /// Adds the images of the drawings of a sheet.
    pub fn add(&mut self, package: &mut Package, sheet: &Relationships) {
        for name in parts(sheet) {
            let Some(part) = package.part(&name) else {
                continue;
            };
            let related = package.relationships(&name);
            for event in Events::new(&decode(&part.bytes)) {
                let Event::Start(start) = event else {
                    continue;
                };
                let id = start.attr("r:embed").filter(|_| start.name == "blip");
                let target = id.as_deref().and_then(|id| related.part(id));
                if let Some(target) = target.filter(|it| package.has(it))
                    && self.parts.len() < limits::IMAGES
                    && !self.numbers.contains_key(target)
                {
                    self.parts.push(target.to_owned());
                    self.numbers.insert(target.to_owned(), self.parts.len());
                }
            }
        }
    }
}

/// The parts of the drawings of a sheet.
fn parts(sheet: &Relationships) -> Vec<String> {
    let all = sheet.iter().filter(|(_, it)| it.kind == "drawing");
    let all = all.filter(|(_, it)| !it.external).take(limits::SHEET_PARTS);
    all.map(|(_, it)| it.target.clone()).collect()
}

/// Reads the titles of the charts of a sheet.
pub fn chart_titles(package: &mut Package, sheet: &Relationships) -> Vec<String> {
    let mut titles = Vec::new();
    for name in parts(sheet) {
        let Some(part) = package.part(&name) else {
            continue;
        };
        let related = package.relationships(&name);
        for event in Events::new(&decode(&part.bytes)) {
            let Event::Start(start) = event else {
                continue;
            };
            let id = start.attr("r:id").filter(|_| start.name == "chart");
            let Some(target) = id.as_deref().and_then(|id| related.part(id)) else {
                continue;
            };
            if titles.len() >= limits::SHEET_PARTS {
                return titles;
            }
            if let Some(part) = package.part(target) {
                let text = decode(&part.bytes);
                titles.push(chart::caption(Tree::parse(&text).root()));
            }
        }
    }
    titles
}

/// Reads the drawings of a sheet.
pub fn read(
    package: &mut Package,
    sheet: &Relationships,
    images: &Images,
    notes: &mut Vec<String>,
) -> Vec<Drawing> {
    let mut found = Vec::new();
    let mut reader = Reader {
        related: Relationships::default(),
        images,
        package,
        missing: 0,
        charts: 0,
    };
    for name in parts(sheet) {
        let Some(part) = reader.package.part(&name) else {
            continue;
        };
        reader.related = reader.package.relationships(&name);
        let text = decode(&part.bytes);
        let tree = Tree::parse(&text);
        if let Some(damage) = part.damage.as_deref().or_else(|| tree.damage()) {
            let state = state(damage);
            notes.push(format!("The drawings of the sheet are {state}: {damage}."));
        }
        for anchor in tree.root().children() {
            if found.len() >= limits::SHEET_OBJECTS {
                notes.push(too_many("drawings"));
                break;
            }
            let mut blocks = Vec::new();
            reader.shapes(anchor, 0, &mut blocks);
            if blocks.is_empty() {
                continue;
            }
            // Positions are from 0.
            let position = |name: &str, last: u32| {
                let found = anchor.at(&["from", name]);
                let found = found.and_then(|it| it.text().trim().parse::<u32>().ok());
                found.unwrap_or(0).saturating_add(1).min(last)
            };
            found.push(Drawing {
                row: position("row", LAST_ROW),
                column: position("col", LAST_COLUMN),
                blocks,
            });
        }
    }
    notes.extend(missing_images(" of the sheet", reader.missing));
    found
}

struct Reader<'r> {
    package: &'r mut Package,
    related: Relationships,
    images: &'r Images,
    /// The number of images that the package does not contain.
    missing: usize,
    charts: usize,
}

impl Reader<'_> {
    /// Reads the shapes inside an element.
    fn shapes(&mut self, parent: Element, depth: usize, blocks: &mut Vec<Block>) {
        if depth > limits::DEPTH {
            return;
        }
        for shape in parent.children() {
            match shape.name() {
                "pic" => self.image(shape, blocks),
                "graphicFrame" => self.chart(shape, blocks),
                "sp" | "cxnSp" => text_box(shape, blocks),
                "grpSp" | "AlternateContent" | "Choice" => {
                    self.shapes(shape, depth.saturating_add(1), blocks);
                }
                _ => {}
            }
        }
    }

    fn image(&mut self, shape: Element, blocks: &mut Vec<Block>) {
        let Some(blip) = shape.find("blip") else {
            return;
        };
        let properties = shape.find("cNvPr");
        let alt = properties.and_then(|it| it.attr("descr").or_else(|| it.attr("title")));
        let alt = alt.unwrap_or_default().to_owned();
        let target = blip.attr("r:embed").and_then(|id| self.related.part(id));
        if let Some(number) = target.and_then(|it| self.images.numbers.get(it)) {
            let number = *number;
            blocks.push(Block::Paragraph(vec![Inline::Image { alt, number }]));
            return;
        }
        let link = blip.attr("r:link").and_then(|id| self.related.get(id));
        match link.filter(|it| it.external) {
            Some(link) => {
                let url = link.target.clone();
                blocks.push(Block::Paragraph(vec![Inline::LinkedImage { alt, url }]));
            }
            None => self.missing = self.missing.saturating_add(1),
        }
    }

    fn chart(&mut self, frame: Element, blocks: &mut Vec<Block>) {
        let Some(chart) = frame.find("chart") else {
            return;
        };
        let target = chart.attr("r:id").and_then(|id| self.related.part(id));
        let Some(part) = target.and_then(|it| self.package.part(it)) else {
            return;
        };
        self.charts = self.charts.saturating_add(1);
        if self.charts > limits::SHEET_PARTS {
            return;
        }
        let text = decode(&part.bytes);
        blocks.extend(chart::blocks(Tree::parse(&text).root()));
    }
}

/// Reads the paragraphs of a shape.
fn text_box(shape: Element, blocks: &mut Vec<Block>) {
    let Some(body) = shape.child("txBody") else {
        return;
    };
    for paragraph in body.children().filter(|it| it.name() == "p") {
        let mut content = Vec::new();
        for run in paragraph.children() {
            match run.name() {
                "r" | "fld" => {
                    let text = run.child("t").map(|it| it.text().into_owned());
                    content.extend(text.map(Inline::plain));
                }
                "br" => content.push(Inline::Break),
                _ => {}
            }
        }
        if !crate::model::is_blank(&content) {
            blocks.push(Block::Paragraph(content));
        }
    }
}
