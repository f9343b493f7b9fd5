//! Tables without vertical lines: columns are found by the white between the cells of several lines.

use super::draft::{Around, Draft, Found};
use super::extent::{crossings, extent, touches, widen};
use super::lines::Line;
use super::text::{self, Ink};
use super::words::Word;
use super::{limits, marker, numbers, rows, spans, strips};
use crate::extremes::Extremes as _;
use crate::leaders;
use omniread_document::model;
use std::collections::BTreeMap;

/// The least numbers of lines with several cells, of columns, and of rows of a table.
const LEAST: usize = 2;

/// The number of lines with several cells below which there must be more to show a table.
const FEW: usize = 3;

/// The least white between the only two columns of few lines, in sizes of running text.
const TWO_COLUMNS: f32 = 1.5;

/// The part of the lines that have several cells at least: a fifth.
const PART: usize = 5;

/// The part of the size of running text by which cells may reach into a column at their side.
const SLACK: f32 = 0.08;

/// The distance of lines below which they are cells in the middle of one row, in font sizes: less than their height.
const IN_ROW: f32 = 0.9;

/// As [`IN_ROW`], for lines that are counted together.
const TOGETHER: f32 = 0.95;

/// The distance of lines of one cell, relative to the least distance of lines of the table.
const CLOSE: f32 = 1.25;

/// The distance of the lines of a cell, relative to the usual distance of rows.
const WITHIN: f32 = 0.88;

/// The part of a font size by which a line may be wider than its column.
const WIDER: f32 = 0.5;

/// The difference of distances of lines up to which they are equal, relative to the distance.
const SAME_STEP: f32 = 0.05;

/// The part of a cell or a column by which a cell may reach into a column at its side.
const OVERLAP: f32 = 0.1;

/// Looks for a table that starts with the first line.
pub fn find(lines: &[Line], around: &Around<'_>) -> Option<Found> {
    let lead = strips::lead(around.words, lines, around.breaks, around.edges);
    let first = lines.get(lead)?;
    if first.cells.len() < 2 {
        return None;
    }
    let all = lines;
    let whole = around;
    let around = &Around {
        breaks: around.breaks.get(lead..).unwrap_or_default(),
        ..*around
    };
    let lines = lines.get(lead..)?;
    let end = extent(lines, around);
    let lines = lines.get(..end)?;
    let columns = columns(lines, around)?;
    let lines = trimmed(lines, &columns, around);
    let words = lines.iter().map(|it| it.words.len()).sum::<usize>();
    if !around.charge(words.saturating_mul(columns.len())) {
        return None;
    }
    let (columns, strips) = strips::split(around.words, lines, &columns);
    let columns = strips::headed(lines, columns);
    let above = all.get(..lead).unwrap_or_default();
    let over = spans::is_over(all, around.edges);
    if !over && !strips::fits(around.words, above, first, &columns) {
        return None;
    }
    let multi = multiple(lines, &columns);
    if multi < LEAST || columns.len() < LEAST {
        return None;
    }
    let gap = columns
        .windows(2)
        .filter_map(|it| match it {
            [a, b] => Some(b.0 - a.1),
            _ => None,
        })
        .fold(f32::MAX, f32::lesser);
    let ruled = around
        .breaks
        .iter()
        .take(lines.len())
        .filter(|it| **it)
        .count()
        >= 2;
    if columns.len() == 2 && multi < FEW && gap < TWO_COLUMNS * around.body && !ruled {
        return None;
    }
    // Cells of later columns may have many lines.
    let first = columns.first().map_or(0.0, |it| it.1);
    let plain = lines.iter().filter(|it| it.x0 <= first).count();
    let least = if multi < FEW { lines.len() } else { plain };
    if multi.saturating_mul(PART) < least {
        return None;
    }
    let all = all.get(..lines.len().saturating_add(lead))?;
    let rows = rows(all, &columns, &strips, whole);
    (rows.len() >= LEAST).then_some(Found {
        lines: all.len(),
        columns,
        rows,
    })
}

/// The table of lines whose columns are known.
pub fn framed(lines: &[Line], columns: Vec<(f32, f32)>, around: &Around<'_>) -> Option<Found> {
    let columns = strips::headed(lines, columns);
    let rows = rows(lines, &columns, &[], around);
    (rows.len() >= LEAST && columns.len() >= LEAST).then_some(Found {
        lines: lines.len(),
        columns,
        rows,
    })
}

