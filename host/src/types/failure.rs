//! Failures: why a read returned no reply.

use serde::Serialize;
use std::error::Error;
use std::fmt;
use wasmtime::component::{ComponentType, Lift, Lower};

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
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift)]
#[component(record)]
#[non_exhaustive]
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

/// The reason why a read failed.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(variant)]
#[non_exhaustive]
pub enum Reason {
    /// The file does not exist. Contains similar names, the best one first.
    #[component(name = "not-found")]
    NotFound(Vec<String>),
    /// The path leads out of the roots (the directories that may be read). Contains the path.
    #[component(name = "outside-roots")]
    OutsideRoots(String),
    /// A symlink in the path leads out of the roots.
    #[component(name = "link-outside-roots")]
    LinkOutsideRoots(SymlinkEscape),
    /// The path has too many symlinks, or a symlink of `/proc` that leads into a process. Contains
    /// the path.
    #[component(name = "symlink")]
    Symlink(String),
    /// A deny rule forbids the read. Contains the rule.
    #[component(name = "denied")]
    Denied(String),
    /// An ignore file excludes the path, in a dialect that obeys ignore files.
    #[component(name = "ignored")]
    Ignored(IgnoreRule),
    /// The operating system denies access. Contains the path.
    #[component(name = "permission")]
    Permission(String),
    /// The file is neither a regular file nor a directory.
    #[component(name = "special-file")]
    SpecialFile(SpecialFile),
    /// The path is a directory, and the dialect reads only files. Contains the path.
    #[component(name = "directory")]
    Directory(String),
    /// The file is not text, and the dialect reads only text.
    #[component(name = "binary")]
    Binary(BinaryFile),
    /// A limit of the host or the dialect was exceeded.
    #[component(name = "limit")]
    Limit(LimitExceeded),
    /// The query of a database is invalid, or does more than read. Contains the reason.
    #[component(name = "query")]
    Query(String),
    /// The path is malformed. Contains the path.
    #[component(name = "invalid-path")]
    InvalidPath(String),
    /// The selector is malformed. Contains the selector.
    #[component(name = "invalid-selector")]
    InvalidSelector(String),
    /// An argument is missing or wrong. Contains its name.
    #[component(name = "invalid-argument")]
    InvalidArgument(String),
    /// The format or feature is not supported. Contains its name.
    #[component(name = "unsupported")]
    Unsupported(String),
    /// The caller cancelled the read. Contains the path.
    #[component(name = "cancelled")]
    Cancelled(String),
    /// The operating system reported an error. Contains the error.
    #[component(name = "io")]
    Io(String),
    /// An address cannot be read.
    #[component(name = "network")]
    Network(Unreachable),
    /// The reader has a defect. Contains a description.
    #[component(name = "internal")]
    Internal(String),
}

/// A symlink that leads out of the roots.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct SymlinkEscape {
    /// The symlink, as in [`Details::path`](super::Details::path).
    pub link: String,
    /// The target in the symlink.
    pub target: String,
}

/// A line of an ignore file.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct IgnoreRule {
    /// The path of the ignore file, in the form of [`Details::path`](super::Details::path).
    pub file: String,
    /// The pattern that matches the requested path.
    pub pattern: String,
}

/// A file that is neither a regular file nor a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift, Lower, Serialize)]
#[component(enum)]
#[repr(u8)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SpecialFile {
    /// A named pipe.
    #[component(name = "pipe")]
    Pipe,
    /// A socket.
    #[component(name = "socket")]
    Socket,
    /// A block or character device.
    #[component(name = "device")]
    Device,
    /// Another special file, or one whose type the runtime does not report.
    #[component(name = "other")]
    Other,
}

/// A file that is not text, in a dialect that reads only text.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct BinaryFile {
    /// The format, detected from the first bytes, such as `PNG image`.
    pub format: String,
    /// The size on disk in bytes, if known.
    pub size: Option<u64>,
    /// The SHA-256 of the bytes on disk, as 64 hex digits, if the dialect requests it.
    pub sha256: Option<String>,
}

/// A limit that was exceeded.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct LimitExceeded {
    /// The name of the limit: `max-file-size`, `memory`, `time`, `image-size`, `attachment-size`,
    /// `query-work`, and so on.
    #[serde(rename = "limit")]
    pub name: String,
    /// The value of the limit, such as a number of bytes, of milliseconds, or of instructions of a
    /// query.
    pub value: u64,
    /// The processor time of the read in milliseconds, if it is known and the limit is `time`. The
    /// time for which the read waits for standard input or for an internal URL counts towards the
    /// limit as well.
    pub ran: Option<u64>,
    /// The milliseconds since the read began, without those for which it waited for a server, if
    /// the limit is `time`. A read ends after twenty times the limit in any case: other programs
    /// have used the processor, or a disk did not answer.
    pub elapsed: Option<u64>,
}

/// An address that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct Unreachable {
    /// The address that cannot be read. After a redirect, it is the target of the redirect.
    pub url: String,
    /// The reason.
    pub error: NetworkError,
}

/// The reason why an address cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(variant)]
#[non_exhaustive]
pub enum NetworkError {
    /// The host does not allow access to this address. Contains the reason.
    #[component(name = "refused")]
    Refused(String),
    /// The host name cannot be resolved. Contains the resolver's message.
    #[component(name = "name")]
    Name(String),
    /// The connection failed. Contains the operating system's message.
    #[component(name = "connect")]
    Connect(String),
    /// The certificate of the server is invalid. Contains the reason.
    #[component(name = "certificate")]
    Certificate(String),
    /// The response is not HTTP, or ends too early. Contains the reason.
    #[component(name = "protocol")]
    Protocol(String),
    /// A redirect is refused. Contains its target.
    #[component(name = "redirect")]
    Redirect(String),
    /// The server did not answer in time. Contains the limit in milliseconds.
    #[component(name = "timeout")]
    Timeout(u64),
    /// The response is larger than the limit. Contains the limit in bytes.
    #[component(name = "size")]
    Size(u64),
}

impl Failure {
    /// Creates a failure with a plain message, as a program reports one that the reader does not know of.
    /// The text is the message, and `structured` has no fields.
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            reason,
            text: message.clone(),
            message,
            hint: None,
            structured: "{}".to_owned(),
        }
    }
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
