//! The cells of a table, which may span rows and columns, as a table in Markdown.
//!
//! The text of a cell is repeated in each position that the cell spans, so that each row can be read alone.

use super::{images, row};
use crate::limits;

/// The number of bytes that a cell adds to its text in Markdown: a bar.
const CELL_BYTES: usize = 1;

/// The number of bytes that the repeated text of spanning cells may still add to a document.
#[derive(Debug)]
pub struct Budget {
    bytes: usize,
    /// The bytes that are kept for positions without text, so that the cells after them stay in their
    /// columns.
    reserve: usize,
    /// Whether spans were ignored because too much text was repeated.
    pub is_cut: bool,
}

impl Default for Budget {
    fn default() -> Self {
        Self::of(limits::REPEATED_DOCUMENT)
    }
}

impl Budget {
    /// A budget of this number of bytes.
    pub fn of(bytes: usize) -> Self {
        Self {
            bytes,
            reserve: bytes / 4,
            is_cut: false,
        }
    }

    /// Subtracts the bytes of a repeated cell. Returns its position, without text if there are not enough.
    /// `None` if there are not even enough for that.
    fn spend(&mut self, place: Place) -> Option<Place> {
        let rest = self
            .bytes
            .checked_sub(place.len().saturating_add(CELL_BYTES));
        match rest.filter(|rest| place.bytes == 0 || *rest >= self.reserve) {
            Some(rest) => {
                self.bytes = rest;
                Some(place)
            }
            None => {
                self.is_cut = true;
                self.bytes = self.bytes.checked_sub(CELL_BYTES)?;
                Some(Place::default())
            }
        }
    }
}

/// A position of the grid: a part of the text of all cells.
#[derive(Clone, Copy, Default)]
struct Place {
    start: u32,
    bytes: u32,
    /// Whether the text repeats that of the position on the left, with which it is merged.
    repeats: bool,
}

impl Place {
    fn len(self) -> usize {
        usize::try_from(self.bytes).unwrap_or(usize::MAX)
    }
}

/// A cell that covers rows below.
#[derive(Clone, Copy, Default)]
struct Covering {
    /// The number of rows that it still covers. 0 if the column has no such cell.
    rows: usize,
    place: Place,
}

/// The kind of the cells that start in a column of the grid.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Starts {
    /// No cell.
    #[default]
    Nothing,
    /// Cells without text.
    Blank,
    /// A cell with text.
    Text,
}

/// A table that is converted to Markdown row by row.
#[derive(Default)]
pub struct Grid {
    /// The texts of all cells, one after the other.
    text: String,
    /// The positions of all rows.
    places: Vec<Place>,
    /// For each row, the end of its positions.
    ends: Vec<usize>,
    /// The number of rows of the header.
    head: usize,
    in_head: bool,
    /// For each column, the cell above that covers it.
    above: Vec<Covering>,
    starts: Vec<Starts>,
    /// The number of cells with text.
    texts: usize,
    /// Whether a row is read.
    is_open: bool,
}

impl Grid {
    /// Ends the row that is read, and starts a group of rows, which no cell spans across. `in_head` is whether
    /// it is the header.
    pub fn group(&mut self, in_head: bool, budget: &mut Budget) {
        self.end_row(budget);
        self.in_head = in_head;
        self.above.clear();
    }

    /// Ends the row that is read, and starts a row.
    pub fn row(&mut self, budget: &mut Budget) {
        self.end_row(budget);
        self.is_open = true;
    }

    /// Ends the row that is read. One without cells is left out.
    fn end_row(&mut self, budget: &mut Budget) {
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        while self.above.pop_if(|above| above.rows == 0).is_some() {}
        while self.column() < self.above.len() {
            if self.push_covered(budget) {
                continue;
            }
            if budget.spend(Place::default()).is_none() {
                self.above.clear();
            }
            self.places.push(Place::default());
        }
        if self.column() == 0 {
            return;
        }
        let rows = self.ends.len();
        let in_head = self.in_head && self.head < limits::HEADER_ROWS && self.head == rows;
        if in_head || rows == 0 {
            self.head = self.head.saturating_add(1);
        }
        self.ends.push(self.places.len());
    }

