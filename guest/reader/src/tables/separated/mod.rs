//! CSV and TSV as rows (RFC 4180, with what programs write in practice).
//!
//! ```text
//! mod        SeparatedRows
//! record     records, one after the other
//! quotes     the meaning of quotes, the end of a record, and its values
//! delimiter  detection of the delimiter
//! preamble   the lines before the table
//! header     detection of a record with the names of the columns
//! ```

mod delimiter;
mod header;
mod preamble;
mod quotes;
mod record;

use super::feed::Feed;
use super::names::unique;
use super::types::{self, ColumnType};
use super::{Row, Rows};
use crate::encoding::Encoding;
use crate::pages::Input;
use crate::path::cells::letters;
use crate::world::FileError;
use quotes::Quotes;
use record::{Records, sample_records, sample_widths};

/// The most rows of which a note names the number.
const NAMED_ROWS: usize = 3;

/// The records of a CSV or TSV file as rows. They are numbered from 1, without the record that names
/// the columns.
pub struct SeparatedRows<'i, 'a> {
    records: Records<'i, 'a>,
    delimiter: u8,
    columns: Vec<String>,
    types: Vec<ColumnType>,
    /// Whether the first record names the columns.
    has_header: bool,
    /// The notes on the text before the first record.
    preamble: Vec<String>,
    /// Whether quotes are characters of the values, although the text has some.
    has_plain_quotes: bool,
    /// The number of the last row that was read.
    number: u64,
    /// The rows with more values than columns, and those with fewer.
    long: Ragged,
    short: Ragged,
}

/// Rows that do not have one value for each column.
#[derive(Default)]
struct Ragged {
    count: u64,
    first: Vec<u64>,
}

impl Ragged {
    fn add(&mut self, row: u64) {
        self.count = self.count.saturating_add(1);
        if self.first.len() < NAMED_ROWS {
            self.first.push(row);
        }
    }

    /// The note that these rows have `what`, such as `more values than columns`.
    fn note(&self, what: &str) -> Option<String> {
        let rows: Vec<String> = self.first.iter().map(u64::to_string).collect();
        let rows = rows.join(", ");
        match self.count {
            0 => None,
            1 => Some(format!("row {rows} has {what}")),
            count if count <= NAMED_ROWS as u64 => Some(format!("rows {rows} have {what}")),
            count => Some(format!("{count} rows have {what}, the first are {rows}")),
        }
    }
}

impl<'i, 'a> SeparatedRows<'i, 'a> {
    /// The rows of a text. `tabs` states that its name is that of a file with tabs.
    pub fn new(input: &'i mut Input<'a>, encoding: Encoding, tabs: bool) -> Self {
        let mut feed = Feed::new(input, encoding);
        let (sample, whole) = feed.sample();
        let declared = delimiter::declared(&sample);
        let skipped = declared.map_or(0, |(_, length)| length);
        let sample = sample.get(skipped..).unwrap_or_default();
        let (body, comments) = after_comments(sample);
        let delimiter = declared.map(|(delimiter, _)| delimiter);
        let delimiter = delimiter.unwrap_or_else(|| delimiter::detect(body, whole, tabs));
        let width = |text: &[u8]| {
            let widths = sample_widths(text, delimiter, Quotes::STANDARD, true);
            widths.into_iter().next()
        };
        let comments = match width(first_line(body)).filter(|width| *width > 1) {
            None => 0,
            Some(body) => comment_bytes(comments, |line| width(line) == Some(body)),
        };
        let quotes = quotes::detect(sample.get(comments..).unwrap_or_default(), delimiter, whole);
        let rest = sample.get(comments..).unwrap_or_default();
        let mut first = sample_records(rest, delimiter, quotes, whole);
        let before = preamble::records(&first);
        let has_preamble = before > 0 || comments > 0;
        let table = first.get(before).filter(|_| before > 0);
        let start = comments.saturating_add(table.map_or(0, |(start, _)| *start));
        let table = first.split_off(before.min(first.len()));
        let first: Vec<Vec<String>> = table.into_iter().map(|(_, record)| record).collect();
        let preamble = sample.get(..start).filter(|_| has_preamble);
        let preamble = preamble.map(preamble::notes).unwrap_or_default();
        let skipped = skipped.saturating_add(start);
        let has_header = header::has_header(&first);
        let named = first.first().filter(|_| has_header);
        let width = first.first().map_or(0, Vec::len);
        let columns = match named {
            Some(names) => unique(names.iter().cloned()),
            None => (0..width).map(letters).collect(),
        };
        let values = first.get(usize::from(has_header)..).unwrap_or_default();
        let types = types::detect(values, columns.len(), delimiter);
        let mut rows = Self {
            records: Records::new(feed, delimiter, quotes, skipped),
            delimiter,
            columns,
            types,
            has_header,
            preamble,
            has_plain_quotes: quotes.mark.is_none(),
            number: 0,
            long: Ragged::default(),
            short: Ragged::default(),
        };
        rows.skip_header();
        rows
    }

