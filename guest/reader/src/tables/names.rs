//! Names of columns.

use std::collections::{BTreeMap, BTreeSet};

/// The letters of a column by its index, as in a spreadsheet: `A` is 0, `AA` is 26.
pub fn letters(index: usize) -> String {
    let mut letters = Vec::new();
    let mut left = index;
    loop {
        let letter = u8::try_from(left % 26).unwrap_or(0);
        letters.push(char::from(b'A'.saturating_add(letter)));
        match (left / 26).checked_sub(1) {
            Some(next) => left = next,
            None => return letters.into_iter().rev().collect(),
        }
    }
}

/// The name of the rowid in statements, which no column may have.
pub const ROWID: &str = "_rowid_";

/// Makes names of columns unique, ignoring the case of ASCII letters, as SQL does. A second column
/// of the same name gets a number: `name (2)`. An empty name becomes the letters of the column.
pub fn unique(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut used = BTreeSet::from([ROWID.to_owned()]);
    let mut next_number = BTreeMap::new();
    let names = names.enumerate().map(|(index, name)| {
        let name = name.trim().replace('\0', "\u{fffd}");
        let name = if name.is_empty() {
            letters(index)
        } else {
            name
        };
        if used.insert(name.to_ascii_lowercase()) {
            return name;
        }
        let number: &mut u64 = next_number.entry(name.to_ascii_lowercase()).or_insert(2);
        loop {
            let numbered = format!("{name} ({number})");
            *number = number.saturating_add(1);
            if used.insert(numbered.to_ascii_lowercase()) {
                return numbered;
            }
        }
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_in_letters() {
        for (index, expected) in [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")] {
            assert_eq!(letters(index), expected);
        }
    }

    #[test]
    fn names_of_columns_are_unique() {
        let of = |names: &[&str]| unique(names.iter().map(|name| (*name).to_owned()));
        assert_eq!(
            of(&["a", "A", "", "C", " a ", "a (2)", "_rowid_"]),
            [
                "a",
                "A (2)",
                "C",
                "C (2)",
                "a (3)",
                "a (2) (2)",
                "_rowid_ (2)"
            ]
        );
    }
}
