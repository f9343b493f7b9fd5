//! JSON with indentation.

use crate::limits;
use memchr::memchr2;
use std::borrow::Cow;
use std::ops::ControlFlow;

/// The size in bytes from which indented JSON is passed on.
const PIECE: usize = 64 * 1024;

/// Indents JSON, with one item of a list or object per line. Lists of numbers have as many numbers on
/// a line as fit. A value that is no list or object, or is too large, is returned unchanged.
pub fn pretty(json: &str) -> Cow<'_, str> {
    let nested = json.starts_with(['[', '{']);
    if !nested || json.len() > limits::PRETTY_JSON_BYTES {
        return Cow::Borrowed(json);
    }
    Cow::Owned(indented(json))
}

/// Indents JSON of any size.
pub fn indented(json: &str) -> String {
    let mut all = String::with_capacity(json.len().saturating_mul(2));
    each_indented(json, &mut |piece| {
        all.push_str(piece);
        ControlFlow::Continue(())
    });
    all
}

/// Indents JSON of any size, and passes it to `sink` in pieces, until it breaks. Indentation may be much longer than
/// what it indents.
pub fn each_indented(json: &str, sink: &mut dyn FnMut(&str) -> ControlFlow<()>) {
    let mut out = String::new();
    let mut depth = 0usize;
    let mut rest = json;
    while let Some(c) = rest.chars().next() {
        if out.len() >= PIECE {
            if sink(&out).is_break() {
                return;
            }
            out.clear();
        }
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
        if c == '['
            && let Some((numbers, after)) = numbers(after)
        {
            fill(&mut out, numbers, depth);
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
    let _ = sink(&out);
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

/// The items of a list without strings, lists and objects, and the text after its closing bracket.
/// `json` starts after the opening bracket. `None` for another list.
fn numbers(json: &str) -> Option<(&str, &str)> {
    let end = json.find(['[', '{', '"', '}', ']'])?;
    let (items, rest) = json.split_at_checked(end)?;
    Some((items, rest.strip_prefix(']')?))
}

/// Writes a list of numbers in lines of at most [`limits::JSON_LINE_BYTES`]. `items` are the numbers,
/// with the commas between them.
fn fill(out: &mut String, items: &str, depth: usize) {
    out.push('[');
    let mut width = limits::JSON_LINE_BYTES;
    for (at, item) in items.split(',').enumerate() {
        let item = item.trim();
        if at > 0 {
            out.push(',');
        }
        // With a space before it and a comma after it.
        if width.saturating_add(item.len()) <= limits::JSON_LINE_BYTES.saturating_sub(2) {
            out.push(' ');
            width = width.saturating_add(1);
        } else {
            new_line(out, depth.saturating_add(1));
            width = 0;
        }
        out.push_str(item);
        width = width.saturating_add(item.len()).saturating_add(1);
    }
    new_line(out, depth);
    out.push(']');
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

    #[test]
    fn long_lists_of_numbers_fill_their_lines() {
        let numbers: Vec<String> = (0..100).map(|n| n.to_string()).collect();
        let json = format!(
            r#"{{"x":[{}],"y":[{}"s"]}}"#,
            numbers.join(","),
            "1,".repeat(50)
        );
        let text = pretty(&json);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.first().copied(), Some("{"));
        assert_eq!(lines.get(1).copied(), Some("  \"x\": ["));
        let first: Vec<String> = (0..22).map(|n| n.to_string()).collect();
        let expected = format!("    {},", first.join(", "));
        assert_eq!(lines.get(2).copied(), Some(expected.as_str()));
        assert!(
            lines
                .iter()
                .all(|line| line.len() <= 4 + limits::JSON_LINE_BYTES)
        );
        // A list that is not only of numbers has one item per line.
        assert_eq!(lines.iter().filter(|line| **line == "    1,").count(), 50);
        let same: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            same,
            serde_json::from_str::<serde_json::Value>(&json).unwrap()
        );
    }

    #[test]
    fn damaged_lists_keep_their_text() {
        assert_eq!(pretty(r#"{"a":[1,2}"#), "{\n  \"a\": [\n    1,\n    2\n  }");
        let open = format!("[{}", "1,".repeat(60));
        assert_eq!(pretty(&open).replace(['\n', ' '], ""), open);
    }
}
