//! Macros of C, which look like types, functions and calls: names in capitals
//! tell of them, and what stands in their brackets.

use super::{End, Found, Header};
use crate::outline::grammar::{Calls, Habit, Kind, Place};
use crate::outline::keywords::Roles;
use crate::outline::lexer::{self, Token};

/// Tokens of macros before a declaration that are looked at.
const MACROS: usize = 16;

/// Whether a word is in capitals, as the names of macros are.
pub(super) fn is_shouted(word: &str) -> bool {
    let mut capital = false;
    for byte in word.bytes() {
        if byte.is_ascii_lowercase() {
            return false;
        }
        capital |= byte.is_ascii_uppercase();
    }
    capital
}

/// What stands before brackets in the middle of a declaration.
pub(super) fn is_attribute(word: &str) -> bool {
    matches!(
        word,
        "__attribute__"
            | "__attribute"
            | "__declspec"
            | "alignas"
            | "_Alignas"
            | "decltype"
            | "explicit"
            | "__asm__"
            | "asm"
    )
}

/// What stands before brackets behind the parameters of a function.
pub(super) fn is_specifier(word: &str) -> bool {
    matches!(word, "noexcept" | "throw" | "requires" | "throws")
}

/// Whether a word goes on behind the parameters of a function.
fn is_behind(word: &str) -> bool {
    matches!(word, "const" | "volatile" | "override" | "final" | "try")
        || is_specifier(word)
        || word.starts_with("__")
        || is_shouted(word)
}

