//! The types of columns of text: numbers, texts, or both.
//!
//! ```text
//! mod    the types of all columns, from the first records
//! local  numbers in local form: `1.234,56`, `$2.50`, `5 %`
//! loaded a column in the SQL engine, and the notes on its use
//! usage  columns that an SQL text compares or orders as numbers
//! ```
//!
//! The type of a column decides the values of its cells in SQL. It is detected by the first records,
//! so that a row has the same values on each page and in each statement.

pub mod loaded;
mod local;
pub mod usage;

use self::local::{Form, Forms};
use super::value::{Cell, SqlValue};
use std::fmt::Write as _;

/// The maximum number of columns that the description of the types names.
const NAMED_COLUMNS: usize = 20;

/// The type of the values of a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Kind {
    /// There are no values.
    #[default]
    Empty,
    /// Numbers as in JSON.
    Number,
    /// Numbers in a local form.
    Local(Form),
    /// Numbers as in JSON, and texts.
    Both,
    /// Texts, some of which may look like numbers.
    Text,
}

/// The type of a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnType {
    pub kind: Kind,
    /// Whether a text begins like a number, so that an order of the texts may be unexpected.
    pub has_digits: bool,
    /// A value whose mark may be a decimal mark or one of thousands, if all values are so.
    pub ambiguous: Option<String>,
}

impl ColumnType {
    /// The value of a cell of the column. Texts that are not in the form of the column stay texts.
    pub fn value(&self, cell: &Cell) -> SqlValue {
        let is_whole = cell.text.len() as u64 == cell.bytes;
        match &self.kind {
            Kind::Local(form) if is_whole && cell.value != SqlValue::Null => {
                form.value(&cell.text).unwrap_or(SqlValue::Text)
            }
            Kind::Text if cell.value.is_number() => SqlValue::Text,
            _ => cell.value.clone(),
        }
    }

    /// The value of the whole text of a cell of the column, which may not be valid UTF-8.
    pub fn value_of(&self, text: &[u8]) -> SqlValue {
        match &self.kind {
            _ if text.is_empty() => SqlValue::Null,
            Kind::Local(form) => {
                let value = form.value(&String::from_utf8_lossy(text));
                value.unwrap_or(SqlValue::Text)
            }
            Kind::Text => SqlValue::Text,
            Kind::Empty | Kind::Number | Kind::Both => SqlValue::of_bytes(text),
        }
    }

    /// Whether no value is a number.
    pub fn is_text(&self) -> bool {
        self.kind == Kind::Text
    }

    /// Whether all values were numbers.
    pub fn is_number(&self) -> bool {
        matches!(self.kind, Kind::Number | Kind::Local(_))
    }
}

/// A column while its values are examined.
#[derive(Default)]
struct Examined {
    numbers: usize,
    texts: usize,
    /// Whether a value has a plus sign or leading zeros, as in numbers of telephones and postal
    /// codes.
    is_code: bool,
    has_digits: bool,
    /// The forms that fit all values.
    forms: Forms,
}

impl Examined {
    fn add(&mut self, text: &str) {
        let text = text.trim_matches(' ');
        match SqlValue::of(text) {
            SqlValue::Null => return,
            SqlValue::Integer(_) | SqlValue::Real(_) => {
                self.numbers = self.numbers.saturating_add(1);
            }
            SqlValue::Text | SqlValue::Other(_) => {
                self.texts = self.texts.saturating_add(1);
                self.is_code |= is_code(text);
                self.has_digits |= has_digits(text);
            }
        }
        self.forms.add(text);
    }
}

