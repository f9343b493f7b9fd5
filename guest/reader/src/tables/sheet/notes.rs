//! The description of a sheet, and the notes on what its rows do not show.

use crate::limits;
use crate::path::cells::{format_range, index, letters};
use crate::units;
use omniread_document::workbook;

/// Hidden rows: the first sequences of them, and the number of the others.
#[derive(Clone, Debug, Default)]
pub struct HiddenRows {
    /// The first and the last row of each sequence.
    ranges: Vec<(u32, u32)>,
    /// The number of sequences that are not in `ranges`.
    more: u64,
    /// The last row.
    last: Option<u32>,
}

impl HiddenRows {
    /// Adds a row, whose number is greater than that of those before.
    pub fn add(&mut self, number: u32) {
        let is_full = self.ranges.len() >= limits::LISTED_RANGES;
        let continues = self
            .last
            .is_some_and(|last| last.saturating_add(1) == number);
        self.last = Some(number);
        match self.ranges.last_mut() {
            Some((_, end)) if continues && self.more == 0 => *end = number,
            _ if continues => {}
            _ if !is_full => self.ranges.push((number, number)),
            _ => self.more = self.more.saturating_add(1),
        }
    }
}

/// What is known of a sheet and of the rows of it that were read.
pub struct About<'s> {
    /// The name.
    pub name: &'s str,
    /// Whether other programs hide the sheet.
    pub is_hidden: bool,
    /// The facts about its content.
    pub facts: &'s workbook::SheetFacts,
    /// The rectangle that is read.
    pub range: workbook::Range,
    /// The number of the row that has the names of the columns.
    pub header: Option<u32>,
    /// The number of rows above the header that are left out.
    pub above: usize,
    /// The hidden rows that were returned.
    pub hidden: &'s HiddenRows,
    /// The path of its text.
    pub text_path: &'s str,
}

/// Describes a sheet: its cells, and the names of its columns.
pub fn describe(sheet: &About<'_>) -> String {
    let hidden = if sheet.is_hidden { " (hidden)" } else { "" };
    let mut text = format!("sheet `{}`{hidden}: ", sheet.name);
    match sheet.facts.used {
        Some(used) => {
            let rows = units::thousands(u64::from(sheet.facts.rows));
            let many = if sheet.facts.rows == 1 { "" } else { "s" };
            text.push_str(&format!("cells {}, {rows} row{many}", format_range(used)));
        }
        None => text.push_str("no cell has a value"),
    }
    match sheet.header {
        Some(row) => {
            text.push_str(&format!("; row {row} has the names of the columns"));
            match sheet.above {
                0 => {}
                1 => text.push_str(", and 1 row above it is left out"),
                rows => text.push_str(&format!(", and {rows} rows above it are left out")),
            }
        }
        None => {
            text.push_str("; the columns have letters, because no row here has names for them");
        }
    }
    text
}

/// Notes on the rows that were read.
pub fn of(sheet: &About<'_>) -> Vec<String> {
    let mut notes = hidden(sheet);
    if let [_, ..] = sheet.facts.tables.as_slice() {
        let tables = sheet.facts.tables.iter();
        let list = tables.map(|table| format!("`{}` {}", table.name, format_range(table.range)));
        notes.push(format!("tables: {}", shortened(list)));
    }
    let rows = &sheet.range;
    let in_rows = |range: &workbook::Range| {
        range.first_row <= rows.last_row && range.last_row >= rows.first_row
    };
    let in_columns = |range: &workbook::Range| {
        range.first_column <= rows.last_column && range.last_column >= rows.first_column
    };
    let is_read = |range: &workbook::Range| in_rows(range) && in_columns(range);
    let listed = |ranges: &[workbook::Range], wanted: &dyn Fn(&workbook::Range) -> bool| {
        let ranges = ranges.iter().filter(|range| wanted(range));
        let ranges: Vec<String> = ranges.map(|range| format_range(*range)).collect();
        (!ranges.is_empty()).then(|| shortened(ranges.into_iter()))
    };
    let is_named = |range: &workbook::Range| {
        let header = |row| (range.first_row..=range.last_row).contains(&row);
        let is_wide = range.first_column < range.last_column;
        is_wide && in_columns(range) && sheet.header.is_some_and(header)
    };
    if let Some(list) = listed(&sheet.facts.merged, &is_named) {
        notes.push(format!(
            "merged cells that name each of their columns: {list}"
        ));
    }
    let is_other = |range: &workbook::Range| is_read(range) && !is_named(range);
    if let Some(list) = listed(&sheet.facts.merged, &is_other) {
        notes.push(format!(
            "merged cells, with the value in the first one: {list}"
        ));
    }
    let is_link = |range: &workbook::Range| {
        let is_name = sheet.header == Some(range.first_row);
        in_columns(range) && (in_rows(range) || is_name)
    };
    let links: Vec<workbook::Range> = sheet.facts.links.iter().map(|link| link.range).collect();
    if let Some(list) = listed(&links, &is_link) {
        let (name, path) = (sheet.name, sheet.text_path);
        notes.push(format!(
            "cells of sheet `{name}` with a link: {list}; {path} shows the addresses"
        ));
    }
    notes
}

/// The notes on the rows and the columns that other programs hide.
fn hidden(sheet: &About<'_>) -> Vec<String> {
    let name = sheet.name;
    let note = |word: &str, ranges: &[(String, String)], more: u64| {
        let list = ranges.iter().map(|(first, last)| {
            if first == last {
                first.clone()
            } else {
                format!("{first} to {last}")
            }
        });
        let list: Vec<String> = list.collect();
        let more = match more {
            0 => String::new(),
            1 => " and 1 more range".to_owned(),
            more => format!(" and {} more ranges", units::thousands(more)),
        };
        let (many, verb) = match ranges {
            [(first, last)] if first == last && more.is_empty() => ("", "is"),
            _ => ("s", "are"),
        };
        let list = list.join(", ");
        format!("{word}{many} {list}{more} of sheet `{name}` {verb} hidden in the workbook")
    };
    let mut notes = Vec::new();
    let rows = sheet.hidden.ranges.iter();
    let rows: Vec<(String, String)> = rows
        .map(|(first, last)| (first.to_string(), last.to_string()))
        .collect();
    if !rows.is_empty() {
        notes.push(note("row", &rows, sheet.hidden.more));
    }
    let all = &sheet.facts.hidden_columns;
    let columns = all.iter().filter_map(|(first, last)| {
        let first = (*first).max(sheet.range.first_column);
        let last = (*last).min(sheet.range.last_column);
        (first <= last).then(|| (letters(index(first)), letters(index(last))))
    });
    let mut columns: Vec<(String, String)> = columns.collect();
    if !columns.is_empty() {
        let more = columns.len().saturating_sub(limits::LISTED_RANGES);
        columns.truncate(limits::LISTED_RANGES);
        notes.push(note("column", &columns, more as u64));
    }
    notes
}

/// The first entries of a list, and the number of the others.
fn shortened(list: impl ExactSizeIterator<Item = String>) -> String {
    let more = list.len().saturating_sub(limits::LISTED_RANGES);
    let first: Vec<String> = list.take(limits::LISTED_RANGES).collect();
    let first = first.join(", ");
    match more {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
