//! Rows of ruled tables that no line separates: lines of the cells of a band that are at the same heights.
//!
//! A band is what is between two horizontal lines. A line of text starts a row if it has values such as numbers, and a
//! label. Texts are rows if the next line of each would have had space in the line.

use super::values;
use crate::extremes::Extremes as _;
use std::collections::BTreeMap;

/// The text of a cell at a height.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// The characters.
    pub content: String,
    /// The left end.
    pub x0: f32,
    /// The right end.
    pub x1: f32,
    /// The width of its first word.
    pub first: f32,
}

/// The texts of a band that are at one height.
#[derive(Clone, Debug, Default)]
pub struct Height {
    /// The baseline.
    pub y: f32,
    /// The size of the letters.
    pub size: f32,
    /// The texts by their columns.
    pub cells: BTreeMap<usize, Text>,
}

/// What is known of a band.
#[derive(Clone, Debug, Default)]
pub struct Band<'a> {
    /// The heights, from the top.
    pub heights: Vec<Height>,
    /// The sides of the columns.
    pub sides: Vec<(f32, f32)>,
    /// Whether it may have a header: it is the first band.
    pub head: bool,
    /// Whether it is the only band.
    pub only: bool,
    /// The lines of the header above the band.
    pub header: &'a [Height],
}

/// The distance of heights below which they are of one row, in font sizes.
const IN_ROW: f32 = 0.95;

/// The width of a space in font sizes.
const SPACE: f32 = 0.3;

/// The number of rows without labels from which they are rows of one label.
const SUB_ROWS: usize = 3;

/// The number of lines from which half of them may fill the cell, and still be rows.
const MANY: usize = 5;

/// The number of columns of text that show that two lines are rows.
const TEXT_COLUMNS: usize = 3;

/// The number of lines from which marks, or single words in all columns but one, show that they are rows.
const MARKED: usize = 3;

/// The number of characters of a mark at most.
const MARK: usize = 2;

/// Tells for each height whether it starts a row. `None` if the band is one row.
pub fn starts(band: &Band<'_>) -> Option<Vec<bool>> {
    if band.heights.len() < 2 {
        return None;
    }
    let groups = groups(&band.heights);
    if groups.len() < 2 {
        return None;
    }
    let starts = values_start(band, &groups).or_else(|| texts_start(band, &groups))?;
    if starts.iter().filter(|it| **it).count() < 2 {
        return None;
    }
    let mut out = Vec::with_capacity(band.heights.len());
    for (group, start) in groups.iter().zip(starts) {
        out.push(start);
        out.extend(std::iter::repeat_n(false, group.count.saturating_sub(1)));
    }
    Some(out)
}

/// Heights that are so close that they are of one row.
struct Group {
    count: usize,
    cells: BTreeMap<usize, Text>,
    size: f32,
}

/// Joins heights that are close.
fn groups(heights: &[Height]) -> Vec<Group> {
    let mut out: Vec<Group> = Vec::new();
    let mut last: Option<&Height> = None;
    for height in heights {
        let near = last.is_some_and(|it| height.y - it.y < IN_ROW * height.size.greater(it.size));
        match out.last_mut() {
            Some(group) if near => {
                group.count = group.count.saturating_add(1);
                for (column, text) in &height.cells {
                    match group.cells.get_mut(column) {
                        Some(own) => {
                            own.content.push(' ');
                            own.content.push_str(&text.content);
                        }
                        None => {
                            group.cells.insert(*column, text.clone());
                        }
                    }
                }
            }
            _ => out.push(Group {
                count: 1,
                cells: height.cells.clone(),
                size: height.size,
            }),
        }
        last = Some(height);
    }
    out
}

/// The columns of a band.
struct Columns {
    /// Columns with values.
    values: Vec<usize>,
    /// Columns with texts at several heights.
    labels: Vec<usize>,
    /// Columns that have a text.
    filled: Vec<usize>,
}

/// What the columns of a band have.
fn columns(band: &Band<'_>, groups: &[Group]) -> Columns {
    let mut out = Columns {
        values: Vec::new(),
        labels: Vec::new(),
        filled: Vec::new(),
    };
    let mut loose = Vec::new();
    for column in 0..band.sides.len() {
        let texts = || groups.iter().filter_map(|it| it.cells.get(&column));
        let count = texts().count();
        if count > 0 {
            out.filled.push(column);
        }
        if count < 2 {
            continue;
        }
        // The first text may be the header.
        let skipped = usize::from(band.head && count > 2);
        let all = count.saturating_sub(skipped);
        let most = |test: &dyn Fn(&str) -> bool| {
            let own = texts().skip(skipped).filter(|it| test(&it.content)).count();
            let absent = texts()
                .skip(skipped)
                .filter(|it| values::is_absent(&it.content));
            own >= 2
                && own.saturating_add(absent.count()).saturating_mul(5) >= all.saturating_mul(4)
        };
        if most(&values::is_number) {
            out.values.push(column);
        } else if most(&values::is_value) {
            loose.push(column);
        } else {
            out.labels.push(column);
        }
    }
    if out.values.is_empty() {
        out.labels.extend(loose);
    } else {
        out.values.extend(loose);
    }
    out.labels.sort_unstable();
    out.values.sort_unstable();
    out
}

