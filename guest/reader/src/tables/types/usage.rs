//! Columns that an SQL text compares with numbers, orders or aggregates.

/// The use of a column as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Usage {
    /// Its name occurs.
    Named,
    /// It is ordered: by `ORDER BY`, or by `min` and `max`.
    Ordered,
    /// It is compared with a number or calculated with.
    Compared,
}

/// A token of an SQL text.
#[derive(Debug, PartialEq)]
enum Token {
    /// A name or a keyword.
    Word(String),
    /// A name in quotes.
    Quoted(String),
    Number,
    Text,
    /// An operator that compares or calculates.
    Operator,
    Open,
    Other(char),
}

/// The uses of columns in an SQL text.
pub struct Usages {
    tokens: Vec<Token>,
}

impl Usages {
    pub fn of(sql: &str) -> Self {
        Self {
            tokens: tokens(sql),
        }
    }

    /// The use of the column `name`. `None` if its name does not occur.
    pub fn of_column(&self, name: &str) -> Option<Usage> {
        let mut best = None;
        let mut is_order = false;
        for (at, token) in self.tokens.iter().enumerate() {
            if let Token::Word(word) = token {
                let before = at.checked_sub(1).and_then(|at| self.tokens.get(at));
                is_order = (is_order && !["limit", "from", "union"].contains(&word.as_str()))
                    || (word == "by" && before == Some(&Token::Word("order".to_owned())));
            }
            let is_name = match token {
                Token::Word(word) => *word == name.to_lowercase(),
                Token::Quoted(quoted) => quoted.eq_ignore_ascii_case(name),
                _ => false,
            };
            if is_name {
                let ordered = if is_order {
                    Usage::Ordered
                } else {
                    Usage::Named
                };
                best = best.max(Some(self.at(at).max(ordered)));
            }
        }
        best
    }

    /// The use of the column whose name is the token `at`.
    fn at(&self, at: usize) -> Usage {
        let token = |at: Option<usize>| at.and_then(|at| self.tokens.get(at));
        let after = |count: usize| token(at.checked_add(count));
        let before = |count: usize| token(at.checked_sub(count));
        let word = |token: Option<&Token>| match token {
            Some(Token::Word(word)) => word.clone(),
            _ => String::new(),
        };
        let is_operator = |token: Option<&Token>| token == Some(&Token::Operator);
        let is_number = |token: Option<&Token>| token == Some(&Token::Number);
        let next = word(after(1));
        let compared = (is_operator(after(1)) && (is_number(after(2)) || is_operator(after(2))))
            || (is_operator(before(1)) && is_number(before(2)))
            || (next == "between" && is_number(after(2)))
            || (next == "in" && is_number(after(3)))
            || (next == "not" && (is_number(after(3)) || is_number(after(4))));
        let function = if before(1) == Some(&Token::Open) {
            word(before(2))
        } else {
            String::new()
        };
        match function.as_str() {
            "sum" | "avg" | "total" | "abs" | "round" => Usage::Compared,
            _ if compared => Usage::Compared,
            "min" | "max" => Usage::Ordered,
            _ => Usage::Named,
        }
    }
}

fn tokens(sql: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c == '_' || c.is_alphanumeric();
        let length = |is_part: fn(char) -> bool| {
            let end = rest.find(|c| !is_part(c));
            end.unwrap_or(rest.len())
        };
        let after = |end: usize| rest.get(end..).unwrap_or_default();
        match first {
            '\'' | '"' | '`' | '[' => {
                let end = if first == '[' { ']' } else { first };
                let from = rest.get(first.len_utf8()..).unwrap_or_default();
                let (text, left) = quoted(from, end);
                tokens.push(match first {
                    '\'' => Token::Text,
                    _ => Token::Quoted(text),
                });
                rest = left;
            }
            c if c.is_ascii_digit() => {
                let end = length(|c| c.is_ascii_alphanumeric() || c == '.');
                tokens.push(Token::Number);
                rest = after(end);
            }
            c if is_word(c) => {
                let end = length(|c| c == '_' || c.is_alphanumeric());
                let word = rest.get(..end).unwrap_or_default();
                tokens.push(Token::Word(word.to_lowercase()));
                rest = after(end);
            }
            '<' | '>' | '=' | '!' | '+' | '-' | '*' | '/' => {
                let end = length(|c| matches!(c, '<' | '>' | '=' | '!'));
                tokens.push(Token::Operator);
                rest = after(end.max(1));
            }
            c => {
                match c {
                    '(' => tokens.push(Token::Open),
                    c if c.is_whitespace() => {}
                    c => tokens.push(Token::Other(c)),
                }
                rest = after(c.len_utf8());
            }
        }
    }
    tokens
}

/// The text up to the quote `end`, which is doubled in it, and the rest after that quote.
fn quoted(text: &str, end: char) -> (String, &str) {
    let mut out = String::new();
    let mut rest = text;
    loop {
        let Some((before, after)) = rest.split_once(end) else {
            out.push_str(rest);
            return (out, "");
        };
        out.push_str(before);
        match after.strip_prefix(end) {
            Some(more) if end != ']' => {
                out.push(end);
                rest = more;
            }
            _ => return (out, after),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn use_of_a_column_is_that_of_its_name() {
        for (sql, expected) in [
            ("price > 5", Some(Usage::Compared)),
            ("5.5<=price", Some(Usage::Compared)),
            ("\"Price\"=-5", Some(Usage::Compared)),
            ("price between 1 and 2", Some(Usage::Compared)),
            ("price not in (1, 2)", Some(Usage::Compared)),
            ("price in (1)", Some(Usage::Compared)),
            ("select sum(price) from t", Some(Usage::Compared)),
            ("select max(price) from t", Some(Usage::Ordered)),
            (
                "select price from t order by id, price desc",
                Some(Usage::Ordered),
            ),
            (
                "select price from t order by id limit 5",
                Some(Usage::Named),
            ),
            ("price = '5'", Some(Usage::Named)),
            ("name = 'price > 5'", None),
            ("unit_price > 5", None),
        ] {
            assert_eq!(Usages::of(sql).of_column("price"), expected, "{sql}");
        }
    }
}
