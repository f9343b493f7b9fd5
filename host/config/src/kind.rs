//! The kinds of values: what is valid, and how it is named in messages and in the schema.

use omniread_options::{parse_size, parse_switch};
use std::ops::RangeInclusive;

/// The names of the dialects. A test of the command line compares them with the library.
pub const DIALECTS: [&str; 7] = [
    "omp", "gateway", "comma", "gemini", "claude", "opencode", "codex",
];

/// The kind of the value of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text of one form.
    Text(Form),
    /// A list of texts of one form.
    Texts(Form),
    /// A directory.
    Directory,
    /// A list of directories.
    Directories,
    /// A list of files.
    Files,
    /// A time. 0 means no limit.
    Time,
    /// A number.
    Number(RangeInclusive<u64>),
    /// A number of bytes, which may have a unit.
    Size(RangeInclusive<u64>),
    /// A switch.
    Switch,
    /// Headers of requests.
    Headers,
    /// One or more directories of a mount.
    Mount,
    /// Variables of the environment of a program, or headers of requests.
    Environment,
}

/// The form of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The name of a dialect.
    Dialect,
    /// A deny rule.
    Rule,
    /// A grant of hosts.
    Grant,
    /// The value of the header `User-Agent`.
    UserAgent,
    /// The address of a proxy.
    Proxy,
    /// A file name without directories.
    FileName,
    /// A program, by its name or path.
    Program,
    /// An argument of a program.
    Argument,
    /// The address of a server.
    Address,
    /// The address below which an API has its parts: without a query.
    Base,
}

impl Form {
    /// The regular expression of the schema that texts of this form match. [`Form::accepts`] states
    /// the same.
    pub(crate) fn pattern(self) -> &'static str {
        match self {
            Self::Dialect => "^(omp|gateway|comma|gemini|claude|opencode|codex)$",
            Self::Rule => r"^[^\n\r\u0000]*[^\s\u0000][^\n\r\u0000]*$",
            Self::Grant => r"^[^\s,\u0000]+$",
            Self::UserAgent => "^[ -~]+$",
            Self::Proxy => r"^http://[^/@?#\s]+:[0-9]{1,5}/?$",
            Self::FileName => r"^[^/,\u0000]*[^/,\s\u0000][^/,\u0000]*$",
            Self::Program => r"^[^\u0000]+$",
            Self::Argument => r"^[^\u0000]*$",
            Self::Address => r"^https?://[^/?#@\s]+([/?#][^\s]*)?$",
            Self::Base => r"^https?://[^/?#@\s]+(/[^?#@\s]*)?$",
        }
    }

    /// Whether a text has this form.
    pub(crate) fn accepts(self, text: &str) -> bool {
        match self {
            Self::Dialect => DIALECTS.contains(&text),
            Self::Rule => !text.trim().is_empty() && !text.contains(['\n', '\r', '\0']),
            Self::Grant => {
                !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || ",\0".contains(c))
            }
            Self::UserAgent => {
                !text.is_empty() && text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
            }
            Self::Proxy => text.strip_prefix("http://").is_some_and(is_host_and_port),
            Self::FileName => !text.trim().is_empty() && !text.contains(['/', ',', '\0']),
            Self::Program => !text.is_empty() && !text.contains('\0'),
            Self::Argument => !text.contains('\0'),
            Self::Address => without_scheme(text).is_some_and(is_address),
            Self::Base => without_scheme(text)
                .is_some_and(|rest| is_address(rest) && !rest.contains(['?', '#', '@'])),
        }
    }

    /// What a text of this form is, in messages.
    pub(crate) fn expected(self) -> String {
        let text = match self {
            Self::Dialect => return format!("one of {}", DIALECTS.join(", ")),
            Self::Rule => "a pattern as in .gitignore, on one line",
            Self::Grant => {
                "a host such as `example.com`, `example.com:8080` or `*.example.com`, or `public`"
            }
            Self::UserAgent => "a text of visible ASCII characters and spaces",
            Self::Proxy => {
                "an address such as `http://proxy.example.com:3128`, without a user name or a password"
            }
            Self::FileName => "a file name, without `/` or `,`",
            Self::Program => "a program, by its name or path",
            Self::Argument => "a text",
            Self::Address => {
                "an address that starts with `https://` or `http://`, without a user name or a password"
            }
            Self::Base => {
                "an address such as `https://github.example.com/api/v3`, without a user name, a password or a query"
            }
        };
        text.to_owned()
    }

    /// Whether a text of this form may contain a secret, so that messages do not repeat it.
    pub(crate) fn is_secret(self) -> bool {
        matches!(self, Self::Proxy | Self::Address | Self::Argument)
    }
}

