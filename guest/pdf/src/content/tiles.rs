//! Pictures that are cut into strips or tiles, or that have layers.
//!
//! Scanners and printer drivers write one picture as many images that touch. Some of them have one colour. Programs for
//! scans write the background and the ink as layers in one rectangle. A reader needs one place for the picture, and the
//! numbers of its images.

use crate::extremes::Extremes as _;
use crate::limits;
use crate::page::{Figure, Rect};

/// The distance of the sides of two images in points, up to which they touch.
const TOUCH: f32 = 1.0;

/// The part of the rectangle around images that they cover, if they are one picture.
const COVERED: f32 = 0.98;

/// The number of images from which they are one picture, whatever their shape.
const MANY: usize = 3;

/// The width of a strip relative to its height, at least. Two strips are one picture.
const STRIP: f32 = 4.0;

/// The side of an image in points, below which it is a line or a strip.
const THIN: f32 = 8.0;

/// The sides of a strip in points, at least.
const STRIP_SIDES: (f32, f32) = (32.0, 1.0);

/// Whether an image is too thin to be a picture.
pub fn is_thin(rect: &Rect) -> bool {
    rect.width() < THIN || rect.height() < THIN
}

/// Whether a thin image may be a strip of a picture.
pub fn may_be_strip(rect: &Rect) -> bool {
    let (long, short) = (
        rect.width().greater(rect.height()),
        rect.width().lesser(rect.height()),
    );
    long >= STRIP_SIDES.0 && short >= STRIP_SIDES.1
}

/// Whether an image and the one after it are strips of one picture.
pub fn are_strips(last: &Rect, next: &Rect) -> bool {
    let same = |a: f32, b: f32| (a - b).abs() < TOUCH;
    let is_column = same(last.x0, next.x0) && same(last.x1, next.x1);
    let is_row = same(last.y0, next.y0) && same(last.y1, next.y1);
    is_column && (same(last.y1, next.y0) || same(next.y1, last.y0))
        || is_row && (same(last.x1, next.x0) || same(next.x1, last.x0))
}

/// Joins the images that are parts of one picture. They follow one another in the order of drawing.
pub fn join(images: &mut Vec<Figure>) {
    let all = std::mem::take(images);
    let mut rest = all.as_slice();
    while let Some(first) = rest.first() {
        let (picture, count) = picture(first, rest);
        images.push(picture);
        rest = rest.get(count.max(1)..).unwrap_or_default();
    }
    images.retain(|it| !is_thin(&it.rect));
}

/// The longest picture with which the images start, and the number of its images.
fn picture(first: &Figure, images: &[Figure]) -> (Figure, usize) {
    let mut best = (first.clone(), 1);
    let mut all = first.clone();
    let mut last = first.rect;
    let mut area = first.rect.area();
    let mut strips = is_strip(&first.rect);
    let parts = images.iter().enumerate().take(limits::PAGE_IMAGES);
    for (place, next) in parts.skip(1) {
        // An image that is drawn again, such as an icon in each line, is no part, unless it is a layer or a blank strip.
        let is_next = next.number == all.last.saturating_add(1);
        let is_again = (all.number..=all.last).contains(&next.number);
        let is_alike = next.artifact == first.artifact && next.mcid == first.mcid;
        let is_layer = is_layer(&all.rect, &next.rect);
        if !is_alike || !(is_next || is_again && (is_layer || next.blank && is_strip(&next.rect))) {
            break;
        }
        if is_layer && best.1 == place {
            all.last = all.last.max(next.number);
            best = (all.clone(), place.saturating_add(1));
            continue;
        }
        if !continues(&all.rect, &last, &next.rect) {
            // A blank image has no place of its own.
            if !next.blank || best.1 != place || !touches(&all.rect, &next.rect) {
                break;
            }
            all.last = all.last.max(next.number);
            best = (all.clone(), place.saturating_add(1));
            continue;
        }
        all.rect = all.rect.around(&next.rect);
        all.last = all.last.max(next.number);
        area += next.rect.area();
        strips &= is_strip(&next.rect);
        last = next.rect;
        let count = place.saturating_add(1);
        let is_whole = area >= COVERED * all.rect.area();
        if is_whole && (count >= MANY || strips || next.blank || first.blank) {
            best = (all.clone(), count);
        }
    }
    best
}

fn is_strip(rect: &Rect) -> bool {
    rect.width() > STRIP * rect.height() || rect.height() > STRIP * rect.width()
}

/// Whether an image continues a picture: it has a side in common with the last image, or starts a row or a column.
fn continues(all: &Rect, last: &Rect, next: &Rect) -> bool {
    let same = |a: f32, b: f32| (a - b).abs() < TOUCH;
    let below = |above: &Rect, it: &Rect| same(above.y1, it.y0) || same(it.y1, above.y0);
    let beside = |left: &Rect, it: &Rect| same(left.x1, it.x0) || same(it.x1, left.x0);
    let starts_row = below(all, next) && (same(all.x0, next.x0) || same(all.x1, next.x1));
    let starts_column = beside(all, next) && (same(all.y0, next.y0) || same(all.y1, next.y1));
    are_strips(last, next) || starts_row || starts_column
}

