//! CSV and TSV as rows (RFC 4180, with what programs write in practice).
//!
//! ```text
//! mod        SeparatedRows
//! cells      the values of a record as cells
//! sample     the first records of a text
//! repair     records with quotes that are not closed
//! record     records, one after the other
//! marks      the places at which records are divided
//! blocks     the delimiters, line ends and quotes of a block of text
//! scan       the ends of records and values, for one meaning of quotes
//! style      detection of the meaning of quotes
//! delimiter  detection of the delimiter
//! preamble   detection of records before the table
//! header     detection of a record with the names of the columns
//! ragged     rows that a note names
//! ```

mod blocks;
mod cells;
mod delimiter;
mod header;
mod marks;
mod preamble;
mod ragged;
mod record;
mod repair;
mod sample;
mod scan;
mod style;

use super::feed::Feed;
use super::names::unique;
use super::types::{self, ColumnType};
use super::{Advanced, Row, Rows};
use crate::encoding::Encoding;
use crate::escapes::escape_invisible;
use crate::limits;
use crate::pages::Input;
use crate::path::cells::letters;
use crate::world::FileError;
use ragged::Ragged;
use record::Records;
use sample::{sample_records, sample_widths};
use scan::Style;
use std::borrow::Cow;

/// The records of a CSV or TSV file as rows. They are numbered from 1, without the record that names
/// the columns.
pub struct SeparatedRows<'i, 'a> {
    records: Records<'i, 'a>,
    style: Style,
    columns: Vec<String>,
    types: Vec<ColumnType>,
    /// Whether the first record names the columns.
    has_header: bool,
    /// The number of lines before the first record, which start with `#`.
    comments: usize,
    /// The lines before the table that are not comments, each without its line ending. Long ones
    /// are cut.
    preamble: Vec<String>,
    /// The number of all lines before the table.
    lines_before: usize,
    /// The number of the last row that was read.
    number: u64,
    /// The rows with more values than columns, and those with fewer.
    long: Ragged,
    short: Ragged,
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
        let style = style::detect(body, delimiter, whole);
        let width = |text: &[u8]| sample_widths(text, style, true).into_iter().next();
        let comments = match width(first_line(body)).filter(|width| *width > 1) {
            None => 0,
            Some(body) => comment_bytes(comments, |line| width(line) == Some(body)),
        };
        let lines = count_lines(sample.get(..comments).unwrap_or_default());
        let sample = sample.get(comments..).unwrap_or_default();
        let skipped = skipped.saturating_add(comments);
        let records = sample_records(sample, style, whole);
        let (starts, mut first): (Vec<usize>, Vec<Vec<String>>) = records.into_iter().unzip();
        let preamble = preamble::length(&first);
        first.drain(..preamble);
        let start = starts.get(preamble).copied().filter(|_| preamble > 0);
        let before = sample.get(..start.unwrap_or(0)).unwrap_or_default();
        let skipped = skipped.saturating_add(before.len());
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
            records: Records::new(feed, style, skipped, columns.len()),
            style,
            columns,
            types,
            has_header,
            comments: lines,
            preamble: preamble_lines(before),
            lines_before: lines.saturating_add(count_lines(before)),
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
                self.records.set_width(self.columns.len());
            }
        }
    }
}

/// Whether a text consists of records of the same width, of more than one value. `whole` states whether
/// it is the whole text.
pub fn is_separated(text: &[u8], whole: bool) -> bool {
    let declared = delimiter::declared(text);
    let skipped = declared.map_or(0, |(_, length)| length);
    let (body, _) = after_comments(text.get(skipped..).unwrap_or_default());
    let delimiter = declared.map(|(delimiter, _)| delimiter);
    let delimiter = delimiter.unwrap_or_else(|| delimiter::detect(body, whole, false));
    let widths = sample_widths(body, style::detect(body, delimiter, whole), whole);
    let (common, share) = style::common_width(&widths);
    common > 1 && share > 1 && share == widths.len()
}

fn count_lines(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}

/// The lines of a text that are not empty, as a note shows them.
fn preamble_lines(text: &[u8]) -> Vec<String> {
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let lines = lines.filter(|line| !line.is_empty());
    let shown = lines.take(limits::PREAMBLE_LINES.saturating_add(1));
    let shown = shown.map(|line| {
        let text = String::from_utf8_lossy(line);
        match text.char_indices().nth(limits::CELL_CHARS) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
            None => text.into_owned(),
        }
    });
    shown.collect()
}

/// The note on the `count` lines before the table.
fn preamble_note(lines: &[String], count: usize) -> Option<String> {
    let shown = lines.iter().take(limits::PREAMBLE_LINES);
    let shown: Vec<String> = shown
        .map(|line| format!("`{}`", escape_invisible(line)))
        .collect();
    let is_whole = shown.len() == lines.len() && !lines.iter().any(|line| line.ends_with('…'));
    let which = match shown.len() {
        0 => return None,
        _ if !is_whole => format!("the lines before the table start with {}", shown.join(", ")),
        1 => format!("the line before the table is {}", shown.join(", ")),
        _ => format!("the lines before the table are {}", shown.join(", ")),
    };
    Some(if is_whole {
        which
    } else {
        format!("{which}; they are the lines 1-{count} of the text")
    })
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

/// The first line of a text, with its line ending.
fn first_line(text: &[u8]) -> &[u8] {
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

    fn advance(&mut self) -> Advanced {
        let number = self.number.saturating_add(1);
        let Some(width) = self.records.advance(number) else {
            return Advanced::End;
        };
        self.number = number;
        match width {
            width if width > self.columns.len() => self.long.add(number),
            width if width < self.columns.len() => self.short.add(number),
            _ => {}
        }
        match self.records.large() {
            Some(cells) => Advanced::Row(Row {
                number,
                cells: cells.to_vec(),
            }),
            None => Advanced::Lazy { number, width },
        }
    }

    fn value(&self, index: usize) -> Option<Cow<'_, [u8]>> {
        self.records.value(index)
    }

    fn bytes(&self) -> usize {
        self.records.bytes()
    }

    fn current(&mut self) -> Row {
        Row {
            number: self.number,
            cells: self.records.cells(),
        }
    }

    fn can_restart(&self) -> bool {
        self.records.can_restart()
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
        let format = match self.style.delimiter {
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
        let mut notes = Vec::new();
        match self.comments {
            0 => {}
            1 => notes.push("the first line, which starts with `#`, is left out".to_owned()),
            lines => notes.push(format!(
                "the first {lines} lines, which start with `#`, are left out"
            )),
        }
        notes.extend(preamble_note(&self.preamble, self.lines_before));
        match self.style.quote {
            Some(b'"') => {}
            Some(_) => notes.push("its values are in single quotes".to_owned()),
            None => notes.push(
                "its quotes are characters: only then have all lines one value for each column"
                    .to_owned(),
            ),
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
