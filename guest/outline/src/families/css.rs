//! CSS: `selectors {`.

use crate::grammar::{Kind, Scope};
use crate::language::{Declaration, End, Family, Statement};
use crate::token::{self, Token};

/// The family of CSS.
pub const CSS: Family = Family {
    statement: Some(|statement| statement.rule()),
    literal: Some(|statement, brace| statement.is_interpolation(brace).then_some(Scope::Entries)),
    ..Family::OTHER
};

impl Statement<'_> {
    /// The declaration of a CSS rule before its block: selectors, `@media …` or `@mixin name(…)`.
    pub fn rule(&self) -> Option<Declaration> {
        if self.end != End::Block {
            return None;
        }
        let (first, last) = (self.get(0)?, self.tokens.last()?);
        // Steps of `@keyframes` are not rules: `from`, `50%`.
        let word = self.words(first.start, first.end);
        if first.kind == token::Kind::Number || matches!(word, "from" | "to") {
            return None;
        }
        let form = self.form(1).filter(|_| first.is(b'@'));
        let named = self.get(2).filter(|_| form.is_some());
        let kind = if named.is_some() {
            Kind::Function
        } else {
            Kind::Section
        };
        let name = named.map_or((first.start, last.end, first.line), Token::place);
        Some(Declaration {
            kind,
            name: Some(name),
            holds: Scope::Members,
            head: None,
        })
    }

    /// Whether a `{` begins an interpolation in a selector: `#{…}`.
    fn is_interpolation(&self, brace: &Token) -> bool {
        let sign = self.tokens.last();
        brace.adjacent && sign.is_some_and(|sign| sign.is(b'#'))
    }
}
