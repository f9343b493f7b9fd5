//! Formats of text that are tables of rows.

use super::Hints;
use crate::path::ends_in;

/// A format of text whose records are the rows of a table. Its bare path reads the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Values that a comma, a semicolon, a tab or a vertical bar separates (RFC 4180).
    Separated,
    /// Values that a tab separates.
    Tabs,
    /// One JSON value per line.
    JsonLines,
}

impl TableFormat {
    /// The format that the MIME type or the name of a text states.
    pub fn of(hints: Hints<'_>) -> Option<Self> {
        match hints.mime {
            Some("text/csv" | "application/csv") => return Some(Self::Separated),
            Some("text/tab-separated-values") => return Some(Self::Tabs),
            Some(
                "application/jsonl"
                | "application/jsonlines"
                | "application/x-jsonlines"
                | "application/x-ndjson"
                | "application/ndjson",
            ) => return Some(Self::JsonLines),
            _ => {}
        }
        let named = |extensions: &[&str]| ends_in(hints.name, extensions);
        if named(&["csv", "psv"]) {
            Some(Self::Separated)
        } else if named(&["tsv", "tab"]) {
            Some(Self::Tabs)
        } else if named(&["jsonl", "ndjson", "jsonlines"]) {
            Some(Self::JsonLines)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_format_is_that_of_the_mime_type_or_name() {
        let of = |name, mime| {
            TableFormat::of(Hints {
                name,
                mime,
                charset: None,
            })
        };
        assert_eq!(of("a.CSV", None), Some(TableFormat::Separated));
        assert_eq!(of("d/a.tsv", None), Some(TableFormat::Tabs));
        assert_eq!(of("a.ndjson", None), Some(TableFormat::JsonLines));
        assert_eq!(of("export", Some("text/csv")), Some(TableFormat::Separated));
        for name in ["a.txt", "csv", "a.json"] {
            assert_eq!(of(name, None), None);
        }
    }
}
