//! How far a table without vertical lines may reach, and the bands of its columns.

use super::draft::Around;
use super::lines::{Cell, Line};
use super::{limits, rows, sections, sizes};
use crate::extremes::Extremes as _;

/// The greatest distance of lines of a table in font sizes: without an edge between them, and with one. Cells of
/// several lines have rows with empty lines between them.
const STEP: f32 = 2.7;
const RULED_STEP: f32 = 5.0;

/// The greatest distance of lines relative to those before, after some lines of the table.
const WIDEST: f32 = 1.6;

/// The number of lines of which the distance is known.
const KNOWN_LINES: usize = 2;

/// The size from which a line is not of the table but a heading, relative to the first line: if it is heavy, and if
/// it is not. Relative to running text, it may be smaller by [`sizes::SAME`].
const HEADING: f32 = 1.04;
const LARGER: f32 = 1.15;

/// The part of a font size by which cells may reach into a column at their side.
const SLACK: f32 = 0.1;

/// The number of lines of which the header of a table may consist, and the least number of cells of the rows below.
const HEADER_LINES: usize = 3;
const HEADER_CELLS: usize = 3;

/// The distance of a head between rows from both of them in font sizes, and the least number of cells of the rows.
const ROW_STEP: f32 = 1.8;
const ROW_CELLS: usize = 3;

/// The part of the width of the region from which a line is text, and not a cell.
const WIDE: f32 = 0.7;

/// The distance of the start of a cell from that of its column in font sizes.
const AT_START: f32 = 0.3;

/// The maximum number of lines with one cell that follow each other. Cells have fewer.
const SINGLE: usize = 12;

/// The number of lines that may belong to the table of the first one.
pub fn extent(lines: &[Line], around: &Around<'_>) -> usize {
    let Some(first) = lines.first() else { return 0 };
    let mut bands: Vec<(f32, f32)> = first.cells.iter().map(|it| (it.x0, it.x1)).collect();
    let mut end: usize = 1;
    let mut single: usize = 0;
    let mut last = first;
    let mut row = first;
    let mut widest: f32 = 0.0;
    let mut remarks: Option<f32> = None;
    for (index, line) in lines.iter().enumerate().skip(1).take(limits::TABLE_LINES) {
        if !around.charge(line.cells.len().saturating_mul(bands.len())) {
            break;
        }
        let gap = line.y - last.y;
        let size = line.size.greater(last.size);
        let ruled = around.breaks.get(index).copied().unwrap_or(false);
        let most = if ruled { RULED_STEP } else { STEP };
        if gap
            > (most * size).greater(if index > KNOWN_LINES {
                WIDEST * widest
            } else {
                0.0
            })
        {
            break;
        }
        let heading = line.bold && !last.bold && line.cells.len() == 1;
        let larger = if heading { HEADING } else { LARGER };
        if line.size > larger * first.size && line.size > (larger - sizes::SAME) * around.body {
            break;
        }
        // A heading of the next section, with a line below it.
        let lined = |at: usize| around.breaks.get(at).copied().unwrap_or(false);
        if lined(index.saturating_add(1))
            && !ruled
            && sections::ends_with_heading(around.words, lines.get(..=index).unwrap_or_default())
        {
            break;
        }
        if line.cells.len() >= 2 {
            let crossing = crossings(&line.cells, &bands, SLACK * size);
            if crossing.saturating_mul(2) > line.cells.len() {
                // The words of a narrow header may be far apart.
                let own: Vec<(f32, f32)> = line.cells.iter().map(|it| (it.x0, it.x1)).collect();
                let before = lines.get(..index).unwrap_or_default();
                let crossed = |it: &Line| crossings(&it.cells, &own, SLACK * size) > 0;
                if index > HEADER_LINES || own.len() < HEADER_CELLS || before.iter().any(crossed) {
                    break;
                }
                bands = own;
                before
                    .iter()
                    .flat_map(|it| &it.cells)
                    .for_each(|it| widen(&mut bands, it));
            }
            for cell in &line.cells {
                widen(&mut bands, cell);
            }
            single = 0;
            row = line;
            widest = widest.greater(gap);
        } else {
            let next = lines.get(index.saturating_add(1));
            let cells = row.cells.len().min(limits::COLUMNS);
            if line.size < row.size
                && around.charge(cells.saturating_mul(cells))
                && rows::is_remark(row, line, next, remarks)
            {
                remarks = Some(line.x0);
                end = index.saturating_add(1);
                last = line;
                continue;
            }
            let cell = Cell {
                x0: line.x0,
                x1: line.x1,
                start: 0,
                end: 0,
            };
            single = single.saturating_add(1);
            let touched = touches(&bands, &cell, SLACK * size);
            let wide = line.x1 - line.x0 > WIDE * (around.sides.1 - around.sides.0);
            // The text of a later column may be wide.
            let later = bands.iter().any(|it| {
                it.0 > first.x0 + size
                    && (it.0 - cell.x0).abs() < AT_START * size
                    && cell.x1 <= it.1 + size
            });
            let between = next.is_some_and(|it| is_between(line, row, it, &bands));
            if single > SINGLE || touched > 1 && !between || (wide && !ruled && !later) {
                break;
            }
        }
        end = index.saturating_add(1);
        last = line;
    }
    end
}

/// Whether a line is a head between two rows, over columns after the first one. The row that follows has the same cells.
fn is_between(line: &Line, row: &Line, next: &Line, bands: &[(f32, f32)]) -> bool {
    let near = |a: &Line, b: &Line| b.y - a.y < ROW_STEP * line.size;
    let first = bands.iter().map(|it| it.1).fold(f32::MAX, f32::lesser);
    let ends = |line: &Line| line.cells.last().map_or(0.0, |it| it.x1);
    near(row, line)
        && near(line, next)
        && line.x0 > first
        && line.x1 < ends(next)
        && (ROW_CELLS..=limits::COLUMNS).contains(&next.cells.len())
        && next.cells.len() == row.cells.len()
        && crossings(&next.cells, bands, SLACK * line.size) == 0
}

/// The number of bands that a cell touches.
pub fn touches(bands: &[(f32, f32)], cell: &Cell, slack: f32) -> usize {
    bands
        .iter()
        .filter(|it| cell.x0 < it.1 - slack && cell.x1 > it.0 + slack)
        .count()
}

/// The number of cells that touch more than one band.
pub fn crossings(cells: &[Cell], bands: &[(f32, f32)], slack: f32) -> usize {
    cells
        .iter()
        .filter(|it| touches(bands, it, slack) > 1)
        .count()
}

/// Widens the band of a cell, or adds one.
pub fn widen(bands: &mut Vec<(f32, f32)>, cell: &Cell) {
    let mut hits = bands
        .iter()
        .enumerate()
        .filter(|(_, it)| cell.x0 < it.1 && cell.x1 > it.0)
        .map(|it| it.0);
    let (one, two) = (hits.next(), hits.next());
    if let (Some(one), None) = (one, two) {
        if let Some(band) = bands.get_mut(one) {
            band.0 = band.0.lesser(cell.x0);
            band.1 = band.1.greater(cell.x1);
        }
    } else if one.is_none() && bands.len() < limits::COLUMNS {
        bands.push((cell.x0, cell.x1));
    }
}
