//! A slide → Markdown.

use super::deck::{Deck, SLIDE_ATOM, STRING, newer, tags};
use super::table;
use super::text::{self, CENTER_TITLE, NOTES, TITLE, Text};
use crate::model::{Block, Inline, plain_text};
use crate::ole::art::{self, Properties, Record};
use crate::ole::{u16_at, u32_at};
use crate::slides::area::Area;
use crate::slides::name::Names;
use crate::slides::order::{merged, sorted};
use crate::slides::page;
use crate::slides::text::linked;
use crate::{Unit, UnitFacts, limits, markdown};

/// The drawing of a slide.
const DRAWING: u16 = 0x040c;
/// How the slide is shown.
const SHOW_INFO: u16 = 0x03f9;
/// The kind of a placeholder.
const PLACEHOLDER: u16 = 0x0bc3;
/// The kind of a placeholder for headers and footers.
const LATER_PLACEHOLDER: u16 = 0x0420;
/// The embedded object of a shape.
const OBJECT: u16 = 0x0bc1;
/// The link of a shape.
const INTERACTION: u16 = 0x0ff2;
/// A comment.
const COMMENT: u16 = 0x2ee0;
const COMMENT_ATOM: u16 = 0x2ee1;

/// Whether a group is a table.
const TABLE: u16 = 0x039f;
/// Flags of a shape, such as that it is hidden.
const FLAGS: u16 = 0x03bf;
/// The kind of the fill, and its image.
const FILL: u16 = 0x0180;
const FILL_IMAGE: u16 = 0x0186;

/// The number of English metric units in a unit of slides, which is 1/576 inch.
const UNIT: i64 = 1588;

/// A slide that is being converted.
struct Slide<'s, 'd> {
    /// The number of the master.
    master: u32,
    texts: &'s [Text<'d>],
    /// Whether each text in the list was shown.
    used: Vec<bool>,
    title: String,
    /// Names if there is no title.
    names: Names,
    heading: String,
    deep: bool,
}

/// A shape.
struct Shape {
    area: Option<Area>,
    placeholder: bool,
    text: String,
}

