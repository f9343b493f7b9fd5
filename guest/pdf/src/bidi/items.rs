//! The glyphs of a line → letters with their marks, and spaces, from left to right.

use super::levels::Class;
use super::on_line::{OnLine, Span};
use crate::extremes::Extremes as _;
use crate::page::Text;
use crate::script;

/// How many glyphs away from a mark its letter is looked for.
const NEAR: usize = 4;

/// How far on the left of its letter the origin of a mark may be, in parts of the size.
const SLACK: f32 = 0.25;

/// An element of a line in visual order: glyphs that stay together, or a space.
pub struct Item {
    /// The place of the base. `None` for a space.
    pub base: Option<usize>,
    /// The places of the marks.
    pub marks: Vec<usize>,
    /// The class of the base.
    pub class: Class,
}

/// The start and the end of a glyph.
#[derive(Clone, Copy, Default)]
struct Extent {
    start: f32,
    end: f32,
}

impl Extent {
    fn middle(self) -> f32 {
        f32::midpoint(self.start, self.end)
    }

    /// The distance to a position outside. It is 0 inside.
    fn distance(self, position: f32) -> f32 {
        (self.start - position)
            .greater(position - self.end)
            .greater(0.0)
    }
}

/// The elements of a line from left to right. A gap over `space`, in parts of the size, is a space.
pub fn items<G: OnLine>(line: &[&G], space: f32) -> Vec<Item> {
    let extents: Vec<Extent> = line
        .iter()
        .map(|glyph| {
            let Span { start, end, .. } = glyph.span();
            Extent { start, end }
        })
        .collect();
    let at = |place: usize| extents.get(place).copied().unwrap_or_default();
    let mut bases: Vec<usize> = Vec::with_capacity(line.len());
    // Marks with their bases. They stay in the order of drawing.
    let mut marks: Vec<(usize, usize)> = Vec::new();
    for (place, glyph) in line.iter().enumerate() {
        let base = if is_marks(glyph.text()) {
            base(line, &extents, place)
        } else {
            None
        };
        match base {
            Some(base) => marks.push((base, place)),
            None => bases.push(place),
        }
    }
    bases.sort_by(|a, b| at(*a).middle().total_cmp(&at(*b).middle()));
    marks.sort_by_key(|it| it.0);
    let mut items: Vec<Item> = Vec::with_capacity(bases.len());
    let mut end = f32::NEG_INFINITY;
    for place in bases {
        let Some(glyph) = line.get(place) else {
            continue;
        };
        let here = at(place);
        let blank = glyph.text().is_blank() && !matches!(glyph.text(), Text::None);
        let gap = end.is_finite() && here.start - end > space * glyph.size();
        if (blank || gap) && items.last().is_some_and(|last| last.base.is_some()) {
            items.push(Item {
                base: None,
                marks: Vec::new(),
                class: Class::Neutral,
            });
        }
        end = end.greater(here.end);
        if blank {
            continue;
        }
        let own = marks.partition_point(|it| it.0 < place);
        let own = marks.get(own..).unwrap_or_default();
        let own = || own.iter().take_while(|it| it.0 == place).map(|it| it.1);
        // Marks that are drawn before their letter are in visual order.
        let mut marks: Vec<usize> = own().filter(|it| *it < place).collect();
        marks.reverse();
        marks.extend(own().filter(|it| *it > place));
        items.push(Item {
            base: Some(place),
            marks,
            class: Class::of(glyph.text()),
        });
    }
    items
}

fn is_marks(text: &Text) -> bool {
    !matches!(text, Text::None) && text.all(script::is_mark)
}

/// The base of a mark. It is drawn before or after the mark.
fn base<G: OnLine>(line: &[&G], extents: &[Extent], mark: usize) -> Option<usize> {
    let at = |place: usize| extents.get(place).copied().unwrap_or_default();
    let glyph = line.get(mark)?;
    let middle = at(mark).middle();
    let is_base = |other: &usize| {
        line.get(*other)
            .is_some_and(|glyph| !is_marks(glyph.text()) && !glyph.text().is_blank())
    };
    let before = (0..mark).rev().take(NEAR).find(is_base);
    let after = (mark.saturating_add(1)..line.len())
        .take(NEAR)
        .find(is_base);
    let (Some(left), Some(right)) = (before, after) else {
        return before.or(after);
    };
    // In text from the right that is drawn from the left, a mark is drawn before its letter, and the
    // origin of the mark may be a little on the left of it.
    let visual = at(left).middle() < at(right).middle()
        && glyph.text().first().is_some_and(script::is_rtl_mark);
    let slack = if visual { SLACK * glyph.size() } else { 0.0 };
    let nearer = at(right).distance(middle) - slack < at(left).distance(middle);
    if nearer { after } else { before }
}