impl Header<'_> {
    /// Whether nothing but macros stands before a line that begins with this:
    /// `NAME(value)`, and `NAME` alone where a keyword follows.
    pub fn is_macro(&self, next: &Token) -> bool {
        let method = matches!(next.kind, lexer::Kind::Punct(b'-' | b'+' | b'@'));
        if method && !self.language.does(Habit::Messages) {
            return false;
        }
        let shouted = |token: &Token| {
            token.kind == lexer::Kind::Word && is_shouted(self.words(token.start, token.end))
        };
        match self.tokens {
            [] => false,
            [first, ..] if !shouted(first) || self.tokens.len() > MACROS => false,
            [name, group] if group.kind == lexer::Kind::Group(b'(') => {
                shouted(name) && !(self.holds_type(group) && self.is_called(next))
            }
            all => {
                let keyword = || method || next.is(b'[') || self.begins_declaration(next);
                all.iter()
                    .all(|token| shouted(token) || token.kind == lexer::Kind::Group(b'('))
                    && keyword()
            }
        }
    }

    /// Whether only a declaration begins with this word: a type does not stand
    /// before it.
    fn begins_declaration(&self, token: &Token) -> bool {
        (token.roles.has(Roles::FORM) || token.roles.has(Roles::MODIFIER))
            && !matches!(self.words(token.start, token.end), "const" | "volatile")
    }

    /// The token behind what is no modifier, but may stand before a declaration:
    /// `API class name`, `API(value) static type name`, `requires A<T>`.
    pub(super) fn behind_macro(&self, at: usize) -> Option<usize> {
        let word = self.word(at)?;
        let next = at.saturating_add(1);
        if word == "requires" && at > 0 {
            return Some(self.behind_requirement(next));
        }
        let group = self.is_group(next, b'(');
        let behind = next.saturating_add(usize::from(group));
        let next = self.get(behind)?;
        let macros = is_shouted(word) || (group && is_attribute(word));
        (macros && self.begins_declaration(next)).then_some(behind)
    }

    /// Whether a colon behind parameters tells how members begin:
    /// `name(…) noexcept : member`
    pub fn sets_members(&self) -> bool {
        let mut parameters = false;
        for token in self.tokens {
            match token.kind {
                lexer::Kind::Punct(b':') if parameters => return true,
                lexer::Kind::Word => {
                    parameters &= is_behind(self.words(token.start, token.end));
                }
                kind => parameters = kind == lexer::Kind::Group(b'('),
            }
        }
        false
    }

    /// Whether brackets hold one type, of which a macro makes another one.
    fn holds_type(&self, group: &Token) -> bool {
        let text = self.words(group.start, group.end);
        let inner = text.trim_matches(['(', ')']).trim();
        let part =
            |c: char| c.is_alphanumeric() || c.is_ascii_whitespace() || matches!(c, '_' | '*');
        !inner.is_empty() && inner.chars().all(part) && !inner.starts_with(char::is_numeric)
    }

    /// Whether brackets follow a name that is none of a macro.
    fn is_called(&self, name: &Token) -> bool {
        let behind = self.text.get(name.end..).unwrap_or_default();
        let blanks = |c: char| matches!(c, ' ' | '\t');
        behind.trim_start_matches(blanks).starts_with('(')
            && !is_shouted(self.words(name.start, name.end))
    }

    /// Which name is that of a function: the one at `at`, behind which brackets
    /// stand, or the one before it. A macro may stand before: `API(int) name(int)`.
    pub(super) fn called_in_c(
        &self,
        from: usize,
        at: usize,
        before: Option<usize>,
    ) -> Option<usize> {
        let shouts = |at: usize| self.word(at).is_some_and(is_shouted);
        let c = self.language.calls == Calls::C;
        let behind = self.word(at).is_some_and(is_behind);
        let replaces = before.is_none_or(|one| one == from || (c && shouts(one) && !behind));
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
        let behind = at.saturating_add(2);
        let other =
            self.is_group(behind, b'[') || self.word(behind).is_some_and(|word| !is_behind(word));
        Some(at).filter(|_| !other)
    }

    /// Whether a name in capitals has nothing but names in its brackets:
    /// `int name GUARDED_BY(lock);`, or a macro on the line before is no type:
    /// `CHECK(value)`, `called(value);`
    pub(super) fn is_mark(&self, from: usize, name: usize) -> bool {
        let line = |at: usize| self.get(at).map(|token| token.line);
        let below = name == from.saturating_add(2)
            && self.is_group(from.saturating_add(1), b'(')
            && line(name) > line(from);
        (below || self.word(name).is_some_and(is_shouted)) && self.holds_names(name)
    }

    /// Whether there are only names in the brackets behind a name.
    fn holds_names(&self, name: usize) -> bool {
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

    /// Whether it tells how a template is made: `name(type) -> name<type>;`
    pub(super) fn is_guide(&self, name: usize) -> bool {
        let thin = name.saturating_add(2);
        self.kind(thin) == Some(lexer::Kind::Thin)
            && self.word(thin.saturating_add(1)) == self.word(name)
    }

    /// Whether brackets hold what points to something: `(*name)`, `(Class::*name)`,
    /// `(CALL *name)(…)`.
    pub(super) fn points(&self, at: usize) -> Option<&Token> {
        let group = self.get(at)?;
        let text = self.words(group.start, group.end);
        let inner = text.strip_prefix('(').unwrap_or(text).trim_start();
        let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
        let behind = inner.trim_start_matches(part);
        let path = inner.len().saturating_sub(behind.len());
        let direct = path == 0 || inner.get(..path).is_some_and(|path| path.ends_with("::"));
        let called = self.is_group(at.saturating_add(1), b'(');
        let c = self.language.calls == Calls::C;
        let points = if direct {
            behind.starts_with(['*', '&', '^']) && !behind.starts_with("*)")
        } else {
            called && behind.trim_start().starts_with(['*', '^'])
        };
        // `int (name)(int)`
        let plain = called
            && behind.trim_end() == ")"
            && path > 0
            && at
                .checked_sub(1)
                .and_then(|at| self.word(at))
                .is_some_and(|word| !is_shouted(word));
        Some(group).filter(|_| if c { points || plain } else { called })
    }

    /// The token behind what a template requires, or the code that it requires to
    /// be right: `requires A<T> && (B<T> || C)`.
    pub(super) fn behind_requirement(&self, from: usize) -> usize {
        let mut at = from;
        loop {
            let next = at.saturating_add(1);
            at = match self.kind(at) {
                Some(lexer::Kind::Group(_)) if self.is_group(next, b'{') => at.saturating_add(2),
                Some(lexer::Kind::Word) if self.word(at) == Some("requires") => {
                    at = next;
                    continue;
                }
                Some(lexer::Kind::Group(_) | lexer::Kind::Word) => next,
                Some(lexer::Kind::Punct(b'!') | lexer::Kind::Path) => {
                    at = next;
                    continue;
                }
                _ => return at,
            };
            if self.is(at, b'<') {
                at = self.behind_angles(at);
            }
            // `a::b`, `a && b`, `name(value)`
            let goes_on = self.get(at).is_some_and(|token| match token.kind {
                lexer::Kind::Path => true,
                lexer::Kind::Operator => {
                    matches!(self.words(token.start, token.end), "&&" | "||")
                }
                _ => false,
            });
            if !goes_on {
                return at;
            }
            at = at.saturating_add(1);
        }
    }

    /// `name : public base {`, behind a macro that stands for a keyword.
    pub(super) fn derived(&self, at: usize) -> Option<Found> {
        let derives = self.is(at.saturating_add(1), b':')
            && matches!(
                self.word(at.saturating_add(2)),
                Some("public" | "protected" | "private")
            );
        let token = self.get(at).filter(|_| derives && self.end == End::Block)?;
        self.word(at)?;
        Some(Found {
            kind: Kind::Type,
            name: Some(token.place()),
            holds: Place::Members,
            head: None,
        })
    }

    /// The name of a function in the brackets of what it returns: `(*name(int))`,
    /// or in its own: `(name)`.
    pub(super) fn returned(&self, group: &Token) -> Option<(usize, usize, u32)> {
        let text = self.words(group.start, group.end);
        let inner = text.strip_prefix('(')?;
        let named = inner.trim_start_matches(['*', '&', ' ']);
        let length = named.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
        let behind = named.get(length..)?.trim_start();
        let start = group
            .start
            .saturating_add(text.len())
            .saturating_sub(named.len());
        let pointer = behind.starts_with('(') && inner.len() > named.len();
        let call = length > 0 && (pointer || (behind == ")" && inner.len() == named.len()));
        call.then_some((start, start.saturating_add(length), group.line))
    }

    /// Whether brackets hold values, not what parameters are.
    pub(super) fn holds_values(&self, group: &Token) -> bool {
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

/// Whether a value begins here, and not a type.
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
