//! Values as TOML. Secrets are left out.

use crate::escape::quoted;
use crate::kind::{Form, Kind};
use crate::limits::MAX_INTEGER;
use crate::time::written;
use crate::value::{Place, Value};
use std::path::Path;

/// The text in place of a secret.
pub(crate) const HIDDEN: &str = "(hidden)";

/// A value as TOML. A list is on one line.
pub(crate) fn shown_value(kind: &Kind, value: &Value) -> String {
    match (kind, value) {
        (Kind::Mount, Value::Places(places)) if places.len() == 1 => elements(kind, value).concat(),
        (_, Value::Texts(_) | Value::Paths(_) | Value::Headers(_) | Value::Places(_)) => {
            format!("[{}]", elements(kind, value).join(", "))
        }
        (Kind::Text(Form::Address), Value::Text(url)) => quoted(&without_query(url)),
        (_, Value::Text(text)) => quoted(text),
        (_, Value::Path(path)) => of_path(path),
        (_, Value::Time(time)) => quoted(&written(*time)),
        (Kind::Size(_), Value::Number(bytes)) => of_size(*bytes),
        (_, Value::Number(number)) => number.to_string(),
        (_, Value::Switch(on)) => on.to_string(),
        (_, Value::Environment(variables)) => {
            let names = variables.keys();
            let names = names.map(|name| format!("{} = {}", quoted(name), quoted(HIDDEN)));
            let names: Vec<String> = names.collect();
            format!("{{ {} }}", names.join(", "))
        }
    }
}

/// The elements of a list as TOML.
pub(crate) fn elements(kind: &Kind, value: &Value) -> Vec<String> {
    match value {
        // An argument may be a token.
        Value::Texts(texts) if *kind == Kind::Texts(Form::Argument) => {
            texts.iter().map(|_| quoted(HIDDEN)).collect()
        }
        Value::Texts(texts) => texts.iter().map(|text| quoted(text)).collect(),
        Value::Paths(paths) => paths.iter().map(|path| of_path(path)).collect(),
        Value::Headers(headers) => headers.iter().map(|it| quoted(&it.to_string())).collect(),
        Value::Places(places) => {
            let places = places.iter().map(|place| match place {
                Place::Directory(path) => of_path(path),
                Place::Auto => quoted("auto"),
            });
            places.collect()
        }
        _ => Vec::new(),
    }
}

fn of_path(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

/// A size, with a unit if it is a whole number of them.
fn of_size(bytes: u64) -> String {
    let units = [('T', 40), ('G', 30), ('M', 20), ('K', 10)];
    let unit = units
        .into_iter()
        .find(|(_, shift)| bytes > 0 && bytes.trailing_zeros() >= *shift);
    match unit {
        Some((unit, shift)) => quoted(&format!("{}{unit}", bytes >> shift)),
        None if bytes > MAX_INTEGER => quoted(&bytes.to_string()),
        None => bytes.to_string(),
    }
}

/// An address without its query and fragment, which may have a token.
fn without_query(url: &str) -> String {
    match url.find(['?', '#']) {
        Some(end) => format!("{}?{HIDDEN}", url.get(..end).unwrap_or_default()),
        None => url.to_owned(),
    }
}
