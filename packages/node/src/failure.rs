//! Failures: those of reads as JSON, and those of arguments as errors with a code.

use napi::{Error, Status};
use omniread::Failure;
use serde::Serialize;

/// The kind of an error. The part in JavaScript throws one of its classes for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// An argument of a reader.
    Config,
    /// The directory of a session.
    Session,
    /// The reader or the session was closed.
    Closed,
    /// The value of an option.
    Option,
    /// A thread that the system does not start.
    Thread,
    /// An error of Node-API.
    Api(Status),
}

impl AsRef<str> for Code {
    fn as_ref(&self) -> &str {
        match self {
            Self::Config => "ERR_OMNIREAD_CONFIG",
            Self::Session => "ERR_OMNIREAD_SESSION",
            Self::Closed => "ERR_OMNIREAD_CLOSED",
            Self::Option => "ERR_OMNIREAD_OPTION",
            Self::Thread => "ERR_OMNIREAD_THREAD",
            Self::Api(status) => status.as_ref(),
        }
    }
}

impl From<Status> for Code {
    fn from(status: Status) -> Self {
        Self::Api(status)
    }
}

/// What a function returns that JavaScript calls.
pub type Result<T> = std::result::Result<T, Error<Code>>;

/// An error of a kind.
pub fn error(code: Code, reason: impl Into<String>) -> Error<Code> {
    Error::new(code, reason.into())
}

/// A failure as JSON: `{"error", "structured", "text"}`.
pub fn json(failure: &Failure) -> String {
    #[derive(Serialize)]
    struct Whole<'f> {
        #[serde(flatten)]
        failure: &'f Failure,
        text: &'f str,
    }
    let text = failure.text.as_str();
    text_of(&Whole { failure, text })
}

/// The failure of a change of a session as JSON: `{"session"}`.
pub fn session_json(message: &str) -> String {
    text_of(&serde_json::json!({ "session": message }))
}

/// The failure of a read that has panicked as JSON. The message is on standard error.
pub fn panic_json() -> String {
    let message = "cannot read: omniread has failed, and its message is on standard error";
    text_of(&serde_json::json!({
        "error": { "kind": "internal", "message": message, "hint": null, "cause": message },
        "structured": {},
        "text": message,
    }))
}

/// Facts as JSON. Their types have no keys that JSON cannot have, so that it does not fail.
pub fn text_of(facts: &impl Serialize) -> String {
    serde_json::to_string(facts).unwrap_or_default()
}
