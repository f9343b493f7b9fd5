//! The front matter of a text: YAML between two lines `---` at its start.
//!
//! People write front matter by hand: `description: Use when: x` is not valid YAML, and every reader takes it
//! as text. [`object`] reads all keys and values. [`values`] reads the texts of a few keys, also from front
//! matter that has an error elsewhere. Both have one parser, so that they never differ in a value.

mod flow;
mod scalar;
mod wrong;
mod yaml;

pub use wrong::Wrong;

use serde_json::{Map, Value};

/// All keys and values of front matter. `None` if the text has none, or it does not end.
///
/// # Errors
/// Fails if they are not YAML that is supported.
pub fn object(text: &str) -> Option<Result<Map<String, Value>, Wrong>> {
    Some(yaml::object(lines(text)?.into_iter()))
}

/// The values of keys of front matter, each in one line. `None` if there is no front matter, or no such key
/// with text.
pub fn values<const COUNT: usize>(text: &str, keys: [&str; COUNT]) -> [Option<String>; COUNT] {
    let Some(lines) = lines(text) else {
        return keys.map(|_| None);
    };
    let object = yaml::object(lines.iter().copied());
    keys.map(|key| {
        let text = match &object {
            Ok(object) => as_text(object.get(key)?.clone()),
            Err(_) => own(&lines, key),
        }?;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (!text.is_empty()).then_some(text)
    })
}

/// The text of a key in front matter that is not YAML. Only the lines of the key are read.
fn own(lines: &[&str], wanted: &str) -> Option<String> {
    let is_wanted = |line: &&str| yaml::key(line).is_some_and(|(name, _)| name == wanted);
    let start = lines.iter().position(is_wanted)?;
    let (first, after) = lines.get(start..)?.split_first()?;
    let more = after
        .iter()
        .take_while(|line| line.is_empty() || line.starts_with([' ', '\t']));
    let more: Vec<&str> = more.copied().collect();
    let all = std::iter::once(*first).chain(more.iter().copied());
    if let Ok(mut object) = yaml::object(all) {
        return as_text(object.remove(wanted)?);
    }
    let (_, value) = yaml::key(first)?;
    let value = value.trim();
    let is_block = scalar::is_block(value);
    let words = Some(value).filter(|_| !is_block).into_iter();
    let words: Vec<&str> = words.chain(more.iter().map(|line| line.trim())).collect();
    let text = words.join(" ");
    match flow::value(&text) {
        Ok((Value::String(inside), rest))
            if !is_block
                && text.starts_with(['"', '\''])
                && scalar::is_comment(rest.trim_start()) =>
        {
            Some(inside)
        }
        _ => Some(text),
    }
}

/// A value as text. `None` for null and for a collection.
fn as_text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Whether a text starts with front matter that does not end in it. Its end may be in bytes that were not
/// read.
pub fn is_open(text: &str) -> bool {
    opened(text).is_some_and(|rest| !rest.lines().any(is_end))
}

/// The text after the line `---` with which front matter starts.
fn opened(text: &str) -> Option<&str> {
    let text = text.trim_start_matches('\u{feff}');
    let (first, rest) = text.split_once('\n')?;
    (first.trim_end() == "---").then_some(rest)
}

fn is_end(line: &str) -> bool {
    matches!(line.trim_end(), "---" | "...")
}

/// The lines of front matter. `None` if the text has none, or it does not end.
fn lines(text: &str) -> Option<Vec<&str>> {
    let mut lines = opened(text)?.split('\n');
    let mut own = Vec::new();
    loop {
        let line = lines.next()?;
        if is_end(line) {
            return Some(own);
        }
        own.push(line.strip_suffix('\r').unwrap_or(line));
    }
}

#[cfg(test)]
mod tests;
