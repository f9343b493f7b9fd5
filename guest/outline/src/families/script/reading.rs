//! Reads a statement of a script. The result is whether the statement ends in a type or in a value,
//! and which name it binds to a function or class.

use crate::grammar::{Kind, Scope};
use crate::language::{Declaration, Quirk, Statement};
use crate::token::{self, Place, Roles, Token};

/// The kind of the part of a statement to which the current token belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// A value.
    Value,
    /// The type after a name and `:`. A value may follow: `name: type = value`.
    Annotation,
    /// The return type of a function. The body may follow.
    Return,
    /// A type after `as`. It ends before the next operator.
    Cast,
    /// The type of a type alias: the rest of the statement.
    Alias,
}

/// A name that the next `=` or `:` may bind to a value.
#[derive(Clone, Copy, Debug)]
struct Target {
    name: Place,
    /// Whether the name is a member of another value: `a.name`, `a["name"]`.
    part: bool,
}

/// The state while a statement of JavaScript or TypeScript is read.
#[derive(Debug)]
pub struct Reading<'r> {
    header: &'r Statement<'r>,
    typed: bool,
    /// The index of the first token after words such as `const`.
    from: usize,
    part: Part,
    /// The number of `<` of types that are not closed.
    angles: u32,
    /// The number of `?` in conditional expressions `a ? b : c` whose `:` was not read yet.
    choices: u32,
    /// Whether the key of an object entry `key: value` was read.
    keyed: bool,
    target: Option<Target>,
    /// The first name that is bound to a function or class.
    pub bound: Option<Declaration>,
    /// The index of the last token that is the keyword `function` or `class`.
    pub keyword: Option<usize>,
}

