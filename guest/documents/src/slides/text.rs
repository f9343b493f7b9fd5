//! Texts of shapes: fonts of code, links, and descriptions.

use crate::model::{Block, Inline, Style, plain_text};
use memchr::memchr;
use std::borrow::Cow;

/// The marks of descriptions that PowerPoint generates.
const GENERATED: [&str; 2] = [
    "Description automatically generated",
    "AI-generated content may be incorrect.",
];

/// Returns whether all text of a paragraph has the font of code.
pub fn is_code(content: &[Inline]) -> bool {
    content.iter().all(|piece| match piece {
        Inline::Text { text, style } => style.has(Style::CODE) || text.trim().is_empty(),
        Inline::Break => true,
        _ => false,
    })
}

/// Returns a description without the marks that PowerPoint adds to those that it generates.
pub fn without_marks(description: &str) -> &str {
    let mut text = description.trim_end();
    while let Some(rest) = GENERATED.iter().find_map(|mark| text.strip_suffix(mark)) {
        text = rest.trim_end();
    }
    text
}

/// Returns a text with something else in the place of each vertical tab that PowerPoint wrote.
pub fn replaced_tabs<'t>(text: &'t str, by: &str) -> Cow<'t, str> {
    // Few texts have the first character of its form.
    if memchr(b'_', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("_x000B_", by))
}

/// Returns a text in one line.
pub fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Adds the link of a shape to its blocks.
pub fn linked(url: &str, blocks: &mut [Block]) {
    for block in blocks {
        match block {
            Block::Paragraph(content) => {
                let plain = content.iter().all(|it| !matches!(it, Inline::Link { .. }));
                if plain && !plain_text(content).trim().is_empty() {
                    let content_of_link = std::mem::take(content);
                    content.push(Inline::Link {
                        url: url.to_owned(),
                        content: content_of_link,
                    });
                }
            }
            Block::Item { blocks, .. } => linked(url, blocks),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_generated_descriptions_are_left_out() {
        let [old, new] = GENERATED;
        for end in [
            String::new(),
            format!(" {old}"),
            format!(" {new}\n{old}  {new}{new} "),
        ] {
            assert_eq!(without_marks(&format!("A lamp.{end}")), "A lamp.", "{end}");
        }
        assert_eq!(without_marks(old), "");
        assert_eq!(without_marks(&format!("{old} x")), format!("{old} x"));
    }
}
