//! Tokens before a declaration: annotations, modifiers and macros.

use super::Statement;
use crate::grammar::Family;
use crate::keywords::Roles;
use crate::lexer;

impl Statement<'_> {
    /// The index of the first token after the annotations at the start of a declaration.
    pub fn annotations(&self) -> usize {
        let mut at = 0usize;
        while let Some(after) = self.annotation(at) {
            at = after;
        }
        at
    }

    /// The index of the token after the annotation that begins at the index `at`. Returns `None` if
    /// no annotation begins there. `@` before a keyword is not an annotation.
    fn annotation(&self, at: usize) -> Option<usize> {
        let next = at.saturating_add(1);
        match self.kind(at)? {
            lexer::Kind::Punct(b'@') => {
                let keyword = self.form(next);
                keyword.is_none().then(|| self.after_annotation(next))
            }
            lexer::Kind::Punct(b'#') if self.is_group(next, b'[') => Some(at.saturating_add(2)),
            lexer::Kind::Group(b'[')
                if matches!(self.language.family, Family::C | Family::Java) =>
            {
                Some(next)
            }
            _ => None,
        }
    }

    /// The index of the first token after the annotations, modifiers and macros before a
    /// declaration.
    pub fn prefix(&self) -> usize {
        let mut at = 0usize;
        loop {
            let next = at.saturating_add(1);
            let Some(token) = self.get(at) else {
                return at;
            };
            if let Some(after) = self.annotation(at) {
                at = after;
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
                // An access specifier: `public:`.
                lexer::Kind::Punct(b':') if at > 0 && self.language.family == Family::C => {
                    at = next;
                }
                lexer::Kind::Text if at > 0 && !self.is_group(next, b'(') => at = next,
                // `Base.@kwdef struct`
                lexer::Kind::Word
                    if self.language.family == Family::Julia && self.is_macro_of_julia(at) =>
                {
                    at = at.saturating_add(if self.is(next, b'.') { 3 } else { 1 });
                }
                lexer::Kind::Word => {
                    if !self.has(at, Roles::MODIFIER) {
                        match self.after_macro(at) {
                            Some(after) if self.language.family == Family::C => at = after,
                            _ => return at,
                        }
                        continue;
                    }
                    // A modifier may also be a name: `get() {`, `static: 1`.
                    let name = match self.kind(next) {
                        Some(lexer::Kind::Group(b'(')) => !matches!(
                            self.kind(at.saturating_add(2)),
                            Some(lexer::Kind::Word | lexer::Kind::Punct(b'*'))
                        ),
                        Some(lexer::Kind::Punct(b'=' | b'?' | b';')) | None => true,
                        Some(lexer::Kind::Punct(b':')) => self.language.family != Family::C,
                        Some(lexer::Kind::Punct(b'<')) => self.language.family == Family::Script,
                        _ => false,
                    };
                    if name {
                        return at;
                    }
                    at = next;
                    if self.is_group(at, b'(')
                        || (self.is_group(at, b'[') && self.language.family == Family::None)
                    {
                        at = at.saturating_add(1);
                    } else if self.is(at, b'<') {
                        at = self.after_angles(at);
                    }
                }
                _ => return at,
            }
        }
    }
}
