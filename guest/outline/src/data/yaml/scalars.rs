//! The parts of one line of YAML: dashes, a key, and a value that may continue.

use super::super::lines::Line;
use memchr::memchr_iter;

/// The kind of a value, as far as the line on which the value begins shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// No value on this line.
    Empty,
    /// A value that ends on this line.
    Whole,
    /// A value that continues on the next line.
    Open(Open),
}

/// A value that continues on the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// A block scalar, which ends before a line with less indentation.
    Block,
    /// A scalar in quotes of this kind.
    Quoted(u8),
    /// A flow collection: `[…]` or `{…}`.
    Flow {
        /// The number of brackets that are not closed.
        depth: u32,
        /// The quote that ends the open scalar in the collection, if a scalar is open.
        quote: Option<u8>,
    },
}

impl Open {
    /// Reads the next line of the value. Returns whether the value ends on this line.
    pub fn closes(&mut self, text: &str) -> bool {
        match self {
            Self::Block => false,
            Self::Quoted(quote) => after_quote(text, *quote).is_some(),
            Self::Flow { depth, quote } => flow(text, depth, quote),
        }
    }
}

/// Splits a line into its leading dashes and the rest. Returns the columns of the first and the
/// last dash (if there are dashes), the column of the rest, and the rest.
pub fn entries<'t>(line: &Line<'t>) -> (Option<(usize, usize)>, usize, &'t str) {
    let (mut dashes, mut rest) = (None, line.bare);
    let column = |rest: &str| line.text.len().saturating_sub(rest.len());
    loop {
        let after = match rest.as_bytes() {
            [b'-', b' ' | b'\t', ..] | [b'-'] => {
                let dash = column(rest);
                dashes = Some((dashes.map_or(dash, |(first, _)| first), dash));
                rest.get(1..)
            }
            [b'?', b' ' | b'\t', ..] | [b'?'] => rest.get(1..),
            _ => return (dashes, column(rest), rest),
        };
        rest = after.unwrap_or_default().trim_start_matches([' ', '\t']);
    }
}

/// Splits a text into its leading key and the rest after the colon.
pub fn key(text: &str) -> Option<(&str, &str)> {
    let text = without_properties(text);
    let ends = |after: &str| after.is_empty() || after.starts_with([' ', '\t']);
    match text.bytes().next()? {
        quote @ (b'"' | b'\'') => {
            let inner = text.get(1..)?;
            let after = after_quote(inner, quote)?;
            let name = inner.get(..inner.len().saturating_sub(after.len()).saturating_sub(1))?;
            let after = after.trim_start_matches(' ').strip_prefix(':')?;
            ends(after).then_some((name, after))
        }
        b'[' | b'{' | b']' | b'}' | b'#' | b'|' | b'>' | b'%' | b'@' | b'`' | b',' => None,
        _ => memchr_iter(b':', text.as_bytes()).find_map(|at| {
            let after = text
                .get(at.saturating_add(1)..)
                .filter(|after| ends(after))?;
            Some((text.get(..at)?, after))
        }),
    }
    .filter(|(name, _)| !name.contains(" #"))
}

/// Classifies the value that begins on this line.
pub fn value(text: &str) -> Value {
    let text = without_properties(text.trim_ascii());
    let after = text.get(1..).unwrap_or_default();
    let open = match text.bytes().next() {
        None | Some(b'#') => return Value::Empty,
        Some(b'|' | b'>') => {
            let mut words = after.split_ascii_whitespace();
            let mark = if after.starts_with([' ', '\t']) {
                ""
            } else {
                words.next().unwrap_or_default()
            };
            let marked = mark
                .bytes()
                .all(|byte| matches!(byte, b'+' | b'-' | b'0'..=b'9'));
            let ends = words.next().is_none_or(|word| word.starts_with('#'));
            (marked && ends).then_some(Open::Block)
        }
        Some(quote @ (b'"' | b'\'')) => after_quote(after, quote)
            .is_none()
            .then_some(Open::Quoted(quote)),
        Some(b'[' | b'{') => {
            let (mut depth, mut quote) = (0, None);
            let closes = flow(text, &mut depth, &mut quote);
            (!closes).then_some(Open::Flow { depth, quote })
        }
        _ => None,
    };
    open.map_or(Value::Whole, Value::Open)
}

/// Removes leading anchors and tags.
pub fn without_properties(mut text: &str) -> &str {
    while text.starts_with(['&', '!']) {
        let (_, after) = text.split_once([' ', '\t']).unwrap_or_default();
        text = after.trim_ascii_start();
    }
    text
}

/// The text after the closing quote of a scalar. `text` begins inside the scalar. Returns `None` if
/// the closing quote is missing.
fn after_quote(text: &str, quote: u8) -> Option<&str> {
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        if byte == b'\\' && quote == b'"' {
            bytes.next();
        } else if byte == quote {
            let after = text.get(at.saturating_add(1)..)?;
            if quote == b'"' || !after.starts_with('\'') {
                return Some(after);
            }
            bytes.next();
        }
    }
    None
}

/// Reads the next line of a flow collection. Updates the number of open brackets and the open
/// quote. Returns whether the collection ends on this line.
fn flow(text: &str, depth: &mut u32, quote: &mut Option<u8>) -> bool {
    let mut bytes = text.bytes();
    let mut before = b' ';
    while let Some(byte) = bytes.next() {
        match (byte, *quote) {
            (b'\\', Some(b'"')) => {
                bytes.next();
            }
            (_, Some(open)) if byte == open => *quote = None,
            (_, Some(_)) => {}
            // Quotes inside a word do not begin a scalar.
            (b'"' | b'\'', _) if matches!(before, b' ' | b'[' | b'{' | b',' | b':') => {
                *quote = Some(byte);
            }
            (b'#', _) if before == b' ' => return false,
            (b'[' | b'{', _) => *depth = depth.saturating_add(1),
            (b']' | b'}', _) => {
                *depth = depth.saturating_sub(1);
                if *depth == 0 {
                    return true;
                }
            }
            _ => {}
        }
        before = byte;
    }
    false
}
