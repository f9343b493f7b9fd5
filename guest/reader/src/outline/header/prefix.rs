//! What stands before a declaration.

use super::Header;
use crate::outline::grammar::Calls;
use crate::outline::keywords::Roles;
use crate::outline::lexer;

impl Header<'_> {
    /// The token behind the annotations that a declaration begins with.
    pub fn annotations(&self) -> usize {
        let mut at = 0usize;
        while let Some(behind) = self.annotation(at) {
            at = behind;
        }
        at
    }

    /// The token behind the annotation that begins here; none does where `@` begins
    /// a keyword.
    fn annotation(&self, at: usize) -> Option<usize> {
        let next = at.saturating_add(1);
        match self.kind(at)? {
            lexer::Kind::Punct(b'@') => {
                let keyword = self.form(next);
                keyword.is_none().then(|| self.behind_annotation(next))
            }
            lexer::Kind::Punct(b'#') if self.is_group(next, b'[') => Some(at.saturating_add(2)),
            lexer::Kind::Group(b'[') if matches!(self.language.calls, Calls::C | Calls::Java) => {
                Some(next)
            }
            _ => None,
        }
    }

    /// The token behind what may stand before a declaration.
    pub fn prefix(&self) -> usize {
        let mut at = 0usize;
        loop {
            let next = at.saturating_add(1);
            let Some(token) = self.get(at) else {
                return at;
            };
            if let Some(behind) = self.annotation(at) {
                at = behind;
                continue;
            }
            match token.kind {
                lexer::Kind::Punct(b'@') => return next,
                lexer::Kind::Punct(b'#')
                    if self.is(next, b'!') && self.is_group(at.saturating_add(2), b'[') =>
                {
                    at = at.saturating_add(3);
                }
                lexer::Kind::Punct(b',') if at == 0 => at = next,
                // `public:`
                lexer::Kind::Punct(b':') if at > 0 && self.language.calls == Calls::C => at = next,
                lexer::Kind::Text if at > 0 && !self.is_group(next, b'(') => at = next,
                // `Base.@kwdef struct`
                lexer::Kind::Word
                    if self.language.calls == Calls::Julia && self.is_macro_of_julia(at) =>
                {
                    at = at.saturating_add(if self.is(next, b'.') { 3 } else { 1 });
                }
                lexer::Kind::Word => {
                    if !self.has(at, Roles::MODIFIER) {
                        match self.behind_macro(at) {
                            Some(behind) if self.language.calls == Calls::C => at = behind,
                            _ => return at,
                        }
                        continue;
                    }
                    // It may be a name as well: `get() {`, `static: 1`.
                    let name = match self.kind(next) {
                        Some(lexer::Kind::Group(b'(')) => !matches!(
                            self.kind(at.saturating_add(2)),
                            Some(lexer::Kind::Word | lexer::Kind::Punct(b'*'))
                        ),
                        Some(lexer::Kind::Punct(b'=' | b'?' | b';')) | None => true,
                        Some(lexer::Kind::Punct(b':')) => self.language.calls != Calls::C,
                        Some(lexer::Kind::Punct(b'<')) => self.language.calls == Calls::Script,
                        _ => false,
                    };
                    if name {
                        return at;
                    }
                    at = next;
                    if self.is_group(at, b'(')
                        || (self.is_group(at, b'[') && self.language.calls == Calls::None)
                    {
                        at = at.saturating_add(1);
                    } else if self.is(at, b'<') {
                        at = self.behind_angles(at);
                    }
                }
                _ => return at,
            }
        }
    }
}
