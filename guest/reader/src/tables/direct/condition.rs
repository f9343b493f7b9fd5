//! Conditions: comparisons of columns with literals, combined by AND, OR and NOT.

use super::like::Pattern;
use super::order::{Literal, with_literal};
use super::token::{Placed, Token, tokens};
use crate::tables::SqlValue;
use std::borrow::Cow;
use std::cmp::Ordering;

/// A condition. Columns are numbered as in the list of names with which it was parsed.
#[derive(Clone, Debug)]
pub enum Condition {
    Compare(usize, Operator, Literal),
    Between(usize, Literal, Literal),
    In(usize, Vec<Literal>),
    Like(usize, Pattern),
    Null(usize),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

/// An operator that compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Equal,
    Different,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// The values of a row.
pub trait Values {
    /// The value of a column. Its text is not part of it.
    fn value(&self, column: usize) -> &SqlValue;
    /// The text of a value that is a text.
    fn text(&self, column: usize) -> Cow<'_, str>;
    /// The bytes of this text.
    fn bytes(&self, column: usize) -> Cow<'_, [u8]> {
        match self.text(column) {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        }
    }
}

/// A column, as the parser sees it.
pub struct Name<'n> {
    pub name: &'n str,
    /// Whether it has no numbers.
    pub is_text: bool,
}

impl Condition {
    /// Parses a condition. `None` if it has another form than those of this module.
    pub fn parse(sql: &str, columns: &[Name<'_>]) -> Option<Self> {
        let tokens = tokens(sql)?;
        let mut parser = Parser::new(&tokens, columns);
        let condition = parser.condition()?;
        parser.is_at_end().then_some(condition)
    }

    /// Adds the columns that the condition uses.
    pub fn add_columns(&self, columns: &mut Vec<usize>) {
        match self {
            Self::Compare(column, ..)
            | Self::Between(column, ..)
            | Self::In(column, _)
            | Self::Like(column, _)
            | Self::Null(column) => columns.push(*column),
            Self::Not(inner) => inner.add_columns(columns),
            Self::And(parts) | Self::Or(parts) => {
                for part in parts {
                    part.add_columns(columns);
                }
            }
        }
    }

    /// Whether a row meets the condition. `None` if that is NULL.
    pub fn holds(&self, row: &impl Values) -> Option<bool> {
        let order = |column: usize, literal: &Literal| {
            with_literal(row.value(column), || row.bytes(column), literal)
        };
        match self {
            Self::Compare(column, operator, literal) => {
                order(*column, literal).map(|order| operator.holds(order))
            }
            Self::Between(column, low, high) => {
                let from = order(*column, low)?;
                Some(from.is_ge() && order(*column, high)?.is_le())
            }
            Self::In(column, list) => {
                let mut found = list.iter().map(|literal| order(*column, literal));
                if matches!(row.value(*column), SqlValue::Null) {
                    return None;
                }
                Some(found.any(|order| order == Some(Ordering::Equal)))
            }
            Self::Like(column, pattern) => match row.value(*column) {
                SqlValue::Null => None,
                _ => Some(pattern.matches(&row.text(*column))),
            },
            Self::Null(column) => Some(matches!(row.value(*column), SqlValue::Null)),
            Self::Not(inner) => inner.holds(row).map(|holds| !holds),
            Self::And(parts) => all(parts, row, false),
            Self::Or(parts) => all(parts, row, true),
        }
    }
}

/// The result of parts of which one that is `decisive` decides.
fn all(parts: &[Condition], row: &impl Values, decisive: bool) -> Option<bool> {
    let mut result = Some(!decisive);
    for part in parts {
        match part.holds(row) {
            Some(holds) if holds == decisive => return Some(decisive),
            Some(_) => {}
            None => result = None,
        }
    }
    result
}

impl Operator {
    fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::Different => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }

    fn of(mark: &str) -> Option<Self> {
        Some(match mark {
            "=" | "==" => Self::Equal,
            "!=" | "<>" => Self::Different,
            "<" => Self::Less,
            "<=" => Self::LessOrEqual,
            ">" => Self::Greater,
            ">=" => Self::GreaterOrEqual,
            _ => return None,
        })
    }

    /// The operator with its sides exchanged.
    fn reversed(self) -> Self {
        match self {
            Self::Equal | Self::Different => self,
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
        }
    }
}

/// The maximum depth of parentheses and NOT.
const DEPTH: usize = 50;

/// The maximum number of values of IN.
const LIST: usize = 100;

