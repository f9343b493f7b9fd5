//! Tables of rows in the SQL engine: which columns a condition or statement needs, and the rows that
//! are passed to the engine.

use super::Rows;
use super::names::ROWID;
use super::types::ColumnType;
use super::types::loaded::LoadedColumn;
use super::types::usage::{Usage, Usages};
use crate::limits;
use crate::sqlite::quoted;
use crate::world::{Bounds, Connection, DatabaseError, Need, NumberedRow, Value, Work, World};

/// The names by which a statement may call the table besides its own name, which may be unknown to
/// the caller or need quotes.
const ALIASES: [&str; 3] = ["data", "csv", "rows"];

/// A table in the SQL engine, and the rows that are not passed to it yet.
pub struct Table {
    pub connection: Box<dyn Connection>,
    /// The name of the table in statements.
    pub name: String,
    /// The columns that the engine has.
    loaded: Vec<LoadedColumn>,
    /// The number of columns that are needed, but are more than the engine can have.
    left_out: usize,
    batch: Vec<NumberedRow>,
    /// The size of the rows in `batch` in bytes.
    bytes: usize,
    /// Whether a value is cut, because it is longer than the limit.
    pub cut: bool,
}

/// What a table in the engine is made for.
pub struct Loaded<'l> {
    /// The condition or statement, which decides which columns are needed.
    pub sql: &'l str,
    /// The names of all columns.
    pub columns: &'l [String],
    /// The types of the columns.
    pub types: &'l [ColumnType],
    /// The index of a column that is needed besides, because it is ordered.
    pub ordered: Option<usize>,
}

impl Loaded<'_> {
    /// The columns that the condition or statement needs, and the number of those that are more than the
    /// engine can have.
    pub fn columns(&self) -> (Vec<LoadedColumn>, usize) {
        let Self {
            sql,
            columns,
            types,
            ordered,
        } = *self;
        let (mut indexes, left_out) = needed(sql, columns);
        if let Some(ordered) = ordered
            && !indexes.contains(&ordered)
        {
            indexes.push(ordered);
        }
        let usages = Usages::of(sql);
        let loaded = indexes.into_iter().filter_map(|index| {
            let name = columns.get(index)?.clone();
            let ordered = (ordered == Some(index)).then_some(Usage::Ordered);
            let usage = usages.of_column(&name).max(ordered);
            let found = types.get(index).cloned().unwrap_or_default();
            Some(LoadedColumn::new(index, name, found, usage))
        });
        (loaded.collect(), left_out)
    }
}

/// The notes on columns whose texts are used as numbers, and on their marks.
pub fn column_notes(columns: &[LoadedColumn]) -> Vec<String> {
    let notes = columns.iter().flat_map(LoadedColumn::notes);
    notes.take(limits::COLUMN_NOTES).collect()
}

impl Table {
    /// Creates a table with the columns that a condition or statement needs. `name` is the name of the
    /// table.
    ///
    /// # Errors
    /// Fails if there is no engine, or if it refuses the names.
    pub fn create(
        loaded: &Loaded<'_>,
        name: &str,
        world: &mut dyn World,
    ) -> Result<Self, DatabaseError> {
        let name = table_name(loaded.sql, name);
        Self::define(loaded, name, world.memory_database()?)
    }

    /// Adds a table to an open database. `name` is its name in statements.
    ///
    /// # Errors
    /// As [`Table::create`].
    pub fn define(
        loaded: &Loaded<'_>,
        name: String,
        mut connection: Box<dyn Connection>,
    ) -> Result<Self, DatabaseError> {
        let (loaded, left_out) = loaded.columns();
        // A table has a column at least.
        if loaded.is_empty() {
            connection.define(&name, &["A".to_owned()])?;
        } else {
            let names: Vec<String> = loaded.iter().map(|it| it.name().to_owned()).collect();
            connection.define(&name, &names)?;
        }
        Ok(Self {
            connection,
            name,
            loaded,
            left_out,
            batch: Vec::new(),
            bytes: 0,
            cut: false,
        })
    }

