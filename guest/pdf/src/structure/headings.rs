//! Headings that are tagged as paragraphs: a program without styles for headings tags all text as paragraphs.

use omniread_document::model::{Block, Inline, Style, plain_text};

/// The level of such headings. The title of the document is on another page or has another look.
const LEVEL: u8 = 2;

/// The maximum number of characters of a heading.
const CHARS: usize = 80;

/// Makes headings of short paragraphs that are heavy or slanted as a whole, if each is before text in another
/// look, there are two of them, and no heading is tagged.
pub fn set(blocks: &mut [Block]) {
    if blocks.iter().any(|it| matches!(it, Block::Heading { .. })) {
        return;
    }
    for style in [Style::BOLD, Style::ITALIC] {
        let found: Vec<usize> = blocks
            .windows(2)
            .enumerate()
            .filter(|(_, pair)| match pair {
                [Block::Paragraph(one), Block::Paragraph(next)] => {
                    is_all(one, style) && is_title(&plain_text(one)) && is_text(next)
                }
                _ => false,
            })
            .map(|it| it.0)
            .collect();
        if found.len() < 2 {
            continue;
        }
        for index in found {
            if let Some(block) = blocks.get_mut(index)
                && let Block::Paragraph(content) = block
            {
                let content = vec![Inline::plain(plain_text(content).trim())];
                *block = Block::Heading {
                    level: LEVEL,
                    content,
                };
            }
        }
        return;
    }
}

/// Whether all text has exactly one style.
fn is_all(content: &[Inline], only: Style) -> bool {
    let mut some = false;
    content.iter().all(|it| match it {
        Inline::Text { text, style } => {
            let blank = text.trim().is_empty();
            some |= !blank;
            blank || *style == only
        }
        _ => false,
    }) && some
}

/// Whether a text may be a heading by its characters: no sentence, and no caption.
fn is_title(text: &str) -> bool {
    let text = text.trim();
    let first = text.split_whitespace().next().unwrap_or_default();
    let start = first.to_lowercase();
    text.chars().count() <= CHARS
        && text.starts_with(|it: char| it.is_uppercase() || it.is_numeric())
        && text.contains(char::is_alphabetic)
        && !text.ends_with(['.', ',', ';', ':', '!', '"', '”', ')', ']'])
        && !["fig", "tab", "abb"].iter().any(|it| start.starts_with(it))
}

/// Whether a paragraph is running text: longer than a heading, and not in one style.
fn is_text(content: &[Inline]) -> bool {
    plain_text(content).chars().count() > CHARS
        && ![Style::BOLD, Style::ITALIC]
            .iter()
            .any(|it| is_all(content, *it))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slanted(text: &str) -> Block {
        Block::Paragraph(vec![Inline::Text {
            text: text.to_owned(),
            style: Style::ITALIC,
        }])
    }

    fn text() -> Block {
        Block::Paragraph(vec![Inline::plain(
            "A text that is much longer. ".repeat(8),
        )])
    }

    fn headings(mut blocks: Vec<Block>) -> usize {
        set(&mut blocks);
        let is_heading = |it: &&Block| matches!(it, Block::Heading { .. });
        blocks.iter().filter(is_heading).count()
    }

    #[test]
    fn slanted_paragraphs_are_headings_if_there_are_several() {
        let two = || vec![slanted("One nut"), text(), slanted("Other nuts"), text()];
        assert_eq!(headings(two()), 2);
        assert_eq!(headings(vec![slanted("One nut"), text()]), 0);
        // A sentence, and a line before an image or a list.
        let sentence = vec![slanted("One nut"), text(), slanted("It is one."), text()];
        assert_eq!(headings(sentence), 0);
        assert_eq!(headings(vec![slanted("One nut"), slanted("Other nuts")]), 0);
        // A file with tags for headings says what is a heading.
        let mut tagged = two();
        tagged.push(Block::Heading {
            level: 1,
            content: vec![Inline::plain("Title")],
        });
        assert_eq!(headings(tagged), 1);
    }
}
