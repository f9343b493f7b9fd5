//! What a statement of a script has come to: whether a type or a value stands
//! where it ends, and which name it binds to a function or class.

use super::{Found, Header};
use crate::outline::grammar::{Habit, Kind, Place};
use crate::outline::keywords::Roles;
use crate::outline::lexer::{self, Token};

/// What a part of a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Not a type.
    Value,
    /// The type of a name, behind which a value may follow.
    Annotation,
    /// What a function returns, behind which its body may follow.
    Return,
    /// A type behind `as`, which ends before the next operator.
    Cast,
    /// A type that a name stands for: all that follows.
    Alias,
}

/// A name that may be bound.
#[derive(Clone, Copy, Debug)]
struct Target {
    name: (usize, usize, u32),
    /// It is a part of something: `a.name`, `a["name"]`.
    part: bool,
}

/// A statement of a script as far as it was read.
#[derive(Debug)]
pub struct Reading<'r> {
    header: &'r Header<'r>,
    typed: bool,
    /// Where the statement begins, behind words like `const`.
    from: usize,
    part: Part,
    /// Brackets of types that are open: `<`.
    angles: u32,
    /// `?` whose `:` is still to come.
    choices: u32,
    /// The key of an entry has passed.
    keyed: bool,
    target: Option<Target>,
    /// The first name that is bound to a function or class.
    pub bound: Option<Found>,
    /// The last `function` or `class`.
    pub keyword: Option<usize>,
}

impl<'h> Header<'h> {
    /// Reads a statement of a script.
    pub fn reading(&'h self, from: usize) -> Reading<'h> {
        let mut reading = Reading {
            header: self,
            typed: self.language.does(Habit::Annotations),
            from,
            part: Part::Value,
            angles: 0,
            choices: 0,
            keyed: false,
            target: None,
            bound: None,
            keyword: None,
        };
        for (at, token) in self.tokens.iter().enumerate().skip(from) {
            if reading.angles > 0 {
                reading.in_angles(token);
            } else if reading.part == Part::Value {
                reading.in_value(at, token);
            } else {
                reading.in_type(at, token);
            }
        }
        reading
    }
}

impl Reading<'_> {
    /// Whether what was read last is a part of a type.
    pub fn is_type(&self) -> bool {
        self.part != Part::Value
    }

    fn in_angles(&mut self, token: &Token) {
        match token.kind {
            lexer::Kind::Punct(b'<') => self.angles = self.angles.saturating_add(1),
            lexer::Kind::Punct(b'>') => self.angles = self.angles.saturating_sub(1),
            lexer::Kind::Operator if self.header.compares(token) => self.angles = 0,
            _ => {}
        }
    }

    fn in_value(&mut self, at: usize, token: &Token) {
        let part = self.follows_dot(at);
        match token.kind {
            lexer::Kind::Punct(b'<') if self.typed && self.header.opens_angle(at, token) => {
                self.angles = 1;
            }
            lexer::Kind::Punct(b'?') if self.chooses(at) => {
                self.choices = self.choices.saturating_add(1);
                self.target = None;
            }
            lexer::Kind::Punct(b':') => self.colon(at),
            lexer::Kind::Punct(b'=') => self.assigned(at),
            lexer::Kind::Word => {
                match self.header.words(token.start, token.end) {
                    "as" | "satisfies" if self.casts(at) => self.part = Part::Cast,
                    "function" | "class" if !part && self.begins_body(at) => {
                        self.keyword = Some(at);
                    }
                    _ => {}
                }
                let sign = at.checked_sub(1).filter(|sign| self.header.is(*sign, b'#'));
                let first = sign.and_then(|sign| self.header.get(sign)).unwrap_or(token);
                let part = part || self.follows_dot(at.saturating_sub(1));
                self.aims((first.start, token.end, token.line), part);
            }
            lexer::Kind::Text | lexer::Kind::Number => {
                self.aims(token.place(), part);
            }
            lexer::Kind::Group(b'[') if at == self.from && self.header.has_keys() => {
                self.aims(token.place(), false);
            }
            lexer::Kind::Group(b'[') => self.aims(self.header.inside(token), true),
            lexer::Kind::Punct(b'.' | b'?' | b'!' | b'#') => {}
            _ => self.target = None,
        }
    }

    fn in_type(&mut self, at: usize, token: &Token) {
        let cast = self.part == Part::Cast;
        match token.kind {
            lexer::Kind::Punct(b'<') => self.angles = 1,
            lexer::Kind::Punct(b'=') if self.part == Part::Annotation => self.assigned(at),
            lexer::Kind::Arrow if self.part == Part::Alias || self.is_of_type(at) => {}
            lexer::Kind::Arrow => self.part = Part::Value,
            lexer::Kind::Punct(b'?') if cast => {
                self.choices = self.choices.saturating_add(1);
                self.part = Part::Value;
            }
            lexer::Kind::Punct(b':') if cast => {
                self.choices = self.choices.saturating_sub(1);
                self.part = Part::Value;
            }
            lexer::Kind::Operator | lexer::Kind::Punct(b'+' | b'-' | b'*' | b'/' | b'%')
                if cast =>
            {
                self.part = Part::Value;
            }
            _ => {}
        }
        if self.part == Part::Value {
            self.target = None;
        }
    }

    fn aims(&mut self, name: (usize, usize, u32), part: bool) {
        self.target = Some(Target { name, part });
    }

    fn follows_dot(&self, at: usize) -> bool {
        let before = at.checked_sub(1);
        before.is_some_and(|before| self.header.is(before, b'.'))
    }

