//! A connection to one server: its start, requests with a deadline, and its end.

use super::config::{Reach, Server};
use super::failure::{Failure, Step, one_line};
use super::flow::{Flow, Lines};
use super::http::{Client, Connect};
use super::limits;
use super::lists::{Collected, Contents, Entry, List, Lists, contents, entry};
use super::process::{self, Process, Stderr};
use super::secrets::Secrets;
use super::skills::{Skill, skill};
use super::waits::{Cancelling, unless};
use rmcp::model::{
    ClientCapabilities, ClientRequest, ErrorCode, Implementation, InitializeRequestParams,
    ListResourceTemplatesRequest, ListResourcesRequest, ListSkillsRequest, PaginatedRequestParams,
    ProtocolVersion, ReadResourceDirectoryRequest, ReadResourceDirectoryRequestParams,
    ReadResourceRequest, ReadResourceRequestParams, ServerResult,
};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, ClientServiceExt, NotificationContext, Peer,
    PeerRequestOptions, RunningService, ServiceError,
};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::common::client_side_sse::SseRetryPolicy;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, RoleClient};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};

/// The part of the client that a server talks to.
struct Handler {
    /// Whether the server said that its resources are others now.
    is_changed: Arc<AtomicBool>,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> InitializeRequestParams {
        let client = Implementation::new("omniread", env!("CARGO_PKG_VERSION"));
        InitializeRequestParams::new(ClientCapabilities::default(), client)
    }

    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.is_changed.store(true, Ordering::Relaxed);
    }
}

/// A stream of events that breaks off is opened again twice. After that, changes are not announced.
#[derive(Debug)]
struct Again;

impl SseRetryPolicy for Again {
    fn retry(&self, times: usize) -> Option<Duration> {
        (times < limits::REOPENED).then_some(limits::REOPEN)
    }
}

/// A running server.
pub struct Connection {
    name: String,
    request: Duration,
    peer: Peer<RoleClient>,
    service: Mutex<Option<RunningService<RoleClient, Handler>>>,
    process: Mutex<Option<Process>>,
    stderr: Stderr,
    secrets: Secrets,
    flow: Arc<Flow>,
    is_changed: Arc<AtomicBool>,
    lists: Mutex<Option<Arc<Lists>>>,
    /// Requests after each other without an answer.
    unanswered: AtomicU32,
}

impl Connection {
    /// Starts a server, or connects to it.
    ///
    /// # Errors
    /// Fails if the server does not start within its time.
    pub async fn start(server: &Server, connect: &Arc<dyn Connect>) -> Result<Self, Failure> {
        let deadline = Instant::now() + server.start;
        let first = Self::attempt(server, connect, ClientLifecycleMode::Initialize, deadline).await;
        match first {
            // Servers that know only the newest version do not know this request.
            Err(Attempt::Rejected(failure)) => {
                let lifecycle = ClientLifecycleMode::Discover {
                    preferred_versions: vec![ProtocolVersion::LATEST],
                };
                let second = Self::attempt(server, connect, lifecycle, deadline).await;
                second.map_err(|_| failure)
            }
            Err(Attempt::Failed(failure)) => Err(failure),
            Ok(connection) => Ok(connection),
        }
    }

