//! Groups of rows, and their aggregates.

use super::aggregate::{Effect, Function, State};
use super::row::Sink;
use super::value::{Cell, Value, compare, compare_all};
use crate::limits;
use std::cmp::Ordering;

/// How rows are grouped.
#[derive(Clone, Debug, Default)]
pub struct Grouping {
    /// Whether each key of a group is sorted in descending order. The keys are the first values of a row.
    pub keys: Vec<bool>,
    /// The aggregates, in the order in which they are updated.
    pub updates: Vec<Update>,
    /// The registers of values that are not aggregated, and their numbers in a row.
    pub kept: Vec<(usize, usize)>,
    /// Whether these values are those of the row with the smallest or greatest value, and not those of the first row.
    pub of_extreme: bool,
}

/// An aggregate of a group.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    /// The number of the aggregate.
    pub aggregate: usize,
    /// The number of its argument in a row.
    pub argument: Option<usize>,
    /// Whether the function decides anew which row has the values that are not aggregated.
    pub decides: bool,
}

/// A group.
#[derive(Clone, Debug)]
pub struct Group {
    /// The keys.
    pub keys: Vec<Value>,
    /// The values that are not aggregated.
    pub kept: Vec<Value>,
    /// The states of the aggregates.
    pub states: Vec<State>,
}

/// The groups of the rows that were added.
pub struct Groups<'g> {
    grouping: &'g Grouping,
    functions: &'g [Function],
    found: Vec<Group>,
    /// The places of groups, by the hash of their keys: 0, or the place plus one.
    table: Vec<u32>,
    /// The hash of each group.
    hashes: Vec<u64>,
    rows: u64,
    /// The number of groups that were compared in vain.
    vain: u64,
    bytes: usize,
}

impl<'g> Groups<'g> {
    /// No groups.
    pub fn new(grouping: &'g Grouping, functions: &'g [Function]) -> Self {
        Self {
            grouping,
            functions,
            found: Vec::new(),
            table: vec![0; 256],
            hashes: Vec::new(),
            rows: 0,
            vain: 0,
            bytes: 0,
        }
    }

    /// The groups, sorted by their keys.
    pub fn into_sorted(self) -> Vec<Group> {
        let mut groups = self.found;
        let keys = &self.grouping.keys;
        groups.sort_by(|left, right| {
            let (left, right) = (left.keys.iter(), right.keys.iter());
            compare_all(left.map(Value::cell), right.map(Value::cell), keys)
        });
        groups
    }

    /// The place of the group with these keys. A new group is added, and has the first row's other values.
    fn place(&mut self, cells: &[Cell<'_>]) -> Option<usize> {
        let keys = cells.get(..self.grouping.keys.len())?;
        let hash = keys.iter().fold(0, |hash, cell| mixed(hash, *cell));
        let mask = self.table.len() - 1;
        let mut slot = usize::try_from(hash >> 32).ok()? & mask;
        while let Some(place) = self.table.get(slot)?.checked_sub(1) {
            let place = place as usize;
            if *self.hashes.get(place)? == hash {
                let group = self.found.get(place)?;
                let mut pairs = keys.iter().zip(&group.keys);
                if pairs.all(|(left, right)| compare(*left, right.cell()) == Ordering::Equal) {
                    return Some(place);
                }
            }
            // The keys of a hostile database may all have the same place.
            self.vain += 1;
            if self.vain > self.rows.saturating_mul(8).saturating_add(1000) {
                return None;
            }
            slot = (slot + 1) & mask;
        }
        let place = self.found.len();
        let kept = self.grouping.kept.iter();
        let kept: Option<Vec<Value>> = kept
            .map(|(_, column)| Some(cells.get(*column)?.keep()))
            .collect();
        let mut columns = self.grouping.kept.iter().map(|(_, column)| *column);
        let own = keys.iter().map(|cell| cell.size()).sum::<usize>();
        let other = columns.try_fold(0, |sum, column| Some(sum + cells.get(column)?.size()))?;
        self.bytes += own + other;
        if place >= limits::GROUPS || self.bytes > limits::GROUP_BYTES {
            return None;
        }
        self.found.push(Group {
            keys: keys.iter().map(|cell| cell.keep()).collect(),
            kept: kept?,
            states: self.functions.iter().map(|it| it.start()).collect(),
        });
        self.hashes.push(hash);
        *self.table.get_mut(slot)? = u32::try_from(place + 1).ok()?;
        if self.found.len() * 2 > self.table.len() {
            self.grow()?;
        }
        Some(place)
    }

    fn grow(&mut self) -> Option<()> {
        let size = self.table.len() * 4;
        let mut table = vec![0; size];
        for (number, hash) in (1u32..).zip(&self.hashes) {
            let mut slot = usize::try_from(hash >> 32).ok()? & (size - 1);
            while *table.get(slot)? != 0 {
                slot = (slot + 1) & (size - 1);
            }
            *table.get_mut(slot)? = number;
        }
        self.table = table;
        Some(())
    }
}

impl Sink for Groups<'_> {
    fn add(&mut self, _: usize, _: Cell<'_>) -> Option<()> {
        None
    }

