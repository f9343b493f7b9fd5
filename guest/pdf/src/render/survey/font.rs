//! What texts cost, and fonts whose glyphs are content (Type 3, ISO 32000-2, 9.6.4).

use super::budget::Stop;
use super::machine::{DEPTH, FORM, Survey};
use super::state::{State, after, units};
use crate::limits;
use hayro::kurbo::{Affine, Rect};
use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::{Array, Dict, Name, Object, Stream};
use hayro_syntax::page::Resources;
use std::rc::Rc;

/// The time of a glyph in nanoseconds.
const GLYPH: u64 = 1500;

/// The bytes of a glyph that is drawn.
const GLYPH_BYTES: f64 = 300.0;

impl<'a> Survey<'a> {
    /// Executes an operator of text.
    pub fn text(&mut self, operator: &Op<'_, '_>, resources: &Resources<'a>) -> Result<(), Stop> {
        match operator {
            Op::BeginText(_) => self.state.text = Affine::IDENTITY,
            Op::SetTextMatrix(t) => {
                self.state.text = Affine::new([t.0, t.1, t.2, t.3, t.4, t.5].map(|it| it.as_f64()));
            }
            Op::TextFont(font) => {
                self.state.font = None;
                self.state.font_size = font.1.as_f64();
                if let Some(dict) = resources.get_font(font.0) {
                    self.font(&dict, font.1.as_f64())?;
                }
            }
            Op::ShowText(string) => self.show(string.0.as_bytes(), resources)?,
            Op::NextLineAndShowText(string) => self.show(string.0.as_bytes(), resources)?,
            Op::ShowTextWithParameters(string) => self.show(string.2.as_bytes(), resources)?,
            Op::ShowTexts(list) => {
                for object in list.0.iter::<Object<'_>>() {
                    self.budget.time(100)?;
                    if let Object::String(string) = object {
                        self.show(string.as_bytes(), resources)?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Chooses a font. Checks it when it is seen for the first time.
    pub fn font(&mut self, dict: &Dict<'a>, size: f64) -> Result<(), Stop> {
        self.state.font_size = size;
        let is_content = dict
            .get::<Name<'_>>("Subtype")
            .is_some_and(|subtype| subtype.as_ref() == b"Type3");
        self.state.font = is_content.then(|| Rc::new(dict.clone()));
        if is_content || !self.is_new(dict) {
            return Ok(());
        }
        // Only streams of the font are measured, not those that its content uses.
        let descendants = dict.get::<Array<'_>>("DescendantFonts").unwrap_or_default();
        let own = [dict.clone()];
        for font in own
            .into_iter()
            .chain(descendants.iter::<Dict<'_>>().take(1))
        {
            for key in ["Encoding", "ToUnicode", "FontDescriptor", "CIDToGIDMap"] {
                if let Some(object) = font.get::<Object<'_>>(key) {
                    self.measure(&object)?;
                }
            }
            for (key, values) in [("W", 1), ("W2", 3)] {
                self.widths(&font.get::<Array<'_>>(key).unwrap_or_default(), values)?;
            }
        }
        Ok(())
    }

    /// The library writes out ranges of widths (ISO 32000-2, 9.7.4.3): two codes and `values` numbers.
    /// Codes have at most two bytes.
    fn widths(&mut self, list: &Array<'a>, values: u8) -> Result<(), Stop> {
        let mut codes: i64 = 0;
        let mut first: i64 = 0;
        let mut place: u8 = 0;
        for object in list.iter::<Object<'_>>() {
            let Object::Number(number) = object else {
                // The widths of a list belong to one code each.
                place = 0;
                continue;
            };
            match place {
                0 => first = number.as_i64(),
                1 => codes = codes.saturating_add(number.as_i64().saturating_sub(first).max(0)),
                _ => {}
            }
            place = if place > values {
                0
            } else {
                place.saturating_add(1)
            };
            if codes > limits::RENDER_WIDTHS {
                return Err(Stop {
                    limit: "widths of a font",
                    by_size: false,
                });
            }
        }
        let codes = u64::try_from(codes).unwrap_or_default();
        self.budget.time(codes.saturating_mul(50))
    }

    fn show(&mut self, text: &[u8], resources: &Resources<'a>) -> Result<(), Stop> {
        let count = u64::try_from(text.len()).unwrap_or(u64::MAX);
        self.budget.time(count.saturating_mul(GLYPH))?;
        #[expect(clippy::cast_precision_loss, reason = "texts are short")]
        let many = count as f64;
        self.budget.bytes(many * GLYPH_BYTES)?;
        if let Some(font) = self.state.font.clone() {
            for code in text {
                self.glyph(&font, *code, resources)?;
            }
        }
        if let Some(pattern) = self.state.fill.clone() {
            // Each glyph is painted with a pattern of its own, which is as large as the glyph.
            let size = self.state.font_size.abs();
            let (right, up) = units(after(self.state.matrix, self.state.text));
            let clip = self.state.clip;
            let area = Rect::new(
                clip.x0,
                clip.y0,
                clip.x1.min(clip.x0 + size * right),
                clip.y1.min(clip.y0 + size * up),
            );
            let before = self.budget.repeat(count);
            let result = self.pattern(&pattern, area);
            self.budget.end_repeat(before);
            result?;
        }
        Ok(())
    }

    /// A glyph that is content. The library executes it each time.
    fn glyph(&mut self, font: &Dict<'a>, code: u8, resources: &Resources<'a>) -> Result<(), Stop> {
        self.budget.time(FORM)?;
        let matrix = font.get::<[f64; 6]>("FontMatrix").map(Affine::new);
        let size = Affine::scale(self.state.font_size);
        let place = after(
            after(self.state.matrix, self.state.text),
            after(size, matrix.unwrap_or(Affine::scale(0.001))),
        );
        let (right, up) = units(place);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the logarithm of a number is small, and the cast saturates"
        )]
        let power = right.max(up).log2().ceil() as i32;
        let key = (font.data().as_ptr().addr(), code, power);
        if let Some((time, bytes)) = self.glyphs.get(&key).copied() {
            self.budget.time(time)?;
            #[expect(clippy::cast_precision_loss, reason = "it is an estimate")]
            return self.budget.bytes(bytes as f64);
        }
        let Some(content) = content(font, code) else {
            return Ok(());
        };
        if self.depth >= limits::RENDER_DEPTH {
            return Err(DEPTH);
        }
        let (time, room) = self.budget.spent();
        let bytes = self.content(&content)?;
        let own = content
            .dict()
            .get::<Dict<'_>>("Resources")
            .or_else(|| font.get::<Dict<'_>>("Resources"))
            .map(Resources::new);
        let state = State::new(place, self.state.clip);
        self.inner(state, |survey| {
            survey.run(&bytes, own.as_ref().unwrap_or(resources))
        })?;
        let times = self.budget.times().max(1);
        let (time_after, bytes_after) = self.budget.spent();
        let per = |after: u64, before: u64| {
            after
                .saturating_sub(before)
                .checked_div(times)
                .unwrap_or_default()
        };
        if self.glyphs.len() < limits::RENDER_OBJECTS {
            self.glyphs
                .insert(key, (per(time_after, time), per(bytes_after, room)));
        }
        Ok(())
    }
}

/// The content of a glyph.
fn content<'a>(font: &Dict<'a>, code: u8) -> Option<Stream<'a>> {
    let encoding = font.get::<Dict<'_>>("Encoding")?;
    let differences = encoding.get::<Array<'_>>("Differences")?;
    let mut next: i64 = 0;
    let mut found = None;
    for object in differences
        .iter::<Object<'_>>()
        .take(limits::RENDER_OBJECTS)
    {
        match object {
            Object::Number(number) => next = number.as_i64(),
            Object::Name(name) => {
                if next == i64::from(code) {
                    found = Some(name);
                }
                next = next.saturating_add(1);
            }
            _ => {}
        }
    }
    font.get::<Dict<'_>>("CharProcs")?
        .get::<Stream<'_>>(found?.as_ref())
}
