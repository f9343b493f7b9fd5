//! Elixir: operators between their operands.

use crate::language::{Family, Quirk, Quirks, Statement};
use crate::token::{self, Token};

/// The family of Elixir.
pub const ELIXIR: Family = Family {
    quirks: Quirks::of(&[Quirk::InfixNames]),
    continues: |statement, next| statement.elixir_continues(next),
    ..Family::OTHER
};

/// Whether a word is an operator between two operands.
fn is_operator(word: &str) -> bool {
    matches!(word, "and" | "or" | "in" | "when")
}

impl Statement<'_> {
    /// Whether a line of Elixir continues the statement: the line before it ends with an operator, or the
    /// line begins with one that has an operand on its left. `next` is the first token of the line.
    fn elixir_continues(&self, next: &Token) -> bool {
        let [.., last] = self.tokens else {
            return true;
        };
        let before = self.tokens.len().checked_sub(2).and_then(|at| self.get(at));
        let word = self.words(last.start, last.end);
        let awaits = match last.kind {
            token::Kind::Word => is_operator(word) || word == "not",
            token::Kind::Operator => matches!(word, "++" | "--"),
            // `<<a>>` is complete, `a <>` and `a >` are not.
            token::Kind::Punct(b'>') => {
                !(last.adjacent && before.is_some_and(|before| before.is(b'>')))
            }
            _ => false,
        };
        let begins = match next.kind {
            token::Kind::Word => is_operator(self.words(next.start, next.end)),
            token::Kind::Punct(b'*' | b'/') => true,
            // `<<` begins a value.
            token::Kind::Punct(b'<') => !self
                .words(next.end, next.end.saturating_add(1))
                .starts_with('<'),
            _ => false,
        };
        awaits || begins || self.continues(next)
    }
}
