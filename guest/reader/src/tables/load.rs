//! Requests for which the whole table is in the SQL engine: orders, statements, and conditions that
//! refer to other rows. Only the columns that are needed are loaded.

use super::direct::{Condition, Cursor, First, Numbers, Values, Wanted};
use super::layout::Page;
use super::selected::{Outcome, Ranges, Selected, TableContext, is_late};
use super::sql::{Loaded, Table};
use super::{Row, Rows, SqlValue, direct, sql};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, OperatorHint, Reason};
use crate::limits;
use crate::path::query::{At, Parameters};
use crate::rooted_path;
use crate::sqlite::{self, Shown, UserSql, quoted};
use crate::window::Total;
use crate::world::{DatabaseError, Value, World};
use omniread_document::order;
use std::collections::BTreeMap;

/// Reads the rows in `ranges` that meet the condition, in the requested order.
///
/// # Errors
/// Fails if the condition or the order is not valid, or if the table does not fit into the memory
/// of the engine.
pub fn rows(
    selected: Selected<'_>,
    parameters: &Parameters,
    limit: u64,
    context: &TableContext<'_>,
    world: &mut dyn World,
) -> Result<Outcome, Failure> {
    let Selected {
        rows,
        ranges,
        mut page,
    } = selected;
    let order = parameters.order.as_ref();
    let filter = parameters.filter.as_deref();
    let mut columns = sql::columns_for(filter.unwrap_or_default(), rows);
    if let Some(order) = order {
        let named = sql::columns_for(order, rows);
        columns = if named.len() > columns.len() {
            named
        } else {
            columns
        };
    }
    let failed = |error| failure(error, true, &columns, context);
    let order = order
        .map(|order| sqlite::order(order, &columns))
        .transpose()?;
    let order_index = order.and_then(|(name, _)| columns.iter().position(|column| column == name));
    let sql = filter.unwrap_or_default();
    let wanted = Wanted {
        filter,
        order: order_index.zip(order.map(|(_, descending)| descending)),
        offset: parameters.offset,
        limit,
    };
    let loaded = Loaded {
        sql,
        columns: &columns,
        types: rows.types(),
        ordered: order_index,
    };
    let (direct, left_out) = loaded.columns();
    let direct = (left_out == 0).then_some(direct);
    let found = match direct {
        Some(direct) => direct::first(rows, &ranges, direct, &wanted, world),
        None => First::Other,
    };
    let found = match found {
        First::Found(found) => Some(found),
        First::Late(read) => return Err(too_large("time", read, SORTED, context)),
        First::Unknown => {
            restart(rows, context)?;
            None
        }
        First::Other => None,
    };
    let Numbers {
        rows: numbers,
        more,
        total,
        notes,
    } = match found {
        Some(found) => found,
        None => {
            let loaded = Loaded {
                sql,
                columns: &columns,
                types: rows.types(),
                ordered: order_index,
            };
            let mut table = Table::create(&loaded, &context.name, world).map_err(failed)?;
            let condition =
                filter.and_then(|filter| Condition::parse(filter, &direct::names(table.columns())));
            let loading = Loading {
                ranges: ranges.clone(),
                condition: condition.as_ref(),
                what: SORTED,
            };
            load(rows, loading, &mut table, context, world)?;
            let order = order.map(|(column, descending)| {
                format!(
                    "{} {}",
                    quoted(column),
                    if descending { "DESC" } else { "ASC" }
                )
            });
            let numbers = table.numbers(filter, order.as_deref(), parameters.offset, limit);
            let (numbers, more) = numbers.map_err(failed)?;
            let total = table.count(filter).map_err(failed)?;
            Numbers {
                rows: numbers,
                more,
                total,
                notes: table.notes(),
            }
        }
    };
    let (found, complete) = collect(rows, &numbers, &page, context)?;
    let mut whole = !more && complete;
    for row in &found {
        if !page.add(row) {
            whole = false;
            break;
        }
    }
    if page.is_part()
        && let Some(number) = numbers.first()
    {
        // The row was shortened.
        restart(rows, context)?;
        rows.skip_to(*number);
        if let Some(row) = rows.next() {
            page.show_part(&row, parameters.at.unwrap_or(At::START));
        }
        whole &= page.rest().is_none() && numbers.len() == 1;
    }
    let next = (!whole).then(|| {
        let shown = page.len().saturating_sub(u64::from(page.rest().is_some()));
        let then = Parameters {
            offset: parameters.offset.saturating_add(shown),
            ..page.then()
        };
        (ranges, then, true)
    });
    Ok(Outcome {
        page,
        total: Total::Exact(total),
        next,
        notes,
    })
}

/// What the rows are loaded for.
const SORTED: &str = "sorted or filtered";

/// Starts again before the first row.
fn restart(rows: &mut dyn Rows, context: &TableContext<'_>) -> Result<(), Failure> {
    rows.restart().map_err(|error| {
        rooted_path::failure(error, &context.subject.requested).hint("save it to a file first")
    })
}

