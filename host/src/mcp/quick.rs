//! Tool calls that need nothing of the protocol except a response.
//!
//! The service of rmcp passes each request through several tasks. That takes twice as long as a
//! small read, so that a client on standard input does not go through it once the server knows what
//! it may read. All other requests do: the first call, calls with a progress token, and calls in
//! versions of the protocol in which each request describes its client.

use super::access::Known;
use super::{Server, result};
use crate::service::Output;
use crate::{CancelToken, Session};
use rmcp::model::{JsonRpcMessage, RequestId, ServerJsonRpcMessage, ServerResult};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A call of the tool.
pub struct Call {
    /// The id of the request.
    pub id: RequestId,
    arguments: String,
    session: Session,
    structured: bool,
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
    pub fn parse(line: &[u8], server: &Server, known: &Known) -> Option<Self> {
        let (session, structured) = known.quick()?;
        let message: Message<'_> = serde_json::from_slice(line).ok()?;
        let arguments = message.params.arguments.get();
        let is_call = message.jsonrpc == "2.0"
            && message.method == "tools/call"
            && message.params.name == server.tool.name
            && arguments.starts_with('{');
        is_call.then(|| Self {
            id: message.id,
            arguments: arguments.to_owned(),
            session,
            structured,
        })
    }

    /// Runs the call. `alone` means that no other request waits. Returns the response, or `None` if
    /// the read panics.
    pub async fn run(
        self,
        server: &Server,
        output: &Output,
        token: &CancelToken,
        alone: bool,
    ) -> Option<ServerJsonRpcMessage> {
        let session = self.session.with_cancel(token);
        let dialect = server.settings.dialect;
        let options = server.settings.options.clone();
        let (arguments, output) = (self.arguments, output.clone());
        let read = move || {
            output.wait_for_room();
            session.call(dialect, &arguments, &options)
        };
        let outcome = server.runner.run(alone, read).await?;
        let mut result = result::convert(outcome, self.structured);
        // Only later versions of the protocol have this field.
        result.result_type = None;
        let result = ServerResult::CallToolResult(result);
        Some(JsonRpcMessage::response(result, self.id))
    }
}