    async fn attempt(
        server: &Server,
        connect: &Arc<dyn Connect>,
        lifecycle: ClientLifecycleMode,
        deadline: Instant,
    ) -> Result<Self, Attempt> {
        let flow = Arc::new(Flow::default());
        let is_changed = Arc::new(AtomicBool::new(false));
        let handler = Handler {
            is_changed: Arc::clone(&is_changed),
        };
        let mut process = None;
        let started = match &server.reach {
            Reach::Program {
                program,
                arguments,
                environment,
                directory,
            } => {
                let started = process::start(program, arguments, environment, directory.as_deref());
                let (own, output, input) = started.map_err(|error| {
                    Attempt::Failed(Failure::Program {
                        server: server.name.clone(),
                        program: one_line(&program.to_string_lossy(), limits::MESSAGE),
                        why: error.to_string(),
                    })
                })?;
                process = Some(own);
                let lines = Lines::new(output, Arc::clone(&flow));
                // The limit on lines is that of `lines`, which ends the connection.
                let transport =
                    AsyncRwTransport::new_client(lines, input).with_max_line_length(usize::MAX);
                let starting = Box::pin(handler.serve_with_lifecycle(transport, lifecycle));
                timeout_at(deadline, starting).await
            }
            Reach::Nowhere(why) => {
                return Err(Attempt::Failed(Failure::Configuration {
                    server: server.name.clone(),
                    why: why.clone(),
                }));
            }
            Reach::Http { uri, headers } => {
                let client = Client::new(Arc::clone(connect), Arc::clone(&flow));
                let mut config = StreamableHttpClientTransportConfig::with_uri(uri.to_string());
                config.custom_headers = headers.iter().cloned().collect();
                config.retry_config = Arc::new(Again);
                let transport = StreamableHttpClientTransport::with_client(client, config);
                let starting = Box::pin(handler.serve_with_lifecycle(transport, lifecycle));
                timeout_at(deadline, starting).await
            }
        };
        let stderr = process.as_ref().map(|own| own.stderr.clone());
        let stderr = stderr.unwrap_or_default();
        match started {
            Ok(Ok(service)) => Ok(Self {
                name: server.name.clone(),
                request: server.request,
                peer: service.peer().clone(),
                service: Mutex::new(Some(service)),
                process: Mutex::new(process),
                stderr,
                secrets: Secrets::of(server),
                flow,
                is_changed,
                lists: Mutex::default(),
                unanswered: AtomicU32::new(0),
            }),
            Ok(Err(error)) => {
                let outcome = match &mut process {
                    Some(process) => process.outcome().await,
                    None => None,
                };
                Err(not_started(server, error, &flow, outcome, &stderr))
            }
            Err(_) => Err(Attempt::Failed(Failure::Late {
                server: server.name.clone(),
                step: Step::Start,
                limit: server.start,
                others: flow.messages(),
                stderr: Secrets::of(server).end(&stderr.text()),
            })),
        }
    }

    /// Whether the connection has ended.
    pub fn is_closed(&self) -> bool {
        self.peer.is_transport_closed()
    }

    /// Sends a request, and waits for its answer. If it is dropped, the server is told that nobody waits.
    async fn request(
        &self,
        request: ClientRequest,
        deadline: Instant,
    ) -> Result<ServerResult, Failure> {
        let _waiting = self.flow.request();
        let sent = self
            .peer
            .send_cancellable_request(request, PeerRequestOptions::no_options());
        let answer = async {
            let handle = sent.await?;
            self.flow.sent(&handle.id);
            let cancelling = Cancelling::new(&self.peer, &handle.id);
            let answer = handle.rx.await;
            cancelling.answered();
            answer.map_err(|_| ServiceError::TransportClosed)?
        };
        let answer = Box::pin(unless(answer, self.flow.until_failed()));
        let Ok(answer) = timeout_at(deadline, answer).await else {
            let before = self.unanswered.fetch_add(1, Ordering::Relaxed);
            if before.saturating_add(1) >= limits::UNANSWERED {
                self.close().await;
            }
            return Err(self.late());
        };
        let Some(answer) = answer else {
            if let Some(what) = self.flow.take_stray() {
                return Err(self.wrong(&self.secrets.message(&what)));
            }
            self.close().await;
            return Err(self.ended(None).await);
        };
        self.unanswered.store(0, Ordering::Relaxed);
        match answer {
            Ok(ServerResult::InputRequiredResult(_)) => {
                Err(self.wrong("it asks for input, which a read cannot give"))
            }
            Ok(result) => Ok(result),
            Err(ServiceError::McpError(error)) => Err(Failure::Refused {
                server: self.name.clone(),
                code: i64::from(error.code.0),
                message: self.secrets.message(&error.message),
            }),
            Err(error) => Err(self.ended(Some(error)).await),
        }
    }

    fn late(&self) -> Failure {
        Failure::Late {
            server: self.name.clone(),
            step: Step::Answer,
            limit: self.request,
            others: self.flow.messages(),
            stderr: self.secrets.end(&self.stderr.text()),
        }
    }

