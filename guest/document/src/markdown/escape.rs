//! Escapes of text that would be Markdown. Text that cannot be mistaken stays as it is, so that what a
//! model quotes is what the document says.

use super::shape::CLASSES;
use crate::limits;
use memchr::memchr;
use std::borrow::Cow;

/// What the start of a line that looks like an item of a list is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TypedLists {
    /// A list: people type bullets and numbers in documents.
    Lists,
    /// Text: pages have elements for lists.
    #[default]
    Text,
}

/// Whether a byte may have to be escaped within a line.
fn is_special(byte: u8) -> bool {
    CLASSES.get(usize::from(byte)) == Some(&2) && !byte.is_ascii_whitespace()
}

/// The text with a backslash before characters that would be markup. `before` and `after` are the
/// characters next to it, if they are known. `after` is a line feed at the end of a block.
pub fn inline(text: &str, before: Option<char>, after: Option<char>) -> Cow<'_, str> {
    if !text.bytes().any(is_special) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len().saturating_add(4));
    // The last characters that could end what another one starts. They are searched once, so that the
    // time is proportional to the length of the text.
    let (last_angle, last_underscore) = (text.rfind('>'), last_end(text));
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
                let has_more = after.is_some_and(|after| after != '\n');
                let is_ended = has_more || last_underscore.is_some_and(|last| end <= last);
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

/// The last underscore that may end emphasis: no word continues after it.
fn last_end(text: &str) -> Option<usize> {
    let ends_word = |at: &usize| {
        let after = text.get(at.saturating_add(1)..);
        let after = after.and_then(|after| after.chars().next());
        after != Some('_') && !is_word(after)
    };
    let mut found = text.rmatch_indices('_').map(|(at, _)| at);
    found.find(ends_word)
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

/// Escapes the start of each line of a paragraph that would be a heading, list, quote or rule.
pub fn block_starts(text: &mut String, lists: TypedLists) {
    let marker = |number: usize, line: &str| {
        let line = line.trim_end_matches(' ');
        // A hyphen after a line would make it a heading.
        let is_underline = number > 0 && line == "-";
        block_start(line, lists).or_else(|| is_underline.then_some(0))
    };
    if memchr(b'\n', text.as_bytes()).is_none() {
        if let Some(at) = marker(0, text) {
            text.insert(at, '\\');
        }
        return;
    }
    let mut lines = text.split('\n').enumerate();
    if !lines.any(|(number, line)| marker(number, line).is_some()) {
        return;
    }
    let mut out = String::with_capacity(text.len().saturating_add(8));
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
        }
        match marker(number, line).and_then(|at| line.split_at_checked(at)) {
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

/// A fence for code: a run of backticks that is longer than each run in the text, and has at least
/// `least` of them.
pub fn fence(text: &str, least: usize) -> String {
    let mut longest = 0_usize;
    let mut run = 0_usize;
    for byte in text.bytes() {
        run = if byte == b'`' {
            run.saturating_add(1)
        } else {
            0
        };
        longest = longest.max(run);
    }
    "`".repeat(longest.saturating_add(1).max(least))
}

/// Appends the alternative text of an image. No bracket ends it.
pub fn label(text: &str, out: &mut String) {
    for part in text.split_inclusive(['[', ']']) {
        let text = part.trim_end_matches(['[', ']']);
        // A backslash at its end would escape the bracket after it.
        let after = if text.ends_with('\\') { '[' } else { '\n' };
        out.push_str(&inline(text, out.chars().next_back(), Some(after)));
        let bracket = part.get(text.len()..).unwrap_or_default();
        if !bracket.is_empty() {
            out.push('\\');
            out.push_str(bracket);
        }
    }
}

/// Appends the address of a link or an image. Its characters do not end it, or a cell of a table.
pub fn destination(url: &str) -> Cow<'_, str> {
    let is_special = |byte: u8| {
        !byte.is_ascii_graphic() || matches!(byte, b'(' | b')' | b'<' | b'>' | b'|' | b'\\')
    };
    if !url.bytes().any(is_special) {
        return Cow::Borrowed(url);
    }
    let mut out = String::with_capacity(url.len().saturating_add(8));
    let mut chars = url.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '|' => out.push_str("%7C"),
            // The bracket at the end follows the last one.
            '\\' if chars.peek().is_none_or(char::is_ascii_punctuation) => out.push_str("%5C"),
            // As browsers read them.
            char if char.is_control() => {}
            char if char.is_whitespace() => out.push_str("%20"),
            char => out.push(char),
        }
    }
    Cow::Owned(out)
}

