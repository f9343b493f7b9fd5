//! Escapes of text that would be Markdown. Text that cannot be mistaken stays as it is.

use crate::limits::REFERENCE_BYTES;

/// For each byte: 0 if it stays as it is, 1 for a space, and 2 for other white space and for bytes
/// that may have to be escaped.
static CLASSES: [u8; 256] = classes();

#[expect(
    clippy::indexing_slicing,
    reason = "it is evaluated when this is compiled"
)]
const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut special: &[u8] = b"*_`<&[]~\t\n\r\x0c";
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

/// Appends a word of text, with a backslash before characters that would be Markdown.
pub fn word(word: &str, out: &mut String) {
    let special = |byte: u8| matches!(byte, b'*' | b'_' | b'`' | b'<' | b'&' | b'[' | b']' | b'~');
    if !word.bytes().any(special) {
        out.push_str(word);
        return;
    }
    let mut before: Option<char> = None;
    // The last characters that could end what another one starts. They are searched once, so that
    // the time is proportional to the length of the word.
    let last = |c: char| word.rfind(c);
    let (last_angle, last_underscore) = (last('>'), last('_'));
    for (at, c) in word.char_indices() {
        let after = word
            .get(at.saturating_add(c.len_utf8())..)
            .unwrap_or_default();
        let is_before = |last: Option<usize>| last.is_some_and(|last| at < last);
        let needed = match c {
            '`' => true,
            '*' => is_emphasis(before, after) || before == Some('*'),
            // An underscore in a word is not Markdown.
            '_' => {
                let in_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                !in_word(before) && is_before(last_underscore) && is_emphasis(before, after)
            }
            '~' => after.starts_with('~') && after.len() > 1,
            '<' => {
                after.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
                    && (before.is_none() || is_before(last_angle))
            }
            '&' => is_entity(after),
            '[' => after.starts_with('^'),
            // It would end the text of a link.
            ']' => after.starts_with('(') || word.len() == 1,
            _ => false,
        };
        if needed {
            out.push('\\');
        }
        out.push(c);
        before = Some(c);
    }
}

/// Whether a `*` or `_` between `before` and `after` could start or end emphasis.
fn is_emphasis(before: Option<char>, after: &str) -> bool {
    before.is_some() || !after.is_empty()
}

/// Whether the text after an ampersand makes it a character reference.
fn is_entity(after: &str) -> bool {
    let name = after.strip_prefix('#').unwrap_or(after);
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric();
    let length = name
        .bytes()
        .take(REFERENCE_BYTES)
        .take_while(is_name)
        .count();
    length > 0 && name.as_bytes().get(length) == Some(&b';')
}

/// Escapes the start of each line of a paragraph that would be a heading, list, quote or rule.
pub fn block_start(text: &mut String) {
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

/// The position of the character that makes a line the start of a block. `None` if it is not one.
fn marker(line: &str) -> Option<usize> {
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(' ');
    let first = line.chars().next()?;
    match first {
        '#' => {
            let rest = line.trim_start_matches('#');
            (line.len().saturating_sub(rest.len()) <= 6 && ends(rest)).then_some(0)
        }
        '-' | '+' | '*' => {
            let rest = line.get(1..)?;
            let rule = line.chars().all(|c| c == first || c == ' ');
            (ends(rest) || (rule && line.len() >= 3)).then_some(0)
        }
        '=' => line.chars().all(|c| c == '=').then_some(0),
        '>' => Some(0),
        '0'..='9' => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            let rest = line.get(digits..)?;
            let rest = rest.strip_prefix(['.', ')'])?;
            (digits <= 9 && ends(rest)).then_some(digits)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        let mut out = String::new();
        word(text, &mut out);
        out
    }

    #[test]
    fn text_that_is_not_markdown_stays_as_it_is() {
        for text in [
            "a_b",
            "snake_case_name",
            "a<b",
            "1<2",
            "&",
            "AT&T",
            "[1]",
            "a|b",
            "~5",
            "*",
            "(x)",
            "_",
        ] {
            assert_eq!(escaped(text), text);
        }
    }

    #[test]
    fn markdown_is_escaped() {
        for (text, expected) in [
            ("*a*", "\\*a\\*"),
            ("_a_", "\\_a_"),
            ("`a`", "\\`a\\`"),
            ("<b>", "\\<b>"),
            ("&lt;", "\\&lt;"),
            ("[a](b)", "[a\\](b)"),
        ] {
            assert_eq!(escaped(text), expected);
        }
    }

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
