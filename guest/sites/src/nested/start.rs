//! The starts of blocks of Markdown.

use super::html::{self, Html};

/// The start of a block.
pub enum Start<'a> {
    Heading(usize),
    Fence(char, usize),
    Break,
    Quote,
    /// A list marker: the number of its characters, and what follows.
    Item(usize, &'a str),
    Html(Html),
    Text,
}

/// The column after the spaces and tabs at the start of a text that starts at a column, and the rest.
pub fn indented(text: &str, column: usize) -> (usize, &str) {
    let mut column = column;
    for c in text.chars() {
        match c {
            ' ' => column = column.saturating_add(1),
            '\t' => column = column.saturating_add(4).saturating_sub(column % 4),
            _ => break,
        }
    }
    (column, text.trim_start_matches([' ', '\t']))
}

/// The number of columns of a text.
pub fn columns(text: &str) -> usize {
    text.chars().fold(0, |column, c| match c {
        '\t' => column.saturating_add(4).saturating_sub(column % 4),
        _ => column.saturating_add(1),
    })
}

/// What is before a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Before {
    Nothing,
    /// A paragraph, which some blocks do not interrupt.
    Paragraph,
    /// A paragraph in a list item that the line is not indented for.
    Lazy,
}

/// The block that starts at a text without indentation.
pub fn start(text: &str, before: Before) -> Start<'_> {
    let Some(first) = text.chars().next() else {
        return Start::Text;
    };
    if first == '>' {
        return Start::Quote;
    }
    let after = text.trim_start_matches(first);
    let count = text.len().saturating_sub(after.len());
    match first {
        '#' if count <= 6 && (after.is_empty() || after.starts_with([' ', '\t'])) => {
            Start::Heading(count)
        }
        '`' if count >= 3 && !after.contains('`') => Start::Fence(first, count),
        '~' if count >= 3 => Start::Fence(first, count),
        '-' | '*' | '_' if is_break(text, first) => Start::Break,
        '-' | '*' | '+' => item(text, 1, before, true),
        '0'..='9' => {
            let digits = text.chars().take_while(char::is_ascii_digit).count();
            let mark = text.chars().nth(digits);
            if digits <= 9 && matches!(mark, Some('.' | ')')) {
                let is_one = text.get(..digits) == Some("1");
                item(text, digits.saturating_add(1), before, is_one)
            } else {
                Start::Text
            }
        }
        '<' => html::start(text, before == Before::Nothing).map_or(Start::Text, Start::Html),
        _ => Start::Text,
    }
}

/// A list item with a marker. Only some interrupt a paragraph: those with text, and numbers that start at 1.
fn item(text: &str, width: usize, before: Before, interrupts: bool) -> Start<'_> {
    let after = text.get(width..).unwrap_or_default();
    let is_empty = after.trim_matches([' ', '\t']).is_empty();
    let is_marker = is_empty || after.starts_with([' ', '\t']);
    if is_marker && (before != Before::Paragraph || (interrupts && !is_empty)) {
        Start::Item(width, after)
    } else {
        Start::Text
    }
}

/// Whether a line is a thematic break: three or more of a character, and spaces.
fn is_break(text: &str, mark: char) -> bool {
    let marks = text.chars().filter(|c| *c == mark).count();
    marks >= 3 && text.chars().all(|c| c == mark || c == ' ' || c == '\t')
}

/// The level of the heading that a line underlines.
pub fn underline(text: &str) -> Option<usize> {
    let text = text.trim_end_matches([' ', '\t']);
    if text.chars().all(|c| c == '=') {
        Some(1)
    } else if text.chars().all(|c| c == '-') {
        Some(2)
    } else {
        None
    }
}
