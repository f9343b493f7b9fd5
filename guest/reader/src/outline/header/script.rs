//! Methods of JavaScript, and names that functions are bound to.

use super::{End, Found, Header};
use crate::outline::grammar::{Habit, Kind, Place};
use crate::outline::keywords::Roles;
use crate::outline::lexer::{self, Token};

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
            // The beginning of a class is missing: no statement looks so.
            _ if self.end == End::Block && self.place != Place::Values => {
                let control = self.word(from).is_none() || self.has(from, Roles::CONTROL);
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
        // Most statements are not worth to be read.
        if self.end == End::Statement {
            return self.has_arrow(from).then(|| self.reading(from).bound)?;
        }
        if !self.awaits_body() && self.keyword(from).is_none() {
            return None;
        }
        let reading = self.reading(from);
        let body = reading.keyword.and_then(|keyword| self.body(keyword));
        if body.is_none() && (reading.is_type() || !self.awaits_body()) {
            return None;
        }
        let named = |found: &Found| found.name.is_some() || found.kind == Kind::Type;
        let Some(bound) = reading.bound else {
            return body.filter(named);
        };
        // `name = (…) => class {` returns what it holds.
        let holds = body.map_or(bound.holds, |body| body.holds);
        Some(Found { holds, ..bound })
    }

    fn has_arrow(&self, from: usize) -> bool {
        let is_arrow = |token: &Token| token.kind == lexer::Kind::Arrow;
        self.position(from, is_arrow).is_some()
    }

    /// Whether an arrow comes last.
    fn awaits_body(&self) -> bool {
        let last = self.tokens.last();
        last.is_some_and(|last| last.kind == lexer::Kind::Arrow)
    }

    /// The last `function` or `class`.
    fn keyword(&self, from: usize) -> Option<usize> {
        let tokens = self.tokens.get(from..)?;
        let at = tokens.iter().rposition(|token| {
            token.kind == lexer::Kind::Word
                && matches!(self.words(token.start, token.end), "function" | "class")
        })?;
        Some(at.saturating_add(from))
    }

    /// What has a name of its own beside the one that it is bound to, and what
    /// begins it: `key: function name(…) {`
    pub fn inner(&self, outer: &Found) -> Option<(Found, Token)> {
        let keyword = self.keyword(0)?;
        let found = self.body(keyword)?;
        let text = |found: &Found| {
            found
                .name
                .map(|(start, end, line)| (self.words(start, end), line))
        };
        let differs = text(&found).is_some_and(|name| Some(name) != text(outer));
        let token = self.get(keyword).filter(|_| differs)?;
        Some((found, *token))
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
        let keyword = match self.word(at) {
            Some("function" | "if" | "for" | "while" | "switch") => true,
            // `async (…) => {`
            Some("async") => !self.has_keys(),
            _ => false,
        };
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
        let typed = self.language.does(Habit::Annotations);
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

    /// The function or class that a keyword begins, if its body comes next.
    fn body(&self, keyword: usize) -> Option<Found> {
        let class = self.word(keyword) == Some("class");
        let mut at = keyword.saturating_add(1);
        while self.is(at, b'*') {
            at = at.saturating_add(1);
        }
        let named = self
            .word(at)
            .is_some_and(|word| !matches!(word, "extends" | "implements"));
        let name = self.get(at).filter(|_| named);
        if named {
            at = at.saturating_add(1);
        }
        if self.is(at, b'<') {
            at = self.behind_angles(at);
        }
        let behind = at.saturating_add(1);
        let begins =
            self.is_group(at, b'(') && (self.get(behind).is_none() || self.is(behind, b':'));
        (class || begins).then_some(Found {
            kind: if class { Kind::Type } else { Kind::Function },
            name: name.map(Token::place),
            holds: if class { Place::Members } else { Place::Code },
            head: None,
        })
    }

    /// Whether statements begin with names of members or entries.
    pub(super) fn has_keys(&self) -> bool {
        matches!(self.place, Place::Members | Place::Entries | Place::Types)
    }

    /// What a name is bound to, if that is a function or class.
    pub(super) fn bound_kind(&self, from: usize) -> Option<Kind> {
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
