//! Tool calls that need nothing of the protocol except progress notifications and a response.
//!
//! The service of rmcp passes each request through several tasks. That takes several times as long
//! as a small read. So a client on standard input does not go through it once a call of a client
//! with the same description has gone through it. All other requests do.

use super::reader::{Form, Read, Session};
use rmcp::model::RequestId;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::sync::Arc;

/// A call of the tool.
pub struct Call {
    /// The id of the request.
    pub id: RequestId,
    /// The read of the call.
    pub read: Arc<dyn Read>,
    /// The token of progress notifications, as JSON, if the client has asked for them.
    pub progress: Option<Box<RawValue>>,
    /// Whether the result has the field `resultType`, which version 2026-07-28 of the protocol
    /// requires and earlier ones do not have.
    pub result_type: bool,
}

/// How a client describes itself in a request: the JSON of the fields of `_meta` that do so. They are
/// absent in versions of the protocol before 2026-07-28, in which a client describes itself once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    fields: [Option<Box<str>>; 3],
    /// The name of the generation, which the service of rmcp passes to the session.
    generation: Option<Box<str>>,
}

/// What is needed for the calls of a client that do not go through the service of rmcp.
#[derive(Clone)]
pub struct Quick {
    /// The session of the client.
    pub session: Arc<dyn Session>,
    /// The description of the client in each call.
    pub description: Description,
    /// The form of the results.
    pub form: Form,
}

/// A request with the fields of a tool call, and no others.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request<'l> {
    #[serde(borrow)]
    jsonrpc: Cow<'l, str>,
    /// The id of the request.
    pub id: RequestId,
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
    #[serde(borrow, default, rename = "_meta")]
    meta: Meta<'l>,
}

/// The fields of `_meta` that matter. Clients add others of their own.
#[derive(Default, Deserialize)]
struct Meta<'l> {
    #[serde(borrow, rename = "progressToken")]
    progress: Option<&'l RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'l RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientInfo")]
    info: Option<&'l RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<&'l RawValue>,
    #[serde(borrow, rename = "omniread/session")]
    session: Option<&'l RawValue>,
    #[serde(borrow, rename = "omniread/generation")]
    generation: Option<&'l RawValue>,
}

impl<'l> Request<'l> {
    /// Parses a line. Returns `None` if it does not have exactly the fields of a tool call.
    pub fn parse(line: &'l [u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }

    /// How the request describes its client.
    pub fn description(&self) -> Description {
        let Meta {
            version,
            info,
            capabilities,
            generation,
            ..
        } = self.params.meta;
        let fields = [version, info, capabilities];
        Description {
            fields: fields.map(|field| field.map(|json| json.get().into())),
            generation: generation.map(|json| json.get().into()),
        }
    }

    /// The arguments of the call.
    pub fn arguments(&self) -> Value {
        serde_json::from_str(self.params.arguments.get()).unwrap_or_default()
    }

    /// The call of the tool with this name. Returns `None` if the request is something else, or
    /// describes its client differently.
    pub fn call(&self, tool: &str, known: &Quick) -> Option<Call> {
        let Parameters {
            name,
            arguments,
            meta,
        } = &self.params;
        let is_call = self.jsonrpc == "2.0"
            && self.method == "tools/call"
            && name == tool
            && arguments.get().starts_with('{')
            // The session of the connection is the only one here.
            && meta.session.is_none()
            && self.description() == known.description;
        is_call.then(|| Call {
            id: self.id.clone(),
            read: known.session.call(arguments.get(), known.form),
            progress: meta.progress.map(ToOwned::to_owned),
            result_type: known.description.fields.iter().any(Option::is_some),
        })
    }
}
