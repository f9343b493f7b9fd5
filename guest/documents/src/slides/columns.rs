//! Headings of columns: texts side by side, each above a body of its own.
//!
//! Shapes are read in bands from top to bottom, so that the headings of all columns would be before all
//! bodies. A heading and its body are therefore joined to one shape. They are recognised by their positions,
//! which placeholders inherit, so that the layout `twoTxTwoObj` ("Comparison") needs no rule of its own:
//!
//! * A heading is one line, and not a list item.
//! * Its body is the nearest shape below it. Both have the same left side, or the body is wider on both sides.
//! * The body has several lines, a list, an image or a table, or it is twice as high as the heading.
//! * A shape above that is nearer to the heading than the body is not a body: the heading is its caption.
//! * There are at least two such pairs side by side.

use super::area::{Area, Axis, MARGIN};
use crate::limits;

/// The number of characters above which a line is not a heading.
const CHARS: usize = 120;

/// The starts of Markdown that is not a line of text: list items, images, tables, quotations and formulas.
const OTHERS: [&str; 6] = ["- ", "![", "|", ">", "$$", "```"];

/// The shapes of a slide or a group: their areas, and their Markdown.
pub type Shapes = Vec<(Option<Area>, String)>;

/// Joins the headings of columns with their bodies, in placeholders and other shapes. A joined shape is a
/// placeholder if one of its parts is. Joined placeholders of a row are in the order of the columns.
pub fn joined(fixed: Shapes, placed: Shapes) -> (Shapes, Shapes) {
    let count = fixed.len();
    let mut all: Vec<Option<(Option<Area>, String)>> =
        fixed.into_iter().chain(placed).map(Some).collect();
    for row in rows(&all) {
        let place = |pair: &Pair| pair.heading.min(pair.body);
        let (fixed, others): (Vec<Pair>, Vec<Pair>) =
            row.into_iter().partition(|pair| place(pair) < count);
        let mut places: Vec<usize> = fixed.iter().map(place).collect();
        places.sort_unstable();
        let others = others.into_iter().map(|pair| (place(&pair), pair));
        let texts: Vec<_> = places
            .into_iter()
            .zip(fixed)
            .chain(others)
            .filter_map(|(place, pair)| {
                let (_, heading) = all.get_mut(pair.heading)?.take()?;
                let (_, body) = all.get_mut(pair.body)?.take()?;
                Some((place, (Some(pair.area), format!("{heading}\n\n{body}"))))
            })
            .collect();
        for (place, shape) in texts {
            if let Some(entry) = all.get_mut(place) {
                *entry = Some(shape);
            }
        }
    }
    let placed = all.split_off(count.min(all.len()));
    let list = |shapes: Vec<Option<_>>| shapes.into_iter().flatten().collect();
    (list(all), list(placed))
}

/// A heading and its body by their indices, and the area of both.
struct Pair {
    heading: usize,
    body: usize,
    area: Area,
    /// The vertical ranges of the heading and of the body.
    ranges: [(i64, i64); 2],
}

/// A shape with a position.
struct Shape<'s> {
    index: usize,
    area: Area,
    across: (i64, i64),
    down: (i64, i64),
    text: &'s str,
}

/// The rows of at least two headings with their bodies, each from left to right.
fn rows(shapes: &[Option<(Option<Area>, String)>]) -> Vec<Vec<Pair>> {
    if shapes.len() > limits::SHAPES {
        return Vec::new();
    }
    let shapes = shapes.iter().enumerate().filter_map(|(index, shape)| {
        let (area, text) = shape.as_ref()?;
        let area = (*area)?;
        Some(Shape {
            index,
            area,
            across: area.range(Axis::Horizontal),
            down: area.range(Axis::Vertical),
            text,
        })
    });
    let shapes: Vec<Shape> = shapes.collect();
    let mut pairs: Vec<Pair> = shapes.iter().filter_map(|it| pair(it, &shapes)).collect();
    pairs.sort_by_key(|pair| (pair.body, pair.heading));
    // A body with several headings is not that of a column.
    let mut single: Vec<Pair> = Vec::new();
    let mut shared = None;
    for pair in pairs {
        if shared == Some(pair.body) {
            continue;
        }
        if single.last().is_some_and(|last| last.body == pair.body) {
            shared = Some(pair.body);
            single.pop();
        } else {
            single.push(pair);
        }
    }
    single.sort_by_key(|pair| (pair.ranges, pair.area.left));
    let mut rows: Vec<Vec<Pair>> = Vec::new();
    for pair in single {
        let row = rows.last_mut().filter(|row| {
            row.iter().all(|other| {
                let [heading, body] = pair.ranges;
                let [other_heading, other_body] = other.ranges;
                let across = |pair: &Pair| pair.area.range(Axis::Horizontal);
                overlap(heading, other_heading)
                    && overlap(body, other_body)
                    && !overlap(across(&pair), across(other))
            })
        });
        match row {
            Some(row) => row.push(pair),
            None => rows.push(vec![pair]),
        }
    }
    rows.retain(|row| row.len() > 1);
    for row in &mut rows {
        row.sort_by_key(|pair| pair.area.left);
    }
    rows
}

/// A heading with its body. `None` if the shape is not the heading of a column.
fn pair(heading: &Shape, shapes: &[Shape]) -> Option<Pair> {
    if !is_line(heading.text) {
        return None;
    }
    let (top, bottom) = heading.down;
    let same_columns = |it: &&Shape| overlap(it.across, heading.across);
    let below = shapes.iter().filter(|it| it.down.0 >= bottom);
    let body = below
        .filter(same_columns)
        .min_by_key(|it| (it.down.0, it.index))?;
    let (own, other) = (&heading.area, &body.area);
    let same_left = own.left.abs_diff(other.left) <= MARGIN.unsigned_abs();
    let right = |area: &Area| area.left.saturating_add(area.width);
    let inside = own.left >= other.left.saturating_sub(MARGIN)
        && right(own) <= right(other).saturating_add(MARGIN);
    let is_high = own.height > 0 && other.height / 2 >= own.height;
    if !(same_left || inside) || (is_line(body.text) && !is_high) {
        return None;
    }
    let distance = body.down.0.saturating_sub(bottom);
    let mut above = shapes.iter().filter(|it| it.down.1 <= top);
    let is_caption = above.any(|it| {
        same_columns(&it) && !is_line(it.text) && top.saturating_sub(it.down.1) < distance
    });
    (!is_caption).then(|| Pair {
        heading: heading.index,
        body: body.index,
        area: own.union(other),
        ranges: [heading.down, body.down],
    })
}

/// Whether Markdown is one line of text.
fn is_line(text: &str) -> bool {
    !text.contains('\n')
        && !OTHERS.iter().any(|start| text.starts_with(start))
        && text.chars().take(CHARS.saturating_add(1)).count() <= CHARS
}

/// Whether two ranges overlap.
fn overlap(one: (i64, i64), other: (i64, i64)) -> bool {
    one.0 < other.1 && other.0 < one.1
}
