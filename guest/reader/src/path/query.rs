//! Requests to a database, parsed from the suffix of its path.
//!
//! ```text
//! app.db                     the tables
//! app.db:users               the definition of a table, and sample rows
//! app.db:users:42            one row
//! app.db:users?limit=5&…     rows
//! app.db?q=SELECT …          the result of a statement
//! ```
//!
//! The longest prefix that is the name of a table is the table. Parameters follow a `?`. A `&`
//! separates parameters only before the name of a parameter and `=`, so a condition may contain
//! it unescaped.

use super::Suffix;
use crate::failure::{Failure, Message, Reason};
use crate::limits;
use std::fmt::{self, Write as _};

/// A request to a database that does not name a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseRequest {
    /// The list of tables.
    Tables,
    /// The result of this SQL statement.
    Raw(String),
}

/// A request to a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableRequest {
    /// The definition of the table, and sample rows.
    Definition,
    /// The row with this key.
    Row(String),
    /// The rows that these parameters select.
    Rows(Parameters),
}

/// The parameters of a request for rows of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// The maximum number of rows, if requested; at most [`limits::MAX_QUERY_ROWS`].
    pub limit: Option<u64>,
    /// The requested number of rows, if it exceeds [`limits::MAX_QUERY_ROWS`].
    pub asked: Option<u64>,
    /// The number of rows to skip.
    pub offset: u64,
    /// The column to sort by, optionally followed by `:asc` or `:desc`.
    pub order: Option<String>,
    /// The SQL condition that the rows must meet.
    pub filter: Option<String>,
    /// The place in the first row from which it is read. Only notes and `next` name it: a page ended there.
    pub at: Option<At>,
}

/// A place in a row: `7`, or `7.1201` inside a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// The number of the column, counted from 1.
    pub column: u64,
    /// The number of the character of its value, counted from 1.
    pub character: u64,
}

impl At {
    /// The start of a row.
    pub const START: Self = Self {
        column: 1,
        character: 1,
    };

    fn parse(text: &str) -> Option<Self> {
        let (column, character) = text.split_once('.').unwrap_or((text, "1"));
        let number = |text: &str| text.parse::<u64>().ok().filter(|number| *number > 0);
        Some(Self {
            column: number(column)?,
            character: number(character)?,
        })
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.character {
            1 => self.column.fmt(f),
            character => write!(f, "{}.{character}", self.column),
        }
    }
}

const NAMES: [&str; 6] = ["q", "limit", "offset", "order", "where", "at"];

/// The names of the parameters that a caller writes.
const WRITTEN: [&str; 4] = ["limit", "offset", "order", "where"];

/// The parameters whose values are SQL.
const SQL_NAMES: [&str; 2] = ["q", "where"];

/// The possible table names at the start of a suffix, the longest first. Each comes with the rest
/// of the suffix after the name. Empty if the suffix does not start with a name.
pub fn tables(rest: Option<&Suffix>) -> Vec<(String, Option<Suffix>)> {
    match rest {
        Some(rest) if !rest.is_root() && !rest.as_str().starts_with('?') => rest.names(),
        _ => Vec::new(),
    }
}

/// Parses a request to a whole database. `rest` is the suffix after the name of the database.
/// Returns `None` if the suffix names a table.
///
/// # Errors
/// Returns [`Reason::InvalidSelector`] if the parameters are invalid.
pub fn of_database(rest: Option<&Suffix>) -> Result<Option<DatabaseRequest>, Failure> {
    let Some(rest) = rest.filter(|rest| !rest.is_root()) else {
        return Ok(Some(DatabaseRequest::Tables));
    };
    let Some(parameters) = rest.as_str().strip_prefix('?') else {
        return Ok(None);
    };
    let parsed = split(parameters).map_err(|failure| {
        failure.hint("write `?q=` and a statement, or the name of a table before the `?`")
    })?;
    match parsed.as_slice() {
        [("q", text)] => {
            let statement = decoded(text);
            if statement.trim().is_empty() {
                return Err(wrong("q", "the query parameter `q` is empty"));
            }
            Ok(Some(DatabaseRequest::Raw(statement)))
        }
        parsed if parsed.iter().any(|(name, _)| *name == "q") => Err(wrong(
            "q",
            "the query parameter `q` cannot be combined with others",
        )),
        _ => {
            let name = parsed.first().map_or("", |(name, _)| name);
            let message = format!("the query parameter `{name}` needs a table before the `?`");
            Err(wrong(name, message)
                .hint("write the name of a table before the `?`, or `?q=` and a statement"))
        }
    }
}

