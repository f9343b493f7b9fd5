//! Presentations: odp, otp, fodp.

use super::body::flat_text;
use super::convert::Converter;
use super::line::Line;
use super::shape;
use super::source::Source;
use super::styles::Styles;
use crate::model::{Block, Inline, is_blank};
use crate::package::Images;
use crate::slides::area::Area;
use crate::slides::code;
use crate::slides::name::Names;
use crate::slides::order::{merged, sorted};
use crate::slides::page;
use crate::slides::text::normal;
use crate::xml::{Element, Tree, decode};
use crate::{Document, Facts, Unit, UnitFacts, UnitKind, limits, markdown};
use std::collections::BTreeMap;
use std::rc::Rc;

/// An open presentation.
struct Slides {
    source: Source,
    facts: Facts,
    notes: Vec<String>,
    images: Images,
    /// The texts of the slides.
    units: Vec<Unit>,
}

/// Opens a presentation.
pub fn open(
    mut source: Source,
    format: &str,
    metadata: Vec<(String, String)>,
    mut notes: Vec<String>,
) -> Box<dyn Document> {
    let mut images = Images::default();
    let found = convert(&mut source, &mut images, &mut notes);
    let (list, units) = found.into_iter().unzip();
    Box::new(Slides {
        source,
        facts: Facts {
            format: format.to_owned(),
            metadata,
            units: Some(UnitKind::Slide),
            list,
        },
        notes,
        images,
        units,
    })
}

impl Document for Slides {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn unit(&mut self, index: usize) -> Unit {
        self.units.get(index).cloned().unwrap_or_default()
    }

    fn image(&mut self, number: usize) -> Option<Vec<u8>> {
        let part = self.images.part(number)?;
        super::text::image(&mut self.source, part)
    }
}

/// Converts all slides. They are in one part, which is parsed once.
fn convert(
    source: &mut Source,
    images: &mut Images,
    notes: &mut Vec<String>,
) -> Vec<(UnitFacts, Unit)> {
    let content = source.part("content.xml").unwrap_or_default();
    let text = decode(&content.bytes);
    let tree = Tree::parse(&text);
    let root = tree.root();
    let other = source.part("styles.xml");
    let other_text = other.as_ref().map(|part| decode(&part.bytes));
    let other_tree = other_text.as_deref().map(Tree::parse);
    let page_root = other_tree.as_ref().map_or(root, Tree::root);
    let styles = Styles::read(page_root.child("styles"), root);
    let mut converter = Converter::new(source, images, Rc::new(styles));
    converter.is_slide = true;
    converter
        .report
        .check("content.xml", content.damage.as_deref(), tree.damage());
    let mut found = Vec::new();
    if let Some(body) = root.at(&["body", "presentation"]) {
        let pages = body.children().filter(|it| it.name() == "page");
        let pages: Vec<Element> = pages.take(limits::PARTS).collect();
        let footers = footers(&pages);
        for page in pages {
            let slide = converter.slide(page, &footers);
            found.push(slide);
        }
    } else {
        let note = "The part `content.xml` has no slides.".to_owned();
        converter.report.notes.push(note);
    }
    let mut report = std::mem::take(&mut converter.report);
    report.changes = false;
    notes.append(&mut report.notes());
    found
}

/// Counts the slides on which each text of a footer is.
fn footers(pages: &[Element]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for page in pages {
        for shape in page.children().filter(|it| class(*it) == "footer") {
            let count: &mut usize = counts.entry(normal(&flat_text(shape))).or_default();
            *count = count.saturating_add(1);
        }
    }
    counts
}

/// Returns the role of a shape on a slide, such as `title`. It may be empty.
fn class<'t>(shape: Element<'t, '_>) -> &'t str {
    shape.attr("class").unwrap_or_default()
}