    /// Adds a row to the batch. `bytes` is the size of its texts.
    pub fn add_values(&mut self, number: u64, mut values: Vec<Value>, bytes: usize) {
        if values.is_empty() {
            values.push(Value::Null);
        }
        self.bytes = self.bytes.saturating_add(bytes);
        self.push(number, values);
    }

    fn push(&mut self, number: u64, values: Vec<Value>) {
        // The size of an empty value in memory.
        self.bytes = self.bytes.saturating_add(values.len().saturating_mul(32));
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        self.batch.push((number, values));
    }

    /// The columns, for a cursor. [`Table::take_back`] returns them to the table.
    pub fn lend(&mut self) -> Vec<LoadedColumn> {
        std::mem::take(&mut self.loaded)
    }

    /// Takes the columns back from a cursor. `cut` states whether a value was cut.
    pub fn take_back(&mut self, columns: Vec<LoadedColumn>, cut: bool) {
        self.cut |= cut;
        self.loaded = columns;
    }

    /// The columns that the engine has.
    pub fn columns(&self) -> &[LoadedColumn] {
        &self.loaded
    }

    /// The note on columns that the engine does not have although a statement needs them. `table` is
    /// the name of the table.
    pub fn note(&self, table: &str) -> Option<String> {
        let loaded = self.loaded.len();
        let all = loaded.saturating_add(self.left_out);
        (self.left_out > 0).then(|| {
            format!(
                "the statement sees {loaded} of the {all} columns of {}; name those that it needs",
                quoted(table)
            )
        })
    }

    /// The notes on columns whose texts are used as numbers, and on their marks.
    pub fn notes(&self) -> Vec<String> {
        column_notes(&self.loaded)
    }

    /// Whether the batch should be passed to the engine.
    pub fn is_full(&self) -> bool {
        self.batch.len() >= limits::BATCH_ROWS || self.bytes >= limits::BATCH_BYTES
    }

    /// Passes the batch to the engine.
    ///
    /// # Errors
    /// Fails if the memory of the engine is exhausted.
    pub fn flush(&mut self) -> Result<(), DatabaseError> {
        self.bytes = 0;
        let batch = std::mem::take(&mut self.batch);
        if batch.is_empty() {
            return Ok(());
        }
        self.connection.insert(&self.name, batch)
    }

    /// Removes all rows from the engine.
    ///
    /// # Errors
    /// Fails if the engine failed.
    pub fn clear(&mut self) -> Result<(), DatabaseError> {
        self.connection.clear(&self.name)
    }

    /// The numbers of the rows in the engine that meet `filter`, in the order `order`, which is an
    /// SQL expression. At most `limit`, after `offset`. Also returns whether there are more.
    ///
    /// # Errors
    /// Fails if the condition is not valid, or if it exceeds a limit.
    pub fn numbers(
        &mut self,
        filter: Option<&str>,
        order: Option<&str>,
        offset: u64,
        limit: u64,
    ) -> Result<(Vec<u64>, bool), DatabaseError> {
        let (name, condition) = (quoted(&self.name), condition(filter));
        let order = order.map_or_else(String::new, |order| format!("{order}, "));
        let offset = offset.min(i64::MAX.unsigned_abs());
        let sql = format!(
            "SELECT {ROWID} FROM {name}{condition} ORDER BY {order}{ROWID} LIMIT -1 OFFSET {offset}"
        );
        let bounds = Bounds {
            rows: limit,
            bytes: 0,
            work: Work::Query,
            need: Need::Required,
        };
        let rows = self.connection.execute(&sql, &[], bounds)?;
        let numbers = rows.rows.iter().filter_map(|row| match row.first()? {
            Value::Integer(number) => u64::try_from(*number).ok(),
            _ => None,
        });
        Ok((numbers.collect(), rows.more))
    }

