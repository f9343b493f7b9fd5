//! Shell: `name() {`.

use crate::language::{Declaration, End, Family, Quirk, Quirks, Statement};
use crate::token::{self, Roles, Token};

/// The family of shells.
pub const SHELL: Family = Family {
    quirks: Quirks::of(&[Quirk::BracketWords, Quirk::LoneBrackets]),
    call: |statement, at| statement.shell_function(at),
    continues: |statement, next| statement.shell_continues(next),
    ..Family::OTHER
};

impl Statement<'_> {
    /// A function of a shell: `name() {`, or `name() (…)`, which runs in a subshell.
    fn shell_function(&self, at: usize) -> Option<Declaration> {
        let sub = self.is_group(self.tokens.len().saturating_sub(2), b'(');
        let group = self.tokens.len().checked_sub(if sub { 2 } else { 1 })?;
        let name = group.checked_sub(1)?;
        let first = name == at
            || name
                .checked_sub(1)
                .is_some_and(|before| self.kind(before) == Some(token::Kind::Operator));
        let call = first && self.is_group(group, b'(') && (sub || self.end == End::Block);
        self.word(name)?;
        let named = call && !self.has(name, Roles::CONTROL);
        let token = self.get(name).filter(|_| named)?;
        Some(self.function(token.place(), at))
    }

    /// Whether a line of a shell continues the statement. `next` is the first token of the line.
    fn shell_continues(&self, next: &Token) -> bool {
        self.tokens.last().is_none_or(|last| {
            last.is(b'|')
                || last.is(b'\\')
                || next.is(b'{')
                || (last.kind == token::Kind::Operator
                    && matches!(self.words(last.start, last.end), "&&" | "||"))
        })
    }
}
