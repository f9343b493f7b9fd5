//! Fields of JSON. A field that is missing, null or of another type is `None`: services add and remove fields
//! without a new version.

use crate::limits;
use crate::text::{block, line};
use serde_json::Value;

/// Access to fields by a path such as `user.login`.
pub trait Fields {
    /// The value at a path of keys, which are separated by dots. `None` if it is missing or null.
    fn at(&self, path: &str) -> Option<&Value>;

    /// A text in one line. `None` if it is empty.
    fn line(&self, path: &str) -> Option<String>;

    /// A text of several lines. `None` if it is empty.
    fn block(&self, path: &str) -> Option<String>;

    /// A whole number of at least 0.
    fn number(&self, path: &str) -> Option<u64>;

    /// Whether the value is `true`.
    fn is(&self, path: &str) -> bool;

    /// The elements of an array. Empty if there is none.
    fn list(&self, path: &str) -> &[Value];

    /// The fields `field` of the elements of an array, in one line each.
    fn lines(&self, path: &str, field: &str) -> Vec<String>;
}

impl Fields for Value {
    fn at(&self, path: &str) -> Option<&Value> {
        let mut keys = path.split('.').filter(|key| !key.is_empty());
        let found = keys.try_fold(self, |value, key| value.get(key))?;
        (!found.is_null()).then_some(found)
    }

    fn line(&self, path: &str) -> Option<String> {
        let text = match self.at(path)? {
            Value::String(text) => line(text, limits::LINE_CHARS),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        (!text.is_empty()).then_some(text)
    }

    fn block(&self, path: &str) -> Option<String> {
        let text = block(self.at(path)?.as_str()?);
        (!text.is_empty()).then_some(text)
    }

    fn number(&self, path: &str) -> Option<u64> {
        self.at(path)?.as_u64()
    }

    fn is(&self, path: &str) -> bool {
        self.at(path).and_then(Value::as_bool) == Some(true)
    }

    fn list(&self, path: &str) -> &[Value] {
        let list = self.at(path).and_then(Value::as_array);
        list.map_or(&[], Vec::as_slice)
    }

    fn lines(&self, path: &str, field: &str) -> Vec<String> {
        let list = self.list(path).iter();
        list.filter_map(|element| element.line(field)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn wrong_fields_are_none() {
        let value =
            json!({"a": {"b": "x\ny", "n": 7, "z": null, "f": true}, "l": [{"n": "1"}, 2, null]});
        assert_eq!(value.line("a.b").as_deref(), Some("x y"));
        assert_eq!(value.block("a.b").as_deref(), Some("x\ny"));
        assert_eq!(value.number("a.n"), Some(7));
        assert!(value.is("a.f") && !value.is("a.n") && !value.is("a.z"));
        assert_eq!(value.lines("l", "n"), ["1"]);
        for path in ["", "a", "a.z", "a.z.z", "a.b.c", "q", "l"] {
            assert_eq!(value.line(path), None, "{path}");
            assert_eq!(value.number(path), None, "{path}");
        }
        assert!(value.list("a").is_empty() && value.lines("a.b", "c").is_empty());
    }
}
