//! The end of a paragraph: headings, list items, code and quotations.

use super::plain::{is_code, is_rule, join_item, unmark};
use super::reader::Reader;
use super::state::{OldList, Paragraph};
use crate::model::{Block, Inline, is_blank, plain_text};
use crate::word::fields::Kind;
use crate::word::numbering::{ListReference, Marker};
use crate::word::paragraph::{self, push_formula, push_text};
use crate::word::styles::ParagraphKind;

/// The level of the title of a document, until it is known how many there are.
pub const TITLE: u8 = 0;

impl Reader {
    /// Ends a paragraph.
    pub fn end_paragraph(&mut self) {
        let paragraph = self.state.paragraph;
        let level = self.story().level(&paragraph);
        self.end_paragraph_at(level);
    }

    /// Ends a paragraph in the table at a level. `0` is outside of tables.
    fn end_paragraph_at(&mut self, level: usize) {
        let paragraph = self.state.paragraph;
        self.forget_alternative();
        if paragraph.initial {
            self.story().marker = None;
            return;
        }
        let marker = self.marker(&paragraph);
        let in_contents = self.in_field(&Kind::Contents);
        let (style_outline, kind) = self.styles.paragraph(paragraph.style);
        let outline = paragraph.outline.or(style_outline);
        let outline = outline.filter(|outline| *outline < 9);
        let story = self.story();
        let (mut content, anchored, after) = std::mem::take(&mut story.line).finish();
        let is_blank = is_blank(&content);
        let is_plain = kind == ParagraphKind::Text && outline.is_none() && !is_blank;
        let typed = (is_plain && marker.is_none())
            .then(|| story.indents.item(&paragraph, &mut content))
            .flatten();
        let continues = typed.is_none() && !is_blank && story.indents.continues(&paragraph);
        let marker = marker.or(typed);
        let is_text = is_plain && marker.is_none() && level == 0 && !continues;
        let is_fixed = is_plain && marker.is_none() && level == 0 && is_code(&content);
        let kind = if is_fixed { ParagraphKind::Code } else { kind };
        if !is_fixed {
            unmark(&mut content);
        }
        let blank = std::mem::take(&mut story.indents.blank);
        let ends_with_page = ends_with_page(&content);
        let out = story.container(level);
        out.extend(anchored);
        let before = out.len();
        let is_after_code = matches!(out.last(), Some(Block::Code { .. }));
        if kind == ParagraphKind::Code && is_after_code && !continues {
            push_lines(blank, out);
        }
        if !is_blank {
            push(content, outline, kind, marker, out);
        }
        if continues {
            join_item(out);
        }
        let added = out.len().saturating_sub(before);
        out.extend(after);
        let place = (is_text && !is_fixed && added == 1).then_some(before);
        if !is_blank {
            story.sizes.end_paragraph(place);
        }
        let is_contents = matches!(
            kind,
            ParagraphKind::Contents | ParagraphKind::ContentsHeading
        );
        let is_contents = is_contents && (kind == ParagraphKind::ContentsHeading || ends_with_page);
        if (in_contents || is_contents) && level == 0 && added > 0 {
            story.contents.push(before);
        }
        if is_blank && is_after_code {
            story.indents.blank = blank.saturating_add(1);
        }
        self.pieces = self.pieces.saturating_add(added);
    }

    /// Ends a cell of the table at a level.
    pub fn end_cell(&mut self, level: usize) {
        self.end_paragraph_at(level);
        self.story().end_cell(level);
        self.pieces = self.pieces.saturating_add(1);
    }

    /// Ends a row of the table at a level.
    pub fn end_row(&mut self, level: usize) {
        if !is_blank(&self.story().line.content) {
            self.end_paragraph_at(level);
        }
        self.story().end_row(level);
        self.pieces = self.pieces.saturating_add(1);
    }

    /// Counts a list item, and returns its marker and level.
    fn marker(&mut self, paragraph: &Paragraph) -> Option<(Marker, usize)> {
        let shown = self.story().marker.take();
        let level = usize::from(paragraph.level);
        if paragraph.old_list != OldList::Number {
            self.old_list.last = None;
        }
        let counted = if paragraph.list > 0 {
            let reference = ListReference {
                list: Some(paragraph.list.to_string()),
                level: Some(level),
            };
            self.lists.numbering.next(&reference)
        } else {
            match paragraph.old_list {
                OldList::None => None,
                OldList::Bullet => Some(Marker::Bullet),
                OldList::Number => {
                    let blank = is_blank(&self.story().line.content);
                    (!blank).then(|| Marker::Number(self.old_list.next()))
                }
            }
        };
        let shown = shown.as_deref().map(str::trim).unwrap_or_default();
        if shown.is_empty() {
            return Some((counted?, level));
        }
        // What the program shows takes precedence over the definition.
        let is_number = shown.chars().any(char::is_alphanumeric) && counted != Some(Marker::Bullet);
        let marker = if is_number && !is_letter_bullet(shown) {
            Marker::Number(shown.split_whitespace().collect::<Vec<_>>().join(" "))
        } else {
            Marker::Bullet
        };
        Some((marker, level))
    }
}

/// Returns whether a text ends with the number of a page, as entries of a table of contents do. Authors
/// use the styles of these entries for headings as well.
fn ends_with_page(content: &[Inline]) -> bool {
    let text = plain_text(content);
    let last = text.trim_end().rsplit([' ', '\t', '.', '\n']).next();
    let last = last.unwrap_or_default();
    (1..=4).contains(&last.len()) && last.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a sign is a letter that symbol fonts show as a bullet.
fn is_letter_bullet(sign: &str) -> bool {
    matches!(sign, "o" | "§" | "Ø" | "ü" | "q" | "v" | "·")
}

/// Replaces a ballot box at the start of a paragraph with a check box. RTF has no other check boxes
/// outside of forms.
fn read_check_box(content: &mut Vec<Inline>) {
    let Some(Inline::Text { text, .. }) = content.first_mut() else {
        return;
    };
    let start = text.trim_start();
    let checked = match start.chars().next() {
        Some('☐') => false,
        Some('☑' | '☒') => true,
        _ => return,
    };
    *text = start.chars().skip(1).collect();
    content.insert(0, Inline::CheckBox(checked));
}

/// Adds empty lines to the code at the end of blocks.
fn push_lines(count: usize, out: &mut [Block]) {
    if let Some(Block::Code { text, .. }) = out.last_mut() {
        text.extend(std::iter::repeat_n('\n', count));
    }
}

/// Adds a paragraph to blocks.
fn push(
    content: Vec<Inline>,
    outline: Option<u8>,
    kind: ParagraphKind,
    marker: Option<(Marker, usize)>,
    out: &mut Vec<Block>,
) {
    if kind == ParagraphKind::Title && marker.is_none() {
        let level = TITLE;
        out.push(Block::Heading { level, content });
        return;
    }
    let paragraph = paragraph::Paragraph {
        content,
        level: outline,
        kind,
        marker,
        shift: 0,
    };
    let Some((mut content, marker)) = paragraph.push_special(out) else {
        return;
    };
    if marker.is_none() && is_rule(&content) {
        out.push(Block::Rule);
        return;
    }
    if marker.is_none() && push_formula(&content, out) {
        return;
    }
    read_check_box(&mut content);
    push_text(content, marker, out);
}
