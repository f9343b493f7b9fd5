//! Escapes of text that would be Markdown. Text that cannot be mistaken stays as it is, so that what a
//! model quotes is what the document says.

use crate::limits;
use std::borrow::Cow;

/// What the start of a line that looks like an item of a list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypedLists {
    /// A list: people type bullets and numbers in documents.
    Lists,
    /// Text: pages have elements for lists.
    Text,
}

/// Whether a byte may have to be escaped within a line.
pub fn is_special(byte: u8) -> bool {
    matches!(
        byte,
        b'\\' | b'*' | b'_' | b'`' | b'[' | b']' | b'<' | b'&' | b'~'
    )
}

/// The text with a backslash before characters that would be markup. `before` and `after` are the
/// characters next to it, if it is a part of a line.
pub fn inline(text: &str, before: Option<char>, after: Option<char>) -> Cow<'_, str> {
    if !text.bytes().any(is_special) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len().saturating_add(4));
    // The last characters that could end what another one starts. They are searched once, so that the
    // time is proportional to the length of the text.
    let (last_angle, last_underscore) = (text.rfind('>'), text.rfind('_'));
    let mut previous = before;
    // The last character that is not an underscore.
    let mut bare = before;
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next).or(after);
        let escape = match char {
            // Other punctuation is no markup, as in `\(x\)`.
            '\\' => next.is_some_and(|next| next.is_ascii() && "*_`[]<&~#>".contains(next)),
            '*' => !(is_space(previous) && is_space(next)),
            // Longer sequences are lines to fill in.
            '_' if underscores(text, at) => false,
            // Without a start of emphasis, another underscore ends none.
            '_' => {
                let rest = text.get(at..).unwrap_or_default();
                let rest = rest.trim_start_matches('_');
                let next = rest.chars().next().or(after);
                let end = text.len().saturating_sub(rest.len());
                // The text after this part may have one that ends it.
                let is_ended = after.is_some() || last_underscore.is_some_and(|last| end <= last);
                !is_word(bare) && !is_space(next) && is_ended
            }
            '`' => true,
            '[' => next == Some('^'),
            // It would end the text of a link.
            ']' => next == Some('(') || text == "]",
            '<' => {
                next.is_some_and(|next| next.is_ascii_alphabetic() || "/!?".contains(next))
                    && (is_space(previous) || last_angle.is_some_and(|last| at < last))
            }
            '&' => is_reference(text.get(at..).unwrap_or_default()),
            '~' => next == Some('~'),
            _ => false,
        };
        if escape {
            out.push('\\');
        }
        out.push(char);
        previous = Some(char);
        if char != '_' {
            bare = previous;
        }
    }
    Cow::Owned(out)
}

fn is_space(side: Option<char>) -> bool {
    side.is_none_or(char::is_whitespace)
}

fn is_word(side: Option<char>) -> bool {
    side.is_some_and(char::is_alphanumeric)
}

/// Whether the underscore at a position is one of at least three.
fn underscores(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let is = |place: Option<usize>| place.and_then(|it| bytes.get(it)) == Some(&b'_');
    let before = (is(at.checked_sub(1)), is(at.checked_sub(2)));
    let after = (is(at.checked_add(1)), is(at.checked_add(2)));
    (before.0 && (before.1 || after.0)) || (after.0 && after.1)
}

/// Whether a text starts with a character reference, such as `&amp;`.
fn is_reference(text: &str) -> bool {
    let mut start = text.bytes().take(limits::REFERENCE_BYTES);
    let Some(end) = start.position(|byte| byte == b';') else {
        return false;
    };
    let name = text.get(1..end).unwrap_or_default();
    let name = name.strip_prefix('#').unwrap_or(name);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The position of the character that makes a line the start of a block: a heading, a quote, a rule or
/// an item of a list. `None` if it is not one.
pub fn block_start(line: &str, lists: TypedLists) -> Option<usize> {
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(' ');
    let is_item = |rest: &str| lists == TypedLists::Text && ends(rest);
    let first = line.chars().next()?;
    match first {
        '#' => {
            let rest = line.trim_start_matches('#');
            (line.len().saturating_sub(rest.len()) <= 6 && ends(rest)).then_some(0)
        }
        // Three of them are a rule, and hyphens after a line make it a heading.
        '-' | '+' | '*' => {
            let is_rule = first != '+' && line.chars().all(|char| char == first || char == ' ');
            let is_long = line.chars().filter(|char| *char == first).count() >= 3;
            let is_rule = is_rule && (is_long || line == "--");
            (is_rule || is_item(line.get(1..)?)).then_some(0)
        }
        '=' => line.chars().all(|char| char == '=').then_some(0),
        '>' => Some(0),
        '0'..='9' => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            let rest = line.get(digits..)?;
            let rest = rest.strip_prefix(['.', ')'])?;
            (digits <= 9 && is_item(rest)).then_some(digits)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Cow<'_, str> {
        inline(text, None, None)
    }

    #[test]
    fn text_that_is_not_markdown_stays_as_it_is() {
        for plain in [
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
            "Pop!_OS",
            ";_;",
            "2 * 3 * 4",
            "Name: ____",
            "\\(x\\)",
            "C:\\dir",
        ] {
            assert_eq!(text(plain), plain);
        }
    }

    #[test]
    fn markdown_is_escaped() {
        for (plain, expected) in [
            ("*a*", "\\*a\\*"),
            ("_a_", "\\_a_"),
            ("x.__init__(self)", "x.\\_\\_init__(self)"),
            ("`a`", "\\`a\\`"),
            ("<b>", "\\<b>"),
            ("a<b c>d", "a\\<b c>d"),
            ("&lt;", "\\&lt;"),
            ("[a](b)", "[a\\](b)"),
            ("~~a~~", "\\~~a\\~~"),
            ("~~~a~~~", "\\~\\~~a\\~\\~~"),
            ("\\*a", "\\\\\\*a"),
            ("]", "\\]"),
        ] {
            assert_eq!(text(plain), expected);
        }
    }

    #[test]
    fn neighbours_decide() {
        assert_eq!(inline("_", Some('a'), Some('b')), "_");
        assert_eq!(inline("_b_", Some('a'), None), "_b_");
        assert_eq!(inline("a]", None, Some('(')), "a\\]");
        assert_eq!(inline("_a ", None, Some('b')), "\\_a ");
    }

    #[test]
    fn starts_of_blocks_are_found() {
        for (line, text, lists) in [
            ("# a", Some(0), Some(0)),
            ("#a", None, None),
            ("- a", Some(0), None),
            ("-a", None, None),
            ("1. a", Some(1), None),
            ("1.5 a", None, None),
            ("2024) a", Some(4), None),
            ("> a", Some(0), Some(0)),
            ("--", Some(0), Some(0)),
            ("---", Some(0), Some(0)),
            ("* * *", Some(0), Some(0)),
            ("===", Some(0), Some(0)),
            ("+++", None, None),
            ("-", Some(0), None),
        ] {
            assert_eq!(block_start(line, TypedLists::Text), text, "{line}");
            assert_eq!(block_start(line, TypedLists::Lists), lists, "{line}");
        }
    }
}
