//! Samples of CSV, TSV and similar tables: the names of the columns, and records from both ends.

use super::sample::{FirstAndLast, Sample, counted};
use crate::limits;
use memchr::{memchr, memchr_iter};

/// The separators of columns that are tried, and their names.
const SEPARATORS: [(u8, &str); 4] = [
    (b',', "commas"),
    (b'\t', "tabs"),
    (b';', "semicolons"),
    (b'|', "bars"),
];

/// Summarises a table by sample records and facts. Returns `None` if no separator divides the
/// records into several columns.
pub fn parse(text: &str) -> Option<Sample> {
    let (separator, signs) = separator(text)?;
    let mut records = Records::new(text, separator);
    let mut header = records.next()?;
    let mut ends = FirstAndLast::new(
        limits::FIRST_RECORDS.saturating_add(1),
        limits::LAST_RECORDS,
    );
    // Spreadsheets write `sep=;` before the header, other programs write comments.
    while is_preamble(&header, &records) {
        ends.add(header.first, header.last);
        header = records.next()?;
    }
    let names = names(&header, separator);
    ends.add(header.first, header.last);
    let (mut count, mut several) = (u64::from(names.is_none()), 0u64);
    let mut uneven: Option<(u64, u32, usize)> = None;
    for record in records.by_ref() {
        ends.add(record.first, record.last);
        count = count.saturating_add(1);
        several = several.saturating_add(u64::from(record.last > record.first));
        if record.columns != header.columns {
            let (uneven, _, _) = uneven.get_or_insert((0, record.first, record.columns));
            *uneven = uneven.saturating_add(1);
        }
    }
    let mut words = vec![format!(
        "{}, {}{}",
        counted(count, "record"),
        counted(header.columns as u64, "column"),
        names.map_or_else(|| ", no header".to_owned(), |names| format!(": {names}"))
    )];
    if separator != b',' {
        words.push(format!("columns are separated by {signs}"));
    }
    if let Some((uneven, line, columns)) = uneven {
        let uneven = counted(uneven, "record");
        words.push(format!(
            "{uneven} of another number of columns, the first on line {line}: {columns}"
        ));
    }
    if several > 0 {
        words.push(format!("{} of several lines", counted(several, "record")));
    }
    if let Some(line) = records.unended {
        words.push(format!("a quote on line {line} does not end"));
    }
    let shown = ends.runs();
    Some(Sample {
        shown,
        facts: words,
    })
}

/// A record of a table: its text, the numbers of its first and last line, and its number of
/// columns.
struct Record<'t> {
    text: &'t str,
    first: u32,
    last: u32,
    columns: usize,
}

/// An iterator over the records of a text. Blank records are skipped.
#[derive(Clone)]
struct Records<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    separator: u8,
    /// The line number of the first quote that is not closed. From this line on, every line is a
    /// record.
    unended: Option<u32>,
}

impl<'t> Records<'t> {
    fn new(text: &'t str, separator: u8) -> Self {
        Self {
            text,
            at: if text.starts_with('\u{feff}') { 3 } else { 0 },
            line: 1,
            separator,
            unended: None,
        }
    }

    /// The length in bytes of the record at the start of `rest`, the number of its line breaks, and
    /// the number of its columns. Returns `None` if a quote is not closed.
    fn quoted(&self, rest: &[u8]) -> Option<(usize, u32, usize)> {
        let (mut at, mut lines, mut columns) = (0usize, 0u32, 1usize);
        let mut starts = true;
        loop {
            match rest.get(at) {
                None | Some(b'\n') => return Some((at, lines, columns)),
                Some(b'"') if starts => {
                    let (length, breaks) = quote(rest.get(at..)?)?;
                    lines = lines.saturating_add(breaks);
                    at = at.saturating_add(length);
                    // A quote inside a field means that an earlier quote was not closed.
                    let ends = rest
                        .get(at)
                        .is_none_or(|byte| *byte == self.separator || byte.is_ascii_whitespace());
                    if breaks > 0 && !ends {
                        return None;
                    }
                    starts = false;
                    continue;
                }
                Some(byte) => {
                    starts = *byte == self.separator;
                    columns = columns.saturating_add(usize::from(starts));
                }
            }
            at = at.saturating_add(1);
        }
    }
}

/// The length in bytes of the quoted field at the start of `text`, and the number of its line
/// breaks. Returns `None` if the field has no closing quote.
fn quote(text: &[u8]) -> Option<(usize, u32)> {
    let mut at = 1usize;
    let mut lines = 0u32;
    loop {
        let rest = text.get(at..)?;
        let found = memchr(b'"', rest)?;
        let breaks = memchr_iter(b'\n', rest.get(..found)?).count();
        lines = lines.saturating_add(u32::try_from(breaks).ok()?);
        at = at.saturating_add(found).saturating_add(1);
        if lines > limits::FIELD_LINES {
            return None;
        }
        if text.get(at) != Some(&b'"') {
            return Some((at, lines));
        }
        at = at.saturating_add(1);
    }
}

impl<'t> Iterator for Records<'t> {
    type Item = Record<'t>;

