//! Tool calls that need nothing of the protocol except a response.
//!
//! The service of rmcp passes each request through several tasks. That takes twice as long as a
//! small read. So a client on standard input does not go through it once the server knows what
//! it may read. All other requests do: the first call, calls with a progress token, and calls in
//! versions of the protocol in which each request describes its client.

use super::client_state::ClientState;
use super::{Read, Server};
use rmcp::model::RequestId;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::sync::Arc;

/// A call of the tool.
pub struct Call {
    /// The id of the request.
    pub id: RequestId,
    /// The read of the call.
    pub read: Arc<dyn Read>,
}

/// A request with these fields, and no others.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message<'l> {
    #[serde(borrow)]
    jsonrpc: Cow<'l, str>,
    id: RequestId,
    #[serde(borrow)]
    method: Cow<'l, str>,
    #[serde(borrow)]
    params: Parameters<'l>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters<'l> {
    #[serde(borrow)]
    name: Cow<'l, str>,
    #[serde(borrow)]
    arguments: &'l RawValue,
}

impl Call {
    /// Parses a line. Returns `None` if it is something else than a call of the tool by a known
    /// client.
    pub fn parse(line: &[u8], server: &Server, client: &ClientState) -> Option<Self> {
        let (session, structured) = client.quick()?;
        let message: Message<'_> = serde_json::from_slice(line).ok()?;
        let arguments = message.params.arguments.get();
        let is_call = message.jsonrpc == "2.0"
            && message.method == "tools/call"
            && message.params.name == server.tool.name
            && arguments.starts_with('{');
        is_call.then(|| Self {
            id: message.id,
            read: session.call(arguments, structured),
        })
    }
}
