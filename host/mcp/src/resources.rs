//! The roots as resources, with a template for the files in each, and completion.

use super::reader::{ReadError, ReadErrorKind, Reader};
use rmcp::model::{
    CompleteRequestParams, CompleteResult, CompletionInfo, ErrorData, Reference, Resource,
    ResourceTemplate,
};
use std::fmt::Write as _;
use std::path::Path;

/// The end of the template of each root.
const VARIABLE: &str = "{+path}";

/// The roots as resources.
pub fn roots(reader: &dyn Reader) -> Vec<Resource> {
    let root = |root: &String| {
        Resource::new(uri(root), name(root))
            .with_description(format!(
                "The directory {root}. Reading it lists its entries."
            ))
            .with_mime_type("inode/directory")
    };
    reader.roots().iter().map(root).collect()
}

/// The templates of the files in the roots.
pub fn templates(reader: &dyn Reader) -> Vec<ResourceTemplate> {
    let template = |root: &String| {
        ResourceTemplate::new(format!("{}{VARIABLE}", uri(root)), name(root)).with_description(
            format!("A file or directory in {root}. A selector may follow the path, such as :5-9."),
        )
    };
    reader.roots().iter().map(template).collect()
}

/// The values of the variable `path` of a template that start with the given text.
///
/// # Errors
/// Fails if the request is for something else.
pub fn complete(
    reader: &dyn Reader,
    request: &CompleteRequestParams,
) -> Result<CompleteResult, ErrorData> {
    let template = match &request.r#ref {
        Reference::Resource(template) => template.uri.as_str(),
        _ => return Err(ErrorData::invalid_params("there are no prompts", None)),
    };
    let known = |root: &String| template == format!("{}{VARIABLE}", uri(root));
    let Some(root) = reader.roots().into_iter().find(known) else {
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
    // The client passes the rest of the value on as it is.
    let values = values.map(|value| value.replace('%', "%25"));
    let mut info = CompletionInfo::default();
    info.values = values.collect();
    info.has_more = Some(more);
    Ok(CompleteResult::new(info))
}

/// Whether a URI may name a file: it has the scheme `file`, or none.
pub fn is_file(uri: &str) -> bool {
    uri.split_once("://")
        .is_none_or(|(scheme, _)| scheme.eq_ignore_ascii_case("file"))
}

/// The error of a resource that cannot be read.
pub fn error(error: ReadError) -> ErrorData {
    let ReadError {
        kind,
        message,
        facts,
    } = error;
    match kind {
        ReadErrorKind::NotFound => ErrorData::resource_not_found(message, Some(facts)),
        ReadErrorKind::InvalidUri => ErrorData::invalid_params(message, Some(facts)),
        ReadErrorKind::Other => ErrorData::internal_error(message, Some(facts)),
    }
}

/// The `file:` URI of a directory. It ends in `/`.
fn uri(directory: &str) -> String {
    let mut uri = file_uri(directory.trim_end_matches('/'));
    uri.push('/');
    uri
}

/// The `file:` URI of an absolute path.
pub fn file_uri(path: &str) -> String {
    let mut uri = String::from("file://");
    if !path.is_empty() && !path.starts_with('/') {
        uri.push('/');
    }
    for byte in path.bytes() {
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
        assert_eq!(file_uri("/a/50%.pdf"), "file:///a/50%25.pdf");
    }
}
