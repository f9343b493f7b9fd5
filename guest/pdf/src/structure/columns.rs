//! The columns of a tagged table by the positions of its cells. Programs leave out empty cells, write cells in another
//! order, or tag several cells as one.

use crate::extremes::Extremes as _;
use crate::limits;

/// The left and the right side of the text of a cell. `None` if it is empty.
pub type Extent = Option<(f32, f32)>;

/// A cell by its tags, and its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// The number of columns.
    pub columns: usize,
    /// The number of rows.
    pub rows: usize,
    /// The sides of its text.
    pub extent: Extent,
}

impl Shape {
    fn is_simple(&self) -> bool {
        self.columns == 1 && self.rows == 1
    }
}

/// The columns of a table.
#[derive(Clone, Debug)]
pub struct Columns {
    /// The sides of the text of each column, in the order of the columns.
    sides: Vec<(f32, f32)>,
    from_right: bool,
}

/// The part of the width of a text which is in a column.
const WITHIN: f32 = 0.5;

impl Columns {
    /// The columns of a table, by its rows that have a text in each of them. `from_right` tells whether the first column is
    /// at the right.
    pub fn of(rows: &[Vec<Shape>], from_right: bool) -> Option<Self> {
        let width = width(rows);
        if !(2..=limits::TAGGED_COLUMNS).contains(&width) {
            return None;
        }
        let mut sides: Vec<Extent> = vec![None; width];
        for row in rows.iter().filter(|row| row.len() == width) {
            let mut own: Vec<(f32, f32)> = row
                .iter()
                .filter(|it| it.is_simple())
                .filter_map(|it| it.extent)
                .collect();
            own.sort_by(|a, b| a.0.total_cmp(&b.0));
            let apart = own.windows(2).all(|it| match it {
                [a, b] => a.1 < b.0,
                _ => true,
            });
            if own.len() != width || !apart {
                continue;
            }
            if from_right {
                own.reverse();
            }
            for (side, one) in sides.iter_mut().zip(own) {
                *side = match *side {
                    Some(all) => Some((all.0.lesser(one.0), all.1.greater(one.1))),
                    None => Some(one),
                };
            }
        }
        let sides: Vec<(f32, f32)> = sides.into_iter().collect::<Option<_>>()?;
        let apart = sides.windows(2).all(|it| match it {
            [a, b] if from_right => b.1 < a.0,
            [a, b] => a.1 < b.0,
            _ => true,
        });
        apart.then_some(Self { sides, from_right })
    }

    /// Whether the first column is at the right.
    pub fn is_from_right(&self) -> bool {
        self.from_right
    }

    /// The number of columns.
    pub fn count(&self) -> usize {
        self.sides.len()
    }

    /// The columns in which parts of a text are.
    pub fn covered(&self, (x0, x1): (f32, f32)) -> Vec<usize> {
        let covers = |it: &(f32, f32)| x0 < it.1 && x1 > it.0;
        let own = self.sides.iter().enumerate().filter(|it| covers(it.1));
        own.map(|it| it.0).collect()
    }

    /// The middle of the white between a column and the next one on the page.
    pub fn between(&self, column: usize, next: usize) -> Option<f32> {
        let (a, b) = (self.sides.get(column)?, self.sides.get(next)?);
        Some(if a.0 < b.0 {
            0.5 * (a.1 + b.0)
        } else {
            0.5 * (b.1 + a.0)
        })
    }

    /// The column of a text, and whether most of the text is in it.
    fn nearest(&self, (x0, x1): (f32, f32)) -> Option<(usize, bool)> {
        let common = |it: &(f32, f32)| x1.lesser(it.1) - x0.greater(it.0);
        let best = self
            .sides
            .iter()
            .enumerate()
            .max_by(|a, b| common(a.1).total_cmp(&common(b.1)))?;
        Some((best.0, common(best.1) > WITHIN * (x1 - x0)))
    }

    /// The column of each cell of a row with text by their positions, if the tags say others. `occupied` tells which
    /// columns have a cell of a row above.
    pub fn moved(&self, row: &[Shape], occupied: &[bool]) -> Option<Vec<usize>> {
        let tagged = tagged(row, occupied);
        let total: usize = row.iter().map(|it| it.columns).sum();
        let blocked = occupied.iter().filter(|it| **it).count();
        let short = total.saturating_add(blocked) < self.count();
        let filled = row.iter().filter(|it| it.extent.is_some()).count();
        let mut contradicts = false;
        let mut out = Vec::with_capacity(row.len());
        for (shape, tagged) in row.iter().zip(&tagged) {
            let Some(extent) = shape.extent else {
                if shape.rows > 1 {
                    return None;
                }
                out.push(usize::MAX);
                continue;
            };
            let covered = self.covered(extent);
            let end = tagged.saturating_add(shape.columns);
            let own = covered.iter().any(|it| (*tagged..end).contains(it));
            let title = filled == 1 && covered.len() > 1;
            if own || title || covered.is_empty() && !short {
                // A title is over several columns.
                out.push(*tagged);
                continue;
            }
            let (nearest, within) = self.nearest(extent)?;
            if shape.columns > 1 {
                return None;
            }
            contradicts |= within;
            out.push(nearest);
        }
        let placed = |it: &(&Shape, &usize)| it.0.extent.is_some();
        let mut taken = occupied.to_vec();
        taken.resize(self.count(), false);
        for (shape, column) in row.iter().zip(&out).filter(placed) {
            for at in *column..column.saturating_add(shape.columns) {
                let place = taken.get_mut(at).filter(|it| !**it)?;
                *place = true;
            }
        }
        contradicts.then_some(out)
    }
}