/// A parser of conditions, which is at a token. Each method returns `None` for other forms.
pub struct Parser<'t> {
    tokens: &'t [Placed],
    at: usize,
    columns: &'t [Name<'t>],
    depth: usize,
}

impl<'t> Parser<'t> {
    pub fn new(tokens: &'t [Placed], columns: &'t [Name<'t>]) -> Self {
        Self {
            tokens,
            at: 0,
            columns,
            depth: 0,
        }
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// The token at which the parser is.
    pub fn peek(&self) -> Option<&'t Placed> {
        self.tokens.get(self.at)
    }

    /// The token before that.
    pub fn last(&self) -> Option<&'t Placed> {
        self.tokens.get(self.at.checked_sub(1)?)
    }

    pub fn next(&mut self) -> Option<&'t Token> {
        let token = &self.tokens.get(self.at)?.token;
        self.at = self.at.saturating_add(1);
        Some(token)
    }

    /// Skips a keyword. Returns whether it is there.
    pub fn take(&mut self, keyword: &str) -> bool {
        let found = self.peek().is_some_and(|it| it.token.is(keyword));
        self.at = self.at.saturating_add(usize::from(found));
        found
    }

    /// Skips a mark. Returns whether it is there.
    pub fn take_mark(&mut self, mark: &str) -> bool {
        let found = self.peek();
        let found = found.is_some_and(|it| matches!(it.token, Token::Mark(it) if it == mark));
        self.at = self.at.saturating_add(usize::from(found));
        found
    }

    /// The column that a token names.
    pub fn column_of(&self, token: &Token) -> Option<usize> {
        let name = token.name()?;
        let mut columns = self.columns.iter();
        columns.position(|column| column.name.eq_ignore_ascii_case(name))
    }

    /// A condition.
    pub fn condition(&mut self) -> Option<Condition> {
        self.depth = self.depth.checked_add(1).filter(|depth| *depth <= DEPTH)?;
        let mut parts = vec![self.conjunction()?];
        while self.take("or") {
            parts.push(self.conjunction()?);
        }
        self.depth = self.depth.saturating_sub(1);
        Some(match parts.len() {
            1 => parts.pop()?,
            _ => Condition::Or(parts),
        })
    }

    fn conjunction(&mut self) -> Option<Condition> {
        let mut parts = vec![self.negation()?];
        while self.take("and") {
            parts.push(self.negation()?);
        }
        Some(match parts.len() {
            1 => parts.pop()?,
            _ => Condition::And(parts),
        })
    }

    fn negation(&mut self) -> Option<Condition> {
        if self.take("not") {
            self.depth = self.depth.checked_add(1).filter(|depth| *depth <= DEPTH)?;
            let inner = self.negation()?;
            self.depth = self.depth.saturating_sub(1);
            return Some(Condition::Not(Box::new(inner)));
        }
        if self.take_mark("(") {
            let inner = self.condition()?;
            return self.take_mark(")").then_some(inner);
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Option<Condition> {
        let column = self.peek().and_then(|it| self.column_of(&it.token));
        let Some(column) = column else {
            let literal = self.literal()?;
            let Token::Mark(mark) = self.next()? else {
                return None;
            };
            let operator = Operator::of(mark)?.reversed();
            let name = self.next()?;
            return Some(Condition::Compare(self.column_of(name)?, operator, literal));
        };
        self.next();
        if self.take("is") {
            let negated = self.take("not");
            return self
                .take("null")
                .then(|| negate(Condition::Null(column), negated));
        }
        if self.take("isnull") {
            return Some(Condition::Null(column));
        }
        if self.take("notnull") {
            return Some(negate(Condition::Null(column), true));
        }
        let negated = self.take("not");
        if negated && self.take("null") {
            return Some(negate(Condition::Null(column), true));
        }
        if self.take("like") {
            let Token::Text(pattern) = self.next()? else {
                return None;
            };
            // A number is compared as SQLite formats it.
            let is_text = self.columns.get(column)?.is_text;
            let pattern = Pattern::parse(pattern).filter(|_| is_text)?;
            return Some(negate(Condition::Like(column, pattern), negated));
        }
        if self.take("between") {
            let low = self.literal()?;
            let high = self.take("and").then(|| self.literal()).flatten()?;
            return Some(negate(Condition::Between(column, low, high), negated));
        }
        if self.take("in") {
            let mut list = Vec::new();
            let mut is_next = self.take_mark("(");
            while is_next {
                list.push(self.literal()?);
                is_next = self.take_mark(",");
            }
            let is_list = self.take_mark(")") && list.len() <= LIST;
            return is_list.then(|| negate(Condition::In(column, list), negated));
        }
        match self.next()? {
            Token::Mark(mark) if !negated => {
                let operator = Operator::of(mark)?;
                Some(Condition::Compare(column, operator, self.literal()?))
            }
            _ => None,
        }
    }

    /// A text or a number with a sign.
    fn literal(&mut self) -> Option<Literal> {
        let is_negative = self.take_mark("-");
        let is_signed = is_negative || self.take_mark("+");
        match self.next()? {
            Token::Text(text) if !is_signed => Some(Literal::Text(text.clone())),
            Token::Number(text) => number(text, is_negative).map(Literal::Number),
            _ => None,
        }
    }
}

fn negate(condition: Condition, negated: bool) -> Condition {
    if negated {
        Condition::Not(Box::new(condition))
    } else {
        condition
    }
}

/// The number in digits with at most one point. `None` if it has so many digits that SQLite may round it in
/// another way.
fn number(text: &str, is_negative: bool) -> Option<SqlValue> {
    const DIGITS: usize = 15;
    if !text.contains('.') {
        let number: i64 = text.parse().ok()?;
        let number = if is_negative {
            number.checked_neg()?
        } else {
            number
        };
        return Some(SqlValue::Integer(number));
    }
    if text.len() > DIGITS {
        return None;
    }
    let number: f64 = text.parse().ok()?;
    Some(SqlValue::Real(if is_negative { -number } else { number }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use SqlValue::{Integer, Null, Real, Text};

    struct One(SqlValue, &'static str);

    impl Values for One {
        fn value(&self, _: usize) -> &SqlValue {
            &self.0
        }

        fn text(&self, _: usize) -> Cow<'_, str> {
            self.1.into()
        }
    }

    fn parse(sql: &str) -> Option<Condition> {
        let column = |name, is_text| Name { name, is_text };
        Condition::parse(sql, &[column("a", true), column("B c", false)])
    }

    #[test]
    fn condition_is_evaluated_as_in_sqlite() {
        let (yes, no) = (Some(true), Some(false));
        for (sql, value, text, expected) in [
            ("a = 5", Integer(5), "", yes),
            ("a = 5.0", Integer(5), "", yes),
            ("5 < a", Real(5.5), "", yes),
            ("a = '5'", Integer(5), "", no),
            ("a > 1000", Text, "5", yes),
            ("a < 'b'", Integer(5), "", yes),
            ("a == 'x''y'", Text, "x'y", yes),
            ("a <> 'x'", Null, "", None),
            ("not a = 1", Null, "", None),
            ("a is null or a = 1", Null, "", yes),
            ("a = 1 and a is not null", Null, "", no),
            ("a = 1 or a notnull", Null, "", None),
            ("a between 1 and 2 and a != 2", Integer(1), "", yes),
            ("a not between -1 and +2", Integer(3), "", yes),
            ("a in (1, 'x', 2.5)", Real(2.5), "", yes),
            ("a not in (1)", Null, "", None),
            ("a like 'X%'", Text, "xyz", yes),
            ("A not like '%y'", Text, "xyz", yes),
            ("not (a = 1 or a = 2)", Integer(2), "", no),
            ("a = 1 or a = 2 and a = 3", Integer(1), "", yes),
            (
                "a >= 9007199254740993",
                Real(9_007_199_254_740_992.0),
                "",
                no,
            ),
            ("\"b C\" = 1", Integer(1), "", yes),
        ] {
            let found = parse(sql).unwrap_or_else(|| panic!("{sql}"));
            let row = One(value, text);
            assert_eq!(found.holds(&row), expected, "{sql}");
        }
    }

    #[test]
    fn other_forms_are_for_the_engine() {
        for sql in [
            "a",
            "a = b",
            "c = 1",
            "a = 1 = 1",
            "a < 2 > 1",
            "a = null",
            "a is 5",
            "a = 1 collate nocase",
            "a like 'x' escape 'y'",
            "\"b c\" like '1%'",
            "a in ()",
            "a = - 'x'",
            "a = 1 and",
            "(a = 1",
            "a = 1)",
            "a = 9223372036854775808",
            "a = 1.0000000000000001",
            "a + 1 = 2",
            "lower(a) = 'x'",
            "a not = 1",
            "1 = 1",
            "a between 1 and 2 = 1",
            "a isnull = 1",
            "(a = 1) = 1",
            "true",
        ] {
            assert!(parse(sql).is_none(), "{sql}");
        }
        assert!(parse(&format!("{}a = 1{}", "(".repeat(60), ")".repeat(60))).is_none());
    }
}
