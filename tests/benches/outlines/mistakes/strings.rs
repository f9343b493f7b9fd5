//! Of strings over several lines: ctags reads what stands in some of them.

use crate::places::Place;

/// Whether no `function` on a line of Lua stands outside of strings and comments.
pub fn lua(place: Place<'_>) -> bool {
    let start = place.start();
    let line = place.line();
    line.match_indices("function").all(|(at, _)| {
        let before = line.get(..at).unwrap_or_default();
        within(&format!("{start}{before}"))
    })
}

/// Whether a text of Lua ends in a string, or in a long comment.
fn within(text: &str) -> bool {
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let behind = rest.get(sign.len_utf8()..).unwrap_or_default();
        rest = match sign {
            '[' => match long(behind) {
                Some((close, within)) => match within.split_once(&close) {
                    Some((_, behind)) => behind,
                    None => return true,
                },
                None => behind,
            },
            '-' if behind.starts_with('-') => {
                let said = behind.get(1..).unwrap_or_default();
                if said.strip_prefix('[').and_then(long).is_some() {
                    said
                } else {
                    said.split_once('\n').map_or("", |(_, behind)| behind)
                }
            }
            '"' | '\'' => match quoted(behind, sign, false) {
                Some(behind) => behind,
                None => return true,
            },
            _ => behind,
        };
    }
    false
}

/// What closes a long string, and what stands behind its beginning.
fn long(behind: &str) -> Option<(String, &str)> {
    let within = behind.trim_start_matches('=');
    let equals = behind.get(..behind.len() - within.len())?;
    Some((format!("]{equals}]"), within.strip_prefix('[')?))
}

/// Whether a line of OCaml begins or ends in a string.
pub fn ocaml(place: Place<'_>) -> bool {
    let text = place.start();
    let line = format!("{text}{}\n", place.line());
    open(&text) || open(&line)
}

/// Whether a text of OCaml ends in a string.
fn open(text: &str) -> bool {
    let mut rest = text;
    let mut comments = 0u32;
    while let Some(sign) = rest.chars().next() {
        let behind = rest.get(sign.len_utf8()..).unwrap_or_default();
        rest = match sign {
            '(' if behind.starts_with('*') && !behind.starts_with("*)") => {
                comments += 1;
                behind.get(1..).unwrap_or_default()
            }
            '*' if behind.starts_with(')') => {
                comments = comments.saturating_sub(1);
                behind
            }
            '"' => match quoted(behind, '"', true) {
                Some(behind) => behind,
                // In a comment a lonely quote is more likely.
                None if comments > 0 => behind,
                None => return true,
            },
            // `'"'` is a letter.
            '\'' => ["\"'", "\\\"'"]
                .iter()
                .find_map(|letter| behind.strip_prefix(letter))
                .unwrap_or(behind),
            _ => behind,
        };
    }
    false
}

/// What stands behind the end of a string; it may go over several lines.
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
