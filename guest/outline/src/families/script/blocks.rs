//! Scopes in braces and groups of a script, and statements that continue.

use super::types::{awaits_operand, opens_more};
use crate::grammar::Scope;
use crate::language::{Quirk, Statement};
use crate::limits;
use crate::token::{self, Roles, Token};

impl Statement<'_> {
    /// The scope (what may be declared) inside a `{` after the statement, if the `{` begins a value.
    /// Returns `None` if it begins no value.
    pub fn script_values(&self) -> Option<Scope> {
        let group = self.grouped;
        let Some(last) = self.tokens.last() else {
            return group.then_some(Scope::Entries);
        };
        let first = self.first_text();
        match last.kind {
            token::Kind::Punct(b':') => {
                (!matches!(first, "case" | "default")).then_some(Scope::Entries)
            }
            token::Kind::Punct(b'=' | b',' | b'?' | b'&' | b'|' | b'+' | b'<' | b'!')
            | token::Kind::Operator => Some(Scope::Entries),
            token::Kind::Word => match self.words(last.start, last.end) {
                "type" if matches!(first, "import" | "export") => Some(Scope::Entries),
                "return" | "default" | "typeof" | "yield" | "await" | "in" | "of" | "const"
                | "let" | "var" | "import" | "export" => Some(Scope::Entries),
                _ => group.then_some(Scope::Code),
            },
            token::Kind::Arrow => None,
            _ => group.then_some(Scope::Code),
        }
    }

    /// The text of the first token.
    fn first_text(&self) -> &str {
        let first = self.tokens.first();
        first.map_or("", |first| self.words(first.start, first.end))
    }

    /// Whether a bracket after the statement begins a type, such as `{` after `name:`.
    pub fn begins_type(&self) -> bool {
        if self.place == Scope::Types {
            return true;
        }
        let Some(last) = self.tokens.last() else {
            return false;
        };
        let operand = awaits_operand(last, self.words(last.start, last.end));
        let typed = self.language.has_quirk(Quirk::Annotations);
        typed && (self.in_type_arguments() || operand && self.ends_in_type())
    }

    /// The scope inside the `(` or `[` of a script: types, parameters or code. `open` is the
    /// bracket.
    pub fn script_group(&self, open: &Token) -> Scope {
        if self.place == Scope::Types {
            return Scope::Types;
        }
        let round = open.is(b'(');
        let Some(last) = self.tokens.last() else {
            return if round { Scope::Values } else { Scope::Code };
        };
        // `as(…)` is a call.
        let call = round && open.adjacent && last.kind == token::Kind::Word;
        if !call && self.begins_type() {
            return Scope::Types;
        }
        let text = |token: &Token| self.words(token.start, token.end);
        match last.kind {
            _ if !round => Scope::Code,
            token::Kind::Punct(b'=' | b'>' | b',' | b':') | token::Kind::Arrow => Scope::Values,
            token::Kind::Word
            | token::Kind::Text
            | token::Kind::Group(b'[')
            | token::Kind::Punct(b'*') => {
                let named = matches!(self.place, Scope::Members | Scope::Entries)
                    && !self
                        .tokens
                        .iter()
                        .any(|token| token.is(b'=') || token.is(b':'));
                // `function`, `function name`, `function* name`
                let function = self
                    .tokens
                    .iter()
                    .rev()
                    .take(3)
                    .any(|token| token.kind == token::Kind::Word && text(token) == "function");
                if named || function || matches!(text(last), "async" | "default") {
                    Scope::Values
                } else {
                    Scope::Code
                }
            }
            _ => Scope::Code,
        }
    }

    /// Whether the last token requires a type after it, or a `<` of type arguments is open.
    pub fn awaits_type(&self) -> bool {
        let required = self.tokens.last().is_some_and(|last| {
            let word = last.kind == token::Kind::Word;
            let base = || self.words(last.start, last.end);
            last.is(b'?') || (word && matches!(base(), "extends" | "implements"))
        });
        required || self.in_type_arguments()
    }

    /// Whether the statement ends inside the `<…>` of type arguments, where a comma does not end
    /// it.
    pub fn in_type_arguments(&self) -> bool {
        self.language.has_quirk(Quirk::Annotations) && opens_more(self.tokens) && self.in_angles()
    }

    /// Whether a comma ends the statement. A comma in an import or in a list of base types does
    /// not.
    pub fn script_separates(&self) -> bool {
        if self.tokens.len() >= limits::STATEMENT_TOKENS || self.in_type_arguments() {
            return false;
        }
        let import = self.has(0, Roles::IMPORT);
        let inherits = |token: &Token| {
            token.kind == token::Kind::Word
                && matches!(self.words(token.start, token.end), "extends" | "implements")
        };
        !import && !self.tokens.iter().any(inherits)
    }
}