/// Parses a request to a table. `rest` is the suffix after the name of the table, and `path` is the
/// path of the table, which is used in messages.
///
/// # Errors
/// Returns [`Reason::InvalidSelector`] if the parameters are invalid or the key is empty.
pub fn of_table(path: &str, rest: Option<&Suffix>) -> Result<TableRequest, Failure> {
    let Some(rest) = rest else {
        return Ok(TableRequest::Definition);
    };
    let Some(parameters) = rest.as_str().strip_prefix('?') else {
        let key = rest.unescaped();
        if key.is_empty() {
            let message = format!("there is no key after `{path}:`");
            return Err(wrong("", message).hint(format!(
                "append the key of a row, or use `{path}` for the columns and sample rows"
            )));
        }
        // A key may contain any text except `?` and the name of a parameter.
        if let Some((_, after)) = key.split_once('?')
            && known(after).is_some()
        {
            return Err(wrong(
                "",
                "a row has no query parameters: use the key alone",
            ));
        }
        return Ok(TableRequest::Row(key));
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
            "at" => {
                rows.at = Some(At::parse(text.trim()).ok_or_else(|| {
                    let message = format!(
                        "the query parameter `at` is a column and a character, as in 7.1201, not `{text}`"
                    );
                    wrong(name, message)
                })?);
            }
            _ => {
                return Err(wrong(
                    name,
                    "the query parameter `q` cannot be combined with a table",
                ));
            }
        }
    }
    Ok(TableRequest::Rows(rows))
}

/// Whether a text starts with `?`, the name of a known parameter and `=`, as in `?limit=5`.
pub fn is_query(text: &str) -> bool {
    text.strip_prefix('?')
        .is_some_and(|text| known(text).is_some())
}

/// Whether a text starts with `?` or `&` and a parameter whose value is SQL, such as `?where=`.
pub fn starts_sql(text: &str) -> bool {
    let parameter = text.strip_prefix(['?', '&']).and_then(known);
    parameter.is_some_and(|(name, _)| SQL_NAMES.contains(&name))
}

/// A suffix with its members decoded, as in other URLs. The parameters of a query stay as they are written.
/// `None` if the members are not encoded.
pub fn decoded_members(suffix: &Suffix) -> Option<Suffix> {
    let text = suffix.as_str();
    let mut queries = text.match_indices('?').map(|(at, _)| at);
    let query = queries.find(|at| text.get(*at..).is_some_and(is_query));
    let (members, rest) = text.split_at_checked(query.unwrap_or(text.len()))?;
    let decoded = percent_encoding::percent_decode_str(members).decode_utf8();
    let decoded = decoded.ok().filter(|decoded| decoded != members)?;
    Some(Suffix::new(&format!("{decoded}{rest}"), false))
}

/// The name and value of a parameter such as `limit=5`. `None` if there is no parameter with this
/// name.
fn known(text: &str) -> Option<(&'static str, &str)> {
    NAMES.into_iter().find_map(|name| {
        let value = text.strip_prefix(name)?.strip_prefix('=')?;
        Some((name, value))
    })
}

