//! The requests of one client.

// MCP 2026-07-28 deprecates roots and logging. Clients of earlier versions have them.
#![expect(
    deprecated,
    reason = "clients of earlier versions have roots and logging"
)]

use super::client_state::{ClientState, Grant};
use super::handles::{self, Argument, Chosen};
use super::log::Level;
use super::reader::{Read, ReadError, Reader, SkillRequest};
use super::request_log::Measured;
use super::roots::{self, Granted};
use super::server::Server;
use super::watch::{CancelOnDrop, Watch};
use super::{client, resources, skills};
use omniread_service::Output;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    ContentBlock, CustomRequest, CustomResult, ErrorCode, ErrorData, GetSkillRequestParams,
    GetSkillResult, Implementation, InputRequiredResult, InputResponses,
    ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult, ListToolsResult,
    LoggingLevel, PaginatedRequestParams, ReadResourceDirectoryRequestParams,
    ReadResourceDirectoryResult, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, ResultType, ServerCapabilities, ServerConfig, SetLevelRequestParams, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::Mutex;

/// The requests of one client.
pub struct Handler {
    server: Arc<Server>,
    /// The output, if the transport has one. No read starts while it is full.
    output: Option<Output>,
    client: ClientState,
    level: Level,
    /// Locked while the client is asked for its roots.
    asking: Mutex<()>,
}

impl Handler {
    /// Creates the handler of a client that has not read anything.
    pub fn new(server: Arc<Server>, output: Option<Output>, client: ClientState) -> Self {
        Self {
            server,
            output,
            client,
            level: Level::default(),
            asking: Mutex::default(),
        }
    }

    /// What the client may read. Its roots are requested when it reads for the first time, and
    /// after it has changed them. `answers` are those that the client has sent with its request.
    ///
    /// # Errors
    /// Returns the result that requests the roots, if only a result can request them.
    async fn grant(
        &self,
        context: &RequestContext<RoleServer>,
        answers: Option<&InputResponses>,
    ) -> Result<Grant, InputRequiredResult> {
        if let (Some(grant), _) = self.client.grant() {
            return Ok(grant);
        }
        let _asking = self.asking.lock().await;
        let (grant, changes) = self.client.grant();
        if let Some(grant) = grant {
            return Ok(grant);
        }
        let Granted { reader, unused } = match roots::of_client(context, answers).await? {
            Some(roots) => roots::granted(&self.server, roots).await,
            None => Granted {
                reader: Arc::clone(&self.server.reader),
                unused: None,
            },
        };
        if let Some(unused) = &unused {
            self.warn(context, &unused.message).await;
        }
        let grant = Grant {
            session: reader.session(),
            note: unused.map(|unused| unused.note.into()),
            reader,
        };
        self.client.set_grant(&grant, changes);
        Ok(grant)
    }

    /// The reader for lists of resources and completions, for which roots cannot always be
    /// requested. While those of the client are not known, it has the roots of the server, unless
    /// those of the client will replace them.
    async fn listing(&self, context: &RequestContext<RoleServer>) -> Arc<dyn Reader> {
        match self.grant(context, None).await {
            Ok(grant) => grant.reader,
            Err(_) if self.server.settings.roots_from_client => self.server.reader.narrowed(&[]),
            Err(_) => Arc::clone(&self.server.reader),
        }
    }

    /// The note of a grant, once in a session.
    fn note(&self, context: &RequestContext<RoleServer>, grant: &Grant) -> Option<Arc<str>> {
        let note = self.client.note(grant)?;
        // Over HTTP, clients have no session from version 2026-07-28 of the protocol on.
        let has_session = self.output.is_some() || client::is_described_once(context);
        let is_first = has_session || self.server.is_first_note(client::name(context), &note);
        is_first.then_some(note)
    }

    async fn warn(&self, context: &RequestContext<RoleServer>, message: &str) {
        let level = LoggingLevel::Warning;
        self.level.send(&context.peer, level, json!(message)).await;
    }

    /// Runs a read of a request of this size, and parses its result. The read is cancelled if the
    /// client cancels the request, or if the session ends.
    ///
    /// # Errors
    /// Fails if the read fails with something else than a result.
    async fn run<T: DeserializeOwned>(
        &self,
        context: &RequestContext<RoleServer>,
        read: Arc<dyn Read>,
        bytes: usize,
    ) -> Result<T, ErrorData> {
        let watch = Watch::start(context.clone(), Arc::clone(&read));
        let cancel = CancelOnDrop(Arc::clone(&read));
        let output = self.output.clone();
        // Over standard input, no more requests are read when too many wait.
        let waiting = &self.server.waiting;
        let place = match output {
            Some(_) => waiting.enter(0),
            None => waiting.try_enter(bytes).ok_or_else(|| {
                ErrorData::internal_error("too many requests wait; try again later", None)
            })?,
        };
        let metrics = self.server.metrics().cloned();
        let run = move || {
            if let Some(output) = output {
                output.wait_for_room();
            }
            let outcome = read.run();
            if let (Some(metrics), Some(seen)) = (metrics, read.seen()) {
                metrics.read(seen);
            }
            drop(place);
            outcome
        };
        let outcome: Option<Result<String, ReadError>> = self.server.run(run).await;
        drop((watch, cancel));
        if let (Some(Ok(result)), Some(measured)) = (&outcome, context.extensions.get::<Measured>())
        {
            measured.set(result.len());
        }
        let failed = || ErrorData::internal_error("the read failed", None);
        let result = outcome.ok_or_else(failed)?.map_err(resources::error)?;
        serde_json::from_str(&result).map_err(|_| failed())
    }