impl<'d> Deck<'d> {
    /// Converts a slide. `texts` are those in the list of slides.
    pub fn convert(&mut self, record: &Record<'d>, texts: &[Text<'d>]) -> (UnitFacts, Unit) {
        let atom = record.child(SLIDE_ATOM).map(|atom| atom.content);
        let atom = atom.unwrap_or_default();
        let mut slide = Slide {
            master: u32_at(atom, 12).unwrap_or(0),
            texts,
            used: vec![false; texts.len()],
            title: String::new(),
            names: Names::default(),
            heading: String::new(),
            deep: false,
        };
        let info = record.child(SHOW_INFO).map(|it| it.content);
        let flags = info.and_then(|info| u16_at(info, 10)).unwrap_or(0);
        let hidden = flags & 4 != 0;
        let (mut fixed, mut placed) = (Vec::new(), Vec::new());
        let drawing = record.child(DRAWING);
        let drawing = drawing.and_then(|it| it.child(art::DG_CONTAINER));
        let group = drawing.and_then(|it| it.child(art::SPGR_CONTAINER));
        // The first shape is the group itself.
        for shape in group.iter().flat_map(Record::records).skip(1) {
            if let Some(found) = self.shape(&shape, &mut slide, 0) {
                if found.placeholder {
                    fixed.push((found.area, found.text));
                } else {
                    placed.push((found.area, found.text));
                }
            }
        }
        // Texts whose shapes are missing.
        let rest = self.rest(&mut slide);
        let mut parts = vec![std::mem::take(&mut slide.heading)];
        if hidden {
            parts.push(page::hidden_mark());
        }
        parts.append(&mut merged(fixed, placed));
        parts.extend(rest);
        if let Some(notes) = self.notes_of(u32_at(atom, 16).unwrap_or(0)) {
            parts.push(markdown::render(&[notes]));
        }
        for comment in comments(record) {
            parts.push(markdown::render(&[comment]));
        }
        let mut notes = Vec::new();
        if slide.deep {
            notes.push(page::DEEP_GROUPS.to_owned());
        }
        let facts = UnitFacts {
            name: if slide.title.is_empty() {
                slide.names.take()
            } else {
                slide.title
            },
            hidden,
        };
        let text = page::joined(parts);
        (facts, Unit::new(text, notes))
    }

    /// Shows the texts of a slide that is missing.
    pub fn outline(&mut self, texts: &[Text<'d>]) -> Unit {
        let mut slide = Slide {
            master: 0,
            texts,
            used: vec![false; texts.len()],
            title: String::new(),
            names: Names::default(),
            heading: String::new(),
            deep: false,
        };
        let mut parts = self.rest(&mut slide);
        parts.insert(0, slide.heading);
        Unit {
            text: page::joined(parts),
            notes: Vec::new(),
            edges: [0, 0],
        }
    }

    /// Converts the texts in the list that no shape has shown.
    fn rest(&mut self, slide: &mut Slide<'_, 'd>) -> Vec<String> {
        let mut parts = Vec::new();
        for (index, text) in slide.texts.iter().enumerate() {
            if slide.used.get(index) == Some(&true) {
                continue;
            }
            let is_title = matches!(text.kind, TITLE | CENTER_TITLE);
            if is_title && slide.heading.is_empty() {
                self.title(text, slide);
                continue;
            }
            let levels = self.levels(slide.master, text.kind);
            parts.push(markdown::render(&self.blocks(text, levels)));
        }
        parts
    }

    fn title(&mut self, text: &Text, slide: &mut Slide) {
        let content = self.line(text);
        slide.title = plain_text(&content)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        slide.heading = markdown::render(&[Block::Heading { level: 2, content }]);
    }

    /// Converts a shape or a group. `None` if it shows nothing.
    fn shape(
        &mut self,
        record: &Record<'d>,
        slide: &mut Slide<'_, 'd>,
        depth: usize,
    ) -> Option<Shape> {
        let (area, blocks, placeholder) = match record.kind {
            art::SPGR_CONTAINER => {
                let own = record.records().next()?;
                if is_hidden(&own) {
                    return None;
                }
                if depth >= limits::DEPTH {
                    slide.deep = true;
                    return None;
                }
                let deeper = depth.saturating_add(1);
                let properties = Properties::read(&own);
                let is_table = properties.number(TABLE).is_some_and(|it| it & 1 != 0);
                if is_table {
                    let blocks = self.table(record, slide, deeper);
                    (area(&own), blocks, false)
                } else {
                    let mut placed = Vec::new();
                    for shape in record.records().skip(1) {
                        if let Some(found) = self.shape(&shape, slide, deeper) {
                            placed.push((found.area, found.text));
                        }
                    }
                    let text = sorted(placed).join("\n\n");
                    return (!text.is_empty()).then(|| Shape {
                        area: area(&own),
                        placeholder: false,
                        text,
                    });
                }
            }
            art::SP_CONTAINER => {
                if is_hidden(record) {
                    return None;
                }
                let (blocks, placeholder) = self.content(record, slide)?;
                let area = area(record);
                let top = area.filter(|_| depth == 0).map(|area| area.top);
                slide.names.add_blocks(top, &blocks);
                (area, blocks, placeholder)
            }
            _ => return None,
        };
        let text = markdown::render(&blocks);
        (!text.is_empty()).then_some(Shape {
            area,
            placeholder,
            text,
        })
    }

    /// Converts the image and the text of a shape. The title of the slide is kept for its start.
    fn content(
        &mut self,
        shape: &Record<'d>,
        slide: &mut Slide<'_, 'd>,
    ) -> Option<(Vec<Block>, bool)> {
        let data = shape.child(art::CLIENT_DATA);
        let kind = data.as_ref().and_then(placeholder).unwrap_or(0);
        // Dates, numbers, footers and headers.
        if matches!(kind, 7..=10) {
            return None;
        }
        let interaction = data.and_then(|data| data.child(INTERACTION));
        let link = interaction.and_then(|it| self.links.get(&text::target(&it)?));
        let link = link.cloned();
        let properties = Properties::read(shape);
        let mut blocks = Vec::new();
        if let Some(chart) = self.object(data.as_ref()).and_then(|it| self.chart(it)) {
            blocks.extend(chart);
        } else if let Some(image) = self.picture(&properties, data.as_ref()) {
            blocks.push(Block::Paragraph(vec![match &link {
                Some(url) => Inline::Link {
                    url: url.clone(),
                    content: vec![image],
                },
                None => image,
            }]));
        }
        if let Some(effect) = properties.text(art::EFFECT_TEXT) {
            blocks.push(Block::Paragraph(vec![Inline::plain(effect)]));
        }
        let start = blocks.len();
        let own = shape.child(art::CLIENT_TEXTBOX);
        for mut text in own.iter().flat_map(|it| text::read(it.records())) {
            let listed = text.outline.filter(|index| *index < slide.texts.len());
            if let Some(index) = listed {
                let used = slide.used.get_mut(index);
                if used.is_some_and(|used| std::mem::replace(used, true)) {
                    continue;
                }
                if let Some(listed) = slide.texts.get(index) {
                    text.fill(listed);
                }
            }
            if text.newer.is_empty()
                && let Some(data) = &data
            {
                text.newer = newer(data);
            }
            let is_title = matches!(kind, 13 | 15 | 17)
                || (matches!(text.kind, TITLE | CENTER_TITLE) && kind == 0);
            if is_title && slide.heading.is_empty() {
                self.title(&text, slide);
                continue;
            }
            let levels = self.levels(slide.master, text.kind);
            blocks.extend(self.blocks(&text, levels));
        }
        if let Some(url) = &link
            && let Some(texts) = blocks.get_mut(start..)
        {
            linked(url, texts);
        }
        Some((blocks, kind != 0))
    }

    /// Returns the program and the number of the embedded object of a shape.
    fn program(&self, data: Option<&Record>) -> Option<&(String, u32)> {
        let object = data?.child(OBJECT)?;
        self.programs.get(&u32_at(object.content, 0)?)
    }

    /// Returns the number of the embedded object of a shape.
    fn object(&self, data: Option<&Record>) -> Option<u32> {
        self.program(data).map(|(_, object)| *object)
    }

    /// Returns the image of a shape.
    fn picture(&mut self, properties: &Properties, data: Option<&Record>) -> Option<Inline> {
        let is_filled = properties.number(FILL) == Some(3);
        let fill = properties.number(FILL_IMAGE).filter(|_| is_filled);
        let fill = fill.and_then(|fill| usize::try_from(fill).ok());
        let mut alt = properties.alt();
        // PowerPoint marks the texts that it generates.
        let marks = "Description automatically generated";
        alt.truncate(alt.trim_end_matches(marks).trim_end().len());
        let program = self.program(data);
        if alt.is_empty()
            && let Some((program, _)) = program
        {
            alt = match program.as_str() {
                "" => "Embedded object".to_owned(),
                program => format!("Embedded object ({program})"),
            };
        }
        let is_object = program.is_some();
        match properties.image().or(fill).and_then(|it| self.image(it)) {
            Some(number) => Some(Inline::Image { alt, number }),
            None => is_object.then(|| Inline::plain(alt)),
        }
    }

    /// Converts a group that is a table.
    fn table(&mut self, group: &Record<'d>, slide: &mut Slide<'_, 'd>, depth: usize) -> Vec<Block> {
        let mut cells = Vec::new();
        for shape in group.records().skip(1) {
            let lines = shape.child(art::SP).map(|it| it.instance);
            if shape.kind != art::SP_CONTAINER || matches!(lines, Some(20 | 32..=40)) {
                continue;
            }
            if let Some(area) = area(&shape)
                && let Some((blocks, _)) = self.content(&shape, slide)
            {
                cells.push((area, blocks));
            }
        }
        slide.deep |= depth > limits::DEPTH;
        let rest: Vec<Block> = Vec::new();
        match table::build(cells) {
            Some(table) => vec![Block::Table(table)],
            None => rest,
        }
    }

    /// Converts speaker notes to a quotation.
    fn notes_of(&mut self, id: u32) -> Option<Block> {
        let record = self.speaker_notes(id)?;
        if !self.may_read(&record) {
            return None;
        }
        let drawing = record.child(DRAWING)?.child(art::DG_CONTAINER)?;
        let group = drawing.child(art::SPGR_CONTAINER)?;
        let mut blocks = Vec::new();
        for shape in group.records().skip(1) {
            let data = shape.child(art::CLIENT_DATA);
            let kind = data.as_ref().and_then(placeholder);
            let own = shape.child(art::CLIENT_TEXTBOX);
            for text in own.iter().flat_map(|it| text::read(it.records())) {
                let is_notes = kind.is_none() || kind == Some(12);
                if is_notes || (text.kind == NOTES && !matches!(kind, Some(7..=10))) {
                    let levels = self.levels(0, NOTES);
                    blocks.extend(self.blocks(&text, levels));
                }
            }
        }
        if blocks.is_empty() {
            return None;
        }
        blocks.insert(0, Block::Paragraph(vec![Inline::plain("Notes:")]));
        Some(Block::Quote(blocks))
    }
}

