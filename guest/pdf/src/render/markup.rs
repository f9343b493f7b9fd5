//! Highlights, lines and shapes of comments that have no appearance. Viewers draw them on their own
//! (ISO 32000-2, 12.5.6).

use crate::annotations;
use crate::extremes::Extremes as _;
use crate::limits;
use hayro_syntax::object::{Array, Dict};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The name of the graphics state of highlights in the resources.
pub const HIGHLIGHT: &str = "H";

/// The largest width of a line in points.
const WIDEST: f32 = 50.0;

/// What is drawn for the comments of a page.
pub struct Markup {
    /// The length in points of the outlines that may still be drawn.
    rest: f32,
    /// The rectangles of the highlights of each colour. Each colour is blended once, which takes long.
    highlights: BTreeMap<String, String>,
}

impl Markup {
    /// Starts a page.
    pub const fn new() -> Self {
        Self {
            rest: limits::MARKUP_LENGTH,
            highlights: BTreeMap::new(),
        }
    }

    /// Writes the highlights.
    pub fn end(self, out: &mut String) {
        for (colour, shape) in self.highlights {
            let _ = write!(out, "q /{HIGHLIGHT} gs {colour}\n{shape}f Q\n");
        }
    }
}

/// Writes a comment as content. Highlights are kept for the end.
pub fn write(annotation: &Dict<'_>, markup: &mut Markup, out: &mut String) {
    let rest = &mut markup.rest;
    let Some(kind) = annotations::kind_without_appearance(annotation) else {
        return;
    };
    let Some(colour) = colour(annotation) else {
        return;
    };
    let width = width(annotation);
    let mut shape = String::new();
    match kind.as_ref() {
        b"Highlight" => {
            for [x0, y0, x1, y1] in quads(annotation) {
                let (wide, high) = (x1 - x0, y1 - y0);
                *rest -= 2.0 * (wide + high);
                let _ = writeln!(shape, "{x0} {y0} {wide} {high} re");
            }
        }
        b"Underline" | b"Squiggly" | b"StrikeOut" => {
            for [x0, y0, x1, y1] in quads(annotation) {
                let share = if kind.as_ref() == b"StrikeOut" {
                    0.5
                } else {
                    0.1
                };
                let y = y0 + share * (y1 - y0);
                *rest -= x1 - x0;
                let _ = writeln!(shape, "{x0} {y} m {x1} {y} l S");
            }
        }
        b"Ink" => {
            let strokes = annotation.get::<Array<'_>>("InkList");
            for stroke in strokes.iter().flat_map(Array::iter::<Array<'_>>) {
                if shape.len() > limits::ACTUAL_TEXT_BYTES {
                    break;
                }
                line(&numbers(&stroke), "S", rest, &mut shape);
            }
        }
        b"Line" => line(&list(annotation, "L"), "S", rest, &mut shape),
        b"PolyLine" => line(&list(annotation, "Vertices"), "S", rest, &mut shape),
        b"Polygon" => line(&list(annotation, "Vertices"), "s", rest, &mut shape),
        b"Square" => {
            if let Some(rect) = annotations::rectangle(annotation) {
                let half = width / 2.0;
                let (wide, high) = (rect.width() - width, rect.height() - width);
                if wide > 0.0 && high > 0.0 {
                    *rest -= 2.0 * (wide + high);
                    let (x, y) = (rect.x0 + half, rect.y0 + half);
                    let _ = writeln!(shape, "{x} {y} {wide} {high} re S");
                }
            }
        }
        _ => {}
    }
    if shape.is_empty() || *rest < 0.0 {
        return;
    }
    if kind.as_ref() == b"Highlight" {
        let known = markup.highlights.len();
        let has_room = known < limits::HIGHLIGHT_COLOURS || markup.highlights.contains_key(&colour);
        if has_room {
            markup
                .highlights
                .entry(colour)
                .or_default()
                .push_str(&shape);
        }
        return;
    }
    let _ = write!(out, "q {colour}{width} w\n{shape}Q\n");
}

/// The operators that choose the colour. `None` for no colour.
fn colour(annotation: &Dict<'_>) -> Option<String> {
    let parts = list(annotation, "C");
    let names = match parts.len() {
        1 => ["g", "G"],
        3 => ["rg", "RG"],
        4 => ["k", "K"],
        _ => return None,
    };
    let mut out = String::new();
    for name in names {
        for part in &parts {
            let _ = write!(out, "{} ", part.clamp(0.0, 1.0));
        }
        let _ = write!(out, "{name} ");
    }
    Some(out)
}

/// The width of lines.
fn width(annotation: &Dict<'_>) -> f32 {
    let style = annotation.get::<Dict<'_>>("BS");
    let width = style.and_then(|style| style.get::<f32>("W"));
    let border = || list(annotation, "Border").get(2).copied();
    let width = width.or_else(border).unwrap_or(1.0);
    if width.is_finite() {
        width.clamp(0.0, WIDEST)
    } else {
        1.0
    }
}

/// The rectangles around the marked words.
fn quads(annotation: &Dict<'_>) -> Vec<[f32; 4]> {
    let bounds = |quad: &[f32]| {
        let mut out = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
        for pair in quad.chunks_exact(2) {
            if let [x, y] = pair {
                let [x0, y0, x1, y1] = out;
                out = [x0.lesser(*x), y0.lesser(*y), x1.greater(*x), y1.greater(*y)];
            }
        }
        out
    };
    list(annotation, "QuadPoints")
        .chunks_exact(8)
        .map(bounds)
        .collect()
}

/// Writes a line through points.
fn line(numbers: &[f32], paint: &str, rest: &mut f32, out: &mut String) {
    for pair in numbers.windows(4).step_by(2) {
        if let [x0, y0, x1, y1] = pair {
            *rest -= (x1 - x0).hypot(y1 - y0);
        }
    }
    for (place, point) in numbers.chunks_exact(2).enumerate() {
        if let [x, y] = point {
            let operator = if place == 0 { "m" } else { "l" };
            let _ = write!(out, "{x} {y} {operator} ");
        }
    }
    if numbers.len() >= 4 {
        let _ = writeln!(out, "{paint}");
    }
}

fn list(annotation: &Dict<'_>, key: &str) -> Vec<f32> {
    annotation
        .get::<Array<'_>>(key)
        .map(|list| numbers(&list))
        .unwrap_or_default()
}

fn numbers(list: &Array<'_>) -> Vec<f32> {
    let all = list.iter::<f32>().take(limits::MARKUP_NUMBERS);
    all.filter(|it| it.is_finite() && it.abs() < 1e6).collect()
}
