//! The list of tables and views of a database, with row counts.

use super::context::{Context, HandlerError, Shown};
use super::schema::{self, Kind, Table};
use super::{cells, raw};
use crate::answer::DatabasePart;
use crate::limits;
use crate::units;
use crate::window::{Limit, Total};
use crate::world::Work;
use omniread_tokens::Tally;
use std::fmt::Write as _;

/// The maximum number of tables for which a note states why their rows were not counted.
const REASONS: usize = 3;

/// Lists the tables and views, with the number of rows of each if it was counted.
pub fn read(look: &mut Context<'_>) -> Result<Shown, HandlerError> {
    let (tables, more) = schema::tables(look)?;
    let mut shown = Shown::new(DatabasePart::Tables, Vec::new(), Vec::new());
    let limit = usize::try_from(limits::TABLES).unwrap_or(usize::MAX);
    let mut left = limits::LISTED_ROWS;
    let mut uncounted: Vec<String> = Vec::new();
    let mut tally = Tally::default();
    for table in tables.iter().take(limit) {
        let before = shown.text.len();
        let rows = left.clamp(limits::FEW_ROWS, limits::COUNTED_ROWS);
        // Counting the rows of a view or a virtual table may take any amount of work.
        let work = match table.kind {
            Kind::Table => Work::Query,
            Kind::View | Kind::Virtual => Work::OPTIONAL,
        };
        let counted = schema::count(look, table, rows, work)?;
        match &counted {
            Ok(total) => left = left.saturating_sub(total.count()),
            Err(error) if look.begins_anew(error) => return Err(error.clone().into()),
            Err(_) => {}
        }
        let name = cells::line(&table.name);
        let rows = counted
            .as_ref()
            .ok()
            .map(|total| schema::format_rows(*total));
        let _ = match (table.kind, rows) {
            (Kind::View, Some(rows)) => writeln!(shown.text, "{name} (view, {rows})"),
            (Kind::View, None) => writeln!(shown.text, "{name} (view)"),
            (_, Some(rows)) => writeln!(shown.text, "{name} ({rows})"),
            (_, None) => writeln!(shown.text, "{name} (rows not counted)"),
        };
        tally.add(shown.text.get(before..).unwrap_or_default());
        if shown.rows > 0 && look.tokens.is_some_and(|most| tally.tokens() > most) {
            shown.text.truncate(before);
            shown.limit = look.tokens.map(Limit::Tokens);
            break;
        }
        if let (Err(why), Kind::Table | Kind::Virtual) = (counted, table.kind) {
            uncounted.push(format!("rows of `{name}` were not counted: {why}"));
        }
        shown.rows = shown.rows.saturating_add(1);
    }
    if tables.is_empty() {
        shown.text.push_str("(no tables)\n");
    }
    let count = tables.len() as u64;
    shown.total = if more {
        Total::AtLeast(count)
    } else {
        Total::Exact(count)
    };
    shown.notes.push(totals(look, &tables));
    let without_reason = uncounted.len().saturating_sub(REASONS);
    shown.notes.extend(uncounted.into_iter().take(REASONS));
    if without_reason > 0 {
        shown.notes.push(format!(
            "rows of {without_reason} more tables are not counted either"
        ));
    }
    if count > shown.rows {
        let sql = "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') \
                   AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name";
        let (how, next) = look.request_for(&raw::page(sql, shown.rows));
        let more = count.saturating_sub(shown.rows);
        shown
            .notes
            .push(format!("{more} more tables; {how} to see their names"));
        shown.next = Some(next);
    }
    Ok(shown)
}

/// The note with the number of tables and views and the size of the database.
fn totals(look: &Context<'_>, tables: &[Table]) -> String {
    let number = |count: usize, one: &str| {
        let many = if count == 1 { "" } else { "s" };
        format!("{count} {one}{many}")
    };
    let views = tables
        .iter()
        .filter(|table| table.kind == Kind::View)
        .count();
    let mut note = format!(
        "SQLite database: {}",
        number(tables.len().saturating_sub(views), "table")
    );
    if views > 0 {
        let _ = write!(note, ", {}", number(views, "view"));
    }
    let _ = write!(note, ", {}", units::bytes(look.size));
    note
}
