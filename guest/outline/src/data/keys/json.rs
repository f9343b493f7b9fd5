//! The keys and elements of JSON.

use super::super::json::tokens::{Kind, Token, Tokens};
use super::{Begin, Key, Keys};
use crate::limits;
use std::borrow::Cow;

/// An object or array that has not ended.
struct Frame {
    object: bool,
    /// The index of the current element.
    index: usize,
    /// Whether a key or element is open.
    entered: bool,
    /// The string, number or word that is a key if a colon follows.
    word: Option<Token>,
}

/// Reports the keys and elements of JSON. Comments, trailing commas and unquoted keys are accepted.
/// A text that is not an object or array has no keys.
pub fn walk<'t>(text: &'t str, keys: &mut Keys<'t, '_>) {
    let mut frames: Vec<Frame> = Vec::new();
    let mut deeper = 0usize;
    // The line and the byte offset at which the previous token ends.
    let (mut last, mut end) = (1u32, 0usize);
    let mut tokens = Tokens::new(text);
    for token in tokens.by_ref() {
        match token.kind {
            Kind::Open { .. } if deeper > 0 || frames.len() >= limits::SECTION_DEPTH => {
                deeper = deeper.saturating_add(1);
            }
            Kind::Close { .. } if deeper > 0 => deeper = deeper.saturating_sub(1),
            _ if deeper > 0 => {}
            Kind::Open { object } => {
                element(keys, frames.last_mut(), &token);
                frames.push(Frame {
                    object,
                    index: 0,
                    entered: false,
                    word: None,
                });
            }
            Kind::Close { object } => {
                let found = frames.iter().rposition(|frame| frame.object == object);
                if let Some(found) = found {
                    while frames.len() > found
                        && let Some(frame) = frames.pop()
                    {
                        if frame.entered {
                            keys.leave(last, end);
                        }
                        if frames.len() > found {
                            keys.lost(token.line);
                        }
                    }
                } else {
                    keys.lost(token.line);
                }
            }
            Kind::Colon => {
                if let Some(frame) = frames.last_mut().filter(|frame| frame.object)
                    && let Some(word) = frame.word.take()
                {
                    // A comma may be missing.
                    if std::mem::replace(&mut frame.entered, true) {
                        keys.lost(word.line);
                        keys.leave(word.line.saturating_sub(1), word.start);
                    }
                    keys.enter(Key::Name(name(text, &word)), begin(&word));
                }
            }
            Kind::Comma => {
                if let Some(frame) = frames.last_mut() {
                    frame.index = frame.index.saturating_add(1);
                    frame.word = None;
                    if std::mem::take(&mut frame.entered) {
                        keys.leave(last, end);
                    }
                }
            }
            Kind::Value if frames.is_empty() => return,
            Kind::Value => {
                if !keys.skips_scalars {
                    element(keys, frames.last_mut(), &token);
                }
                if let Some(frame) = frames.last_mut() {
                    frame.word = Some(token);
                }
            }
        }
        (last, end) = (token.last, token_end(text, &token));
    }
    keys.leave_to(0, last, end);
    let unended = tokens.parsed.unbalanced_at;
    if let Some(line) = unended.or((!frames.is_empty()).then_some(last)) {
        keys.lost(line);
    }
}

/// Begins an element of an array at its first token.
fn element(keys: &mut Keys<'_, '_>, frame: Option<&mut Frame>, token: &Token) {
    if let Some(frame) = frame.filter(|frame| !frame.object && !frame.entered) {
        frame.entered = true;
        keys.enter(Key::Index(frame.index), begin(token));
    }
}

fn begin(token: &Token) -> Begin {
    Begin {
        first: token.line,
        line: token.line,
        start: token.start,
    }
}

/// The byte offset after a token.
fn token_end(text: &str, token: &Token) -> usize {
    let (from, to) = token.inner;
    match token.kind {
        Kind::Value if from > token.start => {
            // The closing quote may be missing.
            let quoted = text
                .as_bytes()
                .get(to)
                .is_some_and(|byte| matches!(byte, b'"' | b'\''));
            to.saturating_add(usize::from(quoted))
        }
        Kind::Value => to,
        _ => token.start.saturating_add(1),
    }
}

/// The name of a key without escapes.
fn name<'t>(text: &'t str, token: &Token) -> Cow<'t, str> {
    let (from, to) = token.inner;
    let raw = text.get(from..to).unwrap_or_default();
    if raw.contains('\\') {
        Cow::Owned(unescaped(raw))
    } else {
        Cow::Borrowed(raw)
    }
}

/// A string with its escapes replaced. Surrogates that do not form a pair become U+FFFD.
pub fn unescaped(raw: &str) -> String {
    let mut name = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('\\') {
        name.push_str(before);
        let mut letters = after.chars();
        match letters.next() {
            Some('n') => name.push('\n'),
            Some('t') => name.push('\t'),
            Some('r') => name.push('\r'),
            Some('b') => name.push('\u{8}'),
            Some('f') => name.push('\u{c}'),
            Some('u') => {
                let (letter, length) = code_point(after);
                name.push(letter);
                rest = after.get(length..).unwrap_or_default();
                continue;
            }
            Some(letter) => name.push(letter),
            None => {}
        }
        rest = letters.as_str();
    }
    name.push_str(rest);
    name
}

/// The character of an escape that begins with `u`, and the length of the escape in bytes.
fn code_point(escape: &str) -> (char, usize) {
    let unit = |from: usize| {
        let digits = escape.get(from..from.saturating_add(4))?;
        u32::from_str_radix(digits, 16).ok()
    };
    let Some(first) = unit(1) else {
        return (char::REPLACEMENT_CHARACTER, 1);
    };
    if let (0xd800..=0xdbff, Some("\\u"), Some(second @ 0xdc00..=0xdfff)) =
        (first, escape.get(5..7), unit(7))
    {
        let high = first.saturating_sub(0xd800) << 10;
        let letter = char::from_u32(
            0x1_0000u32
                .saturating_add(high)
                .saturating_add(second.saturating_sub(0xdc00)),
        );
        return (letter.unwrap_or(char::REPLACEMENT_CHARACTER), 11);
    }
    (
        char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER),
        5,
    )
}
