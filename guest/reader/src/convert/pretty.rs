//! JSON with indentation.

use crate::limits;
use memchr::memchr2;
use std::borrow::Cow;

/// Indents JSON, with one item of a list or object per line. Short lists of numbers stay on one
/// line. A value that is no list or object, or is too large, is returned unchanged.
pub fn pretty(json: &str) -> Cow<'_, str> {
    let nested = json.starts_with(['[', '{']);
    if !nested || json.len() > limits::PRETTY_JSON_BYTES {
        return Cow::Borrowed(json);
    }
    Cow::Owned(indented(json))
}

/// Indents JSON of any size.
pub fn indented(json: &str) -> String {
    let mut out = String::with_capacity(json.len().saturating_mul(2));
    let mut depth = 0usize;
    let mut rest = json;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        let token = match c {
            '"' => string_end(rest),
            '[' | '{' => short(rest),
            _ => None,
        };
        if let Some((token, after)) = token.and_then(|end| rest.split_at_checked(end)) {
            out.push_str(token);
            rest = after;
            continue;
        }
        rest = after;
        match c {
            '[' | '{' => {
                depth = depth.saturating_add(1);
                out.push(c);
                new_line(&mut out, depth);
            }
            ']' | '}' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            c if c.is_ascii_whitespace() => {}
            c => out.push(c),
        }
    }
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    for _ in 0..depth.min(limits::JSON_INDENTS) {
        out.push_str("  ");
    }
}

/// The index in bytes after the list or object at the start of `json`, if it stays on one line: it
/// is empty, or a short list without strings, lists and objects. `None` otherwise.
fn short(json: &str) -> Option<usize> {
    let inner = json.as_bytes().iter().skip(1).take(limits::JSON_LINE_BYTES);
    let mut empty = true;
    for (at, byte) in inner.enumerate() {
        match byte {
            b']' => return at.checked_add(2),
            b'}' => return at.checked_add(2).filter(|_| empty),
            b'[' | b'{' | b'"' | b'\n' => return None,
            byte => empty &= byte.is_ascii_whitespace(),
        }
    }
    None
}

/// The index in bytes after the closing quote of the string at the start of `json`. `None` if the
/// string has no closing quote.
pub fn string_end(json: &str) -> Option<usize> {
    let mut at = 1usize;
    loop {
        let rest = json.as_bytes().get(at..)?;
        at = at.checked_add(memchr2(b'"', b'\\', rest)?)?;
        match json.as_bytes().get(at)? {
            b'"' => return at.checked_add(1),
            _ => at = at.checked_add(2)?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_json_is_indented() {
        let json = r#"{"a":[1, 2,3],"s":"{[,:\"\\","o":{"x":[{}],"e":{ }},"l":["p"]}"#;
        let expected = "{\n  \"a\": [1, 2,3],\n  \"s\": \"{[,:\\\"\\\\\",\n  \"o\": {\n    \
                        \"x\": [\n      {}\n    ],\n    \"e\": { }\n  },\n  \"l\": [\n    \"p\"\n  ]\n}";
        assert_eq!(pretty(json), expected);
    }
}
