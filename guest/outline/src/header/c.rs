//! Declarations of C and of languages with a similar syntax.

use super::macros::{is_attribute, is_shouted, is_specifier};
use super::{Declaration, End, Statement};
use crate::grammar::{Family, Keyword, Kind, Name, Scope};
use crate::keywords::Roles;
use crate::lexer::{self, Token};

impl Statement<'_> {
    /// The name of a method of Objective-C: `name:more:` for `- (int)name:(int)a more:(int)b`.
    pub fn selector(&self) -> Option<String> {
        let sign = self.get(0)?;
        if !(sign.is(b'-') || sign.is(b'+')) || !self.is_group(1, b'(') {
            return None;
        }
        let first = self.word(2)?;
        if !self.is(3, b':') {
            return Some(first.to_owned());
        }
        let mut name = String::new();
        for at in 2..self.tokens.len() {
            if self.is(at, b':') {
                let word = at.checked_sub(1).and_then(|before| self.word(before));
                name.push_str(word.unwrap_or_default());
                name.push(':');
            }
        }
        Some(name)
    }

    /// The first name that a `typedef` declares: `typedef int a[3];`, `typedef int a(int);`,
    /// `typedef int (*a)(int);`.
    pub(super) fn typedef(&self, from: usize) -> Option<(usize, usize, u32)> {
        if self.end == End::Block {
            return None;
        }
        self.declared(from)
    }

    /// Names that a statement declares in addition to the first one: `typedef struct { … } a, *b;`,
    /// `int a(int), b(int);`.
    pub fn more_names(&self) -> Vec<(usize, usize, u32)> {
        let from = self.prefix();
        let form = self.form(from);
        let typedef = form.is_some_and(|form| form.name == Name::Typedef);
        let mut names = Vec::new();
        let mut at = from;
        while let Some(token) = self.get(at) {
            if token.is(b'<') {
                at = self.after_angles(at);
                continue;
            }
            at = at.saturating_add(1);
            match token.kind {
                lexer::Kind::Punct(b',') if typedef => names.extend(self.declared(at)),
                lexer::Kind::Punct(b',') => names.extend(self.next_called(at)),
                lexer::Kind::Punct(b'=' | b':') => break,
                _ => {}
            }
        }
        names
    }

    /// The name of a further function that a statement declares after a comma: `*name(…)`. Another
    /// comma or the end of the statement must follow.
    fn next_called(&self, from: usize) -> Option<(usize, usize, u32)> {
        let at = self.position(from, |token| !token.is(b'*'))?;
        let token = self.get(at).filter(|_| self.word(at).is_some())?;
        let group = self.get(at.saturating_add(1))?;
        let after = at.saturating_add(2);
        let ends = self.get(after).is_none() || self.is(after, b',');
        let called = group.kind == lexer::Kind::Group(b'(') && !self.holds_values(group);
        (called && ends).then_some(token.place())
    }

    /// The name that is declared by the tokens from the index `from` to the next comma or the end
    /// of the statement.
    fn declared(&self, from: usize) -> Option<(usize, usize, u32)> {
        let mut name = None;
        let mut at = from;
        while let Some(token) = self.get(at) {
            if token.is(b'<') {
                at = self.after_angles(at);
                continue;
            }
            at = at.saturating_add(1);
            match token.kind {
                lexer::Kind::Punct(b',') => break,
                lexer::Kind::Word if is_attribute(self.words(token.start, token.end)) => {
                    at = at.saturating_add(1);
                }
                lexer::Kind::Word => name = Some(token.place()),
                lexer::Kind::Group(b'(') if self.is_group(at, b'(') => {
                    return self.pointed(token);
                }
                _ => {}
            }
        }
        name
    }

    /// The last word in the brackets of `group`: `name` in `(*name)`.
    pub(super) fn pointed(&self, group: &Token) -> Option<(usize, usize, u32)> {
        let text = self.words(group.start, group.end).strip_suffix(')')?;
        let text = text.trim_end();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = text
            .len()
            .saturating_sub(text.trim_end_matches(is_word).len());
        let end = group.start.saturating_add(text.len());
        Some((end.saturating_sub(length), end, group.line))
    }

    /// The declaration of a type, such as `class A : B {`. Its name is the last word before the
    /// base types or the block.
    pub(super) fn tag(&self, form: &'static Keyword, from: usize) -> Option<Declaration> {
        if self.end != End::Block {
            return None;
        }
        let mut name = None;
        let mut at = from;
        while let Some(token) = self.get(at) {
            match token.kind {
                lexer::Kind::Word => {
                    let word = self.words(token.start, token.end);
                    let call = self.is_group(at.saturating_add(1), b'(');
                    if call {
                        // `struct a f(…) {` is a function. `class A(…) b {` is a type with a macro.
                        let after = at.saturating_add(2);
                        let function = name.is_some() && !is_shouted(word);
                        if !is_attribute(word) && (function || self.word(after).is_none()) {
                            return None;
                        }
                        at = after;
                        continue;
                    }
                    // The name in `class A B {` is the last word. A macro is not a name.
                    let more = name.is_some_and(|(start, end, _)| {
                        is_shouted(word) && !is_shouted(self.words(start, end))
                    });
                    if !matches!(word, "final" | "sealed") && !more {
                        name = Some(token.place());
                    }
                }
                lexer::Kind::Punct(b'<') => {
                    at = self.after_angles(at);
                    continue;
                }
                lexer::Kind::Punct(b':') => break,
                lexer::Kind::Punct(b'=' | b'*' | b'&') => return None,
                _ => {}
            }
            at = at.saturating_add(1);
        }
        Some(Declaration {
            kind: form.kind,
            name,
            holds: form.holds,
            head: None,
        })
    }

    /// The name of a function in C or in a language with a similar syntax.
    pub(super) fn c_function(&self, from: usize) -> Option<(usize, usize, u32)> {
        if self.has(from, Roles::CONTROL) {
            return None;
        }
        let c = self.language.family == Family::C;
        let mut at = from;
        let mut candidate = None;
        while let Some(token) = self.get(at) {
            match token.kind {
                lexer::Kind::Word if self.words(token.start, token.end) == "operator" => {
                    return self.operator(at);
                }
                lexer::Kind::Word if self.is_group(at.saturating_add(1), b'(') => {
                    let word = self.words(token.start, token.end);
                    let after = at.saturating_add(2);
                    if is_attribute(word) {
                        at = after;
                        continue;
                    }
                    if candidate.is_some() && is_specifier(word) {
                        break;
                    }
                    if self.has(at, Roles::CONTROL) {
                        return None;
                    }
                    // `int (*name)(int);`, `int (*name(int))[2];`
                    if candidate.is_none()
                        && let Some(group) = self.points(at.saturating_add(1))
                    {
                        return self.returned(group);
                    }
                    candidate = self.called_in_c(from, at, candidate);
                    at = after;
                    continue;
                }
                lexer::Kind::Punct(b'<') => {
                    at = self.after_angles(at);
                    // `name<T>(…)`
                    if self.is_group(at, b'(')
                        && candidate.is_none()
                        && let Some(name) = self.before_angles(at)
                    {
                        candidate = Some(name);
                    }
                    continue;
                }
                // `int MACRO(name) = {`
                lexer::Kind::Punct(b'=') if c && self.end == End::Block => return None,
                lexer::Kind::Punct(b'=' | b':') | lexer::Kind::Arrow | lexer::Kind::ThinArrow => {
                    break;
                }
                _ if c && candidate.is_none() && self.calculates(token) => return None,
                _ => {}
            }
            at = at.saturating_add(1);
        }
        let name = candidate?;
        let token = self.get(name)?;
        let tilde = name
            .checked_sub(1)
            .and_then(|before| self.get(before))
            .filter(|before| before.is(b'~'));
        if self.end == End::Statement && !self.is_prototype(from, name, tilde) {
            return None;
        }
        let start = tilde.map_or(token.start, |tilde| tilde.start);
        Some((start, token.end, token.line))
    }

    /// Whether a token before the name of a function shows that the statement is an expression and
    /// declares no function: `a += b(c)`.
    fn calculates(&self, token: &Token) -> bool {
        match token.kind {
            lexer::Kind::Punct(b'.' | b'"' | b'!' | b'+' | b'-' | b'/' | b'|' | b'^' | b'%') => {
                true
            }
            lexer::Kind::Operator => self.words(token.start, token.end) != "&&",
            _ => false,
        }
    }

    /// Whether the name at the index `name` is declared and not called: a type precedes it, and its
    /// brackets contain no value.
    fn is_prototype(&self, from: usize, name: usize, tilde: Option<&Token>) -> bool {
        let before = |back| name.checked_sub(back);
        // `object.method(…);`
        let member = before(1).is_some_and(|before| self.is(before, b'.'));
        let makes = before(2)
            .and_then(|owner| self.word(owner))
            .is_some_and(|word| self.owner == Some(word));
        if member && !makes {
            return false;
        }
        let typed = name > from && tilde.is_none_or(|_| name > from.saturating_add(1));
        let maker = tilde.is_some() || (self.owner.is_some() && self.owner == self.word(name));
        let c = self.language.family == Family::C;
        // `name(value);` calls a macro, and `type name(1);` makes a value.
        let values = c
            && self
                .get(name.saturating_add(1))
                .is_some_and(|group| self.holds_values(group));
        (typed || maker || (c && self.is_guide(name)))
            && !values
            && !(c && self.is_mark(from, name))
    }

    /// The name of a function inside another function: `type name(…) {`.
    pub(super) fn local_function(&self, from: usize) -> Option<(usize, usize, u32)> {
        let next = from.saturating_add(1);
        let typed = self.word(next).is_some() || self.is(next, b'<');
        if self.end != End::Block || !typed {
            return None;
        }
        self.c_function(from)
    }

    /// The index of the word before the type parameters `<…>` that end before the index `end`.
    pub(super) fn before_angles(&self, end: usize) -> Option<usize> {
        let mut level = 0u32;
        let mut at = end;
        while let Some(before) = at.checked_sub(1) {
            at = before;
            let token = self.get(at)?;
            if token.is(b'>') {
                level = level.saturating_add(1);
            } else if token.is(b'<') {
                level = level.saturating_sub(1);
                if level == 0 {
                    let name = at.checked_sub(1)?;
                    return self.word(name).map(|_| name);
                }
            }
        }
        None
    }

    /// The name of a function that defines an operator: `operator==(…)`,
    /// `operator() [[attribute]] (…)`.
    pub(super) fn operator(&self, at: usize) -> Option<(usize, usize, u32)> {
        let first = self.get(at)?;
        let is_attribute = |at: usize| {
            self.get(at).is_some_and(|token| {
                token.kind == lexer::Kind::Group(b'[')
                    && self.words(token.start, token.end).starts_with("[[")
            })
        };
        let mut group = self.position(at, |token| token.kind == lexer::Kind::Group(b'('))?;
        // `operator()(…)`
        let next = group.saturating_add(1);
        let after = next.saturating_add(usize::from(is_attribute(next)));
        if group == at.saturating_add(1) && self.is_group(after, b'(') {
            group = after;
        }
        let mut last = group.checked_sub(1)?;
        if is_attribute(last) {
            last = last.checked_sub(1)?;
        }
        let last = self.get(last)?;
        Some((first.start, last.end, first.line))
    }

    /// The declaration of a property, `int Name { get; }`, or of a constructor without a list of
    /// parameters.
    pub(super) fn property(&self, at: usize) -> Option<Declaration> {
        if self.end != End::Block || self.place != Scope::Members {
            return None;
        }
        let plain = self.position(at, |token| {
            token.is(b'=') || matches!(token.kind, lexer::Kind::Group(b'(') | lexer::Kind::Arrow)
        });
        if plain.is_some() {
            return None;
        }
        let token = self
            .tokens
            .last()
            .filter(|token| token.kind == lexer::Kind::Word)?;
        let word = self.words(token.start, token.end);
        let alone = at.saturating_add(1) == self.tokens.len();
        self.word(at)?;
        if self.has(at, Roles::CONTROL) || (alone && self.owner != Some(word)) {
            return None;
        }
        Some(Declaration {
            kind: if alone { Kind::Function } else { Kind::Value },
            name: Some(token.place()),
            holds: Scope::Code,
            head: None,
        })
    }
}
