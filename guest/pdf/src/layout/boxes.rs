//! Filled boxes beside the text, such as sidebars: their text is read on its own.

use super::limits;
use super::pieces::{Piece, What};
use crate::page::Rect;

/// Returns the boxes with the pieces in them, and leaves the other pieces.
pub fn boxes(fills: &[Rect], pieces: &mut Vec<Piece>, body: f32) -> Vec<(Rect, Vec<Piece>)> {
    let mut out = Vec::new();
    for fill in fills.iter().take(limits::BOXES) {
        let large = fill.width() > 10.0 * body && fill.height() > 5.0 * body;
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
                && (it.x0 < fill.x0 - 1.0 || it.x1 > fill.x1 + 1.0)
        });
        if beside < 6 || within < 6 || crossing {
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
        let same = |a: f32, b: f32| (a - b).abs() < 3.0;
        let column = same(it.x0, fill.x0) && same(it.x1, fill.x1) && !same(it.y0, fill.y0);
        let row = same(it.y0, fill.y0) && same(it.y1, fill.y1) && !same(it.x0, fill.x0);
        column || row
    })
}
