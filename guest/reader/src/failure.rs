//! The reasons why a read fails: one value for programs, one sentence for people.

use crate::escapes::{escape_invisible, needs_escapes};
use std::fmt;
use std::ops::Deref;

/// Formats the message of a JSON error. The parser calls `null`, `true` and `false` `ident`; the
/// message calls them a value.
pub fn json_error(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.replace("expected ident", "expected a value")
}

/// Formats the message of a library as a part of a sentence: cut to about 100 characters, with a
/// small first letter and without a full stop.
pub fn library_message(error: impl fmt::Display) -> String {
    const CHARS: usize = 100;
    let message = error.to_string();
    let mut chars = message.trim_end_matches('.').chars();
    let first = chars.next().map(|first| first.to_ascii_lowercase());
    let mut message: String = first
        .into_iter()
        .chain(chars.by_ref().take(CHARS))
        .collect();
    if chars.next().is_some() {
        message.push('…');
    }
    message
}

/// The type of a special file, which is neither a regular file nor a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialFile {
    /// A named pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A block or character device.
    Device,
    /// Another special file, or one whose type the runtime does not distinguish.
    Other,
}

impl fmt::Display for SpecialFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pipe => "a named pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
            Self::Other => "a special file",
        })
    }
}

/// A file that is not text, for a request that needs text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinaryFile {
    /// The format of the file, such as `PNG image`.
    pub format: String,
    /// The size on disk in bytes, if known.
    pub size: Option<u64>,
    /// The SHA-256 of the bytes on disk, if it was requested.
    pub sha256: Option<String>,
    /// Instructions to read the content, if the file contains other files.
    pub how_to_read_inside: Option<String>,
}

/// The reason why a server was not reached or did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// The host does not allow network access, or not to this address. Contains the reason.
    Refused(String),
    /// The host name cannot be resolved. Contains the resolver's message.
    Name(String),
    /// The connection failed. Contains the operating system's message.
    Connect(String),
    /// The server's certificate is not valid. Contains the reason.
    Certificate(String),
    /// The response is not HTTP, or ends too early. Contains the reason.
    Protocol(String),
    /// A redirect was refused. Contains its target.
    Redirect(String),
    /// The server did not answer in time. Contains the limit in milliseconds.
    Timeout(u64),
    /// The response is larger than the limit. Contains the limit in bytes.
    Size(u64),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(why) => f.write_str(why),
            Self::Name(cause) => write!(f, "the host name cannot be resolved: {cause}"),
            Self::Connect(cause) => write!(f, "the connection failed: {cause}"),
            Self::Certificate(cause) => write!(f, "the certificate is not valid: {cause}"),
            Self::Protocol(cause) => write!(f, "the response is not valid: {cause}"),
            Self::Redirect(target) => write!(f, "the redirect to `{target}` is refused"),
            Self::Timeout(limit) => write!(f, "the server did not answer within {limit} ms"),
            Self::Size(limit) if *limit >= 1 << 20 => {
                write!(f, "the response is larger than {} MB", limit >> 20)
            }
            Self::Size(limit) => write!(f, "the response is larger than {limit} bytes"),
        }
    }
}

/// A URL that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreachable {
    /// The URL that could not be read: after a redirect, its target.
    pub url: String,
    /// The reason.
    pub error: NetworkError,
}

/// The reason why a read failed. The fields contain what a program needs to react.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The file does not exist. Contains similar names, best first.
    NotFound(Vec<String>),
    /// The path leads out of the roots (the directories that may be read). Contains the path.
    OutsideRoots(String),
    /// A symlink on the path leads out of the roots.
    LinkOutsideRoots {
        /// The symlink.
        link: String,
        /// The target of the symlink.
        target: String,
    },
    /// The path has too many symlinks, or a symlink that leads into a process. Contains the path.
    Symlink(String),
    /// A deny rule forbids the path. Contains the rule.
    Denied(String),
    /// An ignore file, such as `.geminiignore`, excludes the path. Only dialects that obey ignore
    /// files return this.
    Ignored {
        /// The ignore file.
        file: String,
        /// The line of the ignore file that matches.
        pattern: String,
    },
    /// The operating system forbids access. Contains the path.
    Permission(String),
    /// The path is neither a regular file nor a directory.
    SpecialFile(SpecialFile),
    /// The path is a directory, in a dialect that reads only files. Contains the path.
    Directory(String),
    /// The file is not text, in a request that needs text.
    Binary(BinaryFile),
    /// A limit was exceeded.
    Limit {
        /// The name of the limit.
        name: String,
        /// The value of the limit, in bytes or milliseconds.
        value: u64,
        /// The running time of the read in milliseconds, if known. Only for a limit on time.
        ran: Option<u64>,
        /// The milliseconds since the read began, if known. Only for a limit on time.
        elapsed: Option<u64>,
    },
    /// The SQL of a query is not valid, or would do more than read. Contains the reason.
    Query(String),
    /// The path is not valid. Contains the path.
    InvalidPath(String),
    /// The selector is not valid. Contains the selector, or the part of it that is not valid.
    InvalidSelector(String),
    /// An argument is missing or wrong. Contains its name.
    InvalidArgument(String),
    /// The format of the file or the kind of path is not supported. Contains its name.
    Unsupported(String),
    /// The caller cancelled the read. Contains the path.
    Cancelled(String),
    /// The operating system reported an error. Contains the error.
    Io(String),
    /// A server was not reached or did not answer.
    Network(Unreachable),
    /// The reader has a defect. Contains a description.
    Internal(String),
}