impl Converter<'_> {
    /// Converts a slide.
    fn slide(&mut self, page: Element, footers: &BTreeMap<String, usize>) -> (UnitFacts, Unit) {
        let style = self.styles.get("drawing-page", page.attr("style-name"));
        let before = std::mem::take(&mut self.report);
        let mut name = String::new();
        let mut names = Names::default();
        let mut title = String::new();
        let mut fixed = Vec::new();
        let mut placed = Vec::new();
        let mut last = Vec::new();
        for child in page.children() {
            match child.name() {
                "notes" => last.extend(self.speaker_notes(child)),
                "annotation" => last.extend(self.slide_comment(child)),
                shape if shape::is_shape(shape) || shape == "a" => {
                    let class = class(child);
                    if child.attr("placeholder") == Some("true") {
                        continue;
                    }
                    match class {
                        "title" if title.is_empty() => {
                            let content = self.line_of(child);
                            name = normal(&crate::model::plain_text(&content));
                            title = markdown::render(&[Block::Heading { level: 2, content }]);
                            if !title.is_empty() {
                                continue;
                            }
                        }
                        "date-time" | "page-number" | "header" | "page" => continue,
                        "footer" => {
                            let text = normal(&flat_text(child));
                            if text.is_empty() || footers.get(&text) != Some(&1) {
                                continue;
                            }
                        }
                        _ => {}
                    }
                    let text = self.shape(child, 0);
                    if text.is_empty() {
                        continue;
                    }
                    if class != "footer"
                        && let Some(line) = first_line(child)
                    {
                        names.add(0, area(child).map(|it| it.top), &line);
                    }
                    if class.is_empty() || class == "graphic" {
                        placed.push((area(child), text));
                    } else {
                        fixed.push((area(child), text));
                    }
                }
                _ => {}
            }
        }
        let mut parts = vec![title];
        if style.hidden {
            parts.push(page::hidden_mark());
        }
        parts.append(&mut merged(fixed, placed));
        for block in last {
            parts.push(markdown::render(&[block]));
        }
        for block in self.references.take() {
            parts.push(markdown::render(&[block]));
        }
        let report = std::mem::replace(&mut self.report, before);
        if name.is_empty() {
            name = names.take();
        }
        let facts = UnitFacts {
            name,
            hidden: style.hidden,
        };
        let unit = Unit {
            text: page::joined(parts),
            notes: report.notes(),
            edges: [0, 0],
        };
        (facts, unit)
    }

    /// Converts a shape. The shapes of a group are in their reading order.
    fn shape(&mut self, shape: Element, depth: usize) -> String {
        if matches!(shape.name(), "g" | "a") && depth < limits::DEPTH {
            let url = shape.attr("href").and_then(|url| self.address(url));
            self.links.push(url.filter(|_| shape.name() == "a"));
            let mut placed = Vec::new();
            for child in shape.children() {
                if shape::is_shape(child.name()) || child.name() == "a" {
                    let text = self.shape(child, depth.saturating_add(1));
                    if !text.is_empty() {
                        placed.push((area(child), text));
                    }
                }
            }
            self.links.pop();
            return sorted(placed).join("\n\n");
        }
        let mut line = Line::new();
        self.drawing(shape, "", (0, depth), &mut line);
        let mut blocks = Vec::new();
        if !is_blank(&line.content) {
            blocks.push(Block::Paragraph(line.content));
        }
        blocks.extend(code::joined(line.anchored));
        markdown::render(&blocks)
    }

    /// Returns the text of all paragraphs of a shape in one line.
    fn line_of(&mut self, shape: Element) -> Vec<Inline> {
        let mut line = Line::new();
        self.drawing(shape, "", (0, 0), &mut line);
        let mut all = Vec::new();
        let mut blocks = line
            .anchored
            .into_iter()
            .collect::<std::collections::VecDeque<_>>();
        while let Some(block) = blocks.pop_front() {
            match block {
                Block::Paragraph(content) | Block::Heading { content, .. } => {
                    if !all.is_empty() {
                        all.push(Inline::plain(" "));
                    }
                    all.extend(content);
                }
                Block::Item { blocks: inside, .. } => {
                    for block in inside.into_iter().rev() {
                        blocks.push_front(block);
                    }
                }
                _ => {}
            }
        }
        all
    }

    /// Reads the speaker notes of a slide as a quotation.
    fn speaker_notes(&mut self, notes: Element) -> Option<Block> {
        let mut blocks = Vec::new();
        for shape in notes.children().filter(|it| it.name() == "frame") {
            let is_notes = matches!(class(shape), "notes" | "");
            if is_notes && shape.attr("placeholder") != Some("true") {
                let mut line = Line::new();
                self.drawing(shape, "", (0, 0), &mut line);
                blocks.append(&mut line.anchored);
            }
        }
        if blocks.is_empty() {
            return None;
        }
        blocks.insert(0, Block::Paragraph(vec![Inline::plain("Notes:")]));
        Some(Block::Quote(blocks))
    }

    /// Reads a comment on a slide as a quotation.
    fn slide_comment(&mut self, comment: Element) -> Option<Block> {
        let mut content = Vec::new();
        for paragraph in self.blocks(comment, 0) {
            if let Block::Paragraph(own) = paragraph {
                if !content.is_empty() {
                    content.push(Inline::Break);
                }
                content.extend(own);
            }
        }
        if content.is_empty() {
            return None;
        }
        let text = |name| comment.child(name).map(|it| normal(&it.text()));
        let mut head = "Comment".to_owned();
        if let Some(author) = text("creator").filter(|it| !it.is_empty()) {
            head.push_str(" by ");
            head.push_str(&author);
        }
        let date = text("date").unwrap_or_default();
        if let Some(date) = date.split('T').next().filter(|it| !it.is_empty()) {
            head.push_str(", ");
            head.push_str(date);
        }
        head.push_str(": ");
        content.insert(0, Inline::plain(head));
        Some(Block::Quote(vec![Block::Paragraph(content)]))
    }
}

