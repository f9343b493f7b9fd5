//! Filled boxes beside the text, such as sidebars: their text is read on its own.

use super::limits;
use super::pieces::{Piece, What};
use crate::page::Rect;

/// The least width and height of a box in sizes of running text.
const WIDTH: f32 = 10.0;
const HEIGHT: f32 = 5.0;

/// The least number of words in a box, and of words at its side.
const WORDS: usize = 6;

/// The part in points of a word that may be outside of its box.
const OUTSIDE: f32 = 1.0;

/// The distance of the sides of fills in points up to which they are at one place.
const SAME_SIDE: f32 = 3.0;

/// Returns the boxes with the pieces in them, and leaves the other pieces.
pub fn boxes(fills: &[Rect], pieces: &mut Vec<Piece>, body: f32) -> Vec<(Rect, Vec<Piece>)> {
    let mut out = Vec::new();
    for fill in fills.iter().take(limits::BOXES) {
        let large = fill.width() > WIDTH * body && fill.height() > HEIGHT * body;
        if !large || is_stacked(fill, fills) {
            continue;
        }
        let inside = |it: &Piece| {
            fill.contains(0.5 * (it.x0 + it.x1), 0.5 * (it.top + it.bottom))
                && matches!(it.what, What::Word(_))
        };
        // Text at its side, at the same height, is what makes the order matter.
        let beside = pieces
            .iter()
            .filter(|it| it.top < fill.y1 && it.bottom > fill.y0)
            .filter(|it| it.x1 < fill.x0 || it.x0 > fill.x1)
            .count();
        let within = pieces.iter().filter(|it| inside(it)).count();
        let crossing = pieces.iter().any(|it| {
            it.top > fill.y0
                && it.bottom < fill.y1
                && it.x0 < fill.x1
                && it.x1 > fill.x0
                && (it.x0 < fill.x0 - OUTSIDE || it.x1 > fill.x1 + OUTSIDE)
        });
        if beside < WORDS || within < WORDS || crossing {
            continue;
        }
        let (own, rest): (Vec<Piece>, Vec<Piece>) = pieces.drain(..).partition(|it| inside(it));
        *pieces = rest;
        out.push((*fill, own));
    }
    out
}

/// Whether another fill has the same sides, or touches it: the rows and cells of tables.
fn is_stacked(fill: &Rect, fills: &[Rect]) -> bool {
    fills.iter().take(limits::BOXES).any(|it| {
        let same = |a: f32, b: f32| (a - b).abs() < SAME_SIDE;
        let column = same(it.x0, fill.x0) && same(it.x1, fill.x1) && !same(it.y0, fill.y0);
        let row = same(it.y0, fill.y0) && same(it.y1, fill.y1) && !same(it.x0, fill.x0);
        column || row
    })
}
