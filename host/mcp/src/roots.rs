//! The roots of a client, and the directories that it may read with them.

// MCP 2026-07-28 deprecates roots. Clients still have them.
#![expect(deprecated, reason = "clients still have roots")]

use super::client;
use super::reader::Reader;
use super::server::Server;
use rmcp::RoleServer;
use rmcp::model::{
    InputRequest, InputRequiredResult, InputResponses, ListRootsRequest, ListRootsResult,
};
use rmcp::service::{Peer, RequestContext};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The time in which a client has to answer a request for its roots.
const ANSWER: Duration = Duration::from_secs(5);

/// The maximum number of roots of a client. Each stays open as long as its session.
const ROOTS_LIMIT: usize = 64;

/// The maximum number of roots that a message names.
const NAMED_ROOTS: usize = 3;

/// The name of the answer with the roots of a client.
const ROOTS: &str = "roots";

/// The roots that a client has sent.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Roots {
    /// Those that are directories of this machine.
    directories: Vec<PathBuf>,
    /// Whether it has sent no roots at all.
    is_empty: bool,
}

/// What a client may read.
pub struct Granted {
    /// The reader with its directories.
    pub reader: Arc<dyn Reader>,
    /// The reason why its roots have no effect, if so.
    pub unused: Option<Unused>,
}

/// The reason why the roots of a client have no effect.
pub struct Unused {
    /// A note for the model.
    pub note: String,
    /// A message for the person who has set up the client.
    pub message: String,
}

/// The roots of a client, which is asked for them if necessary. `None` if it does not support roots.
/// `answers` are those that the client has sent with its request.
///
/// # Errors
/// Returns the result that requests the roots, if only a result can request them.
pub async fn of_client(
    context: &RequestContext<RoleServer>,
    answers: Option<&InputResponses>,
) -> Result<Option<Result<Roots, String>>, InputRequiredResult> {
    let capabilities = context.client_capabilities();
    if capabilities.is_none_or(|client| client.roots.is_none()) {
        return Ok(None);
    }
    if client::is_described_once(context) {
        return Ok(Some(asked(&context.peer).await));
    }
    sent(answers).map(Some).ok_or_else(required)
}

/// Asks a client for its roots. Only versions of the protocol before 2026-07-28 have requests from
/// the server to the client.
///
/// # Errors
/// Fails if the client does not answer, or answers with an error.
async fn asked(peer: &Peer<RoleServer>) -> Result<Roots, String> {
    let answer = tokio::time::timeout(ANSWER, peer.list_roots()).await;
    let answer = answer
        .map_err(|_| format!("no answer within {} s", ANSWER.as_secs()))?
        .map_err(|error| error.to_string())?;
    Ok(roots(&answer))
}

/// A result that makes a client send its request again, with its roots.
fn required() -> InputRequiredResult {
    let request = InputRequest::ListRoots(ListRootsRequest::default());
    InputRequiredResult::from_input_requests([(ROOTS.to_owned(), request)].into())
}

/// The roots that a client has sent with its request. `None` if it has not sent them.
///
/// # Errors
/// Fails if the client has sent something else.
fn sent(answers: Option<&InputResponses>) -> Option<Result<Roots, String>> {
    let answer = answers?.get(ROOTS)?.clone();
    let answer = serde_json::from_value(answer);
    Some(
        answer
            .map_err(|error| error.to_string())
            .map(|answer| roots(&answer)),
    )
}

fn roots(answer: &ListRootsResult) -> Roots {
    let directories = answer.roots.iter().take(ROOTS_LIMIT);
    Roots {
        directories: directories
            .filter_map(|root| directory(&root.uri))
            .collect(),
        is_empty: answer.roots.is_empty(),
    }
}

