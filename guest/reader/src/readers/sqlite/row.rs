//! One row, by its key.

use super::clause::{literal, quoted};
use super::look::{Look, Shown, Stop};
use super::schema::{Affinity, Column, Table, names};
use super::{failure, raw, rows, table};
use crate::answer::Form;
use crate::limits;
use crate::window::Total;
use crate::world::{Bounds, DatabaseError, Value};

/// One row, by its key.
pub fn read(look: &mut Look<'_>, table: &Table, key: &str) -> Result<Shown, Stop> {
    let columns = table.columns(look)?;
    table.known(&columns)?;
    let (condition, parameters) = by_key(look, table, &columns, key)?;
    let path = vec![table.name.clone(), key.to_owned()];
    let mut shown = Shown::new(Form::Row, path, names(&columns));
    let name = quoted(&table.name);
    let sql = format!(
        "SELECT {} FROM {name} WHERE {condition} LIMIT 2",
        rows::selected(&columns, limits::VALUE_BYTES)
    );
    let bounds = Bounds {
        rows: 1,
        bytes: usize::MAX,
        work: limits::QUERY_WORK,
    };
    let found = rows::plain(look.execute(&sql, &parameters, bounds)?);
    let Some(row) = found.rows.first() else {
        let damaged = found.damage.map(DatabaseError::Damaged);
        return Err(damaged.map_or_else(
            || Stop::Failure(failure::no_row(&table.name, key)),
            Stop::Database,
        ));
    };
    let (text, missing) = table::alone(&shown.columns, row);
    shown.text = text;
    shown.rows = 1;
    shown.total = Total::Exact(1);
    if found.more {
        shown
            .notes
            .push("more than one row has this key".to_owned());
    }
    // As text, since a path has no parameters.
    let mut from = format!("{name} WHERE {condition}");
    for (number, value) in (1..).zip(&parameters) {
        let text = match value {
            Value::Integer(value) => value.to_string(),
            _ => literal(key),
        };
        from = from.replace(&format!("?{number}"), &text);
    }
    raw::read_on(look, &mut shown, &missing, |column, start| {
        format!("SELECT substr({column}, {start}) AS {column} FROM {from}")
    });
    Ok(shown)
}

/// The condition that a key stands for, and its parameters.
fn by_key(
    look: &mut Look<'_>,
    table: &Table,
    columns: &[Column],
    key: &str,
) -> Result<(String, Vec<Value>), Stop> {
    let text = || Value::Text(key.to_owned(), key.len() as u64);
    let whole = key.parse::<i64>().ok();
    let mut keys: Vec<&Column> = columns.iter().filter(|column| column.key > 0).collect();
    keys.sort_by_key(|column| column.key);
    if let [column] = keys.as_slice() {
        let name = quoted(&column.name);
        let condition = format!("{name} = ?1");
        return match (column.affinity(), whole, blob(key)) {
            (Affinity::Integer, None, _) => {
                Err(failure::not_whole(&table.name, &column.name, key).into())
            }
            (Affinity::Blob, _, Some(blob)) => Ok((format!("{name} = x'{blob}'"), Vec::new())),
            (Affinity::Blob, Some(number), _) => {
                let condition = format!("{condition} OR {name} = ?2");
                Ok((condition, vec![text(), Value::Integer(number)]))
            }
            (_, _, Some(blob)) => Ok((format!("{condition} OR {name} = x'{blob}'"), vec![text()])),
            _ => Ok((condition, vec![text()])),
        };
    }
    let Some(rowid) = table.rowid(look, columns)? else {
        let first = columns.iter().take(usize::from(keys.is_empty()));
        let names = first.chain(keys.iter().copied());
        let names: Vec<&str> = names.map(|column| column.name.as_str()).collect();
        return Err(failure::no_key(look.subject, table, &names).into());
    };
    match whole {
        Some(number) => Ok((format!("{rowid} = ?1"), vec![Value::Integer(number)])),
        None => Err(failure::no_rowid(&table.name, key, keys.len()).into()),
    }
}

/// The digits of a key that is written as a blob is in SQL: `x'0A1B'`.
fn blob(key: &str) -> Option<&str> {
    let digits = key
        .strip_prefix(['x', 'X'])?
        .strip_prefix('\'')?
        .strip_suffix('\'')?;
    let sound = digits.len() % 2 == 0 && digits.chars().all(|c| c.is_ascii_hexdigit());
    sound.then_some(digits)
}
