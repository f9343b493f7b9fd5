//! The result of a statement on the rows of a table.

use super::aggregate::{Aggregate, Function, State, Unknown};
use super::condition::Values;
use super::cursor::{Cursor, names};
use super::order::push_key;
use super::result::{Kept, Result as Found};
use super::sorted::Sorted;
use super::statement::{Output, Select};
use crate::limits;
use crate::tables::selected::{TableContext, is_late};
use crate::tables::sql::{Loaded, table_name};
use crate::tables::{Rows, sql};
use crate::world::World;
use std::collections::BTreeMap;

/// The end of an attempt to run a statement.
pub enum Ran {
    /// The result, and the notes on the columns.
    Found(Found, Vec<String>),
    /// The time of the read does not suffice. Contains the number of rows that were read.
    Late(u64),
    /// The statement is for the engine. No row was read.
    Other,
    /// The statement is for the engine because of a value or the size of the result. Rows were read.
    Unknown,
}

/// Runs a statement if it has a simple form, and if the rows can be read again in case that a value is for the
/// engine.
pub fn statement(
    rows: &mut dyn Rows,
    statement: &str,
    context: &TableContext<'_>,
    world: &dyn World,
) -> Ran {
    if !rows.can_restart() {
        return Ran::Other;
    }
    let columns = sql::columns_for(statement, rows);
    let loaded = Loaded {
        sql: statement,
        columns: &columns,
        types: rows.types(),
        ordered: None,
    };
    let (loaded, left_out) = loaded.columns();
    let table = table_name(statement, &context.name);
    let select = Select::parse(statement, &table, &names(&loaded), columns.len());
    let Some(select) = select.filter(|_| left_out == 0) else {
        return Ran::Other;
    };
    let used = select.columns();
    let everything = vec![(0, None)];
    let mut cursor = Cursor::new(rows, everything, loaded, &used);
    let found = if select.is_aggregate() {
        groups(&select, &mut cursor, world)
    } else {
        plain(&select, &mut cursor, world)
    };
    match found {
        // A cut value has a note of its own.
        Ok(_) if cursor.cut => Ran::Unknown,
        Ok(rows) => {
            let columns = select.outputs.iter().map(|(_, name)| name.clone());
            let columns = columns.collect();
            Ran::Found(Found { columns, rows }, cursor.notes())
        }
        Err(Stop::Late(rows)) => Ran::Late(rows),
        Err(Stop::Unknown) => Ran::Unknown,
    }
}

enum Stop {
    Late(u64),
    Unknown,
}

impl From<Unknown> for Stop {
    fn from(_: Unknown) -> Self {
        Self::Unknown
    }
}

/// The rows that meet the condition of a statement.
struct Matching<'m, 'r> {
    cursor: &'m mut Cursor<'r>,
    select: &'m Select,
    world: &'m dyn World,
    read: u64,
    /// The position in the source from which the time is checked again.
    check: u64,
}

impl<'m, 'r> Matching<'m, 'r> {
    fn new(select: &'m Select, cursor: &'m mut Cursor<'r>, world: &'m dyn World) -> Self {
        Self {
            cursor,
            select,
            world,
            read: 0,
            check: 0,
        }
    }