    /// Adds a cell that spans these numbers of columns and rows.
    pub fn cell(&mut self, text: &str, columns: usize, rows: usize, budget: &mut Budget) {
        while self.push_covered(budget) {}
        let first = self.column();
        let starts = if text.is_empty() {
            Starts::Blank
        } else {
            Starts::Text
        };
        if self.starts.len() <= first {
            self.starts.resize(first.saturating_add(1), Starts::Nothing);
        }
        if let Some(own) = self.starts.get_mut(first) {
            *own = starts.max(*own);
        }
        self.texts = self.texts.saturating_add(usize::from(!text.is_empty()));
        let place = Place {
            start: u32::try_from(self.text.len()).unwrap_or(u32::MAX),
            bytes: u32::try_from(text.len()).unwrap_or(u32::MAX),
            repeats: false,
        };
        self.text.push_str(text);
        let positions = columns.saturating_mul(rows).saturating_sub(1);
        let is_short = text.len() <= limits::REPEATED_LABEL_BYTES
            || text.len().saturating_mul(positions) <= limits::REPEATED_BYTES;
        let mut repeated = if is_short { place } else { Place::default() };
        // An image is one thing: its link in other positions would be further images.
        if is_short
            && positions > 0
            && let Some(text) = images::without(text)
        {
            repeated = Place {
                start: u32::try_from(self.text.len()).unwrap_or(u32::MAX),
                bytes: u32::try_from(text.len()).unwrap_or(u32::MAX),
                repeats: false,
            };
            self.text.push_str(&text);
        }
        for n in 0..columns.clamp(1, limits::COLUMNS) {
            let column = self.column();
            if n > 0 && column >= limits::COLUMNS {
                break;
            }
            if n > 0 {
                let Some(left) = budget.spend(repeated) else {
                    self.above.clear();
                    break;
                };
                repeated = left;
            }
            let repeats = n > 0 && !text.is_empty();
            let covering = Covering {
                rows: rows.saturating_sub(1),
                place: Place {
                    repeats,
                    ..repeated
                },
            };
            if covering.rows > 0 && self.above.len() <= column {
                self.above
                    .resize(column.saturating_add(1), Covering::default());
            }
            // The cell may overlap one from above.
            if let Some(above) = self.above.get_mut(column) {
                *above = covering;
            }
            self.places.push(if n > 0 { covering.place } else { place });
        }
    }

    /// The position of the first cell of the row that is read.
    fn row_start(&self) -> usize {
        self.ends.last().copied().unwrap_or_default()
    }

    /// The column of the next cell.
    fn column(&self) -> usize {
        self.places.len().saturating_sub(self.row_start())
    }

    /// Adds the text of a cell above that covers the next position. Returns whether there is one.
    fn push_covered(&mut self, budget: &mut Budget) -> bool {
        let column = self.column();
        let Some(above) = self.above.get_mut(column).filter(|above| above.rows > 0) else {
            return false;
        };
        let Some(place) = budget.spend(above.place) else {
            self.above.clear();
            return false;
        };
        above.rows = above.rows.saturating_sub(1);
        self.places.push(place);
        true
    }

