//! Flow collections of YAML, and arrays and inline tables of TOML: values in brackets.

use super::strings::{At, Style, dotted, string};
use super::{Begin, Key, Keys};
use crate::limits;
use std::borrow::Cow;

/// A collection that has not ended.
struct Frame {
    map: bool,
    index: usize,
    /// The number of keys that are open because of the current member. A dotted key has several.
    entered: usize,
    /// The start, end and line of the last scalar.
    scalar: Option<(usize, usize, u32)>,
}

/// Reports the keys in the value that begins at `at` with a bracket. `stops` is called with the
/// offset after each line break outside strings, and ends the value there if it returns `true`.
/// Returns the position after the last token of the value, and the offset from which the text goes on.
pub fn walk(
    keys: &mut Keys<'_, '_>,
    style: Style,
    at: At,
    stops: &mut dyn FnMut(usize) -> bool,
) -> (At, usize) {
    let text = keys.text();
    let bytes = text.as_bytes();
    let At {
        mut offset,
        mut line,
    } = at;
    let mut frames: Vec<Frame> = Vec::new();
    let mut deeper = 0usize;
    let depth = keys.depth();
    // The line and the offset at which the last token ends.
    let mut ended = (line, offset);
    while let Some(byte) = bytes.get(offset).copied() {
        let next = offset.saturating_add(1);
        let before = offset.checked_sub(1).and_then(|at| bytes.get(at));
        let spaced = before.is_none_or(u8::is_ascii_whitespace);
        match byte {
            b'\n' => {
                line = line.saturating_add(1);
                offset = next;
                if stops(offset) {
                    break;
                }
                continue;
            }
            b' ' | b'\t' | b'\r' => {}
            b'#' if spaced || style == Style::Toml => {
                let rest = bytes.get(offset..).unwrap_or_default();
                offset = offset.saturating_add(memchr::memchr(b'\n', rest).unwrap_or(rest.len()));
                continue;
            }
            b'[' | b'{' => {
                if deeper > 0 || frames.len() >= limits::SECTION_DEPTH {
                    deeper = deeper.saturating_add(1);
                } else {
                    element(keys, frames.last_mut(), At { offset, line });
                    frames.push(Frame {
                        map: byte == b'{',
                        index: 0,
                        entered: 0,
                        scalar: None,
                    });
                }
                ended = (line, next);
            }
            b']' | b'}' => {
                if deeper > 0 {
                    deeper = deeper.saturating_sub(1);
                } else if let Some(frame) = frames.pop() {
                    end_member(keys, frame.entered, ended);
                }
                ended = (line, next);
                if frames.is_empty() {
                    return (At { offset: next, line }, next);
                }
            }
            b',' => {
                if let Some(frame) = frames.last_mut().filter(|_| deeper == 0) {
                    frame.index = frame.index.saturating_add(1);
                    frame.scalar = None;
                    end_member(keys, std::mem::take(&mut frame.entered), ended);
                }
                ended = (line, next);
            }
            b':' | b'=' if binds(style, byte, bytes, offset) => {
                if let Some(frame) = frames.last_mut().filter(|frame| deeper == 0 && frame.map)
                    && let Some((start, end, line)) = frame.scalar.take()
                    && frame.entered == 0
                {
                    let raw = text.get(start..end).unwrap_or_default();
                    let begin = Begin {
                        first: line,
                        line,
                        start,
                    };
                    frame.entered = enter(keys, style, raw, begin);
                }
            }
            _ => {
                if deeper == 0 && !keys.skips_scalars {
                    element(keys, frames.last_mut(), At { offset, line });
                }
                let begun = frames.last().is_none_or(|frame| frame.scalar.is_none()) || spaced;
                let quoted = matches!(byte, b'"' | b'\'') && (begun || style == Style::Toml);
                let (end, last) = if quoted {
                    string(bytes, At { offset, line }, style)
                } else {
                    (next, line)
                };
                if let Some(frame) = frames.last_mut().filter(|_| deeper == 0) {
                    let scalar = frame.scalar.get_or_insert((offset, end, line));
                    scalar.1 = end;
                }
                (offset, line) = (end, last);
                ended = (line, offset);
                continue;
            }
        }
        offset = next;
    }
    let (line, end) = ended;
    keys.leave_to(depth, line, end);
    (At { offset: end, line }, offset)
}

/// Whether a `:` or `=` follows a key.
fn binds(style: Style, byte: u8, bytes: &[u8], offset: usize) -> bool {
    if style == Style::Toml {
        return byte == b'=';
    }
    let after = bytes.get(offset.saturating_add(1));
    let quoted = offset
        .checked_sub(1)
        .and_then(|at| bytes.get(at))
        .is_some_and(|before| matches!(before, b'"' | b'\''));
    byte == b':'
        && (quoted
            || after.is_none_or(|after| {
                after.is_ascii_whitespace() || matches!(after, b',' | b'{' | b'}' | b'[' | b']')
            }))
}

/// Begins a key. Returns the number of keys that were begun.
fn enter<'t>(keys: &mut Keys<'t, '_>, style: Style, raw: &'t str, begin: Begin) -> usize {
    match style {
        Style::Yaml => {
            keys.enter(Key::Name(Cow::Borrowed(unquoted(raw))), begin);
            1
        }
        Style::Toml => {
            let parts = dotted(raw);
            let count = parts.len();
            for part in parts {
                keys.enter(Key::Name(part), begin);
            }
            count
        }
    }
}

/// A scalar without its quotes.
pub fn unquoted(raw: &str) -> &str {
    let raw = raw.trim();
    let inner = |quote: char| raw.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(raw)
}

/// Begins an element of a sequence at its first token.
fn element(keys: &mut Keys<'_, '_>, frame: Option<&mut Frame>, at: At) {
    if let Some(frame) = frame.filter(|frame| !frame.map && frame.entered == 0) {
        frame.entered = 1;
        let begin = Begin {
            first: at.line,
            line: at.line,
            start: at.offset,
        };
        keys.enter(Key::Index(frame.index), begin);
    }
}

fn end_member(keys: &mut Keys<'_, '_>, entered: usize, (last, end): (u32, usize)) {
    for _ in 0..entered {
        keys.leave(last, end);
    }
}
