//! Names of columns.

use crate::path::cells::letters;
use std::collections::{BTreeMap, BTreeSet};

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
