//! Finds the declaration in a statement.
//!
//! The input is the tokens of a whole statement, or the tokens before a block. The submodules
//! contain the rules of single language families.

mod c;
mod columns;
mod macros;
mod names;
mod prefix;
mod reading;
mod rules;
mod script;
mod sql;
mod types;
mod words;

use super::grammar::{Family, Keyword, Kind, Language, Name, Quirk, Scope};
use super::keywords::Roles;
use super::lexer::{self, Token};
pub use types::{awaits_operand, opens_more};

/// The reason why the tokens of a statement end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A block begins after them.
    Block,
    /// The statement is complete: a separator, the end of the line or the end of the surrounding
    /// block follows.
    Statement,
}

/// A declaration that was found in a statement.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// The kind of the declaration.
    pub kind: Kind,
    /// The byte offsets in the text at which the name starts and ends, and its line number. `None`
    /// if the declaration has no name.
    pub name: Option<(usize, usize, u32)>,
    /// The scope of the statements in the block of the declaration.
    pub holds: Scope,
    /// The number of the last line of the signature. If `None`, the signature ends with the last
    /// token of the statement.
    pub head: Option<u32>,
}

/// A statement, or the part of it before a block.
#[derive(Debug)]
pub struct Statement<'h> {
    /// The text of the file, to which the offsets of the tokens refer.
    pub text: &'h str,
    /// The tokens of the statement.
    pub tokens: &'h [Token],
    /// The language of the text.
    pub language: &'static Language,
    /// The scope that contains the statement.
    pub place: Scope,
    /// The reason why the tokens end.
    pub end: End,
    /// The keyword that applies to all statements of a group: `const (…)`.
    pub implied: Option<&'static Keyword>,
    /// The name of the type that contains the statement.
    pub owner: Option<&'h str>,
}

