//! Statements that a path gives, and how they go on where their answer is cut.

use super::clause::{self, quoted};
use super::look::{FEW, Look, Shown, Stop};
use super::rows::CELL_BYTES;
use super::table::{self, Missing};
use crate::answer::Form;
use crate::limits;
use crate::units;
use crate::window::Total;
use crate::world::{Bounds, Value};

/// Runs a statement.
pub fn read(look: &mut Look<'_>, statement: &str) -> Result<Shown, Stop> {
    look.given = true;
    let mut bounds = Bounds {
        rows: limits::STATEMENT_ROWS,
        bytes: CELL_BYTES,
        work: limits::QUERY_WORK,
    };
    let mut given = look.execute(statement, &[], bounds)?;
    let mut shown = Shown::new(Form::Raw, Vec::new(), Vec::new());
    shown.columns.clone_from(&given.columns);
    let laid = table::rows(&shown.columns, &given.rows, 1, look.room);
    if given.rows.len() == 1 && !given.more && is_wide(&given.columns, laid.cuts) {
        bounds.bytes = limits::VALUE_BYTES;
        given = look.execute(statement, &[], bounds)?;
        if let Some(row) = given.rows.first() {
            let (text, missing) = table::alone(&shown.columns, row, look.room);
            shown.text = text;
            shown.rows = 1;
            shown.total = Total::Exact(1);
            if is_query(statement) {
                let of = format!("({})", clause::without_end(statement));
                read_on(look, &mut shown, &missing, &of, Some(statement))?;
            }
            return Ok(shown);
        }
    }
    shown.text = laid.text;
    shown.rows = laid.rows as u64;
    if given.columns.is_empty() {
        "(no columns)\n".clone_into(&mut shown.text);
    } else if given.rows.is_empty() {
        shown.text.push_str("(no rows)\n");
    }
    if laid.cuts > 0 {
        let values = table::cuts_in_words(laid.cuts);
        let note = format!("{values}; a statement that gives one row shows its values whole");
        shown.notes.push(note);
    }
    let whole = laid.rows == given.rows.len() && !given.more;
    shown.total = if whole && given.damage.is_none() {
        Total::Exact(shown.rows)
    } else {
        Total::AtLeast(shown.rows)
    };
    if whole {
        return Ok(shown);
    }
    let (rows, end) = (
        shown.rows,
        "add a LIMIT/OFFSET clause to the query to page through more",
    );
    if is_query(statement) {
        let (append, next) = look.asking(&page(statement, rows));
        shown.notes.push(format!(
            "Output capped at {rows} rows; {end}, or append {append} to the database path"
        ));
        shown.next = Some(next);
    } else {
        shown.notes.push(format!("Output capped at {rows} rows"));
    }
    Ok(shown)
}

/// Whether a row has more to show than a line of a table can, in which so many
/// values are cut.
fn is_wide(columns: &[String], cuts: usize) -> bool {
    let heads = columns.iter().map(|name| name.chars().count());
    columns.len() > limits::TABLE_COLUMNS || cuts > 0 || heads.max() > Some(limits::TABLE_WIDTH)
}

/// Whether a statement can stand where a table does.
fn is_query(statement: &str) -> bool {
    let statement = clause::behind_comments(statement);
    let word = statement.split(|c: char| !c.is_ascii_alphabetic()).next();
    word.is_some_and(|word| {
        let known = ["select", "values", "with"];
        known.iter().any(|known| word.eq_ignore_ascii_case(known))
    })
}

/// What a page of the rows of a statement begins with.
const PAGE: &str = "SELECT * FROM (";

/// What it ends with, before a number: rows are capped in any case, and it is
/// told whether there are more.
const OFFSET: &str = ") LIMIT -1 OFFSET ";

/// The statement for the rows of another from a place on: the same again, if it
/// is one already.
pub fn page(statement: &str, from: u64) -> String {
    let of = statement.strip_prefix(PAGE).and_then(|rest| {
        let (inner, offset) = rest.rsplit_once(OFFSET)?;
        Some((inner, offset.parse::<u64>().ok()?))
    });
    match of {
        Some((inner, offset)) => {
            let from = offset.saturating_add(from);
            format!("{PAGE}{inner}{OFFSET}{from}")
        }
        None => format!("{PAGE}{}{OFFSET}{from}", clause::without_end(statement)),
    }
}

