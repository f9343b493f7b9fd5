//! Text whose characters are unknown. It has its place in the layout, and is removed from the blocks.

use crate::page::UNKNOWN;
use omniread_document::model::{Block, Inline, Table, is_blank};

/// Removes text whose characters are unknown, and blocks that have no other text.
pub fn remove(blocks: &mut Vec<Block>) {
    blocks.retain_mut(|block| match block {
        Block::Paragraph(content) | Block::Heading { content, .. } => !inlines(content),
        Block::Item { blocks, .. } | Block::Quote(blocks) | Block::Footnote { blocks, .. } => {
            let had = !blocks.is_empty();
            remove(blocks);
            !(had && blocks.is_empty())
        }
        Block::Table(Table { rows }) => {
            for cell in rows.iter_mut().flatten() {
                remove(&mut cell.blocks);
            }
            rows.iter().flatten().any(|cell| !cell.blocks.is_empty())
        }
        Block::Code { text, .. } => !(strip(text) && text.trim().is_empty()),
        Block::Math(_) | Block::Rule | Block::Comment(_) => true,
    });
}

/// Removes unknown text. Returns whether there was some, and nothing else.
fn inlines(content: &mut [Inline]) -> bool {
    let mut found = false;
    for piece in content.iter_mut() {
        found |= match piece {
            Inline::Text { text, .. } => strip(text),
            Inline::Link { content, .. } => inlines(content),
            _ => false,
        };
    }
    found && is_blank(content)
}

/// Removes unknown text and the space after it. Returns whether there was some.
pub fn strip(text: &mut String) -> bool {
    if !text.contains(UNKNOWN) {
        return false;
    }
    let mut out = String::with_capacity(text.len());
    let mut is_gap = false;
    for character in text.chars() {
        let joins = character == ' ' && (out.is_empty() || out.ends_with([' ', '\n']));
        if character != UNKNOWN && !(is_gap && joins) {
            out.push(character);
        }
        is_gap = character == UNKNOWN || is_gap && character == ' ';
    }
    *text = out;
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use omniread_document::markdown;
    use omniread_document::model::Cell;

    #[test]
    fn blocks_without_known_text_are_removed() {
        let text = |text: &str| vec![Inline::plain(text.replace('?', "\u{fffe}"))];
        let cell = |it: &str| Cell::new(vec![Block::Paragraph(text(it))]);
        let item = |it: &str| Block::Item {
            depth: 0,
            marker: "-".to_owned(),
            blocks: vec![Block::Paragraph(text(it))],
        };
        let table = |it: &str| {
            Block::Table(Table {
                rows: vec![vec![cell("??"), cell(it)], vec![cell("? ?"), cell("?")]],
            })
        };
        let mut blocks = vec![
            Block::Heading {
                level: 1,
                content: text("???? ??"),
            },
            Block::Paragraph(text("? known ?? and ? known")),
            item("??"),
            item("known"),
            table("?"),
            table("a"),
        ];
        remove(&mut blocks);
        let shown = markdown::render(&blocks);
        assert_eq!(shown, "known and known\n\n- known\n\n||a|\n|-|-|\n|||");
    }
}
