//! Cells over several columns: heads with a line below them, and cells that are no part of the cells beside them.

use super::draft::{Around, Draft};
use super::lines::{Cell, Line};
use super::strokes::Stroke;
use super::{limits, values};
use crate::extremes::Extremes as _;

/// The depth of letters below the baseline in font sizes. An edge above it underlines the text.
const DEPTH: f32 = 0.1;

/// The part of the font size from the baseline of a line up to its middle. An edge below it is not above the line.
const MIDDLE: f32 = 0.3;

/// The part of the font size by which a text may be outside of the line below it.
const OUTSIDE: f32 = 0.5;

/// The maximum number of edges between two lines.
const EDGES: usize = 64;

/// The distance of lines below which they are cells in the middle of one row, in font sizes.
const IN_ROW: f32 = 0.95;

/// The distance of the middles of a text and of the columns that it is over, in font sizes.
const CENTRED: f32 = 1.5;

/// The distance of a head from the heads below it in font sizes.
const HEAD_STEP: f32 = 3.0;

/// The size below which a line is a remark on the row above, relative to it.
const REMARK: f32 = 0.93;

/// The distance of the starts of a text and of the cell that it goes on, in font sizes.
const SAME_START: f32 = 0.2;

/// Whether a line may go on a cell of the line above: it starts where the cell does, or is small.
fn goes_on(above: &Line, line: &Line) -> bool {
    let near = |it: &Cell| (it.x0 - line.x0).abs() < SAME_START * line.size;
    line.size < REMARK * above.size || line.cells.len() < 2 && above.cells.iter().any(near)
}

/// Starts a row at each line that is no part of the cells above it.
pub fn separate(starts: &mut [bool], lines: &[Line], drafts: &[Vec<Draft>]) {
    let size = lines.iter().map(|it| it.size).fold(0.0, f32::greater);
    let pairs = lines.windows(2).zip(drafts.windows(2));
    for (start, pair) in starts.iter_mut().skip(1).zip(pairs) {
        if let ([above, line], [cells, own]) = pair {
            let apart = line.y - above.y >= IN_ROW * size && !goes_on(above, line);
            *start |= apart && bridges(cells, own);
        }
    }
}

/// Whether the cells of a line are over several cells of the other one each, so that they are no part of them. A line
/// in the middle of a cell may touch the text of the next cell: only a line with one cell is such a line below others.
fn bridges(above: &[Draft], line: &[Draft]) -> bool {
    let over = |wide: &[Draft], other: &[Draft]| {
        let mut some = false;
        let mut wide = wide.iter().filter(|it| it.span > 1);
        wide.all(|it| {
            some = true;
            let first = other.partition_point(|other| other.column < it.column);
            let end = it.column.saturating_add(it.span);
            let next = other.get(first.saturating_add(1));
            next.is_some_and(|it| it.column < end)
        }) && some
    };
    over(above, line) || line.len() == 1 && over(line, above)
}

/// Whether the first of some lines is a head over several columns of the next line: a line between both covers some of its
/// cells, but not the labels of the rows.
pub fn is_over(lines: &[Line], edges: &[Stroke]) -> bool {
    let [head, row, next, ..] = lines else {
        return false;
    };
    let size = head.size;
    if head.cells.len() > 1
        || row.y - head.y > HEAD_STEP * size
        || !(2..=limits::COLUMNS).contains(&row.cells.len())
        || next.cells.len() < row.cells.len()
    {
        return false;
    }
    let first = edges.partition_point(|it| it.at < head.y);
    let between = edges.iter().skip(first).take(EDGES);
    let mut between = between.take_while(|it| it.at < row.y - 0.5 * row.size);
    between.any(|edge| {
        let inside = |it: &&Cell| it.x0 > edge.start - size && it.x1 < edge.end + size;
        let off = 0.5 * (edge.start + edge.end - head.x0 - head.x1);
        head.x0 > edge.start
            && head.x1 < edge.end
            && off.abs() < size
            && next.x0 < edge.start - size
            && row.cells.iter().filter(inside).count() >= 2
    })
}

