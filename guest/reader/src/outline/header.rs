//! Whether the tokens up to a block, or those of a whole statement, declare
//! something.

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

use super::grammar::{Calls, Form, Habit, Kind, Language, Name, Place};
use super::keywords::Roles;
use super::lexer::{self, Token};
pub use types::{awaits_operand, opens_more};

/// What ends a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A block begins.
    Block,
    /// It ends itself, with its line, or with what it stands in.
    Statement,
}

/// What a statement declares.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// What it is.
    pub kind: Kind,
    /// Its name, from a byte to the one behind it, and the line of it.
    pub name: Option<(usize, usize, u32)>,
    /// What is in its block.
    pub holds: Place,
    /// The last line of what tells of it, if that is not the last one here.
    pub head: Option<u32>,
}

/// A statement, or what stands of it before a block.
#[derive(Debug)]
pub struct Header<'h> {
    /// The text.
    pub text: &'h str,
    /// Its tokens.
    pub tokens: &'h [Token],
    /// Its language.
    pub language: &'static Language,
    /// Where it stands.
    pub place: Place,
    /// What ends it.
    pub end: End,
    /// The keyword that holds for all of the group it stands in.
    pub implied: Option<&'static Form>,
    /// The name of the type that it stands in.
    pub owner: Option<&'h str>,
}

impl<'h> Header<'h> {
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

    /// The word at a place, if there is one.
    pub fn word(&self, at: usize) -> Option<&'h str> {
        let token = self.get(at)?;
        (token.kind == lexer::Kind::Word).then(|| self.words(token.start, token.end))
    }

    /// What the word at a place declares, if it is a keyword that does.
    fn form(&self, at: usize) -> Option<&'static Form> {
        self.get(at)?.roles.form(self.language)
    }

    /// Whether a keyword stands at a place that is this.
    pub fn has(&self, at: usize, role: Roles) -> bool {
        self.get(at).is_some_and(|token| token.roles.has(role))
    }

    fn words(&self, start: usize, end: usize) -> &'h str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn position(&self, from: usize, is: impl FnMut(&Token) -> bool) -> Option<usize> {
        let rest = self.tokens.get(from..)?;
        Some(rest.iter().position(is)?.saturating_add(from))
    }

    /// What it declares, if anything.
    pub fn found(&self) -> Option<Found> {
        self.found_behind(self.prefix())
    }

    /// The same, with what stands before a declaration known: it ends before `at`.
    pub fn found_behind(&self, mut at: usize) -> Option<Found> {
        let messages = self.place != Place::Values && self.language.does(Habit::Messages);
        if messages && self.selector().is_some() {
            let name = self.get(2).map(Token::place);
            return name.map(|name| Found {
                kind: Kind::Function,
                name: Some(name),
                holds: Place::Code,
                head: None,
            });
        }
        match self.language.calls {
            Calls::Haskell => return self.haskell(),
            Calls::Ocaml => return self.ocaml(),
            Calls::Rules => return self.rule(),
            Calls::Blocks => return self.labelled(),
            _ => {}
        }
        if let Some(form) = self.implied {
            return self.named(form, at, at);
        }
        // What a constant of Zig is bound to tells what it is.
        if self.language.calls == Calls::Zig
            && let Some(found) = self.word_call(at)
        {
            return Some(found);
        }
        // `import { type name }` and `{ type: 1 }` declare nothing.
        if self.language.calls == Calls::Script
            && matches!(self.place, Place::Entries | Place::Types)
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

    fn by_form(&self, form: &'static Form, at: usize) -> Option<Found> {
        if form.block && self.end != End::Block {
            return None;
        }
        // Types of Elixir are told by `@`.
        let attribute = matches!(form.word, "type" | "typep" | "opaque");
        if self.language.calls == Calls::Elixir && attribute && !self.is(at.saturating_sub(1), b'@')
        {
            return None;
        }
        self.named(form, at, at.saturating_add(1))
    }

    /// What a keyword declares that stands at `at`, with its name from `from` on.
    fn named(&self, form: &'static Form, at: usize, from: usize) -> Option<Found> {
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
                    None if self.language.calls == Calls::Java => self
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
        Some(Found {
            kind: form.kind,
            name,
            holds: form.holds,
            head: self.head(from),
        })
    }

    /// The last word of a path: `a.b.c`, `a::b`, `a:b`.
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

    /// The line of what binds a name to something, behind which that stands.
    fn head(&self, from: usize) -> Option<u32> {
        let sign = self.position(from, |token| {
            token.is(b'=') || token.kind == lexer::Kind::Arrow
        })?;
        self.get(sign).map(|token| token.line)
    }

    fn by_call(&self, at: usize) -> Option<Found> {
        let function = |name: (usize, usize, u32)| Found {
            kind: Kind::Function,
            name: Some(name),
            holds: Place::Code,
            head: self.head(at),
        };
        match self.language.calls {
            Calls::C => match self.place {
                Place::File | Place::Members => {
                    let found = self.c_function(at).map(function);
                    found.or_else(|| self.derived(at))
                }
                _ => None,
            },
            Calls::Java => match self.place {
                // A function in another one.
                Place::Code | Place::Values if self.language.does(Habit::LocalFunctions) => {
                    self.local_function(at).map(function)
                }
                Place::File | Place::Members => {
                    if let Some(name) = self.c_function(at) {
                        return Some(function(name));
                    }
                    self.property(at)
                }
                _ => None,
            },
            Calls::Script => self.script(at),
            Calls::Go => match self.place {
                Place::Members if self.is_group(at.saturating_add(1), b'(') => {
                    self.word(at)?;
                    let token = self.get(at)?;
                    Some(function(token.place()))
                }
                _ => None,
            },
            Calls::Shell => {
                // `name() (`: a shell of its own.
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
            Calls::Lua | Calls::Ruby | Calls::Julia | Calls::Zig => self.word_call(at),
            Calls::Sql => self.sql(at),
            Calls::Arrow => self.arrow(at),
            _ => None,
        }
    }
}
