//! Escapes of text that would be Markdown. Text that cannot be mistaken stays as it is.

use omniread_document::markdown::escape::{self, TypedLists};

/// For each byte: 0 if it stays as it is, 1 for a space, and 2 for other white space and for bytes
/// that may have to be escaped.
static CLASSES: [u8; 256] = classes();

#[expect(
    clippy::indexing_slicing,
    reason = "it is evaluated when this is compiled"
)]
const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut special: &[u8] = b"\\*_`<&[]~\t\n\r\x0c";
    while let [byte, rest @ ..] = special {
        classes[*byte as usize] = 2;
        special = rest;
    }
    classes[b' ' as usize] = 1;
    classes
}

/// Whether a text can be written as it is: it needs no escapes, and its only white space is single
/// spaces.
pub fn is_plain(text: &str) -> bool {
    let mut before = 0;
    let mut found = 0;
    for byte in text.bytes() {
        let class = CLASSES.get(usize::from(byte)).copied().unwrap_or(2);
        // Two spaces have the bit of other white space.
        found |= class | ((class & before) << 1);
        before = class;
    }
    found & 2 == 0
}

/// Appends a word of text to a line, with a backslash before characters that would be Markdown.
pub fn word(word: &str, line: &mut String) {
    let before = line.chars().next_back();
    line.push_str(&escape::inline(word, before, None));
}

/// Escapes the start of each line of a paragraph that would be a heading, list, quote or rule.
pub fn block_start(text: &mut String) {
    let marker = |line: &str| escape::block_start(line, TypedLists::Text);
    let has_marker = match memchr::memchr(b'\n', text.as_bytes()) {
        None => marker(text).is_some(),
        Some(_) => text.split('\n').any(|line| marker(line).is_some()),
    };
    if !has_marker {
        return;
    }
    let mut out = String::with_capacity(text.len().saturating_add(8));
    for (n, line) in text.split('\n').enumerate() {
        if n > 0 {
            out.push('\n');
        }
        match marker(line).and_then(|at| line.split_at_checked(at)) {
            Some((before, after)) => {
                out.push_str(before);
                out.push('\\');
                out.push_str(after);
            }
            None => out.push_str(line),
        }
    }
    *text = out;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_of_blocks_are_escaped() {
        for (text, expected) in [
            ("# a", "\\# a"),
            ("#a", "#a"),
            ("- a", "\\- a"),
            ("-a", "-a"),
            ("1. a", "1\\. a"),
            ("1.5 a", "1.5 a"),
            ("> a", "\\> a"),
            ("a\n---", "a\n\\---"),
            ("2024) a", "2024\\) a"),
        ] {
            let mut line = text.to_owned();
            block_start(&mut line);
            assert_eq!(line, expected);
        }
    }
}
