//! Ranges of cells, such as `$'My sheet'.$A$1:.$B$2` ([ODF 1.3] part 3, 9.2).

use crate::workbook::{LAST_COLUMN, LAST_ROW, Range};

/// Reads a range. Returns the name of its sheet and its cells.
pub fn range(text: &str) -> Option<(String, Range)> {
    let (sheet, rest) = sheet(text.trim())?;
    let (first, rest) = cell(rest)?;
    let last = match rest.strip_prefix(':') {
        None => first,
        Some(rest) => {
            let rest = sheet_end(rest).map_or(rest, |end| rest.get(end..).unwrap_or_default());
            cell(rest)?.0
        }
    };
    let range = Range {
        first_row: first.1.min(last.1),
        first_column: first.0.min(last.0),
        last_row: first.1.max(last.1),
        last_column: first.0.max(last.0),
    };
    Some((sheet, range))
}

/// Splits the name of a sheet and the `.` after it from an address.
fn sheet(text: &str) -> Option<(String, &str)> {
    let end = sheet_end(text)?;
    let name = text.get(..end)?.strip_suffix('.')?;
    let name = name.strip_prefix('$').unwrap_or(name);
    let quoted = name.strip_prefix('\'').and_then(|it| it.strip_suffix('\''));
    let name = quoted.map_or_else(|| name.to_owned(), |name| name.replace("''", "'"));
    Some((name, text.get(end..)?))
}

/// Returns the position after the `.` that ends the name of a sheet.
pub fn sheet_end(text: &str) -> Option<usize> {
    let mut quoted = false;
    for (at, char) in text.char_indices() {
        match char {
            '\'' => quoted = !quoted,
            '.' if !quoted => return at.checked_add(1),
            ':' | ' ' if !quoted => return None,
            _ => {}
        }
    }
    None
}

/// Reads an address such as `$A$1`: the column and the row, from 1, and the rest of the text.
fn cell(text: &str) -> Option<((u32, u32), &str)> {
    let text = text.strip_prefix('$').unwrap_or(text);
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let mut column = 0_u32;
    for letter in text.get(..letters)?.bytes() {
        let digit = u32::from(letter.to_ascii_uppercase().wrapping_sub(b'A'));
        column = column.checked_mul(26)?.checked_add(digit)?.checked_add(1)?;
    }
    let rest = text.get(letters..)?;
    let rest = rest.strip_prefix('$').unwrap_or(rest);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let row = rest.get(..digits)?.parse::<u32>().ok()?;
    let valid = (1..=LAST_COLUMN).contains(&column) && (1..=LAST_ROW).contains(&row);
    valid.then_some(((column, row), rest.get(digits..)?))
}