/// The columns of lines, from the left. `None` if the lines do not agree.
fn columns(lines: &[Line], around: &Around<'_>) -> Option<Vec<(f32, f32)>> {
    let mut order: Vec<&Line> = lines.iter().filter(|it| it.cells.len() >= 2).collect();
    let total = order.len();
    // Lines with the usual number of cells first: justified text may have wide gaps between words.
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for line in &order {
        let count = counts.entry(line.cells.len()).or_default();
        *count = count.saturating_add(1);
    }
    let usual = counts.iter().max_by_key(|it| (it.1, it.0)).map(|it| *it.0);
    order.sort_by_key(|it| {
        let cells = it.cells.len();
        (Some(cells) != usual, std::cmp::Reverse(cells))
    });
    let mut bands: Vec<(f32, f32)> = Vec::new();
    let mut bad: usize = 0;
    for line in order {
        if !around.charge(line.cells.len().saturating_mul(bands.len())) {
            return None;
        }
        if crossings(&line.cells, &bands, SLACK * around.body) > 0 {
            bad = bad.saturating_add(1);
            continue;
        }
        for cell in &line.cells {
            widen(&mut bands, cell);
        }
        merge(&mut bands);
    }
    // A column may have only lines of their own, above and below the middle of its rows.
    for pair in lines.windows(2) {
        if let [a, b] = pair
            && b.y - a.y < IN_ROW * b.size
        {
            for line in [a, b] {
                if let [cell] = line.cells.as_slice()
                    && touches(&bands, cell, 0.0) == 0
                {
                    widen(&mut bands, cell);
                }
            }
        }
    }
    merge(&mut bands);
    // A line with few cells may be a header over several columns.
    if bad.saturating_mul(4) > total.saturating_add(3) {
        return None;
    }
    (bands.len() >= 2).then_some(bands)
}

/// Sorts bands, and joins those that overlap.
fn merge(bands: &mut Vec<(f32, f32)>) {
    bands.sort_by(|a, b| a.0.total_cmp(&b.0));
    bands.dedup_by(|next, last| {
        let joins = next.0 < last.1;
        if joins {
            last.1 = last.1.greater(next.1);
        }
        joins
    });
}

/// Leaves out lines at the end that are no rows: a paragraph that follows a table.
fn trimmed<'a>(lines: &'a [Line], columns: &[(f32, f32)], around: &Around<'_>) -> &'a [Line] {
    let mut end = lines.len();
    let steps: Vec<f32> = lines
        .windows(2)
        .filter_map(|it| match it {
            [a, b] => Some(b.y - a.y),
            _ => None,
        })
        .collect();
    let least = steps.iter().copied().fold(f32::MAX, f32::lesser);
    let mut between: Vec<f32> = lines
        .windows(2)
        .filter_map(|it| match it {
            [a, b] if a.cells.len() >= 2 && b.cells.len() >= 2 => Some(b.y - a.y),
            _ => None,
        })
        .collect();
    between.sort_by(f32::total_cmp);
    let usual = between.get(between.len() / 2).copied().unwrap_or_default();
    while let Some(last) = end.checked_sub(1) {
        let (Some(line), Some(before)) = (
            lines.get(last),
            last.checked_sub(1).and_then(|it| lines.get(it)),
        ) else {
            break;
        };
        if line.cells.len() >= 2 {
            break;
        }
        // Lines that are closer than their height are cells in the middle of a row.
        if line.y - before.y < IN_ROW * line.size {
            break;
        }
        // A line in a later column continues its cell. A line in the first column does only if it is
        // close to a line before that fills its column.
        let ruled = around.breaks.get(last).copied().unwrap_or(false);
        let first = columns.first().copied().unwrap_or_default();
        let later = line.x0 > first.1;
        let close = line.y - before.y < CLOSE * least;
        let inside = line.x1 <= first.1 + WIDER * line.size && before.cells.len() >= 2;
        let closed = around.breaks.get(end).copied().unwrap_or(false)
            || line.y - before.y < WITHIN * usual
            || (close && inside && wraps(lines.get(..last).unwrap_or_default(), line.y - before.y));
        if !ruled && close && (later || (inside && (closed || end < lines.len()))) {
            break;
        }
        end = last;
    }
    lines.get(..end).unwrap_or_default()
}

