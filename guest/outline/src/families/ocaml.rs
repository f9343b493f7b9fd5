//! OCaml: `let name pattern =`.

use crate::grammar::{Kind, Scope};
use crate::language::{Declaration, Family, Quirk, Quirks, Statement};
use crate::token::{self, Token};

/// The family of OCaml.
pub const OCAML: Family = Family {
    quirks: Quirks::of(&[Quirk::KeywordsLead]),
    repeats: Some("and"),
    statement: Some(|statement| statement.ocaml()),
    literal: Some(|_, _| Some(Scope::Values)),
    opens_column: Some(|statement| statement.opens_structure()),
    ..Family::OTHER
};

impl Statement<'_> {
    /// The declaration in a statement of OCaml.
    pub fn ocaml(&self) -> Option<Declaration> {
        let implied = self.implied.filter(|_| self.word(0) == Some("and"));
        let word = implied.map_or(self.word(0)?, |form| form.word);
        let mut at = 1usize;
        // `let%test name`, `let[@inline] name`
        while self.is(at, b'%') {
            at = at.saturating_add(2);
        }
        while self.is_group(at, b'[')
            || matches!(
                self.word(at),
                Some("rec" | "nonrec" | "virtual" | "private" | "type")
            )
            || (matches!(self.kind(at), Some(token::Kind::Punct(b'!' | b'+' | b'-'))))
        {
            at = at.saturating_add(1);
        }
        // `'a name`, `('a, 'b) name`
        if matches!(word, "type" | "class") {
            if matches!(self.kind(at), Some(token::Kind::Group(b'(' | b'[')))
                && self.get(at.saturating_add(1)).is_some()
            {
                at = at.saturating_add(1);
            }
            // `_ name`
            if self.word(at) == Some("_") && self.word(at.saturating_add(1)).is_some() {
                at = at.saturating_add(1);
            }
            while matches!(
                self.kind(at),
                Some(token::Kind::Punct(b'\'' | b'+' | b'-' | b'!'))
            ) {
                let quote = self.is(at, b'\'');
                at = at.saturating_add(if quote { 2 } else { 1 });
            }
        }
        let found = |kind, name, holds| {
            Some(Declaration {
                kind,
                name: Some(name),
                holds,
                head: self.head(at),
            })
        };
        let next = at.saturating_add(1);
        match word {
            "type" | "exception" | "class" => {
                let mut last = at;
                // `type A.t += …`
                while self.is(last.saturating_add(1), b'.') {
                    last = last.saturating_add(2);
                }
                self.word(last)?;
                found(Kind::Type, self.span(last, last)?, Scope::Members)
            }
            "module" => {
                self.word(at)?;
                found(Kind::Module, self.span(at, at)?, Scope::File)
            }
            "external" | "method" => {
                self.word(at)?;
                found(Kind::Function, self.span(at, at)?, Scope::Code)
            }
            "val" | "let" => {
                let name = match self.kind(at)? {
                    token::Kind::Word => {
                        let name = self.word(at)?;
                        if matches!(name, "_" | "open" | "module" | "exception")
                            || name.starts_with(|c: char| c.is_uppercase())
                        {
                            return None;
                        }
                        self.span(at, at)?
                    }
                    // `let (+) a b =`
                    token::Kind::Group(b'(') => {
                        let (start, end, line) = self.span(at, at)?;
                        let name = self.words(start, end);
                        let inner = name.strip_prefix('(')?.strip_suffix(')')?.trim();
                        if inner.is_empty()
                            || inner.contains(|c: char| {
                                c.is_alphanumeric() || matches!(c, ',' | '_' | ' ')
                            })
                        {
                            return None;
                        }
                        (start, end, line)
                    }
                    _ => return None,
                };
                let function = if word == "val" {
                    self.position(next, |token| token.kind == token::Kind::ThinArrow)
                        .is_some()
                } else {
                    self.has_parameters(next)
                };
                let kind = if function {
                    Kind::Function
                } else {
                    Kind::Value
                };
                found(kind, name, Scope::Code)
            }
            _ => None,
        }
    }

    /// Whether a bound name is a function: it has parameters, or its value is a function. `next` is
    /// the index after the name.
    fn has_parameters(&self, next: usize) -> bool {
        if self.is(next, b'=') || self.is(next, b':') {
            let sign = self.position(next, |token| token.is(b'='));
            let value = sign.map_or(next, |sign| sign.saturating_add(1));
            return matches!(self.word(value), Some("fun" | "function"));
        }
        !self.is(next, b',') && self.get(next).is_some()
    }

    /// Whether the lines after the statement are a structure, a signature or an object:
    /// `module A = struct`.
    fn opens_structure(&self) -> bool {
        let (Some(first), Some(last)) = (self.tokens.first(), self.tokens.last()) else {
            return false;
        };
        let text = |token: &Token| self.words(token.start, token.end);
        let named =
            matches!(text(first), "module" | "class" | "and" | "end" | "let") || self.grouped;
        let object = self.tokens.len() > 1
            && last.kind == token::Kind::Group(b'(')
            && self
                .tokens
                .iter()
                .rev()
                .nth(1)
                .is_some_and(|token| text(token) == "object");
        named && (matches!(text(last), "struct" | "sig" | "object") || object)
    }
}