/// Returns the kind of the placeholder of a shape.
fn placeholder(data: &Record) -> Option<u8> {
    if let Some(found) = data.child(PLACEHOLDER) {
        return found.content.get(4).copied();
    }
    // PowerPoint 2007 stores those of headers and footers apart.
    data.child(LATER_PLACEHOLDER)?.content.first().copied()
}

/// Returns whether a shape is hidden or deleted.
fn is_hidden(shape: &Record) -> bool {
    let flags = Properties::read(shape).number(FLAGS).unwrap_or(0);
    let is_deleted = art::identifier(shape).is_some_and(|(_, flags)| flags & 8 != 0);
    // The flag is used only if the other bit says so.
    flags & 0x2_0002 == 0x2_0002 || is_deleted
}

/// Returns the area of a shape on the slide or in its group. A shape without a size at the corner of
/// the slide has no position.
fn area(shape: &Record) -> Option<Area> {
    let found = anchor(shape)?;
    let is_placed = found.left != 0 || found.top != 0 || found.width > UNIT || found.height > UNIT;
    is_placed.then_some(found)
}

fn anchor(shape: &Record) -> Option<Area> {
    let from = |left: i64, top: i64, right: i64, bottom: i64| Area {
        left: left.saturating_mul(UNIT),
        top: top.saturating_mul(UNIT),
        width: right.saturating_sub(left).saturating_mul(UNIT),
        height: bottom.saturating_sub(top).saturating_mul(UNIT),
    };
    if let Some(anchor) = shape.child(art::CLIENT_ANCHOR) {
        let content = anchor.content;
        if content.len() >= 16 {
            let side = |at| u32_at(content, at).map(|it| i64::from(it.cast_signed()));
            return Some(from(side(4)?, side(0)?, side(8)?, side(12)?));
        }
        let side = |at| u16_at(content, at).map(|it| i64::from(it.cast_signed()));
        return Some(from(side(2)?, side(0)?, side(4)?, side(6)?));
    }
    let content = shape.child(art::CHILD_ANCHOR)?.content;
    let side = |at| u32_at(content, at).map(|it| i64::from(it.cast_signed()));
    Some(from(side(0)?, side(4)?, side(8)?, side(12)?))
}