/// Makes a link of the text from `start` on, before which `[` is. A text that is the address is written
/// once.
pub fn link(out: &mut String, start: usize, url: &str) {
    let shown = out.get(start..).unwrap_or_default();
    if let Some(url) = automatic(shown, url) {
        out.truncate(start.saturating_sub(1));
        out.push('<');
        out.push_str(url);
        out.push('>');
        return;
    }
    out.push_str("](");
    out.push_str(&destination(url));
    out.push(')');
}

/// The address in angle brackets that is the whole link, if the text is the address as it is written.
fn automatic<'a>(shown: &str, address: &'a str) -> Option<&'a str> {
    let text = match address.strip_prefix("mailto:") {
        Some(text) if text.contains('@') => text,
        None if address.starts_with("http://") || address.starts_with("https://") => address,
        Some(_) | None => return None,
    };
    let is_plain = |byte: u8| byte > b' ' && !matches!(byte, b'<' | b'>');
    let mut shown = shown;
    for mark in ["**", "*"] {
        let inner = shown.strip_prefix(mark);
        shown = inner.and_then(|it| it.strip_suffix(mark)).unwrap_or(shown);
    }
    // The text is escaped, and may have been written in several parts.
    let mut letters = text.chars().peekable();
    let mut written = shown.chars();
    while let Some(char) = written.next() {
        let char = match char {
            '\\' if letters.peek() != Some(&'\\') => written.next()?,
            char => char,
        };
        if letters.next() != Some(char) {
            return None;
        }
    }
    (letters.next().is_none() && text.bytes().all(is_plain)).then_some(text)
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
    fn fence_is_longer_than_each_run() {
        assert_eq!(fence("a", 3), "```");
        assert_eq!(fence("a ``` b", 3), "````");
        assert_eq!(fence("a ` b", 1), "``");
    }

    #[test]
    fn underscores_in_words_do_not_end_emphasis() {
        assert_eq!(text("_a b_c"), "_a b_c");
        assert_eq!(text("_a b_"), "\\_a b_");
        assert_eq!(inline("_a", None, Some('\n')), "_a");
    }

    #[test]
    fn starts_of_lines_are_escaped() {
        for (text, expected) in [
            ("# a", "\\# a"),
            ("1. a", "1\\. a"),
            ("a  \n---", "a  \n\\---"),
            ("a  \n===  \nb", "a  \n\\===  \nb"),
            ("a  \n-", "a  \n\\-"),
        ] {
            let mut line = text.to_owned();
            block_starts(&mut line, TypedLists::Text);
            assert_eq!(line, expected);
        }
        let mut line = "- a  \n-".to_owned();
        block_starts(&mut line, TypedLists::Lists);
        assert_eq!(line, "- a  \n\\-");
    }

    #[test]
    fn alternative_texts_have_no_brackets_without_escapes() {
        let mut out = String::new();
        label("a [b](c) *d*", &mut out);
        assert_eq!(out, "a \\[b\\](c) \\*d\\*");
    }

    #[test]
    fn text_that_is_the_address_is_written_once() {
        let linked = |shown: &str, address: &str| {
            let mut out = format!("[{shown}");
            link(&mut out, 1, address);
            out
        };
        for (shown, address, expected) in [
            (
                "https://x.org/a_b",
                "https://x.org/a_b",
                "<https://x.org/a_b>",
            ),
            (
                "https://x.org/\\_a_",
                "https://x.org/_a_",
                "<https://x.org/_a_>",
            ),
            ("**https://x.org/**", "https://x.org/", "<https://x.org/>"),
            ("a@x.org", "mailto:a@x.org", "<a@x.org>"),
            // They would be an HTML tag, and lose a character.
            (
                "webmaster",
                "mailto:webmaster",
                "[webmaster](mailto:webmaster)",
            ),
            (
                "https://x.org/\\*",
                "https://x.org/",
                "[https://x.org/\\*](https://x.org/)",
            ),
            ("Share", "\\\\server\\", "[Share](%5C\\server%5C)"),
        ] {
            assert_eq!(linked(shown, address), expected);
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
