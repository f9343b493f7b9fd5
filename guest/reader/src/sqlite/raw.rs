//! Requests that run a statement, and the statements that continue a cut result.

use super::clause::{self, quoted};
use super::columns::cell_bytes;
use super::context::{Context, FEW, HandlerError, Shown, UserSql};
use super::table::{self, Missing};
use crate::answer::DatabasePart;
use crate::limits;
use crate::units;
use crate::window::Total;
use crate::world::{Bounds, Need, Value, Work};

/// Runs a statement and shows its result.
pub fn read(look: &mut Context<'_>, statement: &str) -> Result<Shown, HandlerError> {
    look.user_sql = Some(UserSql::Statement);
    let (statement, mark) = Mark::split(statement);
    let mut bounds = Bounds {
        rows: limits::STATEMENT_ROWS,
        // The number of columns is not known yet.
        bytes: cell_bytes(1),
        work: Work::Query,
        need: Need::Required,
    };
    let mut result = look.execute(statement, &[], bounds)?;
    let mut shown = Shown::new(DatabasePart::Raw, Vec::new(), Vec::new());
    shown.columns.clone_from(&result.columns);
    let room = look.room_after("");
    let laid = table::rows(&shown.columns, &result.rows, 1, room, look.table_width);
    let is_wide = mark.is_some() || is_wide(&result.columns, laid.cuts);
    if result.rows.len() == 1 && !result.more && is_wide {
        bounds.bytes = limits::VALUE_BYTES;
        result = look.execute(statement, &[], bounds)?;
        if let Some(row) = result.rows.first() {
            let skipped = match mark {
                Some(Mark::From(number)) => number.saturating_sub(1).min(shown.columns.len()),
                Some(Mark::Then(_)) | None => 0,
            };
            shown.columns.drain(..skipped);
            let row = row.get(skipped..).unwrap_or_default();
            let alone = table::alone(&shown.columns, row, room);
            let mut then = (alone.columns < shown.columns.len())
                .then(|| skipped.saturating_add(alone.columns).saturating_add(1));
            shown.columns.truncate(alone.columns);
            shown.text = alone.text;
            shown.limit = alone.limit;
            shown.rows = 1;
            shown.total = Total::Exact(1);
            if is_query(statement) {
                let mut of = format!("({})", clause::without_end(statement));
                match mark {
                    Some(Mark::From(_)) => {
                        let rest = statement.strip_prefix(ALL).unwrap_or_default();
                        rest.clone_into(&mut of);
                    }
                    Some(Mark::Then(number)) => {
                        if let Some(rest) =
                            shown.columns.first().and_then(|it| rest_of(it, statement))
                        {
                            rest.clone_into(&mut of);
                            then = Some(number);
                        }
                    }
                    None => {}
                }
                let left = Left {
                    missing: &alone.missing,
                    then,
                };
                read_on(look, &mut shown, left, &of, Some(statement))?;
            }
            return Ok(shown);
        }
    }
    shown.text = laid.text;
    shown.limit = laid.limit;
    shown.rows = laid.rows as u64;
    if result.columns.is_empty() {
        "(no columns)\n".clone_into(&mut shown.text);
    } else if result.rows.is_empty() {
        shown.text.push_str("(no rows)\n");
    }
    shown
        .notes
        .extend(table::undecoded(&result.rows, laid.rows));
    if laid.cuts > 0 {
        let values = table::format_cuts(laid.cuts);
        let how = match look.tokens {
            Some(_) => "reads its values, in parts if they are over the budget",
            None => "shows its values whole",
        };
        let note = format!("{values}; a statement that gives one row {how}");
        shown.notes.push(note);
    }
    let whole = laid.rows == result.rows.len() && !result.more;
    shown.total = if whole && result.damage.is_none() {
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
        let (how, next) = look.request_for(&page(statement, rows));
        shown
            .notes
            .push(format!("Output capped at {rows} rows; {end}, or {how}"));
        shown.next = Some(next);
    } else {
        shown.notes.push(format!("Output capped at {rows} rows"));
    }
    Ok(shown)
}