/// The columns of the cells of a row by their tags.
fn tagged(row: &[Shape], occupied: &[bool]) -> Vec<usize> {
    let is_free = |at: usize| !occupied.get(at).copied().unwrap_or(false);
    let mut at: usize = 0;
    let mut out = Vec::with_capacity(row.len());
    for shape in row {
        while !is_free(at) {
            at = at.saturating_add(1);
        }
        out.push(at);
        at = at.saturating_add(shape.columns);
    }
    out
}

/// The number of columns by the tags.
fn width(rows: &[Vec<Shape>]) -> usize {
    let own = rows
        .iter()
        .map(|row| row.iter().map(|it| it.columns).sum::<usize>());
    own.max().unwrap_or_default()
}

/// The columns that cells of rows above cover, while rows are read from the top.
#[derive(Clone, Debug, Default)]
pub struct Above {
    /// The number of rows that each column is still covered.
    rest: Vec<usize>,
}

impl Above {
    /// Whether each column is covered.
    pub fn occupied(&self) -> Vec<bool> {
        self.rest.iter().map(|it| *it > 0).collect()
    }

    /// Goes on to the next row. `columns` has the columns of the cells of this row.
    pub fn next(&mut self, row: &[Shape], columns: &[usize]) {
        for it in &mut self.rest {
            *it = it.saturating_sub(1);
        }
        for (shape, column) in row.iter().zip(columns) {
            if shape.rows < 2 || *column == usize::MAX {
                continue;
            }
            let end = column.saturating_add(shape.columns);
            if self.rest.len() < end {
                self.rest.resize(end, 0);
            }
            for it in self.rest.get_mut(*column..end).unwrap_or_default() {
                *it = (*it).max(shape.rows.saturating_sub(1));
            }
        }
    }
}

/// Places the cells of rows by their positions. Returns the columns of the cells of each row that is to be changed.
pub fn moves(columns: &Columns, rows: &[Vec<Shape>]) -> Vec<Option<Vec<usize>>> {
    let mut above = Above::default();
    let mut out = Vec::with_capacity(rows.len());
    for row in rows {
        let occupied = above.occupied();
        let moved = columns.moved(row, &occupied);
        let own = match &moved {
            Some(columns) => columns.clone(),
            None => tagged(row, &occupied),
        };
        above.next(row, &own);
        out.push(moved);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(place: Option<usize>) -> Shape {
        let x = |it: usize| 100.0 * f32::from(u16::try_from(it).unwrap());
        Shape {
            columns: 1,
            rows: 1,
            extent: place.map(|it| (x(it), x(it) + 40.0)),
        }
    }

    fn row(places: &[usize]) -> Vec<Shape> {
        places.iter().map(|it| cell(Some(*it))).collect()
    }

    #[test]
    fn cells_in_another_column_than_their_position_are_moved() {
        let mut rows = vec![row(&[0, 1, 2, 3]), row(&[0, 3])];
        rows[1].extend([cell(None), cell(None)]);
        let columns = Columns::of(&rows, false).unwrap();
        let moves = moves(&columns, &rows);
        assert_eq!(moves, [None, Some(vec![0, 3, usize::MAX, usize::MAX])]);
    }

    #[test]
    fn cells_in_the_reverse_order_are_turned_unless_the_table_is_from_the_right() {
        let rows = [row(&[2, 1, 0]), row(&[0, 1, 2])];
        let columns = Columns::of(&rows, false).unwrap();
        assert_eq!(moves(&columns, &rows), [Some(vec![2, 1, 0]), None]);
        let rows = [row(&[2, 1, 0]), row(&[2, 1, 0])];
        let columns = Columns::of(&rows, true).unwrap();
        assert_eq!(moves(&columns, &rows), [None, None]);
    }

    #[test]
    fn columns_of_cells_over_several_rows_are_occupied() {
        let mut rows = vec![row(&[0, 1, 2]), row(&[0, 1, 2]), row(&[1, 2])];
        rows[1][0].rows = 2;
        let columns = Columns::of(&rows, false).unwrap();
        assert_eq!(moves(&columns, &rows), [None, None, None]);
    }
}
