//! Conditions on rows. The rows go through the SQL engine in batches, so that a table of any size
//! needs little memory, and reading stops when the page is full.

use super::layout::Page;
use super::load;
use super::selected::{Outcome, Ranges, RowsInRanges, Selected, TableContext, is_late};
use super::sql::{Loaded, Table};
use super::{Row, sql};
use crate::failure::Failure;
use crate::limits;
use crate::path::query::Parameters;
use crate::window::Total;
use crate::world::World;
use std::collections::BTreeSet;

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
        rows,
        ranges,
        mut page,
    } = selected;
    let columns = sql::columns_for(condition, rows);
    let failed = |error| load::failure(error, true, &columns, context);
    let loaded = Loaded {
        sql: condition,
        columns: &columns,
        types: rows.types(),
        ordered: None,
    };
    let mut table = Table::create(&loaded, &context.name, world).map_err(failed)?;
    let mut ranged = RowsInRanges::new(rows, ranges.clone());
    let mut skipped = 0u64;
    let mut last_read = 0u64;
    let mut limit = FIRST_ROWS;
    let mut notes = Vec::new();
    loop {
        let batch = fill(&mut ranged, &mut table, limit);
        limit = limits::BATCH_ROWS;
        let ended = batch.is_empty();
        if !ended {
            table.flush().map_err(failed)?;
            let most = batch.len() as u64;
            let (numbers, _) = table
                .numbers(Some(condition), None, 0, most)
                .map_err(failed)?;
            table.clear().map_err(failed)?;
            let matching: BTreeSet<u64> = numbers.into_iter().collect();
            for row in batch {
                last_read = row.number;
                if !matching.contains(&row.number) {
                    continue;
                }
                if skipped < parameters.offset {
                    skipped = skipped.saturating_add(1);
                } else if !page.add(&row) {
                    let next = Some((after(ranges, row.number), true));
                    notes.extend(table.notes());
                    return Ok(outcome(page, skipped, next, notes));
                }
            }
        }
        if table.cut {
            let note = "of values of more than 1 MB, the condition sees only the start";
            notes = vec![note.to_owned()];
        }
        if ended {
            notes.extend(table.notes());
            if page.len() == 0 && skipped == 0 {
                notes.extend(match ranges.first() {
                    Some((first, _)) if *first > 1 => {
                        Some(format!("no row from {first} on meets the condition"))
                    }
                    _ => hint(condition),
                });
            }
            return Ok(outcome(page, skipped, None, notes));
        }
        let late = is_late(world);
        if late || page.is_complete() {
            if late && !page.is_complete() {
                let raise = if context.is_call {
                    ""
                } else {
                    "; `--timeout` raises it"
                };
                notes.push(format!(
                    "the time of a read sufficed for the rows up to {last_read}{raise}"
                ));
            }
            notes.extend(table.notes());
            let left = after(ranges, last_read.saturating_add(1));
            let next = (!left.is_empty()).then_some((left, false));
            return Ok(outcome(page, skipped, next, notes));
        }
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

/// Reads rows into a batch, and returns them.
fn fill(ranged: &mut RowsInRanges<'_>, table: &mut Table, limit: usize) -> Vec<Row> {
    let mut batch = Vec::new();
    let mut bytes = 0usize;
    while batch.len() < limit && bytes < limits::BATCH_BYTES {
        let Some(row) = ranged.next() else {
            break;
        };
        table.add(&row);
        let size: usize = row
            .cells
            .iter()
            .map(|cell| cell.text.len().saturating_add(48))
            .sum();
        bytes = bytes.saturating_add(size);
        batch.push(row);
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
        Some((_, true)) => Total::AtLeast(count.saturating_add(1)),
        Some((_, false)) => Total::AtLeast(count),
    };
    let next = next.map(|(ranges, is_known)| (ranges, Parameters::default(), is_known));
    Outcome {
        page,
        total,
        next,
        notes,
    }
}