    fn row(&mut self, cells: &[Cell<'_>]) -> Option<()> {
        self.rows += 1;
        if self.rows == limits::GROUPED_ROWS && self.found.len() as u64 > self.rows / 10 * 9 {
            return None;
        }
        let place = self.place(cells)?;
        let group = self.found.get_mut(place)?;
        let mut skips = false;
        for update in &self.grouping.updates {
            let value = match update.argument {
                Some(column) => *cells.get(column)?,
                None => Cell::Integer(0),
            };
            if update.decides {
                skips = false;
            }
            let state = group.states.get_mut(update.aggregate)?;
            let before = state.size();
            let effect = state.add(value)?;
            self.bytes = self.bytes.saturating_sub(before) + state.size();
            skips |= update.decides && effect == Effect::Skips;
        }
        if self.grouping.of_extreme && !skips {
            for (kept, (_, column)) in group.kept.iter_mut().zip(&self.grouping.kept) {
                let cell = cells.get(*column)?;
                self.bytes = self.bytes.saturating_sub(kept.cell().size()) + cell.size();
                *kept = cell.keep();
            }
        }
        (self.bytes <= limits::GROUP_BYTES).then_some(())
    }

    fn later(&self) -> u64 {
        // The row is read from the sorter, compared with the one before, and its values are added.
        5 + 2 * self.grouping.updates.len() as u64
    }
}

/// Aggregates of all rows.
pub struct Totals {
    /// The states of the aggregates.
    pub states: Vec<State>,
}

impl Sink for Totals {
    fn add(&mut self, aggregate: usize, value: Cell<'_>) -> Option<()> {
        self.states.get_mut(aggregate)?.add(value).map(drop)
    }

    fn row(&mut self, _: &[Cell<'_>]) -> Option<()> {
        None
    }

    fn later(&self) -> u64 {
        0
    }
}

/// Adds a value to a hash. Numbers that are equal have the same hash.
fn mixed(hash: u64, cell: Cell<'_>) -> u64 {
    match cell {
        Cell::Null => add(hash, 1),
        Cell::Integer(number) => add(hash, number.cast_unsigned()),
        Cell::Real(real) => {
            // Numbers outside of this range are not whole numbers of SQLite.
            const LIMIT: f64 = 9_223_372_036_854_775_808.0;
            if real.trunc().to_bits() == real.to_bits() && (-LIMIT..LIMIT).contains(&real) {
                #[allow(clippy::cast_possible_truncation, reason = "checked above")]
                let whole = real as i64;
                add(hash, whole.cast_unsigned())
            } else {
                add(hash, real.to_bits())
            }
        }
        Cell::Text(bytes) | Cell::Blob(bytes) => {
            let (blocks, rest) = bytes.as_chunks::<8>();
            let hash = add(hash, bytes.len() as u64);
            let hash = blocks
                .iter()
                .fold(hash, |hash, block| add(hash, u64::from_le_bytes(*block)));
            rest.iter()
                .fold(hash, |hash, byte| add(hash, u64::from(*byte)))
        }
    }
}

fn add(hash: u64, number: u64) -> u64 {
    let product = (hash.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ (product >> 29)
}
