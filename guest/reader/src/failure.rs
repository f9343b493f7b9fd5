//! Why a read failed: a reason for programs, a sentence for people.

use crate::visible::{needs_marks, visible};
use std::fmt;
use std::ops::Deref;

/// The words of another library, as a part of a sentence: short, and without a
/// capital.
pub fn aside(error: impl fmt::Display) -> String {
    const CHARS: usize = 100;
    let words = error.to_string();
    let mut chars = words.trim_end_matches('.').chars();
    let first = chars.next().map(|first| first.to_ascii_lowercase());
    let mut words: String = first
        .into_iter()
        .chain(chars.by_ref().take(CHARS))
        .collect();
    if chars.next().is_some() {
        words.push('…');
    }
    words
}

/// What a path names instead of a file or directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// A named pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A block or character device.
    Device,
    /// None of these; some runtimes do not tell them apart.
    Other,
}

impl fmt::Display for Special {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pipe => "a named pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
            Self::Other => "a special file",
        })
    }
}

/// A file that is not text, where only text can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotText {
    /// Its format, such as `PNG image`.
    pub format: String,
    /// Its bytes on disk, if they are known.
    pub size: Option<u64>,
    /// Their SHA-256, where it was asked for.
    pub sha256: Option<String>,
    /// How to read what it holds, if it holds anything.
    pub inside: Option<String>,
}

/// Why a server was not reached, or did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// The host grants no network, or not this address. Holds what is granted.
    Refused(String),
    /// The name has no address. Holds the resolver's message.
    Name(String),
    /// There is no connection. Holds the operating system's message.
    Connect(String),
    /// The server cannot prove who it is. Holds what is wrong.
    Certificate(String),
    /// What the server sent is not HTTP, or ends too early. Holds what is wrong.
    Protocol(String),
    /// A redirect is refused. Holds the address that it leads to.
    Redirect(String),
    /// A step took too long. Holds the limit in milliseconds.
    Timeout(u64),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(granted) => write!(f, "the host grants {granted}"),
            Self::Name(cause) => write!(f, "the name has no address: {cause}"),
            Self::Connect(cause) => write!(f, "there is no connection: {cause}"),
            Self::Certificate(cause) => write!(f, "the certificate is not valid: {cause}"),
            Self::Protocol(cause) => write!(f, "the response is not valid: {cause}"),
            Self::Redirect(target) => write!(f, "it redirects to `{target}`, which is refused"),
            Self::Timeout(limit) => write!(f, "the server did not answer within {limit} ms"),
        }
    }
}

/// An address that was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreachable {
    /// The address, after redirects.
    pub url: String,
    /// Why.
    pub error: NetworkError,
}

/// Why a read failed. The fields hold what a program needs to react.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There is no such file; holds near names, best first.
    NotFound(Vec<String>),
    /// The path leaves the roots.
    OutsideRoots(String),
    /// A link on the path leaves the roots.
    LinkOutsideRoots {
        /// The link.
        link: String,
        /// What it points to.
        target: String,
    },
    /// Links that cannot be followed: too many, or into a process.
    Links(String),
    /// Forbidden by the deny rule it holds.
    Denied(String),
    /// Named by an ignore file, where those are heeded.
    Ignored {
        /// The ignore file.
        file: String,
        /// The line of it that matches.
        pattern: String,
    },
    /// Forbidden by the operating system.
    Permission(String),
    /// Not a regular file or directory.
    Special(Special),
    /// A directory, where only files can be read.
    Directory(String),
    /// Not text, where only text can be read.
    Binary(NotText),
    /// A limit of the host was exceeded.
    Limit {
        /// Its name.
        name: String,
        /// Its value, in bytes or milliseconds.
        value: u64,
        /// Of a limit on time: for how many milliseconds of it the read ran, if
        /// that is known.
        ran: Option<u64>,
    },
    /// The query of a database is no sound SQL, or would do more than read.
    Query(String),
    /// The path is malformed.
    Path(String),
    /// The selector is malformed.
    Selector(String),
    /// The argument it names is missing or wrong.
    Argument(String),
    /// Nothing reads this yet.
    Unsupported(String),
    /// The caller gave up.
    Cancelled(String),
    /// The operating system failed.
    Io(String),
    /// A server was not reached, or did not answer.
    Network(Unreachable),
    /// The reader failed: a defect.
    Internal(String),
}

impl Reason {
    /// A limit that was exceeded, by its name.
    pub fn limit(name: impl Into<String>, value: u64) -> Self {
        Self::Limit {
            name: name.into(),
            value,
            ran: None,
        }
    }
}

/// Text for people and models on one line. Whatever it was made from, nothing in it
/// is hidden, reorders the text around it, or starts a line of its own: characters
/// that would are written as `⟨U+202E⟩`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Message(String);

impl From<String> for Message {
    // There are hundreds of messages, and one of these is enough.
    #[inline(never)]
    fn from(text: String) -> Self {
        if needs_marks(&text) {
            Self(visible(&text))
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

/// A read that gave nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Why, for programs.
    pub reason: Reason,
    /// Why, for people: one sentence with the path as it was typed.
    pub message: Message,
    /// What to do next.
    pub hint: Option<Message>,
}

impl Failure {
    /// A failure without a hint.
    pub fn new(reason: Reason, message: impl Into<Message>) -> Self {
        Self {
            reason,
            message: message.into(),
            hint: None,
        }
    }

    /// The same with what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Message>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    /// The sentence, and the hint on a line of its own.
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
            reason: Reason::Argument(error.key),
            message: error.message.into(),
            hint: error.hint.map(Message::from),
        }
    }
}