/// Whether a text is `HOST:PORT`, perhaps with a slash at its end.
fn is_host_and_port(text: &str) -> bool {
    let text = text.strip_suffix('/').unwrap_or(text);
    text.rsplit_once(':').is_some_and(|(host, port)| {
        let is_port = (1..=5).contains(&port.len()) && port.bytes().all(|b| b.is_ascii_digit());
        let is_outside = |c: char| c.is_whitespace() || "/@?#".contains(c);
        is_port && !host.is_empty() && !host.contains(is_outside)
    })
}

/// The rest of an address after its scheme.
fn without_scheme(text: &str) -> Option<&str> {
    let schemes = ["http://", "https://"];
    schemes.iter().find_map(|scheme| text.strip_prefix(scheme))
}

/// Whether a text is the rest of an address after its scheme.
fn is_address(text: &str) -> bool {
    let host = text.split(['/', '?', '#']).next().unwrap_or_default();
    !host.is_empty() && !host.contains('@') && !text.contains(char::is_whitespace)
}

/// The regular expression of sizes with a unit.
pub(crate) const SIZE: &str =
    r"^\s*([0-9]+ *[bB]?|[0-9]+(\.[0-9]+)? *[kKmMgGtT]([iI]?[bB]|[iI])?)\s*$";

/// The regular expression of times with a unit.
pub(crate) const TIME: &str =
    r"^\s*([0-9]+(\.[0-9]+)?|([0-9]+(\.[0-9]+)? *(ms|sec|s|min|m|h) *)+)\s*$";

/// The regular expression of headers.
pub(crate) const HEADER: &str = r"^[^=\u0000]+=[^=\u0000]+=([A-Za-z0-9-]+ )?(file|env):[^\u0000]+$";

/// The regular expression of paths.
pub(crate) const PATH: &str = r"^[^\u0000]+$";

/// The regular expression of the names of environment variables.
pub(crate) const VARIABLE: &str = r"^[^=\u0000]+$";

/// The regular expression of the names of servers.
pub(crate) const SERVER: &str = "^[A-Za-z0-9_-]+$";

/// The regular expression of schemes. A single letter is a drive letter.
pub(crate) const SCHEME: &str = "^[A-Za-z][A-Za-z0-9+.-]+$";

/// Whether a text is the name of a server.
pub(crate) fn is_server(text: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    !text.is_empty() && text.chars().all(part)
}

/// A size in bytes, of a text.
pub(crate) fn size(text: &str) -> Option<u64> {
    parse_size(text)
}

/// A switch of a file: `on` or `off`.
pub(crate) fn switch(text: &str) -> Option<bool> {
    matches!(text, "on" | "off")
        .then(|| parse_switch(text))
        .flatten()
}

impl Kind {
    /// What a value of this kind is, in messages.
    pub(crate) fn expected(&self) -> String {
        match self {
            Self::Text(form) => form.expected(),
            Self::Texts(form) => format!("a list; each element is {}", form.expected()),
            Self::Directory => "a directory, as a text".to_owned(),
            Self::Directories => "a list of directories, each a text".to_owned(),
            Self::Files => "a list of files, each a text".to_owned(),
            Self::Time => {
                "a time such as \"10s\", \"500ms\" or \"2m\", or a whole number of seconds"
                    .to_owned()
            }
            Self::Number(range) => format!("a number from {} to {}", range.start(), range.end()),
            Self::Size(range) if *range == (0..=u64::MAX) => {
                "a size such as \"500K\", \"1M\" or \"2G\", or a number of bytes".to_owned()
            }
            Self::Size(range) => {
                format!("a size from {} to {} bytes", range.start(), range.end())
            }
            Self::Switch => "true, false, \"on\" or \"off\"".to_owned(),
            Self::Headers => {
                "a list; each element is `HOST=NAME=file:PATH` or `HOST=NAME=env:VARIABLE`"
                    .to_owned()
            }
            Self::Mount => "a directory, or a list of directories".to_owned(),
            Self::Environment => "a table of names, each with a text".to_owned(),
        }
    }

    /// Whether a value of this kind may contain a secret, so that messages do not repeat it.
    pub(crate) fn is_secret(&self) -> bool {
        match self {
            Self::Headers | Self::Environment => true,
            Self::Text(form) | Self::Texts(form) => form.is_secret(),
            _ => false,
        }
    }
}
