//! What a database says of its tables.

use super::clause::quoted;
use super::look::{FEW, Look, Stop};
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::Rest;
use crate::sort;
use crate::window::Total;
use crate::world::{Bounds, DatabaseError, Value};

/// What a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A table of rows.
    Table,
    /// One whose rows a module makes.
    Virtual,
    /// A view.
    View,
}

/// A table or view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// The statement that creates it, as far as it is not too long to be shown,
    /// and how many bytes it has.
    pub sql: Option<(String, u64)>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its type, as it is declared.
    pub declared: String,
    /// Its place in the primary key, from 1; 0 if it is not in it.
    pub key: i64,
}

impl Column {
    /// Whether it is the number of a row, which is a whole one: so it is in the
    /// key alone.
    pub fn is_rowid(&self) -> bool {
        self.declared.eq_ignore_ascii_case("integer")
    }

    /// Whether values stay as they are, by chapter 3.1 of "Datatypes In SQLite";
    /// `ANY` is the type of such columns in strict tables.
    pub fn is_untyped(&self) -> bool {
        let declared = self.declared.to_ascii_uppercase();
        let typed = ["INT", "CHAR", "CLOB", "TEXT"];
        let typed = typed.iter().any(|word| declared.contains(word));
        declared.is_empty() || declared == "ANY" || (declared.contains("BLOB") && !typed)
    }
}

/// The names of columns.
pub fn names(columns: &[Column]) -> Vec<String> {
    columns.iter().map(|column| column.name.clone()).collect()
}

/// Tables of SQLite itself that are no rows of the schema.
const SCHEMA: [&str; 2] = ["sqlite_schema", "sqlite_master"];

impl Table {
    fn new(name: String, kind: &str, sql: Option<(String, u64)>) -> Self {
        let is_virtual = |(sql, _): &(String, u64)| {
            let word = sql.split_ascii_whitespace().nth(1);
            word.is_some_and(|word| word.eq_ignore_ascii_case("virtual"))
        };
        let kind = match kind {
            "view" => Kind::View,
            _ if sql.as_ref().is_some_and(is_virtual) => Kind::Virtual,
            _ => Kind::Table,
        };
        Self { name, kind, sql }
    }

    /// The table that is meant by the first of these names that one has, the
    /// longest first, and what follows it.
    pub fn find(
        look: &mut Look<'_>,
        names: &[(String, Option<Rest>)],
    ) -> Result<(Self, Option<Rest>), Stop> {
        let marks = vec!["?"; names.len()].join(", ");
        let sql = format!(
            "SELECT name, type, sql FROM sqlite_schema \
             WHERE type IN ('table', 'view') AND name COLLATE NOCASE IN ({marks})"
        );
        let wanted: Vec<Value> = names
            .iter()
            .map(|(name, _)| Value::Text(name.clone(), name.len() as u64))
            .collect();
        let bytes = usize::try_from(limits::PAGE_BYTES).unwrap_or(usize::MAX);
        let bounds = Bounds {
            rows: names.len() as u64,
            bytes,
            work: limits::QUERY_WORK,
        };
        let rows = look.execute(&sql, &wanted, bounds)?;
        let mut tables: Vec<Self> = rows.rows.into_iter().filter_map(of_row).collect();
        for name in SCHEMA {
            tables.push(Self::new(name.to_owned(), "table", None));
        }
        for (name, rest) in names {
            // One that is spelled the same counts before others.
            let same = tables.iter().position(|table| table.name == *name);
            let like = || {
                let mut tables = tables.iter();
                tables.position(|table| table.name.eq_ignore_ascii_case(name))
            };
            if let Some(place) = same.or_else(like) {
                return Ok((tables.swap_remove(place), rest.clone()));
            }
        }
        Err(Stop::Failure(missing(look, names)?))
    }

    /// Its columns, as `SELECT *` gives them.
    pub fn columns(&self, look: &mut Look<'_>) -> Result<Vec<Column>, Stop> {
        let sql = format!("PRAGMA table_xinfo({})", quoted(&self.name));
        let rows = look.execute(&sql, &[], FEW)?;
        let column = |row: Vec<Value>| {
            let mut row = row.into_iter().skip(1);
            let name = text(row.next()?)?;
            let declared = text(row.next()?).unwrap_or_default();
            let key = integer(&row.nth(2)?)?;
            // 1 is that of the hidden columns of a virtual table.
            let hidden = integer(&row.next()?)?;
            (hidden != 1).then_some(Column {
                name,
                declared,
                key,
            })
        };
        Ok(rows.rows.into_iter().filter_map(column).collect())
    }

    /// Checks that it has columns: that of a table which is damaged may not be
    /// told.
    pub fn known(&self, columns: &[Column]) -> Result<(), Stop> {
        if columns.is_empty() {
            let words = format!("no column of `{}` can be told", self.name);
            return Err(DatabaseError::Damaged(words).into());
        }
        Ok(())
    }

