//! Detection of records before the one that names the columns: a title, the date of an export.

use super::header;
use super::style::common_width;
use crate::tables::SqlValue;

/// The number of records before the first one of the table. The table starts at the first record of
/// the width that most records have, if the records before it are not rows or names of its columns:
///
/// * they have one value, or
/// * they have another width, and the first record of the table has only texts, with numbers below
///   one of them, or
/// * they have one value and empty ones, and the first record of the table has only texts.
pub fn length(records: &[Vec<String>]) -> usize {
    let widths: Vec<usize> = records.iter().map(Vec::len).collect();
    let (common, share) = common_width(&widths);
    if common < 2 || share < 2 {
        return 0;
    }
    let first = widths.iter().position(|width| *width == common);
    let first = first.unwrap_or(0);
    let before = records.get(..first).unwrap_or_default();
    let table = records.get(first..).unwrap_or_default();
    // Most of the following records are rows of the table.
    let is_table = share.saturating_mul(2) > table.len();
    let is_title = before.iter().all(|record| filled(record) < 2);
    let first = match first {
        0 => 0,
        first if is_table && (is_title || is_named(table)) => first,
        _ => return 0,
    };
    // Some programs write a delimiter for each column into every line.
    let padded = table.iter().take_while(|record| filled(record) < 2).count();
    let named = table.get(padded..).unwrap_or_default();
    let has_names = named.first().is_some_and(|names| are_names(names));
    let is_padded = padded > 0 && common > 2 && named.len() > 1 && has_names;
    if is_padded {
        first.saturating_add(padded)
    } else {
        first
    }
}

/// The number of values that are not empty.
fn filled(record: &[String]) -> usize {
    let values = record.iter().filter(|value| !value.trim().is_empty());
    values.count()
}

/// Whether all values are texts.
fn are_names(record: &[String]) -> bool {
    let mut values = record.iter();
    values.all(|value| !value.trim().is_empty() && SqlValue::of(value) == SqlValue::Text)
}

/// Whether the first record has texts, with numbers below one of them.
fn is_named(table: &[Vec<String>]) -> bool {
    table.first().is_some_and(|names| are_names(names)) && header::has_numbers_below(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_before_the_names_are_not_rows() {
        let of = |text: &str| {
            let records = text.split('/');
            let records = records.map(|line| line.split(',').map(str::to_owned).collect());
            length(&records.collect::<Vec<_>>())
        };
        for (text, expected) in [
            ("Stock/name,qty/lamp,1/bulb,2", 1),
            ("Stock/made by x/name,qty/lamp,1", 2),
            ("Stock,,/,,/name,qty,place/lamp,1,a/bulb,2,b", 2),
            ("Stock,May/name,qty,place/lamp,1,a/bulb,2,b", 1),
            ("name,qty/lamp,1/bulb,2", 0),
            // The names of a table whose rows have more values.
            ("name,qty/lamp,1,a/bulb,2,b/cord,3,c", 0),
            ("name,qty,place/lamp,1/bulb,2", 0),
            // Names of one column, with a value that has a delimiter.
            ("name/Ann/Ben/Rome, Italy", 0),
            ("name,/ann,rome/ben,oslo", 0),
            ("Stock", 0),
            ("Stock/a,b", 0),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }
}
