//! Go: `name(parameters)` in interfaces.

use crate::grammar::Scope;
use crate::language::{Declaration, Family, Quirk, Quirks, Scopes, Statement};

/// The family of Go.
pub const GO: Family = Family {
    quirks: Quirks::of(&[Quirk::Groups, Quirk::BracesBegin]),
    silent: Scopes::ALL.without(Scope::Members),
    type_bracket: b'[',
    call: |statement, at| statement.interface_method(at),
    ..Family::OTHER
};

impl Statement<'_> {
    /// A method of an interface: `name(parameters)`.
    fn interface_method(&self, at: usize) -> Option<Declaration> {
        let method = self.place == Scope::Members
            && self.is_group(at.saturating_add(1), b'(')
            && self.word(at).is_some();
        let token = self.get(at).filter(|_| method)?;
        Some(self.function(token.place(), at))
    }
}

/// The type to which a method belongs: `T` in `func (t *T[K])`.
pub fn receiver(before: &str) -> Option<&str> {
    let inner = before.trim_end().strip_suffix(')')?;
    let (_, inner) = inner.split_once('(')?;
    let inner = inner.split_once('[').map_or(inner, |(name, _)| name);
    let name = inner
        .trim_end()
        .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
        .next()?;
    Some(name).filter(|name| !name.is_empty())
}
