//! A page of rows in the order of a column, with the number of rows, from one scan of the table.

use super::clause::{self, quoted};
use super::columns::{self, cell_bytes};
use super::context::{Context, HandlerError, UserSql};
use super::schema::{Column, Kind, Table, names};
use crate::limits;
use crate::path::query::Parameters;
use crate::world::{Bounds, Need, Ordering, Rows, Work};
use std::fmt::Write as _;

/// Reads a page of rows in an order. Also returns the number of rows, unless counting them alone may have taken more
/// than [`limits::OPTIONAL_WORK`]. `None` if the rows have to be read with a statement.
pub fn page(
    look: &mut Context<'_>,
    table: &Table,
    columns: &[Column],
    parameters: &Parameters,
) -> Result<Option<(Rows, Option<u64>)>, HandlerError> {
    let Some(order) = &parameters.order else {
        return Ok(None);
    };
    // One more row shows whether there is a next page.
    let limit = look.rows(parameters).saturating_add(1);
    let most = parameters.offset.saturating_add(limit);
    // The statement with the rows names them by this name.
    let is_clear = columns
        .iter()
        .all(|column| !column.name.eq_ignore_ascii_case("column1"));
    let is_large = look.size >= limits::ORDERED_DATABASE_BYTES;
    let is_usual = table.kind == Kind::Table && !look.careful;
    if !is_large || !is_clear || !is_usual || most > limits::ORDERED_ROWS {
        return Ok(None);
    }
    table.known(columns)?;
    look.user_sql = parameters.filter.is_some().then_some(UserSql::Condition);
    if let Some(filter) = &parameters.filter {
        clause::condition(filter)?;
    }
    let heads = names(columns);
    let (column, descending) = clause::order(order, &heads)?;
    let Some(rowid) = table.rowid(look, columns)? else {
        return Ok(None);
    };
    let found = look.connection.first(&Ordering {
        table: &table.name,
        rowid,
        condition: parameters.filter.as_deref(),
        column,
        descending,
        offset: parameters.offset,
        limit,
        work: Work::Query,
    })?;
    let Some(found) = found else {
        return Ok(None);
    };
    if found.damage.is_some() {
        if look.damage.is_none() {
            look.damage.clone_from(&found.damage);
        }
        let page = Rows {
            damage: found.damage,
            ..Rows::default()
        };
        return Ok(Some((page, None)));
    }
    let matching = (found.work < limits::OPTIONAL_WORK).then_some(found.matching);
    if found.rows.is_empty() {
        return Ok(Some((Rows::default(), matching)));
    }
    let name = quoted(&table.name);
    let mut values = String::new();
    for row in found.rows {
        let comma = if values.is_empty() { "" } else { "," };
        let _ = write!(values, "{comma}({row})");
    }
    let statement = |expressions: &str| {
        format!(
            "SELECT {expressions} FROM (VALUES {values}) CROSS JOIN {name} ON {name}.{rowid} = column1"
        )
    };
    let bounds = Bounds {
        rows: look.rows(parameters),
        bytes: cell_bytes(columns.len()),
        work: Work::Query,
        need: Need::Required,
    };
    let page = columns::read(look, table, columns, bounds, &statement)?;
    Ok(Some((page, matching)))
}
