//! Replies, failures and definitions as JSON, in the form of `docs/reference/json.md`.
//!
//! The host writes the same JSON from types of its own, directly into a string. A test compares both, for each kind of
//! content.

mod details;
mod failure;

use crate::bindings::omniread::read::types::{Block, Definition, Failure, Media, Reply};
use details::details;
pub use failure::kind;
use serde_json::{Map, Value, json};

/// A reply: `{"blocks": […], "details": {…}, "structured": {…}}`.
pub fn reply(reply: &Reply) -> Value {
    let structured = parsed(&reply.structured);
    let blocks: Vec<Value> = reply.blocks.iter().map(block).collect();
    json!({
        "blocks": blocks,
        "details": details(reply, &structured),
        "structured": structured,
    })
}

/// A failure: `{"error": {…}, "structured": {…}}`.
pub fn failure(failure: &Failure) -> Value {
    json!({
        "error": failure::error(failure),
        "structured": parsed(&failure.structured),
    })
}

/// The definition of a tool: `{"name", "title", "description", "input_schema"}`.
pub fn definition(definition: &Definition) -> Value {
    let mut out = Map::new();
    out.insert("name".to_owned(), json!(definition.name));
    if let Some(title) = &definition.title {
        out.insert("title".to_owned(), json!(title));
    }
    out.insert("description".to_owned(), json!(definition.description));
    let schema: Value = serde_json::from_str(&definition.schema).unwrap_or(Value::Null);
    out.insert("input_schema".to_owned(), schema);
    Value::Object(out)
}

fn block(block: &Block) -> Value {
    let media =
        |kind: &str, media: &Media| json!({ "type": kind, "mime": media.mime, "data": media.data });
    match block {
        Block::Text(text) | Block::Notice(text) => json!({ "type": "text", "text": text }),
        Block::Image(image) => media("image", image),
        Block::Attachment(file) => media("attachment", file),
    }
}

/// The fields of `structured`, which is one JSON object.
fn parsed(structured: &str) -> Map<String, Value> {
    serde_json::from_str(structured).unwrap_or_default()
}
