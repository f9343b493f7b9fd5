//! What a client tells about itself: its name, and its roots.

// MCP 2026-07-28 deprecates roots. Clients still have them.
#![expect(deprecated, reason = "clients still have roots")]

use super::server::{Server, Structured};
use rmcp::RoleServer;
use rmcp::model::{
    InputRequest, InputRequiredResult, InputResponses, ListRootsRequest, ListRootsResult,
    ProtocolVersion,
};
use rmcp::service::{Peer, RequestContext};
use std::path::PathBuf;
use std::time::Duration;

/// The beginnings of the names of clients that show `structuredContent` to the model and drop the
/// text and the images. <https://github.com/anthropics/claude-code/issues/55677>,
/// <https://github.com/openai/codex/issues/38287>,
/// <https://github.com/anomalyco/opencode/pull/32868>
const DROP_CONTENT: [&str; 3] = ["claude-code", "codex", "opencode"];

/// The time in which a client has to answer a request for its roots.
const ANSWER: Duration = Duration::from_secs(5);

/// The maximum number of roots of a client. Each stays open as long as its session.
const ROOTS_LIMIT: usize = 64;

/// Whether a client gets `structuredContent`.
pub fn gets_structured(server: &Server, context: &RequestContext<RoleServer>) -> bool {
    match server.settings.structured {
        Structured::Always => true,
        Structured::Never => false,
        Structured::Auto => context.client_info().is_none_or(|client| {
            let name = client.name.to_ascii_lowercase();
            !DROP_CONTENT.iter().any(|start| name.starts_with(start))
        }),
    }
}

/// Whether a client describes itself once, when it connects. From version 2026-07-28 of the protocol
/// on, each request describes its client.
pub fn is_described_once(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|version| version < ProtocolVersion::V_2026_07_28)
}

/// Whether a client can be asked for its roots.
pub fn has_roots(context: &RequestContext<RoleServer>) -> bool {
    let capabilities = context.client_capabilities();
    capabilities.is_some_and(|client| client.roots.is_some())
}

/// Asks a client for its roots. Returns the directories among them. Only versions of the protocol
/// before 2026-07-28 have requests from the server to the client.
///
/// # Errors
/// Fails if the client does not answer, or answers with an error.
pub async fn roots(peer: &Peer<RoleServer>) -> Result<Vec<PathBuf>, String> {
    let answer = tokio::time::timeout(ANSWER, peer.list_roots()).await;
    let answer = answer
        .map_err(|_| format!("no answer within {} s", ANSWER.as_secs()))?
        .map_err(|error| error.to_string())?;
    Ok(directories(&answer))
}

/// The name of the answer with the roots of a client.
const ROOTS: &str = "roots";

/// A result that makes a client send its request again, with its roots.
pub fn roots_required() -> InputRequiredResult {
    let request = InputRequest::ListRoots(ListRootsRequest::default());
    InputRequiredResult::from_input_requests([(ROOTS.to_owned(), request)].into())
}

/// The directories among the roots that a client has sent with its request. `None` if it has not
/// sent them.
///
/// # Errors
/// Fails if the client has sent something else.
pub fn sent_roots(answers: Option<&InputResponses>) -> Option<Result<Vec<PathBuf>, String>> {
    let answer = answers?.get(ROOTS)?.clone();
    let answer = serde_json::from_value(answer);
    Some(
        answer
            .map_err(|error| error.to_string())
            .map(|answer| directories(&answer)),
    )
}

fn directories(answer: &ListRootsResult) -> Vec<PathBuf> {
    let roots = answer.roots.iter().take(ROOTS_LIMIT);
    roots.filter_map(|root| directory(&root.uri)).collect()
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
