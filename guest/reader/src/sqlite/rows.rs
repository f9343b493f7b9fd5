//! A table: its definition, and rows of it.

use super::clause::{self, literal, quoted};
use super::look::{FEW, Look, Shown, Stop};
use super::schema::{self, Column, Kind, Table, names};
use super::{cells, table};
use crate::answer::Form;
use crate::limits;
use crate::path::query::{self, Parameters};
use crate::units;
use crate::window::Total;
use crate::world::{Bounds, DatabaseError, Rows, Value};
use std::fmt::Write as _;

/// The columns of a table in a statement.
pub fn selected(columns: &[Column]) -> String {
    let expressions = columns.iter();
    let expressions = expressions.map(|column| cells::expression(&column.name));
    expressions.collect::<Vec<_>>().join(", ")
}

pub fn plain(mut rows: Rows) -> Rows {
    for row in &mut rows.rows {
        for value in row {
            *value = cells::value(std::mem::replace(value, Value::Null));
        }
    }
    rows
}

/// Bytes of a text that a line can show: characters have up to four, and it is
/// to be seen that there are more.
pub const CELL_BYTES: usize = limits::TABLE_WIDTH * 4 + 8;

/// The definition of a table, and sample rows.
pub fn definition(look: &mut Look<'_>, table: &Table) -> Result<Shown, Stop> {
    let columns = table.columns(look);
    let heads = columns.as_deref().map(names).unwrap_or_default();
    let mut shown = Shown::new(Form::Schema, vec![table.name.clone()], heads);
    match &table.sql {
        Some((sql, length)) => {
            // As it is written: what would mislead in it is made visible with
            // the lines of the page.
            shown.text.push_str(sql.trim_end());
            shown.text.push('\n');
            if (sql.len() as u64) < *length {
                let from = sql.chars().count().saturating_add(1);
                let name = literal(&table.name);
                let sql = format!(
                    "SELECT substr(sql, {from}) AS sql FROM sqlite_schema WHERE name = {name}"
                );
                let (append, _) = look.asking(&sql);
                shown.notes.push(format!(
                    "the definition has {}; append {append} to the database path to read on in it",
                    units::bytes(*length)
                ));
            }
        }
        None => shown.text.push_str("(no definition)\n"),
    }
    shown.text.push_str("\nSample rows:\n");
    let parameters = Parameters {
        limit: Some(limits::SAMPLE_ROWS),
        ..Parameters::default()
    };
    // What creates it is shown also where that makes no sense.
    let sample = columns.and_then(|columns| {
        let sample = page(look, table, &columns, &parameters)?;
        Ok((sample, columns))
    });
    match sample {
        Ok((sample, columns)) => {
            let laid = table::rows(&shown.columns, &sample.rows, 1, room(look, &shown));
            shown.text.push_str(&laid.text);
            if sample.rows.is_empty() {
                shown.text.push_str("(no rows)\n");
            }
            shown.rows = laid.rows as u64;
            cut_note(&mut shown, laid.cuts, &columns);
            shown.total = total(look, table, &sample, shown.rows)?;
            if sample.more || laid.rows < sample.rows.len() {
                let next = Parameters {
                    offset: shown.rows,
                    ..Parameters::default()
                };
                go_on(look, &mut shown, table, &next);
            }
        }
        Err(stop) => {
            let why = stop.of_part()?;
            shown.text.push_str("(not read)\n");
            let note = format!("the sample rows are not read: {why}");
            shown.notes.push(note);
            shown.total = Total::AtLeast(0);
        }
    }
    Ok(shown)
}

/// Bytes that are left beside what is shown already.
fn room(look: &Look<'_>, shown: &Shown) -> usize {
    look.room.saturating_sub(shown.text.len())
}

/// How many rows a table has of which a first page was read.
fn total(look: &mut Look<'_>, table: &Table, page: &Rows, shown: u64) -> Result<Total, Stop> {
    if !page.more && page.damage.is_none() {
        return Ok(Total::Exact(page.rows.len() as u64));
    }
    let work = match table.kind {
        Kind::View => limits::ASIDE_WORK,
        Kind::Table | Kind::Virtual => limits::QUERY_WORK,
    };
    let counted = schema::count(look, table, limits::COUNTED_ROWS, work)?;
    Ok(counted.unwrap_or(Total::AtLeast(shown)))
}

/// Says which rows follow, and how they are asked for.
fn go_on(look: &Look<'_>, shown: &mut Shown, table: &Table, next: &Parameters) {
    let before = next.offset;
    let more = match shown.total {
        Total::Exact(total) => format!("{} more rows", total.saturating_sub(before)),
        Total::AtLeast(total) if total > before => {
            format!("{}+ more rows", total.saturating_sub(before))
        }
        Total::AtLeast(_) => "more rows".to_owned(),
    };
    let mut asked = format!("?limit={}&offset={}", look.rows(next), next.offset);
    if let Some(order) = &next.order {
        let _ = write!(asked, "&order={}", query::encoded(order));
    }
    if let Some(filter) = &next.filter {
        let filter = query::encoded(filter);
        let _ = write!(asked, "&where={filter}");
    }
    let path = look.subject.asking(Some(&table.name), &asked);
    let name = &table.name;
    shown.notes.push(format!(
        "{more}; append :{name}{asked} to the database path to continue"
    ));
    shown.next = Some(path);
}

