//! What a path asks of a database.
//!
//! ```text
//! app.db                     its tables
//! app.db:users               the definition of a table, and sample rows
//! app.db:users:42            one row
//! app.db:users?limit=5&…     rows
//! app.db?q=SELECT …          what a statement gives
//! ```
//!
//! The longest name that a table has is its name. Parameters follow a `?`;
//! a `&` separates them only before the name of one and `=`, so that it may
//! stand in a condition as it is.

use super::Rest;
use crate::failure::{Failure, Message, Reason};
use crate::limits;
use std::fmt::Write as _;

/// What a path asks of a database as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OfDatabase {
    /// Its tables.
    Tables,
    /// What a statement gives.
    Raw(String),
}

/// What a path asks of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OfTable {
    /// Its definition, and sample rows.
    Definition,
    /// The row with a key.
    Row(String),
    /// Rows.
    Rows(Parameters),
}

/// Which rows of a table, and in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// How many, if that is asked for.
    pub limit: Option<u64>,
    /// How many were asked for, if that is more than may be.
    pub asked: Option<u64>,
    /// How many are left out before.
    pub offset: u64,
    /// By which column, and perhaps `:asc` or `:desc`.
    pub order: Option<String>,
    /// A condition.
    pub filter: Option<String>,
}

const NAMES: [&str; 5] = ["q", "limit", "offset", "order", "where"];

/// What follows the name of a database that is no table: names that a
/// table may have are the longest first, each with what follows it.
pub fn tables(rest: Option<&Rest>) -> Vec<(String, Option<Rest>)> {
    match rest {
        Some(rest) if !rest.is_root() && !rest.as_str().starts_with('?') => rest.names(),
        _ => Vec::new(),
    }
}

/// What is asked of a whole database; `None` if it is a table that is asked for.
///
/// # Errors
/// If the parameters are wrong.
pub fn of_database(rest: Option<&Rest>) -> Result<Option<OfDatabase>, Failure> {
    let Some(rest) = rest.filter(|rest| !rest.is_root()) else {
        return Ok(Some(OfDatabase::Tables));
    };
    let Some(parameters) = rest.as_str().strip_prefix('?') else {
        return Ok(None);
    };
    let given = split(parameters)?;
    match given.as_slice() {
        [("q", text)] => {
            let statement = decoded(text);
            if statement.trim().is_empty() {
                return Err(wrong("q", "the query parameter `q` is empty"));
            }
            Ok(Some(OfDatabase::Raw(statement)))
        }
        given if given.iter().any(|(name, _)| *name == "q") => Err(wrong(
            "q",
            "the query parameter `q` cannot be combined with others",
        )),
        _ => {
            let name = given.first().map_or("", |(name, _)| name);
            let words = format!("the query parameter `{name}` needs a table before the `?`");
            Err(wrong(name, words))
        }
    }
}

/// What is asked of the table of this name, by what follows that.
///
/// # Errors
/// If the parameters are wrong.
pub fn of_table(table: &str, rest: Option<&Rest>) -> Result<OfTable, Failure> {
    let Some(rest) = rest else {
        return Ok(OfTable::Definition);
    };
    let Some(parameters) = rest.as_str().strip_prefix('?') else {
        let key = rest.unescaped();
        if key.is_empty() {
            let words = format!("there is no key behind `{table}:`");
            return Err(wrong("", words)
                .hint("a key stands behind it; without the colon the table is described"));
        }
        // A key may hold anything but what would be parameters.
        if let Some((_, behind)) = key.split_once('?')
            && known(behind).is_some()
        {
            return Err(wrong(
                "",
                "a row is asked for by its key alone, without query parameters",
            ));
        }
        return Ok(OfTable::Row(key));
    };
    let mut rows = Parameters::default();
    for (name, text) in split(parameters)? {
        match name {
            "limit" => {
                let limit = number(name, &text, 1)?;
                rows.limit = Some(limit.min(limits::MAX_QUERY_ROWS));
                rows.asked = Some(limit).filter(|limit| *limit > limits::MAX_QUERY_ROWS);
            }
            "offset" => rows.offset = number(name, &text, 0)?,
            "order" => rows.order = Some(decoded(&text)),
            "where" => rows.filter = Some(decoded(&text)),
            _ => {
                return Err(wrong(
                    name,
                    "the query parameter `q` cannot be combined with a table",
                ));
            }
        }
    }
    Ok(OfTable::Rows(rows))
}