/// Whether the only row of a result does not fit on a line of a table. `cuts` is the number of its
/// values that are cut in the table.
fn is_wide(columns: &[String], cuts: usize) -> bool {
    let heads = columns.iter().map(|name| name.chars().count());
    columns.len() > limits::TABLE_COLUMNS || cuts > 0 || heads.max() > Some(limits::TABLE_WIDTH)
}

/// Whether a statement can be used as a subquery in a `FROM` clause.
fn is_query(statement: &str) -> bool {
    let statement = clause::skip_comments(statement);
    let word = statement.split(|c: char| !c.is_ascii_alphabetic()).next();
    word.is_some_and(|word| {
        let known = ["select", "values", "with"];
        known.iter().any(|known| word.eq_ignore_ascii_case(known))
    })
}

/// The start of a statement that reads a page of the rows of another statement.
const PAGE: &str = "SELECT * FROM (";

/// The text before the offset, at the end of a statement that reads a page of the rows of another
/// statement. It sets no limit, because the engine limits the rows and reports whether there are
/// more.
const OFFSET: &str = ") LIMIT -1 OFFSET ";

/// The statement that reads the rows of another statement without the first `from` rows. If that
/// statement has this form already, only its offset is increased.
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

/// What the reply to a row leaves out.
#[derive(Clone, Copy)]
pub struct Left<'m> {
    /// The cut values.
    pub missing: &'m [Missing],
    /// The number of the first column that is not shown, counted from 1, if there is one. The path after the last
    /// part of a cut value continues there.
    pub then: Option<usize>,
}

/// Adds to `shown` how to read the rest of the cut values of a row: a note for each value, and the
/// next path for the first one. `of` is the SQL text after `FROM` that selects the row. `statement` is the
/// statement in the requested path, if there is one. It may come from such a note.
pub fn read_on(
    look: &mut Context<'_>,
    shown: &mut Shown,
    left: Left<'_>,
    of: &str,
    statement: Option<&str>,
) -> Result<(), HandlerError> {
    let Left { missing, then } = left;
    let encoding = match missing {
        [] => {
            if let Some(number) = then {
                let sql = Mark::From(number).after(&format!("{ALL}{of}"));
                let (how, next) = look.request_for(&sql);
                let note = format!("the row continues with column {number}; {how} for the rest");
                shown.notes.push(note);
                shown.next = Some(next);
            }
            return Ok(());
        }
        _ => look.execute("PRAGMA encoding", &[], FEW)?,
    };
    let encoding = encoding
        .rows
        .into_iter()
        .next()
        .and_then(|row| row.into_iter().next());
    let is_utf8 = matches!(encoding, Some(Value::Text(name, _)) if name == "UTF-8");
    for value in missing.iter().take(NOTED_VALUES) {
        // `substr` on text stops at a NUL character, so bytes are counted. Invalid UTF-8 was
        // replaced in `shown`, so its size differs and characters are counted.
        let unit = if is_utf8 && !value.shown.contains(char::REPLACEMENT_CHARACTER) {
            Unit::Bytes
        } else {
            Unit::Characters
        };
        let column = quoted(&value.column);
        let (from, of) = statement
            .and_then(|statement| unit.started(&column, statement))
            .unwrap_or((1, of));
        let mut sql = unit.from(&column, from.saturating_add(unit.length(&value.shown)), of);
        if let Some(number) = then {
            sql = Mark::Then(number).after(&sql);
        }
        let (how, next) = look.request_for(&sql);
        shown.notes.push(format!(
            "`{}` is cut after {} characters of {}; {how} for the rest",
            value.column,
            value.shown.chars().count(),
            units::bytes(value.bytes)
        ));
        shown.next.get_or_insert(next);
    }
    let without_note = missing.len().saturating_sub(NOTED_VALUES);
    if without_note > 0 {
        let note = format!("{without_note} more values are cut; use substr() for the rest of them");
        shown.notes.push(note);
    }
    Ok(())
}