impl<'h> Statement<'h> {
    /// Reads a statement of a script from the index `from` on.
    pub fn reading(&'h self, from: usize) -> Reading<'h> {
        let mut reading = Reading {
            header: self,
            typed: self.language.has_quirk(Quirk::Annotations),
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
    /// Whether the last token is a part of a type.
    pub fn is_type(&self) -> bool {
        self.part != Part::Value
    }

    fn in_angles(&mut self, token: &Token) {
        match token.kind {
            token::Kind::Punct(b'<') => self.angles = self.angles.saturating_add(1),
            token::Kind::Punct(b'>') => self.angles = self.angles.saturating_sub(1),
            token::Kind::Operator if self.header.compares(token) => self.angles = 0,
            _ => {}
        }
    }

    fn in_value(&mut self, at: usize, token: &Token) {
        let part = self.follows_dot(at);
        match token.kind {
            token::Kind::Punct(b'<') if self.typed && self.header.opens_angle(at, token) => {
                self.angles = 1;
            }
            token::Kind::Punct(b'?') if self.chooses(at) => {
                self.choices = self.choices.saturating_add(1);
                self.target = None;
            }
            token::Kind::Punct(b':') => self.colon(at),
            token::Kind::Punct(b'=') => self.assigned(at),
            token::Kind::Word => {
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
                self.set_target((first.start, token.end, token.line), part);
            }
            token::Kind::Text | token::Kind::Number => {
                self.set_target(token.place(), part);
            }
            token::Kind::Group(b'[') if at == self.from && self.header.has_keys() => {
                self.set_target(token.place(), false);
            }
            token::Kind::Group(b'[') => self.set_target(self.header.inside(token), true),
            token::Kind::Punct(b'.' | b'?' | b'!' | b'#') => {}
            _ => self.target = None,
        }
    }

    fn in_type(&mut self, at: usize, token: &Token) {
        let cast = self.part == Part::Cast;
        match token.kind {
            token::Kind::Punct(b'<') => self.angles = 1,
            token::Kind::Punct(b'=') if self.part == Part::Annotation => self.assigned(at),
            token::Kind::Arrow if self.part == Part::Alias || self.is_of_type(at) => {}
            token::Kind::Arrow => self.part = Part::Value,
            token::Kind::Punct(b'?') if cast => {
                self.choices = self.choices.saturating_add(1);
                self.part = Part::Value;
            }
            token::Kind::Punct(b':') if cast => {
                self.choices = self.choices.saturating_sub(1);
                self.part = Part::Value;
            }
            token::Kind::Operator | token::Kind::Punct(b'+' | b'-' | b'*' | b'/' | b'%')
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

    /// Records the most recent name, which the next `=` or `:` may bind to a value. `part` is
    /// whether the name is a member of another value.
    fn set_target(&mut self, name: Place, part: bool) {
        self.target = Some(Target { name, part });
    }

    fn follows_dot(&self, at: usize) -> bool {
        let before = at.checked_sub(1);
        before.is_some_and(|before| self.header.is(before, b'.'))
    }

    /// Whether `?` belongs to a conditional expression `a ? b : c`, and does not mark an optional
    /// name.
    fn chooses(&self, at: usize) -> bool {
        let next = at.saturating_add(1);
        let optional = at == self.from.saturating_add(1)
            && self.header.place != Scope::Entries
            && self.header.has_keys();
        !optional
            && !matches!(
                self.header.kind(next),
                None | Some(token::Kind::Punct(b':' | b'.' | b',' | b'='))
            )
    }

    /// Whether `as` or `satisfies` is an operator after a value, and not a name.
    fn casts(&self, at: usize) -> bool {
        if !self.typed {
            return false;
        }
        let before = at.checked_sub(1).filter(|_| at > self.from);
        // `as` is a name here: `as(…)`, `as: …`
        let after = self.header.get(at.saturating_add(1));
        let name = after.is_some_and(|after| match after.kind {
            token::Kind::Punct(b':' | b'=' | b'?' | b'.' | b',') | token::Kind::Operator => true,
            token::Kind::Group(b'(') => after.adjacent,
            _ => false,
        });
        let value = matches!(
            before.and_then(|before| self.header.kind(before)),
            Some(
                token::Kind::Word
                    | token::Kind::Text
                    | token::Kind::Number
                    | token::Kind::Group(_)
                    | token::Kind::Punct(b'>' | b'!')
            )
        );
        value && !name
    }

    /// Whether `function` or `class` is a keyword here, and not a name.
    fn begins_body(&self, at: usize) -> bool {
        !matches!(
            self.header.kind(at.saturating_add(1)),
            Some(token::Kind::Punct(b':' | b'=' | b',' | b'.' | b'?'))
        )
    }

    /// Handles `:`, which follows a key, a label, a parameter list, or a name that has a type.
    fn colon(&mut self, at: usize) {
        let next = at.saturating_add(1);
        let header = self.header;
        let returns = at
            .checked_sub(1)
            .is_some_and(|at| header.is_group(at, b'('));
        let second = at == self.from.saturating_add(1);
        let code = matches!(header.place, Scope::File | Scope::Code);
        if self.choices > 0 {
            self.choices = self.choices.saturating_sub(1);
            self.target = None;
        } else if code && matches!(header.word(self.from), Some("case" | "default")) {
            self.from = next;
            self.target = None;
        } else if header.place == Scope::Entries && !self.keyed && !returns {
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
            // If the start of an object is missing, this may be one of its keys.
            let control = header.has(self.from, Roles::CONTROL);
            if second && !control && header.place != Scope::Members {
                self.bind(at);
            }
            self.target = None;
        }
    }

    /// Handles `=`, which binds a name to a value. The name of a parameter is not recorded as
    /// bound, although its default value may be a function.
    fn assigned(&mut self, at: usize) {
        let plain = self.target.is_none_or(|target| !target.part);
        let default = match self.header.place {
            Scope::Entries => plain || !self.keyed,
            Scope::Values => plain,
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

    /// Whether the statement is a type alias: `type name =`, `type name<…> =`.
    fn is_alias(&self) -> bool {
        let after = self.from.saturating_add(2);
        self.typed
            && self.header.word(self.from) == Some("type")
            && self.header.word(self.from.saturating_add(1)).is_some()
            && (self.header.is(after, b'=') || self.header.is(after, b'<'))
    }

    /// Records that the most recent name is bound, if a function or class follows the sign at the
    /// index `sign`, which is `=` or `:`.
    fn bind(&mut self, sign: usize) {
        let header = self.header;
        if let Some(target) = self.target.take()
            && self.bound.is_none()
            && let Some(kind) = header.bound_kind(sign.saturating_add(1))
        {
            self.bound = Some(Declaration {
                kind,
                name: Some(target.name),
                holds: if kind == Kind::Type {
                    Scope::Members
                } else {
                    Scope::Code
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
        if group.kind != token::Kind::Group(b'(') {
            return false;
        }
        self.part != Part::Return || self.header.is_parameters(group)
    }
}

impl Statement<'_> {
    /// The text between the brackets of a group without surrounding white space: the byte offsets
    /// at which it starts and ends, and the line number of the group.
    fn inside(&self, group: &Token) -> Place {
        let start = group.start.saturating_add(1);
        let inner = self.words(start, group.end.saturating_sub(1));
        let spaces = inner.len().saturating_sub(inner.trim_start().len());
        let start = start.saturating_add(spaces);
        (start, start.saturating_add(inner.trim().len()), group.line)
    }

    /// Whether a group in a type contains parameters: names with types, or a single name.
    fn is_parameters(&self, group: &Token) -> bool {
        let (start, end, _) = self.inside(group);
        let inner = self.words(start, end);
        let word = inner
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..))
            .count();
        let after = inner.get(word..).unwrap_or_default().trim_start();
        match after.as_bytes().first() {
            None => true,
            Some(b':' | b',' | b'?') => word > 0,
            Some(b'.') => after.starts_with("..."),
            Some(b'{' | b'[') => word == 0,
            _ => false,
        }
    }
}
