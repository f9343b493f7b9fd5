//! JavaScript and TypeScript: `name(parameters) {` in classes and objects, and functions that are
//! assigned to names.

mod blocks;
mod reading;
mod types;

use crate::grammar::{Kind, Scope};
use crate::language::{Declaration, End, Family, Quirk, Quirks, Scopes, Statement};
use crate::token::{self, Roles, Token};

/// The family of JavaScript and TypeScript.
pub const SCRIPT: Family = Family {
    quirks: Quirks::of(&[Quirk::GenericModifiers, Quirk::ImportMethods]),
    unkeyed: Scopes::NONE.and(Scope::Entries).and(Scope::Types),
    call: |statement, at| statement.script(at),
    inner: Some(|statement, outer| {
        outer.head?;
        statement.inner(outer)
    }),
    literal: Some(|statement, _| statement.begins_type().then_some(Scope::Types)),
    values: |statement| statement.script_values(),
    group: Some(|statement, open| statement.script_group(open)),
    awaits_more: Some(|statement| statement.awaits_type()),
    separates: Some(|statement| {
        let outside = statement.place != Scope::Members;
        outside.then(|| statement.script_separates())
    }),
    ..Family::OTHER
};

impl Statement<'_> {
    /// The method in a statement, or the name that is bound to a function or class.
    pub fn script(&self, from: usize) -> Option<Declaration> {
        match self.place {
            Scope::Members | Scope::Entries | Scope::Types => {
                if let Some(name) = self.method(from) {
                    return name;
                }
                if self.place == Scope::Types {
                    return None;
                }
            }
            // No statement looks like a method, so this is a method of a class whose start is
            // missing.
            _ if self.end == End::Block && self.place != Scope::Values => {
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
        // Most statements have no arrow and bind no function.
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
        let named = |found: &Declaration| found.name.is_some() || found.kind == Kind::Type;
        let Some(bound) = reading.bound else {
            return body.filter(named);
        };
        // `name = (…) => class {` contains the members of the class.
        let holds = body.map_or(bound.holds, |body| body.holds);
        Some(Declaration { holds, ..bound })
    }

    /// Whether a token from the index `from` on is an arrow.
    fn has_arrow(&self, from: usize) -> bool {
        let is_arrow = |token: &Token| token.kind == token::Kind::Arrow;
        self.position(from, is_arrow).is_some()
    }

    /// Whether the last token is an arrow, after which the body of a function begins.
    fn awaits_body(&self) -> bool {
        let last = self.tokens.last();
        last.is_some_and(|last| last.kind == token::Kind::Arrow)
    }

    /// The index of the last `function` or `class` at or after the index `from`.
    fn keyword(&self, from: usize) -> Option<usize> {
        let tokens = self.tokens.get(from..)?;
        let at = tokens.iter().rposition(|token| {
            token.kind == token::Kind::Word
                && matches!(self.words(token.start, token.end), "function" | "class")
        })?;
        Some(at.saturating_add(from))
    }

    /// The function or class whose own name differs from the name to which it is bound, and its
    /// first token: `key: function name(…) {`.
    pub fn inner(&self, outer: &Declaration) -> Option<(Declaration, Token)> {
        let keyword = self.keyword(0)?;
        let found = self.body(keyword)?;
        let text = |found: &Declaration| {
            found
                .name
                .map(|(start, end, line)| (self.words(start, end), line))
        };
        let differs = text(&found).is_some_and(|name| Some(name) != text(outer));
        let token = self.get(keyword).filter(|_| differs)?;
        Some((found, *token))
    }

    /// The method `name(…)` in a class, an object or a type. Returns `Some(None)` if the statement
    /// looks like a method but is not one.
    #[expect(
        clippy::option_option,
        reason = "`None` and `Some(None)` have different meanings"
    )]
    fn method(&self, from: usize) -> Option<Option<Declaration>> {
        let mut at = from;
        while matches!(self.kind(at), Some(token::Kind::Punct(b'*' | b'#'))) {
            at = at.saturating_add(1);
        }
        let named = matches!(
            self.kind(at),
            Some(
                token::Kind::Word
                    | token::Kind::Text
                    | token::Kind::Number
                    | token::Kind::Group(b'[')
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
        if matches!(self.kind(next), Some(token::Kind::Punct(b'?' | b'!'))) {
            next = next.saturating_add(1);
        }
        if self.is(next, b'<') {
            next = self.after_angles(next);
        }
        if !self.is_group(next, b'(') {
            return None;
        }
        // `new (…): type` is the signature of a constructor and has no name.
        if self.word(at) == Some("new") && self.end == End::Statement {
            return Some(None);
        }
        let after = next.saturating_add(1);
        let typed = self.language.has_quirk(Quirk::Annotations);
        let ends = self.get(after).is_none() || (typed && self.is(after, b':'));
        let method = match self.place {
            Scope::Entries => self.end == End::Block && ends,
            _ => ends,
        };
        Some(method.then_some(Declaration {
            kind: Kind::Function,
            name: Some(name),
            holds: Scope::Code,
            head: None,
        }))
    }

    /// The function or class that begins with the keyword at an index, if its body comes next.
    fn body(&self, keyword: usize) -> Option<Declaration> {
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
            at = self.after_angles(at);
        }
        let after = at.saturating_add(1);
        let begins = self.is_group(at, b'(') && (self.get(after).is_none() || self.is(after, b':'));
        (class || begins).then_some(Declaration {
            kind: if class { Kind::Type } else { Kind::Function },
            name: name.map(Token::place),
            holds: if class { Scope::Members } else { Scope::Code },
            head: None,
        })
    }

    /// Whether statements in this scope begin with the names of members or entries.
    pub fn has_keys(&self) -> bool {
        matches!(self.place, Scope::Members | Scope::Entries | Scope::Types)
    }

    /// The kind of the value at the index `from`, if the value is a function or class.
    pub fn bound_kind(&self, from: usize) -> Option<Kind> {
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
        if self.kind(next) == Some(token::Kind::Arrow) {
            return Some(Kind::Function);
        }
        if self.is(at, b'<') {
            at = self.after_angles(at);
        }
        if !self.is_group(at, b'(') {
            return None;
        }
        let next = at.saturating_add(1);
        match self.kind(next)? {
            token::Kind::Arrow => Some(Kind::Function),
            // `(x): type => …`
            token::Kind::Punct(b':') => self
                .position(next, |token| token.kind == token::Kind::Arrow)
                .map(|_| Kind::Function),
            _ => None,
        }
    }
}