/// Whether the text of a column may go on in that of the next line: its first word has no space in the line, or it
/// does not start as a text.
fn wraps(width: Option<&f32>, (a, b): (&Text, &Text), size: f32) -> bool {
    values::goes_on(&a.content, &b.content)
        || width.is_none_or(|it| a.x1 - a.x0 + SPACE * size + b.first > *it)
}

/// The width that each column has for text: as much white is at its other side as at the one that its texts are closer to.
fn widths(band: &Band<'_>, groups: &[Group]) -> Vec<f32> {
    let mut white = vec![(f32::MAX, f32::MAX); band.sides.len()];
    let body = groups.iter().flat_map(|it| &it.cells);
    for (column, text) in body.chain(band.header.iter().flat_map(|it| &it.cells)) {
        if let (Some((x0, x1)), Some(white)) = (band.sides.get(*column), white.get_mut(*column)) {
            *white = (white.0.lesser(text.x0 - x0), white.1.lesser(x1 - text.x1));
        }
    }
    let width = |((x0, x1), white): (&(f32, f32), &(f32, f32))| {
        x1 - x0 - 2.0 * white.0.lesser(white.1).greater(0.0)
    };
    band.sides.iter().zip(&white).map(width).collect()
}

/// Tells for each line whether it starts a row, by the values in it. `None` if there are no values in several rows.
fn values_start(band: &Band<'_>, groups: &[Group]) -> Option<Vec<bool>> {
    let columns = columns(band, groups);
    let widths = widths(band, groups);
    if columns.values.is_empty() {
        return None;
    }
    let of =
        |group: &Group, all: &[usize]| all.iter().filter(|it| group.cells.contains_key(it)).count();
    let is_valued = |group: &Group| {
        let count = of(group, &columns.values);
        let values = columns.values.iter().filter_map(|it| group.cells.get(it));
        let real = values
            .filter(|it| values::is_value(&it.content) || values::is_absent(&it.content))
            .count();
        real.saturating_mul(2) >= count
            && (count.saturating_mul(2) >= columns.values.len() || of(group, &columns.labels) > 0)
            && count > 0
    };
    let enclosed = |group: &Group| {
        let mut values = columns.values.iter().filter_map(|it| group.cells.get(it));
        values.all(|it| values::is_enclosed(&it.content))
    };
    let unlabelled = groups
        .iter()
        .filter(|it| is_valued(it) && of(it, &columns.labels) == 0)
        .count();
    let only_values = columns.labels.is_empty();
    let mut out: Vec<bool> = Vec::with_capacity(groups.len());
    let mut last: Option<&Group> = None;
    // The last line without values, whose text may go on.
    let mut open: Option<&Group> = None;
    let mut rows: usize = 0;
    for group in groups {
        let Some(before) = last.replace(group) else {
            out.push(true);
            rows = usize::from(is_valued(group));
            open = (rows == 0).then_some(group);
            continue;
        };
        let label = columns
            .labels
            .iter()
            .find(|it| group.cells.contains_key(it));
        let continued = |before: &Group| {
            columns.labels.iter().any(|column| {
                let pair = before.cells.get(column).zip(group.cells.get(column));
                pair.is_some_and(|it| wraps(widths.get(*column), it, group.size))
            })
        };
        let start = if is_valued(group) {
            let error = enclosed(group) && !enclosed(before) && label.is_none();
            let labelled = label.is_some()
                || only_values
                    && (columns.filled.len() == columns.values.len() || unlabelled >= SUB_ROWS)
                || !only_values
                    && groups.len() > SUB_ROWS
                    && unlabelled.saturating_mul(2) < groups.len();
            let head = open.is_some_and(|it| it.cells.len() < 2 && continued(it));
            labelled && !error && !head
        } else {
            // A line without values is a row of its own if it starts with a text that is whole.
            let first = columns
                .filled
                .first()
                .is_some_and(|it| group.cells.contains_key(it));
            rows > 0 && first && label.is_some() && !continued(before)
        };
        rows = rows.saturating_add(usize::from(is_valued(group) && (start || rows == 0)));
        open = (start && !is_valued(group)).then_some(group);
        out.push(start);
    }
    let few = columns.values.len() == 1 && groups.len() == 2;
    let sure = !few
        || columns.labels.iter().all(|column| match groups {
            [a, b] => match (a.cells.get(column), b.cells.get(column)) {
                (Some(x), Some(y)) => !wraps(widths.get(*column), (x, y), b.size),
                _ => false,
            },
            _ => false,
        });
    (rows >= 2 && sure).then_some(out)
}