    /// Moves to the next row that meets the condition. Returns whether there is one.
    fn advance(&mut self) -> Result<bool, Stop> {
        while self.cursor.advance().is_some() {
            self.read = self.read.saturating_add(1);
            let position = self.cursor.position();
            if position >= self.check || self.read.is_multiple_of(limits::BATCH_ROWS as u64) {
                if self.read > 1 && is_late(self.world) {
                    return Err(Stop::Late(self.read));
                }
                self.check = position.saturating_add(limits::BATCH_BYTES as u64);
            }
            let condition = self.select.condition.as_ref();
            if condition.is_none_or(|it| it.holds(self.cursor) == Some(true)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads the rows after the last one of the result, as far as that is fast, so that notes are on all rows of
    /// a small table.
    fn read_on(&mut self) {
        let until = self
            .cursor
            .position()
            .saturating_add(limits::COUNTED_TABLE_BYTES);
        while self.cursor.position() < until && self.cursor.advance().is_some() {}
    }
}

/// The number of rows of a result before those of other pages, and the number that is kept of these: one more
/// than a page has, to see whether there are more.
fn page(select: &Select) -> Result<(usize, usize), Stop> {
    let most = limits::STATEMENT_ROWS.saturating_add(1);
    let rows = select.limit.unwrap_or(most).min(most);
    let all = select.offset.saturating_add(rows);
    if all > limits::DIRECT_ROWS {
        return Err(Stop::Unknown);
    }
    let of = |rows| usize::try_from(rows).map_err(|_| Stop::Unknown);
    Ok((of(select.offset)?, of(rows)?))
}

/// The result of a statement without aggregates.
fn plain(
    select: &Select,
    cursor: &mut Cursor<'_>,
    world: &dyn World,
) -> Result<Vec<Vec<Kept>>, Stop> {
    let (skipped, rows) = page(select)?;
    let all = skipped.saturating_add(rows);
    let mut matching = Matching::new(select, cursor, world);
    let mut sorted = Sorted::new(all);
    let mut key = Vec::new();
    // Without an order, the first rows suffice.
    while (!select.order.is_empty() || sorted.added() < all as u64) && matching.advance()? {
        let cursor = &*matching.cursor;
        key.clear();
        for (output, is_descending) in &select.order {
            if let Output::Column(column) = output {
                let (value, text) = (cursor.value(*column), || cursor.bytes(*column));
                push_key(value, text, *is_descending, &mut key);
            }
        }
        let is_skipped = select.order.is_empty() && sorted.added() < skipped as u64;
        sorted.add(&key, || {
            if is_skipped {
                return (Vec::new(), 0);
            }
            let outputs = select.outputs.iter().map(|(output, _)| match output {
                Output::Column(column) => Kept::of(cursor.value(*column), || cursor.text(*column)),
                Output::Aggregate(_) => Kept::Null,
            });
            let row: Vec<Kept> = outputs.collect();
            let bytes = row.iter().map(Kept::bytes).sum();
            (row, bytes)
        });
        if sorted.bytes() > limits::DIRECT_BYTES {
            return Err(Stop::Unknown);
        }
    }
    if select.order.is_empty() {
        matching.read_on();
    }
    Ok(sorted.into_items().skip(skipped).collect())
}

/// The rows with equal values of the columns of GROUP BY.
struct Group {
    /// The values of the first of them.
    values: Vec<Kept>,
    states: Vec<State>,
}

/// Groups by their keys.
#[derive(Default)]
struct Groups {
    list: Vec<(Vec<u8>, Group)>,
    indexes: BTreeMap<Vec<u8>, usize>,
    /// The indexes of groups that were found last, by a few bits of their keys.
    recent: Vec<usize>,
}

/// The number of recent groups.
const RECENT: usize = 1024;

impl Groups {
    fn find(&mut self, key: &[u8]) -> Option<usize> {
        let place = place(key);
        if let Some(at) = self.recent.get(place)
            && self.list.get(*at).is_some_and(|(known, _)| known == key)
        {
            return Some(*at);
        }
        let at = *self.indexes.get(key)?;
        self.recent.resize(RECENT, 0);
        if let Some(recent) = self.recent.get_mut(place) {
            *recent = at;
        }
        Some(at)
    }

    fn add(&mut self, key: &[u8], group: Group) -> usize {
        let at = self.list.len();
        self.list.push((key.to_vec(), group));
        self.indexes.insert(key.to_vec(), at);
        at
    }

    fn into_sorted(mut self) -> impl Iterator<Item = Group> {
        self.list.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        self.list.into_iter().map(|(_, group)| group)
    }
}

/// The place of a key among the recent ones.
fn place(key: &[u8]) -> usize {
    let hash = key.iter().fold(0u32, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    });
    (hash ^ (hash >> 15)) as usize % RECENT
}

/// The result of a statement with aggregates.
fn groups(
    select: &Select,
    cursor: &mut Cursor<'_>,
    world: &dyn World,
) -> Result<Vec<Vec<Kept>>, Stop> {
    let (skipped, rows) = page(select)?;
    let mut matching = Matching::new(select, cursor, world);
    let mut groups = Groups::default();
    let states = || select.aggregates.iter().map(|it| State::new(*it)).collect();
    if select.groups.is_empty() {
        // The rows of an empty table are a group too.
        let (values, states) = (Vec::new(), states());
        groups.add(&[], Group { values, states });
    }
    // SQLite sorts the groups as the result, if that is sorted by as many values.
    let is_same = select.order.len() == select.groups.len();
    let descending: Vec<bool> = (0..select.groups.len())
        .map(|at| {
            is_same
                && select
                    .order
                    .get(at)
                    .is_some_and(|(_, descending)| *descending)
        })
        .collect();
    let is_most = |it: &Aggregate| matches!(it.0, Function::Least | Function::Greatest);
    let has_most = select.aggregates.iter().any(is_most);
    let (mut key, mut memory) = (Vec::new(), Vec::new());
    let mut bytes = 0usize;
    while matching.advance()? {
        let cursor = &*matching.cursor;
        key.clear();
        for (column, is_descending) in select.groups.iter().zip(&descending) {
            let (value, text) = (cursor.value(*column), || cursor.bytes(*column));
            push_key(value, text, *is_descending, &mut key);
        }
        let at = match groups.find(&key) {
            Some(at) => at,
            None if groups.list.len() >= limits::DIRECT_GROUPS => return Err(Stop::Unknown),
            None => {
                let values = select.groups.iter();
                let values =
                    values.map(|column| Kept::of(cursor.value(*column), || cursor.text(*column)));
                let values: Vec<Kept> = values.collect();
                let size: usize = values.iter().map(Kept::bytes).sum();
                let keys = key.len().saturating_mul(2);
                bytes = bytes.saturating_add(keys).saturating_add(size);
                let states = states();
                groups.add(&key, Group { values, states })
            }
        };
        if let Some((_, group)) = groups.list.get_mut(at) {
            // With `min` or `max`, SQLite shows the group as it is in the row of that value: 1 or 1.0.
            let mut values = group.values.iter().zip(&select.groups);
            if has_most && values.any(|(known, column)| !known.is_same(cursor.value(*column))) {
                return Err(Stop::Unknown);
            }
            for (state, aggregate) in group.states.iter_mut().zip(&select.aggregates) {
                let before = state.bytes();
                state.add(*aggregate, cursor, &mut memory)?;
                bytes = bytes.saturating_sub(before).saturating_add(state.bytes());
            }
        }
        if bytes > limits::DIRECT_BYTES {
            return Err(Stop::Unknown);
        }
    }
    let mut sorted = Sorted::new(skipped.saturating_add(rows));
    for group in groups.into_sorted() {
        let results = group.states.into_iter().zip(&select.aggregates);
        let results = results.map(|(state, (function, _))| state.result(*function));
        let results: Vec<Kept> = results.collect::<Result<_, Unknown>>()?;
        let value = |output: &Output| match output {
            Output::Aggregate(at) => results.get(*at),
            Output::Column(column) => {
                let at = select.groups.iter().position(|it| it == column);
                at.and_then(|at| group.values.get(at))
            }
        };
        key.clear();
        for (output, is_descending) in &select.order {
            let found = value(output).unwrap_or(&Kept::Null);
            // The rest of a long text would decide.
            let text = found.whole().ok_or(Stop::Unknown)?;
            push_key(
                &found.value(),
                || text.as_bytes().into(),
                *is_descending,
                &mut key,
            );
        }
        sorted.add(&key, || {
            let outputs = select.outputs.iter();
            let row = outputs.map(|(output, _)| value(output).cloned().unwrap_or(Kept::Null));
            (row.collect(), 0)
        });
    }
    Ok(sorted.into_items().skip(skipped).collect())
}
