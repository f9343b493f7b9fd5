//! Haskell: `name :: type` and `name pattern =`.

use crate::grammar::{Kind, Scope};
use crate::language::{Declaration, Family, Quirk, Quirks, Statement};
use crate::token::{self, Place, Roles};

/// The family of Haskell.
pub const HASKELL: Family = Family {
    quirks: Quirks::of(&[Quirk::Equations]),
    statement: Some(|statement| statement.haskell()),
    literal: Some(|_, _| Some(Scope::Values)),
    opens_column: Some(|statement| statement.opens_instances()),
    ..Family::OTHER
};

impl Statement<'_> {
    /// The declaration in a statement of Haskell.
    pub fn haskell(&self) -> Option<Declaration> {
        let found = |kind, name, holds| Declaration {
            kind,
            name: Some(name),
            holds,
            head: None,
        };
        let first = self.word(0);
        if self.has(0, Roles::CONTROL) {
            return None;
        }
        let ends = self
            .position(1, |token| {
                token.is(b'=') || token.is(b'|') || self.words(token.start, token.end) == "where"
            })
            .unwrap_or(self.tokens.len());
        if let Some(form) = self.form(0) {
            if matches!(form.kind, Kind::Module) && first == Some("instance") {
                let last = ends.saturating_sub(1).max(1);
                return Some(found(Kind::Module, self.span(1, last)?, Scope::Members));
            }
            let mut at = 1usize;
            // `class (Eq a) => Name a`
            if let Some(arrow) = self
                .position(1, |token| token.kind == token::Kind::Arrow)
                .filter(|arrow| *arrow < ends)
            {
                at = arrow.saturating_add(1);
            }
            if matches!(self.word(at), Some("family" | "instance" | "role" | "data")) {
                at = at.saturating_add(1);
            }
            let mut last = at;
            while self.is(last.saturating_add(1), b'.')
                && self
                    .get(last.saturating_add(2))
                    .is_some_and(|next| next.adjacent)
            {
                last = last.saturating_add(2);
            }
            let capital = |at: usize| {
                self.word(at)
                    .is_some_and(|word| word.starts_with(|c: char| c.is_uppercase()))
            };
            if !capital(last) {
                return None;
            }
            // Infix types are rare and are not found: ``a `Name` b`` and `a :+: b`.
            return Some(found(form.kind, self.span(at, last)?, Scope::Members));
        }
        let function = |name| Some(found(Kind::Function, name, Scope::Code));
        // `name :: type`, `(<>) :: type`, `a, b :: type`
        let typed = self
            .position(0, |token| token.kind == token::Kind::Path)
            .filter(|typed| *typed < ends);
        let lower = |at: usize| {
            self.word(at).as_ref().is_some_and(|word| {
                word.starts_with(|c: char| c.is_lowercase() || c == '_') && *word != "_"
            })
        };
        let name = if lower(0) {
            self.span(0, 0)?
        } else if self.is_group(0, b'(')
            && !self
                .words(self.get(0)?.start, self.get(0)?.end)
                .contains(char::is_alphanumeric)
        {
            let (start, end, line) = self.span(0, 0)?;
            (start.saturating_add(1), end.saturating_sub(1), line)
        } else {
            // `Left a <+> b = …`
            let sign = self.infix(ends)?;
            return function(sign);
        };
        if typed == Some(1) || (typed.is_some() && self.is(1, b',')) {
            return function(name);
        }
        if ends < self.tokens.len() && typed.is_none() {
            // ``a `op` b = …``
            if let Some(sign) = self.infix(ends) {
                return function(sign);
            }
            return function(name);
        }
        None
    }

    /// The operator between two patterns, as in `a <> b = …`: the byte offsets at which it starts
    /// and ends, and its line number. The patterns end before the index `ends`.
    fn infix(&self, ends: usize) -> Option<Place> {
        let at = self.position(1, |token| {
            matches!(token.kind, token::Kind::Operator | token::Kind::Path)
                || matches!(token.kind, token::Kind::Punct(sign) if !matches!(sign, b'=' | b'|' | b'@' | b'~' | b'!' | b'_' | b'{' | b'}' | b',' | b'.' | b'-' | b'\\' | b'\'' | b'#' | b'$' | b'?'))
        })?;
        // `pattern <- value` and `pattern -> value` declare nothing.
        let arrow = self
            .get(at)
            .is_some_and(|token| self.words(token.start, token.end) == "<-");
        if at >= ends || arrow {
            return None;
        }
        if self.is(at, b'`') {
            return self.span(at.saturating_add(1), at.saturating_add(1));
        }
        let mut last = at;
        while self.get(last.saturating_add(1)).is_some_and(|next| {
            next.adjacent
                && last.saturating_add(1) < ends
                && matches!(next.kind, token::Kind::Punct(_) | token::Kind::Operator)
        }) {
            last = last.saturating_add(1);
        }
        self.span(at, last)
    }

    /// Whether the lines after the statement are its members: `class Name a where`.
    fn opens_instances(&self) -> bool {
        let last = self.tokens.last();
        matches!(self.word(0), Some("class" | "instance" | "data"))
            && last.is_some_and(|last| self.words(last.start, last.end) == "where")
    }
}
