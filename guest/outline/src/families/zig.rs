//! Zig: `const name = struct {`.

use crate::grammar::{Kind, Scope};
use crate::language::{Declaration, End, Family, Quirk, Quirks, Statement};
use crate::token::{self};

/// The family of Zig.
pub const ZIG: Family = Family {
    quirks: Quirks::of(&[Quirk::Commas]),
    valued: Some(|statement, _| statement.zig()),
    call: |statement, _| statement.zig(),
    members: Some(|statement| statement.is_container()),
    ..Family::OTHER
};

impl Statement<'_> {
    /// Whether the brace after the statement begins the members of a Zig type.
    pub fn is_container(&self) -> bool {
        let mut last = self.tokens.iter().rev();
        let first = last.next();
        let word = match first.map(|token| token.kind) {
            Some(token::Kind::Group(b'(')) => last.next(),
            _ => first,
        };
        word.is_some_and(|token| {
            matches!(
                self.words(token.start, token.end),
                "struct" | "union" | "enum" | "opaque"
            )
        })
    }

    /// A type of Zig that is bound to a constant: `const name = struct {`.
    fn zig(&self) -> Option<Declaration> {
        let at = self.prefix();
        if self.word(at) != Some("const") || self.end != End::Block {
            return None;
        }
        let name = self.get(at.saturating_add(1))?;
        let sign = self.position(at, |token| token.is(b'='))?;
        let mut value = sign.saturating_add(1);
        while matches!(self.word(value), Some("packed" | "extern" | "comptime")) {
            value = value.saturating_add(1);
        }
        let holds = match self.word(value)? {
            "struct" | "union" | "enum" | "opaque" => Scope::Members,
            "error" if value.saturating_add(1) == self.tokens.len() => Scope::Entries,
            _ => return None,
        };
        Some(Declaration {
            kind: Kind::Type,
            name: Some(name.place()),
            holds,
            head: None,
        })
    }
}