    fn skip_header(&mut self) {
        if !self.has_header {
            return;
        }
        if let Some(names) = self.records.next(0) {
            // A record that is longer than the sample names the columns too.
            if names.len() > self.columns.len() {
                self.columns = unique(names.into_iter().map(|cell| cell.text));
            }
        }
    }
}

/// Splits the lines that start with `#` off the start of a text. Returns the rest and these lines.
fn after_comments(text: &[u8]) -> (&[u8], &[u8]) {
    let mut rest = text;
    while rest.first() == Some(&b'#')
        && let Some(end) = memchr::memchr(b'\n', rest)
    {
        rest = rest.get(end.saturating_add(1)..).unwrap_or_default();
    }
    let length = text.len().saturating_sub(rest.len());
    (rest, text.get(..length).unwrap_or_default())
}

/// The number of bytes of the lines that are comments, of all lines at the start that begin with `#`.
/// `is_row` states whether a line has as many values as the rows of the table. The last line may name
/// the columns, as in `#CHROM` of VCF files. Several such lines are rows, as in lists of colours.
fn comment_bytes(lines: &[u8], is_row: impl Fn(&[u8]) -> bool) -> usize {
    let mut starts = Vec::new();
    let mut at = 0usize;
    let mut last = 0usize;
    for line in lines.split_inclusive(|byte| *byte == b'\n') {
        if is_row(line) {
            starts.push(at);
        }
        last = at;
        at = at.saturating_add(line.len());
    }
    match starts.as_slice() {
        [first, _, ..] => *first,
        [only] if *only == last => *only,
        _ => lines.len(),
    }
}

/// The first line of a text that is not empty, with its line ending.
fn first_line(text: &[u8]) -> &[u8] {
    let empty = text.iter().take_while(|byte| matches!(byte, b'\n' | b'\r'));
    let text = text.get(empty.count()..).unwrap_or_default();
    let end = memchr::memchr(b'\n', text).map_or(text.len(), |end| end.saturating_add(1));
    text.get(..end).unwrap_or(text)
}

impl Rows for SeparatedRows<'_, '_> {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn types(&self) -> &[ColumnType] {
        &self.types
    }

    fn next(&mut self) -> Option<Row> {
        let number = self.number.saturating_add(1);
        let cells = self.records.next(number)?;
        self.number = number;
        match cells.len() {
            width if width > self.columns.len() => self.long.add(number),
            width if width < self.columns.len() => self.short.add(number),
            _ => {}
        }
        Some(Row { number, cells })
    }

    fn skip(&mut self, count: u64) -> u64 {
        let mut skipped = 0u64;
        while skipped < count && self.records.skip(self.number.saturating_add(1)) {
            self.number = self.number.saturating_add(1);
            skipped = skipped.saturating_add(1);
        }
        skipped
    }

    fn skip_to(&mut self, number: u64) {
        self.skip(number.saturating_sub(self.number.saturating_add(1)));
    }

    fn restart(&mut self) -> Result<(), FileError> {
        self.records.restart()?;
        self.number = 0;
        (self.long, self.short) = (Ragged::default(), Ragged::default());
        self.skip_header();
        Ok(())
    }

    fn position(&self) -> u64 {
        self.records.position()
    }

    fn describe(&self) -> String {
        let format = match self.delimiter {
            b'\t' => "TSV".to_owned(),
            b',' => "CSV".to_owned(),
            other => format!("CSV with `{}`", char::from(other)),
        };
        let count = self.columns.len();
        if count == 0 {
            return format!("{format}: no records");
        }
        let columns = if count == 1 { "column" } else { "columns" };
        let names = if self.has_header {
            "named by the first record"
        } else {
            "named by letters, because no record names them"
        };
        let types = types::describe(&self.columns, &self.types);
        format!("{format}: {count} {columns}, {names}{types}")
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = self.preamble.clone();
        if self.has_plain_quotes {
            notes.push("quotes are characters of the values: they do not enclose them".to_owned());
        }
        notes.extend(self.records.notes());
        notes.extend(self.short.note("fewer values than columns"));
        notes.extend(self.long.note("more values than columns"));
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_a_hash_are_comments_unless_they_are_rows() {
        for (lines, comments) in [
            ("", 0),
            ("# made today\n", 13),
            ("# made today\n#id,name\n", 13),
            ("#id,name\n", 0),
            ("#id,name\n# made today\n", 22),
            ("#name,hex\n#red,ff0000\n#green,00ff00\n", 0),
            ("# made today\n#red,ff0000\n#green,00ff00\n", 13),
        ] {
            let is_row = |line: &[u8]| line.contains(&b',');
            assert_eq!(comment_bytes(lines.as_bytes(), is_row), comments, "{lines}");
        }
    }
}
