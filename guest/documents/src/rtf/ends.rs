//! The ends of groups: fields, images, formulas and texts of their own.

use super::field::Field;
use super::reader::Reader;
use super::state::{Destination, End};
use super::story::{Story, StoryKind};
use crate::limits;
use crate::model::{Block, Inline};
use crate::word::fields::{Instead, Kind};
use crate::word::notes::{NoteKind, sign};
use crate::word::pages::{TEXTS, page_text};

impl Reader {
    /// Ends a field.
    pub fn end_field(&mut self) {
        self.read_field();
        match self.fields.pop().and_then(Field::end) {
            Some(Instead::Text(text)) => self.text(&text),
            Some(Instead::Equation) if !self.state.deleted && !self.state.hidden => {
                self.report.omit_equation();
            }
            // Page numbers count at the end of their instruction.
            Some(Instead::Equation | Instead::Page) | None => {}
        }
    }

    /// Reads the instruction of the field, at the start of its result or at its end.
    pub fn read_field(&mut self) {
        let innermost = self.fields.last_mut();
        let Some(field) = innermost.filter(|field| field.kind().is_none()) else {
            return;
        };
        let value = field.separate();
        if field.kind() == Some(&Kind::Page) {
            let story = self.story();
            story.page_numbers = story.page_numbers.saturating_add(1);
        }
        if let Some(value) = value {
            self.push(value);
        }
    }

    /// Ends an image between two positions.
    pub fn end_picture(&mut self, start: usize, end: usize) {
        let alt = std::mem::take(&mut self.alternative);
        if self.state.deleted || self.state.hidden {
            return;
        }
        // Empty groups replace images that are elsewhere.
        if std::mem::take(&mut self.has_picture)
            && let Some(number) = self.pictures.add(start, end)
        {
            self.push(Inline::Image {
                alt: alt.trim().to_owned(),
                number,
            });
        }
    }

    /// Ends an element of a formula.
    pub fn end_math(&mut self) {
        self.math.end();
        if !self.math.is_finished() {
            return;
        }
        let (formulas, display) = std::mem::take(&mut self.math).finish();
        for latex in formulas {
            if display && !self.story().line.content.is_empty() {
                self.push(Inline::Break);
            }
            self.push(Inline::Math { latex, display });
        }
    }

    /// Starts a text of its own. Deeper texts are a part of the current one.
    pub fn start_story(&mut self, kind: StoryKind) {
        if self.stories.len() >= limits::DEPTH {
            self.report.flattened = true;
            return;
        }
        self.stories.push(Story::new(kind));
        self.state.end = End::Story;
        self.state.destination = Destination::Body;
        self.state.paragraph = super::state::Paragraph::default();
        self.plain();
        self.state.nested_row = false;
    }

    /// Ends a text of its own.
    pub fn end_story(&mut self) {
        self.end_paragraph();
        let Some(mut story) = self.stories.pop() else {
            return;
        };
        let blocks = story.finish();
        let outer = self.groups().next_back();
        let is_shown = outer.is_none_or(|outer| !outer.deleted && !outer.hidden);
        if !is_shown {
            return;
        }
        let kind = match &story.kind {
            StoryKind::Main => return,
            StoryKind::TextBox => {
                let outer = self.story();
                outer.page_numbers = outer.page_numbers.saturating_add(story.page_numbers);
                outer.line.anchor(blocks);
                return;
            }
            StoryKind::Header | StoryKind::Footer => {
                let text = page_text(blocks, story.page_numbers > 0);
                let list = match story.kind {
                    StoryKind::Header => &mut self.headers,
                    _ => &mut self.footers,
                };
                if !text.is_empty() && list.len() < TEXTS && !list.contains(&text) {
                    let place = if story.is_first_page { 0 } else { list.len() };
                    list.insert(place, text);
                }
                return;
            }
            StoryKind::Footnote => NoteKind::Footnote,
            StoryKind::Endnote => NoteKind::Endnote,
            StoryKind::Comment(_) => NoteKind::Comment,
        };
        let mut blocks = blocks;
        if let StoryKind::Comment(author) = &story.kind {
            sign(author, &mut blocks);
        }
        if blocks.is_empty() {
            return;
        }
        let list = self.notes.entry(kind).or_default();
        let label = kind.label(list.len().saturating_add(1));
        list.push(Block::Footnote {
            label: label.clone(),
            blocks,
        });
        self.story().push(Inline::Note(label), None);
        self.pieces = self.pieces.saturating_add(NOTE_PIECES);
    }

    /// Starts the name of a property of a shape.
    pub fn start_property(&mut self) {
        self.property.clear();
    }

    /// Forgets the description of a shape without an image.
    pub fn forget_alternative(&mut self) {
        self.alternative.clear();
    }

    /// Starts the value of a property of a shape.
    pub fn start_value(&mut self) {
        self.alternative.clear();
    }
}

/// The number of pieces as which a footnote counts: it is a block with blocks.
const NOTE_PIECES: usize = 4;
