//! The text of references to cells and sheets.

/// Adds the letters of a column, which is from 0.
pub fn column(out: &mut String, column: u32) {
    let mut letters = Vec::new();
    let mut rest = column.saturating_add(1);
    while rest > 0 {
        let last = rest.saturating_sub(1);
        letters.push(char::from_digit((last % 26).saturating_add(10), 36));
        rest = last / 26;
    }
    out.extend(letters.into_iter().rev().flatten().map(upper));
}

fn upper(letter: char) -> char {
    letter.to_ascii_uppercase()
}

/// A corner of a reference, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corner {
    /// The row.
    pub row: u32,
    /// The column.
    pub column: u32,
    /// Whether the row is without `$`.
    pub relative_row: bool,
    /// Whether the column is without `$`.
    pub relative_column: bool,
}

impl Corner {
    fn write_row(&self, out: &mut String) {
        if !self.relative_row {
            out.push('$');
        }
        out.push_str(&self.row.saturating_add(1).to_string());
    }

    fn write_column(&self, out: &mut String) {
        if !self.relative_column {
            out.push('$');
        }
        column(out, self.column);
    }

    /// Adds the reference, such as `$A1`.
    pub fn write(&self, out: &mut String) {
        self.write_column(out);
        self.write_row(out);
    }
}

/// Adds a reference to a range. `last_row` and `last_column` are the last ones of a sheet.
pub fn area(out: &mut String, from: &Corner, to: &Corner, last_row: u32, last_column: u32) {
    if from.row == 0 && to.row == last_row {
        from.write_column(out);
        out.push(':');
        to.write_column(out);
    } else if from.column == 0 && to.column == last_column {
        from.write_row(out);
        out.push(':');
        to.write_row(out);
    } else {
        from.write(out);
        out.push(':');
        to.write(out);
    }
}

/// Returns what is before `!`: the name of a file and one or two sheets, with quotes if a formula
/// needs them.
pub fn prefix(file: &str, sheet: &str, last: Option<&str>) -> String {
    let mut name = String::new();
    if !file.is_empty() {
        name.push('[');
        name.push_str(file);
        name.push(']');
    }
    name.push_str(sheet);
    if let Some(last) = last {
        name.push(':');
        name.push_str(last);
    }
    if file.is_empty() && is_plain(sheet) && last.is_none_or(is_plain) {
        return name;
    }
    format!("'{}'", name.replace('\'', "''"))
}

/// Returns whether a name of a sheet needs no quotes.
fn is_plain(name: &str) -> bool {
    let plain = |char: char| char.is_alphanumeric() || char == '_' || char == '.';
    name.chars().all(plain)
        && name.chars().next().is_some_and(|first| !first.is_numeric())
        && !is_address(name)
}

/// Returns whether a name could be a reference, such as `A1`, `R1C1` or `C`.
fn is_address(name: &str) -> bool {
    let letters = name.chars().take_while(char::is_ascii_alphabetic).count();
    let rest = name.get(letters..).unwrap_or_default();
    let digits = |text: &str| text.chars().all(|char| char.is_ascii_digit());
    if (1..=3).contains(&letters) && !rest.is_empty() && digits(rest) {
        return true;
    }
    let upper = name.to_ascii_uppercase();
    let rest = upper.strip_prefix('R').unwrap_or(&upper);
    let rest = rest.trim_start_matches(|char: char| char.is_ascii_digit());
    let rest = rest.strip_prefix('C').unwrap_or(rest);
    digits(rest) && !upper.is_empty() && (upper.starts_with('R') || upper.starts_with('C'))
}

/// Returns the name of a file of an encoded path, such as `\x01\x04Budget.xls`
/// ([MS-XLS] 2.5.277).
pub fn file_name(path: &str) -> &str {
    let separator = |char: char| char < ' ' || matches!(char, '\\' | '/' | '|');
    path.rsplit(separator).next().unwrap_or_default()
}