/// The start of a statement that reads a row from a column on.
const ALL: &str = "SELECT * FROM ";

/// A comment at the end of a statement in a path that continues a row. A list of the remaining columns would be
/// longer than the part of the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// The reply shows the row from the column with this number on, counted from 1.
    From(usize),
    /// The reply shows the rest of a value. The row continues with the column with this number.
    Then(usize),
}

impl Mark {
    const FROM: &str = " -- from column ";
    const THEN: &str = " -- then column ";

    /// The statement with this mark.
    fn after(self, statement: &str) -> String {
        match self {
            Self::From(number) => format!("{statement}{}{number}", Self::FROM),
            Self::Then(number) => format!("{statement}{}{number}", Self::THEN),
        }
    }

    /// Splits a statement that [`Mark::after`] returned. Other statements have no mark.
    fn split(statement: &str) -> (&str, Option<Self>) {
        let parse = |mark: &str| {
            let (before, number) = statement.rsplit_once(mark)?;
            Some((before, number.parse::<usize>().ok().filter(|it| *it > 0)?))
        };
        if let Some((before, number)) = parse(Self::FROM)
            && before.starts_with(ALL)
        {
            return (before, Some(Self::From(number)));
        }
        if let Some((before, number)) = parse(Self::THEN) {
            return (before, Some(Self::Then(number)));
        }
        (statement, None)
    }
}

/// The SQL text after `FROM` in a statement for the rest of the value of a column.
fn rest_of<'s>(column: &str, statement: &'s str) -> Option<&'s str> {
    let column = quoted(column);
    let units = [Unit::Bytes, Unit::Characters];
    let mut started = units
        .iter()
        .filter_map(|unit| unit.started(&column, statement));
    started.next().map(|(_, of)| of)
}

/// The maximum number of cut values with a note of their own.
const NOTED_VALUES: usize = 5;

