//! The first rows of a table in an order.

use super::condition::{Condition, Values};
use super::cursor::{Cursor, names};
use super::order::push_key;
use super::sorted::Sorted;
use crate::limits;
use crate::tables::Rows;
use crate::tables::selected::{Ranges, is_late};
use crate::tables::types::loaded::LoadedColumn;
use crate::world::World;

/// The rows that a request wants.
pub struct Wanted<'w> {
    pub filter: Option<&'w str>,
    /// The index of the column that orders the rows, and whether the order is descending.
    pub order: Option<(usize, bool)>,
    pub offset: u64,
    pub limit: u64,
}

/// The rows of a page.
pub struct Numbers {
    /// Their numbers, in the order.
    pub rows: Vec<u64>,
    /// Whether there are more.
    pub more: bool,
    /// The number of all rows that meet the condition.
    pub total: u64,
    pub notes: Vec<String>,
}

/// The end of an attempt to find the first rows.
pub enum First {
    /// The rows.
    Found(Numbers),
    /// The time of the read does not suffice. Contains the number of rows that were read.
    Late(u64),
    /// The request is for the engine. No row was read.
    Other,
    /// The request is for the engine because of the size of the result. Rows were read.
    Unknown,
}

/// Finds the first rows in an order, if the condition has a simple form and not too many rows come before.
pub fn first(
    rows: &mut dyn Rows,
    ranges: &Ranges,
    columns: Vec<LoadedColumn>,
    wanted: &Wanted<'_>,
    world: &dyn World,
) -> First {
    let Some((order, is_descending)) = wanted.order else {
        return First::Other;
    };
    let condition = match wanted.filter {
        None => None,
        Some(filter) => match Condition::parse(filter, &names(&columns)) {
            None => return First::Other,
            condition => condition,
        },
    };
    let most = wanted.offset.saturating_add(wanted.limit).saturating_add(1);
    let column = columns.iter().position(|column| column.index == order);
    let (Some(column), true) = (column, most <= limits::DIRECT_ROWS) else {
        return First::Other;
    };
    let mut used = vec![column];
    if let Some(condition) = &condition {
        condition.add_columns(&mut used);
    }
    let mut cursor = Cursor::new(rows, ranges.clone(), columns, &used);
    let mut sorted = Sorted::new(usize::try_from(most).unwrap_or(usize::MAX));
    let mut key = Vec::new();
    let (mut read, mut check) = (0u64, limits::BATCH_BYTES as u64);
    while let Some(number) = cursor.advance() {
        read = read.saturating_add(1);
        let position = cursor.position();
        // The position in a sheet in memory may not change.
        if position >= check || read.is_multiple_of(limits::BATCH_ROWS as u64) {
            check = position.saturating_add(limits::BATCH_BYTES as u64);
            if is_late(world) {
                return First::Late(read);
            }
        }
        if condition
            .as_ref()
            .is_some_and(|it| it.holds(&cursor) != Some(true))
        {
            continue;
        }
        key.clear();
        let (value, text) = (cursor.value(column), || cursor.bytes(column));
        push_key(value, text, is_descending, &mut key);
        sorted.add(&key, || (number, 0));
        if sorted.bytes() > limits::DIRECT_BYTES {
            return First::Unknown;
        }
    }
    let total = sorted.added();
    let before = usize::try_from(wanted.offset).unwrap_or(usize::MAX);
    let mut numbers: Vec<u64> = sorted.into_items().skip(before).collect();
    let limit = usize::try_from(wanted.limit).unwrap_or(usize::MAX);
    let more = numbers.len() > limit;
    numbers.truncate(limit);
    First::Found(Numbers {
        rows: numbers,
        more,
        total,
        notes: cursor.notes(),
    })
}
