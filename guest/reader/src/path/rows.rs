//! Requests to a table of rows, parsed from the text after its name.
//!
//! ```text
//! data.csv:                    the first rows
//! data.csv:table               the same
//! data.csv::301                rows from row 301
//! data.csv:table:10-20         rows 10 to 20
//! data.csv:?where=price>10     rows that meet a condition; with limit, offset and order
//! data.csv::10-20?where=…      such rows among rows 10 to 20
//! data.csv:full                rows with whole values; also full:10-20 and full?where=…
//! data.csv:?q=SELECT …         the result of a statement
//! ```
//!
//! `data.csv:10-20` selects lines of the text, as it does in every text file.

use super::query::{self, DatabaseRequest, Parameters, TableRequest};
use super::selector::{Part, Selector};
use super::{Lines, Range, Suffix};
use crate::failure::Failure;

/// A request to a table of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowsRequest {
    /// Rows of the table.
    Rows(Selection),
    /// The result of this SQL statement.
    Statement(String),
}

/// The rows that a path selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The rows, by their numbers.
    pub lines: Lines,
    /// Whether the values are shown whole.
    pub full: bool,
    /// The parameters after the question mark.
    pub parameters: Parameters,
    /// Further parameters, which only sheets of a workbook have, as they are written: `range=A1:B9`.
    pub of_sheet: Vec<String>,
}

impl Default for Selection {
    fn default() -> Self {
        Self {
            lines: Lines::All,
            full: false,
            parameters: Parameters::default(),
            of_sheet: Vec::new(),
        }
    }
}

/// The word for the only table of a file.
const TABLE: &str = "table";

/// The word that requests whole values.
pub const FULL: &str = "full";

/// Parses the suffix of a file that is a table itself, such as a CSV file. Returns `Ok(None)` if it
/// does not request the table, but lines of the text or something else.
///
/// # Errors
/// Returns [`Reason::InvalidSelector`](crate::failure::Reason::InvalidSelector) if the row numbers
/// or the parameters are invalid.
pub fn of_file(rest: &Suffix) -> Result<Option<RowsRequest>, Failure> {
    let text = rest.as_str();
    if text.starts_with('?') || is_word(text, FULL) {
        return parse(text);
    }
    if let Some(after) = text.strip_prefix(':') {
        return match after {
            "" => Ok(None),
            after => parse(after),
        };
    }
    if is_word(text, TABLE) {
        let after = text.get(TABLE.len()..).unwrap_or_default();
        return parse(after.strip_prefix(':').unwrap_or(after));
    }
    match text {
        "" => parse(text),
        _ => Ok(None),
    }
}

/// Parses the text after the name of a table and its colon, or from its question mark on. Returns
/// `Ok(None)` if it is not a request to a table.
///
/// # Errors
/// As [`of_file`].
pub fn parse(text: &str) -> Result<Option<RowsRequest>, Failure> {
    let (selector, query) = match text.find('?') {
        Some(at) => text.split_at_checked(at).unwrap_or((text, "")),
        None => (text, ""),
    };
    let mut selection = Selection::default();
    let mut rows = selector;
    if is_word(selector, FULL) {
        selection.full = true;
        let after = selector.get(FULL.len()..).unwrap_or_default();
        rows = after.strip_prefix(':').unwrap_or(after);
    }
    if !rows.is_empty() {
        match Selector::parse(rows)? {
            Some(Selector {
                part: Part::Whole,
                lines,
                raw,
            }) => {
                selection.full |= raw;
                selection.lines = lines;
            }
            _ => return Ok(None),
        }
    }
    if query.starts_with("?q=") && selector.is_empty() {
        let request = query::of_database(Some(&Suffix::new(query, false)))?;
        return Ok(request.and_then(|request| match request {
            DatabaseRequest::Raw(statement) => Some(RowsRequest::Statement(statement)),
            DatabaseRequest::Tables => None,
        }));
    }
    if !query.is_empty()
        && let TableRequest::Rows(parameters) =
            query::of_table(TABLE, Some(&Suffix::new(query, false)))?
    {
        selection.parameters = parameters;
    }
    Ok(Some(RowsRequest::Rows(selection)))
}

/// Whether a text is a word in any case, or starts with it and a colon or question mark.
fn is_word(text: &str, word: &str) -> bool {
    let start = text.get(..word.len());
    let after = text
        .get(word.len()..)
        .and_then(|after| after.chars().next());
    start.is_some_and(|start| start.eq_ignore_ascii_case(word))
        && matches!(after, None | Some(':' | '?'))
}

