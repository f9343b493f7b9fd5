//! Finds types in statements of a script, as opposed to values.

use crate::grammar::Scope;
use crate::language::Statement;
use crate::token::{self, Token};

/// Whether the tokens contain more `<` than `>`.
pub fn opens_more(tokens: &[Token]) -> bool {
    let level = tokens.iter().fold(0i32, |level, token| match token.kind {
        token::Kind::Punct(b'<') => level.saturating_add(1),
        token::Kind::Punct(b'>') => level.saturating_sub(1),
        _ => level,
    });
    level > 0
}

/// Whether a type or a value must follow this token, and not an operator. `text` is the text of the
/// token.
pub fn awaits_operand(token: &Token, text: &str) -> bool {
    match token.kind {
        token::Kind::Punct(b':' | b'|' | b'&' | b',' | b'?' | b'=' | b'<')
        | token::Kind::Arrow
        | token::Kind::Operator => true,
        token::Kind::Word => matches!(
            text,
            "as" | "satisfies" | "is" | "keyof" | "infer" | "extends" | "readonly"
        ),
        _ => false,
    }
}

impl Statement<'_> {
    /// Whether the last token is a part of a type.
    pub fn ends_in_type(&self) -> bool {
        self.names_type() && self.reading(self.prefix()).is_type()
    }

    /// Whether the statement ends inside the type parameters `<…>` of a type.
    pub fn in_angles(&self) -> bool {
        let mut level = 0u32;
        for (at, token) in self.tokens.iter().enumerate() {
            match token.kind {
                token::Kind::Punct(b'<') if level > 0 || self.opens_angle(at, token) => {
                    level = level.saturating_add(1);
                }
                token::Kind::Punct(b'>') => level = level.saturating_sub(1),
                token::Kind::Operator if level > 0 && self.compares(token) => level = 0,
                _ => {}
            }
        }
        level > 0
    }

    /// Whether an operator after `<` shows that `<` compares two values: `a<b && c`.
    pub fn compares(&self, operator: &Token) -> bool {
        self.words(operator.start, operator.end) != "..."
    }

    /// Whether `<` begins type parameters, and does not compare values.
    pub fn opens_angle(&self, at: usize, token: &Token) -> bool {
        let Some(before) = at.checked_sub(1).and_then(|at| self.get(at)) else {
            return true;
        };
        let next = at.saturating_add(1);
        let number = || self.kind(next) == Some(token::Kind::Number);
        let method = || self.has_keys() && at == self.prefix().saturating_add(1);
        let opens = match before.kind {
            token::Kind::Word => {
                !number() && (token.adjacent || self.follows_keyword(at) || method())
            }
            token::Kind::Group(b'[') | token::Kind::Text => method(),
            // `class extends mixed(a)<b> {`
            token::Kind::Group(b'(') => token.adjacent && !number(),
            token::Kind::Group(_) | token::Kind::Number | token::Kind::Punct(b'<' | b'>') => false,
            _ => true,
        };
        // `a << b` is a shift operator.
        opens && !self.is(next, b'<')
    }

    /// Whether a keyword before the index `at` shows that type parameters begin there: `async <…>`,
    /// `function name <…>`.
    fn follows_keyword(&self, at: usize) -> bool {
        let word = |back: usize| at.checked_sub(back).and_then(|at| self.word(at));
        matches!(
            word(1),
            Some("async" | "return" | "default" | "function" | "new" | "yield")
        ) || matches!(word(2), Some("function" | "class" | "interface" | "type"))
    }

    /// Whether the statement contains a sign of types: `:`, `as`, `satisfies` or `type`.
    fn names_type(&self) -> bool {
        // The key of an entry and its `:` are skipped.
        let key = if self.place == Scope::Entries { 2 } else { 0 };
        self.tokens.iter().skip(key).any(|token| match token.kind {
            token::Kind::Punct(b':') => true,
            token::Kind::Word => matches!(
                self.words(token.start, token.end),
                "as" | "satisfies" | "type"
            ),
            _ => false,
        })
    }
}
