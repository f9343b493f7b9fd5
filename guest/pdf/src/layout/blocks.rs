//! The parts of a page → blocks.

use super::analysis::{Analysis, Known};
use super::code;
use super::document::Document;
use super::limits;
use super::lines::{self, Line};
use super::margins;
use super::marker::Marker;
use super::parts::{Kind, Part};
use super::table;
use super::text::{self, Ink};
use super::vocabulary::Vocabulary;
use super::words::Word;
use omniread_document::model::{Block, Inline};

/// The difference of the left ends of markers in font sizes up to which they are of one level.
const SAME_LEVEL: f32 = 0.6;

/// The size of text in points if it is not known.
const SIZE: f32 = 10.0;

/// The distances in font sizes from which lines in another direction are paragraphs of their own: of baselines, and of
/// starts.
const STEP: f32 = 1.5;
const SHIFT: f32 = 3.0;

/// Returns the blocks of a page.
pub fn blocks(document: &Document, analysis: &Analysis) -> Vec<Block> {
    let page = &analysis.page;
    let mut own = Vocabulary::default();
    own.add(&page.words);
    let known = [&document.vocabulary, &own];
    let ink = Ink {
        words: &page.words,
        known: &known,
        links: &page.links,
    };
    let mut writer = Writer {
        document,
        analysis,
        ink,
        indents: Vec::new(),
        out: Vec::new(),
    };
    for part in &analysis.parts {
        if !matches!(
            part.kind,
            Kind::Item { .. } | Kind::More | Kind::Code | Kind::Note(_)
        ) {
            writer.indents.clear();
        }
        writer.part(part);
    }
    let mut out = writer.out;
    for it in &page.others {
        out.extend(other(&it.words, document));
    }
    if !page.oblique.is_empty() {
        let all: Vec<usize> = (0..page.oblique.len()).collect();
        let text = text::plain(&page.oblique, &[&all]);
        out.push(Block::Paragraph(vec![Inline::plain(text)]));
    }
    out
}

/// The blocks of a page while its parts are written.
struct Writer<'a> {
    document: &'a Document,
    analysis: &'a Analysis,
    ink: Ink<'a>,
    /// The left ends of the markers of the open lists.
    indents: Vec<f32>,
    out: Vec<Block>,
}

impl Writer<'_> {
    fn part(&mut self, part: &Part) {
        let ink = self.ink;
        let lines: Vec<&[usize]> = part.lines.iter().map(|it| it.words.as_slice()).collect();
        match &part.kind {
            Kind::Heading(class) => {
                let content = text::compose(&ink, &lines, true);
                let level = self.document.level(class);
                self.out.push(Block::Heading { level, content });
            }
            Kind::Paragraph | Kind::Note(_) => {
                self.out
                    .push(Block::Paragraph(text::compose(&ink, &lines, false)));
            }
            Kind::More => {
                let paragraph = Block::Paragraph(text::compose(&ink, &lines, false));
                match self.out.last_mut() {
                    Some(Block::Item { blocks, .. }) => blocks.push(paragraph),
                    _ => self.out.push(paragraph),
                }
            }
            Kind::Item { marker, x, .. } => {
                let mut lines = lines;
                let near = SAME_LEVEL * part.lines.first().map_or(SIZE, |it| it.size);
                while self.indents.pop_if(|it| *x < *it - near).is_some() {}
                let deeper = self.indents.last().is_none_or(|it| *x > *it + near);
                if deeper && self.indents.len() < limits::LIST_DEPTH {
                    self.indents.push(*x);
                }
                // The marker is the first word in reading.
                let rtl = part.lines.first().is_some_and(|it| it.rtl);
                if let Some(first) = lines.first_mut() {
                    *first = if rtl {
                        first.split_last().map_or(&[], |it| it.1)
                    } else {
                        first.split_first().map_or(&[], |it| it.1)
                    };
                }
                let mut content = text::compose(&ink, &lines, false);
                if let Marker::Check(checked) = marker {
                    content.insert(0, Inline::plain(" "));
                    content.insert(0, Inline::CheckBox(*checked));
                }
                self.out.push(Block::Item {
                    depth: self.indents.len().saturating_sub(1),
                    marker: match marker {
                        Marker::Bullet | Marker::Check(_) => String::new(),
                        Marker::Number(text, ..) => text.clone(),
                    },
                    blocks: vec![Block::Paragraph(content)],
                });
            }
            Kind::Contents => self
                .out
                .push(Block::Paragraph(text::contents(&ink, &lines))),
            Kind::Code => self.out.push(Block::Code {
                language: String::new(),
                text: code::text(ink.words, &part.lines),
            }),
            Kind::Terms(_, parts) => {
                for part in parts {
                    self.part(part);
                }
            }
            Kind::Table(found) => {
                let columns = found.columns.len();
                self.out
                    .push(Block::Table(table::compose(&ink, &found.rows, columns)));
            }
            Kind::Block(index) => match self.analysis.known.get(*index) {
                Some(Known::Grid(grid)) => {
                    let table = table::compose(&ink, &grid.rows, grid.columns);
                    self.out.push(Block::Table(table));
                }
                Some(Known::Image(index)) => {
                    let image = self.analysis.page.images.get(*index);
                    let block = image.map(|it| {
                        Block::Paragraph(vec![Inline::Image {
                            alt: it.parts.clone(),
                            number: it.number,
                        }])
                    });
                    self.out.extend(block);
                }
                Some(Known::Box | Known::Framed(..)) | None => {}
            },
        }
    }
}

/// The text of another direction: a paragraph for each line or group of close lines.
fn other(words: &[Word], document: &Document) -> Vec<Block> {
    let mut words = words.to_vec();
    let all: Vec<usize> = (0..words.len()).collect();
    let lines = lines::lines(&mut words, all);
    let known = [&document.vocabulary];
    let ink = Ink {
        words: &words,
        known: &known,
        links: &[],
    };
    let mut out = Vec::new();
    let mut group: Vec<&Line> = Vec::new();
    let mut flush = |group: &mut Vec<&Line>| {
        let lines: Vec<&[usize]> = group.iter().map(|it| it.words.as_slice()).collect();
        let content = text::compose(&ink, &lines, false);
        if !content.is_empty() {
            out.push(Block::Paragraph(content));
        }
        group.clear();
    };
    for line in &lines {
        if let Some(last) = group.last() {
            let apart = line.y - last.y > STEP * line.size
                || (margins::start(line) - margins::start(last)).abs() > SHIFT * line.size;
            if apart {
                flush(&mut group);
            }
        }
        group.push(line);
    }
    flush(&mut group);
    out
}
