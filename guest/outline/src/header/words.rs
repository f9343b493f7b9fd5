//! Declarations without a keyword in Lua, Ruby, Julia and Zig.

use super::{Declaration, End, Statement};
use crate::grammar::{Family, Kind, Scope};
use crate::lexer;

impl Statement<'_> {
    /// The declaration in a statement that does not begin with a keyword.
    pub(super) fn word_call(&self, at: usize) -> Option<Declaration> {
        match self.language.family {
            Family::Lua => self.lua(at),
            Family::Julia => self.julia(at),
            Family::Zig => self.zig(),
            _ => self.ruby(at),
        }
    }

    /// A function of Lua that is bound to a name: `a.b = function(`.
    fn lua(&self, from: usize) -> Option<Declaration> {
        let function = self.position(from, |token| {
            token.kind == lexer::Kind::Word && self.words(token.start, token.end) == "function"
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
            lexer::Kind::Word => {
                // `a.b.c`
                let mut first = name;
                while let Some(before) = first.checked_sub(2).filter(|before| *before >= from)
                    && matches!(
                        self.kind(before.saturating_add(1)),
                        Some(lexer::Kind::Punct(b'.' | b':'))
                    )
                    && self.word(before).is_some()
                {
                    first = before;
                }
                (self.get(first)?.start, token.end)
            }
            // `["a"]`
            lexer::Kind::Group(b'[') => {
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

    /// A constant or class of Ruby: `NAME = value`, `Name = Struct.new(…) do`.
    fn ruby(&self, from: usize) -> Option<Declaration> {
        let token = self
            .get(from)
            .filter(|token| token.kind == lexer::Kind::Word)?;
        let word = self.words(token.start, token.end);
        let capital = word.starts_with(|c: char| c.is_uppercase());
        let sign = from.saturating_add(1);
        if !capital || !self.is(sign, b'=') || self.place == Scope::Code {
            return None;
        }
        let value = sign.saturating_add(1);
        let new = self.is(value.saturating_add(1), b'.')
            && matches!(self.word(value.saturating_add(2)), Some("new" | "define"));
        let class = new
            && matches!(
                self.word(value),
                Some("Struct" | "Class" | "Data" | "Module")
            );
        Some(Declaration {
            kind: if class { Kind::Type } else { Kind::Value },
            name: Some(token.place()),
            holds: if class {
                Scope::Members
            } else {
                Scope::Entries
            },
            head: self.head(from),
        })
    }

    /// A short function of Julia: `name(parameters)::type where t =`.
    fn julia(&self, from: usize) -> Option<Declaration> {
        let mut group = from;
        while matches!(
            self.kind(group),
            Some(lexer::Kind::Word | lexer::Kind::Punct(b'.' | b':') | lexer::Kind::Group(b'{'))
        ) {
            group = group.saturating_add(1);
        }
        // `+(a, b) =`, `Base.:+(a, b) =`
        let signs = group == from || self.is(group.saturating_sub(1), b':');
        if signs {
            let after = self.position(group, |token| token.kind == lexer::Kind::Group(b'('))?;
            let signs = self.tokens.get(group..after).unwrap_or_default();
            if signs
                .iter()
                .any(|token| !matches!(token.kind, lexer::Kind::Punct(_) | lexer::Kind::Operator))
            {
                return None;
            }
            group = after;
        }
        let mut name = group.checked_sub(1).filter(|name| *name >= from)?;
        if self.is_group(name, b'{') {
            name = name.checked_sub(1).filter(|name| *name >= from)?;
        }
        if !self.is_group(group, b'(')
            || !self.get(group)?.adjacent
            || self.is(group.saturating_add(1), b',')
        {
            return None;
        }
        let mut at = group.saturating_add(1);
        // `::type where {t}`
        if self.kind(at) == Some(lexer::Kind::Path) || self.word(at) == Some("where") {
            at = self.position(at, |token| token.is(b'='))?;
        }
        if !self.is(at, b'=') {
            return None;
        }
        let token = self.get(name)?;
        Some(Declaration {
            kind: Kind::Function,
            name: Some(token.place()),
            holds: Scope::Code,
            head: self.get(at).map(|token| token.line),
        })
    }

    /// Whether a macro of Julia begins at the index `at`: `@inline`, `Base.@kwdef`.
    pub fn is_macro_of_julia(&self, at: usize) -> bool {
        let dotted = self.is(at.saturating_add(1), b'.');
        let name = at.saturating_add(if dotted { 2 } else { 0 });
        self.word(name).is_some_and(|word| word.starts_with('@'))
    }

    /// Whether the brace after the statement begins the members of a Zig type.
    pub fn is_container(&self) -> bool {
        let mut last = self.tokens.iter().rev();
        let first = last.next();
        let word = match first.map(|token| token.kind) {
            Some(lexer::Kind::Group(b'(')) => last.next(),
            _ => first,
        };
        word.is_some_and(|token| {
            matches!(
                self.words(token.start, token.end),
                "struct" | "union" | "enum" | "opaque"
            )
        })
    }

    /// A type of Zig that is bound to a constant: `const name = struct {`.
    fn zig(&self) -> Option<Declaration> {
        let at = self.prefix();
        if self.word(at) != Some("const") || self.end != End::Block {
            return None;
        }
        let name = self.get(at.saturating_add(1))?;
        let sign = self.position(at, |token| token.is(b'='))?;
        let mut value = sign.saturating_add(1);
        while matches!(self.word(value), Some("packed" | "extern" | "comptime")) {
            value = value.saturating_add(1);
        }
        let holds = match self.word(value)? {
            "struct" | "union" | "enum" | "opaque" => Scope::Members,
            "error" if value.saturating_add(1) == self.tokens.len() => Scope::Entries,
            _ => return None,
        };
        Some(Declaration {
            kind: Kind::Type,
            name: Some(name.place()),
            holds,
            head: None,
        })
    }
}
