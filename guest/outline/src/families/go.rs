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
