//! What braces and groups of a script begin, and which statements go on.

use super::{Found, HEADER, Opener, Parser};
use crate::outline::grammar::{Habit, Place};
use crate::outline::header::{End, awaits_operand, opens_more};
use crate::outline::keywords::Roles;
use crate::outline::lexer::{self, Token};

impl Parser<'_> {
    /// What a brace of a script holds if it begins a value.
    pub(super) fn script_place(&self, last: Option<&Token>) -> Option<Place> {
        let group = matches!(self.block().opener, Opener::Group(b'(' | b'['));
        let Some(last) = last else {
            return group.then_some(Place::Entries);
        };
        let first = self
            .header()
            .first()
            .map_or("", |first| self.lexer.text(first));
        match last.kind {
            lexer::Kind::Punct(b':') => {
                (!matches!(first, "case" | "default")).then_some(Place::Entries)
            }
            lexer::Kind::Punct(b'=' | b',' | b'?' | b'&' | b'|' | b'+' | b'<' | b'!')
            | lexer::Kind::Operator => Some(Place::Entries),
            lexer::Kind::Word => match self.lexer.text(last) {
                "type" if matches!(first, "import" | "export") => Some(Place::Entries),
                "return" | "default" | "typeof" | "yield" | "await" | "in" | "of" | "const"
                | "let" | "var" | "import" | "export" => Some(Place::Entries),
                _ => group.then_some(Place::Code),
            },
            lexer::Kind::Arrow => None,
            _ => group.then_some(Place::Code),
        }
    }

    /// Whether a brace or group of a script begins a type.
    pub(super) fn begins_type(&self) -> bool {
        if self.block().place == Place::Types {
            return true;
        }
        let Some(last) = self.header().last() else {
            return false;
        };
        let operand = awaits_operand(last, self.lexer.text(last));
        let typed = self.language.does(Habit::Annotations);
        typed && (self.in_angles() || operand && self.as_header(End::Block).ends_in_type())
    }

    /// What parentheses of a script hold: parameters, or else what is not
    /// declared.
    pub(super) fn script_group(&self, open: &Token) -> Place {
        let place = self.block().place;
        if place == Place::Types {
            return Place::Types;
        }
        let round = open.is(b'(');
        let header = self.header();
        let Some(last) = header.last() else {
            return if round { Place::Values } else { Place::Code };
        };
        // `as(…)` is a call.
        let call = round && open.glued && last.kind == lexer::Kind::Word;
        if !call && self.begins_type() {
            return Place::Types;
        }
        match last.kind {
            _ if !round => Place::Code,
            lexer::Kind::Punct(b'=' | b'>' | b',' | b':') | lexer::Kind::Arrow => Place::Values,
            lexer::Kind::Word
            | lexer::Kind::Text
            | lexer::Kind::Group(b'[')
            | lexer::Kind::Punct(b'*') => {
                let named = matches!(place, Place::Members | Place::Entries)
                    && !header.iter().any(|token| token.is(b'=') || token.is(b':'));
                // `function`, `function name`, `function* name`
                let function = header.iter().rev().take(3).any(|token| {
                    token.kind == lexer::Kind::Word && self.lexer.text(token) == "function"
                });
                if named || function || matches!(self.lexer.text(last), "async" | "default") {
                    Place::Values
                } else {
                    Place::Code
                }
            }
            _ => Place::Code,
        }
    }

    /// Whether a statement goes on with the next line: a word or an open bracket
    /// of types tells so.
    pub(super) fn awaits_more(&self, last: &Token) -> bool {
        let word = last.kind == lexer::Kind::Word
            && matches!(self.lexer.text(last), "extends" | "implements");
        word || last.is(b'?') || self.in_angles()
    }

    /// Whether a comma stands between brackets of a type.
    pub(super) fn in_angles(&self) -> bool {
        self.language.does(Habit::Annotations)
            && opens_more(self.header())
            && self.as_header(End::Statement).in_angles()
    }

    /// Whether a comma ends what stands before it in statements of a script:
    /// it does not in imports, and where types are told that a class is one of.
    pub(super) fn separates_script(&self) -> bool {
        let header = self.header();
        if header.len() >= HEADER || self.in_angles() {
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

    /// Adds what has a name of its own beside the one that it is bound to.
    pub(super) fn add_inner(&mut self, outer: &Found, last: &Token) {
        let header = self.as_header(End::Block);
        if let Some((found, first)) = header.inner(outer) {
            let item = self.add(&found, &first, last);
            if let Some(item) = self.parsed.items.get_mut(item) {
                item.sign = first.line;
            }
        }
    }

    /// The end of what was added so is that of its block as well.
    pub(super) fn end_inner(&mut self, start: usize, outer: usize) {
        let inner = self.parsed.items.get_mut(outer.saturating_add(1));
        if let Some(item) = inner.filter(|item| item.start < start) {
            item.last = item.last.max(self.last_line);
        }
    }
}
