//! Ruby: `Name = Struct.new`, and methods without a block.

use crate::grammar::{Kind, Scope};
use crate::language::{Declaration, Family, Quirk, Quirks, Statement};
use crate::token::{self};

/// The family of Ruby.
pub const RUBY: Family = Family {
    call: |statement, at| statement.ruby(at),
    is_endless: Some(|statement| statement.is_endless()),
    quirks: Quirks::of(&[Quirk::BracesBegin, Quirk::LoopsEndLines]),
    awaits_more: Some(|statement| statement.awaits_operand()),
    literal: Some(|statement, _| statement.default_value().then_some(Scope::Entries)),
    ..Family::OTHER
};

impl Statement<'_> {
    /// Whether the last word is an operator.
    fn awaits_operand(&self) -> bool {
        let last = self.tokens.len().saturating_sub(1);
        let symbol = last.checked_sub(1).is_some_and(|before| {
            self.is(before, b':') || self.is(before, b'.') || self.word(before) == Some("def")
        });
        matches!(self.word(last), Some("and" | "or" | "not")) && !symbol
    }

    /// A constant or class of Ruby: `NAME = value`, `Name = Struct.new(…) do`.
    fn ruby(&self, from: usize) -> Option<Declaration> {
        let token = self
            .get(from)
            .filter(|token| token.kind == token::Kind::Word)?;
        let word = self.words(token.start, token.end);
        let capital = word.starts_with(|c: char| c.is_uppercase());
        let sign = from.saturating_add(1);
        if !capital || !self.is(sign, b'=') || self.place == Scope::Code {
            return None;
        }
        let value = sign.saturating_add(1);
        let new = self.is(value.saturating_add(1), b'.')
            && matches!(self.word(value.saturating_add(2)), Some("new" | "define"));
        let class = new
            && matches!(
                self.word(value),
                Some("Struct" | "Class" | "Data" | "Module")
            );
        Some(Declaration {
            kind: if class { Kind::Type } else { Kind::Value },
            name: Some(token.place()),
            holds: if class {
                Scope::Members
            } else {
                Scope::Entries
            },
            head: self.head(from),
        })
    }

    /// Whether a `{` begins the default value of a parameter: `def name options = {}`.
    fn default_value(&self) -> bool {
        let method = self
            .form(self.prefix())
            .is_some_and(|form| form.kind == Kind::Function);
        method && self.tokens.last().is_some_and(|last| last.is(b'='))
    }

    /// Whether the statement is a method that needs no `end`: `def name(…) = value`.
    fn is_endless(&self) -> bool {
        let mut header = self
            .tokens
            .iter()
            .skip_while(|token| self.words(token.start, token.end) != "def");
        header.next();
        // `self.name`
        let mut header = header.peekable();
        let mut name = header.next();
        while header.next_if(|token| token.is(b'.')).is_some() {
            name = header.next();
        }
        if name.is_none_or(|name| name.kind != token::Kind::Word) {
            return false;
        }
        let group = header.next_if(|token| token.kind == token::Kind::Group(b'('));
        let glued = group.is_none();
        header
            .next()
            .is_some_and(|sign| sign.is(b'=') && !(glued && sign.adjacent))
    }
}
