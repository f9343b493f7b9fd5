//! Names of types in C and in languages with a similar syntax.

use super::macros::{is_attribute, is_shouted};
use crate::grammar::Keyword;
use crate::language::{Declaration, End, Statement};
use crate::token::{self, Place, Token};

impl Statement<'_> {
    /// The first name that a `typedef` declares: `typedef int a[3];`, `typedef int a(int);`,
    /// `typedef int (*a)(int);`.
    pub fn typedef(&self, from: usize) -> Option<Place> {
        if self.end == End::Block {
            return None;
        }
        self.declared(from)
    }

    /// The name that is declared by the tokens from the index `from` to the next comma or the end
    /// of the statement.
    pub fn declared(&self, from: usize) -> Option<Place> {
        let mut name = None;
        let mut at = from;
        while let Some(token) = self.get(at) {
            if token.is(b'<') {
                at = self.after_angles(at);
                continue;
            }
            at = at.saturating_add(1);
            match token.kind {
                token::Kind::Punct(b',') => break,
                token::Kind::Word if is_attribute(self.words(token.start, token.end)) => {
                    at = at.saturating_add(1);
                }
                token::Kind::Word => name = Some(token.place()),
                token::Kind::Group(b'(') if self.is_group(at, b'(') => {
                    return self.pointed(token);
                }
                _ => {}
            }
        }
        name
    }

    /// The last word in the brackets of `group`: `name` in `(*name)`.
    pub fn pointed(&self, group: &Token) -> Option<Place> {
        let text = self.words(group.start, group.end).strip_suffix(')')?;
        let text = text.trim_end();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = text
            .len()
            .saturating_sub(text.trim_end_matches(is_word).len());
        let end = group.start.saturating_add(text.len());
        Some((end.saturating_sub(length), end, group.line))
    }

    /// The declaration of a type, such as `class A : B {`. Its name is the last word before the
    /// base types or the block.
    pub fn tag(&self, form: &'static Keyword, from: usize) -> Option<Declaration> {
        if self.end != End::Block {
            return None;
        }
        let mut name = None;
        let mut at = from;
        while let Some(token) = self.get(at) {
            match token.kind {
                token::Kind::Word => {
                    let word = self.words(token.start, token.end);
                    let call = self.is_group(at.saturating_add(1), b'(');
                    if call {
                        // `struct a f(…) {` is a function. `class A(…) b {` is a type with a macro.
                        let after = at.saturating_add(2);
                        let function = name.is_some() && !is_shouted(word);
                        if !is_attribute(word) && (function || self.word(after).is_none()) {
                            return None;
                        }
                        at = after;
                        continue;
                    }
                    // The name in `class A B {` is the last word. A macro is not a name.
                    let more = name.is_some_and(|(start, end, _)| {
                        is_shouted(word) && !is_shouted(self.words(start, end))
                    });
                    if !matches!(word, "final" | "sealed") && !more {
                        name = Some(token.place());
                    }
                }
                token::Kind::Punct(b'<') => {
                    at = self.after_angles(at);
                    continue;
                }
                token::Kind::Punct(b':') => break,
                token::Kind::Punct(b'=' | b'*' | b'&') => return None,
                _ => {}
            }
            at = at.saturating_add(1);
        }
        Some(Declaration {
            kind: form.kind,
            name,
            holds: form.holds,
            head: None,
        })
    }
}
