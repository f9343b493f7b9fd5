//! Where types of a script stand, and not values.

use super::Header;
use crate::outline::grammar::Place;
use crate::outline::lexer::{self, Token};

/// Whether there are more `<` than `>`.
pub fn opens_more(tokens: &[Token]) -> bool {
    let level = tokens.iter().fold(0i32, |level, token| match token.kind {
        lexer::Kind::Punct(b'<') => level.saturating_add(1),
        lexer::Kind::Punct(b'>') => level.saturating_sub(1),
        _ => level,
    });
    level > 0
}

/// Whether a type or a value follows this token, rather than a sign.
pub fn awaits_operand(token: &Token, text: &str) -> bool {
    match token.kind {
        lexer::Kind::Punct(b':' | b'|' | b'&' | b',' | b'?' | b'=' | b'<')
        | lexer::Kind::Arrow
        | lexer::Kind::Operator => true,
        lexer::Kind::Word => matches!(
            text,
            "as" | "satisfies" | "is" | "keyof" | "infer" | "extends" | "readonly"
        ),
        _ => false,
    }
}

impl Header<'_> {
    /// Whether what stands last is a part of a type.
    pub fn ends_in_type(&self) -> bool {
        self.names_type() && self.reading(self.prefix()).is_type()
    }

    /// Whether the brackets of a type are open: `<`.
    pub fn in_angles(&self) -> bool {
        let mut level = 0u32;
        for (at, token) in self.tokens.iter().enumerate() {
            match token.kind {
                lexer::Kind::Punct(b'<') if level > 0 || self.opens_angle(at, token) => {
                    level = level.saturating_add(1);
                }
                lexer::Kind::Punct(b'>') => level = level.saturating_sub(1),
                lexer::Kind::Operator if level > 0 && self.compares(token) => level = 0,
                _ => {}
            }
        }
        level > 0
    }

    /// `a<b && c` compares.
    pub(super) fn compares(&self, operator: &Token) -> bool {
        self.words(operator.start, operator.end) != ".."
    }

    /// Whether `<` begins parameters of a type, and does not compare.
    pub(super) fn opens_angle(&self, at: usize, token: &Token) -> bool {
        let Some(before) = at.checked_sub(1).and_then(|at| self.get(at)) else {
            return true;
        };
        let next = at.saturating_add(1);
        let number = || self.kind(next) == Some(lexer::Kind::Number);
        let method = || self.has_keys() && at == self.prefix().saturating_add(1);
        let opens = match before.kind {
            lexer::Kind::Word => !number() && (token.glued || self.goes_behind(at) || method()),
            lexer::Kind::Group(b'[') | lexer::Kind::Text => method(),
            // `class extends mixed(a)<b> {`
            lexer::Kind::Group(b'(') => token.glued && !number(),
            lexer::Kind::Group(_) | lexer::Kind::Number | lexer::Kind::Punct(b'<' | b'>') => false,
            _ => true,
        };
        // `a << b`
        opens && !self.is(next, b'<')
    }

    /// Whether what stands at a place is told by a word before it: `async <…>`,
    /// `function name <…>`
    fn goes_behind(&self, at: usize) -> bool {
        let word = |back: usize| at.checked_sub(back).and_then(|at| self.word(at));
        matches!(
            word(1),
            Some("async" | "return" | "default" | "function" | "new" | "yield")
        ) || matches!(word(2), Some("function" | "class" | "interface" | "type"))
    }

    /// Whether something stands before which or behind which there are types.
    fn names_type(&self) -> bool {
        // A key.
        let key = if self.place == Place::Entries { 2 } else { 0 };
        self.tokens.iter().skip(key).any(|token| match token.kind {
            lexer::Kind::Punct(b':') => true,
            lexer::Kind::Word => matches!(
                self.words(token.start, token.end),
                "as" | "satisfies" | "type"
            ),
            _ => false,
        })
    }
}
