//! A request for rows of a table, and the notes on the result.

use super::layout::{Page, PageSize};
use super::selected::{Outcome, Ranges, RowsInRanges, Selected, TableContext, is_late};
use super::{Rows, filter, load, sql};
use crate::answer::DatabasePart;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, OperatorHint, Reason};
use crate::limits;
use crate::path::Lines;
use crate::path::query::{At, Parameters};
use crate::path::rows::{self, RowsRequest, Selection};
use crate::rooted_path;
use crate::sqlite::{self, Shown};
use crate::units;
use crate::window::Total;
use crate::world::World;

/// Reads the rows that a path requests.
///
/// # Errors
/// Fails if a condition or statement is not valid, or if it exceeds a limit of the SQL engine.
pub fn read(
    rows: &mut dyn Rows,
    request: &RowsRequest,
    context: &TableContext<'_>,
    world: &mut dyn World,
) -> Result<Shown, Failure> {
    let selection = match request {
        RowsRequest::Statement(statement) => {
            return load::statement(rows, statement, context, world);
        }
        RowsRequest::Rows(selection) => selection,
    };
    let parameters = &selection.parameters;
    if let Some(filter) = &parameters.filter {
        sqlite::condition(filter)?;
    }
    let ranges = match selection.ranges() {
        Some(ranges) => ranges,
        None => last_rows(rows, selection, context, world)?,
    };
    let limit = parameters.limit.unwrap_or(match ranges.as_slice() {
        [.., (_, Some(_))] => limits::MAX_LINES,
        _ => context.rows,
    });
    let heading = rows.heading(u64::MAX, u64::MAX);
    let heading = heading.map_or(0, |heading| heading.len().saturating_add(1));
    let size = PageSize {
        limit,
        room: context.room.saturating_sub(heading),
        tokens: context.tokens,
        width: context.table_width,
        full: selection.full,
        at: parameters.at,
    };
    let page = Page::new(rows.columns(), rows.extra_column(), size);
    let all = parameters.order.is_some()
        || parameters
            .filter
            .as_deref()
            .is_some_and(sql::refers_to_others);
    let selected = Selected {
        rows: &mut *rows,
        ranges: ranges.clone(),
        page,
    };
    let outcome = if all {
        load::rows(selected, parameters, limit, context, world)?
    } else if let Some(condition) = &parameters.filter {
        filter::rows(selected, condition, parameters, context, world)?
    } else {
        plain(selected, parameters.offset, context, world)?
    };
    Ok(show(rows, selection, &ranges, outcome, context))
}

/// The range of the last rows of a table. Reads to its end.
fn last_rows(
    rows: &mut dyn Rows,
    selection: &Selection,
    context: &TableContext<'_>,
    world: &dyn World,
) -> Result<Ranges, Failure> {
    let Lines::Tail { count, .. } = selection.lines else {
        return Ok(vec![(0, None)]);
    };
    let count = count.min(limits::MAX_LINES);
    let last = match rows.last() {
        Some(last) => last,
        None => {
            let last = skip(rows, u64::MAX, context, world)?;
            let restarted = rows.restart();
            restarted.map_err(|error| rooted_path::failure(error, &context.subject.requested))?;
            last
        }
    };
    Ok(vec![(
        last.saturating_sub(count).saturating_add(1),
        Some(last.max(1)),
    )])
}

/// The number of rows that are skipped between two checks of the clock.
const SKIPPED_ROWS: u64 = 20_000;

/// Skips rows. Returns the number of skipped rows, which is lower only at the end.
///
/// # Errors
/// Fails if the time of the read does not suffice.
fn skip(
    rows: &mut dyn Rows,
    count: u64,
    context: &TableContext<'_>,
    world: &dyn World,
) -> Result<u64, Failure> {
    let mut skipped = 0u64;
    while skipped < count {
        let wanted = count.saturating_sub(skipped).min(SKIPPED_ROWS);
        let done = rows.skip(wanted);
        skipped = skipped.saturating_add(done);
        if done < wanted {
            break;
        }
        if is_late(world) {
            return Err(too_far(context, skipped));
        }
    }
    Ok(skipped)
}

/// The failure for rows that the time of a read does not suffice to reach.
fn too_far(context: &TableContext<'_>, reached: u64) -> Failure {
    let name = context.subject.shown();
    let message = format!(
        "the rows are too far from the start of `{name}`: the time of a read suffices for {reached} rows"
    );
    Failure::new(Reason::limit("query-time", 0), message)
        .hint("read rows nearer to the start")
        .operator_hint(OperatorHint::MoreTime)
}

