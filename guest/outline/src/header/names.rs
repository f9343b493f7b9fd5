//! Finds the names of declarations.

use crate::language::{Quirk, Statement};
use crate::token::{self, Place};

impl Statement<'_> {
    /// The name at the index `from`: a word, or an operator such as `==` or `[]=`.
    pub fn symbol(&self, from: usize) -> Option<Place> {
        let mut from = from;
        let mut first = self.get(from)?;
        // `def left <> right`
        let next = from.saturating_add(1);
        if self.language.has_quirk(Quirk::InfixNames)
            && let Some(after) = self.position(next, |token| {
                token.is(b',')
                    || !matches!(token.kind, token::Kind::Punct(_) | token::Kind::Operator)
            })
            && after > next
            && self.word(after).is_some()
        {
            from = next;
            first = self.get(from)?;
        }
        if matches!(first.kind, token::Kind::Word | token::Kind::Text) {
            return Some(first.place());
        }
        let mut end = first.end;
        let mut at = from;
        while let Some(token) = self.get(at) {
            let empty = token.end.saturating_sub(token.start) == 2;
            let sign = match token.kind {
                token::Kind::Punct(b';') => false,
                token::Kind::Punct(_)
                | token::Kind::Operator
                | token::Kind::Arrow
                | token::Kind::ThinArrow
                | token::Kind::Path => true,
                // `[]`
                token::Kind::Group(b'[') => empty,
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
    pub fn method_name(&self, from: usize) -> Option<Place> {
        let mut at = from;
        // `def @name.method`
        while self.is(at, b'@') {
            at = at.saturating_add(1);
        }
        while matches!(
            self.kind(at),
            Some(token::Kind::Word | token::Kind::Group(b'('))
        ) && (self.is(at.saturating_add(1), b'.')
            || self.kind(at.saturating_add(1)) == Some(token::Kind::Path))
        {
            at = at.saturating_add(2);
        }
        let (start, mut end, line) = self.symbol(at)?;
        // `def name=(value)`, but not `def name() = value`
        let next = at.saturating_add(1);
        if self.word(at).is_some()
            && let Some(sign) = self.get(next).filter(|sign| sign.is(b'=') && sign.adjacent)
            && self.get(next.saturating_add(1)).is_none_or(|after| {
                matches!(after.kind, token::Kind::Group(b'(') | token::Kind::Word)
            })
        {
            end = sign.end;
        }
        Some((start, end, line))
    }

    /// The index of the name of a function: the last word before the parameters.
    pub fn called(&self, from: usize) -> Option<usize> {
        // `<@Name("…") T> name(…)`
        let mut at = if self.is(from, b'<') {
            self.after_angles(from)
        } else {
            from
        };
        while let Some(group) = self.position(at, |token| token.kind == token::Kind::Group(b'(')) {
            let mut name = group.checked_sub(1)?;
            // `Name{T}(…)`, `name[T any](…)`
            let types = self.language.family.type_bracket;
            if self.is_group(name, types) {
                name = name.checked_sub(1)?;
            }
            if name >= from && self.word(name).is_some() {
                return Some(name);
            }
            if self.language.has_quirk(Quirk::BareNames) {
                // `function (f::type)(…)` has no name, and `Base.:+(…)` has one.
                return Some(name).filter(|name| *name >= from && !self.is_group(*name, b'('));
            }
            at = group.saturating_add(1);
        }
        // `function name end`
        let bare = self.language.has_quirk(Quirk::BareNames) && self.word(from).is_some();
        bare.then(|| {
            self.tokens
                .len()
                .saturating_sub(1)
                .min(from.saturating_add(2))
        })
        .filter(|name| self.word(*name).is_some())
    }

    /// The index of the first name at or after the index `from`. Signs and type parameters before
    /// the name are skipped.
    pub fn next_name(&self, from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            match self.kind(at)? {
                // `class extends …` has no name.
                token::Kind::Word if self.word(at) == Some("extends") => return None,
                token::Kind::Word | token::Kind::Text => return Some(at),
                token::Kind::Punct(b'*' | b'&' | b'\'' | b'#') | token::Kind::Group(b'[') => {
                    at = at.saturating_add(1);
                }
                token::Kind::Punct(b'<') => at = self.after_angles(at),
                _ => return None,
            }
        }
    }

    /// The index of the token after an annotation and its arguments. `at` is the index of the name
    /// of the annotation.
    pub fn after_annotation(&self, mut at: usize) -> usize {
        // `@field:Name`, `@a.b.Name`
        while self.word(at).is_some()
            && matches!(
                self.kind(at.saturating_add(1)),
                Some(token::Kind::Punct(b'.' | b':'))
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
    pub fn after_angles(&self, from: usize) -> usize {
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