/// Returns the first paragraph with text of a shape. Tables have none.
fn first_line(shape: Element) -> Option<String> {
    if shape.child("table").is_some() {
        return None;
    }
    let paragraphs = shape
        .descendants()
        .filter(|it| matches!(it.name(), "p" | "h"));
    let mut lines = paragraphs
        .take(limits::SHAPES)
        .map(|it| normal(&flat_text(it)));
    lines.find(|line| !line.is_empty())
}

/// Reads the area of a shape. That of a group is around its shapes.
fn area(shape: Element) -> Option<Area> {
    if matches!(shape.name(), "g" | "a") {
        let mut all: Option<Area> = None;
        // Groups in groups are a part of the outermost one.
        let shapes = shape.descendants().filter(|it| shape::is_shape(it.name()));
        for own in shapes.take(limits::SHAPES).filter_map(own_area) {
            all = Some(match all {
                None => own,
                Some(all) => all.union(&own),
            });
        }
        return all;
    }
    own_area(shape)
}

fn own_area(shape: Element) -> Option<Area> {
    let of = |name| shape.attr(name).and_then(length);
    if let (Some(left), Some(top)) = (of("x1").zip(of("x2")), of("y1").zip(of("y2"))) {
        return Some(Area {
            left: left.0.min(left.1),
            top: top.0.min(top.1),
            width: left.0.saturating_sub(left.1).saturating_abs(),
            height: top.0.saturating_sub(top.1).saturating_abs(),
        });
    }
    let (mut left, mut top) = (of("x").unwrap_or_default(), of("y").unwrap_or_default());
    if let Some(transform) = shape.attr("transform") {
        let (_, moved) = transform.split_once("translate")?;
        let moved = moved.trim_start().strip_prefix('(')?.split(')').next()?;
        let mut numbers = moved.split([' ', ',']).filter_map(length);
        left = left.saturating_add(numbers.next().unwrap_or_default());
        top = top.saturating_add(numbers.next().unwrap_or_default());
    } else if shape.attr("x").is_none() {
        return None;
    }
    let (width, height) = (
        of("width").unwrap_or_default(),
        of("height").unwrap_or_default(),
    );
    // LibreOffice writes a shape of 0.01 mm in the corner if the slide specifies no area.
    let is_placed = left != 0 || top != 0 || width.max(height) > 3600;
    is_placed.then_some(Area {
        left,
        top,
        width,
        height,
    })
}

/// 10 000 km in English metric units. No slide is larger.
const LARGEST: f64 = 3.6e14;

/// Reads a length, such as `2.5cm`, in English metric units.
fn length(text: &str) -> Option<i64> {
    let text = text.trim();
    let number = text.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    let unit = match text.get(number.len()..)? {
        "mm" => 36_000.0,
        "in" | "inch" => 914_400.0,
        "pt" => 12_700.0,
        "pc" => 152_400.0,
        "px" => 9525.0,
        "cm" => 360_000.0,
        _ => return None,
    };
    let value = number.parse::<f64>().ok()? * unit;
    #[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
    (-LARGEST..LARGEST).contains(&value).then_some(value as i64)
}
