//! Blocks of CSS and HCL, which are named by the text before them, and functions of R.

use super::{Declaration, End, Statement};
use crate::grammar::{Kind, Scope};
use crate::lexer::{self, Token};

impl Statement<'_> {
    /// The declaration of a CSS rule before its block: selectors, `@media …` or `@mixin name(…)`.
    pub(super) fn rule(&self) -> Option<Declaration> {
        if self.end != End::Block {
            return None;
        }
        let (first, last) = (self.get(0)?, self.tokens.last()?);
        // Steps of `@keyframes` are not rules: `from`, `50%`.
        let word = self.words(first.start, first.end);
        if first.kind == lexer::Kind::Number || matches!(word, "from" | "to") {
            return None;
        }
        let form = self.form(1).filter(|_| first.is(b'@'));
        let named = self.get(2).filter(|_| form.is_some());
        let kind = if named.is_some() {
            Kind::Function
        } else {
            Kind::Section
        };
        let name = named.map_or((first.start, last.end, first.line), Token::place);
        Some(Declaration {
            kind,
            name: Some(name),
            holds: Scope::Members,
            head: None,
        })
    }

    /// The declaration of a block of HCL. Its name includes the labels: `words "names" {`.
    pub(super) fn labelled(&self) -> Option<Declaration> {
        let first = self.get(0)?;
        let labels = self
            .tokens
            .iter()
            .all(|token| matches!(token.kind, lexer::Kind::Word | lexer::Kind::Text));
        let last = self.tokens.last()?;
        (labels && first.kind == lexer::Kind::Word && self.end == End::Block).then_some(
            Declaration {
                kind: Kind::Section,
                name: Some((first.start, last.end, first.line)),
                holds: Scope::Members,
                head: None,
            },
        )
    }

    /// A function or class of R: `name <- function(…)`, `setClass("name", …)`.
    pub(super) fn arrow(&self, at: usize) -> Option<Declaration> {
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
        let assigns = self.is(sign, b'=') || self.kind(sign) == Some(lexer::Kind::Operator);
        let mut value = sign.saturating_add(1);
        // `a <- b <- function(`
        if self.word(value).is_some()
            && self.kind(value.saturating_add(1)) == Some(lexer::Kind::Operator)
        {
            value = value.saturating_add(2);
        }
        let named = matches!(token.kind, lexer::Kind::Word | lexer::Kind::Text);
        if !named || !assigns {
            return None;
        }
        let name = token.place();
        match self.word(value)? {
            "function" => Some(found(Kind::Function, name)),
            "setClass" | "setRefClass" | "R6Class" | "ggproto" => Some(found(Kind::Type, name)),
            _ => None,
        }
    }
}
