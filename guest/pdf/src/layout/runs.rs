//! Texts between lines of one width that follow each other, and where one table ends and the next one starts.

use super::gaps;
use super::lines::{self, Cell, Line};
use super::words::Word;

/// The least number of bands of two tables: a head, a text, and a head with its rows.
const BANDS: usize = 4;

/// The text between two lines that follow each other.
pub struct Band {
    /// The height of the line above it.
    pub top: f32,
    /// The height of the line below it.
    pub bottom: f32,
    /// The words, by their index.
    pub words: Vec<usize>,
}

/// Bands that follow each other as those of several tables: the head of each of them is that of the first one, and
/// what is above it is no row. `gap` is the white between cells.
pub fn split(words: &mut [Word], gap: f32, run: Vec<Band>) -> Vec<Vec<Band>> {
    let Some(head) = run.first().filter(|_| run.len() >= BANDS) else {
        return vec![run];
    };
    let head = head.words.clone();
    let columns: Vec<(f32, f32)> = in_lines(words, gap, &head)
        .iter()
        .flat_map(|it| &it.1)
        .map(|it| (it.x0, it.x1))
        .collect();
    let mut out: Vec<Vec<Band>> = vec![Vec::new()];
    for band in run {
        let Some(last) = out.last_mut() else { break };
        let again = columns.len() >= 2 && is_same(words, &head, &band.words);
        let above = last.last().filter(|_| again);
        if above.is_some_and(|it| !has_rows(words, gap, it, &columns)) {
            last.pop();
            out.push(vec![band]);
        } else {
            last.push(band);
        }
    }
    out
}

/// Whether two bands have the same words.
fn is_same(words: &[Word], a: &[usize], b: &[usize]) -> bool {
    let text = |it: &usize| words.get(*it).map(|it| &it.text);
    a.len() == b.len() && a.iter().map(text).eq(b.iter().map(text))
}

/// The lines of some words, with their cells.
fn in_lines(words: &mut [Word], gap: f32, own: &[usize]) -> Vec<(Line, Vec<Cell>)> {
    let lines = lines::lines(words, own.to_vec()).into_iter();
    lines
        .map(|it| {
            let cells = gaps::cells(words, &it, gap);
            (it, cells)
        })
        .collect()
}

/// Whether lines of a band have text at the first and at another column.
fn has_rows(words: &mut [Word], gap: f32, band: &Band, columns: &[(f32, f32)]) -> bool {
    let first = columns.get(..1).unwrap_or_default();
    in_lines(words, gap, &band.words).iter().any(|it| {
        let mut rest = it.1.iter().skip(1);
        rest.any(|it| gaps::hits(first, it) == 0 && gaps::hits(columns, it) > 0)
    })
}
