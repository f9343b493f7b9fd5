//! Text of groups → their destinations.

use super::characters::Characters;
use super::field::Field;
use super::reader::Reader;
use super::state::Destination;
use super::story::StoryKind;
use super::tables::Font;
use crate::model::{Inline, Style};
use crate::word::fields::Kind;
use crate::{limits, symbols};

impl Reader {
    /// Reads a character in UTF-16.
    pub fn unicode(&mut self, value: i32) {
        self.skip = self.state.skip;
        let unsigned = if value < 0 {
            value.wrapping_add(0x1_0000)
        } else {
            value
        };
        let Ok(code) = u32::try_from(unsigned) else {
            return;
        };
        if let Ok(unit @ 0xd800..=0xdbff) = u16::try_from(code) {
            self.surrogate = Some(unit);
            return;
        }
        let high = self.surrogate.take();
        let char = match (high, u16::try_from(code)) {
            (Some(high), Ok(low @ 0xdc00..=0xdfff)) => {
                char::decode_utf16([high, low]).next().and_then(Result::ok)
            }
            (_, Ok(unit @ 0xf020..=0xf0ff)) => {
                let font = self.fonts.get(self.state.font);
                let font = font.map_or("", Font::name);
                let symbol = symbols::symbol(font, u32::from(unit));
                let is_bullet = matches!(
                    self.state.destination,
                    Destination::LevelText | Destination::Marker
                );
                // Fonts have no sign at some places. Unknown signs of lists are bullets.
                let Some(symbol) = symbol.or_else(|| is_bullet.then_some('\u{2022}')) else {
                    return;
                };
                Some(symbol)
            }
            _ => char::from_u32(code),
        };
        self.char(char.unwrap_or('\u{fffd}'));
    }

    /// Adds a character.
    pub fn char(&mut self, char: char) {
        self.text(char.encode_utf8(&mut [0; 4]));
    }

    /// Reads a byte of text.
    pub fn hex(&mut self, byte: u8) {
        self.is_first = false;
        if self.skip > 0 {
            self.skip = self.skip.saturating_sub(1);
            return;
        }
        if self.state.destination == Destination::LevelText {
            self.flush();
            if self.lists.level_byte(byte) {
                return;
            }
        }
        self.bytes.push(byte);
    }

    /// Reads bytes of text.
    pub fn raw_text(&mut self, text: &[u8]) {
        if self.state.destination == Destination::Picture {
            self.has_picture |= text.iter().any(u8::is_ascii_hexdigit);
            return;
        }
        let mut is_blank = true;
        for byte in text {
            if matches!(byte, b'\r' | b'\n' | 0) {
                continue;
            }
            is_blank = false;
            if self.skip > 0 {
                self.skip = self.skip.saturating_sub(1);
                continue;
            }
            self.bytes.push(*byte);
        }
        if !is_blank {
            self.is_first = false;
        }
    }

    /// Decodes the bytes so far.
    pub fn flush(&mut self) {
        if self.bytes.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.bytes);
        let font = self.fonts.get(self.state.font);
        let font = font.map_or("", Font::name);
        let mut text = String::with_capacity(bytes.len());
        let is_table = matches!(
            self.state.destination,
            Destination::Fonts | Destination::Styles | Destination::Instruction
        );
        let code = match self.state.code {
            Characters::Symbols if is_table => self.code,
            code => code,
        };
        code.decode(&bytes, font, &mut text);
        self.text(&text);
        self.bytes = bytes;
        self.bytes.clear();
    }

    /// Adds text to the destination of the group.
    pub fn text(&mut self, text: &str) {
        match self.state.destination {
            Destination::Body => self.body_text(text),
            Destination::Fonts => self.fonts.text(text),
            Destination::Styles => self.styles.text(text),
            Destination::LevelText => self.lists.level_text(text),
            Destination::InfoText(place) => self.info.text(place, text),
            Destination::Instruction => {
                if let Some(field) = self.fields.last_mut() {
                    field.instruct(text);
                }
            }
            Destination::FormEntry => {
                if let Some(field) = self.fields.last_mut() {
                    field.entry(text);
                }
            }
            Destination::Marker => {
                if let Some(marker) = self.story().marker.as_mut()
                    && marker.len() < limits::RTF_NAME
                {
                    marker.push_str(text);
                }
            }
            Destination::OldBefore => self.old_list.before(text),
            Destination::OldAfter => self.old_list.after(text),
            Destination::Author => push_name(&mut self.author, text),
            Destination::ShapeName => push_name(&mut self.property, text),
            Destination::ShapeValue => push_name(&mut self.alternative, text),
            Destination::Math => self.math.text(text),
            _ => {}
        }
    }

    fn body_text(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.fields.iter_mut().for_each(Field::fill);
        }
        if self.state.deleted {
            self.report.changes = true;
            return;
        }
        if self.state.hidden {
            let count = text.chars().count();
            self.report.hide(count);
            return;
        }
        self.has_mark = false;
        let mut style = self.state.shown_style();
        if self.styles.is_code(self.state.character_style) {
            style = style.with(Style::CODE);
        }
        let is_fixed = self
            .fonts
            .get(self.state.font)
            .is_some_and(|it| it.is_fixed);
        self.fixed.1 = self.fixed.1.saturating_add(text.len());
        if is_fixed {
            self.fixed.0 = self.fixed.0.saturating_add(text.len());
            if self.fixed_is_code {
                style = style.with(Style::CODE);
            }
        }
        let is_page = self.in_field(&Kind::Page);
        let story = self.stories.last_mut().unwrap_or(&mut self.main);
        if is_page && story.is_page_text() {
            return;
        }
        if story.kind == StoryKind::Main {
            story.sizes.add(text, self.state.size);
        }
        let link = link(&self.fields);
        if story.text(text, style, link) {
            self.pieces = self.pieces.saturating_add(cost(link));
        }
    }

    /// Adds a piece to the paragraph.
    pub fn push(&mut self, piece: Inline) {
        if self.state.deleted || self.state.hidden {
            return;
        }
        if !matches!(piece, Inline::Break) {
            self.fields.iter_mut().for_each(Field::fill);
        }
        let story = self.stories.last_mut().unwrap_or(&mut self.main);
        let link = link(&self.fields);
        story.push(piece, link);
        self.pieces = self.pieces.saturating_add(cost(link));
    }
}

/// Returns the address of the innermost link.
fn link(fields: &[Field]) -> Option<&str> {
    fields.iter().rev().find_map(|field| match field.kind() {
        Some(Kind::Link(url)) => Some(url.as_str()),
        _ => None,
    })
}

/// Returns the number of pieces as which a piece counts. A link contains its address.
fn cost(link: Option<&str>) -> usize {
    const BYTES: usize = 64;
    link.map_or(1, |url| {
        url.len()
            .checked_div(BYTES)
            .unwrap_or_default()
            .saturating_add(1)
    })
}

fn push_name(name: &mut String, text: &str) {
    if name.len() < limits::METADATA_BYTES {
        name.push_str(text);
    }
}