    /// Answers a question about what a session has shown. `None` if there is no such question.
    async fn ask(
        &self,
        name: &str,
        parameters: Option<Value>,
        context: &RequestContext<RoleServer>,
    ) -> Option<Result<Value, ErrorData>> {
        let mut parameters = match parameters {
            Some(Value::Object(parameters)) => parameters,
            _ => serde_json::Map::new(),
        };
        parameters.remove("_meta");
        let grant = self.grant(context, None).await.map_err(|_| {
            let message = "the roots of the client are not known yet; call the tool first";
            ErrorData::invalid_request(message, None)
        });
        let chosen = match grant.and_then(|grant| choose(&grant, context)) {
            Ok(chosen) => chosen,
            Err(error) => return Some(Err(error)),
        };
        let bytes = parameters
            .values()
            .map(|value| value.as_str().map_or(0, str::len));
        let bytes = bytes.sum();
        let read = match chosen.session.ask(name, parameters)? {
            Ok(read) => read,
            Err(message) => {
                let error = ErrorData::invalid_params(message, None);
                return Some(Err(handles::with_meta(error, chosen.meta().as_ref())));
            }
        };
        let answer: Result<Value, ErrorData> = self.run(context, read, bytes).await;
        let meta = chosen.meta();
        Some(match answer {
            Ok(mut answer) => {
                if let (Some(fields), Some(meta)) = (answer.as_object_mut(), meta) {
                    fields.insert("_meta".to_owned(), Value::Object(meta.0));
                }
                Ok(answer)
            }
            Err(error) => Err(handles::with_meta(error, meta.as_ref())),
        })
    }

    /// Runs a request for skills. The roots of the client do not matter.
    async fn skills<T: DeserializeOwned>(
        &self,
        context: &RequestContext<RoleServer>,
        request: SkillRequest,
    ) -> Result<T, ErrorData> {
        let session = match self.client.grant().0 {
            Some(grant) => grant.session,
            None => self.server.reader.narrowed(&[]).session(),
        };
        // The size of the request hardly varies.
        self.run(context, session.skills(request), 256).await
    }

    /// The tool as this client sees it.
    fn tool(&self, context: &RequestContext<RoleServer>) -> Tool {
        let mut tool = self.server.tool.clone();
        if !client::form(&self.server, context).structured {
            tool.output_schema = None;
        }
        tool
    }
}

/// The error for a request that is not one of the protocol although it has the method of one, so that its
/// parameters are wrong. `None` for another method.
pub fn wrong_parameters(method: &str) -> Option<ErrorData> {
    METHODS.contains(&method).then(|| {
        let message = format!("the parameters of `{method}` are not valid");
        ErrorData::invalid_params(message, None)
    })
}

/// The session of a request.
///
/// # Errors
/// Fails if its handle is not known.
fn choose(grant: &Grant, context: &RequestContext<RoleServer>) -> Result<Chosen, ErrorData> {
    handles::choose(grant, &context.meta, None)
        .map_err(|message| ErrorData::invalid_params(message, None))
}

/// The beginning of the methods that are questions about what a session has shown.
const QUESTIONS: &str = "omniread/";

/// The result of a call whose session is not known.
fn unknown_session(message: &str) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(message)]);
    result.result_type = Some(ResultType::COMPLETE);
    result
}

/// The methods of requests that have an answer in every version of the protocol.
const METHODS: [&str; 6] = [
    "completion/complete",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "tools/call",
    "tools/list",
];

