//! What stands on a line of YAML: dashes, a key, a value that may go on.

use super::super::lines::Line;
use memchr::memchr_iter;

/// A value, as far as its line tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// None, or one on the lines that follow.
    Empty,
    /// All of it.
    Whole,
    /// One that goes on.
    Open(Open),
}

/// What goes on behind its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// A scalar, up to a line that is indented less.
    Block,
    /// A scalar in quotes.
    Quoted(u8),
    /// Brackets that are open, and the quote of a scalar in them.
    Flow {
        /// How many.
        depth: u32,
        /// The quote.
        quote: Option<u8>,
    },
}

impl Open {
    /// Whether it ends on a line.
    pub fn closes(&mut self, text: &str) -> bool {
        match self {
            Self::Block => false,
            Self::Quoted(quote) => behind_quote(text, *quote).is_some(),
            Self::Flow { depth, quote } => flow(text, depth, quote),
        }
    }
}

/// The columns of the first and the last dash that a line begins with, that of
/// what follows, and what follows.
pub fn entries<'t>(line: &Line<'t>) -> (Option<(usize, usize)>, usize, &'t str) {
    let (mut dashes, mut rest) = (None, line.bare);
    let column = |rest: &str| line.text.len().saturating_sub(rest.len());
    loop {
        let behind = match rest.as_bytes() {
            [b'-', b' ' | b'\t', ..] | [b'-'] => {
                let dash = column(rest);
                dashes = Some((dashes.map_or(dash, |(first, _)| first), dash));
                rest.get(1..)
            }
            [b'?', b' ' | b'\t', ..] | [b'?'] => rest.get(1..),
            _ => return (dashes, column(rest), rest),
        };
        rest = behind.unwrap_or_default().trim_start_matches([' ', '\t']);
    }
}

/// The key that a text begins with, and what follows it.
pub fn key(text: &str) -> Option<(&str, &str)> {
    let text = without_properties(text);
    let ends = |behind: &str| behind.is_empty() || behind.starts_with([' ', '\t']);
    match text.bytes().next()? {
        quote @ (b'"' | b'\'') => {
            let inner = text.get(1..)?;
            let behind = behind_quote(inner, quote)?;
            let name = inner.get(..inner.len().saturating_sub(behind.len()).saturating_sub(1))?;
            let behind = behind.trim_start_matches(' ').strip_prefix(':')?;
            ends(behind).then_some((name, behind))
        }
        b'[' | b'{' | b']' | b'}' | b'#' | b'|' | b'>' | b'%' | b'@' | b'`' | b',' => None,
        _ => memchr_iter(b':', text.as_bytes()).find_map(|at| {
            let behind = text
                .get(at.saturating_add(1)..)
                .filter(|behind| ends(behind))?;
            Some((text.get(..at)?, behind))
        }),
    }
    .filter(|(name, _)| !name.contains(" #"))
}

/// What a value is that begins on this line.
pub fn value(text: &str) -> Value {
    let text = without_properties(text.trim_ascii());
    let behind = text.get(1..).unwrap_or_default();
    let open = match text.bytes().next() {
        None | Some(b'#') => return Value::Empty,
        Some(b'|' | b'>') => {
            let mut words = behind.split_ascii_whitespace();
            let mark = if behind.starts_with([' ', '\t']) {
                ""
            } else {
                words.next().unwrap_or_default()
            };
            let marked = mark
                .bytes()
                .all(|byte| matches!(byte, b'+' | b'-' | b'0'..=b'9'));
            let told = words.next().is_none_or(|word| word.starts_with('#'));
            (marked && told).then_some(Open::Block)
        }
        Some(quote @ (b'"' | b'\'')) => behind_quote(behind, quote)
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

/// What follows anchors and tags.
fn without_properties(mut text: &str) -> &str {
    while text.starts_with(['&', '!']) {
        let (_, behind) = text.split_once([' ', '\t']).unwrap_or_default();
        text = behind.trim_ascii_start();
    }
    text
}

/// What follows the end of a scalar in quotes.
fn behind_quote(text: &str, quote: u8) -> Option<&str> {
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        if byte == b'\\' && quote == b'"' {
            bytes.next();
        } else if byte == quote {
            let behind = text.get(at.saturating_add(1)..)?;
            if quote == b'"' || !behind.starts_with('\'') {
                return Some(behind);
            }
            bytes.next();
        }
    }
    None
}

/// Goes on with brackets. Whether the last one is closed.
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
            // Within words they are none.
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
