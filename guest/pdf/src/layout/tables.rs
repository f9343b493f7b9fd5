//! Where tables without vertical lines may start.

use super::draft::{Around, Found};
use super::leaders;
use super::lines::Line;
use super::marker;
use super::scene::Scene;
use super::sections;
use super::sizes;
use super::strips;
use super::strokes::Stroke;
use super::table;
use crate::extremes::Extremes as _;

/// The distance above the first line of a region in which an edge belongs to it, in font sizes: an empty line.
const FIRST: f32 = 2.5;

/// The depth of letters below the baseline in font sizes. An edge above it underlines the text.
const DEPTH: f32 = 0.2;

/// The part of the font size from the baseline of a line up to its middle. An edge below it is not above the line.
const MIDDLE: f32 = 0.3;

/// The part of a line that an edge above it covers.
const COVERED: f32 = 0.7;

/// The maximum number of edges between two lines.
const EDGES: usize = 64;

/// Looks for a table at the first line.
pub fn at(scene: &Scene<'_>, lines: &[Line], edges: &[bool]) -> Option<Found> {
    let first = lines.get(strips::lead(scene.words, lines, edges, scene.edges))?;
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
    let heading = (first.bold || first.size > sizes::LARGE * scene.body)
        && sections::title(scene.words, first, &first.cells).is_some();
    if heading || marked(first) || first.mono && first.cells.len() < 3 {
        return None;
    }
    let x0 = lines.iter().map(|it| it.x0).fold(f32::MAX, f32::lesser);
    let x1 = lines.iter().map(|it| it.x1).fold(f32::MIN, f32::greater);
    let around = Around {
        words: scene.words,
        breaks: edges,
        edges: scene.edges,
        body: scene.body,
        sides: (x0, x1),
        work: scene.work,
    };
    table::find(lines, &around)
}

/// Tells for each line whether an edge is between it and the line above.
pub fn edges_above(lines: &[Line], edges: &[Stroke]) -> Vec<bool> {
    let mut out = Vec::with_capacity(lines.len());
    let mut last: Option<&Line> = None;
    for line in lines {
        let from = last.map_or(line.y - FIRST * line.size, |it| it.y - DEPTH * it.size);
        let to = line.y - MIDDLE * line.size;
        let first = edges.partition_point(|it| it.at < from);
        let width = (line.x1 - line.x0).greater(1.0);
        let found = edges
            .iter()
            .skip(first)
            .take(EDGES)
            .take_while(|it| it.at <= to)
            .any(|it| it.end.lesser(line.x1) - it.start.greater(line.x0) > COVERED * width);
        out.push(found);
        last = Some(line);
    }
    out
}