/// The text that requests these rows: `full:10-20?limit=5`. [`parse`] returns the selection again.
pub fn format(ranges: &[(u64, Option<u64>)], selection: &Selection) -> String {
    let mut text = String::new();
    let all = matches!(ranges, [] | [(0..=1, None)]);
    if selection.full {
        text.push_str(FULL);
        if !all {
            text.push(':');
        }
    }
    if !all {
        let many = ranges.len() > 1;
        let ranges = ranges.iter().map(|(first, last)| match last {
            Some(last) => format!("{first}-{last}"),
            None if many => format!("{first}-"),
            None => first.to_string(),
        });
        text.push_str(&ranges.collect::<Vec<_>>().join(","));
    }
    let Parameters {
        limit,
        asked: _,
        offset,
        order,
        filter,
        at,
    } = &selection.parameters;
    let mut parameters = selection.of_sheet.clone();
    parameters.extend(at.map(|at| format!("at={at}")));
    parameters.extend(limit.map(|limit| format!("limit={limit}")));
    parameters.extend(
        Some(*offset)
            .filter(|offset| *offset > 0)
            .map(|offset| format!("offset={offset}")),
    );
    let order = order.as_ref();
    parameters.extend(order.map(|order| format!("order={}", query::encoded(order))));
    let filter = filter.as_ref();
    parameters.extend(filter.map(|filter| format!("where={}", query::encoded(filter))));
    if !parameters.is_empty() {
        text.push('?');
        text.push_str(&parameters.join("&"));
    }
    text
}

impl Selection {
    /// The selected ranges of row numbers, in ascending order and without overlap. `None` if the
    /// last rows of the table are selected.
    pub fn ranges(&self) -> Option<Vec<(u64, Option<u64>)>> {
        let of = |range: &Range| {
            let last = match (range.by_column, range.end) {
                (true, None) => Some(range.start.line),
                (_, end) => end,
            };
            (range.start.line, last)
        };
        match &self.lines {
            Lines::All => Some(vec![(0, None)]),
            Lines::One(range) => Some(vec![of(range)]),
            Lines::List(ranges) => Some(ranges.iter().map(of).collect()),
            Lines::Tail { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<RowsRequest> {
        of_file(&Suffix::of(text)).unwrap()
    }

    fn rows(text: &str) -> Selection {
        match of(text) {
            Some(RowsRequest::Rows(selection)) => selection,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn suffix_of_a_table_selects_rows() {
        for (text, ranges, full) in [
            ("", vec![(0, None)], false),
            ("table", vec![(0, None)], false),
            ("TABLE:", vec![(0, None)], false),
            (":301", vec![(301, None)], false),
            ("table:10-20", vec![(10, Some(20))], false),
            (":3,5-6", vec![(3, Some(3)), (5, Some(6))], false),
            ("full", vec![(0, None)], true),
            ("full:7+2", vec![(7, Some(8))], true),
            (":full:7", vec![(7, None)], true),
            (":7:raw", vec![(7, None)], true),
            (":10-20?limit=5", vec![(10, Some(20))], false),
            ("full?limit=5", vec![(0, None)], true),
            ("table?limit=5", vec![(0, None)], false),
        ] {
            let selection = rows(text);
            assert_eq!(
                (selection.ranges(), selection.full),
                (Some(ranges), full),
                "{text}"
            );
        }
        assert_eq!(rows(":-20").ranges(), None);
        assert_eq!(
            of("?q=select 1"),
            Some(RowsRequest::Statement("select 1".to_owned()))
        );
    }

    #[test]
    fn selector_of_the_text_does_not_select_rows() {
        for text in [
            "10-20", "raw", "5", "-20", ":", "tables", "name", "cell:1", ":x",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn formatted_selection_parses_to_itself() {
        for text in [
            ":5-9",
            ":full:5-9?where=a=1&b=2",
            ":5-9,20-",
            ":7?limit=5&offset=3&order=a:desc&where=x > 'a&b=3'",
            "?limit=5",
            ":5?at=7",
            "?at=7.1201&order=a&where=b=1",
        ] {
            let selection = rows(text);
            let ranges = selection.ranges().unwrap();
            let again = format(&ranges, &selection);
            let again = parse(&again).unwrap();
            let Some(RowsRequest::Rows(again)) = again else {
                panic!("{text}");
            };
            assert_eq!(again.ranges().unwrap(), ranges, "{text}");
            assert_eq!(again.parameters, selection.parameters, "{text}");
        }
    }

    #[test]
    fn invalid_request_fails() {
        for text in [
            ":0",
            ":9-3",
            "?limit=0",
            "?colour=red",
            ":5?q=select 1",
            "?at=0",
            "?at=1.0",
            "?at=x",
        ] {
            assert!(of_file(&Suffix::of(text)).is_err(), "{text}");
        }
    }
}
