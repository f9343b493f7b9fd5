//! The model of a document: blocks, inline text, lists and tables.

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading. Levels are from 1; those above 6 are shown as 6.
    Heading {
        /// The level.
        level: u8,
        /// The text. Bold is ignored.
        content: Vec<Inline>,
    },
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// A list item. Consecutive items are a list.
    Item {
        /// The level, from 0.
        depth: usize,
        /// The number in its own format, such as `1.` or `iv)`. Empty for a bullet.
        marker: String,
        /// The content.
        blocks: Vec<Block>,
    },
    /// A table.
    Table(Table),
    /// Code.
    Code {
        /// The name of the language. It may be empty.
        language: String,
        /// Lines with `\n` between them.
        text: String,
    },
    /// A quotation.
    Quote(Vec<Block>),
    /// A formula on its own line, in LaTeX.
    Math(String),
    /// The text of a footnote or a comment.
    Footnote {
        /// The label, such as `1`.
        label: String,
        /// The content.
        blocks: Vec<Block>,
    },
    /// A horizontal line.
    Rule,
    /// Markdown that is not a part of the text, such as the header of the pages.
    Comment(String),
}

/// A table. The first row is shown as its header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The cells of each row. A row has no cells at positions that a cell above covers.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The content.
    pub blocks: Vec<Block>,
    /// The number of columns that it covers, from 1.
    pub columns: usize,
    /// The number of rows that it covers, from 1.
    pub rows: usize,
}

impl Cell {
    /// Returns a cell that covers one position.
    pub fn new(blocks: Vec<Block>) -> Self {
        Self {
            blocks,
            columns: 1,
            rows: 1,
        }
    }

    /// Returns a cell with unformatted text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(vec![Block::Paragraph(vec![Inline::plain(text)])])
    }
}

/// A piece of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Text. Whitespace, including line ends, is one space.
    Text {
        /// The characters.
        text: String,
        /// The format.
        style: Style,
    },
    /// A link.
    Link {
        /// The address.
        url: String,
        /// The text.
        content: Vec<Inline>,
    },
    /// An image of the document.
    Image {
        /// The alternative text. It may be empty.
        alt: String,
        /// The number of the image, from 1.
        number: usize,
    },
    /// An image that is not a part of the document.
    LinkedImage {
        /// The alternative text. It may be empty.
        alt: String,
        /// The address.
        url: String,
    },
    /// A line break.
    Break,
    /// A formula in LaTeX.
    Math {
        /// The formula, without delimiters.
        latex: String,
        /// Whether it is on its own line.
        display: bool,
    },
    /// A reference to a footnote or a comment.
    Note(String),
    /// A check box.
    CheckBox(bool),
}

impl Inline {
    /// Returns unformatted text.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::Text {
            text: text.into(),
            style: Style::default(),
        }
    }
}

/// The format of a text: a set of properties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style(u8);

impl Style {
    /// Bold.
    pub const BOLD: Self = Self(1);
    /// Italic.
    pub const ITALIC: Self = Self(2);
    /// Crossed out.
    pub const STRIKE: Self = Self(4);
    /// Below the line.
    pub const SUB: Self = Self(8);
    /// Above the line.
    pub const SUP: Self = Self(16);
    /// Code.
    pub const CODE: Self = Self(32);

    /// Returns whether it has all properties of the other.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the properties of both.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the properties that the other does not have.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the properties that both have.
    #[must_use]
    pub const fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// Returns the text of a paragraph without format.
pub fn plain_text(content: &[Inline]) -> String {
    let mut out = String::new();
    for piece in content {
        match piece {
            Inline::Text { text, .. } => out.push_str(text),
            Inline::Link { content, .. } => {
                for piece in content {
                    if let Inline::Text { text, .. } = piece {
                        out.push_str(text);
                    }
                }
            }
            Inline::Math { latex, .. } => out.push_str(latex),
            Inline::Break => out.push('\n'),
            Inline::Image { .. }
            | Inline::LinkedImage { .. }
            | Inline::Note(_)
            | Inline::CheckBox(_) => {}
        }
    }
    out
}

/// Returns whether a paragraph shows nothing.
pub fn is_blank(content: &[Inline]) -> bool {
    content.iter().all(|piece| match piece {
        Inline::Text { text, .. } => text.trim().is_empty(),
        Inline::Link { content, .. } => is_blank_text(content),
        Inline::Break => true,
        Inline::Math { latex, .. } => latex.trim().is_empty(),
        Inline::Image { .. }
        | Inline::LinkedImage { .. }
        | Inline::Note(_)
        | Inline::CheckBox(_) => false,
    })
}

/// Returns whether the content of a link shows nothing.
fn is_blank_text(content: &[Inline]) -> bool {
    content.iter().all(|piece| match piece {
        Inline::Text { text, .. } => text.trim().is_empty(),
        Inline::Break => true,
        _ => false,
    })
}