/// The path of a `file:` URI on this machine.
fn directory(uri: &str) -> Option<PathBuf> {
    let scheme = uri.get(..7)?;
    if !scheme.eq_ignore_ascii_case("file://") {
        return None;
    }
    let path = uri.get(7..)?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    if !path.starts_with('/') {
        return None;
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes().iter();
    while let Some(byte) = rest.next() {
        match byte {
            b'?' | b'#' => break,
            b'%' => {
                let digits = [*rest.next()?, *rest.next()?];
                let digits = std::str::from_utf8(&digits).ok()?;
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
            }
            byte => bytes.push(*byte),
        }
    }
    let path = String::from_utf8(bytes).ok()?;
    // `file:///C:/a` on Windows.
    let drive = path.get(1..).filter(|path| path.get(1..2) == Some(":"));
    Some(match drive {
        Some(drive) if cfg!(windows) => drive.into(),
        _ => path.into(),
    })
}

/// What a client with these roots may read. Its roots narrow those of the server, or replace them if
/// the settings say so. If nothing is left then, they have no effect: a client that has no roots, or
/// others than its user granted on the command line, could not read anything.
pub async fn granted(server: &Arc<Server>, roots: Result<Roots, String>) -> Granted {
    let roots = match roots {
        Ok(roots) => roots,
        Err(error) => {
            let reason = "The client did not send its roots".to_owned();
            return unused(server, &reason, &format!("{reason}: {error}"), None);
        }
    };
    let (is_empty, replaces) = (roots.is_empty, server.settings.roots_from_client);
    // Directories may be on a network file system that does not respond.
    let opening = Arc::clone(server);
    let open = move || {
        if opening.settings.roots_from_client {
            opening.reader.with_roots(&roots.directories)
        } else {
            opening.reader.narrowed(&roots.directories)
        }
    };
    let Some(reader) = server.run(open).await else {
        // The call has panicked.
        return Granted {
            reader: server.reader.narrowed(&[]),
            unused: None,
        };
    };
    if !reader.roots().is_empty() {
        return Granted {
            reader,
            unused: None,
        };
    }
    let (reason, hint) = match (is_empty, replaces) {
        (true, _) => ("This client has no roots", None),
        (false, true) => ("No root of this client can be opened", None),
        (false, false) => (
            "No root of this client is in the roots of the server",
            Some(
                "start omniread with the directories of the client, or with `--roots-from-client`",
            ),
        ),
    };
    unused(server, reason, reason, hint)
}

/// The roots of the server, because those of the client have no effect. `detail` is the reason with
/// text of the client, which the model does not get.
fn unused(server: &Server, reason: &str, detail: &str, hint: Option<&str>) -> Granted {
    let effect = format!("reads use those of the server: {}", named(&*server.reader));
    let hint = hint.map_or_else(String::new, |hint| format!("\nhint: {hint}"));
    Granted {
        reader: Arc::clone(&server.reader),
        unused: Some(Unused {
            note: format!("{reason}; {effect}"),
            message: format!("{detail}; {effect}{hint}"),
        }),
    }
}

/// The roots of a reader as text. Control characters are left out, since the text is one line.
pub fn named(reader: &dyn Reader) -> String {
    let roots = reader.roots();
    let mut names: Vec<String> = roots
        .iter()
        .take(NAMED_ROOTS)
        .map(|root| root.chars().filter(|c| !c.is_control()).collect())
        .collect();
    match roots.len().saturating_sub(NAMED_ROOTS) {
        0 => {}
        more => names.push(format!("and {more} more")),
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_uris_are_paths() {
        let path = |uri| directory(uri).and_then(|path| path.to_str().map(str::to_owned));
        assert_eq!(path("file:///a/b%20c").as_deref(), Some("/a/b c"));
        assert_eq!(path("FILE://localhost/a?x#y").as_deref(), Some("/a"));
        for uri in [
            "file://host/a",
            "https://host/a",
            "file:///a%2",
            "file:///%ff",
            "",
            "file",
        ] {
            assert_eq!(path(uri), None, "{uri}");
        }
    }
}
