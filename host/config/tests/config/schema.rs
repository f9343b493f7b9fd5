//! The schema accepts what the parser accepts.

use crate::support::{examples, file, user};
use omniread_config::{keys, schema};
use serde_json::{Map, Value as Json};
use toml::de::{DeTable, DeValue};

/// A value of TOML as JSON. Editors treat a date as a text of an unknown form.
fn json(value: &DeValue<'_>) -> Json {
    match value {
        DeValue::String(text) => Json::from(text.as_ref()),
        DeValue::Integer(number) => number
            .as_str()
            .parse::<i64>()
            .map_or(Json::Null, Json::from),
        DeValue::Float(number) => number
            .as_str()
            .parse::<f64>()
            .map_or(Json::Null, Json::from),
        DeValue::Boolean(on) => Json::from(*on),
        DeValue::Datetime(_) => Json::Null,
        DeValue::Array(elements) => elements.iter().map(|it| json(it.get_ref())).collect(),
        DeValue::Table(table) => Json::Object(object(table)),
    }
}

fn object(table: &DeTable<'_>) -> Map<String, Json> {
    let entries = table.iter();
    entries
        .map(|(key, value)| (key.get_ref().to_string(), json(value.get_ref())))
        .collect()
}

/// Whether a value is valid by the keywords that the schema uses. Another keyword is a panic.
fn accepts(schema: &Json, value: &Json) -> bool {
    let Some(keywords) = schema.as_object() else {
        return schema.as_bool().unwrap();
    };
    keywords
        .iter()
        .all(|(keyword, argument)| match keyword.as_str() {
            "$schema" | "title" | "description" | "default" => true,
            "type" => match argument.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "integer" => value.is_i64() || value.is_u64(),
                other => panic!("{other}"),
            },
            "enum" => argument.as_array().unwrap().contains(value),
            "anyOf" => argument
                .as_array()
                .unwrap()
                .iter()
                .any(|it| accepts(it, value)),
            "oneOf" => {
                let schemas = argument.as_array().unwrap().iter();
                schemas.filter(|it| accepts(it, value)).count() == 1
            }
            "minimum" => value
                .as_f64()
                .is_none_or(|it| it >= argument.as_f64().unwrap()),
            "maximum" => value
                .as_f64()
                .is_none_or(|it| it <= argument.as_f64().unwrap()),
            "pattern" => value.as_str().is_none_or(|text| matches(argument, text)),
            "items" => value
                .as_array()
                .is_none_or(|list| list.iter().all(|it| accepts(argument, it))),
            "required" => value.as_object().is_none_or(|object| {
                let mut names = argument.as_array().unwrap().iter();
                names.all(|name| object.contains_key(name.as_str().unwrap()))
            }),
            "propertyNames" => value.as_object().is_none_or(|object| {
                object
                    .keys()
                    .all(|name| accepts(argument, &Json::from(name.as_str())))
            }),
            "properties" => value.as_object().is_none_or(|object| {
                object
                    .iter()
                    .all(|(name, value)| argument.get(name).is_none_or(|it| accepts(it, value)))
            }),
            "additionalProperties" => value.as_object().is_none_or(|object| {
                let known = |name: &String| {
                    keywords
                        .get("properties")
                        .is_some_and(|it| it.get(name).is_some())
                };
                object
                    .iter()
                    .all(|(name, value)| known(name) || accepts(argument, value))
            }),
            other => panic!("{other}"),
        })
}

fn matches(pattern: &Json, text: &str) -> bool {
    regex_lite::Regex::new(pattern.as_str().unwrap())
        .unwrap()
        .is_match(text)
}

fn agree(schema: &Json, text: &str) {
    let (table, errors) = DeTable::parse_recoverable(text);
    assert!(errors.is_empty(), "{text}");
    let value = Json::Object(object(table.get_ref()));
    let parsed = user(text);
    assert_eq!(
        accepts(schema, &value),
        parsed.is_ok(),
        "{text}\n{parsed:?}"
    );
}

#[test]
fn schema_and_parser_agree() {
    let schema: Json = serde_json::from_str(&schema()).unwrap();
    for key in keys() {
        let (valid, invalid) = examples(&key.kind);
        for value in valid.iter().chain(&invalid) {
            agree(&schema, &file(key, value));
        }
    }
    for text in [
        "",
        "other = 1",
        "limits = 1",
        "limits.other = 1",
        "mounts.a = 'x'",
        "mounts.'a b' = 'x'",
        "mounts.docs = 'x'",
        "mounts.docs = []",
        "servers = {}",
        "servers.x = 1",
        "servers.x = {}",
        "servers.'a b'.url = 'http://a'",
        "servers.x.args = []",
        "servers.x = { command = 'a', url = 'http://a' }",
        "servers.x = { url = 'http://a', args = [] }",
        "servers.x = { url = 'http://a', cwd = 'a' }",
        "servers.x = { command = 'a', headers = {} }",
        "servers.x = { command = 'a', other = 1 }",
    ] {
        agree(&schema, text);
    }
}

#[test]
fn every_key_is_described() {
    let schema: Json = serde_json::from_str(&schema()).unwrap();
    let text = schema.to_string();
    for key in keys() {
        let description = Json::from(key.help).to_string();
        assert!(text.contains(&description), "{key}");
    }
}
