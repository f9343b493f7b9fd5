//! What precedes a table in its file: a title, the date of an export, comments.

use super::header;
use crate::units::thousands;

/// The maximum number of lines before a table.
const LINES: usize = 20;

/// The maximum number of these lines that the notes contain.
const SHOWN_LINES: usize = 8;

/// The maximum number of characters of a line in the notes.
const LINE_CHARS: usize = 200;

/// The number of records at the start of a sample that precede its table: they have fewer values than
/// most records. The first record that has as many is the first of the table.
///
/// Some programs leave out the name of the first column, which holds the names of the rows. Such a
/// header has only one value less than the rows.
pub fn records(sample: &[(usize, Vec<String>)]) -> usize {
    let widths: Vec<usize> = sample.iter().map(|(_, record)| record.len()).collect();
    let common = most_frequent(&widths);
    let Some(first) = widths.iter().position(|width| *width == common) else {
        return 0;
    };
    let before = widths.get(..first).unwrap_or_default();
    if common < 2 || first > LINES || before.iter().any(|width| width.saturating_mul(2) > common) {
        return 0;
    }
    let table: Vec<Vec<String>> = sample
        .iter()
        .skip(first)
        .map(|(_, record)| record.clone())
        .collect();
    // Without a header, the lines before may be one.
    if header::has_header(&table) { first } else { 0 }
}

/// The most frequent number, the largest of several.
fn most_frequent(widths: &[usize]) -> usize {
    let mut sorted = widths.to_vec();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|a, b| a == b);
    let most = runs.max_by_key(|run| run.len());
    most.and_then(|run| run.first().copied()).unwrap_or(0)
}

/// The notes on the text before a table.
pub fn notes(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.collect();
    let mut notes = Vec::new();
    for line in lines.iter().take(SHOWN_LINES) {
        let end = line.char_indices().nth(LINE_CHARS).map(|(end, _)| end);
        let (shown, mark) = match end {
            Some(end) => (line.get(..end).unwrap_or(line), "…"),
            None => (*line, ""),
        };
        notes.push(format!("before the table: {shown}{mark}"));
    }
    if let Some(more @ 1..) = lines.len().checked_sub(SHOWN_LINES) {
        let s = if more == 1 { "" } else { "s" };
        let more = thousands(more as u64);
        notes.push(format!("before the table: {more} more line{s}"));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> usize {
        let record = |line: &str| (0, line.split(',').map(str::to_owned).collect());
        let sample: Vec<(usize, Vec<String>)> = text.split('|').map(record).collect();
        records(&sample)
    }

    #[test]
    fn narrow_records_before_the_table_are_not_its_header() {
        assert_eq!(of("Report of sales|name,qty|lamp,1|bulb,2"), 1);
        assert_eq!(of("Acme|made,today|a,b,c,d|1,2,3,4|5,6,7,8"), 2);
        assert_eq!(of("name,qty|lamp,1"), 0);
        assert_eq!(of("a|1|2"), 0);
        // The header of R, and rows without one.
        assert_eq!(of("x,y|r1,1,2|r2,3,4"), 0);
        assert_eq!(of("x|1,5|2,6"), 0);
    }

    #[test]
    fn lines_are_shown_and_counted() {
        assert_eq!(
            notes(b"# a\n\nb\n"),
            ["before the table: # a", "before the table: b"]
        );
        let notes = notes("x\n".repeat(10).as_bytes());
        assert_eq!(notes.len(), 9);
        assert_eq!(notes.last().unwrap(), "before the table: 2 more lines");
    }
}
