//! Methods of JavaScript, and names that functions are bound to.

use super::{End, Found, Header};
use crate::outline::grammar::{Kind, Place};
use crate::outline::lexer;

impl Header<'_> {
    /// Methods, and names that functions or classes are bound to.
    pub(super) fn script(&self, from: usize) -> Option<Found> {
        match self.place {
            Place::Members | Place::Entries | Place::Types => {
                if let Some(name) = self.method(from) {
                    return name;
                }
                if self.place == Place::Types {
                    return None;
                }
            }
            // Parameters may have functions as what they are by default.
            Place::Values if self.end == End::Statement && self.word(from).is_some() => {
                let plain = self.is(from.saturating_add(1), b'=');
                let typed = self.language.form("type").is_some();
                if plain || (typed && self.is(from.saturating_add(1), b':')) {
                    return None;
                }
            }
            // The beginning of a class is missing: no statement looks so.
            _ if self.end == End::Block && self.place != Place::Values => {
                let word = self.word(from);
                let control =
                    word.is_none_or(|word| self.language.holds(self.language.control, word));
                let short = self.is_group(from.saturating_add(1), b'(');
                if !control
                    && short
                    && let Some(Some(found)) = self.method(from)
                {
                    return Some(found);
                }
            }
            _ => {}
        }
        // The beginning of an object is missing.
        let typed = self.language.form("type").is_some();
        if matches!(self.place, Place::File | Place::Code | Place::Values)
            && !typed
            && self.is(from.saturating_add(1), b':')
            && !self
                .word(from)
                .is_some_and(|word| self.language.holds(self.language.control, word))
            && let Some(kind) = self.bound_kind(from.saturating_add(2))
        {
            let name = self
                .get(from)
                .map(|token| (token.start, token.end, token.line));
            return Some(Found {
                kind,
                name,
                holds: if kind == Kind::Type {
                    Place::Members
                } else {
                    Place::Code
                },
                head: None,
            });
        }
        self.bound_function(from)
            .or_else(|| self.inner_function(from))
    }

    /// `name(…)` in a class, an object or a type; `Some(None)` if it looks so and
    /// is not.
    #[expect(clippy::option_option, reason = "it tells `no` from `perhaps`")]
    fn method(&self, from: usize) -> Option<Option<Found>> {
        let mut at = from;
        while matches!(self.kind(at), Some(lexer::Kind::Punct(b'*' | b'#'))) {
            at = at.saturating_add(1);
        }
        let named = matches!(
            self.kind(at),
            Some(
                lexer::Kind::Word
                    | lexer::Kind::Text
                    | lexer::Kind::Number
                    | lexer::Kind::Group(b'[')
            )
        );
        let keyword = matches!(
            self.word(at),
            Some("function" | "async" | "if" | "for" | "while" | "switch")
        );
        let token = self.get(at).filter(|_| named && !keyword)?;
        let sign = at.checked_sub(1).filter(|sign| self.is(*sign, b'#'));
        let start = sign.and_then(|sign| self.get(sign)).unwrap_or(token).start;
        let name = (start, token.end, token.line);
        let mut next = at.saturating_add(1);
        if matches!(self.kind(next), Some(lexer::Kind::Punct(b'?' | b'!'))) {
            next = next.saturating_add(1);
        }
        if self.is(next, b'<') {
            next = self.behind_angles(next);
        }
        if !self.is_group(next, b'(') {
            return None;
        }
        // `new (…): type` tells of a constructor.
        if self.word(at) == Some("new") && self.end == End::Statement {
            return Some(None);
        }
        let behind = next.saturating_add(1);
        let typed = self.language.form("type").is_some();
        let ends = self.get(behind).is_none() || (typed && self.is(behind, b':'));
        let method = match self.place {
            Place::Entries => self.end == End::Block && ends,
            _ => ends,
        };
        Some(method.then_some(Found {
            kind: Kind::Function,
            name: Some(name),
            holds: Place::Code,
            head: None,
        }))
    }

    /// A name that a function or class is bound to.
    fn bound_function(&self, from: usize) -> Option<Found> {
        let mut from = from;
        let mut sign = self.binding(from)?;
        // `a = b = function`
        let kind = loop {
            let next = sign.saturating_add(1);
            if let Some(kind) = self.bound_kind(next) {
                break kind;
            }
            from = next;
            sign = self.binding(from).filter(|sign| self.is(*sign, b'='))?;
        };
        let (start, end, line) = self.bound(from, sign)?;
        // What is exported goes by the name of its own.
        if self.words(start, end) == "exports"
            && let Some(found) = self.inner_function(sign)
        {
            return Some(found);
        }
        Some(Found {
            kind,
            name: Some((start, end, line)),
            holds: if kind == Kind::Type {
                Place::Members
            } else {
                Place::Code
            },
            head: self.get(sign).map(|token| token.line),
        })
    }

    /// `return function name(…) {`: a function or class that has a name where it
    /// is a value.
    fn inner_function(&self, from: usize) -> Option<Found> {
        if self.end != End::Block {
            return None;
        }
        let at = self.position(from, |token| {
            token.kind == lexer::Kind::Word
                && matches!(self.words(token.start, token.end), "function" | "class")
        })?;
        let class = self.word(at) == Some("class");
        let mut name = at.saturating_add(1);
        if self.is(name, b'*') {
            name = name.saturating_add(1);
        }
        let word = self.word(name).filter(|word| *word != "extends")?;
        let behind = name.saturating_add(1);
        if word.is_empty() || !(class || self.is_group(behind, b'(') || self.is(behind, b'<')) {
            return None;
        }
        let token = self.get(name)?;
        Some(Found {
            kind: if class { Kind::Type } else { Kind::Function },
            name: Some((token.start, token.end, token.line)),
            holds: if class { Place::Members } else { Place::Code },
            head: None,
        })
    }

    /// The sign that binds a name to what follows.
    fn binding(&self, from: usize) -> Option<usize> {
        let entry = self.place == Place::Entries;
        let mut at = from;
        loop {
            match self.kind(at)? {
                // `{ a = () => 1 }` tells what a parameter is by default.
                lexer::Kind::Punct(b'=') => return Some(at).filter(|_| !entry),
                lexer::Kind::Punct(b':') if entry => return Some(at),
                // What follows is a type.
                lexer::Kind::Punct(b':') => {
                    return self.position(at, |token| token.is(b'='));
                }
                lexer::Kind::Word
                | lexer::Kind::Text
                | lexer::Kind::Number
                | lexer::Kind::Group(b'[')
                | lexer::Kind::Punct(b'.' | b'#' | b'?' | b'!') => at = at.saturating_add(1),
                _ => return None,
            }
        }
    }

    /// The name before the sign that binds it.
    fn bound(&self, from: usize, sign: usize) -> Option<(usize, usize, u32)> {
        let mut at = from;
        let mut name = None;
        let mut private = None;
        while at < sign {
            let token = self.get(at)?;
            match token.kind {
                lexer::Kind::Punct(b'#') => private = Some(token.start),
                lexer::Kind::Word | lexer::Kind::Text | lexer::Kind::Number => {
                    let start = private.take().unwrap_or(token.start);
                    name = Some((start, token.end, token.line));
                }
                // `names["key"]`
                lexer::Kind::Group(b'[') => {
                    let (start, end) = (token.start.saturating_add(1), token.end.saturating_sub(1));
                    let inner = self.words(start, end);
                    let blanks = inner.len().saturating_sub(inner.trim_start().len());
                    let start = start.saturating_add(blanks);
                    name = Some((start, start.saturating_add(inner.trim().len()), token.line));
                }
                lexer::Kind::Punct(b':') => break,
                _ => {}
            }
            at = at.saturating_add(1);
        }
        name
    }

    /// What a name is bound to, if that is a function or class.
    fn bound_kind(&self, from: usize) -> Option<Kind> {
        let mut at = from;
        if self.word(at) == Some("async") {
            at = at.saturating_add(1);
        }
        let next = at.saturating_add(1);
        match self.word(at) {
            Some("function") => return Some(Kind::Function),
            Some("class") => return Some(Kind::Type),
            _ => {}
        }
        // `x => …`
        if self.kind(next) == Some(lexer::Kind::Arrow) {
            return Some(Kind::Function);
        }
        if self.is(at, b'<') {
            at = self.behind_angles(at);
        }
        if !self.is_group(at, b'(') {
            return None;
        }
        let next = at.saturating_add(1);
        match self.kind(next)? {
            lexer::Kind::Arrow => Some(Kind::Function),
            // `(x): type => …`
            lexer::Kind::Punct(b':') => self
                .position(next, |token| token.kind == lexer::Kind::Arrow)
                .map(|_| Kind::Function),
            _ => None,
        }
    }
}
