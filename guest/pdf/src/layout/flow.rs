//! The lines of a region → headings, paragraphs, list items, code and tables.

use super::breaks::{self, Margins};
use super::code;
use super::definitions;
use super::draft::{Around, Found};
use super::hanging;
use super::headings;
use super::leaders;
use super::limits;
use super::lines::Line;
use super::marker::{self, Marker};
use super::overprint;
use super::parts::{Kind, Part};
use super::scene::Scene;
use super::strips;
use super::strokes::Stroke;
use super::table;
use super::words::{Rise, Word, space_between};
use crate::script;

/// An entry of a region, in the order from the top.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A line.
    Line(Line),
    /// A block, by its index.
    Block(usize),
}

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
    let mut edges = edges_above(lines, scene.edges);
    let split = hanging::split(scene.words, lines, &edges, margins);
    if let Some(lines) = &split {
        edges = edges_above(lines, scene.edges);
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
            && let Some(found) = table_at(scene, rest, edges.get(index..).unwrap_or_default())
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
            let lined = before.is_some_and(|it| line.y - it.y < 4.0 * line.size);
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
        if let Some(kind) = item(scene, rest, fresh, open.as_ref(), out) {
            out.extend(open.take());
            open = Some(part(kind, line, margins));
            continue;
        }
        if let Some(label) = note(scene, line, fresh) {
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
                        && before.is_some_and(|it| line.y - it.y < 2.5 * line.size)
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

/// Looks for a table at the first line.
fn table_at(scene: &Scene<'_>, lines: &[Line], edges: &[bool]) -> Option<Found> {
    let first = lines.get(strips::lead(scene.words, lines, edges))?;
    if first.cells.len() < 2 || leaders::is_leader(scene.words, first) {
        return None;
    }
    // The gap after a marker is no column.
    let marked = |line: &Line| {
        let first = line.words.first().and_then(|it| scene.words.get(*it));
        line.cells.len() == 2
            && line.cells.first().is_some_and(|it| it.end == 1)
            && first.is_some_and(|it| marker::marker(&it.text).is_some())
    };
    // The number of a heading, and its title.
    let number = first.words.first().and_then(|it| scene.words.get(*it));
    let heading = (first.bold || first.size > 1.08 * scene.body)
        && first.cells.len() == 2
        && first.cells.first().is_some_and(|it| it.end == 1)
        && number.is_some_and(|it| marker::numbering(&format!("{} x", it.text)) > 0);
    if heading || marked(first) || first.mono && first.cells.len() < 3 {
        return None;
    }
    let x0 = lines.iter().map(|it| it.x0).fold(f32::MAX, f32::min);
    let x1 = lines.iter().map(|it| it.x1).fold(f32::MIN, f32::max);
    let around = Around {
        words: scene.words,
        breaks: edges,
        body: scene.body,
        sides: (x0, x1),
        work: scene.work,
    };
    table::find(lines, &around)
}

/// Tells for each line whether an edge is between it and the line above.
fn edges_above(lines: &[Line], edges: &[Stroke]) -> Vec<bool> {
    let mut out = Vec::with_capacity(lines.len());
    let mut last: Option<&Line> = None;
    for line in lines {
        let from = last.map_or(line.y - 2.5 * line.size, |it| it.y - 0.2 * it.size);
        let to = line.y - 0.3 * line.size;
        let first = edges.partition_point(|it| it.at < from);
        let width = (line.x1 - line.x0).max(1.0);
        let found = edges
            .iter()
            .skip(first)
            .take(64)
            .take_while(|it| it.at <= to)
            .any(|it| it.end.min(line.x1) - it.start.max(line.x0) > 0.7 * width);
        out.push(found);
        last = Some(line);
    }
    out
}

/// Reads the marker of an item, which is the first of the lines.
fn item(
    scene: &Scene<'_>,
    lines: &[Line],
    fresh: bool,
    open: Option<&Part>,
    done: &[Part],
) -> Option<Kind> {
    let (line, after) = lines.split_first()?;
    let position = usize::from(line.rtl);
    let mut words = line.words.iter().filter_map(|it| scene.words.get(*it));
    let mut back = line
        .words
        .iter()
        .rev()
        .filter_map(|it| scene.words.get(*it));
    let (first, second) = if position == 0 {
        (words.next()?, words.next()?)
    } else {
        (back.next()?, back.next()?)
    };
    if first.rise != Rise::None || second.rise == Rise::Super {
        return None;
    }
    // Programs draw the bullets of the second level as the letter o of a font for code.
    let letter = first.text == "o" && first.face.mono && !second.face.mono;
    let found = if letter {
        Marker::Bullet
    } else {
        marker::marker(&first.text)?
    };
    let gap = if position == 0 {
        second.x0 - first.x1
    } else {
        first.x0 - second.x1
    };
    let strong = marker::is_strong_bullet(&first.text);
    let near = gap < 0.12 * line.size || !space_between(first, second) && gap < 0.3 * line.size;
    if near && !strong {
        return None;
    }
    let (x, text_x) = if position == 0 {
        (first.x0, second.x0)
    } else {
        (-first.x1, -second.x1)
    };
    let last = open.or(done.last());
    let same = last.and_then(|it| match &it.kind {
        Kind::Item { marker, x, .. } => Some((marker, *x)),
        _ => None,
    });
    let near = 0.5 * line.size;
    let dash = matches!(first.text.as_str(), "-" | "–" | "—" | "−" | "*" | "·");
    let ok = match &found {
        Marker::Check(_) => true,
        Marker::Bullet if !dash => true,
        Marker::Bullet => {
            let beside = same.is_some_and(|it| *it.0 == Marker::Bullet && (it.1 - x).abs() < near);
            fresh || beside
        }
        Marker::Number(_, value, kind) => {
            // The item before in the same list. Inner lists are between them.
            let list = open.into_iter().chain(done.iter().rev()).take(60);
            let mut list = list
                .take_while(|it| matches!(it.kind, Kind::Item { .. } | Kind::More | Kind::Code));
            let next = list.any(|it| match &it.kind {
                Kind::Item {
                    marker: Marker::Number(_, last, own),
                    x: at,
                    ..
                } => {
                    last.saturating_add(1) == *value
                        && own == kind
                        && (at - x).abs() < near + 0.7 * line.size
                }
                _ => false,
            });
            let letter = matches!(kind, marker::Kind::Upper | marker::Kind::Lower);
            // A list inside of an item, whose second number follows, or a list after a paragraph that
            // announces it.
            let first_of_list = *value == 1
                && if same.is_some() {
                    after
                        .first()
                        .is_some_and(|it| follows(scene.words, it, 2, *kind))
                } else {
                    open.is_some_and(|it| announces(scene.words, it, line))
                        && after.iter().take(limits::ITEM_LINES).any(|it| {
                            follows(scene.words, it, 2, *kind)
                                && (breaks::start(it) - breaks::start(line)).abs() < near
                        })
                };
            next || first_of_list
                || (fresh && (!letter || *value == 1 || first.text.ends_with(')')))
        }
    };
    ok.then_some(Kind::Item {
        marker: found,
        x,
        text_x,
    })
}

/// Whether a line starts with a number of a kind.
fn follows(words: &[Word], line: &Line, value: u32, kind: marker::Kind) -> bool {
    let first = line.words.first().and_then(|it| words.get(*it));
    let found = first.and_then(|it| marker::marker(&it.text));
    matches!(found, Some(Marker::Number(_, own, like)) if own == value && like == kind)
}

/// Whether a list may start with a line after a paragraph without a gap: the line is indented, or the
/// paragraph ends with a colon.
fn announces(words: &[Word], part: &Part, line: &Line) -> bool {
    let Some(last) = part.lines.last() else {
        return false;
    };
    let colon = breaks::last_word(words, last).is_some_and(|it| it.text.ends_with([':', '：']));
    colon || breaks::start(line) > breaks::start(last) + 0.6 * line.size
}

/// The label of a footnote that starts with a line.
fn note(scene: &Scene<'_>, line: &Line, fresh: bool) -> Option<String> {
    let mut words = line.words.iter().filter_map(|it| scene.words.get(*it));
    let first = words.next()?;
    words.next()?;
    let sign = |text: &str| matches!(text, "*" | "†" | "‡" | "§" | "¶");
    let number = |text: &str| text.len() <= 3 && text.bytes().all(|it| it.is_ascii_digit());
    let text = first.text.as_str();
    if !(number(text) || sign(text)) || line.size > 0.97 * scene.body {
        return None;
    }
    if first.rise == Rise::Super {
        return Some(text.to_owned());
    }
    (fresh && line.size < 0.93 * scene.body && scene.labels.contains(text)).then(|| text.to_owned())
}

/// Whether a line has no letters and no digits.
pub fn is_blank(words: &[Word], line: &Line) -> bool {
    line.words.iter().filter_map(|it| words.get(*it)).all(|it| {
        it.text
            .chars()
            .all(|it| it.is_whitespace() || script::is_ignorable(it))
    })
}