/// Reads the rows with these numbers again, from the start of the table, and returns them in the
/// order of the numbers, up to the end of the page. Also returns whether these are all of them. The
/// engine has only a part of their columns, and not the text of numbers.
///
/// The rows are read in the order of the table. If those in memory are larger than the page, the
/// last one of them in the requested order cannot be on the page.
fn collect(
    rows: &mut dyn Rows,
    numbers: &[u64],
    page: &Page,
    context: &TableContext<'_>,
) -> Result<(Vec<Row>, bool), Failure> {
    if numbers.is_empty() {
        return Ok((Vec::new(), true));
    }
    restart(rows, context)?;
    let mut ascending: Vec<(u64, usize)> = numbers.iter().copied().zip(0..).collect();
    order::by(&mut ascending, Ord::cmp);
    let mut found: BTreeMap<usize, (usize, Row)> = BTreeMap::new();
    let mut bytes = 0usize;
    let mut end = numbers.len();
    for (number, index) in ascending {
        if index >= end {
            continue;
        }
        rows.skip_to(number);
        let Some(mut row) = rows.next() else {
            break;
        };
        let size = page.shorten(&mut row);
        bytes = bytes.saturating_add(size);
        found.insert(index, (size, row));
        while bytes > page.room()
            && found.len() > 1
            && let Some((last, (size, _))) = found.pop_last()
        {
            end = last;
            bytes = bytes.saturating_sub(size);
        }
    }
    let found = found.into_values().map(|(_, row)| row);
    Ok((found.collect(), end == numbers.len()))
}

/// Runs a statement on a table.
///
/// # Errors
/// Fails if the statement is not valid, or if the table does not fit into the memory of the engine.
pub fn statement(
    rows: &mut dyn Rows,
    statement: &str,
    context: &TableContext<'_>,
    world: &mut dyn World,
) -> Result<Shown, Failure> {
    match direct::statement(rows, statement, context, world) {
        direct::Ran::Found(mut found, notes) => {
            let shown = sqlite::statement(&mut found, &context.statement(statement));
            let mut shown = shown?;
            shown.notes.extend(notes);
            shown.notes.push(rows.describe());
            shown.notes.extend(rows.notes());
            return Ok(shown);
        }
        direct::Ran::Late(read) => return Err(too_large("time", read, "queried", context)),
        direct::Ran::Unknown => restart(rows, context)?,
        direct::Ran::Other => {}
    }
    let columns = sql::columns_for(statement, rows);
    let loaded = Loaded {
        sql: statement,
        columns: &columns,
        types: rows.types(),
        ordered: None,
    };
    let created = Table::create(&loaded, &context.name, world);
    let mut table = created.map_err(|error| failure(error, false, &columns, context))?;
    let everything = vec![(0, None)];
    let names = direct::names(table.columns());
    let condition = direct::restriction(statement, &table.name, &names);
    let loading = Loading {
        ranges: everything,
        condition: condition.as_ref(),
        what: "queried",
    };
    load(rows, loading, &mut table, context, world)?;
    let connection = &mut *table.connection;
    let shown = sqlite::statement(connection, &context.statement(statement));
    let mut shown = shown.map_err(|failure| with_columns(failure, &columns, &table.name))?;
    shown.notes.extend(table.note(&table.name));
    shown.notes.extend(table.notes());
    if table.cut {
        shown.notes.push(CUT.to_owned());
    }
    shown.notes.push(rows.describe());
    shown.notes.extend(rows.notes());
    Ok(shown)
}

/// Runs a statement on several tables, each with its name.
///
/// # Errors
/// As [`statement`].
pub fn statement_on(
    tables: Vec<(String, Box<dyn Rows>)>,
    statement: &str,
    context: &TableContext<'_>,
    world: &mut dyn World,
) -> Result<Shown, Failure> {
    let of = |error| failure(error, false, &[], context);
    let mut connection = world.memory_database().map_err(of)?;
    let (mut names, mut columns, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut is_cut, mut left_out) = (false, Vec::new());
    for (name, mut rows) in tables {
        let of_table = rows.columns().to_vec();
        let loaded = Loaded {
            sql: statement,
            columns: &of_table,
            types: rows.types(),
            ordered: None,
        };
        let mut table = Table::define(&loaded, name.clone(), connection)
            .map_err(|error| failure(error, false, &of_table, context))?;
        let everything = vec![(0, None)];
        let loading = Loading {
            ranges: everything,
            condition: None,
            what: "queried",
        };
        load(&mut *rows, loading, &mut table, context, world)?;
        is_cut |= table.cut;
        left_out.extend(table.note(&name));
        left_out.extend(table.notes());
        notes.push(rows.describe());
        notes.extend(rows.notes());
        names.push(quoted(&name));
        columns.extend(of_table);
        connection = table.connection;
    }
    let shown = sqlite::statement(&mut *connection, &context.statement(statement));
    let mut shown = shown.map_err(|failure| {
        if failure.message.contains("no such table") {
            let names = escape_invisible(&names.join(", "));
            return failure.hint(format!("the tables are {names}"));
        }
        with_columns(failure, &columns, &context.name)
    })?;
    shown.notes.extend(left_out);
    if is_cut {
        shown.notes.push(CUT.to_owned());
    }
    shown.notes.extend(notes);
    Ok(shown)
}