/// The unit in which the position in a text is counted.
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

    /// The SQL text before and after the start position, in a statement that reads the rest of a
    /// text value.
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

    /// The statement that reads the text in `column` from the position `place`, counted from 1.
    /// `of` is the SQL text after `FROM`.
    fn from(self, column: &str, place: usize, of: &str) -> String {
        let (before, after) = self.around(column);
        format!("{before}{place}{after}{of}")
    }

    /// Parses a statement that [`Unit::from`] returned. Returns the position, and the SQL text
    /// after `FROM`.
    fn started<'s>(self, column: &str, statement: &'s str) -> Option<(usize, &'s str)> {
        let (before, after) = self.around(column);
        let (place, of) = statement.strip_prefix(&before)?.split_once(&after)?;
        Some((place.parse().ok()?, of))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Subject;
    use crate::world::{Connection, DatabaseError, Rows};
    use omniread_tokens::estimate;

    #[test]
    fn statement_for_the_rest_of_a_text_is_parsed_again() {
        for unit in [Unit::Bytes, Unit::Characters] {
            let first = unit.from("\"a\"", 7, "(select 1)");
            assert_eq!(unit.started("\"a\"", &first), Some((7, "(select 1)")));
            assert_eq!(unit.started("\"b\"", &first), None);
        }
    }

    #[test]
    fn mark_of_a_column_is_parsed_again() {
        let rest = Unit::Bytes.from("\"a\"", 7, "\"t\" WHERE id = 1");
        assert_eq!(rest_of("a", &rest), Some("\"t\" WHERE id = 1"));
        for (statement, mark) in [
            ("SELECT * FROM (select 1)", Mark::From(7)),
            (rest.as_str(), Mark::Then(8)),
        ] {
            let marked = mark.after(statement);
            assert_eq!(Mark::split(&marked), (statement, Some(mark)));
        }
        for other in [
            "select 1 -- from column 7",
            "SELECT * FROM t -- from column x",
        ] {
            assert_eq!(Mark::split(other), (other, None));
        }
    }

    #[test]
    fn page_of_a_page_increases_the_offset() {
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

    const COLUMNS: usize = 60;

    fn value_of(column: usize) -> String {
        format!(
            "{column}: {}",
            "ein größerer Wert ".repeat(if column == 7 { 60 } else { 9 })
        )
    }

    /// An engine whose only row has many columns.
    struct Wide;

    impl Connection for Wide {
        fn notes(&mut self) -> Vec<String> {
            Vec::new()
        }

        fn execute(
            &mut self,
            statement: &str,
            _: &[Value],
            bounds: Bounds,
        ) -> Result<Rows, DatabaseError> {
            let text = |text: &str| {
                let mut end = bounds.bytes.min(text.len());
                while !text.is_char_boundary(end) {
                    end -= 1;
                }
                Value::Text(text[..end].to_owned(), text.len() as u64)
            };
            let (columns, row): (Vec<String>, Vec<Value>) = if statement == "PRAGMA encoding" {
                (vec!["encoding".to_owned()], vec![text("UTF-8")])
            } else if statement.starts_with("SELECT CAST") {
                let number = statement.split("column_with_long_name_").nth(1).unwrap();
                let number: usize = number.split('"').next().unwrap().parse().unwrap();
                let name = format!("column_with_long_name_{number}");
                let (place, of) = Unit::Bytes.started(&quoted(&name), statement).unwrap();
                assert_eq!(of, "(select * from h)");
                (vec![name], vec![text(&value_of(number)[place - 1..])])
            } else {
                assert!(
                    ["select * from h", "SELECT * FROM (select * from h)"].contains(&statement)
                );
                let names = (0..COLUMNS).map(|n| format!("column_with_long_name_{n}"));
                (
                    names.collect(),
                    (0..COLUMNS).map(|n| text(&value_of(n))).collect(),
                )
            };
            Ok(Rows {
                columns,
                rows: vec![row],
                ..Rows::default()
            })
        }
    }

    /// The results of a statement and of the paths that continue it.
    fn chain(tokens: Option<u64>) -> Vec<Shown> {
        let subject = Subject::stdin(true);
        let mut connection = Wide;
        let mut statement = "select * from h".to_owned();
        let mut parts = Vec::new();
        loop {
            let mut look = Context {
                connection: &mut connection,
                subject: &subject,
                size: 0,
                rows: 100,
                room: 100_000,
                tokens,
                table_width: None,
                is_table: false,
                careful: false,
                damage: None,
                user_sql: None,
            };
            let Ok(shown) = read(&mut look, &statement) else {
                panic!("{statement}");
            };
            let next = shown.next.clone();
            parts.push(shown);
            let Some(next) = next else {
                return parts;
            };
            next.split_once("?q=").unwrap().1.clone_into(&mut statement);
            assert!(parts.len() < 200);
        }
    }

    #[test]
    fn wide_row_is_read_in_parts_within_the_budget() {
        for tokens in [100, 300, 2000] {
            let mut whole = vec![String::new(); COLUMNS];
            for part in chain(Some(tokens)) {
                let used = estimate(&part.text);
                assert!(used <= tokens + 3, "{used}: {}", part.text);
                let notes = part.notes.iter().map(|note| estimate(note)).sum::<u64>();
                assert!(
                    part.notes.len() <= 1 && notes < 100,
                    "{notes}: {:?}",
                    part.notes
                );
                assert_eq!(part.columns.len(), part.text.lines().count());
                for row in part.text.lines() {
                    let (name, value) = row.split_once(": ").unwrap();
                    let number = name.strip_prefix("column_with_long_name_").unwrap();
                    let number: usize = number.parse().unwrap();
                    whole[number] += value.strip_suffix('…').unwrap_or(value);
                }
            }
            let expected: Vec<String> = (0..COLUMNS).map(value_of).collect();
            assert_eq!(whole, expected, "{tokens}");
        }
    }

    #[test]
    fn wide_row_without_a_budget_is_whole() {
        let parts = chain(None);
        assert_eq!(parts.len(), 1);
        assert_eq!(parts[0].text.lines().count(), COLUMNS);
        assert!(parts[0].notes.is_empty());
    }
}
