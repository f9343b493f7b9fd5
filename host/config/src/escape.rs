//! Texts of a file in messages and comments: on one line, without control characters.

use crate::limits::SHOWN_CHARS;

/// Whether a character could end a line, control a terminal, or change the order of the text.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text in which such characters are escape sequences as replies have them: `⟨U+001B⟩`.
pub fn escaped(text: &str) -> String {
    if !text.contains(is_unsafe) {
        return text.to_owned();
    }
    let parts = text.chars().map(|c| {
        if is_unsafe(c) {
            format!("⟨U+{:04X}⟩", u32::from(c))
        } else {
            c.to_string()
        }
    });
    parts.collect()
}

/// The start of a text, escaped.
pub fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", escaped(text.get(..end).unwrap_or_default())),
        None => escaped(text),
    }
}

/// A text as a string of TOML.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if is_unsafe(c) => out.push_str(&format!("\\U{:08X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(escaped("a\u{1b}[1m\nb"), "a⟨U+001B⟩[1m⟨U+000A⟩b");
        assert_eq!(escaped("grün"), "grün");
        assert_eq!(quoted("a\"\\\n\u{7f}"), "\"a\\\"\\\\\\n\\U0000007F\"");
    }

    #[test]
    fn long_text_is_cut() {
        let text = shown(&"ä".repeat(100));
        assert_eq!(text.chars().count(), SHOWN_CHARS + 1);
    }
}
