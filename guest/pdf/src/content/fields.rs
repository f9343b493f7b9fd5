//! Form fields: the rectangles of all of them, and the values that are written as text.

use super::machine::Machine;
use super::text::glyph;
use crate::extremes::Extremes as _;
use crate::matrix::Matrix;
use crate::page::{Direction, Rect, Text};
use std::rc::Rc;

/// The width of a character in font sizes, on average.
const CHARACTER: f32 = 0.5;

/// The least size of a value in points. The size of running text is the one of most of the text of a page.
const LEAST: f32 = 8.0;

/// The least height of a line of a value in points.
const LINE: f32 = 4.0;

/// The distance in points up to which a text beside a check box is its label.
const LABEL: f32 = 60.0;

/// The distance in points up to which a text at the left of another field is its label.
const FAR_LABEL: f32 = 200.0;

/// The part of the height of a line of a value that is its size, and the greatest size in points.
const FILLED: f32 = 0.7;
const MOST: f32 = 10.0;

/// The distance of lines of a value in font sizes.
const STEP: f32 = 1.25;

/// The distance of the baseline of a value below the upper side of its line, in font sizes.
const BASELINE: f32 = 0.8;

/// The white at each side of a value in points.
const PADDING: f32 = 2.0;

/// The middle of a line above its baseline in font sizes.
const MIDDLE: f32 = 0.35;

/// The least and the greatest width of a check box in font sizes.
const CHECK: (f32, f32) = (0.5, 1.5);

/// The distance of baselines of the glyphs of one line in font sizes.
const ON_LINE: f32 = 0.2;

/// The part of the height of a field by which its label may be below it.
const BELOW: f32 = 0.3;

/// How much more a distance across the line counts than one along it.
const ACROSS: f32 = 4.0;

/// The sizes of the sign of a check box, relative to its label. Much smaller signs are raised text.
const SIGN: (f32, f32) = (0.85, 1.2);

/// The maximum number of glyphs that are compared with a check box.
const NEAR: usize = 1000;

/// A field with one line.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// Whether it is a check box or radio button.
    pub is_check: bool,
    /// Its rectangle on the page.
    pub rect: Rect,
    /// The first of its glyphs, and the one after the last.
    pub glyphs: (usize, usize),
}

