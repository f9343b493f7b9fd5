//! The outcome of a read as results of MCP.

use crate::unknown::UNKNOWN_BLOCK;
use omniread::{Block, Failure, Media, Reply};
use serde::Serialize;

/// The result of a tool call: the blocks, and the details of the reply without its text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolResult<'r, S> {
    content: Vec<Content<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<S>,
    is_error: bool,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Content<'r> {
    Text {
        text: &'r str,
    },
    #[serde(rename_all = "camelCase")]
    Image {
        data: &'r str,
        mime_type: &'r str,
    },
    Resource {
        resource: Contents<'r>,
    },
}

/// The facts about a read that failed.
#[derive(Serialize)]
struct Failed<E> {
    error: E,
}

/// The result of a read of a resource.
#[derive(Serialize)]
struct ResourceResult<'r> {
    contents: Vec<Contents<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Contents<'r> {
    uri: &'r str,
    mime_type: &'r str,
    #[serde(flatten)]
    data: Data<'r>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Data<'r> {
    Text(&'r str),
    Blob(&'r str),
}

/// Converts the outcome of a read to the result of a tool call. `structured` decides whether the
/// result has `structuredContent`.
pub fn tool_result(outcome: &Result<Reply, Failure>, structured: bool) -> String {
    match outcome {
        Ok(reply) => {
            let uri = omniread_mcp::file_uri(&reply.details.resolved_path);
            let content = reply.blocks.iter().map(|block| content(block, &uri));
            json(&ToolResult {
                content: content.collect(),
                structured_content: structured.then(|| reply.facts()),
                is_error: false,
            })
        }
        Err(failure) => {
            let facts = structured.then(|| failure.facts());
            json(&ToolResult {
                content: vec![Content::Text {
                    text: &failure.text,
                }],
                structured_content: facts.map(|error| Failed { error }),
                is_error: true,
            })
        }
    }
}

/// Converts a reply to the result of a read of a resource.
pub fn resource_result(reply: &Reply, uri: &str) -> String {
    let contents = reply.blocks.iter().map(|block| match block {
        Block::Text(text) | Block::Notice(text) => Contents {
            uri,
            mime_type: "text/plain",
            data: Data::Text(text),
        },
        Block::Image(media) | Block::Attachment(media) => blob(media, uri),
        _ => Contents {
            uri,
            mime_type: "text/plain",
            data: Data::Text(UNKNOWN_BLOCK),
        },
    });
    json(&ResourceResult {
        contents: contents.collect(),
    })
}

fn content<'r>(block: &'r Block, uri: &'r str) -> Content<'r> {
    match block {
        Block::Text(text) | Block::Notice(text) => Content::Text { text },
        Block::Image(media) => Content::Image {
            data: &media.data,
            mime_type: &media.mime,
        },
        Block::Attachment(media) => Content::Resource {
            resource: blob(media, uri),
        },
        _ => Content::Text {
            text: UNKNOWN_BLOCK,
        },
    }
}

fn blob<'r>(media: &'r Media, uri: &'r str) -> Contents<'r> {
    Contents {
        uri,
        mime_type: &media.mime,
        data: Data::Blob(&media.data),
    }
}

fn json(value: &impl Serialize) -> String {
    let written = serde_json::to_string(value);
    debug_assert!(written.is_ok(), "a value in memory can be written");
    written.unwrap_or_default()
}
