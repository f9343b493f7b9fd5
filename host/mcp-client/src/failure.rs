//! The reasons why the client has no answer.

use super::limits;
use std::fmt;
use std::time::Duration;

/// What a server was waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Its start: the first answer.
    Start,
    /// The answer to a request.
    Answer,
}

/// Why the client has no answer. The text names the server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// No resource has the URI. Contains URLs of similar ones.
    NotFound(Vec<String>),
    /// The program of a server cannot be started.
    Program {
        /// The name of the server.
        server: String,
        /// The program.
        program: String,
        /// The reason.
        why: String,
    },
    /// The configuration of a server cannot be used.
    Configuration {
        /// The name of the server.
        server: String,
        /// The reason.
        why: String,
    },
    /// A server did not answer in time.
    Late {
        /// The name of the server.
        server: String,
        /// What it was waited for.
        step: Step,
        /// The time.
        limit: Duration,
        /// The messages of other kinds that it sent meanwhile.
        others: u64,
        /// The end of its standard error.
        stderr: String,
    },
    /// The connection to a server has ended.
    Ended {
        /// The name of the server.
        server: String,
        /// How it ended.
        why: String,
        /// The end of its standard error.
        stderr: String,
    },
    /// A server that ended a moment ago is not started again yet.
    Waiting {
        /// The name of the server.
        server: String,
        /// The time until it can be started again.
        left: Duration,
        /// Why it ended.
        why: String,
    },
    /// A server answered with an error.
    Refused {
        /// The name of the server.
        server: String,
        /// The code of JSON-RPC.
        code: i64,
        /// The message.
        message: String,
    },
    /// An answer does not have the form that MCP prescribes.
    Form {
        /// The name of the server.
        server: String,
        /// What is wrong.
        what: String,
    },
    /// A resource is larger than the limit.
    Large {
        /// The name of the server.
        server: String,
        /// The limit in bytes.
        limit: usize,
    },
    /// The read was cancelled.
    Cancelled,
    /// The client cannot run.
    Client(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quote = |f: &mut fmt::Formatter<'_>, stderr: &str| match stderr {
            "" => Ok(()),
            _ => write!(f, "; its standard error ends with: {stderr}"),
        };
        match self {
            Self::NotFound(_) => f.write_str("no MCP server has the resource"),
            Self::Program {
                server,
                program,
                why,
            } => write!(
                f,
                "cannot start the MCP server `{server}`: `{program}`: {why}"
            ),
            Self::Configuration { server, why } => {
                write!(f, "cannot use the MCP server `{server}`: {why}")
            }
            Self::Late {
                server,
                step,
                limit,
                others,
                stderr,
            } => {
                let what = match step {
                    Step::Start => "has not started",
                    Step::Answer => "did not answer",
                };
                let seconds = limit.as_secs_f64();
                write!(f, "the MCP server `{server}` {what} within {seconds} s")?;
                if *others > 0 {
                    write!(f, ", but sent {others} other messages")?;
                }
                quote(f, stderr)
            }
            Self::Ended {
                server,
                why,
                stderr,
            } => {
                write!(f, "the MCP server `{server}` failed: {why}")?;
                quote(f, stderr)
            }
            Self::Waiting { server, left, why } => write!(
                f,
                "the MCP server `{server}` is not started again for {} s: {why}",
                left.as_secs().saturating_add(1)
            ),
            Self::Refused {
                server,
                code,
                message,
            } => write!(
                f,
                "the MCP server `{server}` refused the request: {message} (error {code})"
            ),
            Self::Form { server, what } => {
                write!(
                    f,
                    "the answer of the MCP server `{server}` is wrong: {what}"
                )
            }
            Self::Large { server, limit } => write!(
                f,
                "the resource of the MCP server `{server}` is larger than the limit of {} MiB",
                limit >> 20
            ),
            Self::Cancelled => f.write_str("cancelled"),
            Self::Client(why) => write!(f, "cannot run the MCP client: {why}"),
        }
    }
}

impl std::error::Error for Failure {}

/// A text of a server in one line, with hidden characters escaped, and at most `most` characters: the first
/// ones.
pub fn one_line(text: &str, most: usize) -> String {
    let mut line = String::new();
    let mut count = 0_usize;
    for word in text.split_whitespace() {
        let space = usize::from(!line.is_empty());
        for c in (0..space).map(|_| ' ').chain(word.chars()) {
            if count >= most {
                line.push('…');
                return line;
            }
            count = count.saturating_add(1);
            push_visible(&mut line, c);
        }
    }
    line
}

/// The end of a text of a server, in one line, with at most [`limits::QUOTED`] characters.
pub fn last_line(text: &str) -> String {
    let count = text.chars().count();
    let skipped = count.saturating_sub(limits::QUOTED);
    let end: String = text.chars().skip(skipped).collect();
    let line = one_line(&end, limits::QUOTED);
    match skipped {
        0 => line,
        _ => format!("…{line}"),
    }
}

/// Adds a character. Control characters and those without width are written as `⟨U+202E⟩`.
fn push_visible(line: &mut String, c: char) {
    let is_hidden = c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{feff}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}');
    if is_hidden {
        line.push_str(&format!("⟨U+{:04X}⟩", u32::from(c)));
    } else {
        line.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_servers_are_one_line_without_hidden_characters() {
        assert_eq!(one_line(" a\n\tb\u{1b}[31m ", 20), "a b⟨U+001B⟩[31m");
        assert_eq!(one_line("abcdef", 3), "abc…");
        assert_eq!(one_line("a\u{202e}b", 9), "a⟨U+202E⟩b");
        let long = "x".repeat(limits::QUOTED + 1);
        assert!(last_line(&long).starts_with('…'));
        assert_eq!(last_line("one\ntwo"), "one two");
    }
}
