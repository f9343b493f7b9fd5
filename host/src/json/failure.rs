//! Failures as JSON.

use crate::{Failure, NetworkError, Reason, SpecialFile};
use serde_json::{Map, Value, json};

/// Converts a failure to a JSON object: `{"kind", "message", "hint", …}`.
pub(crate) fn error(failure: &Failure) -> Map<String, Value> {
    let mut error = Map::new();
    let (kind, facts) = reason(&failure.reason);
    error.insert("kind".to_owned(), kind.into());
    error.insert("message".to_owned(), failure.message.as_str().into());
    error.insert("hint".to_owned(), json!(failure.hint));
    error.extend(facts);
    error
}

/// The name of the reason why a read failed, and its details as JSON fields.
fn reason(reason: &Reason) -> (&'static str, Map<String, Value>) {
    let (kind, facts) = match reason {
        Reason::NotFound(near) => ("not_found", json!({ "near": near })),
        Reason::OutsideRoots(path) => ("outside_roots", json!({ "path": path })),
        Reason::LinkOutsideRoots(escape) => (
            "link_outside_roots",
            json!({ "link": escape.link, "target": escape.target }),
        ),
        Reason::Symlink(path) => ("symlink", json!({ "path": path })),
        Reason::Denied(rule) => ("denied", json!({ "denied_by": rule })),
        Reason::Ignored(rule) => (
            "ignored",
            json!({ "file": rule.file, "pattern": rule.pattern }),
        ),
        Reason::Permission(path) => ("permission", json!({ "path": path })),
        Reason::SpecialFile(special) => {
            ("special_file", json!({ "file_type": file_type(*special) }))
        }
        Reason::Directory(path) => ("directory", json!({ "path": path })),
        Reason::Binary(file) => (
            "binary",
            json!({ "format": file.format, "size": file.size, "sha256": file.sha256 }),
        ),
        Reason::Limit(exceeded) => (
            "limit",
            json!({
                "limit": exceeded.name,
                "value": exceeded.value,
                "ran": exceeded.ran,
                "elapsed": exceeded.elapsed,
            }),
        ),
        Reason::Query(cause) => ("query", json!({ "cause": cause })),
        Reason::InvalidPath(path) => ("invalid_path", json!({ "path": path })),
        Reason::InvalidSelector(selector) => ("invalid_selector", json!({ "selector": selector })),
        Reason::InvalidArgument(name) => ("invalid_argument", json!({ "argument": name })),
        Reason::Unsupported(what) => ("unsupported", json!({ "what": what })),
        Reason::Cancelled(path) => ("cancelled", json!({ "path": path })),
        Reason::Io(error) => ("io", json!({ "cause": error })),
        Reason::Network(unreachable) => (
            "network",
            json!({ "url": unreachable.url, "error": network(&unreachable.error) }),
        ),
        Reason::Internal(error) => ("internal", json!({ "cause": error })),
    };
    let facts = match facts {
        Value::Object(facts) => facts,
        _ => Map::new(),
    };
    (kind, facts)
}

/// Converts a network error to a JSON object: the name of the error in `kind`, and its details.
fn network(error: &NetworkError) -> Value {
    match error {
        NetworkError::Refused(cause) => json!({ "kind": "refused", "cause": cause }),
        NetworkError::Name(cause) => json!({ "kind": "name", "cause": cause }),
        NetworkError::Connect(cause) => json!({ "kind": "connect", "cause": cause }),
        NetworkError::Certificate(cause) => json!({ "kind": "certificate", "cause": cause }),
        NetworkError::Protocol(cause) => json!({ "kind": "protocol", "cause": cause }),
        NetworkError::Redirect(target) => json!({ "kind": "redirect", "target": target }),
        NetworkError::Size(limit) => json!({ "kind": "size", "limit": limit }),
        NetworkError::Timeout(limit) => json!({ "kind": "timeout", "limit": limit }),
    }
}

fn file_type(special: SpecialFile) -> &'static str {
    match special {
        SpecialFile::Pipe => "pipe",
        SpecialFile::Socket => "socket",
        SpecialFile::Device => "device",
        SpecialFile::Other => "other",
    }
}
