//! Footnotes, endnotes and comments.

use crate::model::{Block, Inline};

/// The kind of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteKind {
    /// A note at the end of a page.
    Footnote,
    /// A note at the end of the document.
    Endnote,
    /// A comment of a reader.
    Comment,
}

impl NoteKind {
    /// All kinds, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::Footnote, Self::Endnote, Self::Comment];

    /// Returns the label of a note by its number, from 1.
    pub fn label(self, number: usize) -> String {
        let prefix = match self {
            Self::Footnote => "",
            Self::Endnote => "e",
            Self::Comment => "c",
        };
        format!("{prefix}{number}")
    }
}

/// Adds the name of the author before a comment. A comment without text is the name alone, so that its
/// reference in the text leads somewhere.
pub fn sign(author: &str, blocks: &mut Vec<Block>) {
    let author = author.trim();
    if author.is_empty() {
        return;
    }
    let name = Inline::plain(format!("{author}: "));
    if let Some(Block::Paragraph(content)) = blocks.first_mut() {
        content.insert(0, name);
    } else {
        blocks.insert(0, Block::Paragraph(vec![name]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comment_without_text_is_the_name_of_its_author() {
        let signed = |author: &str, mut blocks: Vec<Block>| {
            sign(author, &mut blocks);
            crate::markdown::render(&blocks)
        };
        let text = Block::Paragraph(vec![Inline::plain("why?")]);
        let code = Block::Math("x".to_owned());
        assert_eq!(signed(" Ann ", vec![text.clone()]), "Ann: why?");
        assert_eq!(signed("Ann", vec![code]), "Ann:\n\n$$x$$");
        assert_eq!(signed("Ann", Vec::new()), "Ann:");
        assert_eq!(signed("", vec![text]), "why?");
        assert_eq!(signed(" ", Vec::new()), "");
    }
}
