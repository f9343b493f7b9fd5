//! Control characters in text that a terminal shows.

/// Escapes the control characters of a text, except line feeds and tabs, as `⟨U+001B⟩`.
pub fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && !matches!(c, '\n' | '\t') {
            out.push_str(&format!("⟨U+{:04X}⟩", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(
            inert("a\x1b[2Jb\r\n\tc\u{9b}"),
            "a⟨U+001B⟩[2Jb⟨U+000D⟩\n\tc⟨U+009B⟩"
        );
    }
}