/// Says how values are seen whole that a table shows only in part.
fn cut_note(shown: &mut Shown, cuts: usize, columns: &[Column]) {
    if cuts == 0 {
        return;
    }
    let keys: Vec<&Column> = columns.iter().filter(|column| column.key > 0).collect();
    let key = match (keys.as_slice(), shown.path.first()) {
        ([key], Some(table)) => {
            format!("`:{table}:KEY` (its {}) shows a row whole", key.name)
        }
        _ => "a `?q=` that gives one row shows it whole".to_owned(),
    };
    let values = table::cuts_in_words(cuts);
    shown.notes.push(format!("{values}; {key}"));
}

/// A page of the rows of a table.
fn page(
    look: &mut Look<'_>,
    table: &Table,
    columns: &[Column],
    parameters: &Parameters,
) -> Result<Rows, Stop> {
    table.known(columns)?;
    look.given = parameters.filter.is_some();
    let sql = select(look, table, columns, parameters)?;
    let bounds = Bounds {
        rows: look.rows(parameters),
        bytes: CELL_BYTES,
        work: limits::QUERY_WORK,
    };
    Ok(plain(look.execute(&sql, &[], bounds)?))
}

/// The statement for a page of the rows of a table.
fn select(
    look: &mut Look<'_>,
    table: &Table,
    columns: &[Column],
    parameters: &Parameters,
) -> Result<String, Stop> {
    let name = quoted(&table.name);
    let mut which = name.clone();
    if let Some(filter) = &parameters.filter {
        clause::condition(filter)?;
        let _ = write!(which, " WHERE (\n{filter}\n)");
    }
    if let Some(order) = &parameters.order {
        let names = names(columns);
        let (column, descending) = clause::order(order, &names)?;
        let way = if descending { "DESC" } else { "ASC" };
        let _ = write!(which, " ORDER BY {name}.{} {way}", quoted(column));
    }
    // One more tells whether there are more.
    let limit = look.rows(parameters).saturating_add(1);
    let offset = parameters.offset.min(i64::MAX.unsigned_abs());
    let _ = write!(which, " LIMIT {limit} OFFSET {offset}");
    let values = selected(columns);
    let rowid = match parameters.order {
        Some(_) => table.rowid(look, columns)?,
        None => None,
    };
    Ok(match rowid {
        // What is sorted are numbers of rows: values are looked at of those that
        // are shown.
        Some(rowid) => {
            let mut number = "row".to_owned();
            while columns
                .iter()
                .any(|column| column.name.eq_ignore_ascii_case(&number))
            {
                number.push('_');
            }
            format!(
                "SELECT {values} FROM (SELECT {rowid} AS {number} FROM {which}) \
                 CROSS JOIN {name} ON {name}.{rowid} = {number}"
            )
        }
        None => format!("SELECT {values} FROM {which}"),
    })
}

/// Rows of a table.
pub fn read(look: &mut Look<'_>, table: &Table, parameters: &Parameters) -> Result<Shown, Stop> {
    let columns = table.columns(look)?;
    let mut shown = Shown::new(Form::Query, vec![table.name.clone()], names(&columns));
    let page = page(look, table, &columns, parameters)?;
    let first = parameters.offset.saturating_add(1);
    let laid = table::rows(&shown.columns, &page.rows, first, look.room);
    shown.text = laid.text;
    shown.rows = laid.rows as u64;
    if page.rows.is_empty() {
        shown.text.push_str("(no rows)\n");
    }
    if let Some(asked) = parameters.asked {
        let limit = look.rows(parameters);
        shown.notes.push(format!(
            "limit={asked} is more than the {limit} rows that are shown at once"
        ));
    }
    cut_note(&mut shown, laid.cuts, &columns);
    let end = parameters.offset.saturating_add(shown.rows);
    let whole = laid.rows == page.rows.len();
    if whole && !page.more && page.damage.is_none() {
        // Past the end it is not known where that was.
        shown.total = if page.rows.is_empty() && parameters.offset > 0 {
            Total::AtLeast(0)
        } else {
            Total::Exact(end)
        };
        return Ok(shown);
    }
    shown.total = counted(look, table, parameters)?.unwrap_or(Total::AtLeast(end));
    if !whole || page.more {
        let next = Parameters {
            offset: end,
            // What does not fit on a page is not asked for less.
            limit: Some(if whole {
                look.rows(parameters)
            } else {
                look.rows(parameters).saturating_sub(shown.rows).max(1)
            }),
            ..parameters.clone()
        };
        go_on(look, &mut shown, table, &next);
    }
    Ok(shown)
}

/// How many rows there are, if that is soon told.
fn counted(
    look: &mut Look<'_>,
    table: &Table,
    parameters: &Parameters,
) -> Result<Option<Total>, Stop> {
    let mut sql = format!("SELECT 1 FROM {}", quoted(&table.name));
    if let Some(filter) = &parameters.filter {
        let _ = write!(sql, " WHERE (\n{filter}\n)");
    }
    let sql = format!("SELECT count(*) FROM ({sql})");
    let bounds = Bounds {
        work: limits::ASIDE_WORK,
        ..FEW
    };
    match look.execute(&sql, &[], bounds) {
        Ok(rows) => Ok(rows.rows.first().and_then(|row| match row.first()? {
            Value::Integer(count) => u64::try_from(*count).ok().map(Total::Exact),
            _ => None,
        })),
        Err(Stop::Database(DatabaseError::Changed(what))) => {
            Err(DatabaseError::Changed(what).into())
        }
        Err(_) => Ok(None),
    }
}
