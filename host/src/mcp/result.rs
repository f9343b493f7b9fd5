//! The outcome of a read as the result of a tool call.

use crate::json::{self, DetailsView};
use crate::{Block, Failure, Media, Reply};
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::{Value, json};

/// Converts the outcome of a read. `structured` decides whether the result has `structuredContent`:
/// the details of the reply, without the text once more.
pub fn convert(outcome: Result<Reply, Failure>, structured: bool) -> CallToolResult {
    match outcome {
        Ok(reply) => {
            let details = structured.then(|| details(&reply));
            let uri = format!("file://{}", reply.details.resolved_path);
            let blocks = reply.blocks.into_iter();
            let content = blocks.map(|block| content(block, &uri)).collect();
            let mut result = CallToolResult::success(content);
            result.structured_content = details;
            result
        }
        Err(failure) => {
            let facts = structured.then(|| json!({ "error": json::error(&failure) }));
            let mut result = CallToolResult::error(vec![ContentBlock::text(failure.text)]);
            result.structured_content = facts;
            result
        }
    }
}

fn details(reply: &Reply) -> Value {
    let structured = serde_json::from_str(&reply.structured).unwrap_or_default();
    let details = DetailsView {
        details: &reply.details,
        structured: &structured,
        display: false,
    };
    serde_json::to_value(details).unwrap_or_default()
}

fn content(block: Block, uri: &str) -> ContentBlock {
    match block {
        Block::Text(text) | Block::Notice(text) => ContentBlock::text(text),
        Block::Image(Media { mime, data }) => ContentBlock::image(data, mime),
        Block::Attachment(Media { mime, data }) => {
            ContentBlock::resource(ResourceContents::blob(data, uri).with_mime_type(mime))
        }
    }
}
