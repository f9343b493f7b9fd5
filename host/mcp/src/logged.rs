//! A handler whose requests are logged.

// MCP 2026-07-28 deprecates logging and subscriptions to resources. Clients of earlier versions
// have them.
#![expect(deprecated, reason = "clients of earlier versions have these requests")]

use super::client;
use super::handler::Handler;
use super::request_log::{self, Request, Running, short};
use super::server::Server;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
    CustomResult, DiscoverResult, ErrorData, GetPromptRequestParams, GetPromptResponse,
    GetSkillRequestParams, GetSkillResult, InitializeRequestParams, InitializeResult,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceDirectoryRequestParams,
    ReadResourceDirectoryResult, ReadResourceRequestParams, ReadResourceResponse, ServerConfig,
    SetLevelRequestParams, SubscribeRequestParams, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;
use std::sync::{Arc, OnceLock};

/// A handler whose requests are logged and counted, if there is a log or if there are metrics.
pub struct Logged {
    handler: Handler,
    server: Arc<Server>,
    /// The number of the session in this process, once it is known that there is one.
    session: OnceLock<u64>,
}

impl Logged {
    /// Creates a handler for the requests of a session, or for one request that may have none.
    pub fn new(handler: Handler, server: Arc<Server>, has_session: bool) -> Self {
        let session = OnceLock::new();
        if has_session {
            session.get_or_init(|| server.next_session());
        }
        Self {
            handler,
            server,
            session,
        }
    }

    /// Begins a request, which is logged and counted when the value is dropped.
    fn begin(
        &self,
        method: &'static str,
        parameters: &impl Parameters,
        context: &mut RequestContext<RoleServer>,
    ) -> Option<Running> {
        // From version 2026-07-28 of the protocol on, requests over HTTP have no session.
        if method == "initialize" || client::is_described_once(context) {
            self.session.get_or_init(|| self.server.next_session());
        }
        let token = context.ct.clone();
        let mut running = self.server.begin(|is_logged| Request {
            kind: method,
            session: self.session.get().copied(),
            client: parameters.client().or_else(|| client::name(context)),
            method: short(parameters.method().unwrap_or(method)),
            parameters: if is_logged {
                parameters.logged()
            } else {
                Value::Null
            },
        })?;
        running.cancelled_if(move || token.is_cancelled());
        context.extensions.insert(running.measured());
        Some(running)
    }
}

/// Ends a request with its outcome.
fn end<T: Outcome>(running: Option<Running>, result: &Result<T, ErrorData>) {
    if let Some(mut running) = running {
        match result {
            Ok(result) => running.end(result.outcome()),
            Err(error) => running.fail(error),
        }
    }
}

/// The parameters of a request, as far as they are logged.
trait Parameters {
    /// What the request reads.
    fn logged(&self) -> Value {
        Value::Null
    }

    /// The method, if the parameters have it.
    fn method(&self) -> Option<&str> {
        None
    }

    /// The client, if the parameters have it.
    fn client(&self) -> Option<String> {
        None
    }
}

impl Parameters for CallToolRequestParams {
    fn logged(&self) -> Value {
        let arguments = self.arguments.clone().unwrap_or_default();
        request_log::arguments(&self.name, &Value::Object(arguments))
    }
}

impl Parameters for ReadResourceRequestParams {
    fn logged(&self) -> Value {
        request_log::resource(&self.uri)
    }
}

impl Parameters for GetSkillRequestParams {
    fn logged(&self) -> Value {
        request_log::resource(&self.uri)
    }
}

impl Parameters for ReadResourceDirectoryRequestParams {
    fn logged(&self) -> Value {
        request_log::resource(&self.uri)
    }
}

impl Parameters for CustomRequest {
    fn method(&self) -> Option<&str> {
        Some(&self.method)
    }
}

impl Parameters for InitializeRequestParams {
    fn client(&self) -> Option<String> {
        Some(client::label(&self.client_info))
    }
}

