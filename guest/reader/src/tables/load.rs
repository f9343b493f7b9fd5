//! Requests for which the whole table is in the SQL engine: orders, statements, and conditions that
//! refer to other rows. Only the columns that are needed are loaded.

use super::layout::Page;
use super::selected::{Outcome, RowsInRanges, Selected, TableContext, is_late};
use super::sql::{Loaded, Table};
use super::{Row, Rows, sql};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, OperatorHint, Reason};
use crate::path::query::Parameters;
use crate::rooted_path;
use crate::sqlite::{self, Shown, UserSql, quoted};
use crate::window::Total;
use crate::world::{DatabaseError, World};
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
    let loaded = Loaded {
        sql,
        columns: &columns,
        types: rows.types(),
        ordered: order_index,
    };
    let mut table = Table::create(&loaded, &context.name, world).map_err(failed)?;
    load(
        &mut RowsInRanges::new(rows, ranges.clone()),
        &mut table,
        "sorted or filtered",
        context,
        world,
    )?;
    let order = order.map(|(column, descending)| {
        format!(
            "{} {}",
            quoted(column),
            if descending { "DESC" } else { "ASC" }
        )
    });
    let (numbers, more) = table
        .numbers(filter, order.as_deref(), parameters.offset, limit)
        .map_err(failed)?;
    let total = table.count(filter).map_err(failed)?;
    let notes = table.notes();
    drop(table);
    let (found, complete) = collect(rows, &numbers, &page, context)?;
    let mut whole = !more && complete;
    for row in &found {
        if !page.add(row) {
            whole = false;
            break;
        }
    }
    let next = (!whole).then(|| {
        let then = Parameters {
            offset: parameters.offset.saturating_add(page.len()),
            ..Parameters::default()
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
    let restarted = rows.restart();
    restarted.map_err(|error| {
        rooted_path::failure(error, &context.subject.requested).hint("save it to a file first")
    })?;
    let mut ascending: Vec<(u64, usize)> = numbers.iter().copied().zip(0..).collect();
    ascending.sort_unstable();
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
    load(
        &mut RowsInRanges::new(rows, everything),
        &mut table,
        "queried",
        context,
        world,
    )?;
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
        load(
            &mut RowsInRanges::new(&mut *rows, everything),
            &mut table,
            "queried",
            context,
            world,
        )?;
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

/// Loads all rows into the engine. `what` says for a message why.
fn load(
    ranged: &mut RowsInRanges<'_>,
    table: &mut Table,
    what: &str,
    context: &TableContext<'_>,
    world: &mut dyn World,
) -> Result<(), Failure> {
    let mut loaded = 0u64;
    loop {
        let row = ranged.next();
        let ended = row.is_none();
        if let Some(row) = row {
            table.add(&row);
            loaded = loaded.saturating_add(1);
        }
        if !ended && !table.is_full() {
            continue;
        }
        match table.flush() {
            Ok(()) => {}
            Err(DatabaseError::Exhausted(limit)) => {
                return Err(too_large(&limit, loaded, what, context));
            }
            Err(error) => return Err(failure(error, true, &[], context)),
        }
        if ended {
            return Ok(());
        }
        if is_late(world) {
            return Err(too_large("time", loaded, what, context));
        }
    }
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
