//! The simple parts of a condition whose parts are combined by AND. A row that does not meet one of them does not
//! meet the condition.

use super::condition::{Condition, Name, Parser};
use super::token::{Placed, Token, tokens};

/// Functions that have a result for every value. Another one may be an error for a row that does not meet the simple
/// parts.
const FUNCTIONS: [&str; 13] = [
    "coalesce", "ifnull", "instr", "length", "lower", "ltrim", "nullif", "round", "rtrim",
    "substr", "trim", "typeof", "upper",
];

/// Operators that may be errors.
const OPERATORS: [&str; 4] = ["escape", "match", "regexp", "cast"];

/// The simple parts of a condition. `None` if it has none, or if another part may be an error.
pub fn conjuncts(sql: &str, columns: &[Name<'_>]) -> Option<Condition> {
    let tokens = tokens(sql)?;
    if !is_safe(&tokens) {
        return None;
    }
    let mut parts = Vec::new();
    let mut start = 0usize;
    let mut depth = 0usize;
    // Whether the next AND is that of BETWEEN.
    let mut is_range = false;
    for (at, placed) in tokens.iter().enumerate() {
        match &placed.token {
            Token::Mark("(") => depth = depth.saturating_add(1),
            Token::Mark(")") => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            token if token.is("or") || token.is("case") => return None,
            token if token.is("between") => is_range = true,
            token if token.is("and") && is_range => is_range = false,
            token if token.is("and") => {
                parts.extend(simple(tokens.get(start..at)?, columns));
                start = at.saturating_add(1);
            }
            _ => {}
        }
    }
    parts.extend(simple(tokens.get(start..)?, columns));
    (!parts.is_empty()).then_some(Condition::And(parts))
}

fn simple(tokens: &[Placed], columns: &[Name<'_>]) -> Option<Condition> {
    let mut parser = Parser::new(tokens, columns);
    let condition = parser.condition()?;
    parser.is_at_end().then_some(condition)
}

/// Whether no value of a row is an error.
fn is_safe(tokens: &[Placed]) -> bool {
    let mut next = tokens.iter().skip(1);
    tokens.iter().all(|placed| {
        let is_call = next.next().is_some_and(|it| it.token == Token::Mark("("));
        match &placed.token {
            Token::Word(word) if is_call => {
                let word = word.to_ascii_lowercase();
                FUNCTIONS.contains(&word.as_str())
                    || ["and", "or", "not", "in"].contains(&word.as_str())
            }
            Token::Name(_) => !is_call,
            token => !OPERATORS.iter().any(|operator| token.is(operator)),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_parts_of_a_condition_are_found() {
        let of = |sql: &str| {
            let columns = ["a", "b"].map(|name| Name {
                name,
                is_text: false,
            });
            match conjuncts(sql, &columns) {
                Some(Condition::And(parts)) => parts.len(),
                _ => 0,
            }
        };
        for (sql, count) in [
            ("a = b and a > 5", 1),
            ("lower(a) = 'x' and (a = 1 or b = 2) and b is not null", 2),
            ("a between 1 and 2 and a + 1 = 2", 1),
            ("a between b and 2 and not b = 2", 1),
            ("a = b", 0),
            ("a = b or a > 5", 0),
            ("a = b or a > 5 and b > 5", 0),
            ("abs(b) = 2 and a > 5", 0),
            ("b like 'x' escape 'yy' and a > 5", 0),
            ("case when a then b end and a > 5", 0),
        ] {
            assert_eq!(of(sql), count, "{sql}");
        }
    }
}