    fn wrong(&self, what: &str) -> Failure {
        Failure::Form {
            server: self.name.clone(),
            what: what.to_owned(),
        }
    }

    /// The failure that states how the connection ended.
    pub async fn ended(&self, error: Option<ServiceError>) -> Failure {
        let outcome = match &mut *self.process.lock().await {
            Some(process) if self.flow.exceeded().is_none() => process.outcome().await,
            _ => None,
        };
        let sent = match error {
            Some(ServiceError::TransportSend(error)) => Some(causes(&error)),
            _ => None,
        };
        let why = self.flow.exceeded().or(outcome).or(sent);
        let why = why.unwrap_or_else(|| "it closed the connection".to_owned());
        Failure::Ended {
            server: self.name.clone(),
            why: self.secrets.message(&why),
            stderr: self.secrets.end(&self.stderr.text()),
        }
    }

    /// The resources and templates that the server lists. If it is a program that announces changes, its last
    /// answer is used until then. Over HTTP, an announcement may be lost.
    ///
    /// # Errors
    /// Fails if the server does not answer with a list. The time of the first request includes the wait for
    /// the lists of other reads.
    pub async fn lists(&self) -> Result<Arc<Lists>, Failure> {
        let deadline = Instant::now() + self.request;
        let Ok(mut kept) = timeout_at(deadline, self.lists.lock()).await else {
            return Err(self.late());
        };
        let info = self.peer.peer_info();
        let capability = info.and_then(|info| info.capabilities.resources.clone());
        let Some(capability) = capability else {
            return Ok(Arc::default());
        };
        let is_changed = self.is_changed.swap(false, Ordering::Relaxed);
        let is_program = self.process.lock().await.is_some();
        if let Some(lists) = kept.as_ref()
            && is_program
            && capability.list_changed == Some(true)
            && !is_changed
        {
            return Ok(Arc::clone(lists));
        }
        *kept = None;
        let resources = |params| {
            ClientRequest::ListResourcesRequest(ListResourcesRequest {
                params,
                ..Default::default()
            })
        };
        let templates = |params| {
            ClientRequest::ListResourceTemplatesRequest(ListResourceTemplatesRequest {
                params,
                ..Default::default()
            })
        };
        let lists = Arc::new(Lists {
            resources: self
                .collect(&resources, "resources", deadline, &|raw| entry(raw, "uri"))
                .await?,
            templates: self
                .collect(
                    &templates,
                    "resourceTemplates",
                    Instant::now() + self.request,
                    &|raw| entry(raw, "uriTemplate"),
                )
                .await?,
        });
        // The rest of a list that broke off may arrive the next time.
        if !lists.resources.is_partial && !lists.templates.is_partial {
            *kept = Some(Arc::clone(&lists));
        }
        Ok(lists)
    }

    /// Requests the pages of a list until a deadline.
    async fn collect<T: Send>(
        &self,
        request: &(dyn Fn(Option<PaginatedRequestParams>) -> ClientRequest + Sync),
        field: &str,
        deadline: Instant,
        entry: &(dyn Fn(&Value) -> Option<T> + Sync),
    ) -> Result<List<T>, Failure> {
        let mut collected = Collected::default();
        let mut params = None;
        loop {
            let result = match self.request(request(params), deadline).await {
                Ok(result) => result,
                Err(Failure::Refused { code, .. })
                    if code == i64::from(ErrorCode::METHOD_NOT_FOUND.0)
                        && !collected.has_page() =>
                {
                    return Ok(collected.end(None));
                }
                // The pages that have arrived are of use.
                Err(failure @ (Failure::Late { .. } | Failure::Refused { .. }))
                    if collected.has_page() =>
                {
                    return Ok(collected.end(Some(format!("the list ends here: {failure}"))));
                }
                Err(failure) => return Err(failure),
            };
            let page = serde_json::to_value(result).unwrap_or_default();
            match collected.page(&page, field, entry) {
                Ok(Some(cursor)) => {
                    params = Some(PaginatedRequestParams::default().with_cursor(Some(cursor)));
                }
                Ok(None) => return Ok(collected.end(None)),
                Err(what) => return Err(self.wrong(&what)),
            }
        }
    }