/// Tells for each line whether it starts a row, by texts that end before the side of their cell. `None` if the band is
/// one row.
fn texts_start(band: &Band<'_>, groups: &[Group]) -> Option<Vec<bool>> {
    let columns = columns(band, groups);
    let widths = widths(band, groups);
    let filled = &columns.filled;
    let first = filled.first()?;
    if filled.len() < 2 || band.head && !band.only {
        return None;
    }
    let marks = marks(groups, filled);
    let is_row = |group: &Group| {
        let many = group.cells.len().saturating_mul(4) >= filled.len().saturating_mul(3);
        let marked = marks.len().saturating_add(1) == filled.len();
        group.cells.contains_key(first) && group.cells.len() >= 2 && (many || marked)
    };
    let rows = groups.iter().filter(|it| is_row(it)).count();
    if rows < 2 || rows.saturating_mul(5) < groups.len().saturating_mul(4) {
        return None;
    }
    let few = groups.len() == 2;
    if few && filled.len() < TEXT_COLUMNS {
        return None;
    }
    let needed = if few && marks.len() < 2 {
        filled.len()
    } else if groups.len() < MARKED {
        2
    } else if are_words(groups, filled) {
        0
    } else if marks.is_empty() {
        2
    } else {
        1
    };
    let mut out = vec![true];
    for pair in groups.windows(2) {
        let [a, b] = pair else { continue };
        if !is_row(b) {
            out.push(false);
            continue;
        }
        let mut whole: usize = 0;
        for column in filled {
            let (x, y) = (a.cells.get(column), b.cells.get(column));
            if marks.contains(column) {
                whole = whole.saturating_add(usize::from(y.is_some()));
            } else if let (Some(x), Some(y)) = (x, y) {
                if values::goes_on(&x.content, &y.content) {
                    return None;
                }
                whole =
                    whole.saturating_add(usize::from(!wraps(widths.get(*column), (x, y), b.size)));
            }
        }
        if whole < needed {
            return None;
        }
        out.push(true);
    }
    Some(out)
}

/// The columns after the first one that have only marks such as `x` and `y`: no text wraps after each letter.
fn marks(groups: &[Group], filled: &[usize]) -> Vec<usize> {
    let is_mark =
        |it: &Text| it.content.chars().count() <= MARK && !it.content.contains(char::is_numeric);
    let only = |column: &&usize| {
        let mut texts = groups.iter().filter_map(|it| it.cells.get(column));
        texts.all(is_mark)
    };
    filled.iter().skip(1).filter(only).copied().collect()
}

/// Whether all columns have a text at each height, and all but one only single words.
fn are_words(groups: &[Group], filled: &[usize]) -> bool {
    let is_word = |column: &&usize| {
        let mut texts = groups.iter().filter_map(|it| it.cells.get(column));
        texts.all(|it| !it.content.contains(' '))
    };
    filled.len() >= TEXT_COLUMNS
        && groups.iter().all(|it| it.cells.len() == filled.len())
        && filled.iter().filter(is_word).count().saturating_add(1) >= filled.len()
}

/// Whether the lines of a cell are whole texts: most of them end before the side of the cell.
pub fn are_whole(lines: &[Height], side: (f32, f32)) -> bool {
    let band = Band {
        sides: vec![side],
        ..Band::default()
    };
    let groups: Vec<Group> = lines
        .iter()
        .map(|it| Group {
            count: 1,
            cells: it.cells.clone(),
            size: it.size,
        })
        .collect();
    let widths = widths(&band, &groups);
    let (mut all, mut whole) = (0usize, 0usize);
    for pair in groups.windows(2) {
        if let [a, b] = pair
            && let (Some(x), Some(y)) = (a.cells.get(&0), b.cells.get(&0))
        {
            all = all.saturating_add(1);
            let own = !wraps(widths.first(), (x, y), b.size);
            whole = whole.saturating_add(usize::from(own));
        }
    }
    if all < MANY {
        whole.saturating_mul(4) >= all.saturating_mul(3)
    } else {
        whole.saturating_mul(2) >= all
    }
}
