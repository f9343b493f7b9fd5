//! Failures as JSON.

use super::parsed;
use crate::types::{Failure, NetworkError, Reason};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

/// Serializes as `{"error": {"kind", "message", "hint", …}, "structured": {…}}`.
impl Serialize for Failure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(None)?;
        out.serialize_entry("error", &self.facts())?;
        out.serialize_entry("structured", &parsed(&self.structured))?;
        out.end()
    }
}

impl Failure {
    /// Returns the `error` of the failure as it is in its JSON: `{"kind", "message", "hint", …}`.
    pub fn facts(&self) -> impl Serialize {
        Facts(self)
    }
}

impl Reason {
    /// Returns the name of the reason as it is in the JSON of a failure, such as `not_found`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "not_found",
            Self::OutsideRoots(_) => "outside_roots",
            Self::LinkOutsideRoots(_) => "link_outside_roots",
            Self::Symlink(_) => "symlink",
            Self::Denied(_) => "denied",
            Self::Ignored(_) => "ignored",
            Self::Permission(_) => "permission",
            Self::SpecialFile(_) => "special_file",
            Self::Directory(_) => "directory",
            Self::Binary(_) => "binary",
            Self::Limit(_) => "limit",
            Self::Query(_) => "query",
            Self::InvalidPath(_) => "invalid_path",
            Self::InvalidSelector(_) => "invalid_selector",
            Self::InvalidArgument(_) => "invalid_argument",
            Self::Unsupported(_) => "unsupported",
            Self::Cancelled(_) => "cancelled",
            Self::Io(_) => "io",
            Self::Network(_) => "network",
            Self::Internal(_) => "internal",
        }
    }
}

/// The facts about a failure, without the fields of the dialect.
struct Facts<'f>(&'f Failure);

impl Serialize for Facts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, facts) = reason(&self.0.reason);
        let mut out = serializer.serialize_map(None)?;
        out.serialize_entry("kind", kind)?;
        out.serialize_entry("message", &self.0.message)?;
        out.serialize_entry("hint", &self.0.hint)?;
        for (name, value) in &facts {
            out.serialize_entry(name, value)?;
        }
        out.end()
    }
}

/// Serializes as `{"kind", …}`: the name of the reason, and its facts.
impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, facts) = reason(self);
        let mut out = serializer.serialize_map(None)?;
        out.serialize_entry("kind", kind)?;
        for (name, value) in &facts {
            out.serialize_entry(name, value)?;
        }
        out.end()
    }
}

/// Serializes as `{"kind", …}`: the name of the error, and its cause.
impl Serialize for NetworkError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        network(self).serialize(serializer)
    }
}

/// The name of the reason why a read failed, and its details as JSON fields.
fn reason(reason: &Reason) -> (&'static str, Map<String, Value>) {
    let facts = match reason {
        Reason::NotFound(near) => json!({ "near": near }),
        Reason::OutsideRoots(path)
        | Reason::Symlink(path)
        | Reason::Permission(path)
        | Reason::Directory(path)
        | Reason::InvalidPath(path)
        | Reason::Cancelled(path) => json!({ "path": path }),
        Reason::LinkOutsideRoots(escape) => json!(escape),
        Reason::Denied(rule) => json!({ "denied_by": rule }),
        Reason::Ignored(rule) => json!(rule),
        Reason::SpecialFile(special) => json!({ "file_type": special }),
        Reason::Binary(file) => json!(file),
        Reason::Limit(exceeded) => json!(exceeded),
        Reason::Query(cause) | Reason::Io(cause) | Reason::Internal(cause) => {
            json!({ "cause": cause })
        }
        Reason::InvalidSelector(selector) => json!({ "selector": selector }),
        Reason::InvalidArgument(name) => json!({ "argument": name }),
        Reason::Unsupported(what) => json!({ "what": what }),
        Reason::Network(unreachable) => json!(unreachable),
    };
    let facts = match facts {
        Value::Object(facts) => facts,
        _ => Map::new(),
    };
    (reason.kind(), facts)
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
