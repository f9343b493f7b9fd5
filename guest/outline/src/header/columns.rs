//! Declarations of Haskell and OCaml, whose statements begin in a column.

use super::{Declaration, Statement};
use crate::grammar::{Kind, Scope};
use crate::keywords::Roles;
use crate::lexer;

impl Statement<'_> {
    /// The range from the token `from` to the token `to`: the byte offsets at which it starts and
    /// ends, and the line number of its start.
    fn span(&self, from: usize, to: usize) -> Option<(usize, usize, u32)> {
        let (first, last) = (self.get(from)?, self.get(to)?);
        Some((first.start, last.end, first.line))
    }

    /// The declaration in a statement of Haskell.
    pub(super) fn haskell(&self) -> Option<Declaration> {
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
                .position(1, |token| token.kind == lexer::Kind::Arrow)
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
            .position(0, |token| token.kind == lexer::Kind::Path)
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
    fn infix(&self, ends: usize) -> Option<(usize, usize, u32)> {
        let at = self.position(1, |token| {
            matches!(token.kind, lexer::Kind::Operator | lexer::Kind::Path)
                || matches!(token.kind, lexer::Kind::Punct(sign) if !matches!(sign, b'=' | b'|' | b'@' | b'~' | b'!' | b'_' | b'{' | b'}' | b',' | b'.' | b'-' | b'\\' | b'\'' | b'#' | b'$' | b'?'))
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
                && matches!(next.kind, lexer::Kind::Punct(_) | lexer::Kind::Operator)
        }) {
            last = last.saturating_add(1);
        }
        self.span(at, last)
    }

    /// The declaration in a statement of OCaml.
    pub(super) fn ocaml(&self) -> Option<Declaration> {
        let implied = self.implied.filter(|_| self.word(0) == Some("and"));
        let word = implied.map_or(self.word(0)?, |form| form.word);
        let mut at = 1usize;
        // `let%test name`, `let[@inline] name`
        while self.is(at, b'%') {
            at = at.saturating_add(2);
        }
        while self.is_group(at, b'[')
            || matches!(
                self.word(at),
                Some("rec" | "nonrec" | "virtual" | "private" | "type")
            )
            || (matches!(self.kind(at), Some(lexer::Kind::Punct(b'!' | b'+' | b'-'))))
        {
            at = at.saturating_add(1);
        }
        // `'a name`, `('a, 'b) name`
        if matches!(word, "type" | "class") {
            if matches!(self.kind(at), Some(lexer::Kind::Group(b'(' | b'[')))
                && self.get(at.saturating_add(1)).is_some()
            {
                at = at.saturating_add(1);
            }
            // `_ name`
            if self.word(at) == Some("_") && self.word(at.saturating_add(1)).is_some() {
                at = at.saturating_add(1);
            }
            while matches!(
                self.kind(at),
                Some(lexer::Kind::Punct(b'\'' | b'+' | b'-' | b'!'))
            ) {
                let quote = self.is(at, b'\'');
                at = at.saturating_add(if quote { 2 } else { 1 });
            }
        }
        let found = |kind, name, holds| {
            Some(Declaration {
                kind,
                name: Some(name),
                holds,
                head: self.head(at),
            })
        };
        let next = at.saturating_add(1);
        match word {
            "type" | "exception" | "class" => {
                let mut last = at;
                // `type A.t += …`
                while self.is(last.saturating_add(1), b'.') {
                    last = last.saturating_add(2);
                }
                self.word(last)?;
                found(Kind::Type, self.span(last, last)?, Scope::Members)
            }
            "module" => {
                self.word(at)?;
                found(Kind::Module, self.span(at, at)?, Scope::File)
            }
            "external" | "method" => {
                self.word(at)?;
                found(Kind::Function, self.span(at, at)?, Scope::Code)
            }
            "val" | "let" => {
                let name = match self.kind(at)? {
                    lexer::Kind::Word => {
                        let name = self.word(at)?;
                        if matches!(name, "_" | "open" | "module" | "exception")
                            || name.starts_with(|c: char| c.is_uppercase())
                        {
                            return None;
                        }
                        self.span(at, at)?
                    }
                    // `let (+) a b =`
                    lexer::Kind::Group(b'(') => {
                        let (start, end, line) = self.span(at, at)?;
                        let name = self.words(start, end);
                        let inner = name.strip_prefix('(')?.strip_suffix(')')?.trim();
                        if inner.is_empty()
                            || inner.contains(|c: char| {
                                c.is_alphanumeric() || matches!(c, ',' | '_' | ' ')
                            })
                        {
                            return None;
                        }
                        (start, end, line)
                    }
                    _ => return None,
                };
                let function = if word == "val" {
                    self.position(next, |token| token.kind == lexer::Kind::ThinArrow)
                        .is_some()
                } else {
                    self.has_parameters(next)
                };
                let kind = if function {
                    Kind::Function
                } else {
                    Kind::Value
                };
                found(kind, name, Scope::Code)
            }
            _ => None,
        }
    }

    /// Whether a bound name is a function: it has parameters, or its value is a function. `next` is
    /// the index after the name.
    fn has_parameters(&self, next: usize) -> bool {
        if self.is(next, b'=') || self.is(next, b':') {
            let sign = self.position(next, |token| token.is(b'='));
            let value = sign.map_or(next, |sign| sign.saturating_add(1));
            return matches!(self.word(value), Some("fun" | "function"));
        }
        !self.is(next, b',') && self.get(next).is_some()
    }
}
