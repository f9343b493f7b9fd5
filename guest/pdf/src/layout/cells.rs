//! The cells of ruled tables: their lines, and lines that are missing between them.

use super::draft::Draft;
use super::lines::Line;
use super::rows;
use super::words::Word;

/// The distance at which lines touch, in points.
const NEAR: f32 = 2.0;

/// The distance of baselines of the lines of a cell in font sizes.
const ON_LINE: f32 = 0.5;

/// The white between words of cells that have no line between them, in font sizes.
const APART: f32 = 0.9;

/// The number of rows from which a table has lines between its rows, and the number of lines of a cell from which it
/// may be several rows.
const RULED_ROWS: usize = 4;
const CELL_LINES: usize = 3;

/// The part of the width of a cell from which a line fills it.
const FULL: f32 = 0.75;

/// The number of heights up to which the lines of cells may be those of one row, such as an address beside telephones.
const FEW_HEIGHTS: usize = 3;

/// The distance of baselines of the cells of a row in font sizes.
const ON_ROW: f32 = 0.4;

/// The words of a cell as lines.
pub fn line_words(words: &[Word], mut indices: Vec<usize>) -> Vec<Vec<usize>> {
    // They come sorted by the baseline.
    let mut out: Vec<Vec<usize>> = Vec::new();
    let mut at: Option<f32> = None;
    for index in indices.drain(..) {
        let Some(word) = words.get(index) else {
            continue;
        };
        match (at, out.last_mut()) {
            (Some(y), Some(line)) if word.y - y < ON_LINE * word.size => line.push(index),
            _ => {
                out.push(vec![index]);
                at = Some(word.y);
            }
        }
    }
    for line in &mut out {
        line.sort_by(|a, b| {
            let x = |it: &usize| words.get(*it).map_or(0.0, |it| it.x0);
            x(a).total_cmp(&x(b))
        });
    }
    out
}

/// Splits a cell over several columns whose text is at the places of these columns: a line between
/// them is missing.
pub fn unmerged(words: &[Word], cell: Draft, xs: &[f32]) -> Vec<Draft> {
    if cell.span < 2 || cell.lines.is_empty() {
        return vec![cell];
    }
    let mut out: Vec<Draft> = (0..cell.span)
        .map(|offset| Draft {
            column: cell.column.saturating_add(offset),
            span: 1,
            height: cell.height,
            lines: Vec::new(),
        })
        .collect();
    for line in &cell.lines {
        let mut part: Vec<usize> = Vec::new();
        let mut ends = (0.0, 0.0);
        for index in line {
            // Words of other directions have no place in the columns.
            let Some(word) = words.get(*index) else {
                return vec![cell];
            };
            let apart = !part.is_empty() && word.x0 - ends.1 > APART * word.size;
            if apart && !put(&mut out, std::mem::take(&mut part), ends, xs) {
                return vec![cell];
            }
            if part.is_empty() {
                ends.0 = word.x0;
            }
            ends.1 = word.x1;
            part.push(*index);
        }
        if !put(&mut out, part, ends, xs) {
            return vec![cell];
        }
    }
    let filled = out.iter().filter(|it| !it.lines.is_empty()).count();
    if filled < 2 { vec![cell] } else { out }
}

/// Puts a part of a line into the cell of its column. False if it is over two columns.
fn put(cells: &mut [Draft], part: Vec<usize>, ends: (f32, f32), xs: &[f32]) -> bool {
    if part.is_empty() {
        return true;
    }
    let cell = cells.iter_mut().find(|it| {
        let side = |index: usize| xs.get(index).copied().unwrap_or_default();
        let (x0, x1) = (side(it.column), side(it.column.saturating_add(1)));
        ends.0 > x0 - NEAR && ends.1 < x1 + NEAR
    });
    match cell {
        Some(cell) => {
            cell.lines.push(part);
            true
        }
        None => false,
    }
}

/// Splits rows of a table that has lines only between its columns: the text of its cells is short, and
/// is at the same heights.
pub fn split_rows(words: &[Word], rows: Vec<Vec<Draft>>, xs: &[f32]) -> Vec<Vec<Draft>> {
    if rows.len() > RULED_ROWS {
        return rows;
    }
    let mut out = Vec::new();
    for row in rows {
        match split_row(words, &row, xs) {
            Some(rows) => out.extend(rows),
            None => out.push(row),
        }
    }
    out
}

