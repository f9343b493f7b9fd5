//! R: `name <- function(`.

use crate::grammar::{Kind, Scope};
use crate::language::{Declaration, Family, Statement};
use crate::token::{self};

/// The family of R.
pub const R: Family = Family {
    call: |statement, at| statement.arrow(at),
    ..Family::OTHER
};

impl Statement<'_> {
    /// A function or class of R: `name <- function(…)`, `setClass("name", …)`.
    pub fn arrow(&self, at: usize) -> Option<Declaration> {
        let token = self.get(at)?;
        let found = |kind, name| Declaration {
            kind,
            name: Some(name),
            holds: Scope::Code,
            head: None,
        };
        if let Some(word) = self.word(at)
            && self.is_group(at.saturating_add(1), b'(')
        {
            let kind = match word {
                "setMethod" | "setGeneric" | "setReplaceMethod" | "setValidity" => Kind::Function,
                "setClass" | "setRefClass" | "setClassUnion" => Kind::Type,
                _ => return None,
            };
            let group = self.get(at.saturating_add(1))?;
            let inner = self.words(group.start, group.end).strip_prefix('(')?;
            let quote = inner
                .trim_start()
                .chars()
                .next()
                .filter(|c| matches!(c, '"' | '\''))?;
            let start = group
                .end
                .saturating_sub(inner.trim_start().len())
                .saturating_add(1);
            let text = self.words(start, group.end);
            let length = text.find(quote)?;
            return Some(found(
                kind,
                (start, start.saturating_add(length), group.line),
            ));
        }
        let mut sign = at.saturating_add(1);
        // `<<-`
        if self.is(sign, b'<') {
            sign = sign.saturating_add(1);
        }
        let assigns = self.is(sign, b'=') || self.kind(sign) == Some(token::Kind::Operator);
        let mut value = sign.saturating_add(1);
        // `a <- b <- function(`
        if self.word(value).is_some()
            && self.kind(value.saturating_add(1)) == Some(token::Kind::Operator)
        {
            value = value.saturating_add(2);
        }
        let named = matches!(token.kind, token::Kind::Word | token::Kind::Text);
        if !named || !assigns {
            return None;
        }
        let name = token.place();
        // `\(x) x + 1`
        if self.is(value, b'\\') && self.is_group(value.saturating_add(1), b'(') {
            return Some(found(Kind::Function, name));
        }
        match self.word(value)? {
            "function" => Some(found(Kind::Function, name)),
            "setClass" | "setRefClass" | "R6Class" | "ggproto" => Some(found(Kind::Type, name)),
            _ => None,
        }
    }
}
