//! Conditions and orders that a path gives: text that stays in its clause.

use crate::failure::{Failure, Reason};

/// Words that end a condition, or begin a statement that does not read.
const CONTROL: &[&str] = &[
    "alter",
    "analyze",
    "attach",
    "begin",
    "commit",
    "create",
    "delete",
    "detach",
    "drop",
    "except",
    "group",
    "having",
    "insert",
    "intersect",
    "into",
    "limit",
    "offset",
    "order",
    "pragma",
    "reindex",
    "release",
    "returning",
    "rollback",
    "savepoint",
    "union",
    "update",
    "vacuum",
    "window",
];

/// Checks that a condition is one: no comment, no semicolon, no word of another
/// clause, and all that it opens is closed.
///
/// # Errors
/// What it holds that a condition does not.
pub fn condition(text: &str) -> Result<(), Failure> {
    if text.trim().is_empty() {
        return Err(wrong("where", "is empty"));
    }
    let mut depth = 0usize;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        if behind_comment(rest).is_some() {
            return Err(wrong("where", "holds a comment"));
        }
        rest = match c {
            '\'' | '"' | '`' | '[' => behind_quoted(c, after)
                .ok_or_else(|| wrong("where", &format!("opens a {c} that it does not close")))?,
            ';' => return Err(wrong("where", "holds a semicolon")),
            '?' | '@' | '$' | ':' | '#' => {
                return Err(wrong(
                    "where",
                    "holds a bound parameter, which has no value",
                ));
            }
            '(' => {
                depth = depth.saturating_add(1);
                after
            }
            ')' => {
                let closed = depth.checked_sub(1);
                depth = closed
                    .ok_or_else(|| wrong("where", "closes a parenthesis that it does not open"))?;
                after
            }
            c if c == '_' || c.is_alphanumeric() => {
                let end = rest
                    .find(|c: char| !(c == '_' || c == '$' || c.is_alphanumeric()))
                    .unwrap_or(rest.len());
                let (word, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
                if CONTROL.iter().any(|known| word.eq_ignore_ascii_case(known)) {
                    let word = word.to_ascii_uppercase();
                    let hint = "a column of that name stands in double quotes; `?q=` takes a whole statement";
                    return Err(wrong("where", &format!("holds `{word}`")).hint(hint));
                }
                after
            }
            _ => after,
        };
    }
    if depth > 0 {
        return Err(wrong("where", "opens a parenthesis that it does not close"));
    }
    Ok(())
}

/// What follows a quoted text, from behind the quote that opens it. A quote in
/// it is written twice.
fn behind_quoted(open: char, text: &str) -> Option<&str> {
    let close = if open == '[' { ']' } else { open };
    let mut rest = text;
    loop {
        let end = rest.find(close)?;
        let after = rest.get(end.saturating_add(close.len_utf8())..)?;
        match after.strip_prefix(close) {
            Some(twice) if open != '[' => rest = twice,
            _ => return Some(after),
        }
    }
}

/// A statement from its first word on.
pub fn behind_comments(statement: &str) -> &str {
    let mut rest = statement;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';' || c == '\u{feff}');
        match behind_comment(rest) {
            Some(behind) => rest = behind,
            None => return rest,
        }
    }
}

/// What follows the comment that a text starts with; one that is not closed goes
/// on to the end.
fn behind_comment(text: &str) -> Option<&str> {
    let end = match text.get(..2)? {
        "--" => "\n",
        "/*" => "*/",
        _ => return None,
    };
    // What opens a comment is no part of what closes it.
    let inside = text.get(2..)?;
    Some(inside.split_once(end).map_or("", |(_, behind)| behind))
}

