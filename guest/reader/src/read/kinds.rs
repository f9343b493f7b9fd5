//! Counts the listing entries that a page leaves out, by extension.

use crate::limits;
use crate::window::Total;
use omniread_outline::sort;
use std::collections::BTreeMap;

/// The number of listing entries of each kind: directories, and files by extension.
#[derive(Debug, Default)]
pub struct Kinds {
    counts: BTreeMap<String, u64>,
    /// The number of entries whose kind is not counted separately, because there are more than
    /// [`limits::LISTED_KINDS`] kinds.
    others: u64,
    total: u64,
}

impl Kinds {
    /// Counts an entry of the listing.
    pub fn add(&mut self, name: &str, directory: bool) {
        self.total = self.total.saturating_add(1);
        let kind = if directory {
            "directories".to_owned()
        } else {
            extension(name).unwrap_or_else(|| "without extension".to_owned())
        };
        let full = self.counts.len() >= limits::LISTED_KINDS;
        match self.counts.get_mut(&kind) {
            Some(count) => *count = count.saturating_add(1),
            None if full => self.others = self.others.saturating_add(1),
            None => {
                self.counts.insert(kind, 1);
            }
        }
    }

    /// The note with the numbers of the counted entries, which a page leaves out. `entries` is the
    /// number of all entries in the listing. If that number is inexact, the note says `at least`.
    /// Returns `None` if no entry was counted.
    pub fn note(self, entries: Total) -> Option<String> {
        if self.total == 0 {
            return None;
        }
        let mut counts: Vec<(String, u64)> = self.counts.into_iter().collect();
        sort::by(&mut counts, |(_, count)| {
            (u64::MAX.saturating_sub(*count), 0)
        });
        let rest = counts.split_off(limits::SHOWN_KINDS.min(counts.len()));
        let others = rest
            .iter()
            .fold(self.others, |sum, (_, count)| sum.saturating_add(*count));
        let mut kinds: Vec<String> = counts
            .iter()
            .map(|(kind, count)| match (kind.as_str(), count) {
                ("directories", 1) => "1 directory".to_owned(),
                (kind, count) => format!("{count} {kind}"),
            })
            .collect();
        match others {
            0 => {}
            1 => kinds.push("1 other".to_owned()),
            _ => kinds.push(format!("{others} others")),
        }
        let least = match entries {
            Total::Exact(_) => "",
            Total::AtLeast(_) => "at least ",
        };
        let entries = if self.total == 1 { "entry" } else { "entries" };
        Some(format!(
            "{least}{} more {entries}: {}",
            self.total,
            kinds.join(", ")
        ))
    }
}

/// The extension of a file name with its dot, in lower case. Returns `None` for a name without an
/// extension. Text after the last dot that is long or contains spaces is not an extension.
fn extension(name: &str) -> Option<String> {
    let (stem, extension) = name.rsplit_once('.')?;
    let sound = !stem.is_empty()
        && !extension.is_empty()
        && extension.len() <= limits::EXTENSION_BYTES
        && !extension.contains(char::is_whitespace);
    sound.then(|| format!(".{}", extension.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(names: &[(&str, u32)]) -> Option<String> {
        let mut kinds = Kinds::default();
        for (name, times) in names {
            for _ in 0..*times {
                kinds.add(name.trim_end_matches('/'), name.ends_with('/'));
            }
        }
        kinds.note(Total::Exact(1000))
    }

    #[test]
    fn kinds_are_sorted_by_count_and_named_by_extension() {
        assert_eq!(note(&[]), None);
        assert_eq!(
            note(&[("a.rs", 3), ("b.PNG", 5), ("c.png", 2), ("d/", 1)]).unwrap(),
            "11 more entries: 7 .png, 3 .rs, 1 directory"
        );
        assert_eq!(
            note(&[("LICENSE", 2), (".bashrc", 2), ("end.", 1), ("a. b", 1)]).unwrap(),
            "6 more entries: 6 without extension"
        );
        assert_eq!(note(&[("a.tar.gz", 1)]).unwrap(), "1 more entry: 1 .gz");
    }

    #[test]
    fn rare_kinds_are_counted_together() {
        let names: Vec<String> = (0..2000).map(|n| format!("a.{n}")).collect();
        let mut names: Vec<(&str, u32)> = names.iter().map(|name| (name.as_str(), 1)).collect();
        names.insert(0, ("b.rs", 7));
        let note = note(&names).unwrap();
        assert_eq!(
            note,
            "2007 more entries: 7 .rs, 1 .0, 1 .1, 1 .10, 1 .100, 1996 others"
        );
    }
}