/// Reads rows in ranges of their numbers.
fn plain(
    selected: Selected<'_>,
    offset: u64,
    context: &TableContext<'_>,
    world: &dyn World,
) -> Result<Outcome, Failure> {
    let Selected {
        rows,
        ranges,
        mut page,
    } = selected;
    let mut selected = 0u64;
    let mut ranged = RowsInRanges::new(rows, ranges);
    if let [(first, None)] = ranged.left.as_slice() {
        if *first > 1 {
            let first = *first;
            far_skip(&mut ranged, context, world)?;
            ranged.rows.skip_to(first);
        }
        selected = skip(ranged.rows, offset, context, world)?;
    } else {
        while selected < offset && ranged.next().is_some() {
            selected = selected.saturating_add(1);
        }
    }
    let mut next = None;
    while let Some(row) = ranged.next() {
        if !page.add(&row) || page.rest().is_some() {
            next = Some(row.number);
            break;
        }
    }
    selected = selected.saturating_add(page.len());
    let Some(number) = next else {
        // After the end of the table, its size is unknown.
        let total = if page.len() == 0 && offset > 0 && selected < offset {
            Total::AtLeast(selected)
        } else {
            Total::Exact(selected)
        };
        return Ok(Outcome {
            page,
            total,
            next: None,
            notes: Vec::new(),
        });
    };
    let mut left = std::mem::take(&mut ranged.left);
    match left.first_mut() {
        Some((first, _)) if *first <= number => *first = number,
        _ => left.insert(0, (number, Some(number))),
    }
    let (more, ended) = match left.as_slice() {
        [(_, None)] => count_rest(ranged.rows),
        _ => (0, false),
    };
    let then = page.then();
    // The row that comes next is on the page already if it goes on there.
    let unshown = u64::from(then.at.is_none());
    let counted = selected.saturating_add(unshown).saturating_add(more);
    let total = if ended {
        Total::Exact(counted)
    } else {
        Total::AtLeast(counted)
    };
    Ok(Outcome {
        page,
        total,
        next: Some((left, then, true)),
        notes: Vec::new(),
    })
}

/// Skips to the first row of an open range, with checks of the clock.
fn far_skip(
    ranged: &mut RowsInRanges<'_>,
    context: &TableContext<'_>,
    world: &dyn World,
) -> Result<(), Failure> {
    let Some((first, _)) = ranged.left.first().copied() else {
        return Ok(());
    };
    let mut to = SKIPPED_ROWS;
    while to < first {
        let before = ranged.rows.position();
        ranged.rows.skip_to(to);
        if ranged.rows.position() == before {
            // The table has ended, or it is in memory.
            return Ok(());
        }
        if is_late(world) {
            return Err(too_far(context, to));
        }
        to = to.saturating_add(SKIPPED_ROWS);
    }
    Ok(())
}

/// Counts the rows after the current one, as far as that is fast. Also returns whether the last one
/// was reached.
fn count_rest(rows: &mut dyn Rows) -> (u64, bool) {
    const STEP: u64 = 1000;
    if let Some(left) = rows.left() {
        return (left, true);
    }
    let until = rows.position().saturating_add(limits::COUNTED_TABLE_BYTES);
    let mut counted = 0u64;
    while rows.position() < until {
        let skipped = rows.skip(STEP);
        counted = counted.saturating_add(skipped);
        if skipped < STEP {
            return (counted, true);
        }
    }
    (counted, false)
}

/// The column whose name a condition has in single quotes, before an operator.
fn name_as_text<'c>(condition: Option<&str>, columns: &'c [String]) -> Option<&'c str> {
    let condition = condition.filter(|condition| condition.contains('\''))?;
    let is_compared = |name: &&String| {
        let text = format!("'{name}'");
        condition.match_indices(&text).any(|(at, _)| {
            let end = at.saturating_add(text.len());
            let after = condition.get(end..).unwrap_or_default().trim_start();
            after.starts_with(['<', '>', '=', '!'])
        })
    };
    columns.iter().find(is_compared).map(String::as_str)
}

/// The ranges from the first row of a page on, if its number is that of a range.
fn from_row(ranges: &Ranges, numbers: Option<(u64, u64)>, parameters: &Parameters) -> Ranges {
    match numbers {
        Some((first, _)) if parameters.order.is_none() && parameters.filter.is_none() => {
            vec![(first, None)]
        }
        _ => ranges.clone(),
    }
}

/// The words for a row that goes on after the page.
fn going_on(numbers: Option<(u64, u64)>, rest: Option<At>, rows: &dyn Rows) -> String {
    let number = numbers.map_or(0, |(first, _)| first);
    let column = rest.map_or(0, |rest| rest.column);
    let index = usize::try_from(column)
        .ok()
        .and_then(|it| it.checked_sub(1));
    let name = index.and_then(|index| rows.columns().get(index));
    let name = name.map_or_else(String::new, |name| {
        let end = name.floor_char_boundary(limits::COLUMN_WIDTH);
        format!(" (`{}`)", escape_invisible(name.get(..end).unwrap_or(name)))
    });
    let place = match rest {
        Some(At { character, .. }) if character > 1 => format!("character {character} of "),
        _ => String::new(),
    };
    format!("row {number} goes on at {place}column {column}{name}")
}

