//! Notes on values that are not shown exactly, with the path that shows the first of their rows whole.

use super::clause::{self, literal, quoted};
use super::context::{Context, Shown};
use super::schema::{Column, names};
use super::table::{self, Laid};
use crate::limits;
use crate::path::query::Parameters;
use crate::world::Value;
use std::fmt::Write as _;

/// The rows of a result, as they were laid out.
pub struct Of<'r> {
    pub laid: &'r Laid,
    pub rows: &'r [Vec<Value>],
    pub columns: &'r [Column],
}

/// Adds notes to a result: the number of values that are cut, with the path of the first row that has
/// one, and the number of those with undecodable bytes.
pub fn note(look: &Context<'_>, shown: &mut Shown, of: &Of<'_>, parameters: &Parameters) {
    let Of {
        laid,
        rows,
        columns,
    } = *of;
    shown.notes.extend(table::undecoded(rows, laid.rows));
    let (Some(first), Some(table)) = (laid.first_cut, shown.path.first()) else {
        return;
    };
    let row = rows.get(first).map(Vec::as_slice).unwrap_or_default();
    let offset = parameters.offset.saturating_add(first as u64);
    let path = match plain_key(columns, row) {
        Some(key) => Some(look.subject.row_path(table, &key)),
        None => by_key(table, columns, row)
            .or_else(|| by_offset(table, columns, parameters, offset))
            .map(|statement| look.request_for(&statement).1),
    };
    let how = match path {
        Some(path) if look.may_take_parts(bytes(columns, row)) => {
            format!("`{path}` reads the first of these rows, in parts if it is over the budget")
        }
        Some(path) => format!("`{path}` shows the first of these rows whole"),
        None => "a `?q=` that gives one row shows it whole".to_owned(),
    };
    let values = table::format_cuts(laid.cuts);
    shown.notes.push(format!("{values}; {how}"));
}

/// The size of the texts of a row, with the names of its columns.
fn bytes(columns: &[Column], row: &[Value]) -> u64 {
    let sizes = columns.iter().zip(row).map(|(column, value)| {
        let name = column.name.len() as u64;
        match value {
            Value::Text(_, length) => length.saturating_add(name),
            Value::Null | Value::Integer(_) | Value::Real(_) | Value::Blob(_) => name,
        }
    });
    sizes.fold(0, u64::saturating_add)
}

/// The columns of the primary key, with their values in a row.
fn keys<'r>(columns: &'r [Column], row: &'r [Value]) -> Vec<(&'r Column, &'r Value)> {
    let keys = columns.iter().zip(row).filter(|(column, _)| column.key > 0);
    keys.collect()
}

/// The text of the only key of a row in a path. `None` if there are several keys, or if a path cannot
/// contain the value.
fn plain_key(columns: &[Column], row: &[Value]) -> Option<String> {
    let keys = keys(columns, row);
    let [(_, value)] = keys.as_slice() else {
        return None;
    };
    match value {
        Value::Integer(number) => Some(number.to_string()),
        Value::Text(text, length) if text.len() as u64 == *length => {
            let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@');
            (!text.is_empty() && text.chars().all(is_plain)).then(|| text.clone())
        }
        _ => None,
    }
}

/// The statement that selects a row by all its keys. `None` if there are no keys, or if their values are
/// not known completely.
fn by_key(table: &str, columns: &[Column], row: &[Value]) -> Option<String> {
    let keys = keys(columns, row);
    let conditions = keys.iter().map(|(column, value)| {
        let name = quoted(&column.name);
        match value {
            Value::Integer(number) => Some(format!("{name} = {number}")),
            Value::Text(text, length) => {
                let is_known = text.len() as u64 == *length && text.len() <= limits::KEY_BYTES;
                // The engine ends a statement at a NUL, and replaces bytes that are not UTF-8.
                let is_exact = !text.contains(['\0', char::REPLACEMENT_CHARACTER]);
                (is_known && is_exact).then(|| format!("{name} = {}", literal(text)))
            }
            // The digits that are shown are not always those of the number.
            Value::Real(_) | Value::Blob(_) | Value::Null => None,
        }
    });
    let conditions: Vec<String> = conditions.collect::<Option<_>>()?;
    (!conditions.is_empty()).then(|| {
        let name = quoted(table);
        format!("SELECT * FROM {name} WHERE {}", conditions.join(" AND "))
    })
}

