//! Whether rows below an empty row continue the table above: they have its columns, and no header of their own.

use super::items::Item;
use crate::workbook::Range;
use std::collections::BTreeMap;

/// The cells of a column below the first row.
#[derive(Default)]
struct Column {
    numbers: usize,
    /// Texts with letters that are no numbers.
    words: usize,
}

impl Column {
    /// Whether most cells are numbers.
    fn is_numeric(&self) -> bool {
        self.numbers > self.words
    }
}

/// The columns of a table.
#[derive(Default)]
pub struct Columns<'i> {
    list: BTreeMap<u32, Column>,
    /// The texts of the first row.
    head: Vec<(u32, &'i str)>,
    first_row: Option<u32>,
}

impl<'i> Columns<'i> {
    /// Adds the cells of the next part of the table.
    pub fn add(&mut self, part: &'i [Item]) {
        let first = part.iter().map(|item| item.range.first_row).min();
        let first_row = *self.first_row.get_or_insert(first.unwrap_or_default());
        for item in part {
            let column = self.list.entry(item.range.first_column).or_default();
            if item.range.first_row == first_row {
                self.head.push((item.range.first_column, &item.text));
            } else if number(&item.text).is_some() {
                column.numbers = column.numbers.saturating_add(1);
            } else if is_word(&item.text) {
                column.words = column.words.saturating_add(1);
            }
        }
    }

    /// Whether a part below continues the table. Its first row has a number in a column of numbers, and a word
    /// in none.
    pub fn continue_in(&self, part: &[Item], range: &Range) -> bool {
        if !self.fits(part) {
            return false;
        }
        let mut rows = Rows {
            part,
            next: Some(range.first_row),
        };
        let Some(mut row) = rows.next() else {
            return false;
        };
        // A row with a single word is the name of a group of rows.
        if let [(column, text)] = row.as_slice()
            && self.list.keys().next() == Some(column)
            && is_word(text)
            && let Some(next) = rows.next()
        {
            row = next;
        }
        let is_filled = row.len().saturating_mul(2) >= self.list.len();
        if !is_filled || row == self.head {
            return false;
        }
        let mut found = false;
        for (column, text) in &row {
            if self.list.get(column).is_some_and(Column::is_numeric) {
                let is_number = number(text).is_some();
                if !is_number && is_word(text) {
                    return false;
                }
                found |= is_number;
            }
        }
        let names_columns = is_sequence(&row) && rows.next().is_none_or(|next| !is_sequence(&next));
        found && !names_columns
    }

    /// Whether a part has at least half of the columns, and no other.
    fn fits(&self, part: &[Item]) -> bool {
        let mut columns: Vec<u32> = part.iter().map(|item| item.range.first_column).collect();
        columns.sort_unstable();
        columns.dedup();
        columns.len() >= 2
            && columns.len().saturating_mul(2) >= self.list.len()
            && columns.iter().all(|column| self.list.contains_key(column))
    }
}

/// The rows of a part: the columns and texts of their cells.
struct Rows<'i> {
    part: &'i [Item],
    next: Option<u32>,
}

impl<'i> Iterator for Rows<'i> {
    type Item = Vec<(u32, &'i str)>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.next?;
        let rows = self.part.iter().map(|item| item.range.first_row);
        self.next = rows.filter(|it| *it > row).min();
        let cells = self.part.iter().filter(|it| it.range.first_row == row);
        let mut cells: Vec<(u32, &str)> = cells
            .map(|it| (it.range.first_column, it.text.as_str()))
            .collect();
        cells.sort_unstable();
        Some(cells)
    }
}

/// The digits at the start of a number, such as `1` of `1.5` and `2024` of `CHF 2024`. `None` if a text is no
/// number.
fn number(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(|char: char| !char.is_alphanumeric());
    // Currencies have three letters.
    let rest = text.trim_start_matches(|char: char| char.is_ascii_uppercase());
    let is_currency = text.len().saturating_sub(rest.len()) == 3 && rest.starts_with(' ');
    let text = if is_currency { rest.trim_start() } else { text };
    let rest = text.trim_start_matches(char::is_numeric);
    let digits = text.get(..text.len().saturating_sub(rest.len()));
    digits.filter(|digits| !digits.is_empty())
}

/// Whether a text has two letters one after the other. Currencies and units of numbers are signs or
/// short.
pub fn is_word(text: &str) -> bool {
    let mut letters = 0_usize;
    text.chars().any(|c| {
        letters = if c.is_alphabetic() {
            letters.saturating_add(1)
        } else {
            0
        };
        letters >= 2
    })
}

/// Whether the numbers of a row are years, or follow each other: they name columns.
fn is_sequence(row: &[(u32, &str)]) -> bool {
    let numbers = row.iter().filter(|(_, text)| number(text).is_some());
    let numbers: Option<Vec<u32>> = numbers.map(|(_, text)| text.trim().parse().ok()).collect();
    let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty()) else {
        return false;
    };
    let pairs = numbers.iter().zip(numbers.iter().skip(1));
    let are_next = numbers.len() >= 3
        && pairs
            .into_iter()
            .all(|(one, next)| one.checked_add(1) == Some(*next));
    are_next || numbers.iter().all(|year| (1900..=2100).contains(year))
}
