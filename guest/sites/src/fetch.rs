//! Replies of services, in parts.

use crate::service::{Fault, JSON, Reply, Request, Service};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A value of `Accept` that requests a page.
pub const HTML: &str = "text/html";

/// Some fields of an object in JSON. The others are not kept: the document of a package in a registry has up to
/// 10^8 bytes, most of them in fields that no page shows.
///
/// # Errors
/// Fails if the body is not an object in JSON.
pub fn fields(reply: &Reply, names: &[&str]) -> Result<Value, Fault> {
    let Ok(all) = serde_json::from_slice::<BTreeMap<String, &RawValue>>(&reply.body) else {
        // The reason is that of the whole body.
        let value = reply.json()?;
        return Err(other_type(&value));
    };
    let mut kept = Map::new();
    for name in names {
        let value = all.get(*name).map(|raw| serde_json::from_str(raw.get()));
        if let Some(Ok(value)) = value {
            kept.insert((*name).to_owned(), value);
        }
    }
    Ok(Value::Object(kept))
}

/// The names of the fields of an object that is a field of an object in JSON, in order, without the values.
pub fn names(reply: &Reply, field: &str) -> Vec<String> {
    let all = serde_json::from_slice::<BTreeMap<String, &RawValue>>(&reply.body);
    let Some(raw) = all.ok().and_then(|mut all| all.remove(field)) else {
        return Vec::new();
    };
    let inner = serde_json::from_str::<BTreeMap<String, &RawValue>>(raw.get());
    inner.map_or_else(|_| Vec::new(), |inner| inner.into_keys().collect())
}

/// An object in JSON.
///
/// # Errors
/// Fails if the reply is another value, such as `null` or an array.
pub fn object(service: &mut dyn Service, url: &str) -> Result<Value, Fault> {
    expect_object(crate::service::json(service, url)?)
}

/// An object in JSON, which may describe an error with status 400.
///
/// # Errors
/// Fails if the reply is another value, such as `null` or an array.
pub fn object_or_error(service: &mut dyn Service, url: &str) -> Result<Value, Fault> {
    let request = Request { url, accept: JSON };
    expect_object(service.get_with_errors(&request)?.json()?)
}

fn expect_object(value: Value) -> Result<Value, Fault> {
    if value.is_object() {
        Ok(value)
    } else {
        Err(other_type(&value))
    }
}

/// A page, or the reason why there is none.
///
/// # Errors
/// Fails if no reply arrives.
pub fn html(service: &mut dyn Service, url: &str) -> Result<Reply, Fault> {
    service.get(&Request { url, accept: HTML })
}

/// A fault for a value that is not an object.
pub fn other_type(value: &Value) -> Fault {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    };
    Fault::Wrong(format!(
        "{kind} in JSON that its documentation does not describe"
    ))
}

/// A fault for a reply about another thing than the requested one.
pub fn other(wanted: &str, got: Option<&str>) -> Fault {
    let got = got.unwrap_or("a thing without a name");
    let got = crate::text::line(got, 100);
    Fault::Wrong(format!("{got} instead of {wanted}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_are_not_needed_are_left_out() {
        let body = |text: &str| Reply {
            body: text.as_bytes().to_vec(),
            ..Reply::default()
        };
        let reply = body(r#"{"a": {"x": [1, 2], "w": 0}, "b": [3], "c": null}"#);
        let value = fields(&reply, &["a", "c", "q"]).expect("an object");
        let wanted = serde_json::json!({"a": {"x": [1, 2], "w": 0}, "c": null});
        assert_eq!(value, wanted);
        assert_eq!(names(&reply, "a"), ["w", "x"]);
        assert!(names(&reply, "b").is_empty() && names(&body("<html>"), "a").is_empty());
        assert!(fields(&body("[]"), &["a"]).is_err_and(|it| it.to_string().contains("an array")));
        assert!(fields(&body("<p>"), &["a"]).is_err_and(|it| it.to_string().contains("JSON")));
    }
}
