//! Functions of C and of languages with a similar syntax.

use crate::grammar::{Kind, Name, Scope};
use crate::header::macros::{follows_parameters, is_attribute, is_shouted, is_specifier};
use crate::language::{Declaration, End, Quirk, Statement};
use crate::token::{self, Place, Roles, Token};

impl Statement<'_> {
    /// Names that a statement declares in addition to the first one: `typedef struct { … } a, *b;`,
    /// `int a(int), b(int);`.
    pub fn more_names(&self) -> Vec<Place> {
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
                token::Kind::Punct(b',') if typedef => names.extend(self.declared(at)),
                token::Kind::Punct(b',') => names.extend(self.next_called(at)),
                token::Kind::Punct(b'=' | b':') => break,
                _ => {}
            }
        }
        names
    }

    /// Whether the statement declares a function of old C up to the type of its first parameter:
    /// `int name(a, b) int a`. Further parameters and the block of the function follow.
    pub fn declares_old_parameters(&self) -> bool {
        let group = self.position(0, |token| token.kind == token::Kind::Group(b'('));
        let Some((at, group)) = group.and_then(|at| Some((at, self.get(at)?))) else {
            return false;
        };
        let names = self.words(group.start, group.end);
        let names = names
            .strip_prefix('(')
            .and_then(|names| names.strip_suffix(')'));
        let is_name = |name: &str| {
            let name = name.trim();
            let letters = |c: char| c.is_alphanumeric() || c == '_';
            name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(letters)
        };
        let typed = at.saturating_add(1);
        let next = typed.saturating_add(1);
        let Some(word) = self.word(typed) else {
            return false;
        };
        let specifier = if is_shouted(word) {
            !self.is(next, b'*') && self.word(next).is_none_or(is_shouted)
        } else {
            is_attribute(word) || follows_parameters(word)
        };
        // A parameter may have a qualifier that may also follow parameters: `const char *a`.
        let qualified = matches!(word, "const" | "volatile") && self.word(next).is_some();
        (!specifier || qualified)
            && (self.is(next, b'*') || self.word(next).is_some())
            && names.is_some_and(|names| names.split(',').all(is_name))
    }

    /// The name of a further function that a statement declares after a comma: `*name(…)`. Another
    /// comma or the end of the statement must follow.
    fn next_called(&self, from: usize) -> Option<Place> {
        let at = self.position(from, |token| !token.is(b'*'))?;
        let token = self.get(at).filter(|_| self.word(at).is_some())?;
        let group = self.get(at.saturating_add(1))?;
        let after = at.saturating_add(2);
        let ends = self.get(after).is_none() || self.is(after, b',');
        let called = group.kind == token::Kind::Group(b'(') && !self.holds_values(group);
        (called && ends).then_some(token.place())
    }

    /// The name of a function in C or in a language with a similar syntax.
    pub fn c_function(&self, from: usize) -> Option<Place> {
        if self.has(from, Roles::CONTROL) {
            return None;
        }
        let c = self.language.has_quirk(Quirk::Macros);
        let mut at = from;
        let mut candidate = None;
        while let Some(token) = self.get(at) {
            match token.kind {
                token::Kind::Word if self.words(token.start, token.end) == "operator" => {
                    return self.operator(at);
                }
                token::Kind::Word if self.is_group(at.saturating_add(1), b'(') => {
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
                token::Kind::Punct(b'<') => {
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
                token::Kind::Punct(b'=') if c && self.end == End::Block => return None,
                token::Kind::Punct(b'=' | b':') | token::Kind::Arrow | token::Kind::ThinArrow => {
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
            token::Kind::Punct(b'.' | b'"' | b'!' | b'+' | b'-' | b'/' | b'|' | b'^' | b'%') => {
                true
            }
            token::Kind::Operator => self.words(token.start, token.end) != "&&",
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
        let c = self.language.has_quirk(Quirk::Macros);
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
    pub fn local_function(&self, from: usize) -> Option<Place> {
        let next = from.saturating_add(1);
        let typed = self.word(next).is_some() || self.is(next, b'<');
        if self.end != End::Block || !typed {
            return None;
        }
        self.c_function(from)
    }

    /// The index of the word before the type parameters `<…>` that end before the index `end`.
    pub fn before_angles(&self, end: usize) -> Option<usize> {
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
    pub fn operator(&self, at: usize) -> Option<Place> {
        let first = self.get(at)?;
        let is_attribute = |at: usize| {
            self.get(at).is_some_and(|token| {
                token.kind == token::Kind::Group(b'[')
                    && self.words(token.start, token.end).starts_with("[[")
            })
        };
        let mut group = self.position(at, |token| token.kind == token::Kind::Group(b'('))?;
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
    pub fn property(&self, at: usize) -> Option<Declaration> {
        if self.end != End::Block || self.place != Scope::Members {
            return None;
        }
        let plain = self.position(at, |token| {
            token.is(b'=') || matches!(token.kind, token::Kind::Group(b'(') | token::Kind::Arrow)
        });
        if plain.is_some() {
            return None;
        }
        let token = self
            .tokens
            .last()
            .filter(|token| token.kind == token::Kind::Word)?;
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