/// The result of a request.
trait Outcome {
    /// The outcome that is logged.
    fn outcome(&self) -> &'static str {
        "ok"
    }
}

impl Outcome for CallToolResponse {
    fn outcome(&self) -> &'static str {
        match self {
            Self::Complete(result) if result.is_error == Some(true) => "failed",
            Self::InputRequired(_) => "roots_requested",
            _ => "ok",
        }
    }
}

impl Outcome for ReadResourceResponse {
    fn outcome(&self) -> &'static str {
        match self {
            Self::InputRequired(_) => "roots_requested",
            _ => "ok",
        }
    }
}

macro_rules! defaults {
    ($trait:ident: $($type:ty),* $(,)?) => { $(impl $trait for $type {})* };
}

defaults!(
    Parameters: (),
    CompleteRequestParams,
    GetPromptRequestParams,
    Option<PaginatedRequestParams>,
    SetLevelRequestParams,
    SubscribeRequestParams,
    UnsubscribeRequestParams,
);
defaults!(
    Outcome: (),
    CompleteResult,
    CustomResult,
    DiscoverResult,
    GetPromptResponse,
    GetSkillResult,
    InitializeResult,
    ListPromptsResult,
    ListResourceTemplatesResult,
    ListResourcesResult,
    ListSkillsResult,
    ListToolsResult,
);

/// The methods of a handler that answer requests: each is logged, and passed on.
macro_rules! requests {
    ($($name:ident($request:ty) -> $result:ty: $method:literal,)*) => { $(
        async fn $name(
            &self,
            request: $request,
            mut context: RequestContext<RoleServer>,
        ) -> Result<$result, ErrorData> {
            let running = self.begin($method, &request, &mut context);
            let result = self.handler.$name(request, context).await;
            end(running, &result);
            result
        }
    )* };
}

impl ServerHandler for Logged {
    requests! {
        initialize(InitializeRequestParams) -> InitializeResult: "initialize",
        complete(CompleteRequestParams) -> CompleteResult: "completion/complete",
        set_level(SetLevelRequestParams) -> (): "logging/setLevel",
        get_prompt(GetPromptRequestParams) -> GetPromptResponse: "prompts/get",
        list_prompts(Option<PaginatedRequestParams>) -> ListPromptsResult: "prompts/list",
        list_resources(Option<PaginatedRequestParams>) -> ListResourcesResult: "resources/list",
        list_resource_templates(Option<PaginatedRequestParams>) -> ListResourceTemplatesResult:
            "resources/templates/list",
        read_resource(ReadResourceRequestParams) -> ReadResourceResponse: "resources/read",
        subscribe(SubscribeRequestParams) -> (): "resources/subscribe",
        unsubscribe(UnsubscribeRequestParams) -> (): "resources/unsubscribe",
        list_skills(Option<PaginatedRequestParams>) -> ListSkillsResult: "skills/list",
        get_skill(GetSkillRequestParams) -> GetSkillResult: "skills/get",
        read_resource_directory(ReadResourceDirectoryRequestParams) -> ReadResourceDirectoryResult:
            "resources/directory/read",
        call_tool(CallToolRequestParams) -> CallToolResponse: "tools/call",
        list_tools(Option<PaginatedRequestParams>) -> ListToolsResult: "tools/list",
        on_custom_request(CustomRequest) -> CustomResult: "other",
    }

    async fn ping(&self, mut context: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        let running = self.begin("ping", &(), &mut context);
        let result = self.handler.ping(context).await;
        end(running, &result);
        result
    }

    async fn discover(
        &self,
        mut context: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        let running = self.begin("server/discover", &(), &mut context);
        let result = self.handler.discover(context).await;
        end(running, &result);
        result
    }

    fn get_info(&self) -> ServerConfig {
        self.handler.get_info()
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.handler.get_tool(name)
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        self.handler.on_roots_list_changed(context).await;
    }
}
