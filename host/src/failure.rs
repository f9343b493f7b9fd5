//! The failure of a read, as an error of Rust.

use crate::bindings::exports::omniread::read::types as wit;
use std::error::Error;
use std::fmt;
use wit::Reason;

/// A failed read.
///
/// `Display` writes the message, and with `#` also the hint on a line of its own:
///
/// ```
/// let session = omniread::Reader::builder().root(".").build()?.session();
/// let failure = session.read("Cargo.tom").unwrap_err();
/// assert_eq!(failure.to_string(), "Path 'Cargo.tom' not found");
/// assert!(format!("{failure:#}").ends_with("\nhint: similar names: `Cargo.toml`"));
/// # Ok::<(), omniread::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Failure {
    /// The reason for the failure, for programs.
    pub reason: Reason,
    /// The reason for the failure in one sentence, with the path as the caller wrote it.
    pub message: String,
    /// A suggestion for the next step, if there is one.
    pub hint: Option<String>,
    /// The text of the failure for the model, in the format of the dialect.
    pub text: String,
    /// The failure as one JSON object, with the field names of the dialect.
    pub structured: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) if f.alternate() => write!(f, "\nhint: {hint}"),
            _ => Ok(()),
        }
    }
}

impl Error for Failure {}

// The bindings generate a type whose `Display` is its debug format.
impl From<wit::Failure> for Failure {
    fn from(failure: wit::Failure) -> Self {
        let wit::Failure {
            reason,
            message,
            hint,
            text,
            structured,
        } = failure;
        Self {
            reason,
            message,
            hint,
            text,
            structured,
        }
    }
}
