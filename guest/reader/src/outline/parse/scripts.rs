//! What a brace of a script begins.

use super::{Opener, Parser};
use crate::outline::grammar::Place;
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
                "return" | "default" | "typeof" | "yield" | "await" | "in" | "of" | "const"
                | "let" | "var" | "import" | "export" => Some(Place::Entries),
                _ => group.then_some(Place::Code),
            },
            lexer::Kind::Arrow => None,
            _ => group.then_some(Place::Code),
        }
    }

    /// Whether a brace of a script begins a type.
    pub(super) fn begins_type(&self) -> bool {
        let block = self.block();
        if block.place == Place::Types {
            return true;
        }
        let header = self.header();
        let (Some(first), Some(last)) = (header.first(), header.last()) else {
            return false;
        };
        if self.language.form("type").is_none() {
            return false;
        }
        let first = self.lexer.text(first);
        let assigned = || first != "type" && header.iter().any(|token| token.is(b'='));
        match last.kind {
            lexer::Kind::Punct(b'&' | b'|' | b'<') => !assigned(),
            // `Map<string, {…}>`
            lexer::Kind::Punct(b',') => !assigned() && header.iter().any(|token| token.is(b'<')),
            lexer::Kind::Punct(b':') => {
                block.place != Place::Entries
                    && !matches!(first, "case" | "default")
                    && !self.chooses()
            }

            // `<T extends {…}>`
            lexer::Kind::Word if self.lexer.text(last) == "extends" => {
                let count = |sign| header.iter().filter(|token| token.is(sign)).count();
                count(b'<') > count(b'>')
            }
            lexer::Kind::Word => {
                matches!(
                    self.lexer.text(last),
                    "is" | "as" | "satisfies" | "keyof" | "infer"
                )
            }
            _ => false,
        }
    }

    /// `a ? b : …` stands in the statement.
    pub(super) fn chooses(&self) -> bool {
        let mut tokens = self.header().windows(2);
        tokens.any(|pair| match pair {
            // `name?: type` may be left out.
            [sign, next] => sign.is(b'?') && !next.is(b':') && !next.is(b'.'),
            _ => false,
        })
    }
}