/// The first of the lines of a head, of which the last one is over a line as wide as the table. Those before it are over
/// lines that cover some of the columns.
pub fn heads(lines: &[Line], edges: &[Stroke], sides: (f32, f32)) -> usize {
    let mut at = lines.len().saturating_sub(1);
    for pair in lines.windows(2).rev() {
        let [head, below] = pair else { continue };
        let size = below.size;
        let (from, to) = (head.y + DEPTH * size, below.y - MIDDLE * size);
        let first = edges.partition_point(|it| it.at < from);
        let between = || edges.iter().skip(first).take(EDGES);
        let between = || between().take_while(|it| it.at <= to);
        let slack = OUTSIDE * size;
        let partial = |it: &Stroke| it.end - it.start < sides.1 - sides.0 - size;
        let over = |cell: &Cell| {
            let covers = |it: &Stroke| it.start < cell.x0 + slack && it.end > cell.x1 - slack;
            between().any(|it| partial(it) && covers(it))
        };
        let near = below.y - head.y < HEAD_STEP * size && head.size < size + slack;
        if !near || between().any(|it| !partial(it)) || !head.cells.iter().any(over) {
            break;
        }
        at = at.saturating_sub(1);
    }
    at
}

/// Gives a head the columns of the line below it, or those that it is in the middle of. They may be more than those that
/// its text is over.
pub fn widen(
    drafts: &mut [Vec<Draft>],
    lines: &[Line],
    columns: &[(f32, f32)],
    around: &Around<'_>,
) {
    for (index, pair) in lines.windows(2).enumerate() {
        let ([line, next], Some(below)) = (pair, drafts.get(index.saturating_add(1))) else {
            continue;
        };
        let found: Vec<(usize, usize, usize)> = drafts
            .get(index)
            .into_iter()
            .flatten()
            .enumerate()
            .filter_map(|(place, draft)| {
                let above = index.checked_sub(1).and_then(|it| lines.get(it));
                let alone = drafts.get(index).is_some_and(|it| it.len() == 1)
                    && above.is_none_or(|it| !goes_on(it, line));
                let (column, span) = underline(draft, (line, next), columns, around)
                    .or_else(|| alone.then(|| centred(draft, line, columns)).flatten())?;
                let end = column.saturating_add(span);
                let first = below.partition_point(|it| it.column < column);
                let heads = below.get(first..)?.iter();
                let heads = heads.take_while(|it| it.column < end).count();
                (heads > 1).then_some((place, column, span))
            })
            .collect();
        let Some(row) = drafts.get_mut(index) else {
            continue;
        };
        for (place, column, span) in found {
            let end = column.saturating_add(span);
            let before = place.checked_sub(1).and_then(|it| row.get(it));
            let free = before.is_none_or(|it| it.column.saturating_add(it.span) <= column)
                && row
                    .get(place.saturating_add(1))
                    .is_none_or(|it| end <= it.column);
            if let Some(draft) = row.get_mut(place).filter(|_| free) {
                (draft.column, draft.span) = (column, span);
            }
        }
    }
}

/// The columns after the first one, if a text is in their middle.
fn centred(draft: &Draft, line: &Line, columns: &[(f32, f32)]) -> Option<(usize, usize)> {
    let (first, last) = (columns.get(1)?, columns.last()?);
    let off = 0.5 * (line.x0 + line.x1) - 0.5 * (first.0 + last.1);
    let wider = draft.column > 0 && draft.span > 1 && off.abs() < CENTRED * line.size;
    wider.then_some((1, columns.len().saturating_sub(1)))
}

/// The first column and the number of the columns of the line below a text. `None` if they are those of the text, or
/// all columns.
fn underline(
    draft: &Draft,
    (line, next): (&Line, &Line),
    columns: &[(f32, f32)],
    around: &Around<'_>,
) -> Option<(usize, usize)> {
    let words = || draft.lines.iter().flatten();
    let words = || words().filter_map(|it| around.words.get(*it));
    let x0 = words().map(|it| it.x0).fold(f32::MAX, f32::lesser);
    let x1 = words().map(|it| it.x1).fold(f32::MIN, f32::greater);
    let (from, to) = (line.y + DEPTH * line.size, next.y - MIDDLE * next.size);
    let first = around.edges.partition_point(|it| it.at < from);
    let slack = OUTSIDE * line.size;
    let edge = around
        .edges
        .iter()
        .skip(first)
        .take(EDGES)
        .take_while(|it| it.at <= to)
        .find(|it| it.start < x0 + slack && it.end > x1 - slack)?;
    let own = |it: &(f32, f32)| {
        let middle = 0.5 * (it.0 + it.1);
        middle > edge.start && middle < edge.end
    };
    let column = columns.iter().position(own)?;
    let span = columns.iter().skip(column).take_while(|it| own(it)).count();
    let wider = column <= draft.column
        && draft.column.saturating_add(draft.span) <= column.saturating_add(span)
        && (span > draft.span)
        && span < columns.len();
    let mut text = words().map(|it| it.text.as_str());
    (wider && !text.all(values::is_value)).then_some((column, span))
}
