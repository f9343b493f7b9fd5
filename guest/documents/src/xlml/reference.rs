//! References by row and column, such as `R[-1]C` and `R1C2`, in the form of other workbooks.

use crate::workbook::{LAST_COLUMN, LAST_ROW, column_name};

/// The formula of a cell with references such as `B3` and `$B$1`. A formula with references to whole rows
/// or columns is returned unchanged.
pub fn excel(formula: &str, row: u32, column: u32) -> String {
    converted(formula, row, column).unwrap_or_else(|| formula.to_owned())
}

fn converted(formula: &str, row: u32, column: u32) -> Option<String> {
    let mut out = String::with_capacity(formula.len());
    let mut rest = formula;
    let mut quote = None;
    let mut in_word = false;
    while let Some(char) = rest.chars().next() {
        let after = rest.get(char.len_utf8()..).unwrap_or_default();
        if quote.is_some() {
            quote = quote.filter(|quote| *quote != char);
        } else if matches!(char, '"' | '\'') {
            quote = Some(char);
        } else if !in_word && matches!(char, 'R' | 'C') {
            if let Some((reference, left)) = cell(rest, row, column) {
                out.push_str(&reference);
                rest = left;
                in_word = true;
                continue;
            }
            if is_line(after) {
                return None;
            }
        }
        in_word = char.is_alphanumeric() || matches!(char, '_' | '.');
        out.push(char);
        rest = after;
    }
    Some(out)
}

/// Whether the text after `R` or `C` is that of a whole row or column.
fn is_line(after: &str) -> bool {
    let rest = position(after, 1, 1).map_or(after, |(_, rest)| rest);
    !rest.starts_with(|char: char| char.is_alphanumeric() || matches!(char, '_' | '.' | '('))
}

/// The reference to a cell at the start of a text, and the rest of the text.
fn cell(text: &str, row: u32, column: u32) -> Option<(String, &str)> {
    let (row, rest) = position(text.strip_prefix('R')?, row, LAST_ROW)?;
    let (column, rest) = position(rest.strip_prefix('C')?, column, LAST_COLUMN)?;
    if rest.starts_with(|char: char| char.is_alphanumeric() || matches!(char, '_' | '.')) {
        return None;
    }
    let (Some((row, fixed_row)), Some((column, fixed_column))) = (row, column) else {
        return Some(("#REF!".to_owned(), rest));
    };
    let dollar = |fixed: bool| if fixed { "$" } else { "" };
    let column = format!("{}{}", dollar(fixed_column), column_name(column));
    Some((format!("{column}{}{row}", dollar(fixed_row)), rest))
}

/// The row or column at the start of a text, and the rest of the text: `5`, `[-1]`, or nothing for that of
/// the cell itself, which is `own`. The number is `None` if it is outside of the sheet; it is fixed without
/// brackets.
fn position(text: &str, own: u32, last: u32) -> Option<(Option<(u32, bool)>, &str)> {
    let inside = |number: u32| (1..=last).contains(&number);
    if let Some(relative) = text.strip_prefix('[') {
        let (offset, rest) = relative.split_once(']')?;
        let number = own.checked_add_signed(offset.trim().parse().ok()?);
        return Some((number.filter(|it| inside(*it)).map(|it| (it, false)), rest));
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(digits)?;
    if number.is_empty() {
        return Some((Some((own, false)), rest));
    }
    let number = number.parse().ok().filter(|it| inside(*it));
    Some((number.map(|it| (it, true)), rest))
}

#[cfg(test)]
mod tests {
    use super::excel;

    #[test]
    fn references_have_letters() {
        for (formula, expected) in [
            ("RC[-1]*2", "B5*2"),
            ("SUM(R[-3]C:R[-1]C)", "SUM(C2:C4)"),
            ("R1C1+R2C[1]", "$A$1+D$2"),
            ("RC", "C5"),
            ("ROUND(RC[-2],2)&\"R1C1\"", "ROUND(A5,2)&\"R1C1\""),
            ("'R1C1 x'!R1C1", "'R1C1 x'!$A$1"),
            ("Rate*Count_R1C1", "Rate*Count_R1C1"),
            ("R[-9]C", "#REF!"),
            ("SUM(C[-1])", "SUM(C[-1])"),
            ("SUM(R1:R3)", "SUM(R1:R3)"),
            ("R99999999C1", "#REF!"),
            ("", ""),
        ] {
            assert_eq!(excel(formula, 5, 3), expected, "{formula}");
        }
    }
}
