//! Finds out whether a statement continues on the next line.

use crate::grammar::{Kind, Nesting};
use crate::item::cut;
use crate::language::{Quirk, Statement};
use crate::limits;
use crate::token::{self, Roles, Token};

impl Statement<'_> {
    /// Whether `next` continues the value of a declaration after a block, or begins the constructor in
    /// the header of a class, after annotations and modifiers.
    fn value_continues(&self, next: &Token) -> bool {
        let closed = self
            .tokens
            .last()
            .is_some_and(|last| last.kind == token::Kind::Group(b'{'));
        if closed && matches!(self.words(next.start, next.end), "catch" | "finally") {
            return true;
        }
        let form = self.form(self.prefix());
        let named = self
            .tokens
            .last()
            .is_some_and(|last| last.kind == token::Kind::Word || last.is(b'>'));
        if !named || !form.is_some_and(|form| form.kind == Kind::Type) {
            return false;
        }
        let ahead = self.words(next.start, self.text.len());
        for word in cut(ahead, limits::NAME_BYTES).split_ascii_whitespace() {
            if word.starts_with("constructor") {
                return true;
            }
            let modifier = matches!(word, "public" | "private" | "protected" | "internal");
            if !modifier && !word.starts_with('@') {
                return false;
            }
        }
        false
    }

    /// Whether the statement ends with the parameters of a function that a keyword declares.
    fn ends_parameters(&self) -> bool {
        let form = self.form(self.prefix());
        let last = self.tokens.len().saturating_sub(1);
        let effect = matches!(self.word(last), Some("async" | "throws" | "rethrows"));
        (effect || self.is_group(last, b'('))
            && form.is_some_and(|form| form.kind == Kind::Function)
    }

    /// Whether `next`, the first token of a line, continues the statement.
    pub fn continues(&self, next: &Token) -> bool {
        let (Some(first), Some(last)) = (self.tokens.first(), self.tokens.last()) else {
            return true;
        };
        let word = self.words(first.start, first.end);
        let case = matches!(word, "case" | "default");
        // These lines are complete: the parameters of a block, `do |a, b|`, and `alias` with
        // operators as names.
        let wildcard = last.is(b'*') && first.roles.has(Roles::IMPORT);
        if wildcard || (first.is(b'|') && last.is(b'|')) || matches!(word, "alias" | "undef") {
            return false;
        }
        // An annotation on a line of its own belongs to the next declaration.
        let annotated = first.is(b'@') && self.language.nesting_is_braces();
        if annotated && self.prefix() >= self.tokens.len() {
            return true;
        }
        match last.kind {
            token::Kind::Operator => {
                let operator = self.words(last.start, last.end);
                // `...` is a value in Lua, and ends an operand in Julia and a range in Ruby.
                let complete = operator == "..." && !self.language.nesting_is_braces();
                if !complete && !matches!(operator, "++" | "--" | "..") {
                    return true;
                }
            }
            // Statements follow `case a =>` and `self =>`.
            token::Kind::Arrow => {
                return !self.language.has_quirk(Quirk::ArrowsEndLines);
            }
            // Statements follow the parameters of a lambda: `{ a ->`.
            token::Kind::ThinArrow if self.language.nesting_is_braces() => {
                let declares = first.roles.has(Roles::FORM) || first.roles.has(Roles::MODIFIER);
                return declares || first.is(b'@');
            }
            token::Kind::Path | token::Kind::ThinArrow => return true,
            token::Kind::Punct(
                b'=' | b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b',' | b'.' | b'<'
                | b'\\',
            ) => {
                return true;
            }
            token::Kind::Punct(b':') => return !case,
            // The conditions of a type, or the value after `else`, are on the next lines.
            token::Kind::Word
                if self.language.nesting_is_braces()
                    && matches!(self.words(last.start, last.end), "where" | "else") =>
            {
                return true;
            }
            _ => {}
        }
        let goes_on = match next.kind {
            token::Kind::Punct(b'{') => !self.language.has_quirk(Quirk::BracesBegin),
            token::Kind::Punct(b'.' | b':' | b'=' | b'?' | b'|' | b'&' | b'>' | b')' | b']')
            | token::Kind::Arrow
            | token::Kind::Operator => true,
            // In Ruby, a lambda begins with the arrow.
            token::Kind::ThinArrow => !matches!(self.language.nesting, Nesting::Ends(_)),
            token::Kind::Word => {
                matches!(
                    self.words(next.start, next.end),
                    "where"
                        | "extends"
                        | "implements"
                        | "with"
                        | "throws"
                        | "by"
                        | "else"
                        | "derives"
                ) && !matches!(self.language.nesting, Nesting::Ends(_))
                    || (matches!(self.words(next.start, next.end), "async" | "rethrows")
                        && self.ends_parameters())
            }
            _ => false,
        };
        if self.language.has_quirk(Quirk::ValuesContinue) && self.value_continues(next) {
            return true;
        }
        let awaits_more = self.language.family.awaits_more;
        goes_on || awaits_more.is_some_and(|awaits_more| awaits_more(self))
    }
}
