//! Replies, failures and definitions as JSON, with keys in `snake_case`. Only `structured` has
//! the field names of the agent.
//!
//! A reply is serialized directly, because building a [`Value`] first takes half as long as a
//! small read.

mod failure;
mod reply;
#[cfg(feature = "mcp")]
mod tool_result;

use crate::{Definition, Failure, Reply};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

pub(crate) use failure::error;
#[cfg(feature = "mcp")]
pub(crate) use tool_result::{resource_result, tool_result};

/// Converts the outcome of a read to JSON: `{"blocks": […], "details": {…}, "structured": {…}}`, or
/// `{"error": {"kind", "message", "hint", …}, "structured": {…}}`.
///
/// `details` also contains the fields of `structured`, with their names converted to `snake_case`,
/// unless it already has a field of that name.
pub fn outcome(outcome: &Result<Reply, Failure>) -> Value {
    serde_json::to_value(Outcome(outcome)).unwrap_or_default()
}

/// The outcome of a read. It is serialized as [`outcome`] describes.
#[derive(Debug)]
pub(crate) struct Outcome<'o>(pub(crate) &'o Result<Reply, Failure>);

impl Serialize for Outcome<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(None)?;
        match self.0 {
            Ok(reply) => {
                let structured = parsed(&reply.structured);
                let details = reply::DetailsView {
                    details: &reply.details,
                    structured: &structured,
                    display: true,
                };
                out.serialize_entry("blocks", &reply::blocks(&reply.blocks))?;
                out.serialize_entry("details", &details)?;
                out.serialize_entry("structured", &structured)?;
            }
            Err(failure) => {
                out.serialize_entry("error", &error(failure))?;
                out.serialize_entry("structured", &parsed(&failure.structured))?;
            }
        }
        out.end()
    }
}

fn parsed(structured: &str) -> Map<String, Value> {
    serde_json::from_str(structured).unwrap_or_default()
}

/// Converts the definition of a tool to JSON: `{"name", "title", "description", "input_schema"}`.
/// `title` is left out if the dialect (the tool of one agent) defines none.
pub fn definition(definition: &Definition) -> Value {
    let schema: Value = serde_json::from_str(&definition.schema).unwrap_or(Value::Null);
    let mut out = Map::new();
    out.insert("name".to_owned(), definition.name.as_str().into());
    if let Some(title) = &definition.title {
        out.insert("title".to_owned(), title.as_str().into());
    }
    out.insert(
        "description".to_owned(),
        definition.description.as_str().into(),
    );
    out.insert("input_schema".to_owned(), schema);
    Value::Object(out)
}
