//! Finds the names of declarations.

use super::Statement;
use crate::grammar::Family;
use crate::lexer;

impl Statement<'_> {
    /// The name at the index `from`: a word, or an operator such as `==` or `[]=`.
    pub(super) fn symbol(&self, from: usize) -> Option<(usize, usize, u32)> {
        let mut from = from;
        let mut first = self.get(from)?;
        // `def left <> right`
        let next = from.saturating_add(1);
        if self.language.family == Family::Elixir
            && let Some(after) = self.position(next, |token| {
                token.is(b',')
                    || !matches!(token.kind, lexer::Kind::Punct(_) | lexer::Kind::Operator)
            })
            && after > next
            && self.word(after).is_some()
        {
            from = next;
            first = self.get(from)?;
        }
        if matches!(first.kind, lexer::Kind::Word | lexer::Kind::Text) {
            return Some(first.place());
        }
        let mut end = first.end;
        let mut at = from;
        while let Some(token) = self.get(at) {
            let empty = token.end.saturating_sub(token.start) == 2;
            let sign = match token.kind {
                lexer::Kind::Punct(b';') => false,
                lexer::Kind::Punct(_)
                | lexer::Kind::Operator
                | lexer::Kind::Arrow
                | lexer::Kind::ThinArrow
                | lexer::Kind::Path => true,
                // `[]`
                lexer::Kind::Group(b'[') => empty,
                _ => false,
            };
            if !sign || (at > from && !token.adjacent) {
                break;
            }
            end = token.end;
            at = at.saturating_add(1);
        }
        (at > from).then_some((first.start, end, first.line))
    }

    /// The name of a method, without the path before it: `self.name`.
    pub(super) fn method_name(&self, from: usize) -> Option<(usize, usize, u32)> {
        let mut at = from;
        // `def @name.method`
        while self.is(at, b'@') {
            at = at.saturating_add(1);
        }
        while matches!(
            self.kind(at),
            Some(lexer::Kind::Word | lexer::Kind::Group(b'('))
        ) && self.is(at.saturating_add(1), b'.')
        {
            at = at.saturating_add(2);
        }
        let (start, mut end, line) = self.symbol(at)?;
        // `def name=(value)`, but not `def name() = value`
        let next = at.saturating_add(1);
        if self.word(at).is_some()
            && let Some(sign) = self.get(next).filter(|sign| sign.is(b'=') && sign.adjacent)
            && self
                .get(next.saturating_add(1))
                .is_none_or(|after| after.kind == lexer::Kind::Group(b'('))
        {
            end = sign.end;
        }
        Some((start, end, line))
    }

    /// The index of the name of a function: the last word before the parameters.
    pub(super) fn called(&self, from: usize) -> Option<usize> {
        // `<@Name("…") T> name(…)`
        let mut at = if self.is(from, b'<') {
            self.after_angles(from)
        } else {
            from
        };
        while let Some(group) = self.position(at, |token| token.kind == lexer::Kind::Group(b'(')) {
            let mut name = group.checked_sub(1)?;
            // `Name{T}(…)`, `name[T any](…)`
            let types = if self.language.family == Family::Go {
                b'['
            } else {
                b'{'
            };
            if self.is_group(name, types) {
                name = name.checked_sub(1)?;
            }
            if name >= from && self.word(name).is_some() {
                return Some(name);
            }
            if self.language.family == Family::Julia {
                // `function (f::type)(…)` has no name, and `Base.:+(…)` has one.
                return Some(name).filter(|name| *name >= from && !self.is_group(*name, b'('));
            }
            at = group.saturating_add(1);
        }
        // `function name end`
        let julia = self.language.family == Family::Julia && self.word(from).is_some();
        julia
            .then(|| {
                self.tokens
                    .len()
                    .saturating_sub(1)
                    .min(from.saturating_add(2))
            })
            .filter(|name| self.word(*name).is_some())
    }

    /// The index of the first name at or after the index `from`. Signs and type parameters before
    /// the name are skipped.
    pub(super) fn next_name(&self, from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            match self.kind(at)? {
                // `class extends …` has no name.
                lexer::Kind::Word if self.word(at) == Some("extends") => return None,
                lexer::Kind::Word | lexer::Kind::Text => return Some(at),
                lexer::Kind::Punct(b'*' | b'&' | b'\'' | b'#') | lexer::Kind::Group(b'[') => {
                    at = at.saturating_add(1);
                }
                lexer::Kind::Punct(b'<') => at = self.after_angles(at),
                _ => return None,
            }
        }
    }

    /// The index of the token after an annotation and its arguments. `at` is the index of the name
    /// of the annotation.
    pub(super) fn after_annotation(&self, mut at: usize) -> usize {
        // `@field:Name`, `@a.b.Name`
        while self.word(at).is_some()
            && matches!(
                self.kind(at.saturating_add(1)),
                Some(lexer::Kind::Punct(b'.' | b':'))
            )
        {
            at = at.saturating_add(2);
        }
        at = at.saturating_add(1);
        // In Swift and Kotlin, brackets after a space are not arguments. This is not checked here.
        if self.is_group(at, b'(') {
            at = at.saturating_add(1);
        }
        at
    }

    /// The index of the token after the type parameters `<…>` that begin at the index `from`. If
    /// `<` is not closed, the index after it.
    pub(super) fn after_angles(&self, from: usize) -> usize {
        let mut level = 0u32;
        let mut at = from;
        while let Some(token) = self.get(at) {
            at = at.saturating_add(1);
            if token.is(b'<') {
                level = level.saturating_add(1);
            } else if token.is(b'>') {
                level = level.saturating_sub(1);
                if level == 0 {
                    return at;
                }
            }
        }
        from.saturating_add(1)
    }
}
