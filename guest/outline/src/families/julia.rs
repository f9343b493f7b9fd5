//! Julia: `name(parameters) =`.

use crate::grammar::{Kind, Scope};
use crate::language::{Declaration, Family, Quirk, Quirks, Statement};
use crate::token::{self};

/// The family of Julia.
pub const JULIA: Family = Family {
    quirks: Quirks::of(&[Quirk::BareNames]),
    call: |statement, at| statement.julia(at),
    after_macro: |statement, at| statement.after_julia_macro(at),
    awaits_more: Some(|statement| {
        let last = statement.tokens.len().saturating_sub(1);
        matches!(statement.word(last), Some("where" | "in" | "isa"))
    }),
    literal: Some(|_, _| Some(Scope::Values)),
    ..Family::OTHER
};

impl Statement<'_> {
    /// A short function of Julia: `name(parameters)::type where t =`.
    fn julia(&self, from: usize) -> Option<Declaration> {
        let mut group = from;
        while matches!(
            self.kind(group),
            Some(token::Kind::Word | token::Kind::Punct(b'.' | b':') | token::Kind::Group(b'{'))
        ) {
            group = group.saturating_add(1);
        }
        // `+(a, b) =`, `Base.:+(a, b) =`
        let signs = group == from || self.is(group.saturating_sub(1), b':');
        if signs {
            let after = self.position(group, |token| token.kind == token::Kind::Group(b'('))?;
            let signs = self.tokens.get(group..after).unwrap_or_default();
            if signs
                .iter()
                .any(|token| !matches!(token.kind, token::Kind::Punct(_) | token::Kind::Operator))
            {
                return None;
            }
            group = after;
        }
        let mut name = group.checked_sub(1).filter(|name| *name >= from)?;
        if self.is_group(name, b'{') {
            name = name.checked_sub(1).filter(|name| *name >= from)?;
        }
        if !self.is_group(group, b'(')
            || !self.get(group)?.adjacent
            || self.is(group.saturating_add(1), b',')
        {
            return None;
        }
        let mut at = group.saturating_add(1);
        // `::type where {t}`
        if self.kind(at) == Some(token::Kind::Path) || self.word(at) == Some("where") {
            at = self.position(at, |token| token.is(b'='))?;
        }
        if !self.is(at, b'=') {
            return None;
        }
        let token = self.get(name)?;
        Some(Declaration {
            kind: Kind::Function,
            name: Some(token.place()),
            holds: Scope::Code,
            head: self.get(at).map(|token| token.line),
        })
    }

    /// The index of the token after a macro before a declaration: `@inline`, `Base.@kwdef`.
    fn after_julia_macro(&self, at: usize) -> Option<usize> {
        let dotted = self.is(at.saturating_add(1), b'.');
        let name = at.saturating_add(if dotted { 2 } else { 0 });
        let is_macro = self.word(name)?.starts_with('@');
        is_macro.then(|| name.saturating_add(1))
    }
}