    /// The number of rows in the engine that meet `filter`.
    ///
    /// # Errors
    /// Fails if the condition is not valid, or if it exceeds a limit.
    pub fn count(&mut self, filter: Option<&str>) -> Result<u64, DatabaseError> {
        let (name, condition) = (quoted(&self.name), condition(filter));
        let sql = format!("SELECT count(*) FROM {name}{condition}");
        let bounds = Bounds {
            rows: 1,
            bytes: 0,
            work: Work::Query,
            need: Need::Required,
        };
        let rows = self.connection.execute(&sql, &[], bounds)?;
        Ok(match rows.rows.first().and_then(|row| row.first()) {
            Some(Value::Integer(count)) => u64::try_from(*count).unwrap_or(0),
            _ => 0,
        })
    }
}

fn condition(filter: Option<&str>) -> String {
    filter.map_or_else(String::new, |filter| format!(" WHERE (\n{filter}\n)"))
}

/// The columns of a table for an SQL text: its columns and, if the text names it, the column for the
/// first value after them.
pub fn columns_for(sql: &str, rows: &dyn Rows) -> Vec<String> {
    let mut columns = rows.columns().to_vec();
    let extra = rows.extra_column();
    let is_named = |extra: &&str| sql.to_lowercase().contains(&extra.to_lowercase());
    columns.extend(extra.filter(is_named).map(str::to_owned));
    columns
}

/// The indexes of the columns that a condition or statement may need: those whose names occur in
/// it, or all if it has a `*` that means all columns. At most [`limits::SQL_COLUMNS`]. Also returns
/// the number of columns that would be needed besides.
fn needed(sql: &str, columns: &[String]) -> (Vec<usize>, usize) {
    let sql = sql.to_ascii_lowercase();
    // A comment may contain or precede a `*`.
    let is_commented = sql.contains("--") || sql.contains("/*");
    let all = (sql.contains('*') && is_commented) || has_all_columns(&sql) || uses_all(&sql);
    if all && columns.len() <= limits::SQL_COLUMNS {
        return ((0..columns.len()).collect(), 0);
    }
    let occurs = |name: &String| {
        // In quotes, a quote is written twice.
        name.contains(['"', '`', ']']) || sql.contains(&name.to_ascii_lowercase())
    };
    let needed = columns.iter().enumerate().filter(|(_, name)| occurs(name));
    let mut needed: Vec<usize> = needed.map(|(index, _)| index).collect();
    if all {
        needed.extend(0..columns.len());
        let mut seen = std::collections::BTreeSet::new();
        needed.retain(|index| seen.insert(*index));
    }
    let left_out = needed.len().saturating_sub(limits::SQL_COLUMNS);
    needed.truncate(limits::SQL_COLUMNS);
    (needed, left_out)
}

/// Whether an SQL text in lower case has a `*` that means all columns, as in `select *` and `t.*`,
/// but not one that multiplies or counts.
fn has_all_columns(sql: &str) -> bool {
    sql.match_indices('*').any(|(at, _)| {
        let before = sql.get(..at).unwrap_or_default().trim_end();
        before.ends_with([',', '.'])
            || ["select", "distinct", "all"]
                .iter()
                .any(|word| words(before).next_back() == Some(word) && before.ends_with(word))
    })
}

/// Whether a statement uses columns without naming them.
fn uses_all(sql: &str) -> bool {
    const WORDS: [&str; 4] = ["natural", "pragma", "sqlite_master", "sqlite_schema"];
    words(sql).any(|word| WORDS.contains(&word) || word.starts_with("pragma_"))
}