/// Splits the text of a query into its parameters: the name and the undecoded value of each.
fn split(text: &str) -> Result<Vec<(&'static str, String)>, Failure> {
    let mut parsed: Vec<(&'static str, String)> = Vec::new();
    for part in text.split('&') {
        if let Some((name, value)) = known(part) {
            if parsed.iter().any(|(other, _)| *other == name) {
                let message = format!("the query parameter `{name}` is given twice");
                return Err(wrong(name, message));
            }
            parsed.push((name, value.to_owned()));
            continue;
        }
        match parsed.last_mut() {
            // The `&` is part of the condition or the statement.
            Some(("q" | "where", value)) => {
                value.push('&');
                value.push_str(part);
            }
            _ => {
                let name = part.split_once('=').map_or(part, |(name, _)| name);
                return Err(unknown(name, &[]));
            }
        }
    }
    Ok(parsed)
}

/// Whether a parameter of rows has this name.
pub fn is_parameter(name: &str) -> bool {
    name != "q" && NAMES.contains(&name)
}

/// The failure for a parameter that rows do not have. `more` are the names of the parameters that the
/// rows of a sheet have besides those of all tables.
pub fn unknown(name: &str, more: &[&str]) -> Failure {
    let names = more.iter().copied().chain(WRITTEN);
    let names: Vec<&str> = names.collect();
    let is_close = |known: &&&str| {
        let name = name.to_ascii_lowercase();
        strsim::jaro_winkler(&name, known) >= CLOSE || name == "filter" && **known == "where"
    };
    let meant = names.iter().find(is_close);
    let meant = meant.map_or_else(String::new, |known| format!("write `{known}=…`; "));
    let what = if more.is_empty() {
        "a table"
    } else {
        "a sheet"
    };
    let last = names.len().saturating_sub(1);
    let (names, last) = names.split_at_checked(last).unwrap_or_default();
    let last = last.concat();
    wrong(name, format!("unknown query parameter `{name}`")).hint(format!(
        "{meant}{what} takes {} and {last}",
        names.join(", ")
    ))
}

/// The minimum Jaro-Winkler similarity of a parameter to the one that is probably meant.
const CLOSE: f64 = 0.88;

fn number(name: &str, text: &str, least: u64) -> Result<u64, Failure> {
    let number = text.trim().parse::<u64>().ok();
    number.filter(|number| *number >= least).ok_or_else(|| {
        wrong(
            name,
            format!("the query parameter `{name}` must be a whole number of at least {least}, not `{text}`"),
        )
    })
}

fn wrong(name: &str, message: impl Into<Message>) -> Failure {
    Failure::new(Reason::InvalidSelector(format!("?{name}")), message)
}

/// Encodes SQL text as the value of a query parameter. [`decoded`] returns the original text.
pub fn encoded(text: &str) -> String {
    // A `&` before the name of a parameter is percent-encoded, and then spaces and quotes must
    // be as well: `decoded` decodes only text without them.
    let mut parts = text.split('&').skip(1);
    let split = parts.any(|part| known(part).is_some());
    if !split && (is_unencoded(text) || !text.contains('%')) {
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

/// Whether a text contains a space or a quote, which shows that it is not percent-encoded.
fn is_unencoded(text: &str) -> bool {
    text.contains([' ', '\t', '\n', '\'', '"'])
}

/// Decodes the value of a query parameter to SQL text. A value with a space or a quote is returned
/// unchanged. In other values `%XX` is decoded. A `+` is never decoded to a space.
fn decoded(text: &str) -> String {
    if is_unencoded(text) {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digit = |at: usize| char::from(*after.get(at)?).to_digit(16);
        let code = (*first == b'%')
            .then(|| Some((digit(0)?, digit(1)?)))
            .flatten();
        let code = code.and_then(|(high, low)| u8::try_from(high << 4 | low).ok());
        bytes.push(code.unwrap_or(*first));
        rest = match code {
            Some(_) => after.get(2..).unwrap_or_default(),
            None => after,
        };
    }
    // If the decoded bytes are not UTF-8, the `%` was not meant as an encoding.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database(text: &str) -> Result<Option<DatabaseRequest>, String> {
        of_database(Some(&Suffix::of(text))).map_err(|failure| failure.message.to_string())
    }

    fn table(text: &str) -> Result<TableRequest, String> {
        of_table("t", Some(&Suffix::of(text))).map_err(|failure| failure.message.to_string())
    }

    fn rows(text: &str) -> Parameters {
        match table(text) {
            Ok(TableRequest::Rows(rows)) => rows,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn statement_is_decoded_only_without_spaces_and_quotes() {
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
                Ok(Some(DatabaseRequest::Raw(sql.to_owned()))),
                "{text}"
            );
        }
        for root in ["", "/", "."] {
            assert_eq!(database(root), Ok(Some(DatabaseRequest::Tables)));
        }
        assert_eq!(database("users"), Ok(None));
        assert_eq!(database("raw"), Ok(None));
    }

    #[test]
    fn ampersand_in_condition_does_not_start_a_parameter() {
        let parsed = rows("?limit=5&offset=10&order=name:desc&where=a=1&b=2");
        assert_eq!(
            parsed,
            Parameters {
                limit: Some(5),
                asked: None,
                offset: 10,
                order: Some("name:desc".to_owned()),
                filter: Some("a=1&b=2".to_owned()),
                at: None,
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
    fn encoded_sql_decodes_to_the_original() {
        for text in [
            "a%20b",
            "a like '%20'",
            "a%b",
            "x",
            "a='&limit=5' & b",
            "ü&q=%",
        ] {
            let requested = format!("where={}&limit=7", encoded(text));
            let parsed = split(&requested).unwrap();
            assert_eq!(parsed.len(), 2, "{requested}");
            assert_eq!(decoded(&parsed[0].1), text);
        }
    }

    #[test]
    fn key_with_colons_or_selector_syntax_is_one_key() {
        for key in ["42", "a:b", "raw", "5-9", "https://x/?a=1"] {
            let row = TableRequest::Row(key.to_owned());
            assert_eq!(table(key), Ok(row));
        }
    }

    #[test]
    fn invalid_parameters_fail_with_their_name() {
        for (text, expected) in [
            (
                "?limit=0",
                "`limit` must be a whole number of at least 1, not `0`",
            ),
            (
                "?limit=x",
                "`limit` must be a whole number of at least 1, not `x`",
            ),
            (
                "?offset=-1",
                "`offset` must be a whole number of at least 0, not `-1`",
            ),
            ("?limit=5&page=2", "unknown query parameter `page`"),
            ("?colour=red", "unknown query parameter `colour`"),
            ("?limit=5&limit=6", "`limit` is given twice"),
            ("?q=select 1", "`q` cannot be combined with a table"),
            ("42?limit=5", "has no query parameters"),
            ("", "there is no key after `t:`"),
        ] {
            let message = table(text).unwrap_err();
            assert!(message.contains(expected), "{text}: {message}");
        }
        for (text, expected) in [
            ("?q=", "`q` is empty"),
            ("?q=%20", "`q` is empty"),
            ("?q=select 1&limit=5", "`q` cannot be combined with others"),
            ("?limit=5", "needs a table"),
            ("?x", "unknown query parameter `x`"),
        ] {
            let message = database(text).unwrap_err();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
