//! A text of its own: the document, a footnote, a header or a text box.

use super::plain::Indents;
use super::sizes::Sizes;
use super::state::Paragraph;
use super::table::{Builder, RowFormat};
use crate::limits;
use crate::model::{Block, Inline, Style};
use crate::word::paragraph::Line;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The maximum number of characters of the mark of a footnote.
const MARK_CHARS: usize = 4;

/// The kind of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoryKind {
    /// The document.
    Main,
    /// A footnote.
    Footnote,
    /// An endnote.
    Endnote,
    /// A comment, with the name of its author.
    Comment(String),
    /// A header of pages.
    Header,
    /// A footer of pages.
    Footer,
    /// A text box.
    TextBox,
}

/// A text whose end is not read yet.
pub struct Story {
    /// The kind.
    pub kind: StoryKind,
    /// The finished blocks.
    pub blocks: Vec<Block>,
    /// The paragraph so far.
    pub line: Line,
    /// The sign of the list item, as it is shown.
    pub marker: Option<String>,
    /// The items of lists without a definition.
    pub indents: Indents,
    /// The sizes of its text.
    pub sizes: Sizes,
    /// The open tables, from the outermost.
    tables: Vec<Builder>,
    /// The definitions of the current rows, by the level of the table.
    rows: BTreeMap<usize, Rc<RowFormat>>,
    /// Whether a row is defined and not ended.
    pub in_row: bool,
    /// The places of the blocks that belong to a table of contents.
    pub contents: Vec<usize>,
    /// Whether it is the header or footer of the first page.
    pub is_first_page: bool,
    /// The number of page numbers that are left out.
    pub page_numbers: usize,
}

impl Story {
    /// Returns an empty text.
    pub fn new(kind: StoryKind) -> Self {
        Self {
            kind,
            blocks: Vec::new(),
            line: Line::default(),
            marker: None,
            indents: Indents::default(),
            sizes: Sizes::default(),
            tables: Vec::new(),
            rows: BTreeMap::new(),
            in_row: false,
            contents: Vec::new(),
            is_first_page: false,
            page_numbers: 0,
        }
    }

    /// Returns whether it is a header or footer.
    pub fn is_page_text(&self) -> bool {
        matches!(self.kind, StoryKind::Header | StoryKind::Footer)
    }

    /// Returns the number of tables around a paragraph.
    pub fn level(&self, paragraph: &Paragraph) -> usize {
        let level = usize::from(paragraph.tables).min(limits::DEPTH);
        if paragraph.in_table || self.in_row {
            return level.max(1);
        }
        level
    }

    /// Returns the place for blocks at a level. Opens and closes tables for it.
    pub fn container(&mut self, level: usize) -> &mut Vec<Block> {
        self.close_tables(level);
        while self.tables.len() < level {
            self.tables.push(Builder::default());
        }
        match self.tables.last_mut() {
            Some(table) => &mut table.blocks,
            None => &mut self.blocks,
        }
    }

    /// Closes the tables deeper than a level.
    fn close_tables(&mut self, level: usize) {
        while self.tables.len() > level {
            let Some(table) = self.tables.pop() else {
                return;
            };
            let format = self.rows.get(&self.tables.len().saturating_add(1));
            let blocks = table.finish(&format.cloned().unwrap_or_default());
            match self.tables.last_mut() {
                Some(outer) => outer.blocks.extend(blocks),
                None => self.blocks.extend(blocks),
            }
        }
    }

    /// Returns the definition of the current row at a level, from 1.
    pub fn row_format(&mut self, level: usize) -> &mut Rc<RowFormat> {
        self.rows.entry(level.clamp(1, limits::DEPTH)).or_default()
    }

    /// Ends a cell of the table at a level.
    pub fn end_cell(&mut self, level: usize) {
        self.container(level);
        if let Some(table) = self.tables.last_mut() {
            table.cell();
        }
    }

    /// Ends a row of the table at a level.
    pub fn end_row(&mut self, level: usize) {
        self.container(level);
        let format = Rc::clone(self.row_format(level));
        if let Some(table) = self.tables.last_mut() {
            table.row(&format);
        }
        if level <= 1 {
            self.in_row = false;
        }
    }

    /// Returns the blocks at the end of the text.
    pub fn finish(&mut self) -> Vec<Block> {
        self.close_tables(0);
        let line = std::mem::take(&mut self.line);
        self.blocks.extend(line.anchored);
        std::mem::take(&mut self.blocks)
    }

    /// Adds text to the paragraph. Returns whether it is a piece of its own.
    pub fn text(&mut self, text: &str, style: Style, link: Option<&str>) -> bool {
        let content = match link {
            Some(url) => {
                let is_same = matches!(
                    self.line.content.last(), Some(Inline::Link { url: last, .. }) if last == url
                );
                if !is_same {
                    self.line.content.push(Inline::Link {
                        url: url.to_owned(),
                        content: Vec::new(),
                    });
                }
                match self.line.content.last_mut() {
                    Some(Inline::Link { content, .. }) => content,
                    _ => return false,
                }
            }
            None => &mut self.line.content,
        };
        if let Some(Inline::Text {
            text: last,
            style: own,
        }) = content.last_mut()
            && *own == style
        {
            last.push_str(text);
            return false;
        }
        content.push(Inline::Text {
            text: text.to_owned(),
            style,
        });
        true
    }

    /// Removes the mark before a footnote, such as `*`. The note has a label in its place.
    pub fn drop_mark(&mut self) {
        if let Some(Inline::Text { text, style }) = self.line.content.last()
            && style.has(Style::SUP)
            && text.trim().chars().nth(MARK_CHARS).is_none()
        {
            self.line.content.pop();
        }
    }

    /// Adds a piece to the paragraph.
    pub fn push(&mut self, piece: Inline, link: Option<&str>) {
        let is_linked = matches!(piece, Inline::Image { .. });
        match link.filter(|_| is_linked) {
            Some(url) => self.line.content.push(Inline::Link {
                url: url.to_owned(),
                content: vec![piece],
            }),
            None => self.line.content.push(piece),
        }
    }
}