/// The types of columns, from the first records. `delimiter` divides the values.
pub fn detect(records: &[Vec<String>], columns: usize, delimiter: u8) -> Vec<ColumnType> {
    let mut examined: Vec<Examined> = (0..columns).map(|_| Examined::default()).collect();
    for record in records {
        for (column, text) in examined.iter_mut().zip(record) {
            column.add(text);
        }
    }
    // In one file, numbers have one decimal mark.
    let local = |column: &&Examined| column.texts > 0 && !column.is_code;
    let mut known = examined.iter().filter(local);
    let known = known.find_map(|column| column.forms.decimal());
    let decimal = known.unwrap_or(if delimiter == b';' { ',' } else { '.' });
    examined
        .into_iter()
        .map(|column| {
            let ambiguous = column.forms.ambiguous();
            let form = column.forms.form(decimal);
            let (kind, ambiguous) = match (column.numbers, column.texts) {
                (0, 0) => (Kind::Empty, None),
                _ if column.is_code => (Kind::Text, None),
                // A point alone is a decimal mark.
                (_, 0) => (Kind::Number, ambiguous),
                (numbers, _) => match form {
                    Some(form) => (Kind::Local(form), ambiguous),
                    None if numbers > 0 => (Kind::Both, None),
                    None => (Kind::Text, None),
                },
            };
            ColumnType {
                kind,
                has_digits: column.has_digits,
                ambiguous,
            }
        })
        .collect()
}

