//! Requests for one row, by its key.

use super::clause::{literal, quoted};
use super::columns;
use super::context::{Context, HandlerError, Shown};
use super::schema::{Column, Table, names};
use super::{failure, raw, table};
use crate::answer::DatabasePart;
use crate::limits;
use crate::window::Total;
use crate::world::{Bounds, DatabaseError, Need, Work};
use omniread_outline::sort;

/// Shows the row that a key identifies, with one line per column.
pub fn read(look: &mut Context<'_>, table: &Table, key: &str) -> Result<Shown, HandlerError> {
    let columns = table.columns(look)?;
    table.known(&columns)?;
    let condition = by_key(look, table, &columns, key)?;
    let path = vec![table.name.clone(), key.to_owned()];
    let mut shown = Shown::new(DatabasePart::Row, path, names(&columns));
    let name = quoted(&table.name);
    let statement =
        |expressions: &str| format!("SELECT {expressions} FROM {name} WHERE {condition} LIMIT 2");
    let bounds = Bounds {
        rows: 1,
        bytes: limits::VALUE_BYTES,
        work: Work::Query,
        need: Need::Required,
    };
    let found = columns::read(look, table, &columns, bounds, &statement)?;
    let Some(row) = found.rows.first() else {
        let damaged = found.damage.map(DatabaseError::Damaged);
        return Err(damaged.map_or_else(
            || HandlerError::Failure(failure::no_row(look.subject, &table.name, key)),
            HandlerError::Database,
        ));
    };
    let alone = table::alone(&shown.columns, row, look.room_after(""));
    let then = (alone.columns < columns.len()).then(|| alone.columns.saturating_add(1));
    shown.columns.truncate(alone.columns);
    shown.text = alone.text;
    shown.limit = alone.limit;
    shown.rows = 1;
    shown.total = Total::Exact(1);
    if found.more {
        shown
            .notes
            .push("more than one row has this key".to_owned());
    }
    let mut of = format!("{name} WHERE {condition}");
    if then.is_some() && found.more {
        of.push_str(" LIMIT 1");
    }
    let left = raw::Left {
        missing: &alone.missing,
        then,
    };
    raw::read_on(look, &mut shown, left, &of, None)?;
    Ok(shown)
}

/// The SQL condition that selects the row with a key. The key is compared with the primary key if
/// that has one column, and otherwise with the rowid.
fn by_key(
    look: &mut Context<'_>,
    table: &Table,
    columns: &[Column],
    key: &str,
) -> Result<String, HandlerError> {
    let integer = key.parse::<i64>().ok();
    let mut keys: Vec<&Column> = columns.iter().filter(|column| column.key > 0).collect();
    sort::by(&mut keys, |column| (column.key.unsigned_abs(), 0));
    if let [column] = keys.as_slice() {
        if column.is_rowid() && integer.is_none() {
            return Err(failure::not_whole(look.subject, &table.name, column, columns, key).into());
        }
        let mut values = vec![literal(key)];
        // A column without type affinity does not convert the text of the key, so the number is
        // compared too.
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
    match integer {
        Some(number) => Ok(format!("{rowid} = {number}")),
        None => Err(failure::no_rowid(look.subject, &table.name, key, columns).into()),
    }
}

/// The hex digits of a key that has the form of an SQL blob literal, such as `x'0A1B'`. `None` if
/// the key does not have this form.
fn blob(key: &str) -> Option<&str> {
    let digits = key
        .strip_prefix(['x', 'X'])?
        .strip_prefix('\'')?
        .strip_suffix('\'')?;
    let sound = digits.len() % 2 == 0 && digits.chars().all(|c| c.is_ascii_hexdigit());
    sound.then_some(digits)
}
