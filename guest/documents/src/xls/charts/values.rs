//! Cells → the values of a series.

use super::areas::Area;
use super::{Series, Source};
use crate::chart::{self, Points};
use crate::limits;
use crate::workbook::{Cell, Range, Rows, Value, Window};

/// The workbook from which the values of charts are read, and the number of cells that they may use.
pub trait Book {
    /// The rectangle around the cells of a sheet with a value. `None` if the sheet cannot be read.
    fn used(&mut self, sheet: usize) -> Option<Range>;

    /// Reads cells of a sheet.
    fn cells(&mut self, sheet: usize, window: &Window) -> Rows;

    /// The number of cells that may be read.
    fn left(&mut self) -> &mut usize;
}

/// Reads the values of a series.
pub fn series(source: &Series, book: &mut impl Book) -> chart::Series {
    let first = source.values.areas.as_deref().and_then(<[Area]>::first);
    let by_rows = first.is_none_or(|area| area.range.first_column == area.range.last_column);
    let name = points(&source.name, None, book).into_values();
    let name = name.collect::<Vec<_>>().join(" ");
    let name = if name.is_empty() {
        &source.title
    } else {
        &name
    };
    let categories = points(&source.categories, Some(by_rows), book);
    let mut values = vec![points(&source.values, None, book)];
    let sizes = points(&source.sizes, None, book);
    if !sizes.is_empty() {
        values.push(sizes);
    }
    chart::Series {
        name: name.split_whitespace().collect::<Vec<_>>().join(" "),
        categories,
        values,
    }
}

/// Reads the values of a part. For categories, `by_rows` tells whether each row is a point, whose
/// cells are levels from the outermost one.
fn points(source: &Source, by_rows: Option<bool>, book: &mut impl Book) -> Points {
    let mut found = Points::new();
    let mut start = 0_usize;
    for area in source.areas.iter().flatten() {
        if start > limits::CHART_POINTS {
            break;
        }
        let range = area.range;
        let is_list = range.first_row == range.last_row || range.first_column == range.last_column;
        match by_rows.filter(|_| !is_list) {
            Some(by_rows) => levels(area, by_rows, start, &mut found, book),
            None => list(area, start, &mut found, book),
        }
        let size = match by_rows.filter(|_| !is_list) {
            Some(true) => height(&range),
            Some(false) => width(&range),
            None => height(&range).saturating_mul(width(&range)),
        };
        start = start.saturating_add(size);
    }
    if found.is_empty() {
        // Cells of other workbooks, and those that were deleted.
        let size = |points: &Points| points.values().map(|text| cost(text)).sum::<usize>();
        let left = book.left();
        if *left >= size(&source.copy) {
            *left = left.saturating_sub(size(&source.copy));
            found.clone_from(&source.copy);
        } else {
            *left = 0;
        }
    }
    found
}

fn height(range: &Range) -> usize {
    let count = range.last_row.saturating_sub(range.first_row);
    usize::try_from(count)
        .unwrap_or(usize::MAX)
        .saturating_add(1)
}

fn width(range: &Range) -> usize {
    let count = range.last_column.saturating_sub(range.first_column);
    usize::try_from(count)
        .unwrap_or(usize::MAX)
        .saturating_add(1)
}

/// The number of cells as which a text counts. Most are short.
fn cost(text: &str) -> usize {
    text.len().saturating_div(64).saturating_add(1)
}

/// Calls `each` for the cells of an area with their row and column, from 0, in the area.
fn cells(area: &Area, book: &mut impl Book, mut each: impl FnMut(usize, usize, String)) {
    let mut range = area.range;
    // One point more than is shown tells that points are left out.
    let most = u32::try_from(limits::CHART_POINTS).unwrap_or(u32::MAX);
    range.last_row = range.last_row.min(range.first_row.saturating_add(most));
    range.last_column = range
        .last_column
        .min(range.first_column.saturating_add(most));
    let Some(used) = book.used(area.sheet).filter(|_| *book.left() > 0) else {
        return;
    };
    range.last_row = range.last_row.min(used.last_row);
    if range.last_row < range.first_row {
        return;
    }
    let window = Window {
        range,
        formulas: false,
        cells: *book.left(),
    };
    let rows = book.cells(area.sheet, &window);
    // Rows are searched even if they have no such cell.
    let mut spent = (height(&range) / 2).saturating_add(1);
    for row in &rows.rows {
        for cell in &row.cells {
            let text = text(cell);
            spent = spent.saturating_add(cost(&text));
            let place = |at: u32, first: u32| usize::try_from(at.saturating_sub(first));
            if let (Ok(row), Ok(column)) = (
                place(row.number, range.first_row),
                place(cell.column, range.first_column),
            ) {
                each(row, column, text);
            }
        }
    }
    let left = book.left();
    *left = left.saturating_sub(spent);
}

/// Reads cells one after the other.
fn list(area: &Area, start: usize, found: &mut Points, book: &mut impl Book) {
    let width = width(&area.range);
    cells(area, book, |row, column, text| {
        if found.len() <= limits::CHART_POINTS {
            let at = row.saturating_mul(width).saturating_add(column);
            found.insert(start.saturating_add(at), text);
        }
    });
}

/// Reads categories of several levels. An outer level goes on until its next value.
fn levels(area: &Area, by_rows: bool, start: usize, found: &mut Points, book: &mut impl Book) {
    let count = if by_rows {
        width(&area.range)
    } else {
        height(&area.range)
    };
    let mut all: Vec<Points> = (0..count.min(8)).map(|_| Points::new()).collect();
    cells(area, book, |row, column, text| {
        let (point, level) = if by_rows {
            (row, column)
        } else {
            (column, row)
        };
        if let Some(level) = all.get_mut(level) {
            level.insert(point, text);
        }
    });
    let Some((inner, outer)) = all.split_last() else {
        return;
    };
    for (point, name) in inner.iter().take(limits::CHART_POINTS.saturating_add(1)) {
        let mut path = Vec::new();
        for level in outer {
            if let Some((_, name)) = level.range(..=*point).next_back() {
                path.push(name.as_str());
            }
        }
        path.push(name);
        found.insert(start.saturating_add(*point), path.join(" / "));
    }
}

/// Returns the text of a value, as charts of other formats show it.
fn text(cell: &Cell) -> String {
    match &cell.value {
        Value::Number(number) => {
            let is_percentage = cell.shown.as_deref().is_some_and(|it| it.ends_with('%'));
            let format = if is_percentage { "%" } else { "" };
            chart::number(&number.to_string(), format)
        }
        Value::Text(text) => {
            let end = text.floor_char_boundary(limits::METADATA_BYTES.min(text.len()));
            text.get(..end).unwrap_or_default().trim().to_owned()
        }
        value => value.plain(),
    }
}
