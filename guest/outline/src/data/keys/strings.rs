//! Strings of YAML and TOML, and keys that may be strings.

use super::json::unescaped;
use crate::limits;
use std::borrow::Cow;

/// The format of a value in brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `{key: value}`
    Yaml,
    /// `{ key = value }`
    Toml,
}

/// A position in a text.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// The byte offset.
    pub offset: usize,
    /// The line.
    pub line: u32,
}

/// The offset after the string that begins at `at`, and the line of that offset. A string on one
/// line of TOML ends with its line if its closing quote is missing.
pub fn string(bytes: &[u8], at: At, style: Style) -> (usize, u32) {
    let At {
        offset, mut line, ..
    } = at;
    let quote = bytes.get(offset).copied().unwrap_or(b'"');
    let triple = style == Style::Toml
        && bytes
            .get(offset..)
            .is_some_and(|rest| rest.starts_with(&[quote; 3]));
    let mut next = offset.saturating_add(if triple { 3 } else { 1 });
    while let Some(rest) = bytes.get(next..)
        && let Some(skipped) = memchr::memchr3(quote, b'\\', b'\n', rest)
    {
        next = next.saturating_add(skipped);
        let byte = rest.get(skipped).copied().unwrap_or_default();
        let after = next.saturating_add(1);
        match byte {
            b'\\' if quote == b'"' => {
                if bytes.get(after) == Some(&b'\n') {
                    line = line.saturating_add(1);
                }
                next = next.saturating_add(2);
                continue;
            }
            b'\n' if style == Style::Toml && !triple => return (next, line),
            b'\n' => line = line.saturating_add(1),
            _ if byte == quote && triple => {
                let rest = bytes.get(next..).unwrap_or_default();
                if rest.starts_with(&[quote; 3]) {
                    // Up to two quotes may precede the closing ones.
                    let mut end = next.saturating_add(3);
                    for _ in 0..2 {
                        end = end.saturating_add(usize::from(bytes.get(end) == Some(&quote)));
                    }
                    return (end, line);
                }
                next = after;
                continue;
            }
            _ if byte == quote && style == Style::Yaml && quote == b'\'' => {
                if bytes.get(after) != Some(&quote) {
                    return (after, line);
                }
                next = next.saturating_add(2);
                continue;
            }
            _ if byte == quote => return (after, line),
            _ => {}
        }
        next = after;
    }
    // The closing quote is missing. White space at the end of the text is not part of the string.
    let end = bytes.trim_ascii_end().len().max(offset.saturating_add(1));
    let after = bytes.get(end..).unwrap_or_default();
    let lines = memchr::memchr_iter(b'\n', after).count();
    let lines = u32::try_from(lines).unwrap_or(u32::MAX);
    (end, line.saturating_sub(lines))
}

/// The parts of a dotted key, without quotes and escapes. The last part holds the rest of a key with
/// too many parts.
pub fn dotted(key: &str) -> Vec<Cow<'_, str>> {
    let mut parts = Vec::new();
    let mut rest = key.trim();
    while parts.len() < limits::KEY_PARTS && !rest.is_empty() {
        let quote = rest
            .chars()
            .next()
            .filter(|quote| matches!(quote, '"' | '\''));
        let (part, after) = match quote {
            Some(quote) => {
                let at = At { offset: 0, line: 1 };
                let (end, _) = string(rest.as_bytes(), at, Style::Toml);
                let raw = rest.get(..end).unwrap_or(rest);
                let inner = raw.strip_prefix(quote).unwrap_or(raw);
                let inner = inner.strip_suffix(quote).unwrap_or(inner);
                let part = if quote == '"' && inner.contains('\\') {
                    Cow::Owned(unescaped(inner))
                } else {
                    Cow::Borrowed(inner)
                };
                (part, rest.get(end..).unwrap_or_default())
            }
            None => {
                let end = rest.find('.').unwrap_or(rest.len());
                let (part, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
                (Cow::Borrowed(part.trim()), after)
            }
        };
        parts.push(part);
        let after = after.trim_start();
        rest = after.strip_prefix('.').unwrap_or(after).trim_start();
    }
    parts
}
