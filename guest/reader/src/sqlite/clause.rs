//! Conditions and orders of a request: validation, so that they cannot leave their clause.

use crate::failure::{Failure, Reason};

/// Keywords that a condition must not contain, because they start another clause or statement.
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

/// Checks that a text is a single SQL condition: it has no comment, semicolon, bound parameter or
/// keyword of another clause, and its quotes and parentheses are balanced.
///
/// # Errors
/// Returns [`Reason::InvalidSelector`] if the text is not such a condition.
pub fn condition(text: &str) -> Result<(), Failure> {
    if text.trim().is_empty() {
        return Err(wrong("where", "is empty"));
    }
    let mut depth = 0usize;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        if after_comment(rest).is_some() {
            return Err(wrong("where", "contains a comment"));
        }
        rest = match c {
            '\'' | '"' | '`' | '[' => after_quoted(c, after)
                .ok_or_else(|| wrong("where", &format!("has a {c} that is not closed")))?,
            ';' => return Err(wrong("where", "contains a semicolon")),
            '?' | '@' | '$' | ':' | '#' => {
                return Err(wrong(
                    "where",
                    "contains a bound parameter, which has no value",
                ));
            }
            '(' => {
                depth = depth.saturating_add(1);
                after
            }
            ')' => {
                let closed = depth.checked_sub(1);
                depth = closed.ok_or_else(|| {
                    wrong("where", "has a closing parenthesis without an opening one")
                })?;
                after
            }
            c if c == '_' || c.is_alphanumeric() => {
                let end = rest
                    .find(|c: char| !(c == '_' || c == '$' || c.is_alphanumeric()))
                    .unwrap_or(rest.len());
                let (word, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
                if CONTROL.iter().any(|known| word.eq_ignore_ascii_case(known)) {
                    let word = word.to_ascii_uppercase();
                    let hint = "write a column of that name in double quotes; use `?q=` for a whole statement";
                    return Err(wrong("where", &format!("contains `{word}`")).hint(hint));
                }
                after
            }
            _ => after,
        };
    }
    if depth > 0 {
        return Err(wrong("where", "has a parenthesis that is not closed"));
    }
    Ok(())
}

/// The text after a quoted string or name. `text` starts after its opening quote `open`. Two
/// closing quotes in a row are an escaped quote. Returns `None` if there is no closing quote.
fn after_quoted(open: char, text: &str) -> Option<&str> {
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

/// A statement without leading spaces, semicolons and comments.
pub fn skip_comments(statement: &str) -> &str {
    let mut rest = statement;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';' || c == '\u{feff}');
        match after_comment(rest) {
            Some(after) => rest = after,
            None => return rest,
        }
    }
}

/// The text after the comment that `text` starts with. An unclosed comment extends to the end.
/// Returns `None` if the text does not start with a comment.
fn after_comment(text: &str) -> Option<&str> {
    let end = match text.get(..2)? {
        "--" => "\n",
        "/*" => "*/",
        _ => return None,
    };
    // In `/*/`, the star does not close the comment.
    let inside = text.get(2..)?;
    Some(inside.split_once(end).map_or("", |(_, after)| after))
}

/// A statement without trailing spaces, semicolons and comments.
pub fn without_end(statement: &str) -> &str {
    let mut end = 0usize;
    let mut rest = statement;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = after_comment(rest) {
            rest = after;
            continue;
        }
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        rest = match c {
            '\'' | '"' | '`' | '[' => after_quoted(c, after).unwrap_or_default(),
            _ => after,
        };
        if c != ';' && !c.is_whitespace() {
            end = statement.len().saturating_sub(rest.len());
        }
    }
    statement.get(..end).unwrap_or(statement)
}

/// Parses the value of the parameter `order`. Returns the column, and whether the order is
/// descending.
///
/// # Errors
/// Returns [`Reason::InvalidSelector`] if there is no such column, or if the direction is not `asc`
/// or `desc`.
pub fn order<'c>(text: &str, columns: &'c [String]) -> Result<(&'c str, bool), Failure> {
    let named = |name: &str| {
        columns
            .iter()
            .find(|column| column.eq_ignore_ascii_case(name))
    };
    if let Some(column) = named(text) {
        return Ok((column, false));
    }
    if let Some((name, direction)) = text.rsplit_once(':')
        && let Some(column) = named(name)
    {
        return match direction.to_ascii_lowercase().as_str() {
            "asc" => Ok((column, false)),
            "desc" => Ok((column, true)),
            _ => Err(wrong(
                "order",
                &format!("ends in `:{direction}`, not `:asc` or `:desc`"),
            )),
        };
    }
    let columns: Vec<&str> = columns.iter().take(20).map(String::as_str).collect();
    let failure = wrong("order", &format!("does not name a column: `{text}`"));
    // `name desc`, as in SQL.
    if let Some((name, direction)) = text.trim().rsplit_once(char::is_whitespace)
        && matches!(direction.to_ascii_lowercase().as_str(), "asc" | "desc")
        && named(name.trim()).is_some()
    {
        return Err(failure.hint(format!("write order={}:{direction}", name.trim())));
    }
    Err(failure.hint(format!("the columns are {}", columns.join(", "))))
}

fn wrong(name: &str, what: &str) -> Failure {
    Failure::new(
        Reason::InvalidSelector(format!("?{name}")),
        format!("the query parameter `{name}` {what}"),
    )
}

/// A name as a quoted SQL identifier.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text as an SQL string literal.
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn condition_that_leaves_its_clause_is_rejected() {
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
        for (text, expected) in [
            ("1) union select * from t --", "has a closing parenthesis"),
            ("1 union select 1", "contains `UNION`"),
            ("1 limit 5", "contains `LIMIT`"),
            ("1; drop table t", "semicolon"),
            ("1 -- x", "comment"),
            ("1 /* x", "comment"),
            ("(1", "has a parenthesis that is not closed"),
            ("name = 'x", "has a '"),
            ("a = ?", "bound parameter"),
            ("a = :name", "bound parameter"),
            (" ", "is empty"),
            ("[a", "has a ["),
        ] {
            let message = condition(text).unwrap_err().message;
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn trailing_semicolons_and_comments_are_removed() {
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
        assert_eq!(skip_comments("-- a\n /* b */;select 1"), "select 1");
        assert_eq!(skip_comments("-- a"), "");
    }

    #[test]
    fn order_is_a_column_and_a_direction() {
        let columns = ["id".to_owned(), "a:desc".to_owned(), "Name".to_owned()];
        assert_eq!(order("name:DESC", &columns).unwrap(), ("Name", true));
        assert_eq!(order("a:desc", &columns).unwrap(), ("a:desc", false));
        assert_eq!(order("a:desc:asc", &columns).unwrap(), ("a:desc", false));
        for text in ["a;drop", "id:up", "id desc", ""] {
            assert!(order(text, &columns).is_err(), "{text}");
        }
    }
}
