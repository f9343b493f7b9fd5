//! What the server reads with. `omniread` implements these traits.
//!
//! They have no type parameters, so that the code of the protocol is compiled in this crate, which
//! needs little optimisation.

use omniread_service::Seen;
use serde_json::{Map, Value};
use std::any::Any;
use std::path::PathBuf;
use std::sync::Arc;

/// Which files a client may read.
pub trait Reader: Send + Sync {
    /// The absolute paths of the roots.
    fn roots(&self) -> Vec<String>;

    /// A reader that reads only what is in these directories and in the roots of this reader.
    fn narrowed(&self, directories: &[PathBuf]) -> Arc<dyn Reader>;

    /// A reader that reads what is in these directories. Deny rules stay the same.
    fn with_roots(&self, directories: &[PathBuf]) -> Arc<dyn Reader>;

    /// The paths in the roots that start with `path`: entries of one directory, at most `most` of
    /// them. The paths of directories end in `/`.
    fn complete(&self, path: &str, most: usize) -> Vec<String>;

    /// Whether skills are mounted.
    fn has_skills(&self) -> bool;

    /// A session in which nothing was shown.
    fn session(&self) -> Arc<dyn Session>;

    /// A session in which nothing was shown, with a handle by which its client names it in later requests.
    ///
    /// # Errors
    /// Fails with a message if the handle cannot be used.
    fn new_session(&self, handle: &str) -> Result<Arc<dyn Session>, String>;

    /// The session of a handle. `None` if no session has this handle, or if it has ended.
    fn session_of(&self, handle: &str) -> Option<Arc<dyn Session>>;
}

/// The form of the results that a client gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Whether a result has `structuredContent`.
    pub structured: bool,
    /// The maximum size of its text in bytes, if the client takes less than others.
    pub text_bytes: Option<u32>,
}

/// The reads of one client.
pub trait Session: Send + Sync {
    /// A call of the tool with these arguments, a JSON object.
    fn call(&self, arguments: &str, form: Form) -> Arc<dyn Read>;

    /// A read of a resource.
    fn resource(&self, uri: &str) -> Arc<dyn Read>;

    /// Starts a new generation of the conversation, unless its name is that of the last one.
    fn set_generation(&self, name: &str);

    /// A question about what the session has shown. `None` if there is no question with this name.
    ///
    /// # Errors
    /// Fails with a message if a parameter is missing or wrong.
    fn ask(
        &self,
        name: &str,
        parameters: Map<String, Value>,
    ) -> Option<Result<Arc<dyn Read>, String>>;

    /// A request for skills.
    fn skills(&self, request: SkillRequest) -> Arc<dyn Read>;
}

/// A request for skills. Paths are those in the mounts of skills, not percent-encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkillRequest {
    /// A page of skills.
    List {
        /// The end of the page before.
        cursor: Option<String>,
    },
    /// A skill.
    Get {
        /// The path of its directory.
        path: String,
    },
    /// A page of the entries of a directory.
    Directory {
        /// The path of the directory.
        path: String,
        /// The end of the page before.
        cursor: Option<String>,
    },
}

/// A read.
pub trait Read: Send + Sync {
    /// Runs the read, and returns the result of the request as JSON: a `CallToolResult`, a
    /// `ReadResourceResult`, the answer to a question, or the result of a request for skills. The failure
    /// of a call is a result too.
    ///
    /// # Errors
    /// Fails if a resource cannot be read.
    fn run(&self) -> Result<String, ReadError>;

    /// What the read has received over the network so far, such as `1.2 of 5.0 MB from
    /// example.com`. `None` if it has sent no request.
    fn received(&self) -> Option<String>;

    /// The kind of the content and the outcome, once the read has run. `None` for a request that reads no path.
    fn seen(&self) -> Option<Seen> {
        None
    }

    /// Stops the read within milliseconds.
    fn cancel(&self);

    /// Puts off work of the reads of this thread that no response needs, until the value is dropped.
    fn put_off(&self) -> Box<dyn Any> {
        Box::new(())
    }
}

/// The reason why a resource cannot be read.
#[derive(Debug)]
pub struct ReadError {
    /// The kind of the error.
    pub kind: ReadErrorKind,
    /// The message for the model.
    pub message: String,
    /// The facts about the error, a JSON object.
    pub facts: Value,
}

/// The kinds of errors that have an error code in MCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadErrorKind {
    /// The resource does not exist.
    NotFound,
    /// The URI is wrong.
    InvalidUri,
    /// All other errors.
    Other,
}
