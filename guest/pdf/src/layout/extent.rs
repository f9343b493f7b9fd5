//! How far a table without vertical lines may reach, and the bands of its columns.

use super::draft::Around;
use super::lines::{Cell, Line};
use super::{limits, rows};

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
        let size = line.size.max(last.size);
        let ruled = around.breaks.get(index).copied().unwrap_or(false);
        let most = if ruled { 5.0 } else { 2.7 };
        if gap > (most * size).max(if index > 2 { 1.6 * widest } else { 0.0 }) {
            break;
        }
        let heading = line.bold && !last.bold && line.cells.len() == 1;
        let larger = if heading { 1.04 } else { 1.15 };
        if line.size > larger * first.size && line.size > (larger - 0.04) * around.body {
            break;
        }
        if line.cells.len() >= 2 {
            let crossing = crossings(&line.cells, &bands, 0.1 * size);
            if crossing.saturating_mul(2) > line.cells.len() {
                // The words of a narrow header may be far apart.
                let own: Vec<(f32, f32)> = line.cells.iter().map(|it| (it.x0, it.x1)).collect();
                let before = lines.get(..index).unwrap_or_default();
                let crossed = |it: &Line| crossings(&it.cells, &own, 0.1 * size) > 0;
                if index > 3 || own.len() < 3 || before.iter().any(crossed) {
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
            widest = widest.max(gap);
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
            let touched = touches(&bands, &cell, 0.1 * size);
            let wide = line.x1 - line.x0 > 0.7 * (around.sides.1 - around.sides.0);
            // The text of a later column may be wide.
            let later = bands.iter().any(|it| {
                it.0 > first.x0 + size
                    && (it.0 - cell.x0).abs() < 0.3 * size
                    && cell.x1 <= it.1 + size
            });
            if single > 12 || touched > 1 || (wide && !ruled && !later) {
                break;
            }
        }
        end = index.saturating_add(1);
        last = line;
    }
    end
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
            band.0 = band.0.min(cell.x0);
            band.1 = band.1.max(cell.x1);
        }
    } else if one.is_none() && bands.len() < limits::COLUMNS {
        bands.push((cell.x0, cell.x1));
    }
}
