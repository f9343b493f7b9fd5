//! The JSON Schema of configuration files, for editors.

use crate::keys::{Key, Table, keys};
use crate::kind::{DIALECTS, Form, HEADER, Kind, PATH, SCHEME, SERVER, SIZE, TIME, VARIABLE};
use crate::limits::MAX_INTEGER;
use crate::value::Value;
use crate::write::shown_value;
use serde_json::{Map, Value as Json, json};
use std::ops::RangeInclusive;

/// The JSON Schema (2020-12) of both kinds of files. A workspace file may have all keys, and most of them
/// have no effect.
pub fn schema() -> String {
    let mut properties = Map::new();
    for key in keys() {
        match key.table {
            Table::Top => {
                properties.insert(key.name.to_owned(), of_key(key));
            }
            Table::Named(name) => {
                let table = properties.entry(name).or_insert_with(|| object(name));
                add(table, "properties", key.name, of_key(key));
            }
            Table::Open(name) => {
                let table = json!({
                    "description": key.help,
                    "type": "object",
                    "propertyNames": { "pattern": SCHEME },
                    "additionalProperties": of_kind(&key.kind),
                });
                properties.insert(name.to_owned(), table);
            }
            Table::Tables(name) => {
                let table = properties.entry(name).or_insert_with(servers);
                let server = table.get_mut("additionalProperties");
                add(
                    server.unwrap_or(&mut Json::Null),
                    "properties",
                    key.name,
                    of_key(key),
                );
            }
        }
    }
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Configuration of omniread",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    format!("{schema:#}\n")
}

/// A table with fixed keys.
fn object(name: &str) -> Json {
    json!({
        "description": format!("the table `{name}`"),
        "type": "object",
        "properties": {},
        "additionalProperties": false,
    })
}

/// The table of servers.
fn servers() -> Json {
    json!({
        "description": "servers by their names",
        "type": "object",
        "propertyNames": { "pattern": SERVER },
        "additionalProperties": {
            "type": "object",
            "properties": {},
            "additionalProperties": false,
            "oneOf": [
                { "required": ["command"], "properties": { "url": false, "headers": false } },
                { "required": ["url"], "properties": { "command": false, "args": false, "env": false, "cwd": false } },
            ],
        },
    })
}

/// Adds a member to an object in an object.
fn add(table: &mut Json, member: &str, name: &str, value: Json) {
    let members = table.get_mut(member).and_then(Json::as_object_mut);
    if let Some(members) = members {
        members.insert(name.to_owned(), value);
    }
}

/// The schema of a key.
fn of_key(key: &Key) -> Json {
    let mut schema = of_kind(&key.kind);
    if let Some(schema) = schema.as_object_mut() {
        schema.shift_insert(0, "description".to_owned(), Json::from(key.help));
        if let Some(default) = key.default.as_ref() {
            schema.insert("default".to_owned(), of_value(&key.kind, default));
        }
    }
    schema
}

/// A default.
fn of_value(kind: &Kind, value: &Value) -> Json {
    match (kind, value) {
        (_, Value::Switch(on)) => Json::from(*on),
        (Kind::Number(_), Value::Number(number)) => Json::from(*number),
        (_, Value::Text(text)) => Json::from(text.as_str()),
        (_, Value::Texts(texts)) => Json::from(texts.as_slice()),
        _ => Json::from(shown_value(kind, value).trim_matches('"')),
    }
}

/// The schema of the values of a kind.
fn of_kind(kind: &Kind) -> Json {
    match kind {
        Kind::Text(form) => of_form(*form),
        Kind::Texts(form) => list(&of_form(*form)),
        Kind::Directory => text(PATH),
        Kind::Directories | Kind::Files => list(&text(PATH)),
        Kind::Time => json!({ "anyOf": [integer(&(0..=MAX_INTEGER)), text(TIME)] }),
        Kind::Number(range) => integer(range),
        Kind::Size(range) => json!({ "anyOf": [integer(range), text(SIZE)] }),
        Kind::Switch => json!({ "enum": [true, false, "on", "off"] }),
        Kind::Headers => list(&text(HEADER)),
        Kind::Mount => json!({ "anyOf": [text(PATH), list(&text(PATH))] }),
        Kind::Environment => json!({
            "type": "object",
            "propertyNames": { "pattern": VARIABLE },
            "additionalProperties": of_form(Form::Argument),
        }),
    }
}

fn of_form(form: Form) -> Json {
    match form {
        Form::Dialect => json!({ "enum": DIALECTS }),
        form => text(form.pattern()),
    }
}

fn text(pattern: &str) -> Json {
    json!({ "type": "string", "pattern": pattern })
}

fn list(element: &Json) -> Json {
    json!({ "type": "array", "items": element })
}

fn integer(range: &RangeInclusive<u64>) -> Json {
    let most = MAX_INTEGER.min(*range.end());
    let mut schema = json!({ "type": "integer", "minimum": range.start() });
    // Editors compare numbers as floats, which have no such integer.
    if let Some(schema) = schema.as_object_mut()
        && most < MAX_INTEGER
    {
        schema.insert("maximum".to_owned(), Json::from(most));
    }
    schema
}