/// The statement that selects a row by its place in the rows that a path requests. `None` if the order
/// in the path is not valid.
fn by_offset(
    table: &str,
    columns: &[Column],
    parameters: &Parameters,
    offset: u64,
) -> Option<String> {
    let mut statement = format!("SELECT * FROM {}", quoted(table));
    if let Some(filter) = &parameters.filter {
        // A comment at the end of the condition ends with the line.
        let end = if filter.contains("--") { "\n" } else { "" };
        let _ = write!(statement, " WHERE ({filter}{end})");
    }
    if let Some(order) = &parameters.order {
        let names = names(columns);
        let (column, descending) = clause::order(order, &names).ok()?;
        let way = if descending { "DESC" } else { "ASC" };
        let _ = write!(statement, " ORDER BY {} {way}", quoted(column));
    }
    let _ = write!(statement, " LIMIT 1 OFFSET {offset}");
    Some(statement)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(keys: &[(&str, i64)]) -> Vec<Column> {
        let columns = keys.iter().map(|(name, key)| Column {
            name: (*name).to_owned(),
            declared: String::new(),
            key: *key,
            is_generated: false,
        });
        columns.collect()
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned(), text.len() as u64)
    }

    #[test]
    fn row_with_several_keys_is_selected_by_all_of_them() {
        let columns = columns(&[("year", 2), ("na\"me", 1), ("body", 0)]);
        let row = [
            Value::Integer(2024),
            text("it's"),
            Value::Text("x".to_owned(), 9),
        ];
        assert_eq!(plain_key(&columns, &row), None);
        assert_eq!(
            by_key("t", &columns, &row).as_deref(),
            Some("SELECT * FROM \"t\" WHERE \"year\" = 2024 AND \"na\"\"me\" = 'it''s'")
        );
        // Keys that are not known exactly.
        for key in [
            Value::Null,
            Value::Real(0.1),
            Value::Blob(4),
            text("a\0b"),
            text("\u{fffd}"),
        ] {
            assert_eq!(
                by_key("t", &columns, &[Value::Integer(1), key, Value::Null]),
                None
            );
        }
    }

    #[test]
    fn row_with_one_key_has_a_path_of_its_own() {
        let columns = columns(&[("id", 1), ("body", 0)]);
        let key = |value: Value| plain_key(&columns, &[value, Value::Null]);
        assert_eq!(key(Value::Integer(7)).as_deref(), Some("7"));
        assert_eq!(key(text("a-1")).as_deref(), Some("a-1"));
        assert_eq!(key(text("it's")), None);
        assert_eq!(
            by_key("docs", &columns, &[text("it's"), Value::Null]).as_deref(),
            Some("SELECT * FROM \"docs\" WHERE \"id\" = 'it''s'")
        );
    }

    #[test]
    fn row_without_a_key_is_selected_by_its_place() {
        let columns = columns(&[("a", 0), ("b", 0)]);
        let parameters = Parameters {
            filter: Some("a > 1 -- big".to_owned()),
            order: Some("b:desc".to_owned()),
            ..Parameters::default()
        };
        assert_eq!(by_key("t", &columns, &[Value::Null, Value::Null]), None);
        assert_eq!(
            by_offset("t", &columns, &parameters, 12).as_deref(),
            Some(
                "SELECT * FROM \"t\" WHERE (a > 1 -- big\n) ORDER BY \"b\" DESC LIMIT 1 OFFSET 12"
            )
        );
        assert_eq!(
            by_offset("t", &columns, &Parameters::default(), 0).as_deref(),
            Some("SELECT * FROM \"t\" LIMIT 1 OFFSET 0")
        );
    }
}
