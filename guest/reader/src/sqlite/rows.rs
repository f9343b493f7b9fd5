//! Requests for a table: its definition with sample rows, and its rows.

use super::clause::{self, literal, quoted};
use super::columns::{self, cell_bytes};
use super::context::{Context, FEW, HandlerError, Shown, UserSql};
use super::schema::{self, Column, Kind, Table, names};
use super::table::Laid;
use super::{cut, ordered, table};
use crate::answer::DatabasePart;
use crate::limits;
use crate::path::query::{self, Parameters};
use crate::units;
use crate::window::{Limit, Total};
use crate::world::{Bounds, DatabaseError, Need, Rows, Value, Work};
use omniread_tokens::estimate;
use std::fmt::Write as _;

/// Shows the `CREATE` statement of a table, and its first rows as a sample.
pub fn definition(look: &mut Context<'_>, table: &Table) -> Result<Shown, HandlerError> {
    let columns = table.columns(look);
    let heads = columns.as_deref().map(names).unwrap_or_default();
    let mut shown = Shown::new(DatabasePart::Schema, vec![table.name.clone()], heads);
    match &table.sql {
        Some((sql, length)) => {
            let sql = look.tokens.map_or(sql.as_str(), |most| within(sql, most));
            // Not escaped here: `fill_text` writes escape sequences for the lines of the page.
            shown.text.push_str(sql.trim_end());
            shown.text.push('\n');
            if (sql.len() as u64) < *length {
                shown.limit = look.tokens.map(Limit::Tokens);
                let from = sql.chars().count().saturating_add(1);
                let name = literal(&table.name);
                let sql = format!(
                    "SELECT substr(sql, {from}) AS sql FROM sqlite_schema WHERE name = {name}"
                );
                let (how, _) = look.request_for(&sql);
                shown.notes.push(format!(
                    "the definition has {} and is cut; {how} for the rest",
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
    // The definition is shown even if the columns cannot be determined.
    let sample = columns.and_then(|columns| {
        let sample = page(look, table, &columns, &parameters, Work::SAMPLE)?;
        Ok((sample, columns))
    });
    match sample {
        Ok((sample, columns)) => {
            let room = look.room_after(&shown.text);
            let mut laid = table::rows(&shown.columns, &sample.rows, 1, room, look.table_width);
            if room.tokens.is_some_and(|most| estimate(&laid.text) > most) {
                // The path that continues reads them.
                laid = Laid {
                    limit: look.tokens.map(Limit::Tokens),
                    ..Laid::default()
                };
            }
            shown.text.push_str(&laid.text);
            shown.limit = shown.limit.or(laid.limit);
            if sample.rows.is_empty() {
                shown.text.push_str("(no rows)\n");
            } else if laid.rows == 0 {
                shown.text.push_str("(not shown)\n");
            }
            shown.rows = laid.rows as u64;
            let of = cut::Of {
                laid: &laid,
                rows: &sample.rows,
                columns: &columns,
            };
            cut::note(look, &mut shown, &of, &parameters);
            shown.total = total(look, table, &sample, shown.rows)?;
            if sample.more || laid.rows < sample.rows.len() {
                let next = Parameters {
                    offset: shown.rows,
                    ..Parameters::default()
                };
                add_next(look, &mut shown, table, &next);
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

/// The longest start of a text that is within a number of tokens.
fn within(text: &str, tokens: u64) -> &str {
    if estimate(text) <= tokens {
        return text;
    }
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let fits = |at: &usize| estimate(text.get(..*at).unwrap_or_default()) <= tokens;
    let end = ends.partition_point(fits).saturating_sub(1);
    let end = ends.get(end).copied().unwrap_or(0);
    text.get(..end).unwrap_or(text)
}

/// The number of rows of a table. `page` contains the first rows of the table. If there are more
/// rows and they cannot be counted, the number is at least `shown`.
fn total(
    look: &mut Context<'_>,
    table: &Table,
    page: &Rows,
    shown: u64,
) -> Result<Total, HandlerError> {
    if !page.more && page.damage.is_none() {
        return Ok(Total::Exact(page.rows.len() as u64));
    }
    let work = match table.kind {
        Kind::View => Work::OPTIONAL,
        Kind::Table | Kind::Virtual => Work::Query,
    };
    let counted = schema::count(look, table, limits::COUNTED_ROWS, work)?;
    Ok(counted.unwrap_or(Total::AtLeast(shown)))
}

/// Adds the path that continues after the shown rows, and a note about the remaining rows. `next`
/// contains the query parameters of that path.
fn add_next(look: &Context<'_>, shown: &mut Shown, table: &Table, next: &Parameters) {
    let before = next.offset;
    let more = match shown.total {
        Total::Exact(total) => format!("{} more rows", total.saturating_sub(before)),
        Total::AtLeast(total) if total > before => {
            format!("{}+ more rows", total.saturating_sub(before))
        }
        Total::AtLeast(_) => "more rows".to_owned(),
    };
    let mut query = format!("?limit={}&offset={}", look.rows(next), next.offset);
    if let Some(order) = &next.order {
        let _ = write!(query, "&order={}", query::encoded(order));
    }
    if let Some(filter) = &next.filter {
        let filter = query::encoded(filter);
        let _ = write!(query, "&where={filter}");
    }
    let path = look.subject.query_path(Some(&table.name), &query);
    let name = &table.name;
    shown.notes.push(format!(
        "{more}; append :{name}{query} to the database path to continue"
    ));
    shown.next = Some(path);
}

/// Reads a page of the rows of a table.
fn page(
    look: &mut Context<'_>,
    table: &Table,
    columns: &[Column],
    parameters: &Parameters,
    work: Work,
) -> Result<Rows, HandlerError> {
    table.known(columns)?;
    look.user_sql = parameters.filter.is_some().then_some(UserSql::Condition);
    let from = from(look, table, columns, parameters)?;
    let bounds = Bounds {
        rows: look.rows(parameters),
        bytes: cell_bytes(columns.len()),
        work,
        need: Need::Required,
    };
    let statement = |expressions: &str| format!("SELECT {expressions} FROM {from}");
    columns::read(look, table, columns, bounds, &statement)
}

/// The text after `FROM` of the SQL statement that selects a page of the rows of a table.
fn from(
    look: &mut Context<'_>,
    table: &Table,
    columns: &[Column],
    parameters: &Parameters,
) -> Result<String, HandlerError> {
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
    // One more row shows whether there is a next page.
    let limit = look.rows(parameters).saturating_add(1);
    let offset = parameters.offset.min(i64::MAX.unsigned_abs());
    let _ = write!(which, " LIMIT {limit} OFFSET {offset}");
    let rowid = match parameters.order {
        Some(_) => table.rowid(look, columns)?,
        None => None,
    };
    Ok(match rowid {
        // Sorts rowids and not whole rows, so that only the values on the page are read.
        Some(rowid) => {
            let mut number = "row".to_owned();
            while columns
                .iter()
                .any(|column| column.name.eq_ignore_ascii_case(&number))
            {
                number.push('_');
            }
            format!(
                "(SELECT {rowid} AS {number} FROM {which}) \
                 CROSS JOIN {name} ON {name}.{rowid} = {number}"
            )
        }
        None => which,
    })
}

/// Shows the rows of a table that the parameters of the path select.
pub fn read(
    look: &mut Context<'_>,
    table: &Table,
    parameters: &Parameters,
) -> Result<Shown, HandlerError> {
    let columns = table.columns(look)?;
    let mut shown = Shown::new(
        DatabasePart::Query,
        vec![table.name.clone()],
        names(&columns),
    );
    let (page, matching) = match ordered::page(look, table, &columns, parameters)? {
        Some((page, matching)) => (page, matching),
        None => (page(look, table, &columns, parameters, Work::Query)?, None),
    };
    let count = |look: &mut Context<'_>| match matching {
        Some(number) => Ok(Some(Total::Exact(number))),
        None => counted(look, table, parameters),
    };
    let first = parameters.offset.saturating_add(1);
    let laid = table::rows(
        &shown.columns,
        &page.rows,
        first,
        look.room_after(""),
        look.table_width,
    );
    shown.text.push_str(&laid.text);
    shown.rows = laid.rows as u64;
    shown.limit = laid.limit;
    if page.rows.is_empty() {
        shown.text.push_str("(no rows)\n");
    }
    if let Some(requested) = parameters.asked {
        let limit = look.rows(parameters);
        shown.notes.push(format!(
            "limit={requested} was lowered to {limit}, the maximum for one page"
        ));
    }
    let of = cut::Of {
        laid: &laid,
        rows: &page.rows,
        columns: &columns,
    };
    cut::note(look, &mut shown, &of, parameters);
    let end = parameters.offset.saturating_add(shown.rows);
    let whole = laid.rows == page.rows.len();
    if whole && !page.more && page.damage.is_none() {
        if page.rows.is_empty() && parameters.offset > 0 {
            // The offset is after the end.
            shown.total = count(look)?.unwrap_or(Total::AtLeast(0));
            if let Total::Exact(total) = shown.total {
                shown.notes.push(past_end(parameters.offset, total));
            }
        } else {
            shown.total = Total::Exact(end);
            let is_later = parameters.offset > 0;
            shown.notes.extend(is_later.then(|| last_rows(end)));
        }
        return Ok(shown);
    }
    shown.total = count(look)?.unwrap_or(Total::AtLeast(end));
    if !whole || page.more {
        let next = Parameters {
            offset: end,
            // That of a page: a page that is full before it has so many rows does not lower it.
            limit: Some(look.rows(parameters)),
            ..parameters.clone()
        };
        add_next(look, &mut shown, table, &next);
    }
    Ok(shown)
}

/// The note that a page, which is not the first, has the last of `total` rows.
pub fn last_rows(total: u64) -> String {
    format!("end of the rows ({total} in total)")
}

/// The note that an offset is after the last of `total` rows.
pub fn past_end(offset: u64, total: u64) -> String {
    let s = if total == 1 { "" } else { "s" };
    format!("offset {offset} is past the end: there are {total} row{s}")
}

/// The number of rows of a table that match the filter of `parameters`. `None` if counting them
/// fails or takes more than [`limits::OPTIONAL_WORK`].
fn counted(
    look: &mut Context<'_>,
    table: &Table,
    parameters: &Parameters,
) -> Result<Option<Total>, HandlerError> {
    let mut sql = format!("SELECT 1 FROM {}", quoted(&table.name));
    if let Some(filter) = &parameters.filter {
        let _ = write!(sql, " WHERE (\n{filter}\n)");
    }
    let sql = format!("SELECT count(*) FROM ({sql})");
    let bounds = Bounds {
        work: Work::OPTIONAL,
        need: Need::Optional,
        ..FEW
    };
    match look.execute(&sql, &[], bounds) {
        Ok(rows) => Ok(rows.rows.first().and_then(|row| match row.first()? {
            Value::Integer(count) => u64::try_from(*count).ok().map(Total::Exact),
            _ => None,
        })),
        Err(HandlerError::Database(DatabaseError::Changed(what))) => {
            Err(DatabaseError::Changed(what).into())
        }
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_of_a_text_is_within_a_number_of_tokens() {
        let text = "CREATE TABLE tä (id INTEGER PRIMARY KEY, naïve TEXT, größe REAL);\n".repeat(20);
        assert_eq!(within("short", 100), "short");
        assert_eq!(within(&text, 0), "");
        for tokens in [1, 10, 100, 200] {
            let used = estimate(within(&text, tokens));
            assert!(used <= tokens && used + 3 >= tokens, "{tokens}: {used}");
        }
    }
}
