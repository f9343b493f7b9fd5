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
    let (kind, facts) = match reason {
        Reason::NotFound(near) => ("not_found", json!({ "near": near })),
        Reason::OutsideRoots(path) => ("outside_roots", json!({ "path": path })),
        Reason::LinkOutsideRoots(escape) => ("link_outside_roots", json!(escape)),
        Reason::Symlink(path) => ("symlink", json!({ "path": path })),
        Reason::Denied(rule) => ("denied", json!({ "denied_by": rule })),
        Reason::Ignored(rule) => ("ignored", json!(rule)),
        Reason::Permission(path) => ("permission", json!({ "path": path })),
        Reason::SpecialFile(special) => ("special_file", json!({ "file_type": special })),
        Reason::Directory(path) => ("directory", json!({ "path": path })),
        Reason::Binary(file) => ("binary", json!(file)),
        Reason::Limit(exceeded) => ("limit", json!(exceeded)),
        Reason::Query(cause) => ("query", json!({ "cause": cause })),
        Reason::InvalidPath(path) => ("invalid_path", json!({ "path": path })),
        Reason::InvalidSelector(selector) => ("invalid_selector", json!({ "selector": selector })),
        Reason::InvalidArgument(name) => ("invalid_argument", json!({ "argument": name })),
        Reason::Unsupported(what) => ("unsupported", json!({ "what": what })),
        Reason::Cancelled(path) => ("cancelled", json!({ "path": path })),
        Reason::Io(error) => ("io", json!({ "cause": error })),
        Reason::Network(unreachable) => ("network", json!(unreachable)),
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
