//! One row, by its key.

use super::clause::{literal, quoted};
use super::look::{Look, Shown, Stop};
use super::schema::{Column, Table, names};
use super::{failure, raw, rows, table};
use crate::answer::Form;
use crate::limits;
use crate::sort;
use crate::window::Total;
use crate::world::{Bounds, DatabaseError};

/// One row, by its key.
pub fn read(look: &mut Look<'_>, table: &Table, key: &str) -> Result<Shown, Stop> {
    let columns = table.columns(look)?;
    table.known(&columns)?;
    let condition = by_key(look, table, &columns, key)?;
    let path = vec![table.name.clone(), key.to_owned()];
    let mut shown = Shown::new(Form::Row, path, names(&columns));
    let name = quoted(&table.name);
    let sql = format!(
        "SELECT {} FROM {name} WHERE {condition} LIMIT 2",
        rows::selected(&columns)
    );
    let bounds = Bounds {
        rows: 1,
        bytes: limits::VALUE_BYTES,
        work: limits::QUERY_WORK,
    };
    let found = rows::plain(look.execute(&sql, &[], bounds)?);
    let Some(row) = found.rows.first() else {
        let damaged = found.damage.map(DatabaseError::Damaged);
        return Err(damaged.map_or_else(
            || Stop::Failure(failure::no_row(&table.name, key)),
            Stop::Database,
        ));
    };
    let (text, missing) = table::alone(&shown.columns, row, look.room);
    shown.text = text;
    shown.rows = 1;
    shown.total = Total::Exact(1);
    if found.more {
        shown
            .notes
            .push("more than one row has this key".to_owned());
    }
    raw::read_on(
        look,
        &mut shown,
        &missing,
        &format!("{name} WHERE {condition}"),
        None,
    )?;
    Ok(shown)
}

/// The condition that a key stands for.
fn by_key(
    look: &mut Look<'_>,
    table: &Table,
    columns: &[Column],
    key: &str,
) -> Result<String, Stop> {
    let whole = key.parse::<i64>().ok();
    let mut keys: Vec<&Column> = columns.iter().filter(|column| column.key > 0).collect();
    sort::by(&mut keys, |column| (column.key.unsigned_abs(), 0));
    if let [column] = keys.as_slice() {
        if column.is_rowid() && whole.is_none() {
            return Err(failure::not_whole(&table.name, &column.name, key).into());
        }
        let mut values = vec![literal(key)];
        // A column that turns nothing into numbers is compared with one too.
        if column.is_untyped() {
            let real = key.parse::<f64>().ok().filter(|real| real.is_finite());
            values.extend(real.map(|_| key.trim_start_matches('+').to_owned()));
        }
        values.extend(blob(key).map(|digits| format!("x'{digits}'")));
        return Ok(format!(
            "{} IN ({})",
            quoted(&column.name),
            values.join(", ")
        ));
    }
    let Some(rowid) = table.rowid(look, columns)? else {
        let first = columns.iter().take(usize::from(keys.is_empty()));
        let names = first.chain(keys.iter().copied());
        let names: Vec<&str> = names.map(|column| column.name.as_str()).collect();
        return Err(failure::no_key(look.subject, table, &names).into());
    };
    match whole {
        Some(number) => Ok(format!("{rowid} = {number}")),
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
