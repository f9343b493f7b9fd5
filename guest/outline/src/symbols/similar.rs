//! The names that are most similar to a query that matches none.

use super::names::with_keyword;
use crate::item::cut;
use crate::language::Language;
use crate::limits;

/// Collects the most similar names.
#[derive(Debug)]
pub struct Similar {
    /// The last part of the query, in lower case.
    wanted: Vec<char>,
    text: String,
    /// The letters of the query, see [`letters`].
    letters: u64,
    /// The distance of each name, the smallest first.
    found: Vec<(usize, String)>,
    /// The number of names whose edit distance may still be computed.
    left: usize,
}

impl Similar {
    /// A collection for a query.
    pub fn new(query: &str) -> Self {
        let last = query
            .rsplit(['.', ':', '#', '/', '\\'])
            .find(|part| !part.is_empty())
            .unwrap_or(query);
        let text = cut(last, limits::COMPARED_BYTES).to_lowercase();
        Self {
            wanted: text.chars().collect(),
            letters: letters(&text),
            text,
            found: Vec::new(),
            left: limits::COMPARED_NAMES,
        }
    }

    /// A collection for a query in a language. The keyword at the start of a query is no part of a name.
    pub fn of(query: &str, language: Option<&Language>) -> Self {
        let query = query.trim();
        let name = language.and_then(|language| with_keyword(query, language));
        Self::new(name.map_or(query, |(_, name)| name))
    }

    /// Considers a name. `path` makes the name with the names of what contains it.
    pub fn offer(&mut self, name: &str, path: &mut dyn FnMut() -> String) {
        let Some(distance) = self.distance(name) else {
            return;
        };
        let full = self.found.len() >= limits::SIMILAR;
        if full && self.found.last().is_some_and(|(most, _)| *most <= distance) {
            return;
        }
        let path = path();
        if self.found.iter().any(|(_, known)| *known == path) {
            return;
        }
        let place = self.found.partition_point(|(one, _)| *one <= distance);
        self.found.insert(place, (distance, path));
        self.found.truncate(limits::SIMILAR);
    }

    /// The names, the most similar first.
    pub fn names(self) -> Vec<String> {
        self.found.into_iter().map(|(_, name)| name).collect()
    }

    /// Whether the letters of a name show that it is not similar. This test is quick, and rejects most names.
    fn is_far(&self, name: &str) -> bool {
        // The case of a letter outside ASCII changes its bytes.
        if !name.is_ascii() || !self.text.is_ascii() {
            return false;
        }
        let mask = letters(name);
        let (missing, more) = (self.letters & !mask, mask & !self.letters);
        let most = self.wanted.len().div_ceil(3);
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        // Each letter that only one of the names has is an edit, unless one is a part of the other.
        missing.count_ones() > most && more != 0 || more.count_ones() > most && missing != 0
    }

    /// How different a name is from the query. `None` if it is not similar. A name may be a path, of which the last
    /// part counts, or have a colon in it, so that the part before it counts too: `build:prod`, `setOn:animated:`.
    fn distance(&mut self, name: &str) -> Option<usize> {
        if self.wanted.is_empty() || name.is_empty() {
            return None;
        }
        let is_separator = |c: char| matches!(c, '.' | ':' | '/' | '\\');
        let last = name.rsplit(is_separator).next().unwrap_or(name);
        if !name.contains(':') {
            return self.distance_of(last);
        }
        let parts = name.split(':').take(limits::COMPARED_PARTS);
        let parts = parts.filter_map(|part| part.rsplit(is_separator).next());
        let parts = parts.map(str::trim).chain([last]);
        let parts = parts.filter_map(|part| self.distance_of(part));
        parts.min()
    }

    /// How different a part of a name is from the query.
    fn distance_of(&mut self, name: &str) -> Option<usize> {
        if name.is_empty() || self.is_far(name) {
            return None;
        }
        let name = &*cut(name, limits::COMPARED_BYTES).to_lowercase();
        if name == self.text {
            return Some(0);
        }
        let most = self.wanted.len().div_ceil(3);
        let near = self
            .left
            .checked_sub(1)
            .filter(|_| name.len().abs_diff(self.text.len()) <= most.saturating_mul(4));
        if let Some(left) = near {
            self.left = left;
            let distance = edits(&self.wanted, name, most);
            if distance.is_some() {
                return distance;
            }
        }
        // A name of two letters is part of most names.
        let part = (name.len() > 2 && self.text.contains(name))
            || (self.text.len() > 2 && name.contains(&self.text));
        part.then(|| most.saturating_add(name.len().abs_diff(self.text.len())))
    }
}

/// The set of the letters of a name without regard to case, of which some share a bit.
fn letters(name: &str) -> u64 {
    let mut mask = 0u64;
    for byte in name.bytes() {
        mask |= 1 << (byte.to_ascii_lowercase() & 63);
    }
    mask
}

/// The number of letters to insert, delete or replace in one name, and of adjacent letters to swap, to get the
/// other, if it is at most `most`.
fn edits(one: &[char], other: &str, most: usize) -> Option<usize> {
    let mut row: Vec<usize> = (0..=one.len()).collect();
    // The row before it, and the letter of that row.
    let mut above = row.clone();
    let mut next: Vec<usize> = Vec::with_capacity(row.len());
    let mut last = None;
    for (at, c) in other.chars().enumerate() {
        next.clear();
        next.push(at.saturating_add(1));
        let mut least = at.saturating_add(1);
        let mut left = at.saturating_add(1);
        let mut before: Option<char> = None;
        for (column, letter) in one.iter().enumerate() {
            let get = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX);
            let replaced = get(&row, column).saturating_add(usize::from(*letter != c));
            let inserted = get(&row, column.saturating_add(1)).saturating_add(1);
            let mut cell = replaced.min(inserted).min(left.saturating_add(1));
            if before == Some(c)
                && last == Some(*letter)
                && let Some(swapped) = column.checked_sub(1)
            {
                cell = cell.min(get(&above, swapped).saturating_add(1));
            }
            next.push(cell);
            left = cell;
            before = Some(*letter);
            least = least.min(cell);
        }
        // A swap uses the row above the last one, so that one row over the limit is not enough.
        let far = least > most && row.iter().all(|cell| *cell > most);
        if far {
            return None;
        }
        std::mem::swap(&mut above, &mut row);
        std::mem::swap(&mut row, &mut next);
        last = Some(c);
    }
    row.last().copied().filter(|distance| *distance <= most)
}
