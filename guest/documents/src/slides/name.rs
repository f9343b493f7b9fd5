//! The name of a slide without a title in the list of slides: the first line of its largest text, or of
//! that at its top.

use crate::model::{Block, plain_text};

/// The number of characters of a name. A longer line is cut.
const CHARS: usize = 80;

/// The texts of a slide.
#[derive(Debug, Default)]
pub struct Names {
    best: Option<(u32, i64, String)>,
}

impl Names {
    /// Adds the first line of a text. `size` is that of its letters, 0 if no size is known, and `top` the
    /// position of its upper side. Of equal ones, the first one counts.
    pub fn add(&mut self, size: u32, top: Option<i64>, line: &str) {
        let top = top.unwrap_or(i64::MAX);
        let is_better = match &self.best {
            None => true,
            Some((best, place, _)) => size > *best || size == *best && top < *place,
        };
        // Numbers and bullets name nothing.
        if is_better && line.chars().any(char::is_alphabetic) {
            self.best = Some((size, top, shortened(line)));
        }
    }

    /// Adds the first line of blocks. Tables and quotations have none.
    pub fn add_blocks(&mut self, top: Option<i64>, blocks: &[Block]) {
        let line = blocks.iter().find_map(|block| match block {
            Block::Heading { content, .. } | Block::Paragraph(content) => line(content),
            Block::Item { blocks, .. } => blocks.iter().find_map(|block| match block {
                Block::Paragraph(content) => line(content),
                _ => None,
            }),
            _ => None,
        });
        if let Some(line) = line {
            self.add(0, top, &line);
        }
    }

    /// Returns the name. It is empty if there is no text.
    pub fn take(self) -> String {
        self.best.map(|(_, _, name)| name).unwrap_or_default()
    }
}

/// Returns the first line of a paragraph that is not blank.
fn line(content: &[crate::model::Inline]) -> Option<String> {
    let text = plain_text(content);
    let line = text.lines().find(|line| !line.trim().is_empty());
    line.map(str::to_owned)
}

/// Joins the words of a line, and cuts it after a word.
fn shortened(line: &str) -> String {
    let mut name = String::new();
    let mut count = 0_usize;
    for word in line.split_whitespace() {
        let size = word.chars().count();
        let next = count
            .saturating_add(size)
            .saturating_add(usize::from(count > 0));
        if next > CHARS {
            if name.is_empty() {
                name.extend(word.chars().take(CHARS));
            }
            name.push('…');
            break;
        }
        if count > 0 {
            name.push(' ');
        }
        name.push_str(word);
        count = next;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Inline, Table};

    #[test]
    fn the_largest_text_or_the_first_one_is_the_name() {
        let mut names = Names::default();
        names.add(1800, Some(50), "low");
        names.add(1800, Some(10), "high");
        names.add(1800, Some(10), "equal");
        names.add(2400, None, "2024");
        assert_eq!(names.best.as_ref().map(|it| it.2.as_str()), Some("high"));
        names.add(2400, Some(90), " large \t text ");
        assert_eq!(names.take(), "large text");
        assert_eq!(Names::default().take(), "");
    }

    #[test]
    fn blocks_have_a_first_line() {
        let text = |text: &str| Block::Paragraph(vec![Inline::plain(text)]);
        let mut names = Names::default();
        names.add_blocks(Some(1), &[Block::Table(Table::default())]);
        let item = Block::Item {
            depth: 0,
            marker: String::new(),
            blocks: vec![text("item")],
        };
        names.add_blocks(Some(2), &[text(" "), item, text("more")]);
        assert_eq!(names.take(), "item");
    }

    #[test]
    fn long_lines_are_cut_after_a_word() {
        let name = shortened(&"word ".repeat(100));
        assert_eq!(name, format!("{}…", ["word"; 16].join(" ")));
        assert_eq!(shortened(&"x".repeat(1 << 20)).chars().count(), CHARS + 1);
        assert_eq!(shortened(&"x".repeat(CHARS)).chars().count(), CHARS);
    }
}
