//! The labels of the axes of charts: numbers in equal steps at equal distances. They are no cells of tables.

use super::draft::Found;
use super::lines::{Cell, Line};
use super::words::Word;
use crate::page::Rect;

/// The least number of labels of an axis.
const LABELS: usize = 4;

/// The difference of equal distances, relative to the distance, and of equal steps.
const SAME_DISTANCE: f32 = 0.08;
const SAME_STEP: f32 = 0.01;

/// The distance of the labels from the lines of a chart, in font sizes.
const BESIDE: f32 = 2.5;

/// The part of the other cells that has text at most: a third.
const FILLED: usize = 3;

/// The number of a label. `None` if it has another text.
fn number(text: &str) -> Option<f32> {
    let text = text.trim_start_matches(['$', '€', '£']);
    let text = text.trim_end_matches(['%', '€']).replace(',', "");
    let text = text.replace(['\u{2212}', '\u{2013}'], "-");
    let digits = text.chars().any(|it| it.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// Whether labels are those of an axis that goes up: their heights from the top, and their numbers.
fn is_axis(labels: &[(f32, f32)]) -> bool {
    let equal = |values: &dyn Fn(&(f32, f32)) -> f32, slack: f32| {
        let mut steps = labels.windows(2).filter_map(|it| match it {
            [a, b] => Some(values(b) - values(a)),
            _ => None,
        });
        let first = steps.next()?;
        let near = |it: f32| (it - first).abs() <= slack * first.abs();
        (first != 0.0 && steps.all(near)).then_some(first)
    };
    if labels.len() < LABELS {
        return false;
    }
    let distance = equal(&|it| it.0, SAME_DISTANCE);
    let step = equal(&|it| it.1, SAME_STEP);
    // Years are rows of tables as well.
    distance.is_some() && step.is_some_and(|it| it < 0.0 && (it + 1.0).abs() > SAME_STEP)
}

/// Whether the labels of an axis are at one side of some lines.
pub fn has_axis(words: &[Word], order: &[usize], lines: &Rect) -> bool {
    let y = |it: &usize| words.get(*it).map_or(0.0, |it| it.y);
    let size = order
        .first()
        .and_then(|it| words.get(*it))
        .map_or(0.0, |it| it.size);
    let from = order.partition_point(|it| y(it) < lines.y0 - size);
    let to = order.partition_point(|it| y(it) < lines.y1 + size);
    let near = order.get(from..to).unwrap_or_default();
    let labels = |beside: &dyn Fn(&Word) -> bool| -> Vec<(f32, f32)> {
        let words = near.iter().filter_map(|it| words.get(*it));
        let words = words.filter(|it| beside(it));
        words
            .filter_map(|it| Some((it.y, number(&it.text)?)))
            .collect()
    };
    let left = |it: &Word| it.x1 < lines.x0 + 1.0 && lines.x0 - it.x1 < BESIDE * it.size;
    let right = |it: &Word| it.x0 > lines.x1 - 1.0 && it.x0 - lines.x1 < BESIDE * it.size;
    is_axis(&labels(&left)) || is_axis(&labels(&right))
}

/// Whether a table is the text of a chart: its first or its last column is an axis, and few other cells have text.
/// `lines` are those of the table.
pub fn is_chart(words: &[Word], found: &Found, lines: &[Line]) -> bool {
    let (Some(first), Some(last)) = (found.columns.first(), found.columns.last()) else {
        return false;
    };
    let inside = |it: &Cell, column: &(f32, f32)| it.x0 < column.1 && it.x1 > column.0;
    let axis = |column: &(f32, f32)| {
        let label = |line: &Line| {
            let cell = line.cells.iter().find(|it| inside(it, column))?;
            let [word] = line.words.get(cell.start..cell.end)? else {
                return None;
            };
            let word = words.get(*word)?;
            Some((word.y, number(&word.text)?))
        };
        let labels: Vec<(f32, f32)> = lines.iter().filter_map(label).collect();
        is_axis(&labels)
    };
    let (left, right) = (axis(first), axis(last));
    if !left && !right {
        return false;
    }
    // The last line has the labels of the other axis.
    let body = lines.split_last().map_or(&[][..], |it| it.1);
    let other = |it: &&Cell| !(left && inside(it, first) || right && inside(it, last));
    let filled = body.iter().flat_map(|it| &it.cells).filter(other).count();
    let sides = usize::from(left).saturating_add(usize::from(right));
    let columns = found.columns.len().saturating_sub(sides);
    filled.saturating_mul(FILLED) <= columns.saturating_mul(body.len())
}
