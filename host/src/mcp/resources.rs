//! The roots as resources, with a template for the files in each, and completion.

use crate::{Block, Dialect, Failure, Media, Options, Reader, Reason, Reply, Session};
use rmcp::model::{
    CompleteRequestParams, CompleteResult, CompletionInfo, ErrorData, ReadResourceResult,
    Reference, Resource, ResourceContents, ResourceTemplate,
};
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;

/// The end of the template of each root.
const VARIABLE: &str = "{+path}";

/// The roots as resources.
pub fn roots(reader: &Reader) -> Vec<Resource> {
    let root = |root: &str| {
        Resource::new(uri(root), name(root))
            .with_description(format!(
                "The directory {root}. Reading it lists its entries."
            ))
            .with_mime_type("inode/directory")
    };
    reader.roots().map(root).collect()
}

/// The templates of the files in the roots.
pub fn templates(reader: &Reader) -> Vec<ResourceTemplate> {
    let template = |root: &str| {
        ResourceTemplate::new(format!("{}{VARIABLE}", uri(root)), name(root)).with_description(
            format!("A file or directory in {root}. A selector may follow the path, such as :5-9."),
        )
    };
    reader.roots().map(template).collect()
}

/// The values of the variable `path` of a template that start with the given text.
///
/// # Errors
/// Fails if the request is for something else.
pub fn complete(
    reader: &Reader,
    request: &CompleteRequestParams,
) -> Result<CompleteResult, ErrorData> {
    let template = match &request.r#ref {
        Reference::Resource(template) => template.uri.as_str(),
        _ => return Err(ErrorData::invalid_params("there are no prompts", None)),
    };
    let known = |root: &&str| template == format!("{}{VARIABLE}", uri(root));
    let Some(root) = reader.roots().find(known) else {
        let message = format!("`{template}` is not a template of this server");
        return Err(ErrorData::invalid_params(message, None));
    };
    if request.argument.name != "path" {
        let message = format!("the template has no variable `{}`", request.argument.name);
        return Err(ErrorData::invalid_params(message, None));
    }
    let most = CompletionInfo::MAX_VALUES;
    let root = format!("{}/", root.trim_end_matches('/'));
    let path = format!("{root}{}", request.argument.value);
    let mut values = reader.complete(&path, most + 1);
    let more = values.len() > most;
    values.truncate(most);
    let values = values.iter().filter_map(|value| value.strip_prefix(&root));
    let mut info = CompletionInfo::default();
    info.values = values.map(str::to_owned).collect();
    info.has_more = Some(more);
    Ok(CompleteResult::new(info))
}

/// Reads a resource: text without line numbers, as much as fits in a reply.
pub fn reading(
    uri: &str,
    options: &Options,
) -> impl FnOnce(&Session) -> Result<Reply, Failure> + Send + use<> {
    let uri = uri.to_owned();
    let options = Options {
        all: true,
        hashlines: false,
        numbers: false,
        outlines: false,
        margin: false,
        ..options.clone()
    };
    move |session| session.read_as(&uri, Dialect::Omp, &options)
}

/// Converts the outcome of the read of a resource.
///
/// # Errors
/// Fails if the read has failed.
pub fn contents(
    outcome: Result<Reply, Failure>,
    uri: &str,
) -> Result<ReadResourceResult, ErrorData> {
    let reply = outcome.map_err(|failure| {
        let facts = Some(json!({ "uri": uri, "error": crate::json::error(&failure) }));
        match failure.reason {
            Reason::NotFound(_) => ErrorData::resource_not_found(failure.message, facts),
            Reason::InvalidPath(_) | Reason::InvalidSelector(_) => {
                ErrorData::invalid_params(failure.message, facts)
            }
            _ => ErrorData::internal_error(failure.message, facts),
        }
    })?;
    let blocks = reply.blocks.into_iter();
    let contents = blocks.map(|block| match block {
        Block::Text(text) | Block::Notice(text) => ResourceContents::text(text, uri),
        Block::Image(Media { mime, data }) | Block::Attachment(Media { mime, data }) => {
            ResourceContents::blob(data, uri).with_mime_type(mime)
        }
    });
    Ok(ReadResourceResult::new(contents.collect()))
}

/// The `file:` URI of a directory. It ends in `/`.
fn uri(directory: &str) -> String {
    let mut uri = String::from("file://");
    if !directory.starts_with('/') {
        uri.push('/');
    }
    for byte in directory.trim_end_matches('/').bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' | b':' => {
                uri.push(char::from(byte));
            }
            b'\\' if cfg!(windows) => uri.push('/'),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri.push('/');
    uri
}

/// The name of a directory: the last part of its path.
fn name(directory: &str) -> String {
    let last = Path::new(directory).file_name();
    last.map_or_else(
        || directory.to_owned(),
        |last| last.to_string_lossy().into_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_percent_encoded_and_end_in_a_slash() {
        assert_eq!(uri("/a b/{c}"), "file:///a%20b/%7Bc%7D/");
        assert_eq!(uri("/"), "file:///");
    }
}