    /// The positions of each row.
    fn rows(&self) -> impl Iterator<Item = &[Place]> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let row = self.places.get(start..*end).unwrap_or_default();
            start = *end;
            row
        })
    }

    fn text(&self, place: Place) -> &str {
        let start = usize::try_from(place.start).unwrap_or(usize::MAX);
        let end = start.saturating_add(place.len());
        self.text.get(start..end).unwrap_or_default()
    }

    /// The table as lines of Markdown. It is empty if no cell has text.
    pub fn markdown(mut self, budget: &mut Budget) -> String {
        self.end_row(budget);
        if self.texts == 0 {
            return String::new();
        }
        let shown = Shown::of(&self);
        let is_shown = |row: &&[Place]| !shown.is_form || row.iter().any(|place| place.bytes > 0);
        let head: Vec<&[Place]> = self.rows().take(self.head).filter(is_shown).collect();
        let mut rows = self.rows().skip(self.head).filter(is_shown);
        let width = shown.columns.iter().filter(|column| **column).count();
        let count = self.rows().filter(is_shown).count();
        // Short rows are valid. One wide row must not make all others wide.
        let is_padded =
            width.saturating_mul(count) <= self.places.len().saturating_mul(4).max(10_000);
        let mut out = String::with_capacity(self.text.len().saturating_mul(2));
        if head.len() > 1 {
            self.merged(&head, &shown, &mut out);
        } else {
            let first = head.first().copied().or_else(|| rows.next());
            self.line(first.unwrap_or_default(), &shown, width, &mut out);
        }
        out.push('\n');
        row::rule(width, &mut out);
        for cells in rows {
            out.push('\n');
            self.line(cells, &shown, if is_padded { width } else { 0 }, &mut out);
        }
        out
    }

    /// Appends a row of at least `width` cells.
    fn line(&self, cells: &[Place], shown: &Shown, width: usize, out: &mut String) {
        out.push('|');
        let mut count = 0_usize;
        for place in shown.of_row(cells) {
            let is_blank = place.repeats && !shown.repeats;
            row::cell(if is_blank { "" } else { self.text(*place) }, out);
            count = count.saturating_add(1);
        }
        for _ in count..width {
            row::cell("", out);
        }
    }

    /// Appends the rows of a header as one row. The texts of each column are joined with ` / `.
    fn merged(&self, rows: &[&[Place]], shown: &Shown, out: &mut String) {
        let mut columns: Vec<Vec<&str>> = vec![Vec::new(); shown.columns.len()];
        for row in rows {
            for (place, texts) in row.iter().zip(&mut columns) {
                let text = self.text(*place);
                // A cell that spans rows has the same text in each, and its images in the first.
                let is_last = |last: &&str| {
                    *last == text || images::without(last).is_some_and(|last| last == text)
                };
                if !text.is_empty() && !texts.last().is_some_and(is_last) {
                    texts.push(text);
                }
            }
        }
        out.push('|');
        for (texts, is_shown) in columns.iter().zip(&shown.columns) {
            if *is_shown {
                row::cell(&texts.join(" / "), out);
            }
        }
    }
}

/// The parts of a grid that are shown: those that merged cells do not repeat without a use.
struct Shown {
    columns: Vec<bool>,
    /// Whether columns repeat the text of the cell on their left, with which they are merged.
    repeats: bool,
    is_form: bool,
}

impl Shown {
    /// A column in which no cell starts is left out: programs divide the columns of a table to place cells,
    /// so that each cell may cover several. In forms, most positions repeat the cell on their left. There, a
    /// column in which only empty cells start and an empty row are left out as well, and the other columns
    /// do not repeat texts if most positions still would.
    fn of(grid: &Grid) -> Self {
        let width = grid.rows().map(<[Place]>::len).max().unwrap_or_default();
        let mut columns: Vec<(Starts, usize)> = grid.starts.iter().map(|it| (*it, 0)).collect();
        columns.resize(width, (Starts::Nothing, 0));
        for row in grid.rows() {
            for (place, (_, repeated)) in row.iter().zip(&mut columns) {
                *repeated = repeated.saturating_add(usize::from(place.repeats));
            }
        }
        let repeated = |columns: &[(Starts, usize)]| {
            let shown = columns
                .iter()
                .filter(|(starts, _)| *starts != Starts::Nothing);
            shown.fold(0, |sum: usize, (_, count)| sum.saturating_add(*count))
        };
        let is_form = repeated(&columns) >= grid.texts.max(1);
        if is_form {
            for (starts, count) in &mut columns {
                if *starts == Starts::Blank && *count > 0 {
                    *starts = Starts::Nothing;
                }
            }
        }
        Self {
            repeats: !is_form || repeated(&columns) < grid.texts,
            is_form,
            columns: columns
                .iter()
                .map(|(starts, _)| *starts != Starts::Nothing)
                .collect(),
        }
    }

    /// The positions of a row that are shown.
    fn of_row<'r>(&self, row: &'r [Place]) -> impl Iterator<Item = &'r Place> {
        let places = row.iter().zip(&self.columns);
        places.filter_map(|(place, is_shown)| is_shown.then_some(place))
    }
}
