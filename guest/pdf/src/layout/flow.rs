//! The lines of a region → headings, paragraphs, list items, code and tables.

use super::breaks;
use super::charts;
use super::code;
use super::contents;
use super::definitions;
use super::draft::Found;
use super::hanging;
use super::headings;
use super::items;
use super::leaders;
use super::limits;
use super::lines::Line;
use super::margins::Margins;
use super::overprint;
use super::parts::{Kind, Part};
use super::place::Place;
use super::scene::Scene;
use super::sections;
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
    let marked = contents::marked(scene.words, lines, scene.body);
    let lines = marked.as_deref().unwrap_or(lines);
    let mut edges = tables::edges_above(lines, scene.edges);
    let split = hanging::split(scene.words, lines, &edges, margins);
    if let Some(lines) = &split {
        edges = tables::edges_above(lines, scene.edges);
    }
    let lines = split.as_deref().unwrap_or(lines);
    let mut open: Option<Part> = None;
    let mut index = 0;
    while let Some(line) = lines.get(index) {
        let rest = lines.get(index..).unwrap_or_default();
        let own_edges = edges.get(index..).unwrap_or_default();
        // Each try may read all lines that follow.
        if !line.entry
            && lines.len() <= limits::TABLE_LINES
            && scene.work.get() > 0
            && let Some(found) = tables::at(scene, rest, own_edges)
            && !sections::is_text(&found, rest, (margins.start, margins.end))
            && !code::is_listing(scene.words, &found, line, open.as_ref())
        {
            index = index.saturating_add(found.lines.max(1));
            out.extend(open.take());
            let own = rest.get(..found.lines).unwrap_or_default();
            if charts::is_chart(scene.words, &found, own) {
                out.extend(own.iter().map(|it| part(Kind::Paragraph, it, margins)));
                continue;
            }
            out.push(table(scene, margins, found, rest, own_edges));
            continue;
        }
        let place = Place {
            margins,
            before: index.checked_sub(1).and_then(|it| lines.get(it)),
            line,
            lines: rest,
        };
        match step(scene, &place, open.as_ref(), out) {
            Step::GoesOn => {
                if let Some(part) = &mut open {
                    part.lines.push(line.clone());
                    if is_text(part) {
                        part.full = margins.is_full(line);
                    }
                }
            }
            Step::Renames(kind) => {
                if let Some(part) = &mut open {
                    part.lines.push(line.clone());
                    part.kind = kind;
                }
            }
            Step::Starts(kind) => out.extend(open.replace(part(kind, line, margins))),
        }
        index = index.saturating_add(1);
    }
    out.extend(open);
}

/// The part of a table, or of a list of terms, that starts with the first of the lines.
fn table(
    scene: &Scene<'_>,
    margins: &Margins,
    found: Found,
    lines: &[Line],
    edges: &[bool],
) -> Part {
    let lines = lines.get(..found.lines).unwrap_or_default().to_vec();
    let ruled = edges
        .get(..found.lines)
        .is_some_and(|it| it.iter().any(|it| *it));
    let kind = if !ruled && definitions::is_list(scene.words, &found) {
        let parts = definitions::parts(scene.words, &found, margins);
        Kind::Terms(found, parts)
    } else {
        Kind::Table(found)
    };
    Part {
        kind,
        lines,
        full: false,
        indented: false,
    }
}

/// What a line does to the parts before it.
enum Step {
    /// The part that is open goes on.
    GoesOn,
    /// A part starts.
    Starts(Kind),
    /// The part that is open goes on as another one.
    Renames(Kind),
}

/// What a line does. `open` is the part before it, and `done` are those before that part.
fn step(scene: &Scene<'_>, place: &Place<'_>, open: Option<&Part>, done: &[Part]) -> Step {
    let (line, before) = (place.line, place.before);
    let sides = (place.margins.start, place.margins.end);
    if line.entry || leaders::is_leader(scene.words, line) {
        let goes_on = open.is_some_and(|it| matches!(it.kind, Kind::Contents));
        return Step::of(goes_on, Kind::Contents);
    }
    let fresh = match (open, before) {
        _ if line.term || before.is_some_and(|it| it.term) => true,
        // The points of an exercise are at the end of its last line.
        _ if sections::is_pair(line, sides)
            && !open.is_some_and(|it| breaks::inside_item(it, line)) =>
        {
            true
        }
        (Some(_), Some(before)) if sections::is_pair(before, sides) => true,
        (Some(part), Some(before)) => breaks::starts(scene, place, before, part),
        _ => true,
    };
    if code::is_code(scene, place, fresh, open) {
        let lined = before.is_some_and(|it| line.y - it.y < code::LISTING_STEP * line.size);
        let goes_on = lined && open.is_some_and(|it| matches!(it.kind, Kind::Code));
        return Step::of(goes_on, Kind::Code);
    }
    if open.is_some_and(|it| headings::wraps(scene, it, place)) {
        return Step::GoesOn;
    }
    if let Some(class) = headings::class(scene, place, fresh, open) {
        if open.is_some_and(|it| headings::entitles(scene, it, &class, line)) {
            return Step::Renames(Kind::Heading(class));
        }
        let goes_on = open.is_some_and(|it| headings::continues(scene, it, &class, place, fresh));
        return Step::of(goes_on, Kind::Heading(class));
    }
    if let Some(kind) = items::item(scene, place.lines, fresh, open, done) {
        return Step::Starts(kind);
    }
    if let Some(label) = items::note(scene, line, fresh) {
        return Step::Starts(Kind::Note(label));
    }
    let inside = open.is_some_and(|it| breaks::inside_item(it, line))
        && !sections::is_pair(line, sides)
        && before.is_some_and(|it| line.y - it.y < ITEM_STEP * line.size);
    let kind = if inside { Kind::More } else { Kind::Paragraph };
    Step::of(!fresh && open.is_some_and(is_text), kind)
}

impl Step {
    fn of(goes_on: bool, kind: Kind) -> Self {
        if goes_on {
            Self::GoesOn
        } else {
            Self::Starts(kind)
        }
    }
}

/// Whether a part is text whose lines are composed to a paragraph.
fn is_text(part: &Part) -> bool {
    matches!(
        part.kind,
        Kind::Paragraph | Kind::Item { .. } | Kind::Note(_) | Kind::More
    )
}

fn part(kind: Kind, line: &Line, margins: &Margins) -> Part {
    Part {
        kind,
        full: margins.is_full(line),
        indented: margins.is_indented(line),
        lines: vec![line.clone()],
    }
}

/// Whether a line has no letters and no digits.
pub fn is_blank(words: &[Word], line: &Line) -> bool {
    line.words.iter().filter_map(|it| words.get(*it)).all(|it| {
        it.text
            .chars()
            .all(|it| it.is_whitespace() || script::is_ignorable(it))
    })
}
