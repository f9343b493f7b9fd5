//! What documents without styles and lists show by their layout: items of lists with a typed sign, code in
//! a font of one width, and lines between sections.

use super::state::Paragraph;
use crate::limits;
use crate::model::{Block, Inline, Style, is_blank, plain_text};
use crate::word::numbering::Marker;

/// The characters of the number of a list item.
const NUMBER_CHARS: usize = 8;

/// The characters of which a line between sections consists at least.
const RULE_CHARS: usize = 3;

/// The indentations of the items around a paragraph, from the outermost.
#[derive(Default)]
pub struct Indents {
    lefts: Vec<i32>,
    /// The number of empty paragraphs after code.
    pub blank: usize,
}

impl Indents {
    /// Removes the typed sign of a list item from a paragraph. Returns its marker and level.
    ///
    /// The first line starts to the left of the others, and a tab is after the sign.
    pub fn item(
        &mut self,
        paragraph: &Paragraph,
        content: &mut Vec<Inline>,
    ) -> Option<(Marker, usize)> {
        if paragraph.first >= 0 {
            return None;
        }
        let marker = take_sign(content)?;
        while self
            .lefts
            .last()
            .is_some_and(|left| *left >= paragraph.left)
        {
            self.lefts.pop();
        }
        let depth = self.lefts.len();
        if depth < limits::DEPTH {
            self.lefts.push(paragraph.left);
        }
        Some((marker, depth))
    }

    /// Returns whether a paragraph without a sign goes on in the last item: it starts where its text does.
    /// Other paragraphs end the list.
    pub fn continues(&mut self, paragraph: &Paragraph) -> bool {
        let is_inside = paragraph.first >= 0 && self.lefts.contains(&paragraph.left);
        if !is_inside {
            self.lefts.clear();
        }
        is_inside
    }
}

/// Moves the last block into the item before it.
pub fn join_item(out: &mut Vec<Block>) {
    let before = out.len().saturating_sub(2);
    if !matches!(out.get(before), Some(Block::Item { .. })) || out.len() < 2 {
        return;
    }
    let Some(block) = out.pop() else {
        return;
    };
    let Some(Block::Item { blocks, .. }) = out.last_mut() else {
        return;
    };
    match (blocks.last_mut(), block) {
        (Some(Block::Code { text: last, .. }), Block::Code { text, .. }) => {
            last.push('\n');
            last.push_str(&text);
        }
        (_, block) => blocks.push(block),
    }
}

/// Removes a sign and the tab after it.
fn take_sign(content: &mut Vec<Inline>) -> Option<Marker> {
    let Inline::Text { text, .. } = content.first()? else {
        return None;
    };
    if let Some((sign, rest)) = text.split_once('\t') {
        let marker = marker(sign.trim())?;
        let rest = rest.trim_start().to_owned();
        if let Some(Inline::Text { text, .. }) = content.first_mut() {
            *text = rest;
        }
        return Some(marker);
    }
    // The sign has a format of its own.
    let marker = marker(text.trim())?;
    let rest = match content.get(1)? {
        Inline::Text { text, .. } => text.strip_prefix('\t')?.trim_start().to_owned(),
        _ => return None,
    };
    content.remove(0);
    if let Some(Inline::Text { text, .. }) = content.first_mut() {
        *text = rest;
    }
    Some(marker)
}

/// Returns the marker that a sign is.
fn marker(sign: &str) -> Option<Marker> {
    let mut chars = sign.chars();
    let first = chars.next()?;
    if chars.next().is_none() && is_bullet(first) {
        return Some(Marker::Bullet);
    }
    let inner = sign.strip_prefix('(').unwrap_or(sign);
    let number = inner.strip_suffix(['.', ')'])?;
    let is_number = number
        .chars()
        .all(|char| char.is_ascii_digit() || char == '.')
        || number.chars().nth(1).is_none() && number.chars().all(char::is_alphabetic)
        || number.chars().all(|char| "ivxlcdm".contains(char))
        || number.chars().all(|char| "IVXLCDM".contains(char));
    let is_short = !number.is_empty() && number.chars().nth(NUMBER_CHARS).is_none();
    (is_number && is_short).then(|| Marker::Number(sign.to_owned()))
}

fn is_bullet(char: char) -> bool {
    matches!(
        char,
        '•' | '·'
            | '–'
            | '—'
            | '-'
            | '*'
            | '◦'
            | '▪'
            | '▫'
            | '‣'
            | '⁃'
            | '○'
            | '●'
            | '■'
            | '□'
    )
}

/// Returns whether a paragraph is a line between sections: a row of dashes. Underscores are a blank to fill in.
pub fn is_rule(content: &[Inline]) -> bool {
    let text = plain_text(content);
    let text = text.trim();
    let is_shown = content.iter().all(|it| matches!(it, Inline::Text { .. }));
    is_shown
        && text.chars().nth(RULE_CHARS.saturating_sub(1)).is_some()
        && text.chars().all(|char| char == '—')
}

/// Returns whether all text of a paragraph has a font of one width.
pub fn is_code(content: &[Inline]) -> bool {
    !is_blank(content)
        && content.iter().all(|piece| match piece {
            Inline::Text { text, style } => style.has(Style::CODE) || text.trim().is_empty(),
            Inline::Break => true,
            _ => false,
        })
}

/// Removes the format of code from a text that is all code and has other formats as well: the font is that
/// of the text, such as an item of a list.
pub fn unmark(content: &mut [Inline]) {
    let has_formats = content.iter().any(|piece| match piece {
        Inline::Text { text, style } => *style != Style::CODE && !text.trim().is_empty(),
        _ => false,
    });
    if !has_formats || !is_code(content) {
        return;
    }
    for piece in content {
        if let Inline::Text { style, .. } = piece {
            *style = style.without(Style::CODE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_bullets_and_short_numbers() {
        for sign in ["•", "–", "-"] {
            assert_eq!(marker(sign), Some(Marker::Bullet), "{sign}");
        }
        for sign in ["1.", "(2)", "iv.", "A.", "c)", "1.2.", "б)"] {
            assert_eq!(
                marker(sign),
                Some(Marker::Number(sign.to_owned())),
                "{sign}"
            );
        }
        for sign in ["", ".", "Name", "Note.", "2024", "123456789."] {
            assert_eq!(marker(sign), None, "{sign}");
        }
    }
}