/// Whether a text is a `?` and the parameters of a query.
pub fn is_query(text: &str) -> bool {
    text.strip_prefix('?')
        .is_some_and(|text| known(text).is_some())
}

/// The name that a text starts with, if it is one of a parameter, and the value.
fn known(text: &str) -> Option<(&'static str, &str)> {
    NAMES.into_iter().find_map(|name| {
        let value = text.strip_prefix(name)?.strip_prefix('=')?;
        Some((name, value))
    })
}

/// Parameters by name, each with its text.
fn split(text: &str) -> Result<Vec<(&'static str, String)>, Failure> {
    let mut given: Vec<(&'static str, String)> = Vec::new();
    for part in text.split('&') {
        if let Some((name, value)) = known(part) {
            if given.iter().any(|(other, _)| *other == name) {
                let words = format!("the query parameter `{name}` is given twice");
                return Err(wrong(name, words));
            }
            given.push((name, value.to_owned()));
            continue;
        }
        match given.last_mut() {
            // It is part of a condition or a statement.
            Some(("q" | "where", value)) => {
                value.push('&');
                value.push_str(part);
            }
            _ => return Err(unknown(part)),
        }
    }
    Ok(given)
}

fn unknown(part: &str) -> Failure {
    let name = part.split_once('=').map_or(part, |(name, _)| name);
    wrong(name, format!("unknown query parameter `{name}`"))
        .hint("a table takes limit, offset, order and where; a database takes q")
}

fn number(name: &str, text: &str, least: u64) -> Result<u64, Failure> {
    let number = text.trim().parse::<u64>().ok();
    number.filter(|number| *number >= least).ok_or_else(|| {
        wrong(
            name,
            format!("the query parameter `{name}` is a whole number from {least}, not `{text}`"),
        )
    })
}

fn wrong(name: &str, words: impl Into<Message>) -> Failure {
    Failure::new(Reason::Selector(format!("?{name}")), words)
}

/// A text of SQL so that [`decoded`] gives it again.
pub fn encoded(text: &str) -> String {
    // What would be taken for the next parameter is written as a code, and then
    // nothing may stand as it is.
    let mut parts = text.split('&').skip(1);
    let split = parts.any(|part| known(part).is_some());
    if !split && (stands(text) || !text.contains('%')) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '%' | '&' | ' ' | '\t' | '\n' | '\'' | '"' => {
                let _ = write!(out, "%{:02X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// Whether a text is SQL as it stands.
fn stands(text: &str) -> bool {
    text.contains([' ', '\t', '\n', '\'', '"'])
}

/// SQL as it stands if a blank or a quote shows that it is; else what is written
/// as `%XX` is decoded. A `+` is a `+`.
fn decoded(text: &str) -> String {
    if stands(text) {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let digit = |at: usize| char::from(*behind.get(at)?).to_digit(16);
        let code = (*first == b'%')
            .then(|| Some((digit(0)?, digit(1)?)))
            .flatten();
        let code = code.and_then(|(high, low)| u8::try_from(high << 4 | low).ok());
        bytes.push(code.unwrap_or(*first));
        rest = match code {
            Some(_) => behind.get(2..).unwrap_or_default(),
            None => behind,
        };
    }
    // What is no text after that was not meant so.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database(text: &str) -> Result<Option<OfDatabase>, String> {
        of_database(Some(&Rest::of(text))).map_err(|failure| failure.message.to_string())
    }

    fn table(text: &str) -> Result<OfTable, String> {
        of_table("t", Some(&Rest::of(text))).map_err(|failure| failure.message.to_string())
    }

    fn rows(text: &str) -> Parameters {
        match table(text) {
            Ok(OfTable::Rows(rows)) => rows,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn statements_stand_as_they_are() {
        for (text, sql) in [
            ("?q=select 1", "select 1"),
            ("?q=select%201", "select 1"),
            ("?q=select 1%2B1", "select 1%2B1"),
            ("?q=select+1", "select+1"),
            ("?q=select 5&3", "select 5&3"),
            (
                "?q=select a from t where b='x&y=z'",
                "select a from t where b='x&y=z'",
            ),
            ("?q=pragma%20user_version", "pragma user_version"),
            ("?q=%ff", "%ff"),
        ] {
            assert_eq!(
                database(text),
                Ok(Some(OfDatabase::Raw(sql.to_owned()))),
                "{text}"
            );
        }
        for root in ["", "/", "."] {
            assert_eq!(database(root), Ok(Some(OfDatabase::Tables)));
        }
        assert_eq!(database("users"), Ok(None));
        assert_eq!(database("raw"), Ok(None));
    }

    #[test]
    fn parameters_are_told_from_conditions() {
        let given = rows("?limit=5&offset=10&order=name:desc&where=a=1&b=2");
        assert_eq!(
            given,
            Parameters {
                limit: Some(5),
                asked: None,
                offset: 10,
                order: Some("name:desc".to_owned()),
                filter: Some("a=1&b=2".to_owned()),
            }
        );
        assert_eq!(
            rows("?where=name='a%20b'").filter.as_deref(),
            Some("name='a%20b'")
        );
        assert_eq!(rows("?where=a%3E30").filter.as_deref(), Some("a>30"));
        assert_eq!(rows("?limit=9999").limit, Some(500));
        assert_eq!(rows("?limit=9999").asked, Some(9999));
    }

    #[test]
    fn what_is_encoded_comes_back() {
        for text in [
            "a%20b",
            "a like '%20'",
            "a%b",
            "x",
            "a='&limit=5' & b",
            "ü&q=%",
        ] {
            let asked = format!("where={}&limit=7", encoded(text));
            let given = split(&asked).unwrap();
            assert_eq!(given.len(), 2, "{asked}");
            assert_eq!(decoded(&given[0].1), text);
        }
    }

    #[test]
    fn keys_are_taken_whole() {
        for key in ["42", "a:b", "raw", "5-9", "https://x/?a=1"] {
            let row = OfTable::Row(key.to_owned());
            assert_eq!(table(key), Ok(row));
        }
    }

    #[test]
    fn wrong_parameters_are_named() {
        for (text, words) in [
            ("?limit=0", "`limit` is a whole number from 1, not `0`"),
            ("?limit=x", "`limit` is a whole number from 1, not `x`"),
            ("?offset=-1", "`offset` is a whole number from 0, not `-1`"),
            ("?limit=5&page=2", "unknown query parameter `page`"),
            ("?colour=red", "unknown query parameter `colour`"),
            ("?limit=5&limit=6", "`limit` is given twice"),
            ("?q=select 1", "`q` cannot be combined with a table"),
            ("42?limit=5", "without query parameters"),
            ("", "there is no key behind `t:`"),
        ] {
            let message = table(text).unwrap_err();
            assert!(message.contains(words), "{text}: {message}");
        }
        for (text, words) in [
            ("?q=", "`q` is empty"),
            ("?q=%20", "`q` is empty"),
            ("?q=select 1&limit=5", "`q` cannot be combined with others"),
            ("?limit=5", "needs a table"),
            ("?x", "unknown query parameter `x`"),
        ] {
            let message = database(text).unwrap_err();
            assert!(message.contains(words), "{text}: {message}");
        }
    }
}