impl Machine<'_> {
    /// Writes the value of a form field into its rectangle, as a program would. Text that is too long gets
    /// narrower.
    pub fn value(&mut self, value: &str, rect: &Rect) {
        let font = self.fallback_font();
        let lines: Vec<&str> = value
            .split(['\r', '\n'])
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the number of lines is small"
        )]
        let most = ((rect.height() / LINE).clamp(1.0, 1000.0) as usize).max(1);
        let lines: Vec<String> = lines
            .chunks(lines.len().div_ceil(most).max(1))
            .map(|lines| lines.join(" "))
            .collect();
        #[expect(clippy::cast_precision_loss, reason = "there are few lines")]
        let room = rect.height() / lines.len().max(1) as f32;
        let size = (room * FILLED).clamp(LEAST, MOST);
        // One line is in the middle. More lines start at the upper side.
        let step = if lines.len() > 1 {
            room.lesser(STEP * size)
        } else {
            room
        };
        let mut baseline = rect.y1 - (step - size) / 2.0 - size * BASELINE;
        let width = (rect.width() - 2.0 * PADDING).greater(size);
        for line in lines {
            #[expect(clippy::cast_precision_loss, reason = "values are short")]
            let needed = line.chars().count() as f32 * CHARACTER * size;
            let character = CHARACTER * (width / needed.greater(1.0)).lesser(1.0);
            let mut left = rect.x0 + PADDING;
            for (place, word) in line.split_whitespace().enumerate() {
                let space = (place > 0).then_some(Text::One(' '));
                for text in space.into_iter().chain([Text::Many(Rc::from(word))]) {
                    let count = match &text {
                        Text::Many(word) => word.chars().count(),
                        _ => 1,
                    };
                    let matrix = Matrix([size, 0.0, 0.0, size, left, baseline]);
                    let whole = self.state.matrix.after(matrix);
                    #[expect(clippy::cast_precision_loss, reason = "words are short")]
                    let advance = count as f32 * character;
                    glyph(self, &font, &text, whole, whole.vector(advance, 0.0));
                    left += advance * size;
                }
            }
            baseline -= step;
        }
    }

    /// Draws a check box as one sign.
    pub fn check(&mut self, is_on: bool, rect: &Rect) {
        let font = self.fallback_font();
        let size = (rect.height() * FILLED).clamp(LINE, MOST);
        let baseline = f32::midpoint(rect.y0, rect.y1) - MIDDLE * size;
        let matrix = Matrix([size, 0.0, 0.0, size, rect.x0, baseline]);
        let whole = self.state.matrix.after(matrix);
        let advance = (rect.width() / size).clamp(CHECK.0, CHECK.1);
        let text = Text::Many(Rc::from(if is_on { "[x]" } else { "[ ]" }));
        glyph(self, &font, &text, whole, whole.vector(advance, 0.0));
    }

    /// Whether the glyphs from a place on show a value as a whole.
    pub fn shows(&self, start: usize, value: &str) -> bool {
        let mut text = String::new();
        let glyphs = self.out.glyphs.iter().zip(&self.unseen).skip(start);
        for (glyph, _) in glyphs.filter(|it| !it.1) {
            glyph.text.push_to(&mut text);
        }
        let letters = |text: &str| -> String {
            let letters = text.chars().filter(|it| !it.is_whitespace());
            letters.collect()
        };
        letters(&text) == letters(value)
    }

    /// The glyphs of a field from a place on, if they are one line.
    pub fn line(&self, start: usize, rect: Rect) -> Option<Mark> {
        let glyphs = self.out.glyphs.get(start..)?;
        let first = glyphs.first()?;
        let one = glyphs.iter().all(|it| {
            it.direction == Direction::Right && (it.y - first.y).abs() < ON_LINE * first.size
        });
        one.then_some(Mark {
            is_check: false,
            rect,
            glyphs: (start, self.out.glyphs.len()),
        })
    }

    /// Puts check marks and values on the lines of the labels beside them, from which boxes are some points
    /// off. The text of a line has one baseline.
    pub fn align(&mut self, marks: &[Mark]) {
        if marks.is_empty() {
            return;
        }
        let is_mark = |place: usize| {
            let after = marks.partition_point(|mark| mark.glyphs.1 <= place);
            marks.get(after).is_some_and(|mark| mark.glyphs.0 <= place)
        };
        let mut order: Vec<(f32, usize)> = self
            .out
            .glyphs
            .iter()
            .enumerate()
            .filter(|(place, it)| {
                it.direction == Direction::Right && !it.text.is_blank() && !is_mark(*place)
            })
            .map(|(place, it)| (it.y, place))
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        for mark in marks {
            let rect = &mark.rect;
            let middle = f32::midpoint(rect.y0, rect.y1);
            let first = order.partition_point(|it| it.0 < middle);
            let beside = order
                .iter()
                .skip(first)
                .take(NEAR)
                .take_while(|it| it.0 <= rect.y1 + BELOW * rect.height())
                .filter_map(|it| self.out.glyphs.get(it.1))
                .filter(|it| it.y - it.size < middle)
                .map(|it| {
                    let gap = (it.x0 - rect.x1).greater(rect.x0 - it.x1).greater(0.0);
                    let off = (it.y - MIDDLE * it.size - middle).abs();
                    let near = if mark.is_check {
                        gap < LABEL
                    } else {
                        gap < FAR_LABEL && it.x1 < rect.x0 + PADDING
                    };
                    (gap + ACROSS * off, it.y, it.size, near)
                })
                .filter(|it| it.3)
                .min_by(|a, b| a.0.total_cmp(&b.0));
            let (start, end) = mark.glyphs;
            if let (Some((_, y, size, _)), Some(glyphs)) =
                (beside, self.out.glyphs.get_mut(start..end))
            {
                for glyph in glyphs {
                    (glyph.y, glyph.y1) = (y, y);
                    if mark.is_check {
                        glyph.size = glyph.size.clamp(SIGN.0 * size, SIGN.1 * size);
                    }
                }
            }
        }
    }
}