fn split_row(words: &[Word], row: &[Draft], xs: &[f32]) -> Option<Vec<Vec<Draft>>> {
    let most = row.iter().map(|it| it.lines.len()).max()?;
    let simple = row.iter().all(|it| it.height == 1 && it.span == 1);
    if most < CELL_LINES || row.len() < 2 || !simple {
        return None;
    }
    let mut lines: Vec<(f32, f32, Draft)> = Vec::new();
    let mut text = false;
    for cell in row {
        let x0 = xs.get(cell.column).copied()?;
        let x1 = xs.get(cell.column.saturating_add(1)).copied()?;
        let mut full: usize = 0;
        for line in &cell.lines {
            let first = line.first().and_then(|it| words.get(*it))?;
            let last = line.last().and_then(|it| words.get(*it))?;
            full = full.saturating_add(usize::from(last.x1 - first.x0 > FULL * (x1 - x0)));
            let draft = Draft {
                lines: vec![line.clone()],
                ..cell.clone()
            };
            lines.push((first.y, first.size, draft));
        }
        // Running text fills its cell.
        text |= full.saturating_mul(2) >= cell.lines.len().max(2);
    }
    lines.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.column.cmp(&b.2.column)));
    let (mut heights, mut drafts): (Vec<Line>, Vec<Vec<Draft>>) = (Vec::new(), Vec::new());
    for (y, size, draft) in lines {
        match (heights.last(), drafts.last_mut()) {
            (Some(last), Some(cells)) if y - last.y < ON_ROW * size => cells.push(draft),
            _ => {
                heights.push(Line {
                    y,
                    size,
                    ..Line::default()
                });
                drafts.push(vec![draft]);
            }
        }
    }
    let many = drafts.iter().filter(|it| it.len() >= 2).count();
    if many < 2 {
        return None;
    }
    let starts = if text {
        rows::apart(&heights)?
    } else if heights.len() > FEW_HEIGHTS {
        rows::starts(words, &heights, &drafts, row.len(), &[])
    } else {
        return None;
    };
    Some(rows::joined(drafts, &starts))
}

/// Leaves out rows without text. The cells above that cover them become lower.
fn without_blank(rows: Vec<Vec<Draft>>) -> Vec<Vec<Draft>> {
    let kept: Vec<bool> = rows
        .iter()
        .map(|row| row.is_empty() || row.iter().any(|it| !it.lines.is_empty() || it.height > 1))
        .collect();
    let mut out = Vec::new();
    for (index, mut row) in rows.into_iter().enumerate() {
        let below = kept.get(index..).unwrap_or_default();
        if below.first() != Some(&true) {
            continue;
        }
        for cell in &mut row {
            cell.height = below.iter().take(cell.height).filter(|it| **it).count();
        }
        out.push(row);
    }
    out
}

/// Leaves out columns and rows without text that come from double lines and frames.
pub fn without_empty(rows: Vec<Vec<Draft>>, columns: usize) -> (Vec<Vec<Draft>>, usize) {
    let simple = rows
        .iter()
        .flatten()
        .all(|it| it.height == 1 || !it.lines.is_empty());
    let rows = if simple { without_blank(rows) } else { rows };
    // A column is needed if a cell with text starts or ends in it.
    let mut needed = vec![false; columns];
    for cell in rows.iter().flatten().filter(|it| !it.lines.is_empty()) {
        if let Some(it) = needed.get_mut(cell.column) {
            *it = true;
        }
    }
    let map: Vec<usize> = needed
        .iter()
        .scan(0usize, |count, needed| {
            let own = *count;
            *count = count.saturating_add(usize::from(*needed));
            Some(own)
        })
        .collect();
    let total = needed.iter().filter(|it| **it).count();
    let rows = rows
        .into_iter()
        .map(|row| {
            row.into_iter()
                .filter_map(|cell| {
                    let end = cell.column.saturating_add(cell.span);
                    let span = needed
                        .get(cell.column..end)
                        .unwrap_or_default()
                        .iter()
                        .filter(|it| **it)
                        .count();
                    let column = map.get(cell.column).copied()?;
                    (span > 0).then_some(Draft {
                        column,
                        span,
                        ..cell
                    })
                })
                .collect()
        })
        .collect();
    (rows, total)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(column: usize, height: usize, text: bool) -> Draft {
        Draft {
            column,
            span: 1,
            height,
            lines: if text { vec![vec![0]] } else { Vec::new() },
        }
    }

    #[test]
    fn a_cell_over_a_row_without_text_becomes_lower() {
        let rows = vec![
            vec![cell(0, 3, true), cell(1, 1, true)],
            vec![cell(1, 1, false)],
            vec![cell(1, 1, true)],
            vec![cell(0, 1, true), cell(1, 1, true)],
        ];
        let (rows, columns) = without_empty(rows, 2);
        let heights: Vec<Vec<usize>> = rows
            .iter()
            .map(|row| row.iter().map(|it| it.height).collect())
            .collect();
        assert_eq!(
            (heights, columns),
            (vec![vec![2, 1], vec![1], vec![1, 1]], 2)
        );
    }
}