    /// The name by which the number of a row is asked for: one that no column
    /// has; none if rows have no number.
    pub fn rowid(
        &self,
        look: &mut Look<'_>,
        columns: &[Column],
    ) -> Result<Option<&'static str>, Stop> {
        if self.kind == Kind::View || self.without_rowid(look)? {
            return Ok(None);
        }
        let free = |name: &&str| {
            let mut columns = columns.iter();
            columns.all(|column| !column.name.eq_ignore_ascii_case(name))
        };
        Ok(["rowid", "_rowid_", "oid"].into_iter().find(free))
    }

    fn without_rowid(&self, look: &mut Look<'_>) -> Result<bool, Stop> {
        let sql = format!("PRAGMA table_list({})", quoted(&self.name));
        let rows = look.execute(&sql, &[], FEW)?;
        let wr = |row: &Vec<Value>| row.get(4).and_then(integer) == Some(1);
        Ok(rows.rows.iter().any(wr))
    }
}

fn of_row(row: Vec<Value>) -> Option<Table> {
    let mut row = row.into_iter();
    let (name, kind) = (text(row.next()?)?, text(row.next()?)?);
    let sql = match row.next()? {
        Value::Text(sql, length) => Some((sql, length)),
        _ => None,
    };
    Some(Table::new(name, &kind, sql))
}

/// The text of a value.
pub fn text(value: Value) -> Option<String> {
    match value {
        Value::Text(text, _) => Some(text),
        _ => None,
    }
}

fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(value) => Some(*value),
        _ => None,
    }
}

/// All tables and views but those of SQLite itself, by name, and whether there
/// are more.
pub fn tables(look: &mut Look<'_>) -> Result<(Vec<Table>, bool), Stop> {
    // In the order in which they lie, so that damage hides only what follows.
    let sql = "SELECT name, type, substr(sql, 1, 100) FROM sqlite_schema \
               WHERE type IN ('table', 'view') AND substr(name, 1, 7) <> 'sqlite_'";
    let bounds = Bounds {
        bytes: limits::PATH_BYTES,
        ..FEW
    };
    let rows = look.execute(sql, &[], bounds)?;
    let mut tables: Vec<Table> = rows.rows.into_iter().filter_map(of_row).collect();
    sort::by_name(&mut tables, |table| (0, 0, &table.name));
    Ok((tables, rows.more))
}

/// The failure of a table that is not there, with those that are.
fn missing(look: &mut Look<'_>, names: &[(String, Option<Rest>)]) -> Result<Failure, Stop> {
    // The shortest one is what was most likely meant.
    let wanted = names.last().map_or("", |(name, _)| name.as_str());
    let (tables, _) = tables(look)?;
    let mut near: Vec<(f64, &str)> = tables
        .iter()
        .map(|table| {
            let name = table.name.as_str();
            let likeness = strsim::jaro_winkler(&wanted.to_lowercase(), &name.to_lowercase());
            (likeness, name)
        })
        .collect();
    // Of numbers that are not negative, the larger one has the larger bits.
    sort::by(&mut near, |(likeness, _)| {
        (u64::MAX.saturating_sub(likeness.to_bits()), 0)
    });
    let near: Vec<&str> = near
        .into_iter()
        .take(limits::NEAR_NAMES)
        .map(|(_, name)| name)
        .collect();
    let subject = look.subject;
    let failure = Failure::new(
        Reason::NotFound(near.iter().map(|name| subject.inside(name)).collect()),
        format!("Table '{wanted}' not found in '{}'", subject.shown()),
    );
    if near.is_empty() {
        return Ok(failure.hint("it has no tables"));
    }
    let near: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    let all = if near.len() == tables.len() {
        ""
    } else {
        ", among others"
    };
    Ok(failure.hint(format!("its tables: {}{all}", near.join(", "))))
}

/// How many rows a table has. `rows` is how many may be counted one by one;
/// none if they cannot be, with the reason.
pub fn count(
    look: &mut Look<'_>,
    table: &Table,
    rows: u64,
    work: u64,
) -> Result<Result<Total, DatabaseError>, Stop> {
    let name = quoted(&table.name);
    let by_page = table.kind == Kind::Table && look.is_small() && !look.careful;
    let sql = if by_page {
        format!("SELECT count(*) FROM {name}")
    } else {
        let limit = rows.saturating_add(1);
        format!("SELECT count(*) FROM (SELECT 1 FROM {name} LIMIT {limit})")
    };
    let bounds = Bounds { work, ..FEW };
    let counted = match look.execute(&sql, &[], bounds) {
        Ok(counted) => counted,
        Err(stop) => return stop.of_part().map(Err),
    };
    let number = counted.rows.first().and_then(|row| integer(row.first()?));
    let number = number.and_then(|number| u64::try_from(number).ok());
    Ok(match (number, counted.damage) {
        (None, damage) => {
            let words = damage.unwrap_or_else(|| "it gives no number".to_owned());
            Err(DatabaseError::Damaged(words))
        }
        (Some(number), _) => {
            let most = if by_page { limits::COUNTED_ROWS } else { rows };
            Ok(if number > most {
                Total::AtLeast(most)
            } else {
                Total::Exact(number)
            })
        }
    })
}

/// A number of rows: `1 row`, `245 rows`, `50000+ rows`.
pub fn rows_in_words(total: Total) -> String {
    match total {
        Total::Exact(1) => "1 row".to_owned(),
        Total::Exact(rows) => format!("{rows} rows"),
        Total::AtLeast(rows) => format!("{rows}+ rows"),
    }
}
