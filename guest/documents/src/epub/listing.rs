//! Tables of contents among the chapters.

use super::headings::letters;
use std::collections::BTreeSet;

/// The share of lines that are no entries, such as the heading of the list: one of so many, and one more.
const OTHER_SHARE: usize = 8;

/// Returns whether each line of a chapter is an entry of the table of contents of the book, so that it
/// repeats the names of the chapters.
pub fn is_listing<'n>(text: &str, names: impl Iterator<Item = &'n str>) -> bool {
    let names: BTreeSet<String> = names.map(letters).collect();
    let mut known = 0_usize;
    let mut others = 0_usize;
    for line in text.lines() {
        let all = letters(line);
        if all.is_empty() {
            continue;
        }
        // The number of a list item is not a part of the name, unless it is.
        let unnumbered = line
            .trim_start()
            .split_once(' ')
            .map(|(_, rest)| letters(rest));
        if names.contains(&all) || unnumbered.is_some_and(|it| names.contains(&it)) {
            known = known.saturating_add(1);
        } else {
            others = others.saturating_add(1);
        }
    }
    known > 1 && others.saturating_sub(1).saturating_mul(OTHER_SHARE) <= known
}
