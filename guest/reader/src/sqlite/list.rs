//! The tables of a database, and how many rows they have.

use super::look::{Look, Shown, Stop};
use super::schema::{self, Kind, Table};
use super::{cells, raw};
use crate::answer::Form;
use crate::limits;
use crate::units;
use crate::window::Total;
use std::fmt::Write as _;

/// Tables of which is said why their rows were not counted.
const REASONS: usize = 3;

/// The tables and views, with as many rows as were counted.
pub fn read(look: &mut Look<'_>) -> Result<Shown, Stop> {
    let (tables, more) = schema::tables(look)?;
    let mut shown = Shown::new(Form::Tables, Vec::new(), Vec::new());
    let limit = usize::try_from(limits::TABLES).unwrap_or(usize::MAX);
    let mut left = limits::LISTED_ROWS;
    let mut uncounted: Vec<String> = Vec::new();
    for table in tables.iter().take(limit) {
        let rows = left.clamp(limits::FEW_ROWS, limits::COUNTED_ROWS);
        // What makes the rows of others takes as much work as it likes.
        let work = match table.kind {
            Kind::Table => limits::QUERY_WORK,
            Kind::View | Kind::Virtual => limits::ASIDE_WORK,
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
            .map(|total| schema::rows_in_words(*total));
        let _ = match (table.kind, rows) {
            (Kind::View, Some(rows)) => writeln!(shown.text, "{name} (view, {rows})"),
            (Kind::View, None) => writeln!(shown.text, "{name} (view)"),
            (_, Some(rows)) => writeln!(shown.text, "{name} ({rows})"),
            (_, None) => writeln!(shown.text, "{name} (rows not counted)"),
        };
        if let (Err(why), Kind::Table | Kind::Virtual) = (counted, table.kind) {
            uncounted.push(format!("rows of `{name}` are not counted: {why}"));
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
    let unsaid = uncounted.len().saturating_sub(REASONS);
    shown.notes.extend(uncounted.into_iter().take(REASONS));
    if unsaid > 0 {
        shown
            .notes
            .push(format!("nor are those of {unsaid} more tables"));
    }
    if count > shown.rows {
        let sql = "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') \
                   AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name";
        let (append, next) = look.asking(&raw::page(sql, shown.rows));
        let more = count.saturating_sub(shown.rows);
        shown.notes.push(format!(
            "{more} more tables; append {append} to the database path to see their names"
        ));
        shown.next = Some(next);
    }
    Ok(shown)
}

/// What there is in the whole database.
fn totals(look: &Look<'_>, tables: &[Table]) -> String {
    let number = |count: usize, one: &str| {
        let many = if count == 1 { "" } else { "s" };
        format!("{count} {one}{many}")
    };
    let views = tables
        .iter()
        .filter(|table| table.kind == Kind::View)
        .count();
    let mut words = format!(
        "SQLite database: {}",
        number(tables.len().saturating_sub(views), "table")
    );
    if views > 0 {
        let _ = write!(words, ", {}", number(views, "view"));
    }
    let _ = write!(words, ", {}", units::bytes(look.size));
    words
}