/// Says how values of a row are read on in that are cut. `of` is where they come
/// from, and `statement` what was asked for, which may be our own.
pub fn read_on(
    look: &mut Look<'_>,
    shown: &mut Shown,
    missing: &[Missing],
    of: &str,
    statement: Option<&str>,
) -> Result<(), Stop> {
    let encoding = match missing {
        [] => return Ok(()),
        _ => look.execute("PRAGMA encoding", &[], FEW)?,
    };
    let encoding = encoding
        .rows
        .into_iter()
        .next()
        .and_then(|row| row.into_iter().next());
    let is_utf8 = matches!(encoding, Some(Value::Text(name, _)) if name == "UTF-8");
    for value in missing.iter().take(SAID) {
        // Characters end at one that is NUL; what is no text is counted as it
        // was not.
        let unit = if is_utf8 && !value.shown.contains(char::REPLACEMENT_CHARACTER) {
            Unit::Bytes
        } else {
            Unit::Characters
        };
        let column = quoted(&value.column);
        let (from, of) = statement
            .and_then(|statement| unit.started(&column, statement))
            .unwrap_or((1, of));
        let sql = unit.from(&column, from.saturating_add(unit.length(&value.shown)), of);
        let (append, next) = look.asking(&sql);
        shown.notes.push(format!(
            "`{}` is cut after {} characters of {}; append {append} to the database path to read on in it",
            value.column,
            value.shown.chars().count(),
            units::bytes(value.bytes)
        ));
        shown.next.get_or_insert(next);
    }
    let unsaid = missing.len().saturating_sub(SAID);
    if unsaid > 0 {
        let note = format!("{unsaid} more values are cut; substr() reads on in them");
        shown.notes.push(note);
    }
    Ok(())
}

/// Values of which is said how they are read on in.
const SAID: usize = 5;

/// In what a place in a text is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Bytes,
    Characters,
}

impl Unit {
    fn length(self, text: &str) -> usize {
        match self {
            Self::Bytes => text.len(),
            Self::Characters => text.chars().count(),
        }
    }

    /// What stands before and behind the place in a statement for the rest of a
    /// text.
    fn around(self, column: &str) -> (String, String) {
        match self {
            Self::Bytes => (
                format!("SELECT CAST(substr(CAST({column} AS BLOB), "),
                format!(") AS TEXT) AS {column} FROM "),
            ),
            Self::Characters => (
                format!("SELECT substr({column}, "),
                format!(") AS {column} FROM "),
            ),
        }
    }

    /// The statement for the rest of a text, from a place on.
    fn from(self, column: &str, place: usize, of: &str) -> String {
        let (before, behind) = self.around(column);
        format!("{before}{place}{behind}{of}")
    }

    /// The place of such a statement, and where its text comes from.
    fn started<'s>(self, column: &str, statement: &'s str) -> Option<(usize, &'s str)> {
        let (before, behind) = self.around(column);
        let (place, of) = statement.strip_prefix(&before)?.split_once(&behind)?;
        Some((place.parse().ok()?, of))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_text_is_asked_for_by_place() {
        for unit in [Unit::Bytes, Unit::Characters] {
            let first = unit.from("\"a\"", 7, "(select 1)");
            assert_eq!(unit.started("\"a\"", &first), Some((7, "(select 1)")));
            assert_eq!(unit.started("\"b\"", &first), None);
        }
    }

    #[test]
    fn pages_follow_one_another() {
        let first = page("select 1 -- x", 1000);
        assert_eq!(first, "SELECT * FROM (select 1) LIMIT -1 OFFSET 1000");
        assert_eq!(
            page(&first, 1000),
            "SELECT * FROM (select 1) LIMIT -1 OFFSET 2000"
        );
        assert!(is_query("\n WITH a AS (select 1) select * from a"));
        assert!(is_query("-- a\n/* b */ select 1"));
        assert!(!is_query("pragma table_info(t)"));
    }
}
