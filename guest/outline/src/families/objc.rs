//! Objective-C: `- (type)name:(type)a more:(type)b`.

use super::c::C;
use crate::grammar::{Kind, Scope};
use crate::language::{Declaration, Family, Quirk, Statement};
use crate::token::Token;

/// The family of Objective-C.
pub const OBJC: Family = Family {
    quirks: C.quirks.and(Quirk::SignedMethods),
    valued: Some(|statement, _| statement.message()),
    divided_name: Some(|statement| statement.selector()),
    ..C
};

impl Statement<'_> {
    /// The method in a statement.
    fn message(&self) -> Option<Declaration> {
        let method = self.place != Scope::Values && self.selector().is_some();
        let name = self.get(2).filter(|_| method).map(Token::place)?;
        Some(Declaration {
            kind: Kind::Function,
            name: Some(name),
            holds: Scope::Code,
            head: None,
        })
    }

    /// The name of a method: `name:more:` for `- (int)name:(int)a more:(int)b`.
    fn selector(&self) -> Option<String> {
        let sign = self.get(0)?;
        if !(sign.is(b'-') || sign.is(b'+')) || !self.is_group(1, b'(') {
            return None;
        }
        let first = self.word(2)?;
        if !self.is(3, b':') {
            return Some(first.to_owned());
        }
        let mut name = String::new();
        for at in 2..self.tokens.len() {
            if self.is(at, b':') {
                let word = at.checked_sub(1).and_then(|before| self.word(before));
                name.push_str(word.unwrap_or_default());
                name.push(':');
            }
        }
        Some(name)
    }
}
