//! Macros of C. They look like types, functions and calls. Names in capital letters identify them,
//! and so does the text in their brackets.

use crate::grammar::{Kind, Scope};
use crate::header::macros::{follows_parameters, is_attribute, is_shouted};
use crate::language::{Declaration, End, Quirk, Statement};
use crate::limits;
use crate::token::{self, Place, Roles, Token};

impl Statement<'_> {
    /// Whether the statement so far consists only of macros: `NAME(value)`, or `NAME` alone before
    /// a keyword. `next` is the first token of the next line.
    pub fn is_macro(&self, next: &Token) -> bool {
        let method = matches!(next.kind, token::Kind::Punct(b'-' | b'+' | b'@'));
        if method && !self.language.has_quirk(Quirk::SignedMethods) {
            return false;
        }
        let shouted = |token: &Token| {
            token.kind == token::Kind::Word && is_shouted(self.words(token.start, token.end))
        };
        match self.tokens {
            [] => false,
            [first, ..] if !shouted(first) || self.tokens.len() > limits::MACRO_TOKENS => false,
            [name, group] if group.kind == token::Kind::Group(b'(') => {
                shouted(name) && !(self.contains_type(group) && self.is_called(next))
            }
            all => {
                let keyword = || method || next.is(b'[') || self.begins_declaration(next);
                all.iter()
                    .all(|token| shouted(token) || token.kind == token::Kind::Group(b'('))
                    && keyword()
            }
        }
    }

    /// Whether a word may be the first one of a declaration. A word that may follow a type, such as
    /// `const`, does not count.
    fn begins_declaration(&self, token: &Token) -> bool {
        (token.roles.has(Roles::FORM) || token.roles.has(Roles::MODIFIER))
            && !matches!(self.words(token.start, token.end), "const" | "volatile")
    }

    /// The index of the token after a macro or template requirement that may precede a declaration:
    /// `API class name`, `API(value) static type name`, `requires A<T>`. Returns `None` if there is
    /// no such macro or requirement at the index `at`.
    pub fn after_macro(&self, at: usize) -> Option<usize> {
        let word = self.word(at)?;
        let next = at.saturating_add(1);
        if word == "requires" && at > 0 {
            return Some(self.after_requirement(next));
        }
        let group = self.is_group(next, b'(');
        let after = next.saturating_add(usize::from(group));
        let next = self.get(after)?;
        let macros = is_shouted(word) || (group && is_attribute(word));
        (macros && self.begins_declaration(next)).then_some(after)
    }

    /// Whether a colon after the parameters begins the initialisers of members:
    /// `name(…) noexcept : member`.
    pub fn sets_members(&self) -> bool {
        let mut parameters = false;
        for token in self.tokens {
            match token.kind {
                token::Kind::Punct(b':') if parameters => return true,
                token::Kind::Word => {
                    parameters &= follows_parameters(self.words(token.start, token.end));
                }
                kind => parameters = kind == token::Kind::Group(b'('),
            }
        }
        false
    }

    /// Whether brackets seem to contain only a type. Some macros make another type from it.
    fn contains_type(&self, group: &Token) -> bool {
        let text = self.words(group.start, group.end);
        let inner = text.trim_matches(['(', ')']).trim();
        let part =
            |c: char| c.is_alphanumeric() || c.is_ascii_whitespace() || matches!(c, '_' | '*');
        !inner.is_empty() && inner.chars().all(part) && !inner.starts_with(char::is_numeric)
    }

    /// Whether an opening bracket follows `name`, and `name` is not in capital letters as the name
    /// of a macro is.
    fn is_called(&self, name: &Token) -> bool {
        let after = self.text.get(name.end..).unwrap_or_default();
        let spaces = |c: char| matches!(c, ' ' | '\t');
        after.trim_start_matches(spaces).starts_with('(')
            && !is_shouted(self.words(name.start, name.end))
    }

    /// The index of the likely name of a function. The candidates are the word at the index `at`,
    /// which brackets follow, the word before it, and the previous candidate `before`. A macro may
    /// precede the name: `API(int) name(int)`.
    pub fn called_in_c(&self, from: usize, at: usize, before: Option<usize>) -> Option<usize> {
        let shouts = |at: usize| self.word(at).is_some_and(is_shouted);
        let c = self.language.has_quirk(Quirk::Macros);
        let after = self.word(at).is_some_and(follows_parameters);
        let replaces = before.is_none_or(|one| one == from || (c && shouts(one) && !after));
        if !replaces {
            return before;
        }
        if !c || !shouts(at) {
            return Some(at);
        }
        // `int name ARGS((int));`
        let group = self.get(at.saturating_add(1))?;
        let typed = at.checked_sub(1).filter(|name| *name > from);
        if self.words(group.start, group.end).starts_with("((")
            && let Some(name) = typed.filter(|name| self.word(*name).is_some())
        {
            return Some(name);
        }
        // `ALIGN(8) int name`, `int NAME(name)[] = {`
        let after = at.saturating_add(2);
        let other = self.is_group(after, b'[')
            || self
                .word(after)
                .is_some_and(|word| !follows_parameters(word));
        Some(at).filter(|_| !other)
    }

    /// Whether the word at the index `name`, which brackets follow, is an annotation macro or is
    /// called after a macro. In both cases it is not the name of a declared function, and the
    /// brackets contain only names.
    ///
    /// An annotation macro is in capital letters: `int name GUARDED_BY(lock);`. A call is on the
    /// line after the macro: `CHECK(value)`, `called(value);`.
    pub fn is_mark(&self, from: usize, name: usize) -> bool {
        let line = |at: usize| self.get(at).map(|token| token.line);
        let below = name == from.saturating_add(2)
            && self.is_group(from.saturating_add(1), b'(')
            && line(name) > line(from);
        (below || self.word(name).is_some_and(is_shouted)) && self.contains_names(name)
    }

    /// Whether the brackets after a name contain only names.
    fn contains_names(&self, name: usize) -> bool {
        let inner = self
            .get(name.saturating_add(1))
            .map(|group| self.words(group.start, group.end))
            .and_then(|text| text.strip_prefix('(')?.strip_suffix(')'))
            .unwrap_or_default();
        inner.split(',').map(str::trim).all(|value| {
            let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '-' | '>');
            !value.is_empty() && value != "void" && value.chars().all(part)
        })
    }

    /// Whether the statement is a deduction guide of a template: `name(type) -> name<type>;`.
    pub fn is_guide(&self, name: usize) -> bool {
        let thin = name.saturating_add(2);
        self.kind(thin) == Some(token::Kind::ThinArrow)
            && self.word(thin.saturating_add(1)) == self.word(name)
    }

    /// The brackets at the index `at`, if they may contain the name of a function or of a pointer
    /// to one: `(*name)`, `(Class::*name)`, `(CALL *name)(…)`, `(name)(…)`.
    pub fn points(&self, at: usize) -> Option<&Token> {
        let group = self.get(at)?;
        let text = self.words(group.start, group.end);
        let inner = text.strip_prefix('(').unwrap_or(text).trim_start();
        let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
        let after = inner.trim_start_matches(part);
        let path = inner.len().saturating_sub(after.len());
        let direct = path == 0 || inner.get(..path).is_some_and(|path| path.ends_with("::"));
        let called = self.is_group(at.saturating_add(1), b'(');
        let c = self.language.has_quirk(Quirk::Macros);
        let points = if direct {
            after.starts_with(['*', '&', '^']) && !after.starts_with("*)")
        } else {
            called && after.trim_start().starts_with(['*', '^'])
        };
        // `int (name)(int)`
        let plain = called
            && after.trim_end() == ")"
            && path > 0
            && at
                .checked_sub(1)
                .and_then(|at| self.word(at))
                .is_some_and(|word| !is_shouted(word));
        Some(group).filter(|_| if c { points || plain } else { called })
    }

    /// The index of the token after the requirements of a template, which begin at the index
    /// `from`: `requires A<T> && (B<T> || C)`. A requirement may contain code.
    pub fn after_requirement(&self, from: usize) -> usize {
        let mut at = from;
        loop {
            let next = at.saturating_add(1);
            at = match self.kind(at) {
                Some(token::Kind::Group(_)) if self.is_group(next, b'{') => at.saturating_add(2),
                Some(token::Kind::Word) if self.word(at) == Some("requires") => {
                    at = next;
                    continue;
                }
                Some(token::Kind::Group(_) | token::Kind::Word) => next,
                Some(token::Kind::Punct(b'!') | token::Kind::Path) => {
                    at = next;
                    continue;
                }
                _ => return at,
            };
            if self.is(at, b'<') {
                at = self.after_angles(at);
            }
            // `a::b`, `a && b`, `name(value)`
            let continues = self.get(at).is_some_and(|token| match token.kind {
                token::Kind::Path => true,
                token::Kind::Operator => {
                    matches!(self.words(token.start, token.end), "&&" | "||")
                }
                _ => false,
            });
            if !continues {
                return at;
            }
            at = at.saturating_add(1);
        }
    }

    /// The declaration of a type whose keyword is replaced by a macro: `name : public base {`. `at`
    /// is the index of the name.
    pub fn derived(&self, at: usize) -> Option<Declaration> {
        let derives = self.is(at.saturating_add(1), b':')
            && matches!(
                self.word(at.saturating_add(2)),
                Some("public" | "protected" | "private")
            );
        let token = self.get(at).filter(|_| derives && self.end == End::Block)?;
        self.word(at)?;
        Some(Declaration {
            kind: Kind::Type,
            name: Some(token.place()),
            holds: Scope::Members,
            head: None,
        })
    }

    /// The name of the function that is declared in the brackets `group`: `(*name(int))` or
    /// `(name)`.
    pub fn returned(&self, group: &Token) -> Option<Place> {
        let text = self.words(group.start, group.end);
        let inner = text.strip_prefix('(')?;
        let named = inner.trim_start_matches(['*', '&', ' ']);
        let length = named.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
        let after = named.get(length..)?.trim_start();
        let start = group
            .start
            .saturating_add(text.len())
            .saturating_sub(named.len());
        let pointer = after.starts_with('(') && inner.len() > named.len();
        let call = length > 0 && (pointer || (after == ")" && inner.len() == named.len()));
        call.then_some((start, start.saturating_add(length), group.line))
    }

    /// Whether brackets contain values, and not parameters.
    pub fn holds_values(&self, group: &Token) -> bool {
        let text = self.words(group.start, group.end);
        let inner = text.strip_prefix('(').unwrap_or(text);
        let (mut level, mut begins, mut quote) = (0u32, true, None);
        for (at, byte) in inner.bytes().enumerate() {
            if let Some(open) = quote {
                quote = Some(open).filter(|open| *open != byte);
                continue;
            }
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => continue,
                b',' if level == 0 => {
                    begins = true;
                    continue;
                }
                _ if begins && begins_value(inner.get(at..).unwrap_or_default()) => return true,
                b'"' | b'\'' => quote = Some(byte),
                b'<' | b'(' | b'[' | b'{' => level = level.saturating_add(1),
                b'>' | b')' | b']' | b'}' => level = level.saturating_sub(1),
                _ => {}
            }
            begins = false;
        }
        false
    }
}

/// Whether the text begins with a value, and not with a type.
fn begins_value(text: &str) -> bool {
    let signs = ['"', '\'', '&', '-', '!'];
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    let word = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
    text.starts_with(|c: char| c.is_ascii_digit() || signs.contains(&c))
        || matches!(
            word,
            "true" | "false" | "nullptr" | "NULL" | "this" | "new" | "sizeof" | "static_cast"
        )
}
