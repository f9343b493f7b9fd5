//! The parts of a page → blocks.

use super::analysis::{Analysis, Known};
use super::code;
use super::document::Document;
use super::lines::{self, Line};
use super::marker::Marker;
use super::parts::{Kind, Part};
use super::table;
use super::text::{self, Ink};
use super::vocabulary::Vocabulary;
use super::words::Word;
use super::{breaks, limits};
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
    let mut out: Vec<Block> = Vec::new();
    let mut indents: Vec<f32> = Vec::new();
    for part in &analysis.parts {
        if !matches!(
            part.kind,
            Kind::Item { .. } | Kind::More | Kind::Code | Kind::Note(_)
        ) {
            indents.clear();
        }
        part_blocks(document, analysis, &ink, part, &mut indents, &mut out);
    }
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

fn part_blocks(
    document: &Document,
    analysis: &Analysis,
    ink: &Ink<'_>,
    part: &Part,
    indents: &mut Vec<f32>,
    out: &mut Vec<Block>,
) {
    let lines: Vec<&[usize]> = part.lines.iter().map(|it| it.words.as_slice()).collect();
    match &part.kind {
        Kind::Heading(class) => {
            let content = text::compose(ink, &lines, true);
            let level = document.level(class);
            out.push(Block::Heading { level, content });
        }
        Kind::Paragraph | Kind::Note(_) => {
            out.push(Block::Paragraph(text::compose(ink, &lines, false)));
        }
        Kind::More => {
            let paragraph = Block::Paragraph(text::compose(ink, &lines, false));
            match out.last_mut() {
                Some(Block::Item { blocks, .. }) => blocks.push(paragraph),
                _ => out.push(paragraph),
            }
        }
        Kind::Item { marker, x, .. } => {
            let mut lines = lines;
            let near = SAME_LEVEL * part.lines.first().map_or(SIZE, |it| it.size);
            while indents.pop_if(|it| *x < *it - near).is_some() {}
            let deeper = indents.last().is_none_or(|it| *x > *it + near);
            if deeper && indents.len() < limits::LIST_DEPTH {
                indents.push(*x);
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
            let mut content = text::compose(ink, &lines, false);
            if let Marker::Check(checked) = marker {
                content.insert(0, Inline::plain(" "));
                content.insert(0, Inline::CheckBox(*checked));
            }
            out.push(Block::Item {
                depth: indents.len().saturating_sub(1),
                marker: match marker {
                    Marker::Bullet | Marker::Check(_) => String::new(),
                    Marker::Number(text, ..) => text.clone(),
                },
                blocks: vec![Block::Paragraph(content)],
            });
        }
        Kind::Contents => out.push(Block::Paragraph(text::contents(ink, &lines))),
        Kind::Code => out.push(Block::Code {
            language: String::new(),
            text: code::text(ink.words, &part.lines),
        }),
        Kind::Terms(_, parts) => {
            for part in parts {
                part_blocks(document, analysis, ink, part, indents, out);
            }
        }
        Kind::Table(found) => {
            let columns = found.columns.len();
            out.push(Block::Table(table::compose(ink, &found.rows, columns)));
        }
        Kind::Block(index) => match analysis.known.get(*index) {
            Some(Known::Grid(grid)) => {
                let table = table::compose(ink, &grid.rows, grid.columns);
                out.push(Block::Table(table));
            }
            Some(Known::Image(number)) => out.push(Block::Paragraph(vec![Inline::Image {
                alt: String::new(),
                number: *number,
            }])),
            Some(Known::Box) | None => {}
        },
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
                || (breaks::start(line) - breaks::start(last)).abs() > SHIFT * line.size;
            if apart {
                flush(&mut group);
            }
        }
        group.push(line);
    }
    flush(&mut group);
    out
}