    /// Whether `?` chooses between values, and does not say that a name may be
    /// left out.
    fn chooses(&self, at: usize) -> bool {
        let next = at.saturating_add(1);
        let optional = at == self.from.saturating_add(1)
            && self.header.place != Place::Entries
            && self.header.has_keys();
        !optional
            && !matches!(
                self.header.kind(next),
                None | Some(lexer::Kind::Punct(b':' | b'.' | b',' | b'='))
            )
    }

    /// Whether `as` follows a value, and is not a name.
    fn casts(&self, at: usize) -> bool {
        if !self.typed {
            return false;
        }
        let before = at.checked_sub(1).filter(|_| at > self.from);
        // It is a name: `as(…)`, `as: …`
        let behind = self.header.get(at.saturating_add(1));
        let name = behind.is_some_and(|behind| match behind.kind {
            lexer::Kind::Punct(b':' | b'=' | b'?' | b'.' | b',') | lexer::Kind::Operator => true,
            lexer::Kind::Group(b'(') => behind.glued,
            _ => false,
        });
        let value = matches!(
            before.and_then(|before| self.header.kind(before)),
            Some(
                lexer::Kind::Word
                    | lexer::Kind::Text
                    | lexer::Kind::Number
                    | lexer::Kind::Group(_)
                    | lexer::Kind::Punct(b'>' | b'!')
            )
        );
        value && !name
    }

    /// Whether `function` begins one, and is no name.
    fn begins_body(&self, at: usize) -> bool {
        !matches!(
            self.header.kind(at.saturating_add(1)),
            Some(lexer::Kind::Punct(b':' | b'=' | b',' | b'.' | b'?'))
        )
    }

    fn colon(&mut self, at: usize) {
        let next = at.saturating_add(1);
        let header = self.header;
        let returns = at
            .checked_sub(1)
            .is_some_and(|at| header.is_group(at, b'('));
        let second = at == self.from.saturating_add(1);
        let code = matches!(header.place, Place::File | Place::Code);
        if self.choices > 0 {
            self.choices = self.choices.saturating_sub(1);
            self.target = None;
        } else if code && matches!(header.word(self.from), Some("case" | "default")) {
            self.from = next;
            self.target = None;
        } else if header.place == Place::Entries && !self.keyed && !returns {
            self.keyed = true;
            self.bind(at);
        } else if self.typed && returns {
            self.part = Part::Return;
        } else if self.typed && code && second && self.from == 0 {
            // A label.
            self.from = next;
            self.target = None;
        } else if self.typed {
            self.part = Part::Annotation;
        } else {
            // The beginning of an object is missing.
            let control = header.has(self.from, Roles::CONTROL);
            if second && !control && header.place != Place::Members {
                self.bind(at);
            }
            self.target = None;
        }
    }

    /// `=` binds a name, but for those of parameters: they may have functions as
    /// what they are by default.
    fn assigned(&mut self, at: usize) {
        let plain = self.target.is_none_or(|target| !target.part);
        let default = match self.header.place {
            Place::Entries => plain || !self.keyed,
            Place::Values => plain,
            _ => false,
        };
        self.part = Part::Value;
        if self.is_alias() {
            self.part = Part::Alias;
        } else if !default {
            self.bind(at);
        }
        self.target = None;
    }

    /// `type name =`, `type name<…> =`
    fn is_alias(&self) -> bool {
        let behind = self.from.saturating_add(2);
        self.typed
            && self.header.word(self.from) == Some("type")
            && self.header.word(self.from.saturating_add(1)).is_some()
            && (self.header.is(behind, b'=') || self.header.is(behind, b'<'))
    }

    fn bind(&mut self, sign: usize) {
        let header = self.header;
        if let Some(target) = self.target.take()
            && self.bound.is_none()
            && let Some(kind) = header.bound_kind(sign.saturating_add(1))
        {
            self.bound = Some(Found {
                kind,
                name: Some(target.name),
                holds: if kind == Kind::Type {
                    Place::Members
                } else {
                    Place::Code
                },
                head: header.get(sign).map(|token| token.line),
            });
        }
    }

    /// Whether an arrow is a part of a type: `(name: type) => type`, but not
    /// `(): (type) => {`.
    fn is_of_type(&self, arrow: usize) -> bool {
        let Some(before) = arrow.checked_sub(1) else {
            return false;
        };
        let Some(group) = self.header.get(before) else {
            return false;
        };
        if group.kind != lexer::Kind::Group(b'(') {
            return false;
        }
        self.part != Part::Return || self.header.is_parameters(group)
    }
}

impl Header<'_> {
    /// What stands between the brackets of a group.
    fn inside(&self, group: &Token) -> (usize, usize, u32) {
        let start = group.start.saturating_add(1);
        let inner = self.words(start, group.end.saturating_sub(1));
        let blanks = inner.len().saturating_sub(inner.trim_start().len());
        let start = start.saturating_add(blanks);
        (start, start.saturating_add(inner.trim().len()), group.line)
    }

    /// Whether a group of a type tells of parameters: their names have types, or
    /// they are alone.
    fn is_parameters(&self, group: &Token) -> bool {
        let (start, end, _) = self.inside(group);
        let inner = self.words(start, end);
        let word = inner
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..))
            .count();
        let behind = inner.get(word..).unwrap_or_default().trim_start();
        match behind.as_bytes().first() {
            None => true,
            Some(b':' | b',' | b'?') => word > 0,
            Some(b'.') => behind.starts_with("..."),
            Some(b'{' | b'[') => word == 0,
            _ => false,
        }
    }
}
