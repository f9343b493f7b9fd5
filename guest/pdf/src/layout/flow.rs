//! The lines of a region → headings, paragraphs, list items, code and tables.

use super::breaks::{self, Margins};
use super::code;
use super::definitions;
use super::hanging;
use super::headings;
use super::items;
use super::leaders;
use super::limits;
use super::lines::Line;
use super::overprint;
use super::parts::{Kind, Part};
use super::scene::Scene;
use super::tables;
use super::words::Word;
use crate::script;

/// An entry of a region, in the order from the top.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A line.
    Line(Line),
    /// A block, by its index.
    Block(usize),
}

/// The distance of lines up to which a paragraph belongs to the item before it, in font sizes: an empty line.
const ITEM_STEP: f32 = 2.5;

/// Splits the entries of a region into parts.
pub fn parts(scene: &Scene<'_>, entries: Vec<Entry>) -> Vec<Part> {
    let mut out: Vec<Part> = Vec::new();
    let mut lines: Vec<Line> = Vec::new();
    let all: Vec<&Line> = entries
        .iter()
        .filter_map(|it| match it {
            Entry::Line(line) => Some(line),
            Entry::Block(_) => None,
        })
        .collect();
    let margins = Margins::of(&all);
    for entry in entries {
        match entry {
            Entry::Line(line) => lines.push(line),
            Entry::Block(index) => {
                text_parts(scene, &margins, &lines, &mut out);
                lines.clear();
                out.push(Part {
                    kind: Kind::Block(index),
                    lines: Vec::new(),
                    full: false,
                    indented: false,
                });
            }
        }
    }
    text_parts(scene, &margins, &lines, &mut out);
    out
}

/// Splits lines into parts.
fn text_parts(scene: &Scene<'_>, margins: &Margins, lines: &[Line], out: &mut Vec<Part>) {
    let moved = overprint::moved(lines);
    let lines = moved.as_deref().unwrap_or(lines);
    let mut edges = tables::edges_above(lines, scene.edges);
    let split = hanging::split(scene.words, lines, &edges, margins);
    if let Some(lines) = &split {
        edges = tables::edges_above(lines, scene.edges);
    }
    let lines = split.as_deref().unwrap_or(lines);
    let mut open: Option<Part> = None;
    let mut index = 0;
    while let Some(line) = lines.get(index) {
        let before = index.checked_sub(1).and_then(|it| lines.get(it));
        let after = lines.get(index.saturating_add(1));
        let rest = lines.get(index..).unwrap_or_default();
        // Each try may read all lines that follow.
        if lines.len() <= limits::TABLE_LINES
            && scene.work.get() > 0
            && let Some(found) = tables::at(scene, rest, edges.get(index..).unwrap_or_default())
            && !code::is_listing(scene.words, &found, line, open.as_ref())
        {
            out.extend(open.take());
            index = index.saturating_add(found.lines.max(1));
            let taken = rest.get(..found.lines).unwrap_or_default().to_vec();
            let ruled = edges
                .get(index.saturating_sub(found.lines)..index)
                .is_some_and(|it| it.iter().any(|it| *it));
            let kind = if !ruled && definitions::is_list(scene.words, &found) {
                let parts = definitions::parts(scene.words, &found, margins);
                Kind::Terms(found, parts)
            } else {
                Kind::Table(found)
            };
            out.push(Part {
                kind,
                lines: taken,
                full: false,
                indented: false,
            });
            continue;
        }
        index = index.saturating_add(1);
        if leaders::is_leader(scene.words, line) {
            match &mut open {
                Some(part) if matches!(part.kind, Kind::Contents) => part.lines.push(line.clone()),
                _ => {
                    out.extend(open.take());
                    open = Some(part(Kind::Contents, line, margins));
                }
            }
            continue;
        }
        let fresh = match (&open, before) {
            _ if line.term || before.is_some_and(|it| it.term) => true,
            (Some(part), Some(before)) => breaks::starts(
                &part.lines,
                is_item(part),
                before,
                line,
                after,
                margins,
                scene.words,
            ),
            _ => true,
        };
        if code::is_code(scene, line, fresh, open.as_ref(), before, after) {
            let lined = before.is_some_and(|it| line.y - it.y < code::LISTING_STEP * line.size);
            match &mut open {
                Some(part) if matches!(part.kind, Kind::Code) && lined => {
                    part.lines.push(line.clone());
                }
                _ => {
                    out.extend(open.take());
                    open = Some(part(Kind::Code, line, margins));
                }
            }
            continue;
        }
        if let Some(part) = &mut open
            && headings::wraps(scene, part, line, margins)
        {
            part.lines.push(line.clone());
            continue;
        }
        if let Some(class) = headings::class(scene, margins, before, rest, fresh) {
            match &mut open {
                Some(part) if headings::continues(scene, part, &class, line, fresh, margins) => {
                    part.lines.push(line.clone());
                }
                _ => {
                    out.extend(open.take());
                    open = Some(part(Kind::Heading(class), line, margins));
                }
            }
            continue;
        }
        if let Some(kind) = items::item(scene, rest, fresh, open.as_ref(), out) {
            out.extend(open.take());
            open = Some(part(kind, line, margins));
            continue;
        }
        if let Some(label) = items::note(scene, line, fresh) {
            out.extend(open.take());
            open = Some(part(Kind::Note(label), line, margins));
            continue;
        }
        match &mut open {
            Some(part)
                if !fresh
                    && matches!(
                        part.kind,
                        Kind::Paragraph | Kind::Item { .. } | Kind::Note(_) | Kind::More
                    ) =>
            {
                part.lines.push(line.clone());
                part.full = margins.is_full(line);
            }
            _ => {
                let inside = open.as_ref().is_some_and(|it| {
                    breaks::inside_item(it, line)
                        && before.is_some_and(|it| line.y - it.y < ITEM_STEP * line.size)
                });
                out.extend(open.take());
                let kind = if inside { Kind::More } else { Kind::Paragraph };
                open = Some(part(kind, line, margins));
            }
        }
    }
    out.extend(open);
}

fn part(kind: Kind, line: &Line, margins: &Margins) -> Part {
    Part {
        kind,
        full: margins.is_full(line),
        indented: margins.is_indented(line),
        lines: vec![line.clone()],
    }
}

fn is_item(part: &Part) -> bool {
    matches!(part.kind, Kind::Item { .. })
}

/// Whether a line has no letters and no digits.
pub fn is_blank(words: &[Word], line: &Line) -> bool {
    line.words.iter().filter_map(|it| words.get(*it)).all(|it| {
        it.text
            .chars()
            .all(|it| it.is_whitespace() || script::is_ignorable(it))
    })
}