/// Whether a row has a line with one cell at a distance, before the next row.
fn wraps(lines: &[Line], step: f32) -> bool {
    let rows = lines.windows(3).rev().take(limits::WRAPS);
    rows.into_iter().any(|it| match it {
        [a, b, c] => {
            a.cells.len() >= 2
                && b.cells.len() == 1
                && c.cells.len() >= 2
                && (b.y - a.y - step).abs() < SAME_STEP * step
        }
        _ => false,
    })
}

/// The number of lines, or of lines beside each other, with text in more than one column.
fn multiple(lines: &[Line], columns: &[(f32, f32)]) -> usize {
    let mut count: usize = 0;
    let mut group: Option<(f32, usize, bool)> = None;
    for line in lines {
        let (from, to) = column_of(columns, line.x0, line.x1);
        let own = line.cells.len() >= 2 || from != to;
        match &mut group {
            Some((y, column, counted)) if line.y - *y < TOGETHER * line.size => {
                if !*counted && (own || from != *column) {
                    *counted = true;
                    count = count.saturating_add(1);
                }
                *y = line.y;
            }
            _ => {
                count = count.saturating_add(usize::from(own));
                group = Some((line.y, from, own));
            }
        }
    }
    count
}

/// The column of a position.
fn column_of(columns: &[(f32, f32)], x0: f32, x1: f32) -> (usize, usize) {
    let mut hit: Option<(usize, usize)> = None;
    for (index, column) in columns.iter().enumerate() {
        let slack = OVERLAP * (x1 - x0).lesser(column.1 - column.0);
        if x0 < column.1 - slack && x1 > column.0 + slack {
            hit = Some(hit.map_or((index, index), |it| (it.0, index)));
        }
    }
    hit.unwrap_or_else(|| {
        let mid = 0.5 * (x0 + x1);
        let before = columns.iter().filter(|it| it.0 < mid).count();
        let index = before.saturating_sub(1);
        (index, index)
    })
}

/// Joins the lines of a table to rows.
fn rows(
    lines: &[Line],
    columns: &[(f32, f32)],
    strips: &[f32],
    around: &Around<'_>,
) -> Vec<Vec<Draft>> {
    let mut drafts: Vec<Vec<Draft>> = lines
        .iter()
        .map(|it| drafts(around.words, it, columns, strips))
        .collect();
    spans::widen(&mut drafts, lines, columns, around);
    let mut starts = rows::drawn(around.words, lines, &drafts).unwrap_or_else(|| {
        rows::starts(around.words, lines, &drafts, columns.len(), around.breaks)
    });
    spans::separate(&mut starts, lines, &drafts);
    rows::joined(drafts, &starts)
}

/// The cells of a line.
fn drafts(words: &[Word], line: &Line, columns: &[(f32, f32)], strips: &[f32]) -> Vec<Draft> {
    let mut out: Vec<Draft> = Vec::new();
    let cells = strips::cells(words, line, columns, strips);
    let cells = cells
        .iter()
        .flat_map(|it| numbers::split(words, line, it, columns));
    for cell in cells {
        let words = line.words.get(cell.start..cell.end).unwrap_or_default();
        let (from, to) = column_of(columns, cell.x0, cell.x1);
        match out.last_mut() {
            Some(last) if from < last.column.saturating_add(last.span) => {
                if let Some(line) = last.lines.last_mut() {
                    line.extend_from_slice(words);
                }
                let end = to.saturating_add(1).saturating_sub(last.column);
                last.span = last.span.max(end);
            }
            _ => out.push(Draft {
                column: from,
                span: to.saturating_sub(from).saturating_add(1),
                height: 1,
                lines: vec![words.to_vec()],
            }),
        }
    }
    out
}

/// Whether each cell starts with a bullet, as on slides whose cells are lists.
fn are_lists(words: &[Word], rows: &[Vec<Draft>]) -> bool {
    let mut some = false;
    let mut cells = rows.iter().flatten().filter(|it| !it.lines.is_empty());
    cells.all(|it| {
        some = true;
        let first = it.lines.first().and_then(|it| it.first());
        let word = first.and_then(|it| words.get(*it));
        word.is_some_and(|it| marker::is_strong_bullet(&it.text))
            && it.lines.iter().map(Vec::len).sum::<usize>() > 1
    }) && some
}