    /// The skills that the server publishes (SEP-2640). `None` if it publishes none.
    ///
    /// # Errors
    /// Fails if the server does not answer with a list.
    pub async fn skills(&self) -> Result<Option<List<Skill>>, Failure> {
        let info = self.peer.peer_info();
        if !info.is_some_and(|info| info.capabilities.supports_skills()) {
            return Ok(None);
        }
        let request = |params| {
            ClientRequest::ListSkillsRequest(ListSkillsRequest {
                params,
                ..Default::default()
            })
        };
        let deadline = Instant::now() + self.request;
        let skills = self.collect(&request, "skills", deadline, &skill);
        skills.await.map(Some)
    }

    /// The children of a directory of a skill. `None` if the server does not serve directories.
    ///
    /// # Errors
    /// Fails if the server does not answer with a list.
    pub async fn directory(&self, uri: &str) -> Result<Option<List<Entry>>, Failure> {
        let info = self.peer.peer_info();
        if !info.is_some_and(|info| info.capabilities.supports_directory_read()) {
            return Ok(None);
        }
        let request = |params: Option<PaginatedRequestParams>| {
            let mut own = ReadResourceDirectoryRequestParams::new(uri);
            own.cursor = params.and_then(|params| params.cursor);
            ClientRequest::ReadResourceDirectoryRequest(ReadResourceDirectoryRequest::new(own))
        };
        let deadline = Instant::now() + self.request;
        let children = self.collect(&request, "resources", deadline, &|raw| entry(raw, "uri"));
        children.await.map(Some)
    }

    /// The contents of a resource.
    ///
    /// # Errors
    /// Fails if the server does not answer with contents.
    pub async fn read(&self, uri: &str) -> Result<Contents, Failure> {
        let params = ReadResourceRequestParams::new(uri);
        let request = ClientRequest::ReadResourceRequest(ReadResourceRequest::new(params));
        let deadline = Instant::now() + self.request;
        let result = self.request(request, deadline).await?;
        contents(&self.name, serde_json::to_value(result).unwrap_or_default())
    }

    /// Closes the connection, without a wait for the end of the program.
    async fn close(&self) {
        if let Some(service) = &*self.service.lock().await {
            service.cancellation_token().cancel();
        }
    }

    /// Ends the server: closes its input or session, and ends its program.
    pub async fn end(&self) {
        if let Some(mut service) = self.service.lock().await.take() {
            let _ = service.close_with_timeout(limits::GRACE).await;
        }
        if let Some(process) = self.process.lock().await.take() {
            process.end().await;
        }
    }
}

/// Why an attempt to start a server failed.
enum Attempt {
    /// The server refused the first request.
    Rejected(Failure),
    /// All other reasons.
    Failed(Failure),
}

fn not_started(
    server: &Server,
    error: ClientInitializeError,
    flow: &Flow,
    outcome: Option<String>,
    stderr: &Stderr,
) -> Attempt {
    let secrets = Secrets::of(server);
    let server = server.name.clone();
    match error {
        ClientInitializeError::JsonRpcError(error) => Attempt::Rejected(Failure::Refused {
            server,
            code: i64::from(error.code.0),
            message: secrets.message(&error.message),
        }),
        ClientInitializeError::ExpectedInitResponse(_)
        | ClientInitializeError::ExpectedInitResult(_)
        | ClientInitializeError::ConflictInitResponseId(..)
        | ClientInitializeError::UncorrelatedErrorResponse { .. } => {
            let what = "its first message does not answer `initialize`".to_owned();
            Attempt::Failed(Failure::Form { server, what })
        }
        error => {
            let why = flow.exceeded().or(outcome);
            let why = why.unwrap_or_else(|| match &error {
                ClientInitializeError::TransportError { error, .. } => causes(error),
                ClientInitializeError::ConnectionClosed(_) => "it closed the connection".to_owned(),
                other => other.to_string(),
            });
            Attempt::Failed(Failure::Ended {
                server,
                why: secrets.message(&why),
                stderr: secrets.end(&stderr.text()),
            })
        }
    }
}

/// An error of a transport with its causes, without the names of types.
fn causes(error: &rmcp::transport::DynamicTransportError) -> String {
    error.error.to_string()
}
