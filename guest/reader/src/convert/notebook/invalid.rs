//! JSON that the parser does not accept, or that is nested too deep.

use crate::convert::pretty::string_end;
use crate::limits;
use memchr::{memchr_iter, memrchr};

/// The numbers that Python writes to JSON although JSON does not allow them.
const NON_FINITE: [&str; 3] = ["-Infinity", "Infinity", "NaN"];

/// Replaces the numbers `-Infinity`, `Infinity` and `NaN`, which JSON does not allow, by strings.
/// `None` if `json` contains no such number.
pub fn with_named_numbers(json: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = json;
    let mut found = false;
    while let Some(at) = rest.find(['"', '-', 'I', 'N']) {
        let (before, token) = rest.split_at_checked(at)?;
        out.push_str(before);
        if let Some(name) = NON_FINITE.iter().find(|name| token.starts_with(**name)) {
            found = true;
            out.push_str(&format!("\"{name}\""));
            rest = token.get(name.len()..)?;
            continue;
        }
        let end = if token.starts_with('"') {
            string_end(token)?
        } else {
            1
        };
        let (token, after) = token.split_at_checked(end)?;
        out.push_str(token);
        rest = after;
    }
    out.push_str(rest);
    found.then_some(out)
}

/// The line and the column in bytes, both counted from 1, of the first value that is nested too
/// deep. `None` if there is no such value.
pub fn too_deep(json: &str) -> Option<(usize, usize)> {
    let mut depth = 0usize;
    let mut at = 0usize;
    loop {
        let rest = json.as_bytes().get(at..)?;
        let found = rest
            .iter()
            .position(|byte| matches!(byte, b'"' | b'[' | b']' | b'{' | b'}'))?;
        at = at.checked_add(found)?;
        let token = rest.get(found)?;
        match token {
            b'"' => at = at.checked_add(string_end(json.get(at..)?)?)?,
            _ => at = at.checked_add(1)?,
        }
        match token {
            b'[' | b'{' => depth = depth.saturating_add(1),
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > limits::JSON_DEPTH {
            let before = json.as_bytes().get(..at)?;
            let line = memchr_iter(b'\n', before).count();
            let start = memrchr(b'\n', before).map_or(0, |end| end.saturating_add(1));
            return Some((line.saturating_add(1), at.saturating_sub(start)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_deep_ignores_brackets_in_strings() {
        let deep = |levels: usize| format!("\n{}{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(too_deep(&deep(limits::JSON_DEPTH)), None);
        let column = limits::JSON_DEPTH + 1;
        assert_eq!(too_deep(&deep(column)), Some((2, column)));
        assert_eq!(too_deep(&format!("\"\\\"{}\"", deep(500))), None);
        assert_eq!(too_deep(&"[],".repeat(1000)), None);
        assert_eq!(too_deep("\"\\"), None);
    }
}
