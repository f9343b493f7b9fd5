//! Requests that are refused before anything is read.

use serde_json::{Value, json};

/// A request that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The status of the response.
    pub status: u16,
    /// The kind of the error, as in the JSON of failures.
    pub kind: &'static str,
    /// The reason in one sentence.
    pub message: String,
    /// The next step.
    pub hint: String,
    /// The methods that the route has, if the request has another one.
    pub allow: Option<&'static str>,
}

impl Refused {
    /// A request that cannot be understood.
    pub fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(400, "invalid_request", message, hint)
    }

    /// A refusal with any status.
    pub fn new(
        status: u16,
        kind: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self {
            status,
            kind,
            message: message.into(),
            hint: hint.into(),
            allow: None,
        }
    }

    /// The error as JSON, with the fields of a failure.
    pub fn json(&self) -> Value {
        json!({
            "error": { "kind": self.kind, "message": self.message, "hint": self.hint },
            "structured": {},
        })
    }

    /// The error as text.
    pub fn text(&self) -> String {
        format!("{}\nhint: {}\n", self.message, self.hint)
    }
}
