//! Failures as JSON.

use crate::bindings::omniread::read::types::{
    BinaryFile, Failure, IgnoreRule, LimitExceeded, NetworkError, Reason, SpecialFile,
    SymlinkEscape,
};
use serde_json::{Map, Value, json};

/// The `error` of a failure: its kind, message and hint, and the facts of its kind.
pub fn error(failure: &Failure) -> Value {
    let mut out = Map::new();
    out.insert("kind".to_owned(), json!(kind(&failure.reason)));
    out.insert("message".to_owned(), json!(failure.message));
    out.insert("hint".to_owned(), json!(failure.hint));
    if let Value::Object(facts) = facts(&failure.reason) {
        out.extend(facts);
    }
    Value::Object(out)
}

/// The name of a reason, such as `not_found`.
pub fn kind(reason: &Reason) -> &'static str {
    match reason {
        Reason::NotFound(_) => "not_found",
        Reason::OutsideRoots(_) => "outside_roots",
        Reason::LinkOutsideRoots(_) => "link_outside_roots",
        Reason::Symlink(_) => "symlink",
        Reason::Denied(_) => "denied",
        Reason::Ignored(_) => "ignored",
        Reason::Permission(_) => "permission",
        Reason::SpecialFile(_) => "special_file",
        Reason::Directory(_) => "directory",
        Reason::Binary(_) => "binary",
        Reason::Limit(_) => "limit",
        Reason::Query(_) => "query",
        Reason::InvalidPath(_) => "invalid_path",
        Reason::InvalidSelector(_) => "invalid_selector",
        Reason::InvalidArgument(_) => "invalid_argument",
        Reason::Unsupported(_) => "unsupported",
        Reason::Cancelled(_) => "cancelled",
        Reason::Io(_) => "io",
        Reason::Network(_) => "network",
        Reason::Internal(_) => "internal",
    }
}

/// The facts of a reason.
fn facts(reason: &Reason) -> Value {
    match reason {
        Reason::NotFound(near) => json!({ "near": near }),
        Reason::OutsideRoots(path)
        | Reason::Symlink(path)
        | Reason::Permission(path)
        | Reason::Directory(path)
        | Reason::InvalidPath(path)
        | Reason::Cancelled(path) => json!({ "path": path }),
        Reason::LinkOutsideRoots(SymlinkEscape { link, target }) => {
            json!({ "link": link, "target": target })
        }
        Reason::Denied(rule) => json!({ "denied_by": rule }),
        Reason::Ignored(IgnoreRule { file, pattern }) => {
            json!({ "file": file, "pattern": pattern })
        }
        Reason::SpecialFile(special) => json!({ "file_type": special_file(*special) }),
        Reason::Binary(BinaryFile {
            format,
            size,
            sha256,
        }) => json!({ "format": format, "size": size, "sha256": sha256 }),
        Reason::Limit(LimitExceeded {
            name,
            value,
            ran,
            elapsed,
        }) => json!({ "limit": name, "value": value, "ran": ran, "elapsed": elapsed }),
        Reason::Query(cause) | Reason::Io(cause) | Reason::Internal(cause) => {
            json!({ "cause": cause })
        }
        Reason::InvalidSelector(selector) => json!({ "selector": selector }),
        Reason::InvalidArgument(name) => json!({ "argument": name }),
        Reason::Unsupported(what) => json!({ "what": what }),
        Reason::Network(unreachable) => {
            json!({ "url": unreachable.url, "error": network(&unreachable.error) })
        }
    }
}

fn special_file(special: SpecialFile) -> &'static str {
    match special {
        SpecialFile::Pipe => "pipe",
        SpecialFile::Socket => "socket",
        SpecialFile::Device => "device",
        SpecialFile::Other => "other",
    }
}

fn network(error: &NetworkError) -> Value {
    match error {
        NetworkError::Refused(cause) => json!({ "kind": "refused", "cause": cause }),
        NetworkError::Name(cause) => json!({ "kind": "name", "cause": cause }),
        NetworkError::Connect(cause) => json!({ "kind": "connect", "cause": cause }),
        NetworkError::Certificate(cause) => json!({ "kind": "certificate", "cause": cause }),
        NetworkError::Protocol(cause) => json!({ "kind": "protocol", "cause": cause }),
        NetworkError::Redirect(target) => json!({ "kind": "redirect", "target": target }),
        NetworkError::Timeout(limit) => json!({ "kind": "timeout", "limit": limit }),
        NetworkError::Size(limit) => json!({ "kind": "size", "limit": limit }),
    }
}
