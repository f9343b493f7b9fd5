//! White space and invisible characters in text.

use std::borrow::Cow;

/// The text without invisible characters, and with usual spaces.
pub fn usual(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| is_invisible(c) || is_unusual_space(c)) {
        return Cow::Borrowed(text);
    }
    let chars = text.chars().filter(|c| !is_invisible(*c));
    chars
        .map(|c| if is_unusual_space(c) { ' ' } else { c })
        .collect()
}

/// The text with single spaces between words.
pub fn single_spaces(text: &str) -> Cow<'_, str> {
    let mut last = b' ';
    let is_single = text.bytes().all(|byte| {
        let is_usual = !is_space(char::from(byte)) || (byte == b' ' && last != b' ');
        last = byte;
        is_usual
    });
    if is_single {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    Cow::Owned(out)
}

/// Whether a character is white space of ASCII.
pub fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}')
}

/// Whether a character is not shown: a possible end of a line, a mark of the byte order, or a mark of the
/// direction of its neighbours. Searches do not find words with such characters. Other hidden characters,
/// and overrides of directions, which can hide text, are kept, so that the reader reports them.
pub fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}' | '\u{feff}'
    )
}

/// Whether a character is written as a space: it has another width, or lines do not break at it. Both are
/// matters of layout, and searches are for usual spaces: `10 000` is found however wide its space is. The
/// wide space of Chinese and Japanese is kept.
pub fn is_unusual_space(c: char) -> bool {
    matches!(
        c,
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}'
    )
}