/// Composes the text of a table.
pub fn compose(ink: &Ink<'_>, rows: &[Vec<Draft>], columns: usize) -> model::Table {
    // Bold text in the first row is its format as a header.
    let mut out = model::Table::default();
    // The rows that cells above still cover, for each column.
    let mut covered: Vec<usize> = vec![0; columns];
    let lists = are_lists(ink.words, rows);
    for (index, row) in rows.iter().enumerate() {
        let mut cells = Vec::new();
        let mut column = 0;
        let mut drafts = row.iter().peekable();
        while column < columns {
            if let Some(rest) = covered.get_mut(column).filter(|it| **it > 0) {
                *rest = rest.saturating_sub(1);
                column = column.saturating_add(1);
                continue;
            }
            let draft = drafts.next_if(|it| it.column <= column);
            let mut cell = draft.map_or_else(blank, |it| cell(ink, it, (index == 0, lists)));
            cell.columns = cell.columns.min(columns.saturating_sub(column)).max(1);
            for rest in covered.iter_mut().skip(column).take(cell.columns) {
                *rest = cell.rows.saturating_sub(1);
            }
            column = column.saturating_add(cell.columns);
            cells.push(cell);
        }
        // A cell above may cover the place of a cell. Its text is not lost.
        let rest = drafts.filter(|it| !it.lines.is_empty());
        cells.extend(rest.map(|it| cell(ink, it, (index == 0, lists))));
        out.rows.push(cells);
    }
    out
}

/// A cell without text.
fn blank() -> model::Cell {
    model::Cell {
        blocks: Vec::new(),
        ..model::Cell::text("")
    }
}

/// A cell with its text. It may be in the header, and it may start with the mark of a list.
fn cell(ink: &Ink<'_>, draft: &Draft, (is_head, is_list): (bool, bool)) -> model::Cell {
    let mut lines: Vec<&[usize]> = draft.lines.iter().map(Vec::as_slice).collect();
    if let Some(first) = lines.first_mut().filter(|_| is_list) {
        *first = first.get(1..).unwrap_or_default();
    }
    let mut content = text::compose(ink, &lines, is_head);
    leaders::trim(&mut content);
    let mut cell = blank();
    if !content.is_empty() {
        cell.blocks.push(model::Block::Paragraph(content));
    }
    cell.columns = draft.span.max(1);
    cell.rows = draft.height.max(1);
    cell
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;
    use std::cell::Cell as Work;

    #[test]
    fn no_text_of_a_cell_is_lost() {
        let word = |text: &str| Word {
            text: text.to_owned(),
            chars: text.len(),
            ..Word::default()
        };
        let words = [word("high"), word("a"), word("b"), word("c")];
        let cell = |column, height, index: usize| Draft {
            column,
            span: 1,
            height,
            lines: vec![vec![index]],
        };
        // The first cell covers the place of another one.
        let rows = [
            vec![cell(0, 2, 0), cell(1, 1, 1)],
            vec![cell(0, 1, 2), cell(1, 1, 3)],
        ];
        let ink = Ink {
            words: &words,
            known: &[],
            links: &[],
        };
        let table = compose(&ink, &rows, 2);
        let counts: Vec<usize> = table.rows.iter().map(Vec::len).collect();
        assert_eq!(counts, [2, 2]);
        let last = table.rows.last().and_then(|row| row.last());
        assert_eq!(last.map(|it| it.blocks.len()), Some(1));
    }

    #[test]
    fn the_search_ends_when_its_work_is_used_up() {
        let mut words = Vec::new();
        for (row, y) in [100.0, 112.0, 124.0, 136.0].into_iter().enumerate() {
            for (column, x) in [50.0, 150.0, 250.0].into_iter().enumerate() {
                words.push(Word {
                    text: "cell".to_owned(),
                    x0: x,
                    x1: x + 20.0,
                    y,
                    size: 10.0,
                    chars: 4,
                    order: row * 3 + column,
                    ..Word::default()
                });
            }
        }
        let indices = (0..words.len()).collect();
        let lines = lines::lines(&mut words, indices);
        let find = |work: usize| {
            let work = Work::new(work);
            let around = Around {
                words: &words,
                breaks: &[false; 4],
                edges: &[],
                body: 10.0,
                sides: (50.0, 270.0),
                work: &work,
            };
            (find(&lines, &around).map(|it| it.lines), work.get())
        };
        let (found, rest) = find(1000);
        assert_eq!(found, Some(4));
        assert!(rest < 1000);
        assert_eq!(find(1000 - rest - 1), (None, 0));
    }
}
