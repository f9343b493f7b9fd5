//! Paragraphs → headings, items of lists, code, quotations and text.

use super::numbering::Marker;
use super::styles::ParagraphKind;
use crate::model::{Block, Inline, is_blank, plain_text};

/// The content of a paragraph, and the blocks that are anchored in it.
#[derive(Default)]
pub struct Line {
    /// The text.
    pub content: Vec<Inline>,
    /// Text boxes, charts and diagrams that are anchored in it.
    pub anchored: Vec<Block>,
    /// The number of these that are anchored before the text. The others are shown after the paragraph.
    pub before: usize,
    /// The format of the paragraph style hides the text.
    pub hidden: bool,
    /// The paragraph style makes the text bold.
    pub bold: bool,
}

impl Line {
    /// Adds blocks that are anchored here.
    pub fn anchor(&mut self, blocks: impl IntoIterator<Item = Block>) {
        self.anchored.extend(blocks);
        if is_blank(&self.content) {
            self.before = self.anchored.len();
        }
    }

    /// Returns the text, and the blocks before and after the paragraph.
    pub fn finish(mut self) -> (Vec<Inline>, Vec<Block>, Vec<Block>) {
        let after = self
            .anchored
            .split_off(self.before.min(self.anchored.len()));
        (self.content, self.anchored, after)
    }
}

/// The number of characters of a heading above which it is text with an outline level.
pub const HEADING_CHARS: usize = 400;

/// A paragraph before it is a heading, an item of a list, code, a quotation, or text.
pub struct Paragraph {
    /// The text.
    pub content: Vec<Inline>,
    /// The outline level, from 0.
    pub level: Option<u8>,
    /// The kind by its style.
    pub kind: ParagraphKind,
    /// The marker of its list, and the level of the list.
    pub marker: Option<(Marker, usize)>,
    /// The number of levels by which a title moves the headings.
    pub shift: u8,
}

/// The content of a paragraph, and its marker and level if it is a list item.
pub type Marked = (Vec<Inline>, Option<(Marker, usize)>);

impl Paragraph {
    /// Adds the paragraph to blocks.
    pub fn push(self, out: &mut Vec<Block>) {
        let Some((content, marker)) = self.push_special(out) else {
            return;
        };
        if marker.is_none() && push_formula(&content, out) {
            return;
        }
        push_text(content, marker, out);
    }

    /// Adds a paragraph that is code, a quotation, a title or a heading. Returns the content and the marker
    /// of other paragraphs.
    pub fn push_special(self, out: &mut Vec<Block>) -> Option<Marked> {
        let Self {
            mut content,
            level,
            kind,
            marker,
            shift,
        } = self;
        match kind {
            ParagraphKind::Code => {
                let text = plain_text(&content);
                if let Some(Block::Code { text: last, .. }) = out.last_mut() {
                    last.push('\n');
                    last.push_str(&text);
                } else {
                    let language = String::new();
                    out.push(Block::Code { language, text });
                }
                return None;
            }
            ParagraphKind::Quote => {
                if let Some(Block::Quote(blocks)) = out.last_mut() {
                    blocks.push(Block::Paragraph(content));
                } else {
                    out.push(Block::Quote(vec![Block::Paragraph(content)]));
                }
                return None;
            }
            ParagraphKind::Title if marker.is_none() => {
                out.push(Block::Heading { level: 1, content });
                return None;
            }
            _ => {}
        }
        let text = plain_text(&content);
        let heading =
            level.filter(|_| !text.trim().is_empty() && text.chars().nth(HEADING_CHARS).is_none());
        if let Some(level) = heading {
            if let Some((Marker::Number(number), _)) = marker {
                content.insert(0, Inline::plain(format!("{number} ")));
            }
            let level = level.saturating_add(1).saturating_add(shift);
            out.push(Block::Heading { level, content });
            return None;
        }
        Some((content, marker))
    }
}

/// Adds a paragraph that consists of a formula on its own line. Returns whether it is one.
pub fn push_formula(content: &[Inline], out: &mut Vec<Block>) -> bool {
    let [
        Inline::Math {
            latex,
            display: true,
        },
    ] = content
    else {
        return false;
    };
    out.push(Block::Math(latex.clone()));
    true
}

/// Adds a paragraph as an item of a list, a task or text.
pub fn push_text(content: Vec<Inline>, marker: Option<(Marker, usize)>, out: &mut Vec<Block>) {
    let is_task = matches!(content.first(), Some(Inline::CheckBox(_)));
    match marker {
        Some((marker, depth)) => out.push(Block::Item {
            depth,
            marker: match marker {
                Marker::Bullet => String::new(),
                Marker::Number(number) => number,
            },
            blocks: vec![Block::Paragraph(content)],
        }),
        None if is_task => out.push(Block::Item {
            depth: 0,
            marker: String::new(),
            blocks: vec![Block::Paragraph(content)],
        }),
        None => out.push(Block::Paragraph(content)),
    }
}
