//! Lua: `name = function(`.

use crate::grammar::{Kind, Scope};
use crate::language::{Declaration, Family, Statement};
use crate::token::{self, Token};

/// The family of Lua.
pub const LUA: Family = Family {
    call: |statement, at| statement.lua(at),
    values: |_| Some(Scope::Entries),
    continues: |statement, next| statement.lua_continues(next),
    ..Family::OTHER
};

impl Statement<'_> {
    /// Whether a line of Lua continues the statement. `next` is the first token of the line.
    fn lua_continues(&self, next: &Token) -> bool {
        let awaits = self.tokens.last().is_some_and(|last| {
            let word = self.words(last.start, last.end);
            matches!(word, "and" | "or" | "not" | "..")
        });
        let begins = matches!(self.words(next.start, next.end), "and" | "or");
        awaits || begins || self.continues(next)
    }

    /// A function of Lua that is bound to a name: `a.b = function(`.
    fn lua(&self, from: usize) -> Option<Declaration> {
        let function = self.position(from, |token| {
            token.kind == token::Kind::Word && self.words(token.start, token.end) == "function"
        })?;
        // `a = b or function(`
        let mut sign = function.checked_sub(1)?;
        if self.word(sign) == Some("or") {
            sign = self.position(from, |token| token.is(b'='))?;
        }
        if !self.is(sign, b'=') {
            return None;
        }
        let name = sign.checked_sub(1).filter(|name| *name >= from)?;
        let token = self.get(name)?;
        let (start, end) = match token.kind {
            token::Kind::Word => {
                // `a.b.c`
                let mut first = name;
                while let Some(before) = first.checked_sub(2).filter(|before| *before >= from)
                    && matches!(
                        self.kind(before.saturating_add(1)),
                        Some(token::Kind::Punct(b'.' | b':'))
                    )
                    && self.word(before).is_some()
                {
                    first = before;
                }
                (self.get(first)?.start, token.end)
            }
            // `["a"]`
            token::Kind::Group(b'[') => {
                (token.start.saturating_add(1), token.end.saturating_sub(1))
            }
            _ => return None,
        };
        Some(Declaration {
            kind: Kind::Function,
            name: Some((start, end, token.line)),
            holds: Scope::Code,
            head: self.head(from),
        })
    }
}
