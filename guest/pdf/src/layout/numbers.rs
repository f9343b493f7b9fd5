//! Numbers of several columns that are so close to each other that they look like one cell.

use super::lines::{Cell, Line};
use super::values;
use super::words::Word;

/// Splits a cell over several columns into its numbers, if each of them is in a column of its own.
pub fn split(words: &[Word], line: &Line, cell: &Cell, columns: &[(f32, f32)]) -> Vec<Cell> {
    let mut out: Vec<Cell> = Vec::new();
    let mut last: Option<usize> = None;
    for position in cell.start..cell.end {
        let word = line.words.get(position).and_then(|it| words.get(*it));
        let place = word
            .filter(|it| values::is_number(&it.text) || values::is_absent(&it.text))
            .and_then(|it| column(it, columns));
        let (Some(word), Some(place)) = (word, place) else {
            return vec![*cell];
        };
        if last.is_some_and(|it| it >= place) {
            return vec![*cell];
        }
        last = Some(place);
        out.push(Cell {
            x0: word.x0,
            x1: word.x1,
            start: position,
            end: position.saturating_add(1),
        });
    }
    out
}

/// The column whose side is near the side of a word, or around its middle.
fn column(word: &Word, columns: &[(f32, f32)]) -> Option<usize> {
    let mid = word.mid();
    columns.iter().position(|it| (it.0..=it.1).contains(&mid))
}
