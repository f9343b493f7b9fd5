//! Scopes in braces and groups of a script, and statements that continue.

use super::{Declaration, Opener, Parser};
use crate::grammar::{Quirk, Scope};
use crate::header::{End, awaits_operand, opens_more};
use crate::keywords::Roles;
use crate::lexer::{self, Token};
use crate::limits;

impl Parser<'_> {
    /// The scope (what may be declared) inside a `{` of a script in JavaScript or TypeScript, if
    /// the `{` begins a value. `last` is the token before the `{`. Returns `None` if the `{` begins
    /// no value.
    pub(super) fn script_place(&self, last: Option<&Token>) -> Option<Scope> {
        let group = matches!(self.block().opener, Opener::Group(b'(' | b'['));
        let Some(last) = last else {
            return group.then_some(Scope::Entries);
        };
        let first = self
            .header()
            .first()
            .map_or("", |first| self.lexer.text(first));
        match last.kind {
            lexer::Kind::Punct(b':') => {
                (!matches!(first, "case" | "default")).then_some(Scope::Entries)
            }
            lexer::Kind::Punct(b'=' | b',' | b'?' | b'&' | b'|' | b'+' | b'<' | b'!')
            | lexer::Kind::Operator => Some(Scope::Entries),
            lexer::Kind::Word => match self.lexer.text(last) {
                "type" if matches!(first, "import" | "export") => Some(Scope::Entries),
                "return" | "default" | "typeof" | "yield" | "await" | "in" | "of" | "const"
                | "let" | "var" | "import" | "export" => Some(Scope::Entries),
                _ => group.then_some(Scope::Code),
            },
            lexer::Kind::Arrow => None,
            _ => group.then_some(Scope::Code),
        }
    }

    /// Whether a bracket after the current tokens of a script begins a type, such as `{` after
    /// `name:`.
    pub(super) fn begins_type(&self) -> bool {
        if self.block().place == Scope::Types {
            return true;
        }
        let Some(last) = self.header().last() else {
            return false;
        };
        let operand = awaits_operand(last, self.lexer.text(last));
        let typed = self.language.has_quirk(Quirk::Annotations);
        typed && (self.in_angles() || operand && self.as_header(End::Block).ends_in_type())
    }

    /// The scope inside the `(` or `[` of a script: types, parameters or code. `open` is the
    /// bracket.
    pub(super) fn script_group(&self, open: &Token) -> Scope {
        let place = self.block().place;
        if place == Scope::Types {
            return Scope::Types;
        }
        let round = open.is(b'(');
        let header = self.header();
        let Some(last) = header.last() else {
            return if round { Scope::Values } else { Scope::Code };
        };
        // `as(…)` is a call.
        let call = round && open.adjacent && last.kind == lexer::Kind::Word;
        if !call && self.begins_type() {
            return Scope::Types;
        }
        match last.kind {
            _ if !round => Scope::Code,
            lexer::Kind::Punct(b'=' | b'>' | b',' | b':') | lexer::Kind::Arrow => Scope::Values,
            lexer::Kind::Word
            | lexer::Kind::Text
            | lexer::Kind::Group(b'[')
            | lexer::Kind::Punct(b'*') => {
                let named = matches!(place, Scope::Members | Scope::Entries)
                    && !header.iter().any(|token| token.is(b'=') || token.is(b':'));
                // `function`, `function name`, `function* name`
                let function = header.iter().rev().take(3).any(|token| {
                    token.kind == lexer::Kind::Word && self.lexer.text(token) == "function"
                });
                if named || function || matches!(self.lexer.text(last), "async" | "default") {
                    Scope::Values
                } else {
                    Scope::Code
                }
            }
            _ => Scope::Code,
        }
    }

    /// Whether the current statement continues on the next line, because its last token requires
    /// more or because a `<` of type arguments is open.
    pub(super) fn awaits_more(&self, last: &Token) -> bool {
        let word = last.kind == lexer::Kind::Word
            && matches!(self.lexer.text(last), "extends" | "implements");
        word || last.is(b'?') || self.in_angles()
    }

    /// Whether the tokens of the current statement end inside the `<…>` of type arguments, where a
    /// comma does not end the statement.
    pub(super) fn in_angles(&self) -> bool {
        self.language.has_quirk(Quirk::Annotations)
            && opens_more(self.header())
            && self.as_header(End::Statement).in_angles()
    }

    /// Whether a comma ends the current statement of a script. A comma in an import or in a list of
    /// base types does not.
    pub(super) fn separates_script(&self) -> bool {
        let header = self.header();
        if header.len() >= limits::STATEMENT_TOKENS || self.in_angles() {
            return false;
        }
        let word = |token: &Token| self.lexer.text(token);
        let import = header
            .first()
            .is_some_and(|first| first.roles.has(Roles::IMPORT));
        let inherits = |token: &Token| {
            token.kind == lexer::Kind::Word && matches!(word(token), "extends" | "implements")
        };
        !import && !header.iter().any(inherits)
    }

    /// Adds an item for the second name of a function or class: `b` in `a = function b()`. `outer`
    /// is the declaration of the first name.
    pub(super) fn add_inner(&mut self, outer: &Declaration, last: &Token) {
        let header = self.as_header(End::Block);
        if let Some((found, first)) = header.inner(outer) {
            let item = self.add(&found, &first, last);
            if let Some(item) = self.parsed.items.get_mut(item) {
                item.sign = first.line;
            }
        }
    }

    /// Ends the item that [`Parser::add_inner`] added, at the end of the block of the declaration.
    /// `start` is the offset of the block, and `outer` is the index of the item for the first name.
    pub(super) fn end_inner(&mut self, start: usize, outer: usize) {
        let inner = self.parsed.items.get_mut(outer.saturating_add(1));
        if let Some(item) = inner.filter(|item| item.start < start) {
            item.last = item.last.max(self.last_line);
        }
    }
}
