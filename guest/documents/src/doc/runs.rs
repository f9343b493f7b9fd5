//! The content of a paragraph: runs, fields and links.

use super::convert::Converter;
use super::sprms::Characters;
use super::styles::Class;
use crate::model::{Inline, Style};
use crate::symbols;
use crate::word::fields::{Instead, Kind};
use crate::word::paragraph::Line;
use std::ops::Range;

impl Converter<'_> {
    /// Returns the properties of a character, and the first character that has others.
    pub fn at(&self, character: usize, class: &Class) -> (Characters, usize) {
        let mut found = Characters {
            font: class.characters.font,
            hidden: class.characters.hidden,
            ..Characters::default()
        };
        let bold = |class: &Class| class.characters.style.has(Style::BOLD);
        if bold(class) && !self.styles.get(0).is_some_and(bold) {
            found.style = Style::BOLD;
        }
        let Some(piece) = self.text.piece(character) else {
            return (found, character.saturating_add(1));
        };
        let place = piece.place(character);
        let span = self.characters.find(place);
        let next = match span {
            Ok(span) => span.end,
            Err(next) => next,
        };
        let left = next.saturating_sub(place).checked_div(piece.width);
        let end = character.saturating_add(left.unwrap_or(1).max(1));
        let list = span.map_or(&[][..], |span| span.list(&self.streams.word));
        let mut inherited = class.characters;
        // The style of the characters comes before their own properties.
        let own = super::sprms::sprms(list).find(|(code, _)| *code == 0x4a30);
        if let Some((_, operand)) = own
            && let Some(style) = self.styles.get(super::sprms::word(operand))
        {
            found.style = found.style.with(style.characters.style);
            found.hidden |= style.characters.hidden;
            inherited.hidden = found.hidden;
            found.font = style.characters.font.or(found.font);
        }
        if class.named.code {
            found.style = found.style.with(Style::CODE);
        }
        found.apply(list, &inherited);
        if piece.change & 1 != 0 {
            found.apply(self.change(piece.change), &inherited);
        } else if piece.change != 0 {
            // One property, in a short form.
            let value = [u8::try_from(piece.change >> 8).unwrap_or(0)];
            let code = match (piece.change >> 1) & 0x7f {
                0x41 => 0x0800,
                0x42 => 0x0801,
                0x55 => 0x0835,
                0x56 => 0x0836,
                0x57 => 0x0837,
                0x5c => 0x083c,
                0x68 => 0x2a48,
                _ => 0xffff,
            };
            found.apply_one(code, &value, &inherited);
        }
        (found, end.min(piece.range.end))
    }

    /// Converts the characters of a paragraph.
    pub fn inlines(&mut self, range: Range<usize>, class: &Class, depth: usize, line: &mut Line) {
        let mut at = range.start;
        while at < range.end {
            let (properties, end) = self.at(at, class);
            let end = end.clamp(at.saturating_add(1), range.end);
            if properties.deleted {
                self.report.changes = true;
            } else {
                self.report.changes |= properties.inserted;
                self.run(at..end, &properties, depth, line);
            }
            at = end;
        }
    }

    /// Converts characters with the same properties.
    fn run(&mut self, range: Range<usize>, properties: &Characters, depth: usize, line: &mut Line) {
        let mut text: Vec<u16> = Vec::new();
        for at in range {
            let unit = self.text.units.get(at).copied().unwrap_or_default();
            let note = self.references.at(at);
            if let Some((kind, index)) = note {
                self.flush(&mut text, properties, line);
                if !self.is_suppressed() && !properties.hidden {
                    let label = self.references.label(kind, index);
                    self.push(line, Inline::Note(label));
                }
                continue;
            }
            match unit {
                0x28 if properties.symbol.is_some() => {
                    self.flush(&mut text, properties, line);
                    self.symbol(properties, line);
                }
                // Characters above the control characters are text. A page number has the flag of
                // objects, too.
                9 | 32.. => text.push(unit),
                30 => text.push(45),
                1 => {
                    self.flush(&mut text, properties, line);
                    self.object(properties, line);
                }
                8 => {
                    self.flush(&mut text, properties, line);
                    self.anchor(at, depth, line);
                }
                11 | 12 | 14 => {
                    self.flush(&mut text, properties, line);
                    if !properties.hidden {
                        self.push(line, Inline::Break);
                    }
                }
                19..=21 => {
                    self.flush(&mut text, properties, line);
                    self.field_character(unit, properties, line);
                }
                _ => {}
            }
        }
        self.flush(&mut text, properties, line);
    }

    /// Adds the text so far to a line, or to the instruction of a field.
    fn flush(&mut self, text: &mut Vec<u16>, properties: &Characters, line: &mut Line) {
        if text.is_empty() {
            return;
        }
        let content = String::from_utf16_lossy(text);
        text.clear();
        if self.fields.in_instruction() {
            self.fields.instruct(&content);
            return;
        }
        if properties.hidden {
            if !self.is_suppressed() {
                let count = content.chars().count();
                self.report.hide(count);
                self.fields.fill_hidden();
            }
            return;
        }
        let font = properties
            .font
            .and_then(|font| self.fonts.get(usize::from(font)));
        let text = font.map_or_else(|| content.clone(), |font| symbols::drawn(font, &content));
        let style = properties.style;
        self.push(line, Inline::Text { text, style });
    }

    fn symbol(&mut self, properties: &Characters, line: &mut Line) {
        let Some((font, code)) = properties.symbol else {
            return;
        };
        if properties.hidden {
            return;
        }
        let font = self
            .fonts
            .get(usize::from(font))
            .cloned()
            .unwrap_or_default();
        if let Some(char) = symbols::symbol(&font, u32::from(code)) {
            let style = properties.style;
            let text = char.to_string();
            self.push(line, Inline::Text { text, style });
        }
    }

    /// Converts a character that represents a picture or a form field.
    fn object(&mut self, properties: &Characters, line: &mut Line) {
        let Some(place) = properties.picture else {
            return;
        };
        if properties.hidden || properties.embedded {
            return;
        }
        if properties.data {
            // It is in the instruction of its field.
            let Some(field) = self.fields.pop() else {
                return;
            };
            if field.is_named("FORMCHECKBOX")
                && let Some(checked) = super::drawing::check_box(&self.streams.data, place)
            {
                self.push(line, Inline::CheckBox(checked));
            }
            self.fields.push(field);
            return;
        }
        self.picture(place, line);
    }

    /// Adds a piece to a line, unless a field hides it.
    pub fn push(&mut self, line: &mut Line, piece: Inline) {
        if self.is_suppressed() {
            return;
        }
        self.fields.fill(&piece);
        let link = self.fields.link();
        let is_linked = matches!(piece, Inline::Text { .. } | Inline::Image { .. });
        match link {
            Some(url) if is_linked => line.content.push(Inline::Link {
                url: url.to_owned(),
                content: vec![piece],
            }),
            _ => line.content.push(piece),
        }
    }

    /// Returns whether a table of contents is open that is left out.
    pub fn in_contents(&self) -> bool {
        self.has_headings && self.fields.in_contents()
    }

    /// Returns whether the current text is an instruction of a field, or a result that is left out.
    pub fn is_suppressed(&self) -> bool {
        self.fields.hides_text(|kind| match kind {
            Kind::Contents => self.has_headings,
            Kind::Page => self.in_page_text,
            _ => false,
        })
    }

    /// Reads the start, the separator or the end of a field.
    fn field_character(&mut self, unit: u16, properties: &Characters, line: &mut Line) {
        match unit {
            19 => self.fields.begin(),
            20 => self.start_result(properties, line),
            _ => self.end_field(properties, line),
        }
    }

    /// Ends the instruction of a field, and starts its result.
    fn start_result(&mut self, properties: &Characters, line: &mut Line) {
        match self.fields.separate() {
            Some(Kind::Contents) => self.report.contents |= self.has_headings,
            Some(Kind::Page) => self.page_fields = self.page_fields.saturating_add(1),
            Some(Kind::Embedded(program)) if !program.starts_with("Equation") => {
                self.report.embedded.add();
            }
            _ => {}
        }
        // A formula is shown instead of its picture.
        let formulas = &self.streams.formulas;
        let formula = properties.picture.and_then(|id| formulas.get(&id));
        if let Some(latex) = formula.filter(|_| properties.embedded) {
            let latex = latex.clone();
            let display = false;
            self.push(line, Inline::Math { latex, display });
            self.fields.replace();
        }
    }

    /// Ends a field. Without a result, it is shown by its instruction.
    fn end_field(&mut self, properties: &Characters, line: &mut Line) {
        match self.fields.end() {
            Some(Instead::Page) => self.page_fields = self.page_fields.saturating_add(1),
            Some(Instead::Text(text)) if properties.hidden => {
                let count = text.chars().count();
                self.report.hide(count);
            }
            Some(Instead::Text(text)) => {
                let style = properties.style;
                self.push(line, Inline::Text { text, style });
            }
            Some(Instead::Equation) if !properties.hidden && !self.is_suppressed() => {
                self.report.omit_equation();
            }
            Some(Instead::Equation) | None => {}
        }
    }
}
