//! The front matter of a text: the lines `key: value` between two lines `---` at its start.
//!
//! Front matter is YAML, but people write it by hand: `description: Use when: x` is not valid YAML, and
//! every reader takes it as text. Only keys at the left edge are read, with these values: plain text, also
//! on several indented lines, text in quotes, and blocks (`|` and `>`). Everything else is skipped.
//! [`object`] reads all keys and values.

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
    let rest = opened(text)?;
    let mut ends = false;
    let own = rest.split('\n').take_while(|line| {
        ends = is_end(line);
        !ends
    });
    let own: Vec<&str> = own
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .collect();
    ends.then(|| yaml::object(own.into_iter()))
}

/// The value of a key of front matter, in one line. `None` if there is no front matter, or no such
/// key with text.
pub fn value(text: &str, key: &str) -> Option<String> {
    let mut lines = lines(text)?.peekable();
    while let Some(line) = lines.next() {
        let Some((name, value)) = line.split_once(':') else {
            continue;
        };
        if unquoted(name.trim_end()) != key || line.starts_with([' ', '\t', '#', '-']) {
            continue;
        }
        let mut value = value.trim().to_owned();
        if !value.is_empty() && (value.starts_with('#') || scalar::is_block(&value)) {
            value.clear();
        }
        // Lines that are indented continue the value. A list is not text.
        while let Some(more) =
            lines.next_if(|line| line.is_empty() || line.starts_with([' ', '\t']))
        {
            let more = more.trim();
            if value.is_empty() && more.starts_with("- ") {
                return None;
            }
            if !more.is_empty() {
                if !value.is_empty() {
                    value.push(' ');
                }
                value.push_str(more);
            }
        }
        let value = unquoted(&value);
        return (!value.is_empty()).then_some(value);
    }
    None
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
fn lines(text: &str) -> Option<impl Iterator<Item = &str>> {
    let rest = opened(text)?;
    let ends = rest.lines().any(is_end);
    ends.then(|| {
        rest.lines()
            .take_while(|line| !is_end(line))
            .map(str::trim_end)
    })
}

/// Whether nothing but a comment follows a value.
fn is_comment(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.is_empty() || rest.starts_with('#')
}

/// A text without the quotes around it, and with the escapes of quoted text resolved.
fn unquoted(value: &str) -> String {
    let inside = |quote: char| {
        let inside = value.strip_prefix(quote)?.strip_suffix(quote)?;
        (value.len() > 1).then_some(inside)
    };
    if let Some(text) = inside('\'') {
        return text.replace("''", "'");
    }
    let mut texts = serde_json::Deserializer::from_str(value).into_iter::<String>();
    if value.starts_with('"')
        && let Some(Ok(text)) = texts.next()
        && is_comment(value.get(texts.byte_offset()..).unwrap_or_default())
    {
        return text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    value.to_owned()
}

#[cfg(test)]
mod tests;
