//! Titles and notes in the frame of a ruled table, which are no rows of it: cells over the full width at its start and its
//! end.

use super::cells;
use super::draft::Draft;
use super::lattice::Lattice;
use super::words::Word;

/// The number of characters from which a text is a title or a note. Shorter ones may be a header or a total.
const TEXT: usize = 40;

/// Returns the upper and the lower side of the table in a frame. `None` if nothing surrounds it.
pub fn inner(words: &[Word], lattice: &Lattice, drafts: &[(usize, Draft)]) -> Option<(f32, f32)> {
    let rows = lattice.rows();
    let mut full: Vec<Option<&Draft>> = vec![None; rows];
    for (row, cell) in drafts {
        if cell.span == lattice.columns()
            && let Some(it) = full.get_mut(*row)
        {
            // A cell of several rows is over the rows after it.
            if cell.height > 1 {
                return None;
            }
            // Only the lines between its columns may be missing.
            let parts = cells::unmerged(words, cell.clone(), &lattice.xs);
            *it = (parts.len() < 2).then_some(cell);
        }
    }
    let text = |cell: &Draft| -> usize {
        let own = cell.lines.iter().flatten();
        own.filter_map(|it| words.get(*it)).map(|it| it.chars).sum()
    };
    let is_text = |it: Option<&Draft>| it.is_some_and(|it| text(it) >= TEXT);
    // Short texts farther outside are those of the page, such as a running head in its frame.
    let start = full.iter().take_while(|it| it.is_some()).count();
    let first = full.iter().take(start).rposition(|it| is_text(*it));
    let first = first.map_or(0, |it| it.saturating_add(1));
    let last = full.iter().rposition(Option::is_none)?.saturating_add(1);
    let notes = full.iter().skip(last).position(|it| is_text(*it));
    let end = notes.map_or(rows, |it| last.saturating_add(it));
    // The cells of a form are over the full width as well.
    let form = full.get(start..last).is_none_or(|rows| {
        let mut texts = rows.iter().flatten();
        texts.any(|it| !it.lines.is_empty())
    });
    if form || first == 0 && end == rows {
        return None;
    }
    lattice
        .ys
        .get(first)
        .copied()
        .zip(lattice.ys.get(end).copied())
}
