//! Text, by insertion mode.

use super::{Builder, Mode};
use crate::dom::{Boundary, Tag};
use crate::limits;

impl Builder {
    /// Appends a part of a text.
    pub fn text(&mut self, part: &[u8]) {
        self.ends_with_comment = false;
        self.buffer.extend_from_slice(part);
    }

    /// Adds the parts of a text to the tree.
    pub fn end_text(&mut self) {
        let mut start = self.text_start;
        if self.buffer.len() <= start {
            return;
        }
        if self.skipped.is_some() {
            self.buffer.truncate(start);
            return;
        }
        if std::mem::take(&mut self.skips_newline) && self.buffer.get(start) == Some(&b'\n') {
            start = start.saturating_add(1);
        }
        let is_foreign = self.is_foreign_text();
        if !is_foreign {
            self.replace_nul(start, b"");
        }
        let text = self.buffer.get(start..).unwrap_or_default();
        let is_text = |byte: &u8| !byte.is_ascii_whitespace() && *byte != 0;
        let spaces = text.iter().position(is_text);
        let (text, end) = (
            start.saturating_add(spaces.unwrap_or(text.len())),
            self.buffer.len(),
        );
        if is_foreign {
            self.frames_allowed &= text == end;
            self.replace_nul(start, "\u{fffd}".as_bytes());
            self.text_start = self.buffer.len();
            self.insert_text(start, self.text_start);
            return;
        }
        self.text_start = end;
        self.place_text(start, text, end);
    }

    /// Notes the place of a boundary, after the last node. Text after it is another node.
    pub fn boundary(&mut self, boundary: Boundary) {
        self.end_text();
        if self.skipped.is_some() || self.document.boundaries.len() >= limits::STREAMED_BOUNDARIES {
            return;
        }
        let place = self.place();
        let Some(after) = self.document.last_child(place.parent) else {
            return;
        };
        self.document.boundaries.push((after, boundary));
        self.buffer.push(b' ');
        self.text_start = self.buffer.len();
    }

    /// Adds the text from `start` to `end`, which has white space up to `text`.
    fn place_text(&mut self, mut start: usize, text: usize, end: usize) {
        loop {
            match self.mode {
                Mode::BeforeHtml | Mode::BeforeHead if text == end => return,
                Mode::BeforeHtml => {
                    self.insert_implied(Tag::Html);
                    self.mode = Mode::BeforeHead;
                }
                Mode::BeforeHead => {
                    start = text;
                    self.start_head();
                }
                Mode::InHead | Mode::InHeadNoscript | Mode::AfterHead => {
                    self.insert_text(start, text);
                    start = text;
                    if text == end {
                        return;
                    }
                    self.leave_head();
                }
                Mode::Text => return self.insert_text(start, end),
                Mode::InTable | Mode::InTableBody | Mode::InRow
                    if self.current().is_table_structure() || self.current() == Tag::Template =>
                {
                    if text == end {
                        return self.insert_text(start, end);
                    }
                    self.foster = true;
                    self.add_text(start, text, end);
                    self.foster = false;
                    return;
                }
                Mode::InColumnGroup => {
                    if text < end && self.current() != Tag::Colgroup {
                        return self.insert_spaces(start);
                    }
                    self.insert_text(start, text);
                    start = text;
                    if text == end {
                        return;
                    }
                    self.end_column_group();
                }
                Mode::InFrameset | Mode::AfterFrameset => return self.insert_spaces(start),
                Mode::AfterBody if text < end => self.mode = Mode::InBody,
                _ => return self.add_text(start, text, end),
            }
        }
    }

    /// Adds text in the body.
    fn add_text(&mut self, start: usize, text: usize, end: usize) {
        if start >= end {
            return;
        }
        self.reopen_formatting();
        self.frames_allowed &= text == end;
        self.insert_text(start, end);
    }

    /// Adds the white space of the text from `start` on. Browsers ignore text between frames and
    /// columns.
    fn insert_spaces(&mut self, start: usize) {
        let mut text = self.buffer.split_off(start);
        text.retain(u8::is_ascii_whitespace);
        self.buffer.extend_from_slice(&text);
        self.text_start = self.buffer.len();
        self.insert_text(start, self.text_start);
    }

    /// Replaces NUL in the text from `start` on.
    fn replace_nul(&mut self, start: usize, replacement: &[u8]) {
        let text = self.buffer.get(start..).unwrap_or_default();
        if memchr::memchr(0, text).is_none() {
            return;
        }
        let text = self.buffer.split_off(start);
        for part in text.split_inclusive(|byte| *byte == 0) {
            let kept = part.strip_suffix(&[0]).unwrap_or(part);
            self.buffer.extend_from_slice(kept);
            if kept.len() < part.len() {
                self.buffer.extend_from_slice(replacement);
            }
        }
    }
}
