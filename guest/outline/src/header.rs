//! Finds the declaration in a statement.
//!
//! The input is the tokens of a whole statement, or the tokens before a block. What only the
//! languages of one family need is in [`crate::families`].

mod continues;
pub mod macros;
mod names;
mod prefix;
mod tags;

use crate::grammar::{Keyword, Kind, Name, Scope};
use crate::language::{Declaration, End, Quirk, Statement};
use crate::token::{self, Place, Roles, Token};

impl<'h> Statement<'h> {
    /// The token at the index `at`.
    pub fn get(&self, at: usize) -> Option<&'h Token> {
        self.tokens.get(at)
    }

    /// The kind of the token at the index `at`.
    pub fn kind(&self, at: usize) -> Option<token::Kind> {
        self.get(at).map(|token| token.kind)
    }

    /// Whether the token at the index `at` is this punctuation character.
    pub fn is(&self, at: usize, punct: u8) -> bool {
        self.get(at).is_some_and(|token| token.is(punct))
    }

    /// Whether the token at the index `at` is a group in this bracket.
    pub fn is_group(&self, at: usize, bracket: u8) -> bool {
        self.kind(at) == Some(token::Kind::Group(bracket))
    }

    /// The word at the index `at` of the tokens. Returns `None` if that token is not a word.
    pub fn word(&self, at: usize) -> Option<&'h str> {
        let token = self.get(at)?;
        (token.kind == token::Kind::Word).then(|| self.words(token.start, token.end))
    }

    /// The declaring keyword at the index `at` of the tokens. Returns `None` if that token is not
    /// one.
    pub fn form(&self, at: usize) -> Option<&'static Keyword> {
        self.language.form(self.get(at)?.roles)
    }

    /// Whether the token at an index is a keyword with this role.
    pub fn has(&self, at: usize, role: Roles) -> bool {
        self.get(at).is_some_and(|token| token.roles.has(role))
    }

    /// The text between two offsets.
    pub fn words(&self, start: usize, end: usize) -> &'h str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The index of the first token at or after the index `from` that fulfils the condition `is`.
    pub fn position(&self, from: usize, is: impl FnMut(&Token) -> bool) -> Option<usize> {
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
        if let Some(declaration) = self.language.family.statement {
            return declaration(self);
        }
        if let Some(form) = self.implied {
            return self.named(form, at, at);
        }
        if let Some(valued) = self.language.family.valued
            && let Some(found) = valued(self, at)
        {
            return Some(found);
        }
        // `import { type name }` and `{ type: 1 }` declare nothing.
        if self.language.family.unkeyed.has(self.place) {
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
        if form.attribute && !self.is(at.saturating_sub(1), b'@') {
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
                        Some(token::Kind::Punct(b'?' | b'!' | b'<'))
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
            Name::Text => Some(token(from).filter(|_| self.kind(from) == Some(token::Kind::Text))?),
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
                    None if self.language.has_quirk(Quirk::SignatureAliases) => self
                        .position(from, |token| token.kind == token::Kind::Group(b'('))
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
            && (matches!(self.kind(from), None | Some(token::Kind::Punct(b':')))
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
                Some(token::Kind::Punct(b'.' | b':') | token::Kind::Path)
            )
            && self.word(at.saturating_add(2)).is_some()
        {
            at = at.saturating_add(2);
        }
        at
    }

    /// The line number of the first `=` or `=>` at or after the index `from`. This sign binds a
    /// name to a value.
    pub fn head(&self, from: usize) -> Option<u32> {
        let sign = self.position(from, |token| {
            token.is(b'=') || token.kind == token::Kind::Arrow
        })?;
        self.get(sign).map(|token| token.line)
    }

    /// The declaration in a statement without a keyword, by the rules of the language family.
    fn by_call(&self, at: usize) -> Option<Declaration> {
        (self.language.family.call)(self, at)
    }

    /// A function with this name. The statement begins at the index `at`, after annotations and
    /// modifiers.
    pub fn function(&self, name: Place, at: usize) -> Declaration {
        Declaration {
            kind: Kind::Function,
            name: Some(name),
            holds: Scope::Code,
            head: self.head(at),
        }
    }

    /// The range from the token `from` to the token `to`: the byte offsets at which it starts and
    /// ends, and the line number of its start.
    pub fn span(&self, from: usize, to: usize) -> Option<Place> {
        let (first, last) = (self.get(from)?, self.get(to)?);
        Some((first.start, last.end, first.line))
    }

    /// The scope of the values that a `{` after the statement begins, by the token before it. `None`
    /// if the `{` begins a block.
    pub fn values(&self) -> Option<Scope> {
        let value = match self.tokens.last() {
            None => self.grouped || self.place == Scope::Entries,
            Some(last) => matches!(
                last.kind,
                token::Kind::Punct(b'=' | b',' | b'?' | b'&' | b'|' | b'+') | token::Kind::Operator
            ),
        };
        value.then_some(Scope::Entries)
    }
}
