//! Conditions on rows. Simple ones are evaluated here. For others, the rows go through the SQL engine in
//! batches. A table of any size needs little memory, and reading stops when the page is full.

use super::direct::{Condition, Cursor, conjuncts};
use super::layout::Page;
use super::selected::{Outcome, Ranges, Selected, TableContext, is_late};
use super::sql::{Loaded, Table};
use super::types::loaded::LoadedColumn;
use super::{Row, Rows, direct, load, sql};
use crate::failure::Failure;
use crate::limits;
use crate::path::query::Parameters;
use crate::window::Total;
use crate::world::World;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The number of rows in the first batch. A page is often found in few rows.
const FIRST_ROWS: usize = 500;

/// Reads the rows in `ranges` that meet a condition.
///
/// # Errors
/// Fails if the condition is not valid, or if the engine fails.
pub fn rows(
    selected: Selected<'_>,
    condition: &str,
    parameters: &Parameters,
    context: &TableContext<'_>,
    world: &mut dyn World,
) -> Result<Outcome, Failure> {
    let Selected {
        rows, ranges, page, ..
    } = selected;
    let columns = sql::columns_for(condition, rows);
    let failed = |error| load::failure(error, true, &columns, context);
    let loaded = Loaded {
        sql: condition,
        columns: &columns,
        types: rows.types(),
        ordered: None,
    };
    let mut found = Found {
        page,
        skipped: 0,
        last_read: 0,
        notes: Vec::new(),
        ranges,
        condition,
        offset: parameters.offset,
        is_call: context.is_call,
    };
    let (direct, left_out) = loaded.columns();
    if left_out == 0
        && let Some(simple) = Condition::parse(condition, &direct::names(&direct))
    {
        return Ok(without_engine(rows, &simple, direct, found, world));
    }
    let mut table = Table::create(&loaded, &context.name, world).map_err(failed)?;
    let columns = table.lend();
    let needed = conjuncts(condition, &direct::names(&columns));
    let used: Vec<usize> = (0..columns.len()).collect();
    let mut cursor = Cursor::new(rows, found.ranges.clone(), columns, &used);
    let mut limit = FIRST_ROWS;
    let mut is_checked = false;
    loop {
        let batch = fill(&mut cursor, &mut table, needed.as_ref(), used.len(), limit);
        limit = limits::BATCH_ROWS;
        // The engine sees the condition once at least, because it may not be valid.
        if !batch.rows.is_empty() || (batch.count > 0 && !is_checked) {
            is_checked = true;
            table.flush().map_err(failed)?;
            let most = batch.rows.len() as u64;
            let (numbers, _) = table
                .numbers(Some(condition), None, 0, most)
                .map_err(failed)?;
            table.clear().map_err(failed)?;
            let matching: BTreeSet<u64> = numbers.into_iter().collect();
            for row in batch.rows {
                found.last_read = row.number;
                if matching.contains(&row.number) && !found.add(|| row) {
                    return Ok(found.full(cursor.notes()));
                }
            }
        }
        found.last_read = batch.last.unwrap_or(found.last_read);
        let notes = || cursor.notes();
        found = match found.after_batch(batch.count == 0, cursor.cut, notes, world) {
            ControlFlow::Continue(found) => found,
            ControlFlow::Break(outcome) => return Ok(outcome),
        };
    }
}

/// Reads the rows that meet a condition that is evaluated here. The batches are those of the engine, so that
/// notes are on the same rows.
fn without_engine(
    rows: &mut dyn Rows,
    condition: &Condition,
    columns: Vec<LoadedColumn>,
    mut found: Found<'_>,
    world: &dyn World,
) -> Outcome {
    let mut used = Vec::new();
    condition.add_columns(&mut used);
    let mut cursor = Cursor::new(rows, found.ranges.clone(), columns, &used);
    let mut limit = FIRST_ROWS;
    loop {
        let (mut count, mut bytes) = (0usize, 0usize);
        let mut is_full = false;
        while count < limit && bytes < limits::BATCH_BYTES {
            let Some(number) = cursor.advance() else {
                break;
            };
            count = count.saturating_add(1);
            bytes = bytes.saturating_add(cursor.size());
            if is_full {
                continue;
            }
            found.last_read = number;
            if condition.holds(&cursor) == Some(true) {
                is_full = !found.add(|| cursor.row());
            }
        }
        if is_full {
            return found.full(cursor.notes());
        }
        limit = limits::BATCH_ROWS;
        let notes = || cursor.notes();
        found = match found.after_batch(count == 0, cursor.cut, notes, world) {
            ControlFlow::Continue(found) => found,
            ControlFlow::Break(outcome) => return outcome,
        };
    }
}

/// The rows that were found so far.
struct Found<'f> {
    page: Page,
    /// The number of rows before the page.
    skipped: u64,
    last_read: u64,
    notes: Vec<String>,
    ranges: Ranges,
    condition: &'f str,
    offset: u64,
    is_call: bool,
}

