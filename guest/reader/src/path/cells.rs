//! Cells of a spreadsheet in paths and text: letters of columns, and ranges such as `B4:H24`.
use omniread_document::workbook;

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

/// The name of a sheet in a reference: in quotes if it has other characters than letters, digits and
/// underscores.
pub fn quoted_name(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if plain && !name.is_empty() {
        return name.to_owned();
    }
    format!("'{}'", name.replace('\'', "''"))
}

/// A range as in a formula: `B4:H24`, or `B4` for one cell.
pub fn format_range(range: workbook::Range) -> String {
    let cell = |row: u32, column: u32| format!("{}{row}", letters(index(column)));
    let first = cell(range.first_row, range.first_column);
    let last = cell(range.last_row, range.last_column);
    if first == last {
        return first;
    }
    format!("{first}:{last}")
}

/// Parses a range: `B4:F20`, `B4`, `B:F` or `4:20`, also with `$`. `None` if it is not one.
pub fn parse_range(text: &str) -> Option<workbook::Range> {
    let text = text.replace('$', "").to_ascii_uppercase();
    let (first, last) = text.split_once(':').unwrap_or((&text, &text));
    let corner = |text: &str| -> Option<(Option<u32>, Option<u32>)> {
        let digits = text
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(text.len());
        let (letters, digits) = text.split_at_checked(digits)?;
        let column = match letters {
            "" => None,
            letters => Some(column(letters)?),
        };
        let row = match digits {
            "" => None,
            digits => Some(digits.parse().ok().filter(|row| *row > 0)?),
        };
        (column.is_some() || row.is_some()).then_some((column, row))
    };
    let ((first_column, first_row), (last_column, last_row)) = (corner(first)?, corner(last)?);
    if first_column.is_some() != last_column.is_some() || first_row.is_some() != last_row.is_some()
    {
        return None;
    }
    let sorted = |first: Option<u32>, last: Option<u32>| match (first, last) {
        (Some(first), Some(last)) => (first.min(last), first.max(last)),
        _ => (1, u32::MAX),
    };
    let (first_row, last_row) = sorted(first_row, last_row);
    let (first_column, last_column) = sorted(first_column, last_column);
    Some(workbook::Range {
        first_row,
        first_column,
        last_row,
        last_column,
    })
}

/// The text of a range that follows the name of a sheet in a path, as [`parse_range`] takes it:
/// `B4:F20` for `$b$4:f20`, and also for `B4-F20` and `B4..F20`. `None` if it is not one. Letters
/// alone name no column here, because they may be a word.
pub fn reference(text: &str) -> Option<String> {
    let mut range = text.replace('$', "").to_ascii_uppercase();
    if range.starts_with(|c: char| c.is_ascii_uppercase()) {
        range = range.replace("..", ":").replace('-', ":");
    }
    let is_word = range.bytes().all(|b| b.is_ascii_uppercase());
    (!is_word && parse_range(&range).is_some()).then_some(range)
}

/// The number of a column, from 1. `None` if the letters name no column of a workbook.
fn column(letters: &str) -> Option<u32> {
    if letters.len() > 3 {
        return None;
    }
    letters.bytes().try_fold(0u32, |number, letter| {
        let digit = u32::from(letter.checked_sub(b'A').filter(|digit| *digit < 26)?);
        number.checked_mul(26)?.checked_add(digit)?.checked_add(1)
    })
}

/// The index from 0 of a column that is counted from 1.
pub fn index(column: u32) -> usize {
    usize::try_from(column.saturating_sub(1)).unwrap_or(usize::MAX)
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
    fn reference_after_a_sheet_is_a_range() {
        for (text, range) in [
            ("B4:F20", Some("B4:F20")),
            ("$b$4:f20", Some("B4:F20")),
            ("B4-F20", Some("B4:F20")),
            ("b4..f20", Some("B4:F20")),
            ("B4", Some("B4")),
            ("B:B", Some("B:B")),
            ("b:d", Some("B:D")),
            ("4:20", Some("4:20")),
            ("raw", None),
            ("B", None),
            ("img", None),
            ("B4:", None),
            ("Total", None),
            ("", None),
        ] {
            assert_eq!(reference(text).as_deref(), range, "{text}");
        }
    }

    #[test]
    fn range_is_parsed_and_formatted() {
        let range = parse_range("$b$4:F20").unwrap();
        assert_eq!(format_range(range), "B4:F20");
        assert_eq!(format_range(parse_range("F20:B4").unwrap()), "B4:F20");
        assert_eq!(format_range(parse_range("XFD1").unwrap()), "XFD1");
        let columns = parse_range("B:C").unwrap();
        assert_eq!((columns.first_column, columns.last_row), (2, u32::MAX));
        for text in ["", "4:B", "B4:", "ABCD1", "A0", "B4:C", "A1:B2:C3", "é1"] {
            assert_eq!(parse_range(text), None, "{text}");
        }
    }
}