/// The text of a page, with the notes on it. `ranges` are those of the selection.
fn show(
    rows: &dyn Rows,
    selection: &Selection,
    ranges: &Ranges,
    outcome: Outcome,
    context: &TableContext<'_>,
) -> Shown {
    let Outcome {
        page,
        total,
        next,
        notes,
    } = outcome;
    let mut shown = Shown::new(DatabasePart::Query, Vec::new(), Vec::new());
    let parameters = &selection.parameters;
    shown.rows = page.len();
    shown.total = total;
    shown.limit = page.ended();
    let (numbers, rest) = (page.numbers(), page.rest());
    let formatted = page.format();
    if let Some((first, last)) = numbers
        && parameters.filter.is_none()
        && parameters.order.is_none()
        && let Some(heading) = rows.heading(first, last)
    {
        shown.text = heading;
        shown.text.push('\n');
    }
    shown.text.push_str(&formatted.text);
    shown.columns = formatted.columns;
    if shown.rows == 0 {
        shown.text.push_str("(no rows)\n");
    }
    shown.notes.push(rows.describe());
    if let Some(requested) = parameters.asked {
        let limit = limits::MAX_QUERY_ROWS;
        shown.notes.push(format!(
            "limit={requested} was lowered to {limit}, the maximum for one page"
        ));
    }
    if formatted.cuts > 0 {
        let cuts = sqlite::format_cuts(formatted.cuts);
        let whole = Selection {
            full: true,
            ..selection.clone()
        };
        let path = context.path(&rows::format(ranges, &whole));
        shown
            .notes
            .push(format!("{cuts}; {path} shows whole values"));
    }
    if formatted.hidden_columns > 0 {
        let hidden = formatted.hidden_columns;
        let columns = match hidden {
            1 => "1 column is".to_owned(),
            hidden => format!("{hidden} columns are"),
        };
        let first = shown.columns.len().saturating_sub(hidden);
        let at = At {
            column: (first as u64).saturating_add(1),
            character: 1,
        };
        let of_first = Selection {
            parameters: Parameters {
                at: Some(at),
                ..parameters.clone()
            },
            ..selection.clone()
        };
        let path = context.path(&rows::format(
            &from_row(ranges, numbers, parameters),
            &of_first,
        ));
        shown.notes.push(format!(
            "{columns} left out; {path} reads them of the first of these rows"
        ));
    }
    for (name, bytes) in formatted.unread {
        let (name, bytes) = (escape_invisible(&name), units::bytes(bytes));
        let kept = units::bytes(limits::ROW_VALUE_BYTES as u64);
        shown.notes.push(format!(
            "`{name}` has {bytes}, of which the first {kept} are read; lines and columns of the text read the rest"
        ));
    }
    if let Some(name) = name_as_text(parameters.filter.as_deref(), rows.columns()) {
        let quoted = sqlite::quoted(name);
        shown.notes.push(format!(
            "in the condition, '{name}' is a text and not the column; its name is in double quotes: {quoted}"
        ));
    }
    shown.notes.extend(notes);
    shown.notes.extend(rows.notes());
    if next.is_none() && shown.rows > 0 {
        let is_open = |ranges: &Ranges| matches!(ranges.as_slice(), [(first, None)] if *first > 1);
        let is_last = matches!(selection.lines, Lines::Tail { .. }) || is_open(ranges);
        let by_number = parameters.filter.is_none() && parameters.order.is_none();
        match (numbers, shown.total) {
            (Some((_, last)), _) if by_number && is_last => {
                shown.notes.push(format!("row {last} is the last"));
            }
            (_, Total::Exact(total)) if parameters.offset > 0 => {
                shown.notes.push(sqlite::last_rows(total));
            }
            _ => {}
        }
    }
    if let Some((ranges, then, is_known)) = next {
        let parameters = Parameters {
            limit: parameters.limit,
            order: parameters.order.clone(),
            filter: parameters.filter.clone(),
            ..then
        };
        let next = Selection {
            parameters,
            ..selection.clone()
        };
        let path = context.path(&rows::format(&ranges, &next));
        let left = shown
            .total
            .count()
            .saturating_sub(selection.parameters.offset)
            .saturating_sub(shown.rows);
        let more = match (shown.total, is_known) {
            _ if rest.is_some() => going_on(numbers, rest, rows),
            (Total::Exact(_), _) if left == 1 => "1 more row".to_owned(),
            (Total::Exact(_), _) => format!("{left} more rows"),
            (Total::AtLeast(_), true) if left > 1 => format!("at least {left} more rows"),
            (Total::AtLeast(_), true) => "more rows follow".to_owned(),
            (Total::AtLeast(_), false) => "more rows may follow".to_owned(),
        };
        shown.notes.push(format!("{more}; use {path} to continue"));
        shown.next = Some(path);
    }
    shown
}