    fn next(&mut self) -> Option<Record<'t>> {
        loop {
            let rest = self.text.get(self.at..)?;
            if rest.starts_with('\n') {
                self.at = self.at.saturating_add(1);
                self.line = self.line.saturating_add(1);
                continue;
            }
            if rest.is_empty() {
                return None;
            }
            let length = memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
            let line = rest.get(..length)?;
            let (mut length, mut breaks) = (length, 0);
            let mut columns = None;
            if self.unended.is_none() && memchr(b'"', line.as_bytes()).is_some() {
                match self.quoted(rest.as_bytes()) {
                    Some((whole, lines, found)) => {
                        (length, breaks) = (whole, lines);
                        columns = Some(found);
                    }
                    None => self.unended = Some(self.line),
                }
            }
            let count = |line: &str| memchr_iter(self.separator, line.as_bytes()).count();
            // Separators in quotes that end on the same line do not separate columns.
            let within = || {
                self.quoted(line.as_bytes())
                    .map_or_else(|| count(line).saturating_add(1), |(_, _, columns)| columns)
            };
            let columns = columns.unwrap_or_else(within);
            let (first, last) = (self.line, self.line.saturating_add(breaks));
            self.at = self.at.saturating_add(length).saturating_add(1);
            self.line = last.saturating_add(1);
            let text = rest.get(..length)?;
            if !text.trim_ascii().is_empty() {
                return Some(Record {
                    text,
                    first,
                    last,
                    columns,
                });
            }
        }
    }
}

/// Detects the separator of columns, and returns it with its name. With this separator, at least
/// half of the first records have the same number of columns, and this number is at least two.
fn separator(text: &str) -> Option<(u8, &'static str)> {
    let tried = SEPARATORS.iter().filter_map(|(separator, name)| {
        let columns: Vec<usize> = Records::new(text, *separator)
            .take(limits::SEPARATOR_RECORDS)
            .map(|record| record.columns)
            .collect();
        let alike = |columns_of: usize| {
            columns
                .iter()
                .filter(|columns| **columns == columns_of)
                .count()
        };
        let (same, most) = columns
            .iter()
            .map(|columns| (alike(*columns), *columns))
            .filter(|(_, most)| *most > 1)
            .max()?;
        (same.saturating_mul(2) >= columns.len()).then_some(((same, most), (*separator, *name)))
    });
    // `max_by_key` returns the last maximum, so the order is reversed to prefer the first one.
    tried
        .rev()
        .max_by_key(|(rank, _)| *rank)
        .map(|(_, found)| found)
}

/// Whether a record is a `sep=` line or a comment, so that the header is a later record. `records`
/// iterates over the records after it.
fn is_preamble(record: &Record<'_>, records: &Records<'_>) -> bool {
    let next = || records.clone().next();
    let other = |next: Record<'_>| next.columns != record.columns || next.text.starts_with('#');
    record.text.starts_with("sep=") || (record.text.starts_with('#') && next().is_some_and(other))
}

/// The names of the columns in the record `header`, joined by commas. Returns `None` if this record
/// seems to be data.
fn names(header: &Record<'_>, separator: u8) -> Option<String> {
    let separator = char::from(separator);
    let mut names: Vec<&str> = Vec::new();
    let (mut bytes, mut whole) = (0usize, true);
    for field in header.text.split(separator) {
        let name = field.trim_ascii().trim_matches('"').trim_ascii();
        let number = |letter: char| {
            letter.is_ascii_digit() || matches!(letter, '.' | '-' | '+' | ',' | ':' | '%')
        };
        if !name.is_empty() && name.chars().all(number) {
            return None;
        }
        bytes = bytes.saturating_add(name.len());
        if names.len() < limits::COLUMNS && bytes <= limits::COLUMN_BYTES {
            names.push(name);
        } else {
            whole = false;
        }
    }
    if names.iter().all(|name| name.is_empty()) && whole {
        return None;
    }
    let rest = if whole { "" } else { ", …" };
    let names = names.join(", ").replace(['\r', '\n'], " ");
    Some(format!("{names}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        parse(text).map_or_else(|| vec!["none".to_owned()], |sample| sample.facts)
    }

    #[test]
    fn csv_facts_are_reported() {
        let cases: &[(&str, &[&str])] = &[
            (
                "id,name\n1,a\n2,\"b\nc,\"\"d\"\"\"\n\n3,x\n",
                &[
                    "3 records, 2 columns: id, name",
                    "1 record of several lines",
                ],
            ),
            (
                "\u{feff}a;b,c;d\r\n1;2,0;3\r\n4;5;6\r\n",
                &[
                    "2 records, 3 columns: a, b,c, d",
                    "columns are separated by semicolons",
                ],
            ),
            (
                "a\tb\n1\t2\n3\n4\t5\t6\n",
                &[
                    "3 records, 2 columns: a, b",
                    "columns are separated by tabs",
                    "2 records of another number of columns, the first on line 3: 1",
                ],
            ),
            ("1,2\n3,4\n", &["2 records, 2 columns, no header"]),
            (
                "sep=;\na;b\n1;2\n",
                &[
                    "1 record, 2 columns: a, b",
                    "columns are separated by semicolons",
                ],
            ),
            ("# x\n# y\n#a,b\n1,2\n", &["1 record, 2 columns: #a, b"]),
            (
                "a,b\n1,\"2\n3,\"4,5\"\n6,7\n",
                &[
                    "3 records, 2 columns: a, b",
                    "a quote on line 2 does not end",
                ],
            ),
            ("a,\"b, c\"\n1,x\"y\n", &["1 record, 2 columns: a, b, c"]),
            ("a\nb\n", &["none"]),
            ("", &["none"]),
        ];
        for (text, expected) in cases {
            assert_eq!(words(text), *expected, "{text}");
        }
    }

    #[test]
    fn csv_records_from_both_ends_are_shown() {
        let mut text = "a,b\n\"x\ny\",1\n".to_owned();
        text.push_str(&"1,2\n".repeat(100));
        let sample = parse(&text).unwrap();
        assert_eq!(sample.shown, [(1, 7), (101, 103)]);
        let wide: String = (0..100).map(|column| format!("column{column},")).collect();
        let sample = parse(&format!("{wide}\n{wide}\n")).unwrap();
        assert!(
            sample.facts[0].ends_with("column29, …"),
            "{:?}",
            sample.facts
        );
    }
}
