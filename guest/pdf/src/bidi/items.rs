//! The glyphs of a line → letters with their marks, and spaces, from left to right.

use super::OnLine;
use super::levels::Class;
use crate::page::Text;
use crate::script;

/// How many glyphs away from a mark its letter is looked for.
const NEAR: usize = 4;

/// An element of a line in visual order: glyphs that stay together, or a space.
pub struct Item {
    /// The places of the glyphs: a base and its marks. Empty for a space.
    pub glyphs: Vec<usize>,
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
        (self.start - position).max(position - self.end).max(0.0)
    }
}

/// The elements of a line from left to right. A gap over `space`, in parts of the size, is a space.
pub fn items<G: OnLine>(line: &[&G], space: f32) -> Vec<Item> {
    let extents: Vec<Extent> = line
        .iter()
        .map(|glyph| {
            let super::Span { start, end, .. } = glyph.span();
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
        if (blank || gap) && items.last().is_some_and(|last| !last.glyphs.is_empty()) {
            items.push(Item {
                glyphs: Vec::new(),
                class: Class::Neutral,
            });
        }
        end = end.max(here.end);
        if blank {
            continue;
        }
        let first = marks.partition_point(|it| it.0 < place);
        let own = marks.get(first..).unwrap_or_default().iter();
        let own = own.take_while(|it| it.0 == place).map(|it| it.1);
        items.push(Item {
            glyphs: std::iter::once(place).chain(own).collect(),
            class: Class::of(glyph.text()),
        });
    }
    items
}

fn is_marks(text: &Text) -> bool {
    !matches!(text, Text::None) && text.all(script::is_mark)
}

/// The base of a mark. It is drawn before or after the mark, and the mark is within its width.
fn base<G: OnLine>(line: &[&G], extents: &[Extent], mark: usize) -> Option<usize> {
    let at = |place: usize| extents.get(place).copied().unwrap_or_default();
    let middle = at(mark).middle();
    let is_base = |other: &usize| {
        line.get(*other)
            .is_some_and(|glyph| !is_marks(glyph.text()) && !glyph.text().is_blank())
    };
    let before = (0..mark).rev().take(NEAR).find(is_base);
    let after = (mark.saturating_add(1)..line.len())
        .take(NEAR)
        .find(is_base);
    match (before, after) {
        (Some(before), Some(after)) if at(after).distance(middle) < at(before).distance(middle) => {
            Some(after)
        }
        (before, after) => before.or(after),
    }
}
