//! Glyphs whose characters the file does not say.
//!
//! A subset font without a map of its characters has only shapes. Its text would be rows of U+FFFD, so it
//! is left out and counted. A few unknown signs in known text keep their places: U+FFFD, or a bullet where
//! all signs of a font start lines.

use crate::extremes::Extremes as _;
use crate::limits;
use crate::page::{Font, FontId, Glyph, Text};
use std::collections::BTreeMap;

/// If this share of the glyphs of a font is unknown, in percent, none of them is text. The codes of the others are
/// characters by chance.
const SHARE: usize = 50;

/// If this share of the glyphs of a page is unknown, in percent, also single unknown glyphs are text.
const PAGE_SHARE: usize = 90;

/// Unknown glyphs are text if their rows have this number of glyphs on average. Bullets and symbols are single glyphs.
const ROW: usize = 3;

/// The number of glyphs of a bullet, at most. Some are printed twice.
const BULLET: usize = 2;

/// The distance of two glyphs in font sizes from which they are in different rows.
const APART: f32 = 1.0;

/// The distance of a bullet from its text in font sizes, at most.
const INDENT: f32 = 4.0;

/// The bullet of a list.
const SIGN: char = '•';

/// Whether only the font knows which character a glyph is.
#[inline]
pub fn is_unknown(text: &Text) -> bool {
    match text {
        // Most characters are letters.
        Text::One(one) => *one >= '\u{e000}' && is_unknown_character(*one),
        Text::None => false,
        other => other.all(is_unknown_character),
    }
}

fn is_unknown_character(it: char) -> bool {
    it == '\u{fffd}' || is_private(it)
}

/// Whether a character is only known to the font itself.
fn is_private(character: char) -> bool {
    matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}

/// The glyphs of a font on a page.
#[derive(Default)]
struct Use {
    /// Those that are not white space.
    glyphs: usize,
    unknown: usize,
    /// The rows of unknown glyphs.
    rows: usize,
    /// The rows that are the bullets of lines.
    bullets: usize,
}

impl Use {
    fn is_unknown(&self) -> bool {
        self.glyphs.saturating_mul(SHARE) <= self.unknown.saturating_mul(100)
    }
}

/// A row of unknown glyphs: the place of the first, and the place after the last.
type Row = (usize, usize);

/// Writes bullets, and finds the fonts whose text is unknown. The result has an entry for each font, and is
/// empty if no text is unknown.
pub fn fonts(glyphs: &mut [Glyph], fonts: &[Font]) -> Vec<bool> {
    if !glyphs.iter().any(|it| is_unknown(&it.text)) {
        return Vec::new();
    }
    let (uses, rows) = uses(glyphs);
    for row in rows {
        let font = glyphs.get(row.0).map(|it| it.font);
        let Some(used) = font.and_then(|font| uses.get(&font)) else {
            continue;
        };
        if used.is_unknown() && used.bullets == used.rows {
            // A font of signs often has one width, as those of code.
            let after = glyphs.get(row.1..).unwrap_or_default();
            let font = after.iter().find(|it| !it.text.is_blank());
            let font = font.map_or_else(FontId::default, |it| it.font);
            for glyph in glyphs.get_mut(row.0..row.1).into_iter().flatten() {
                (glyph.text, glyph.font) = (Text::None, font);
            }
            if let Some(glyph) = glyphs.get_mut(row.0) {
                glyph.text = Text::One(SIGN);
            }
        }
    }
    let all = |count: fn(&Use) -> usize| uses.values().map(count).fold(0, usize::saturating_add);
    let unknown = all(|it| it.unknown);
    let is_page = unknown > limits::UNMAPPED_FEW
        && all(|it| it.glyphs).saturating_mul(PAGE_SHARE) <= unknown.saturating_mul(100);
    let is_text = |used: &Use| {
        let has_rows = used.unknown >= used.rows.saturating_mul(ROW);
        used.bullets < used.rows
            && used.is_unknown()
            && (is_page || has_rows && used.unknown >= limits::UNMAPPED_TEXT)
    };
    if !uses.values().any(is_text) {
        return Vec::new();
    }
    (0..fonts.len())
        .map(|number| {
            u16::try_from(number)
                .ok()
                .and_then(|it| uses.get(&FontId(it)))
        })
        .map(|used| used.is_some_and(is_text))
        .collect()
}

/// The use of each font, and the rows of unknown glyphs.
fn uses(glyphs: &[Glyph]) -> (BTreeMap<FontId, Use>, Vec<Row>) {
    let mut uses: BTreeMap<FontId, Use> = BTreeMap::new();
    let mut rows: Vec<Row> = Vec::new();
    // The last glyph that is not white space, and whether a row of unknown ones ends with it.
    let mut last: Option<(&Glyph, bool)> = None;
    for (index, glyph) in glyphs.iter().enumerate() {
        if glyph.text.is_blank() {
            continue;
        }
        let unknown = is_unknown(&glyph.text);
        let used = uses.entry(glyph.font).or_default();
        used.glyphs = used.glyphs.saturating_add(1);
        if unknown {
            used.unknown = used.unknown.saturating_add(1);
            let row = rows.last_mut().filter(|_| {
                last.is_some_and(|it| it.1 && it.0.font == glyph.font && is_near(it.0, glyph))
            });
            match row {
                Some(row) => row.1 = index.saturating_add(1),
                None => {
                    used.rows = used.rows.saturating_add(1);
                    rows.push((index, index.saturating_add(1)));
                }
            }
        }
        last = Some((glyph, unknown));
    }
    for row in &rows {
        if is_bullet(glyphs, *row)
            && let Some(used) = glyphs.get(row.0).and_then(|it| uses.get_mut(&it.font))
        {
            used.bullets = used.bullets.saturating_add(1);
        }
    }
    (uses, rows)
}

/// Whether a glyph follows another in its line.
fn is_near(last: &Glyph, glyph: &Glyph) -> bool {
    let near = APART * last.size.greater(glyph.size);
    (glyph.x0 - last.x1).abs() < near && (glyph.y - last.y1).abs() < near
}

/// Whether a row is the bullet of a line: text of another font follows it, and none is before it.
fn is_bullet(glyphs: &[Glyph], row: Row) -> bool {
    let is_text = |it: &&Glyph| !it.text.is_blank();
    let inside = glyphs.get(row.0..row.1).unwrap_or_default();
    let before = glyphs.get(..row.0).unwrap_or_default();
    let after = glyphs.get(row.1..).unwrap_or_default();
    let (Some(first), Some(last)) = (inside.first(), inside.last()) else {
        return false;
    };
    let Some(text) = after.iter().find(is_text) else {
        return false;
    };
    let free = before.iter().rev().find(is_text).is_none_or(|before| {
        (before.y - first.y).abs() > 0.5 * first.size || !is_near(before, first)
    });
    let gap = text.x0 - last.x1;
    inside.iter().filter(is_text).count() <= BULLET
        && free
        && text.font != first.font
        && text.direction == first.direction
        && !is_unknown(&text.text)
        && (text.y - first.y).abs() < 0.3 * text.size
        && (-0.1 * text.size..INDENT * text.size).contains(&gap)
}
