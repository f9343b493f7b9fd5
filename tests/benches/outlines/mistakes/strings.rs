//! Strings of several lines. ctags reads declarations in some of them.

use crate::lines::SourceLine;

/// Whether every `function` on a line of Lua is in a string or a long comment.
pub fn lua(place: SourceLine<'_>) -> bool {
    let start = place.start();
    let line = place.line();
    line.match_indices("function").all(|(at, _)| {
        let before = line.get(..at).unwrap_or_default();
        within(&format!("{start}{before}"))
    })
}

/// Whether a text of Lua ends inside a string or a long comment.
fn within(text: &str) -> bool {
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let tail = rest.get(sign.len_utf8()..).unwrap_or_default();
        rest = match sign {
            '[' => match long(tail) {
                Some((close, within)) => match within.split_once(&close) {
                    Some((_, tail)) => tail,
                    None => return true,
                },
                None => tail,
            },
            '-' if tail.starts_with('-') => {
                let comment = tail.get(1..).unwrap_or_default();
                if comment.strip_prefix('[').and_then(long).is_some() {
                    comment
                } else {
                    comment.split_once('\n').map_or("", |(_, tail)| tail)
                }
            }
            '"' | '\'' => match quoted(tail, sign, false) {
                Some(tail) => tail,
                None => return true,
            },
            _ => tail,
        };
    }
    false
}

/// Returns the closing delimiter of a long string of Lua, such as `]==]`, and the text after the
/// opening one, `[==[`. `tail` is the text after the first `[`. `None` if no such delimiter is
/// there.
fn long(tail: &str) -> Option<(String, &str)> {
    let within = tail.trim_start_matches('=');
    let equals = tail.get(..tail.len() - within.len())?;
    Some((format!("]{equals}]"), within.strip_prefix('[')?))
}

/// Whether a line of OCaml begins or ends inside a string.
pub fn ocaml(place: SourceLine<'_>) -> bool {
    let text = place.start();
    let line = format!("{text}{}\n", place.line());
    open(&text) || open(&line)
}

/// Whether a text of OCaml ends inside a string.
fn open(text: &str) -> bool {
    let mut rest = text;
    let mut comments = 0u32;
    while let Some(sign) = rest.chars().next() {
        let tail = rest.get(sign.len_utf8()..).unwrap_or_default();
        rest = match sign {
            '(' if tail.starts_with('*') && !tail.starts_with("*)") => {
                comments += 1;
                tail.get(1..).unwrap_or_default()
            }
            '*' if tail.starts_with(')') => {
                comments = comments.saturating_sub(1);
                tail
            }
            '"' => match quoted(tail, '"', true) {
                Some(tail) => tail,
                // A single quote character is more likely than a string in a comment.
                None if comments > 0 => tail,
                None => return true,
            },
            // `'"'` is a character literal.
            '\'' => ["\"'", "\\\"'"]
                .iter()
                .find_map(|letter| tail.strip_prefix(letter))
                .unwrap_or(tail),
            _ => tail,
        };
    }
    false
}

/// The text after the end of a string. `text` begins after the opening quote. The string may span
/// several lines if `lines` is set, and otherwise ends with the line. `None` if it does not end.
fn quoted(text: &str, quote: char, lines: bool) -> Option<&str> {
    let mut escaped = false;
    for (at, sign) in text.char_indices() {
        if escaped {
            escaped = false;
        } else if sign == '\\' {
            escaped = true;
        } else if sign == quote || (sign == '\n' && !lines) {
            return text.get(at + sign.len_utf8()..);
        }
    }
    None
}