/// Whether an image covers a picture.
fn is_layer(all: &Rect, next: &Rect) -> bool {
    let sides = [
        (all.x0, next.x0),
        (all.x1, next.x1),
        (all.y0, next.y0),
        (all.y1, next.y1),
    ];
    sides.iter().all(|it| (it.0 - it.1).abs() < TOUCH)
}

/// Whether two images touch.
fn touches(a: &Rect, b: &Rect) -> bool {
    a.x0 < b.x1 + TOUCH && b.x0 < a.x1 + TOUCH && a.y0 < b.y1 + TOUCH && b.y0 < a.y1 + TOUCH
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Joins images: position, width and height of each. A negative width is that of a blank image.
    fn joined(all: &[(f32, f32, f32, f32)]) -> Vec<(usize, usize)> {
        let mut images: Vec<Figure> = all
            .iter()
            .enumerate()
            .map(|(at, it)| Figure {
                rect: Rect::of((it.0, it.1), (it.0 + it.2.abs(), it.1 + it.3)),
                number: at + 1,
                last: at + 1,
                blank: it.2 < 0.0,
                artifact: false,
                mcid: None,
                after: 0,
            })
            .collect();
        join(&mut images);
        images.iter().map(|it| (it.number, it.last)).collect()
    }

    #[test]
    fn strips_are_one_image() {
        let down: Vec<_> = (0..30_u8)
            .map(|it| (50.0, f32::from(it) * 20.0, 500.0, 20.2))
            .collect();
        assert_eq!(joined(&down), [(1, 30)]);
        let up: Vec<_> = down.iter().rev().copied().collect();
        assert_eq!(joined(&up), [(1, 30)]);
        let across: Vec<_> = down.iter().map(|it| (it.1, it.0, it.3, it.2)).collect();
        assert_eq!(joined(&across), [(1, 30)]);
        // A smaller last strip, and another picture.
        let two = [
            (0.0, 0.0, 500.0, 20.0),
            (0.0, 20.0, 500.0, 9.0),
            (0.0, 100.0, 300.0, 200.0),
            (0.0, 300.0, 100.0, 200.0),
        ];
        assert_eq!(joined(&two), [(1, 2), (3, 3), (4, 4)]);
    }

    #[test]
    fn tiles_are_one_image() {
        let mut tiles = Vec::new();
        for row in 0..3_u8 {
            for column in 0..4_u8 {
                tiles.push((
                    100.0 * f32::from(column),
                    90.0 * f32::from(row),
                    100.0,
                    90.0,
                ));
            }
        }
        assert_eq!(joined(&tiles), [(1, 12)]);
        // By columns.
        let columns: Vec<_> = tiles.iter().map(|it| (it.1, it.0, it.3, it.2)).collect();
        assert_eq!(joined(&columns), [(1, 12)]);
        // A row and a half: the row is whole.
        assert_eq!(joined(&tiles[..6]), [(1, 4), (5, 5), (6, 6)]);
    }

    #[test]
    fn other_images_are_their_own() {
        let apart = [
            (0.0, 0.0, 500.0, 50.0),
            (0.0, 60.0, 500.0, 50.0),
            (0.0, 120.0, 500.0, 50.0),
        ];
        assert_eq!(joined(&apart), [(1, 1), (2, 2), (3, 3)]);
        let pair = [(0.0, 0.0, 200.0, 150.0), (200.0, 0.0, 200.0, 150.0)];
        assert_eq!(joined(&pair), [(1, 1), (2, 2)]);
        // One in the other.
        let over = [(0.0, 0.0, 500.0, 700.0), (0.0, 0.0, 500.0, 300.0)];
        assert_eq!(joined(&over), [(1, 1), (2, 2)]);
    }

    #[test]
    fn images_that_are_drawn_again_are_no_parts() {
        let icon = |at: u8| Figure {
            rect: Rect::of(
                (50.0, 20.0 * f32::from(at)),
                (70.0, 20.0 * f32::from(at) + 20.0),
            ),
            number: 1,
            last: 1,
            blank: false,
            artifact: false,
            mcid: None,
            after: 0,
        };
        let mut images: Vec<Figure> = (0..6).map(icon).collect();
        join(&mut images);
        assert_eq!(images.len(), 6);
    }

    #[test]
    fn layers_are_one_image() {
        assert_eq!(joined(&[(0.0, 0.0, 500.0, 700.0); 4]), [(1, 4)]);
    }

    #[test]
    fn blank_images_belong_to_others() {
        let all = [
            (0.0, 0.0, 400.0, 300.0),
            (100.0, 300.0, -200.0, 40.0),
            (0.0, 340.0, 400.0, 300.0),
            (0.0, 640.0, -400.0, 20.0),
        ];
        assert_eq!(joined(&all), [(1, 2), (3, 4)]);
    }
}