/// Reads the comments on a slide, each as a quotation.
fn comments(slide: &Record) -> Vec<Block> {
    let mut found = Vec::new();
    let all = tags(slide).filter(|record| record.kind == COMMENT);
    for comment in all.take(limits::RELATIONSHIPS) {
        let of = |instance: u16| {
            let mut texts = comment.records().filter(|it| it.kind == STRING);
            let text = texts.find(|it| it.instance == instance);
            text.map(|it| text::string(&it)).unwrap_or_default()
        };
        let text = of(1);
        if text.trim().is_empty() {
            continue;
        }
        let mut head = "Comment".to_owned();
        let author = of(0);
        if !author.trim().is_empty() {
            head.push_str(" by ");
            head.push_str(author.trim());
        }
        let date = comment.child(COMMENT_ATOM).map(|it| it.content);
        let field = |at| date.and_then(|date| u16_at(date, at)).unwrap_or(0);
        let (year, month, day) = (field(4), field(6), field(10));
        if year > 0 && (1..=12).contains(&month) && (1..=31).contains(&day) {
            head.push_str(&format!(", {year:04}-{month:02}-{day:02}"));
        }
        head.push_str(": ");
        let mut content = vec![Inline::plain(head)];
        for (index, line) in text.split(['\r', '\n']).enumerate() {
            if index > 0 {
                content.push(Inline::Break);
            }
            content.push(Inline::plain(line));
        }
        found.push(Block::Quote(vec![Block::Paragraph(content)]));
    }
    found
}
