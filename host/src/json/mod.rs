//! Replies, failures and definitions as JSON, with keys in `snake_case`. Only `structured` has
//! the field names of the agent.
//!
//! A reply is serialized directly, because building a [`Value`] first takes half as long as a
//! small read. Types whose JSON has their fields derive it where they are defined.

mod failure;
mod files;
mod reply;

use crate::types::Definition;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

/// The fields of `structured`, which is one JSON object.
fn parsed(structured: &str) -> Map<String, Value> {
    serde_json::from_str(structured).unwrap_or_default()
}

/// Serializes as `{"name", "title", "description", "input_schema"}`. `title` is left out if the dialect
/// defines none.
impl Serialize for Definition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let schema: Value = serde_json::from_str(&self.schema).unwrap_or(Value::Null);
        let mut out = serializer.serialize_map(None)?;
        out.serialize_entry("name", &self.name)?;
        if let Some(title) = &self.title {
            out.serialize_entry("title", title)?;
        }
        out.serialize_entry("description", &self.description)?;
        out.serialize_entry("input_schema", &schema)?;
        out.end()
    }
}
