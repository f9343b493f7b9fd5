//! Formats of text that are tables of rows.

use super::Hints;
use crate::encoding::{has_controls, without_mark};
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
    /// The format that the MIME type or the name of a text states. Programs also write records with the
    /// name of a workbook, so that `head`, the first bytes of the content, decides for such a name.
    pub fn of_content(hints: Hints<'_>, head: &[u8]) -> Option<Self> {
        let is_misnamed = ends_in(hints.name, &["xls", "xlt"]) && has_records(head);
        Self::of(hints).or_else(|| is_misnamed.then_some(Self::Separated))
    }

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

/// Whether bytes are a text whose first lines have the same number of separators, also below a few lines of
/// a title. In UTF-16, every second byte of them is NUL.
fn has_records(head: &[u8]) -> bool {
    let first = head.get(..RECORD_BYTES).unwrap_or(head);
    let is_wide = first.starts_with(b"\xff\xfe") || first.starts_with(b"\xfe\xff");
    let text: Vec<u8> = if is_wide {
        let units = first.iter().skip(2).copied();
        units.filter(|byte| *byte != 0).collect()
    } else {
        without_mark(first).to_vec()
    };
    if text.trim_ascii_start().starts_with(b"<") || (!is_wide && has_controls(&text)) {
        return false;
    }
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    let is_cut = first.len() == RECORD_BYTES;
    [b'\t', b';', b',', b'|'].into_iter().any(|separator| {
        let counts = lines
            .iter()
            .map(|line| memchr::memchr_iter(separator, line).count());
        let counts: Vec<usize> = counts.take(TITLE_LINES.saturating_add(4)).collect();
        let is_last = |at: usize| is_cut && at.saturating_add(1) == lines.len();
        (0..=TITLE_LINES).any(|header| {
            let Some(columns) = counts.get(header).copied().filter(|count| *count > 0) else {
                return false;
            };
            let is_same = |at: usize| {
                counts
                    .get(at)
                    .map(|values| *values == columns || (is_last(at) && *values < columns))
            };
            let record = header.saturating_add(1);
            if header == 0 {
                let is_blank = lines
                    .get(record)
                    .is_some_and(|line| line.trim_ascii().is_empty());
                return is_blank || is_same(record).unwrap_or(true);
            }
            // Sentences below each other have a comma each as well.
            let records = if columns == 1 && separator != b'\t' {
                2
            } else {
                1
            };
            (0..records).all(|n| is_same(record.saturating_add(n)).unwrap_or(false))
        })
    })
}

/// The number of bytes in which the first records are compared. The last one may be cut.
const RECORD_BYTES: usize = 1024;

/// The number of lines without a separator that may be above the records.
const TITLE_LINES: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_with_the_name_of_a_workbook_are_a_table() {
        let of = |name, head: &[u8]| {
            let hints = Hints {
                name,
                ..Hints::default()
            };
            TableFormat::of_content(hints, head)
        };
        let wide: Vec<u8> = "\u{feff}a\tb\n1\t2\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for head in [
            &b"a\tb\n1\t2\n"[..],
            b"\xef\xbb\xbfa;b;c\r\n1;2;3\r\n",
            b"a,b",
            b"N\xe9,b\n1,2",
            b"Report generated on 2024-01-01, by Bob\nName\tValue\nx\t1\n",
            b"Sales\r\n\r\nRegion: North\r\n\r\nName;Value\r\na;1\r\nb;2\r\n",
            b"Sales, of all regions\nName,Value,Sum\na,1,2\n",
            &wide,
        ] {
            assert_eq!(of("a.xls", head), Some(TableFormat::Separated), "{head:?}");
            assert_eq!(of("a.txt", head), None);
        }
        for head in [
            &b"<table a=\"1,2\">\n<tr a=\"1,2\">"[..],
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0,\n,",
            b"\x09\x08\x10\0\0\x06\x05\0",
            b"one sentence, and\nothers",
            b"A title\n\none sentence, and\nothers, too",
            b"A title\nName\tValue\n",
            b"",
        ] {
            assert_eq!(of("a.xls", head), None, "{head:?}");
        }
    }

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
