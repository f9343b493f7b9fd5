//! The servers that a user configured.

use super::limits;
use http::{HeaderName, HeaderValue, Uri};
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// How a server is reached.
#[derive(Clone)]
pub enum Reach {
    /// A program that the client starts. Messages are lines of its standard input and output.
    Program {
        /// The program: a path, or a name that is searched for in `PATH`. A relative path starts in the
        /// working directory of the program.
        program: OsString,
        /// Its arguments.
        arguments: Vec<OsString>,
        /// Its environment. Of the client's own environment, it has only the variables in
        /// [`INHERITED`], unless they are set here.
        environment: Vec<(OsString, OsString)>,
        /// Its working directory. Without one, the home directory, or `/` if there is none. It is never that of
        /// this process, in which others may have put files that a program such as `npx` runs.
        directory: Option<PathBuf>,
    },
    /// A server that cannot be reached. Contains the reason, such as a secret that is not found.
    Nowhere(String),
    /// A server over streamable HTTP.
    Http {
        /// The address of its endpoint.
        uri: Uri,
        /// Headers of all requests, such as a token.
        headers: Vec<(HeaderName, HeaderValue)>,
    },
}

/// The variables that a program has from the environment of this process. It is found by `PATH`, and
/// keeps its files below `HOME`. Windows starts no program without `SystemRoot`.
pub const INHERITED: [&str; 3] = ["PATH", "HOME", "SystemRoot"];

/// A server.
#[derive(Clone)]
pub struct Server {
    /// Its name: the first part of the URLs of its resources.
    pub name: String,
    /// How it is reached.
    pub reach: Reach,
    /// The time in which it must have started.
    pub start: Duration,
    /// The time for the answer to one request.
    pub request: Duration,
}

impl Server {
    /// A server with the default times.
    pub fn new(name: impl Into<String>, reach: Reach) -> Self {
        Self {
            name: name.into(),
            reach,
            start: limits::START,
            request: limits::REQUEST,
        }
    }
}

/// Whether a server may have a name: it consists of letters, digits, `-`, `_` and `.`, does not begin
/// with a dot, and has at most 64 characters. No such name is the start of a URI with a scheme.
pub fn is_name(name: &str) -> bool {
    (1..=limits::NAME).contains(&name.len())
        && !name.starts_with('.')
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

// Values of the environment and of headers may be secret.
impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Server");
        debug.field("name", &self.name);
        match &self.reach {
            Reach::Program { program, .. } => debug.field("program", program),
            Reach::Http { uri, .. } => debug.field("host", &uri.host()),
            Reach::Nowhere(why) => debug.field("why", why),
        };
        debug.finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_servers_are_one_word() {
        for name in ["everything", "a", "a-b_c.1", "9p", "_a"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "a b", "a/b", "file:", ".a", "ä", &"a".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
    }
}
