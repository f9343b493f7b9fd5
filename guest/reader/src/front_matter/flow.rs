//! Values of YAML in brackets, braces and quotes. They may span several lines.

use super::scalar;
use super::wrong::Wrong;
use crate::limits;
use serde_json::{Map, Value};
use std::str::Chars;

/// The characters that end text without quotes in brackets and braces.
const INDICATORS: [char; 5] = [',', '[', ']', '{', '}'];

/// A value at the start of a text, and the text after it.
///
/// # Errors
/// Fails if the text does not start with a complete value.
pub(super) fn value(text: &str) -> Result<(Value, &str), Wrong> {
    let mut flow = Flow {
        rest: text.chars(),
        depth: 0,
    };
    let value = flow.node()?;
    Ok((value, flow.rest.as_str()))
}

struct Flow<'t> {
    rest: Chars<'t>,
    depth: usize,
}

impl Flow<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    /// Skips the next character if it is this one.
    fn takes(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.rest.next();
        }
        is_next
    }

    /// Skips white space, line ends and comments.
    fn skip(&mut self) {
        let mut is_after_space = false;
        while let Some(next) = self.peek() {
            match next {
                ' ' | '\t' | '\n' => is_after_space = true,
                '#' if is_after_space => {
                    let comment = self.rest.as_str();
                    let end = comment.find('\n').unwrap_or(comment.len());
                    self.rest = comment.get(end..).unwrap_or_default().chars();
                    continue;
                }
                _ => return,
            }
            self.rest.next();
        }
    }

    fn node(&mut self) -> Result<Value, Wrong> {
        self.skip();
        self.depth = self.depth.saturating_add(1);
        if self.depth > limits::FRONT_MATTER_DEPTH {
            return Err(Wrong::DEEP);
        }
        let (properties, rest) = scalar::properties(self.rest.as_str(), &INDICATORS);
        self.rest = rest.chars();
        let node = match self.peek() {
            Some('"') => self.double().map(Value::String),
            Some('\'') => self.single().map(Value::String),
            Some('[') => self.sequence(),
            Some('{') => self.mapping(),
            Some('*' | '|' | '>' | '%' | '@' | '`') | None => Err(Wrong::INVALID),
            Some(_) => self.plain(properties.is_text),
        };
        self.depth = self.depth.saturating_sub(1);
        node
    }

    fn sequence(&mut self) -> Result<Value, Wrong> {
        self.rest.next();
        let mut values = Vec::new();
        loop {
            self.skip();
            if self.takes(']') {
                return Ok(Value::Array(values));
            }
            let value = self.node()?;
            values.push(match self.pair_value()? {
                None => value,
                Some(second) => {
                    let key = scalar::key(value).ok_or(Wrong::INVALID)?;
                    Value::Object(Map::from_iter([(key, second)]))
                }
            });
            self.separator(']')?;
        }
    }

    fn mapping(&mut self) -> Result<Value, Wrong> {
        self.rest.next();
        let mut values = Map::new();
        loop {
            self.skip();
            if self.takes('}') {
                return Ok(Value::Object(values));
            }
            let key = scalar::key(self.node()?).ok_or(Wrong::INVALID)?;
            let value = self.pair_value()?.unwrap_or(Value::Null);
            if values.insert(key, value).is_some() {
                return Err(Wrong::TWICE);
            }
            self.separator('}')?;
        }
    }

    /// The value after a key and a colon. `None` if there is no colon.
    fn pair_value(&mut self) -> Result<Option<Value>, Wrong> {
        self.skip();
        if !self.takes(':') {
            return Ok(None);
        }
        self.skip();
        match self.peek() {
            Some(',' | ']' | '}') => Ok(Some(Value::Null)),
            _ => self.node().map(Some),
        }
    }

    fn separator(&mut self, end: char) -> Result<(), Wrong> {
        self.skip();
        let is_end = self.peek() == Some(end);
        (is_end || self.takes(','))
            .then_some(())
            .ok_or(Wrong::INVALID)
    }

    /// A value without quotes. It is text if a tag says so.
    fn plain(&mut self, is_text: bool) -> Result<Value, Wrong> {
        let mut text = String::new();
        while let Some(next) = self.peek() {
            let mut after = self.rest.clone();
            after.next();
            let after = after.next();
            let ends = match next {
                ':' => after.is_none_or(|c| c.is_whitespace() || INDICATORS.contains(&c)),
                '#' => text.ends_with([' ', '\t']),
                '-' | '?' if text.is_empty() => after.is_none_or(char::is_whitespace),
                next => INDICATORS.contains(&next),
            };
            if ends {
                break;
            }
            self.rest.next();
            if next == '\n' {
                self.fold(&mut text, 0);
            } else {
                text.push(next);
            }
        }
        let text = text.trim_end();
        if text.is_empty() {
            return Err(Wrong::INVALID);
        }
        Ok(if is_text {
            Value::String(text.to_owned())
        } else {
            scalar::value(text)
        })
    }

    /// Replaces a line end, and the white space around it, by a space, or by the empty lines that follow
    /// it. The first `keep` bytes of the text stay as they are.
    fn fold(&mut self, text: &mut String, keep: usize) {
        let end = text.trim_end_matches([' ', '\t']).len().max(keep);
        text.truncate(end);
        let mut empty = 0usize;
        while let Some(next @ (' ' | '\t' | '\n')) = self.peek() {
            self.rest.next();
            if next == '\n' {
                empty = empty.saturating_add(1);
            }
        }
        match empty {
            0 => text.push(' '),
            empty => text.extend(std::iter::repeat_n('\n', empty)),
        }
    }

    fn single(&mut self) -> Result<String, Wrong> {
        self.rest.next();
        let mut text = String::new();
        loop {
            match self.rest.next().ok_or(Wrong::INVALID)? {
                '\'' if self.takes('\'') => text.push('\''),
                '\'' => return Ok(text),
                '\n' => self.fold(&mut text, 0),
                other => text.push(other),
            }
        }
    }

    fn double(&mut self) -> Result<String, Wrong> {
        self.rest.next();
        let mut text = String::new();
        let mut keep = 0;
        loop {
            match self.rest.next().ok_or(Wrong::INVALID)? {
                '"' => return Ok(text),
                '\\' if self.takes('\n') => {
                    while let Some(' ' | '\t') = self.peek() {
                        self.rest.next();
                    }
                }
                '\\' => {
                    text.push(self.escape()?);
                    keep = text.len();
                }
                '\n' => self.fold(&mut text, keep),
                other => text.push(other),
            }
        }
    }

    /// The character of an escape, after its backslash.
    fn escape(&mut self) -> Result<char, Wrong> {
        Ok(match self.rest.next().ok_or(Wrong::INVALID)? {
            '0' => '\0',
            'a' => '\u{7}',
            'b' => '\u{8}',
            't' | '\t' => '\t',
            'n' => '\n',
            'v' => '\u{b}',
            'f' => '\u{c}',
            'r' => '\r',
            'e' => '\u{1b}',
            'N' => '\u{85}',
            '_' => '\u{a0}',
            'L' => '\u{2028}',
            'P' => '\u{2029}',
            same @ (' ' | '"' | '/' | '\\') => same,
            'x' => self.code(2)?,
            'u' => self.code(4)?,
            'U' => self.code(8)?,
            _ => return Err(Wrong::INVALID),
        })
    }

    /// The character whose number has this many hex digits. Two halves of one follow each other.
    fn code(&mut self, digits: usize) -> Result<char, Wrong> {
        let first = self.hex(digits)?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first).ok_or(Wrong::INVALID);
        }
        let is_pair = self.takes('\\') && self.takes('u');
        let second = if is_pair { self.hex(4)? } else { 0 };
        if !(0xdc00..0xe000).contains(&second) {
            return Err(Wrong::INVALID);
        }
        let high = first.wrapping_sub(0xd800) << 10;
        let low = second.wrapping_sub(0xdc00);
        char::from_u32(high.wrapping_add(low).wrapping_add(0x1_0000)).ok_or(Wrong::INVALID)
    }

    fn hex(&mut self, digits: usize) -> Result<u32, Wrong> {
        let mut number = 0u32;
        for _ in 0..digits {
            let digit = self.rest.next().and_then(|c| c.to_digit(16));
            let digit = digit.ok_or(Wrong::INVALID)?;
            number = number.wrapping_shl(4) | digit;
        }
        Ok(number)
    }
}