/// Adds a note to the result of a call: a notice for the model, and one of the `notes`.
fn add_note(result: &mut CallToolResult, note: &str) {
    result.content.push(ContentBlock::text(format!("[{note}]")));
    let notes = result
        .structured_content
        .as_mut()
        .and_then(|details| details.get_mut("notes")?.as_array_mut());
    if let Some(notes) = notes {
        notes.push(note.into());
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let builder = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_completions()
            .enable_logging();
        let capabilities = if self.server.reader.has_skills() {
            builder.enable_skills_with_directory_read().build()
        } else {
            builder.build()
        };
        ServerConfig::new(capabilities)
            .with_server_info(
                Implementation::new("omniread", env!("CARGO_PKG_VERSION")).with_title("omniread"),
            )
            .with_instructions(&self.server.settings.instructions)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(vec![self.tool(&context)]))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        Some(self.server.tool.clone()).filter(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = &self.server.tool.name;
        if request.name != *tool {
            let message = format!("there is no tool `{}`; the tool is `{tool}`", request.name);
            return Err(ErrorData::invalid_params(message, None));
        }
        let grant = match self.grant(&context, request.input_responses.as_ref()).await {
            Ok(grant) => grant,
            Err(required) => return Ok(required.into()),
        };
        let mut arguments = request.arguments.unwrap_or_default();
        let has_argument = self.server.settings.session_argument;
        let argument = has_argument.then(|| Argument::take(&mut arguments));
        let chosen = match handles::choose(&grant, &context.meta, argument) {
            Ok(chosen) => chosen,
            Err(message) => return Ok(unknown_session(&message).into()),
        };
        let arguments = Value::Object(arguments);
        let text = arguments.to_string();
        let form = client::form(&self.server, &context);
        let began = Instant::now();
        let read = chosen.session.call(&text, form);
        let meta = chosen.meta();
        let outcome = self.run(&context, read, text.len()).await;
        let mut result: CallToolResult =
            outcome.map_err(|error| handles::with_meta(error, meta.as_ref()))?;
        result.meta = meta;
        if let (true, true, Some(handle)) = (has_argument, chosen.is_new, &chosen.handle) {
            let argument = handles::ARGUMENT;
            add_note(
                &mut result,
                &format!("pass `{argument}`: `{handle}` in later calls"),
            );
        }
        // The service leaves it out for clients of earlier versions of the protocol.
        result.result_type = Some(ResultType::COMPLETE);
        if let Some(note) = self.note(&context, &grant) {
            add_note(&mut result, &note);
        }
        if self.level.includes(LoggingLevel::Debug) {
            let data = json!({
                "milliseconds": began.elapsed().as_secs_f64() * 1e3,
                "arguments": arguments,
                "failed": result.is_error == Some(true),
            });
            self.level
                .send(&context.peer, LoggingLevel::Debug, data)
                .await;
        }
        if !self.level.includes(LoggingLevel::Debug) && chosen.handle.is_none() && !has_argument {
            self.client.set_name(client::name(&context));
            self.client.set_quick(&context.id, form);
        }
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let resources = resources::roots(&*self.listing(&context).await);
        Ok(ListResourcesResult::with_all_items(resources))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = resources::templates(&*self.listing(&context).await);
        Ok(ListResourceTemplatesResult::with_all_items(templates))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let grant = match self.grant(&context, request.input_responses.as_ref()).await {
            Ok(grant) => grant,
            Err(required) if resources::is_file(&request.uri) => return Ok(required.into()),
            // The roots of the client do not matter.
            Err(_) => {
                let reader = self.server.reader.narrowed(&[]);
                let session = reader.session();
                Grant {
                    reader,
                    session,
                    note: None,
                }
            }
        };
        let chosen = choose(&grant, &context)?;
        let meta = chosen.meta();
        let read = chosen.session.resource(&request.uri);
        let bytes = request.uri.len();
        let result: Result<ReadResourceResult, ErrorData> = self.run(&context, read, bytes).await;
        let result = result.map_err(|mut error| {
            // Since version 2026-07-28 of the protocol, there is no code of its own for this.
            let is_unknown =
                error.code == ErrorCode::RESOURCE_NOT_FOUND || !resources::is_file(&request.uri);
            if is_unknown && !client::is_described_once(&context) {
                error.code = ErrorCode::INVALID_PARAMS;
            }
            handles::with_meta(error, meta.as_ref())
        })?;
        let mut read = ReadResourceResult::new(result.contents);
        read.meta = meta;
        Ok(ReadResourceResponse::from(read))
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        self.skills(&context, skills::list(request)).await
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        self.skills(&context, skills::get(&request)?).await
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        self.skills(&context, skills::directory(request)?).await
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let reader = self.listing(&context).await;
        let complete = move || resources::complete(&*reader, &request);
        let completed = self.server.run(complete).await;
        completed.ok_or_else(|| ErrorData::internal_error("the completion failed", None))?
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.level.set(request.level);
        self.client.unset_quick();
        Ok(())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if let Some(name) = request.method.strip_prefix(QUESTIONS) {
            let name = name.to_owned();
            if let Some(answer) = self.ask(&name, request.params.clone(), &context).await {
                return answer.map(CustomResult::new);
            }
        }
        let method = request.method;
        let has_skills = self.server.reader.has_skills();
        Err(wrong_parameters(&method)
            .or_else(|| skills::wrong_parameters(&method).filter(|_| has_skills))
            .unwrap_or_else(|| ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None)))
    }

    async fn on_roots_list_changed(&self, _: NotificationContext<RoleServer>) {
        // Over standard input, `stdio.rs` has done so before it received the next message.
        if self.output.is_none() {
            self.client.change_roots();
        }
    }
}