/// The note on values that are too long for the engine.
const CUT: &str = "of values of more than 1 MB, the statement sees only the start";

/// The rows that are loaded into the engine.
struct Loading<'w> {
    ranges: Ranges,
    /// The rows that do not meet it have no effect on the result.
    condition: Option<&'w Condition>,
    /// Why they are loaded, for a message.
    what: &'w str,
}

/// Loads rows into the engine.
fn load(
    rows: &mut dyn Rows,
    loading: Loading<'_>,
    table: &mut Table,
    context: &TableContext<'_>,
    world: &mut dyn World,
) -> Result<(), Failure> {
    let Loading {
        ranges,
        condition,
        what,
    } = loading;
    let columns = table.lend();
    let count = columns.len();
    let used: Vec<usize> = (0..count).collect();
    let mut cursor = Cursor::new(rows, ranges, columns, &used);
    let mut loaded = 0u64;
    let mut check = cursor.position().saturating_add(limits::BATCH_BYTES as u64);
    loop {
        let number = cursor.advance();
        if let Some(number) = number {
            loaded = loaded.saturating_add(1);
            if condition.is_none_or(|it| it.holds(&cursor) == Some(true)) {
                let (values, bytes) = values(&cursor, count);
                table.add_values(number, values, bytes);
            }
        }
        let position = cursor.position();
        if number.is_some() && !table.is_full() && position < check {
            continue;
        }
        check = position.saturating_add(limits::BATCH_BYTES as u64);
        match table.flush() {
            Ok(()) => {}
            Err(DatabaseError::Exhausted(limit)) => {
                return Err(too_large(&limit, loaded, what, context));
            }
            Err(error) => return Err(failure(error, true, &[], context)),
        }
        if number.is_none() {
            let cut = cursor.cut;
            table.take_back(cursor.into_columns(), cut);
            return Ok(());
        }
        if is_late(world) {
            return Err(too_large("time", loaded, what, context));
        }
    }
}

/// The values of the current row for the engine, and the size of their texts.
pub fn values(cursor: &Cursor<'_>, columns: usize) -> (Vec<Value>, usize) {
    let mut bytes = 0usize;
    let mut values = Vec::with_capacity(columns.max(1));
    for column in 0..columns {
        values.push(match cursor.value(column) {
            SqlValue::Null => Value::Null,
            SqlValue::Integer(number) => Value::Integer(*number),
            SqlValue::Real(number) => Value::Real(*number),
            SqlValue::Text | SqlValue::Other(_) => {
                let text = cursor.text(column).into_owned();
                bytes = bytes.saturating_add(text.len());
                let whole = text.len() as u64;
                Value::Text(text, whole)
            }
        });
    }
    (values, bytes)
}

/// The failure for a table that exceeds a limit of the engine while it is loaded.
fn too_large(limit: &str, loaded: u64, what: &str, context: &TableContext<'_>) -> Failure {
    let name = context.subject.shown();
    let message = format!(
        "`{name}` is too large to be {what} as a whole: the limit of {limit} was reached after {loaded} rows"
    );
    let path = |selection: &str| escape_invisible(&context.path(selection));
    let (filtered, part) = (path("?where=…"), path("1-100000?order=…"));
    let failure = Failure::new(Reason::limit(format!("query-{limit}"), 0), message).hint(format!(
        "use a condition alone, which needs little memory: `{filtered}`; name fewer columns; or order a part of the rows: `{part}`"
    ));
    match limit {
        "time" => failure.operator_hint(OperatorHint::MoreTime),
        _ => failure,
    }
}

/// The failure for an error of the engine. `condition` is true if the path has a condition, and
/// false if it has a statement.
pub fn failure(
    error: DatabaseError,
    condition: bool,
    columns: &[String],
    context: &TableContext<'_>,
) -> Failure {
    let sql = if condition {
        UserSql::Condition
    } else {
        UserSql::Statement
    };
    let is_exhausted = matches!(error, DatabaseError::Exhausted(_) | DatabaseError::Work(_));
    let mut failure = sqlite::failure_of(error, context.subject, context.rest, Some(sql));
    if is_exhausted {
        failure = failure
            .hint("add a condition, add a LIMIT, or name fewer columns")
            .operator_hint(OperatorHint::MoreTime);
    }
    with_columns(failure, columns, &context.name)
}

/// Adds the names of the table and its columns to the failure for a name that does not exist.
fn with_columns(failure: Failure, columns: &[String], table: &str) -> Failure {
    let message = failure.message.to_string();
    if message.contains("no such table") {
        return failure.hint(format!("the table is `{}`, or `data`", quoted(table)));
    }
    if !message.contains("no such column") {
        return failure;
    }
    let names: Vec<&str> = columns.iter().map(String::as_str).collect();
    failure.hint(sqlite::columns_hint(&names))
}
