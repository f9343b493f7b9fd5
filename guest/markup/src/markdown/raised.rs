//! Raised and lowered text of a page.

use super::renderer::Renderer;
use crate::dom::{Document, Id, Tag};
use crate::limits;
use omniread_document::markdown::Line;
use omniread_document::markdown::raised::{self, Form, Level};

impl Renderer<'_> {
    /// Adds a raised or lowered text to a line.
    pub fn raised(&mut self, id: Id, tag: Tag, line: &mut Line) {
        if self.is_note_mark(id, tag) {
            self.inlines(id, line);
            return;
        }
        let mut text = String::new();
        self.document.raw_text(id, &mut text);
        let form = if self.is_simple(id) && !is_numerator(self.document, id, tag) {
            let before = if text.starts_with(char::is_whitespace) {
                ""
            } else {
                line.before_word()
            };
            form_of(self.document, id, tag, &text, before)
        } else {
            Form::Tagged
        };
        let mut ends_with_space = text.ends_with(char::is_whitespace);
        match form {
            Form::Marked(text) => line.exactly(&text),
            Form::Joined(text) => line.words(&text),
            Form::Tagged => {
                let (start, end) = level(tag).tags();
                line.open(start);
                self.inlines(id, line);
                line.close(end);
                ends_with_space = false;
            }
        }
        if ends_with_space {
            line.space();
        }
    }

    /// Whether a raised text is the mark of a note: a short link, or text in square brackets.
    fn is_note_mark(&self, id: Id, tag: Tag) -> bool {
        if tag != Tag::Sup {
            return false;
        }
        let mut text = String::new();
        self.document.raw_text(id, &mut text);
        let text = text.trim();
        let mut nodes = self.document.subtree(id).take(limits::RAISED_NODES);
        (text.starts_with('[') && text.ends_with(']'))
            || (text.chars().count() <= limits::LABEL_CHARS
                && nodes.any(|id| self.document.is(id, Tag::A)))
    }

    /// Whether an element has text only, perhaps with a format.
    fn is_simple(&self, id: Id) -> bool {
        let mut nodes = self.document.subtree(id).skip(1);
        nodes.all(|id| match self.document.tag(id) {
            None => true,
            Some(
                Tag::I
                | Tag::Em
                | Tag::B
                | Tag::Strong
                | Tag::Span
                | Tag::Var
                | Tag::Small
                | Tag::Font
                | Tag::Cite,
            ) => !self.is_dropped(id),
            Some(_) => false,
        })
    }
}

/// Appends a raised or lowered text to code, in which there are no tags.
pub fn append_to_code(document: &Document, id: Id, tag: Tag, out: &mut String) {
    let before = out.chars().next_back();
    let mut text = String::new();
    document.raw_text(id, &mut text);
    match form_of(document, id, tag, &text, out) {
        Form::Marked(text) | Form::Joined(text) => out.push_str(&text),
        Form::Tagged => {
            if !text.trim().is_empty() && before.is_some_and(raised::ends_base) {
                out.push(level(tag).mark());
                out.push('(');
                out.push_str(text.trim());
                out.push(')');
            } else {
                out.push_str(&text);
            }
        }
    }
}

fn level(tag: Tag) -> Level {
    match tag {
        Tag::Sup => Level::Raised,
        _ => Level::Lowered,
    }
}

/// The form of the text of a raised or lowered element after the text `before` of its line.
fn form_of(document: &Document, id: Id, tag: Tag, text: &str, before: &str) -> Form {
    let last = text.chars().next_back().filter(|last| last.is_whitespace());
    let after = last.or_else(|| first_after(document, id));
    raised::form(text.trim(), level(tag), before, after)
}

/// The first character of the text after an element.
fn first_after(document: &Document, id: Id) -> Option<char> {
    document.next_sibling(id).and_then(|next| {
        let mut after = String::new();
        document.raw_text(next, &mut after);
        after.chars().next()
    })
}

/// Whether a raised text is the numerator of a fraction: a slash and a lowered text follow.
fn is_numerator(document: &Document, id: Id, tag: Tag) -> bool {
    let slash = document.next_sibling(id).filter(|_| tag == Tag::Sup);
    slash.is_some_and(|slash| {
        let is_slash = document
            .text(slash)
            .is_some_and(|text| matches!(text.trim(), "/" | "⁄"));
        let next = document.next_sibling(slash);
        is_slash && next.is_some_and(|next| document.is(next, Tag::Sub))
    })
}