/// The words of an SQL text.
pub fn words(sql: &str) -> impl DoubleEndedIterator<Item = &str> {
    sql.split(|c: char| !(c == '_' || c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
}

/// The name of the table in a statement: its own name or, if the statement reads an alias and not
/// that name, the alias.
pub fn table_name(sql: &str, name: &str) -> String {
    let reads = |wanted: &str| {
        let mut after_from = false;
        words(sql).any(|word| {
            let found = after_from && word.eq_ignore_ascii_case(wanted);
            after_from = ["from", "join", "in"]
                .iter()
                .any(|from| word.eq_ignore_ascii_case(from));
            found
        })
    };
    let simple = words(name).eq([name]);
    let named = if simple {
        reads(name)
    } else {
        sql.contains(&quoted(name))
    };
    // SQLite reserves these names.
    let reserved = name
        .get(..7)
        .is_some_and(|start| start.eq_ignore_ascii_case("sqlite_"));
    if reserved {
        return ALIASES
            .first()
            .map_or_else(String::new, |alias| (*alias).to_owned());
    }
    let alias = ALIASES.into_iter().find(|alias| reads(alias));
    match alias {
        Some(alias) if !named => alias.to_owned(),
        _ => name.replace('\0', "\u{fffd}"),
    }
}

/// Whether a condition refers to other rows, so that it cannot be evaluated for a part of them:
/// `price > (SELECT avg(price) FROM data)`.
pub fn refers_to_others(filter: &str) -> bool {
    let selects = words(filter).any(|word| word.eq_ignore_ascii_case("select"));
    let mut parts = filter.split_whitespace();
    let mut after_in = false;
    let in_table = parts.any(|part| {
        let found = after_in && !part.starts_with('(');
        let part = part.to_ascii_lowercase();
        after_in = part == "in" || part.ends_with(")in");
        found
    });
    selects || in_table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn statement_needs_the_columns_that_it_names() {
        let columns = names(&["id", "Name", "price", "a\"b"]);
        for (sql, expected) in [
            ("price > 5", vec![2, 3]),
            ("\"name\" = 'x' and PRICE > 2", vec![1, 2, 3]),
            ("select count( * ) from t where id = 1", vec![0, 3]),
            ("select * from t", vec![0, 1, 2, 3]),
            ("select t . * from t", vec![0, 1, 2, 3]),
            ("select id,* from t", vec![0, 1, 2, 3]),
            ("select distinct\n* from t", vec![0, 1, 2, 3]),
            ("select /* x */ * from t", vec![0, 1, 2, 3]),
            ("select id * price from t", vec![0, 2, 3]),
            ("select (id)*2, 'select' * 2 from t", vec![0, 3]),
            ("true", vec![3]),
        ] {
            assert_eq!(needed(sql, &columns), (expected, 0), "{sql}");
        }
        let wide: Vec<String> = (0..5000).map(|index| format!("c{index}x")).collect();
        let (found, left_out) = needed("select *, c4000x from t", &wide);
        assert_eq!(
            (found.first(), found.len(), left_out),
            (Some(&4000), limits::SQL_COLUMNS, 4000)
        );
        // A `*` that multiplies needs no further columns.
        assert_eq!(needed("c1x * 2 > 5", &wide), (vec![1], 0));
    }

    #[test]
    fn table_has_its_name_or_an_alias() {
        for (sql, name, expected) in [
            ("select * from sales", "sales", "sales"),
            ("select * from DATA", "sales", "data"),
            ("select data from sales", "sales", "sales"),
            ("select * from \"my file\"", "my file", "my file"),
            ("select * from data", "my file", "data"),
            ("select a from data", "a-b", "data"),
            ("select count(*) as sales from data", "sales", "data"),
            ("select * from \"Sales\" join data", "sales", "sales"),
            ("select * from nothing", "sales", "sales"),
        ] {
            assert_eq!(table_name(sql, name), expected, "{sql}");
        }
    }

    #[test]
    fn condition_on_other_rows_is_detected() {
        for filter in [
            "a > (SELECT avg(a) FROM data)",
            "a in data",
            "a not in\ndata",
            "(a)in data",
        ] {
            assert!(refers_to_others(filter), "{filter}");
        }
        for filter in ["a in (1, 2)", "selected = 1", "a = 'in'", "a in(1)"] {
            assert!(!refers_to_others(filter), "{filter}");
        }
    }
}
