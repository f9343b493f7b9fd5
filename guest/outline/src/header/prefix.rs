//! Tokens before a declaration: annotations, modifiers and macros.

use crate::language::{Quirk, Statement};
use crate::token::{self, Roles};

impl Statement<'_> {
    /// The index of the first token after the annotations at the start of a declaration.
    pub fn annotations(&self) -> usize {
        let mut at = self.inner_attributes();
        while let Some(after) = self.annotation(at) {
            at = after;
        }
        at
    }

    /// The number of tokens of the attributes of a file, `#![…]`, at the start of the statement.
    pub fn inner_attributes(&self) -> usize {
        let mut at = 0usize;
        while self.is(at, b'#')
            && self.is(at.saturating_add(1), b'!')
            && self.is_group(at.saturating_add(2), b'[')
        {
            at = at.saturating_add(3);
        }
        at
    }

    /// The index of the token after the annotation that begins at the index `at`. Returns `None` if
    /// no annotation begins there. `@` before a keyword is not an annotation.
    fn annotation(&self, at: usize) -> Option<usize> {
        let next = at.saturating_add(1);
        match self.kind(at)? {
            token::Kind::Punct(b'@') => {
                let keyword = self.form(next);
                keyword.is_none().then(|| self.after_annotation(next))
            }
            token::Kind::Punct(b'#') if self.is_group(next, b'[') => Some(at.saturating_add(2)),
            token::Kind::Group(b'[') if self.language.has_quirk(Quirk::BracketAnnotations) => {
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
                token::Kind::Punct(b'@') => return next,
                token::Kind::Punct(b'#')
                    if self.is(next, b'!') && self.is_group(at.saturating_add(2), b'[') =>
                {
                    at = at.saturating_add(3);
                }
                token::Kind::Punct(b',') if at == 0 => at = next,
                // An access specifier: `public:`.
                token::Kind::Punct(b':') if at > 0 && self.language.has_quirk(Quirk::Labels) => {
                    at = next;
                }
                token::Kind::Text if at > 0 && !self.is_group(next, b'(') => at = next,
                token::Kind::Word => {
                    if !self.has(at, Roles::MODIFIER) {
                        match (self.language.family.after_macro)(self, at) {
                            Some(after) => at = after,
                            None => return at,
                        }
                        continue;
                    }
                    // A modifier may also be a name: `get() {`, `static: 1`.
                    let name = match self.kind(next) {
                        Some(token::Kind::Group(b'(')) => !matches!(
                            self.kind(at.saturating_add(2)),
                            Some(token::Kind::Word | token::Kind::Punct(b'*'))
                        ),
                        Some(token::Kind::Punct(b'=' | b'?' | b';')) | None => true,
                        Some(token::Kind::Punct(b':')) => !self.language.has_quirk(Quirk::Labels),
                        Some(token::Kind::Punct(b'<')) => {
                            self.language.has_quirk(Quirk::GenericModifiers)
                        }
                        _ => false,
                    };
                    if name {
                        return at;
                    }
                    at = next;
                    if self.is_group(at, b'(')
                        || (self.is_group(at, b'[')
                            && self.language.has_quirk(Quirk::ScopedModifiers))
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