impl Reason {
    /// Creates [`Reason::Limit`] without a running time.
    pub fn limit(name: impl Into<String>, value: u64) -> Self {
        Self::Limit {
            name: name.into(),
            value,
            ran: None,
            elapsed: None,
        }
    }
}

/// One line of text for people and models. Characters that are hidden, reorder text or start a
/// new line are replaced by escape sequences such as `⟨U+202E⟩`, whatever the message contains.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Message(String);

impl From<String> for Message {
    // The reader has hundreds of messages: inlining would copy this function for each.
    #[inline(never)]
    fn from(text: String) -> Self {
        if needs_escapes(text.as_bytes()) {
            Self(escape_invisible(&text))
        } else {
            Self(text)
        }
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<Message> for String {
    fn from(message: Message) -> Self {
        message.0
    }
}

impl Deref for Message {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A next step of the person who sets the options of the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperatorHint {
    /// A longer timeout.
    MoreTime,
    /// A password.
    Password,
    /// Another user, or other permissions of a file.
    Permissions,
    /// Other ignore files.
    Ignores,
    /// A directory for the portable component.
    Directory,
    /// A directory for a scheme.
    Mount,
    /// A directory for a session.
    Session,
    /// An MCP server.
    Servers,
}

impl OperatorHint {
    /// The step as a part of a hint.
    fn text(self) -> &'static str {
        match self {
            Self::MoreTime => "allow more time with `--timeout`",
            Self::Password => "set the password with `--password-file`",
            Self::Permissions => {
                "change its permissions, or run omniread as a user who may read it"
            }
            Self::Ignores => "set the option `ignores` to use other ignore files",
            Self::Session => "keep a session with `--session DIR`",
            Self::Servers => "name one in the table `servers` of the configuration file",
            Self::Mount => "mount one with `--mount SCHEME=DIR`",
            Self::Directory => {
                "grant it a directory when you start it, as `wasmtime run --dir DIR` does"
            }
        }
    }
}

/// The failure of a read: the reason for it, for programs and for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The reason for programs.
    pub reason: Reason,
    /// The reason for people: one sentence with the path as it was typed.
    pub message: Message,
    /// A suggestion for the next step, if there is one.
    pub hint: Option<Message>,
    /// A next step of the person who sets the options of the reader. [`Failure::for_caller`] makes it a
    /// part of the hint, or removes it.
    pub operator_hint: Option<OperatorHint>,
}

impl Failure {
    /// Creates a failure without a hint.
    pub fn new(reason: Reason, message: impl Into<Message>) -> Self {
        Self {
            reason,
            message: message.into(),
            hint: None,
            operator_hint: None,
        }
    }

    /// Returns the failure with this hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Message>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Returns the failure with this hint for the person who sets the options of the reader.
    #[must_use]
    pub fn operator_hint(mut self, hint: OperatorHint) -> Self {
        self.operator_hint = Some(hint);
        self
    }

    /// Returns the failure as its caller sees it. A model, whose calls have `is_call`, gets no hint for
    /// the person who sets the options, because it cannot set them.
    #[must_use]
    pub fn for_caller(mut self, is_call: bool) -> Self {
        let Some(operator) = self.operator_hint.take().filter(|_| !is_call) else {
            return self;
        };
        let operator = operator.text();
        self.hint = Some(match &self.hint {
            None => operator.into(),
            Some(hint) if hint.contains("; ") || hint.contains(", or ") => {
                format!("{hint}; or {operator}").into()
            }
            Some(hint) => format!("{hint}, or {operator}").into(),
        });
        self
    }
}

impl fmt::Display for Failure {
    /// Writes the message, and the hint on a line of its own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}

impl From<omniread_options::OptionError> for Failure {
    fn from(error: omniread_options::OptionError) -> Self {
        Self {
            reason: Reason::InvalidArgument(error.key),
            message: error.message.into(),
            hint: error.hint.map(Message::from),
            operator_hint: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hint_for_the_operator_is_not_for_a_model() {
        let failure = |hint: Option<&str>| Failure {
            hint: hint.map(Message::from),
            ..Failure::new(Reason::limit("time", 1), "it is slow")
                .operator_hint(OperatorHint::MoreTime)
        };
        for (hint, person) in [
            (None, "allow more time with `--timeout`"),
            (
                Some("read less"),
                "read less, or allow more time with `--timeout`",
            ),
            (
                Some("read a, or b"),
                "read a, or b; or allow more time with `--timeout`",
            ),
            (
                Some("read a; b"),
                "read a; b; or allow more time with `--timeout`",
            ),
        ] {
            let told = |is_call| failure(hint).for_caller(is_call).hint.map(String::from);
            assert_eq!(told(false).as_deref(), Some(person));
            assert_eq!(told(true).as_deref(), hint);
        }
    }
}