/// A statement up to its last word: without what ends it, and comments behind
/// that.
pub fn without_end(statement: &str) -> &str {
    let mut end = 0usize;
    let mut rest = statement;
    while let Some(c) = rest.chars().next() {
        if let Some(behind) = behind_comment(rest) {
            rest = behind;
            continue;
        }
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        rest = match c {
            '\'' | '"' | '`' | '[' => behind_quoted(c, after).unwrap_or_default(),
            _ => after,
        };
        if c != ';' && !c.is_whitespace() {
            end = statement.len().saturating_sub(rest.len());
        }
    }
    statement.get(..end).unwrap_or(statement)
}

/// The column that an order names, and whether it is descending.
///
/// # Errors
/// If there is no such column.
pub fn order<'c>(text: &str, columns: &'c [String]) -> Result<(&'c str, bool), Failure> {
    let named = |name: &str| {
        columns
            .iter()
            .find(|column| column.eq_ignore_ascii_case(name))
    };
    if let Some(column) = named(text) {
        return Ok((column, false));
    }
    if let Some((name, way)) = text.rsplit_once(':')
        && let Some(column) = named(name)
    {
        return match way.to_ascii_lowercase().as_str() {
            "asc" => Ok((column, false)),
            "desc" => Ok((column, true)),
            _ => Err(wrong(
                "order",
                &format!("ends in `:{way}`, not `:asc` or `:desc`"),
            )),
        };
    }
    let columns: Vec<&str> = columns.iter().take(20).map(String::as_str).collect();
    Err(wrong("order", &format!("names no column: `{text}`"))
        .hint(format!("the columns are {}", columns.join(", "))))
}

fn wrong(name: &str, what: &str) -> Failure {
    Failure::new(
        Reason::Selector(format!("?{name}")),
        format!("the query parameter `{name}` {what}"),
    )
}

/// A name as SQL writes it.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text as SQL writes it.
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_stay_in_their_clause() {
        for text in [
            "age>30",
            "name = 'a;b -- limit'",
            "\"order\" = 1 and [limit]=2 and `union`='it''s'",
            "(a=1 or (b=2)) and c in (select id from other)",
            "limits > 5 and reordered=1",
            "a-1 > 0 and b/2 < 5",
            "name like '%ü%'",
        ] {
            assert!(condition(text).is_ok(), "{text}");
        }
        for (text, words) in [
            ("1) union select * from t --", "closes a parenthesis"),
            ("1 union select 1", "holds `UNION`"),
            ("1 limit 5", "holds `LIMIT`"),
            ("1; drop table t", "semicolon"),
            ("1 -- x", "comment"),
            ("1 /* x", "comment"),
            ("(1", "opens a parenthesis"),
            ("name = 'x", "opens a '"),
            ("a = ?", "bound parameter"),
            ("a = :name", "bound parameter"),
            (" ", "is empty"),
            ("[a", "opens a ["),
        ] {
            let message = condition(text).unwrap_err().message;
            assert!(message.contains(words), "{text}: {message}");
        }
    }

    #[test]
    fn statements_end_with_a_word() {
        for (text, inner) in [
            ("select 1", "select 1"),
            ("select 1; -- c", "select 1"),
            ("select 1 /* c */ ;", "select 1"),
            ("select ';' -- c\n", "select ';'"),
            ("select 1 /* open", "select 1"),
            ("select '--' as \"a;\"", "select '--' as \"a;\""),
            ("-- c\nselect 2", "-- c\nselect 2"),
        ] {
            assert_eq!(without_end(text), inner, "{text}");
        }
        assert_eq!(behind_comments("-- a\n /* b */;select 1"), "select 1");
        assert_eq!(behind_comments("-- a"), "");
    }

    #[test]
    fn orders_name_columns() {
        let columns = ["id".to_owned(), "a:desc".to_owned(), "Name".to_owned()];
        assert_eq!(order("name:DESC", &columns).unwrap(), ("Name", true));
        assert_eq!(order("a:desc", &columns).unwrap(), ("a:desc", false));
        assert_eq!(order("a:desc:asc", &columns).unwrap(), ("a:desc", false));
        for text in ["a;drop", "id:up", "id desc", ""] {
            assert!(order(text, &columns).is_err(), "{text}");
        }
    }
}