/// Whether a text is digits after a plus sign or leading zeros.
fn is_code(text: &str) -> bool {
    let is_mark = |c: char| matches!(c, ' ' | '-' | '/' | '(' | ')' | '.' | ',');
    if let Some(rest) = text.strip_prefix('+') {
        return rest.starts_with(|c: char| c.is_ascii_digit() || c == '(')
            && rest.chars().all(|c| c.is_ascii_digit() || is_mark(c));
    }
    text.len() > 1 && text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text begins like a number, and is not a date that is ordered as a text.
fn has_digits(text: &str) -> bool {
    let start =
        text.trim_start_matches(|c: char| matches!(c, '-' | '+' | '(') || local::is_symbol(c));
    let is_digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let is_date = (0..4).all(is_digit) && matches!(text.as_bytes().get(4), Some(b'-' | b'/'));
    start.starts_with(|c: char| c.is_ascii_digit()) && !is_date
}

/// The types of columns as a part of the description of a table.
pub fn describe(names: &[String], types: &[ColumnType]) -> String {
    let is_text = |found: &ColumnType| matches!(found.kind, Kind::Text | Kind::Empty);
    if types.is_empty() || types.iter().all(|found| found.kind == Kind::Empty) {
        return String::new();
    }
    if types.iter().all(is_text) {
        return "; all are texts".to_owned();
    }
    if types.iter().all(|found| found.kind == Kind::Number) {
        return "; all are numbers".to_owned();
    }
    let listed = |is_listed: fn(&ColumnType) -> bool| {
        let all: Vec<String> = names
            .iter()
            .zip(types)
            .filter(|(_, found)| is_listed(found))
            .map(|(name, found)| match &found.kind {
                Kind::Local(form) => format!("{} ({})", shown(name), form.describe()),
                _ => shown(name),
            })
            .collect();
        let more = all.len().saturating_sub(NAMED_COLUMNS);
        let mut text = all.get(..NAMED_COLUMNS).unwrap_or(&all).join(", ");
        if more > 0 {
            let _ = write!(text, " and {more} more");
        }
        text
    };
    let mut text = String::new();
    let numbers = listed(ColumnType::is_number);
    let both = listed(|found| found.kind == Kind::Both);
    if !numbers.is_empty() {
        let _ = write!(text, "; numbers: {numbers}");
    }
    if !both.is_empty() {
        let _ = write!(text, "; numbers and texts: {both}");
    }
    if types.iter().any(is_text) {
        text.push_str("; the others are texts");
    }
    text
}

/// A name of a column in a note.
fn shown(name: &str) -> String {
    const CHARS: usize = 40;
    let name = crate::sqlite::line(name);
    match name.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(columns: &[&[&str]], delimiter: u8) -> Vec<ColumnType> {
        let rows = columns.iter().map(|column| column.len()).max().unwrap_or(0);
        let records: Vec<Vec<String>> = (0..rows)
            .map(|row| {
                let cells = columns.iter().map(|column| column.get(row).copied());
                cells.map(|cell| cell.unwrap_or("").to_owned()).collect()
            })
            .collect();
        detect(&records, columns.len(), delimiter)
    }

    fn values(column: &[&str], delimiter: u8) -> Vec<SqlValue> {
        let found = kinds(&[column], delimiter).remove(0);
        let cells = column.iter().map(|text| Cell::of_text((*text).to_owned()));
        cells.map(|cell| found.value(&cell)).collect()
    }

    #[test]
    fn numbers_of_one_local_form_are_numbers() {
        use SqlValue::{Integer, Null, Real};
        for (column, expected) in [
            (
                &["2,50", "10,00", "150,00"][..],
                vec![Real(2.5), Real(10.0), Real(150.0)],
            ),
            (
                &["1.234,56", "-5,00", ""],
                vec![Real(1234.56), Real(-5.0), Null],
            ),
            (&["1,234.50", "999.00"], vec![Real(1234.5), Real(999.0)]),
            (&["1,234,567", "12"], vec![Integer(1_234_567), Integer(12)]),
            (&["$2.50", "-$1,000.00"], vec![Real(2.5), Real(-1000.0)]),
            (&["2,50 €", "1.000,00 €"], vec![Real(2.5), Real(1000.0)]),
            (&["12 %", "7 %"], vec![Integer(12), Integer(7)]),
            (&["1\u{a0}234,5", "2"], vec![Real(1234.5), Integer(2)]),
            (&["1'234.5", "2"], vec![Real(1234.5), Integer(2)]),
            (&["EUR 5", "EUR 1,250.00"], vec![Integer(5), Real(1250.0)]),
        ] {
            assert_eq!(values(column, b';'), expected, "{column:?}");
        }
    }

    #[test]
    fn columns_of_several_forms_and_codes_are_texts() {
        for column in [
            &["2,50", "x"][..],
            &["$5", "5 €"],
            &["$5", "6.50"],
            &["1.234,5", "1,234.5"],
            &["+491234", "441234"],
            &["00123", "45678"],
            &["01.02.2024", "12.02.2024"],
            &["192.168.1.1", "10.0.0.1"],
            &["1,23,4", "5"],
            &["555-1234", "555-9999"],
        ] {
            let found = values(column, b',');
            assert!(found.contains(&SqlValue::Text), "{column:?} {found:?}");
        }
        assert_eq!(
            values(&["+491234", "441234"], b','),
            [SqlValue::Text, SqlValue::Text]
        );
        assert_eq!(
            values(&["00123", "45678"], b','),
            [SqlValue::Text, SqlValue::Text]
        );
    }

    #[test]
    fn comma_before_three_digits_is_decided_by_the_other_columns() {
        use SqlValue::{Integer, Real};
        let column: &[&str] = &["1,234", "5,678"];
        assert_eq!(values(column, b','), [Integer(1234), Integer(5678)]);
        assert_eq!(values(column, b';'), [Real(1.234), Real(5.678)]);
        for (other, expected) in [("2,5", Real(1.234)), ("2,5.5", Integer(1234))] {
            let found = kinds(&[column, &[other, "7"]], b',').remove(0);
            let value = found.value(&Cell::of_text("1,234".to_owned()));
            assert_eq!(value, expected, "{other}");
            assert_eq!(found.ambiguous.as_deref(), Some("1,234"));
        }
        assert_eq!(kinds(&[&["1,5", "1,234"]], b',').remove(0).ambiguous, None);
        assert_eq!(
            kinds(&[&["1.234", "2.345"]], b',').remove(0).kind,
            Kind::Number
        );
    }

    #[test]
    fn types_are_described() {
        let columns: &[&[&str]] = &[&["1", "2"], &["a", "b"], &["2,50", "3,00"], &["5", "x"]];
        let names: Vec<String> = ["id", "name", "price", "n"].map(str::to_owned).to_vec();
        assert_eq!(
            describe(&names, &kinds(columns, b';')),
            "; numbers: id, price (decimal `,`); numbers and texts: n; the others are texts"
        );
        assert_eq!(
            describe(&names, &kinds(&columns[..1], b';')),
            "; all are numbers"
        );
        assert_eq!(
            describe(&names, &kinds(&columns[1..2], b';')),
            "; all are texts"
        );
    }
}