impl<'h> Statement<'h> {
    fn get(&self, at: usize) -> Option<&'h Token> {
        self.tokens.get(at)
    }

    fn kind(&self, at: usize) -> Option<lexer::Kind> {
        self.get(at).map(|token| token.kind)
    }

    fn is(&self, at: usize, punct: u8) -> bool {
        self.get(at).is_some_and(|token| token.is(punct))
    }

    fn is_group(&self, at: usize, bracket: u8) -> bool {
        self.kind(at) == Some(lexer::Kind::Group(bracket))
    }

    /// The word at the index `at` of the tokens. Returns `None` if that token is not a word.
    pub fn word(&self, at: usize) -> Option<&'h str> {
        let token = self.get(at)?;
        (token.kind == lexer::Kind::Word).then(|| self.words(token.start, token.end))
    }

    /// The declaring keyword at the index `at` of the tokens. Returns `None` if that token is not
    /// one.
    fn form(&self, at: usize) -> Option<&'static Keyword> {
        self.get(at)?.roles.form(self.language)
    }

    /// Whether the token at an index is a keyword with this role.
    pub fn has(&self, at: usize, role: Roles) -> bool {
        self.get(at).is_some_and(|token| token.roles.has(role))
    }

    /// The text between two offsets.
    fn words(&self, start: usize, end: usize) -> &'h str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The index of the first token at or after the index `from` that fulfils the condition `is`.
    fn position(&self, from: usize, is: impl FnMut(&Token) -> bool) -> Option<usize> {
        let rest = self.tokens.get(from..)?;
        Some(rest.iter().position(is)?.saturating_add(from))
    }

    /// The declaration in the statement, if there is one.
    pub fn found(&self) -> Option<Declaration> {
        self.found_after(self.prefix())
    }

    /// The declaration in the statement, if there is one. `at` is the index of the first token
    /// after the annotations and modifiers.
    pub fn found_after(&self, mut at: usize) -> Option<Declaration> {
        let messages = self.place != Scope::Values && self.language.has_quirk(Quirk::Messages);
        if messages && self.selector().is_some() {
            let name = self.get(2).map(Token::place);
            return name.map(|name| Declaration {
                kind: Kind::Function,
                name: Some(name),
                holds: Scope::Code,
                head: None,
            });
        }
        match self.language.family {
            Family::Haskell => return self.haskell(),
            Family::Ocaml => return self.ocaml(),
            Family::Rules => return self.rule(),
            Family::Blocks => return self.labelled(),
            _ => {}
        }
        if let Some(form) = self.implied {
            return self.named(form, at, at);
        }
        // In Zig, the value of a constant decides whether it declares a type.
        if self.language.family == Family::Zig
            && let Some(found) = self.word_call(at)
        {
            return Some(found);
        }
        // `import { type name }` and `{ type: 1 }` declare nothing.
        if self.language.family == Family::Script
            && matches!(self.place, Scope::Entries | Scope::Types)
        {
            return self.by_call(at);
        }
        while let Some(form) = self.form(at) {
            // `const fn`, `fun interface`, `enum class`
            let mut next = at.saturating_add(1);
            while self.has(next, Roles::MODIFIER) {
                next = next.saturating_add(1);
            }
            let more = self
                .form(next)
                .filter(|_| form.name != Name::Typedef || self.end == End::Block);
            if more.is_some() && self.word(next.saturating_add(1)).is_some() {
                at = next;
                continue;
            }
            if let Some(found) = self.by_form(form, at) {
                return Some(found);
            }
            break;
        }
        self.by_call(at)
    }

    /// The declaration of the keyword at the index `at`, if it declares something here.
    fn by_form(&self, form: &'static Keyword, at: usize) -> Option<Declaration> {
        if form.block && self.end != End::Block {
            return None;
        }
        // In Elixir, a type is declared with `@`: `@type name`.
        let attribute = matches!(form.word, "type" | "typep" | "opaque");
        if self.language.family == Family::Elixir
            && attribute
            && !self.is(at.saturating_sub(1), b'@')
        {
            return None;
        }
        self.named(form, at, at.saturating_add(1))
    }

    /// The declaration of the keyword at the index `at`. The search for its name begins at `from`.
    fn named(&self, form: &'static Keyword, at: usize, from: usize) -> Option<Declaration> {
        let token = |at: usize| self.get(at).map(Token::place);
        let name = match form.name {
            Name::Keyword => token(at),
            Name::KeywordCall => {
                let call = self.is_group(from, b'(')
                    || matches!(
                        self.kind(from),
                        Some(lexer::Kind::Punct(b'?' | b'!' | b'<'))
                    );
                Some(token(at).filter(|_| call)?)
            }
            Name::Next => self.next_name(from).and_then(token),
            Name::Symbol => Some(self.symbol(from)?),
            Name::Method => Some(self.method_name(from)?),
            Name::Call => self.called(from).and_then(token),
            Name::Path => {
                let at = self.last_of_path(from);
                token(at).filter(|_| self.word(at).is_some())
            }
            Name::Text => Some(token(from).filter(|_| self.kind(from) == Some(lexer::Kind::Text))?),
            Name::At => Some(token(from.saturating_add(1)).filter(|_| self.is(from, b'@'))?),
            Name::Qualified => {
                let at = self.last_of_path(from);
                let last = self.get(at).filter(|_| self.word(at).is_some())?;
                self.get(from)
                    .map(|first| (first.start, last.end, first.line))
            }
            Name::Tag => return self.tag(form, from),
            Name::Typedef => self.typedef(from),
            Name::Alias => {
                let assigned = self.position(from, |token| token.is(b'='));
                match assigned {
                    Some(_) => self.next_name(from).and_then(token),
                    // `typedef int name(int)`
                    None if self.language.family == Family::Java => self
                        .position(from, |token| token.kind == lexer::Kind::Group(b'('))
                        .and_then(|group| token(group.checked_sub(1)?)),
                    None => None,
                }
            }
            Name::Macro => token(from.saturating_add(1)).filter(|_| self.is(from, b'!')),
            Name::Rest => {
                let first = self.get(from);
                let last = self.tokens.last();
                first
                    .zip(last)
                    .map(|(first, last)| (first.start, last.end, first.line))
            }
        };
        let nameless = form.kind != Kind::Function
            && self.end == End::Block
            && form.name != Name::Alias
            && (matches!(self.kind(from), None | Some(lexer::Kind::Punct(b':')))
                || self.word(from) == Some("extends"));
        if name.is_none() && !nameless {
            return None;
        }
        Some(Declaration {
            kind: form.kind,
            name,
            holds: form.holds,
            head: self.head(from),
        })
    }

    /// The index of the last word of the path that begins at the index `from`: `a.b.c`, `a::b`,
    /// `a:b`.
    fn last_of_path(&self, from: usize) -> usize {
        let mut at = from;
        while self.word(at).is_some()
            && matches!(
                self.kind(at.saturating_add(1)),
                Some(lexer::Kind::Punct(b'.' | b':') | lexer::Kind::Path)
            )
            && self.word(at.saturating_add(2)).is_some()
        {
            at = at.saturating_add(2);
        }
        at
    }

    /// The line number of the first `=` or `=>` at or after the index `from`. This sign binds a
    /// name to a value.
    fn head(&self, from: usize) -> Option<u32> {
        let sign = self.position(from, |token| {
            token.is(b'=') || token.kind == lexer::Kind::Arrow
        })?;
        self.get(sign).map(|token| token.line)
    }

    /// The declaration in a statement without a keyword, by the rules of the language family.
    fn by_call(&self, at: usize) -> Option<Declaration> {
        let function = |name: (usize, usize, u32)| Declaration {
            kind: Kind::Function,
            name: Some(name),
            holds: Scope::Code,
            head: self.head(at),
        };
        match self.language.family {
            Family::C => match self.place {
                Scope::File | Scope::Members => {
                    let found = self.c_function(at).map(function);
                    found.or_else(|| self.derived(at))
                }
                _ => None,
            },
            Family::Java => match self.place {
                // Functions may be inside other functions.
                Scope::Code | Scope::Values if self.language.has_quirk(Quirk::LocalFunctions) => {
                    self.local_function(at).map(function)
                }
                Scope::File | Scope::Members => {
                    if let Some(name) = self.c_function(at) {
                        return Some(function(name));
                    }
                    self.property(at)
                }
                _ => None,
            },
            Family::Script => self.script(at),
            Family::Go => match self.place {
                Scope::Members if self.is_group(at.saturating_add(1), b'(') => {
                    self.word(at)?;
                    let token = self.get(at)?;
                    Some(function(token.place()))
                }
                _ => None,
            },
            Family::Shell => {
                // `name() (…)` runs in a subshell.
                let sub = self.is_group(self.tokens.len().saturating_sub(2), b'(');
                let group = self.tokens.len().checked_sub(if sub { 2 } else { 1 })?;
                let name = group.checked_sub(1)?;
                let first = name == at
                    || name
                        .checked_sub(1)
                        .is_some_and(|before| self.kind(before) == Some(lexer::Kind::Operator));
                let call = first && self.is_group(group, b'(') && (sub || self.end == End::Block);
                self.word(name)?;
                let named = call && !self.has(name, Roles::CONTROL);
                let token = self.get(name).filter(|_| named)?;
                Some(function(token.place()))
            }
            Family::Lua | Family::Ruby | Family::Julia | Family::Zig => self.word_call(at),
            Family::Sql => self.sql(at),
            Family::Arrow => self.arrow(at),
            _ => None,
        }
    }
}