impl Found<'_> {
    /// Adds a row that meets the condition. Returns whether there was room for all of it.
    fn add(&mut self, row: impl FnOnce() -> Row) -> bool {
        if self.skipped < self.offset {
            self.skipped = self.skipped.saturating_add(1);
            return true;
        }
        self.page.add(&row()) && self.page.rest().is_none()
    }

    /// The result if there is no room for the row that was read last.
    fn full(mut self, notes: Vec<String>) -> Outcome {
        let next = Some((after(self.ranges, self.last_read), true));
        self.notes.extend(notes);
        outcome(self.page, self.skipped, next, self.notes)
    }

    /// What was found, or the result if no more rows are read after a batch. `ended` states whether there were none.
    fn after_batch(
        mut self,
        ended: bool,
        cut: bool,
        notes: impl Fn() -> Vec<String>,
        world: &dyn World,
    ) -> ControlFlow<Outcome, Self> {
        if cut {
            let note = "of values of more than 1 MB, the condition sees only the start";
            self.notes = vec![note.to_owned()];
        }
        if ended {
            self.notes.extend(notes());
            if self.page.len() == 0 && self.skipped == 0 {
                self.notes.extend(match self.ranges.first() {
                    Some((first, _)) if *first > 1 => {
                        Some(format!("no row from {first} on meets the condition"))
                    }
                    _ => hint(self.condition),
                });
            }
            return ControlFlow::Break(self.end(None));
        }
        let late = is_late(world);
        if !late && !self.page.is_complete() {
            return ControlFlow::Continue(self);
        }
        if !self.page.is_complete() {
            let raise = if self.is_call {
                ""
            } else {
                "; `--timeout` raises it"
            };
            self.notes.push(format!(
                "the time of a read sufficed for the rows up to {}{raise}",
                self.last_read
            ));
        }
        self.notes.extend(notes());
        let ranges = std::mem::take(&mut self.ranges);
        let left = after(ranges, self.last_read.saturating_add(1));
        ControlFlow::Break(self.end((!left.is_empty()).then_some((left, false))))
    }

    fn end(self, next: Option<(Ranges, bool)>) -> Outcome {
        outcome(self.page, self.skipped, next, self.notes)
    }
}

/// The note on a condition that no row meets, if it may compare values of different types.
fn hint(condition: &str) -> Option<String> {
    let is_truth = |word: &str| {
        ["true", "false"]
            .iter()
            .any(|truth| word.eq_ignore_ascii_case(truth))
    };
    if condition.contains('\'') {
        Some("no row meets the condition; numbers are compared as numbers: `id = 5`, not `id = '5'`")
    } else if sql::words(condition).any(is_truth) {
        Some("no row meets the condition; `true` is 1, and a text is compared in quotes: `a = 'true'`")
    } else {
        None
    }
    .map(str::to_owned)
}

/// Rows that were read for the engine.
#[derive(Default)]
struct Batch {
    /// The rows that meet the simple parts of the condition.
    rows: Vec<Row>,
    /// The number of all rows, and the number of the last one.
    count: usize,
    last: Option<u64>,
}

/// Reads rows into a batch, and adds those to the table that may meet the condition.
fn fill(
    cursor: &mut Cursor<'_>,
    table: &mut Table,
    needed: Option<&Condition>,
    columns: usize,
    limit: usize,
) -> Batch {
    let mut batch = Batch::default();
    let mut bytes = 0usize;
    while batch.count < limit && bytes < limits::BATCH_BYTES {
        let Some(number) = cursor.advance() else {
            break;
        };
        batch.count = batch.count.saturating_add(1);
        batch.last = Some(number);
        bytes = bytes.saturating_add(cursor.size());
        if needed.is_none_or(|it| it.holds(cursor) == Some(true)) {
            let (values, size) = load::values(cursor, columns);
            table.add_values(number, values, size);
            batch.rows.push(cursor.row());
        }
    }
    batch
}

/// The part of the ranges from the row `number` on. Rows were read ahead of it, so that the state of
/// the reading is not used.
fn after(mut ranges: Ranges, number: u64) -> Ranges {
    ranges.retain(|(_, last)| last.is_none_or(|last| last >= number));
    if let Some((first, _)) = ranges.first_mut() {
        *first = number.max(*first);
    }
    ranges
}

fn outcome(page: Page, skipped: u64, next: Option<(Ranges, bool)>, notes: Vec<String>) -> Outcome {
    let count = skipped.saturating_add(page.len());
    let total = match &next {
        None => Total::Exact(count),
        Some((_, true)) if page.rest().is_none() => Total::AtLeast(count.saturating_add(1)),
        Some(_) => Total::AtLeast(count),
    };
    let next = next.map(|(ranges, is_known)| (ranges, page.then(), is_known));
    Outcome {
        page,
        total,
        next,
        notes,
    }
}
