//! Text that is printed again over itself: to make it bold, or with a shadow.

use crate::limits;
use crate::page::{Direction, Glyph};

/// The distance of two equal glyphs in font sizes, up to which one is printed over the other.
const OVER: f32 = 0.12;

/// The distances of two glyphs in font sizes beyond which a text starts: back, ahead, and of the lines.
const BACK: f32 = 0.5;
const AHEAD: f32 = 2.0;
const LINE: f32 = 0.5;

/// Marks glyphs that are printed over equal ones as left out. Those that cannot be seen are not compared.
pub fn mark(glyphs: &[Glyph], is_shown: impl Fn(usize) -> bool, left_out: &mut [bool]) {
    // Text that is printed again starts where it started before.
    let mut starts: Vec<usize> = Vec::new();
    let mut last: Option<&Glyph> = None;
    for (index, glyph) in glyphs.iter().enumerate() {
        if last.is_none_or(|last| is_start(last, glyph))
            && is_shown(index)
            && !glyph.text.is_blank()
        {
            starts.push(index);
        }
        last = Some(glyph);
    }
    if !repeats(glyphs, starts, |_, _| {}) {
        return;
    }
    let is_text = |it: &usize| glyphs.get(*it).is_some_and(|it| !it.text.is_blank());
    let all = (0..glyphs.len()).filter(|it| is_shown(*it) && is_text(it));
    repeats(glyphs, all.collect(), |first, again| {
        let first = left_out.get(first).copied().unwrap_or(true);
        if let Some(out) = left_out.get_mut(again).filter(|_| !first) {
            *out = true;
        }
    });
    mark_white(glyphs, left_out);
}

/// Marks white space after text that is left out. Where letters are printed again one by one, the white space between
/// two of them is kept once.
fn mark_white(glyphs: &[Glyph], left_out: &mut [bool]) {
    let mut last: Option<(&Glyph, bool)> = None;
    // The last white space that is kept.
    let mut kept: Option<&Glyph> = None;
    // White space after the last glyph.
    let mut open: Vec<usize> = Vec::new();
    for (index, glyph) in glyphs.iter().enumerate() {
        if glyph.text.is_blank() {
            open.push(index);
            continue;
        }
        let is_out = left_out.get(index).copied().unwrap_or_default();
        let after_text = last.is_none_or(|it| !it.1);
        let between = !is_out && last.is_some_and(|it| !is_start(it.0, glyph));
        let mut once = between;
        for place in open.drain(..) {
            let Some(white) = glyphs.get(place) else {
                continue;
            };
            let again = kept.is_some_and(|it| is_over(it, white));
            if after_text || once && !again {
                once = false;
                kept = Some(white);
            } else if let Some(out) = left_out.get_mut(place) {
                *out = true;
            }
        }
        last = Some((glyph, is_out));
    }
    for place in open {
        if let Some(out) = left_out.get_mut(place) {
            *out |= last.is_some_and(|it| it.1);
        }
    }
}

/// Whether a glyph starts where another one does.
fn is_over(a: &Glyph, b: &Glyph) -> bool {
    let near = OVER * a.size;
    (a.x0 - b.x0).abs() < near && (a.y - b.y).abs() < near
}

/// Whether a glyph starts a text.
fn is_start(last: &Glyph, glyph: &Glyph) -> bool {
    let size = glyph.size;
    let step = glyph.x0 - last.x1;
    (glyph.y - last.y).abs() > LINE * size || step < -BACK * size || step > AHEAD * size
}

/// Finds equal glyphs at one place, and calls `each` with the first and the other. Returns whether there are some.
fn repeats(glyphs: &[Glyph], mut order: Vec<usize>, mut each: impl FnMut(usize, usize)) -> bool {
    let x = |index: usize| glyphs.get(index).map_or(0.0, |it| it.x0);
    order.sort_by(|a, b| x(*a).total_cmp(&x(*b)).then(a.cmp(b)));
    let mut budget = limits::OVERPRINTED;
    let mut found = false;
    for (place, index) in order.iter().enumerate() {
        let Some(own) = glyphs.get(*index) else {
            continue;
        };
        let near = OVER * own.size;
        let rest = order.get(place.saturating_add(1)..).unwrap_or_default();
        for other in rest {
            let Some(next) = glyphs.get(*other) else {
                continue;
            };
            if next.x0 - own.x0 > near || budget == 0 {
                break;
            }
            budget = budget.saturating_sub(1);
            if (next.y - own.y).abs() < near && is_same(own, next) {
                found = true;
                each((*index).min(*other), (*index).max(*other));
            }
        }
    }
    found
}

fn is_same(a: &Glyph, b: &Glyph) -> bool {
    a.text == b.text
        && a.direction == b.direction
        && a.direction != Direction::Other
        && (a.size - b.size).abs() < OVER * a.size
        && (a.x1 - b.x1).abs() < OVER * a.size
}
