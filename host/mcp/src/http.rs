//! MCP over HTTP: the streamable HTTP transport, at the path `/mcp`.
//!
//! Every request must have the token, and a `Host` that is expected, except one for `/health`. A request of a web page
//! has an `Origin`, which must be allowed. So a web page cannot reach the server, not even with a host
//! name that leads to this machine (DNS rebinding).

use super::client_state::ClientState;
use super::cors::{self, Origins};
use super::handler::Handler;
use super::logged::Logged;
use super::probes;
use super::refused::Refused;
use super::responses::{Body, plain};
use super::server::{Server, runtime};
use super::sessions::{SESSIONS, Sessions};
use super::token::Token;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, ORIGIN, WWW_AUTHENTICATE};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use omniread_service::{Clients, Load, Metrics, limits, on_termination};
use rmcp::model::ErrorData;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc, watch};

/// The path of the server.
const PATH: &str = "/mcp";

/// The path at which the server says that it answers.
const HEALTH: &str = "/health";

/// The path of its metrics.
const METRICS: &str = "/metrics";

/// The maximum number of requests with a message at a time. Further requests wait. It is at most the
/// number of sessions, so that one of the sessions is idle when a request begins another one.
const REQUESTS: usize = SESSIONS;

/// The maximum number of connections at a time. Further clients wait. Each session has a connection for
/// messages of the server that stays open, and one for its requests. The rest are for clients that have
/// no session yet.
const CONNECTIONS: usize = 3 * SESSIONS;

/// The time in which a client must send the headers of a request.
const HEADERS: Duration = Duration::from_secs(10);

/// The time in which the connections must end after their requests have a response.
const CLOSING: Duration = Duration::from_secs(2);

/// The pause after an error of the system, such as too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// The settings of the transport.
pub struct Http {
    /// The address to listen at.
    pub address: SocketAddr,
    /// The host names that are expected besides those of this machine.
    pub hosts: Vec<String>,
    /// The origins of web pages that may send requests.
    pub origins: Vec<String>,
    /// The token. `None` if clients need none.
    pub token: Option<Token>,
}

type Service = StreamableHttpService<Logged, Sessions>;

/// What all connections share.
struct Shared {
    server: Arc<Server>,
    service: Service,
    sessions: Arc<Sessions>,
    origins: Origins,
    responses: Responses,
    /// The places for requests with a message.
    places: Arc<Semaphore>,
    /// The number of open connections.
    connections: AtomicUsize,
    /// The host names that requests may have.
    hosts: Vec<String>,
    metrics: Arc<Metrics>,
    token: Option<Token>,
}

/// Serves HTTP clients until the process gets a signal to end. `started` is called with the URL of the
/// server.
///
/// # Errors
/// Fails if the address cannot be used, or the runtime cannot be started.
pub fn serve(server: &Arc<Server>, http: Http, started: &dyn Fn(&str)) -> io::Result<()> {
    let (end, ending) = watch::channel(false);
    let late = Arc::clone(server);
    on_termination(
        move || {
            end.send_replace(true);
        },
        move || late.log_stop(json!({ "reason": "signal", "unanswered": true })),
    )?;
    runtime(2)?.block_on(async {
        let listener = TcpListener::bind(http.address).await?;
        let address = listener.local_addr()?;
        let url = format!("http://{address}{PATH}");
        started(&url);
        let facts = json!({ "transport": "http", "url": url, "roots": server.reader.roots() });
        server.log("start", facts);
        let shared = Arc::new(Shared::new(server, http, address.ip()));
        // Each connection keeps a clone.
        let (open, mut all_connections) = mpsc::channel(1);
        accept(&listener, &shared, ending, open).await;
        drop(listener);
        // All requests get a response. Then the streams end that have no request.
        shared.responses.finish().await;
        shared.service.config.cancellation_token.cancel();
        let _ = tokio::time::timeout(CLOSING, all_connections.recv()).await;
        server.log_stop(json!({ "reason": "signal" }));
        Ok(())
    })
}

/// Counts the requests without a response. Clones share the count.
#[derive(Clone, Default)]
struct Responses(Arc<watch::Sender<usize>>);

/// A request without a response. Dropping the value ends it.
struct Unanswered(Responses);

impl Responses {
    fn begin(&self) -> Unanswered {
        self.0.send_modify(|count| *count += 1);
        Unanswered(self.clone())
    }

    async fn finish(&self) {
        let _ = self.0.subscribe().wait_for(|count| *count == 0).await;
    }
}

impl Drop for Unanswered {
    fn drop(&mut self) {
        self.0.0.send_modify(|count| *count -= 1);
    }
}

/// Accepts connections until the process gets a signal to end.
async fn accept(
    listener: &TcpListener,
    shared: &Arc<Shared>,
    ending: watch::Receiver<bool>,
    open: mpsc::Sender<Infallible>,
) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut ended = ending.clone();
    loop {
        let accepted = tokio::select! {
            accepted = async {
                let place = Arc::clone(&places).acquire_owned().await;
                listener.accept().await.map(|accepted| (accepted, place))
            } => accepted,
            _ = ended.wait_for(|ended| *ended) => return,
        };
        match accepted {
            Ok(((stream, peer), place)) => {
                let (shared, ending) = (Arc::clone(shared), ending.clone());
                let open = open.clone();
                tokio::spawn(async move {
                    shared.connections.fetch_add(1, Ordering::Relaxed);
                    connection(stream, peer, Arc::clone(&shared), ending).await;
                    shared.connections.fetch_sub(1, Ordering::Relaxed);
                    drop((place, open));
                });
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

/// Serves the requests of one connection.
async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    shared: Arc<Shared>,
    mut ending: watch::Receiver<bool>,
) {
    // Replies are written whole, so that waiting for more bytes only delays them.
    let _ = stream.set_nodelay(true);
    let respond = service_fn(|request| {
        let shared = Arc::clone(&shared);
        async move { Ok::<_, Infallible>(shared.respond(request, peer).await) }
    });
    let serving = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS)
        .serve_connection(TokioIo::new(stream), respond);
    let mut serving = std::pin::pin!(serving);
    tokio::select! {
        _ = serving.as_mut() => return,
        _ = ending.wait_for(|ending| *ending) => serving.as_mut().graceful_shutdown(),
    }
    let _ = serving.await;
}

impl Shared {
    fn new(server: &Arc<Server>, http: Http, address: IpAddr) -> Self {
        let mut hosts: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into();
        if !address.is_unspecified() {
            hosts.push(address.to_string());
        }
        hosts.extend(http.hosts);
        let origins = Origins::new(&http.origins, address.is_loopback());
        let config = StreamableHttpServerConfig::default()
            .with_allowed_hosts(hosts.clone())
            .with_allowed_origins(origins.patterns())
            .enforce_origin_validation()
            .with_max_request_body_bytes(limits::LINE_BYTES);
        let sessions = Sessions::new(server.settings.log.clone());
        let of_client = Arc::clone(server);
        let handler = move || {
            let server = Arc::clone(&of_client);
            let handler = Handler::new(Arc::clone(&server), None, ClientState::default());
            Ok(Logged::new(handler, server, false))
        };
        Self {
            server: Arc::clone(server),
            service: StreamableHttpService::new(handler, Arc::clone(&sessions), config),
            sessions,
            origins,
            responses: Responses::default(),
            places: Arc::new(Semaphore::new(REQUESTS)),
            connections: AtomicUsize::new(0),
            hosts,
            metrics: server.count(),
            token: http.token,
        }
    }

    async fn respond(&self, request: Request<Incoming>, peer: SocketAddr) -> Response<Body> {
        let refused = self.server.settings.log.is_some();
        let mut refused = refused.then(|| Refused::new(&request, peer));
        let begin = |request| session_id(request).and_then(|id| self.sessions.begin(id));
        let origin = self.origins.allowed(&request);
        let is_preflight = cors::is_preflight(&request) && origin.is_some();
        let mut unanswered = None;
        let path = request.uri().path();
        let mut response = if path == HEALTH {
            probes::health(&request)
        } else if is_preflight {
            let mut response = plain(StatusCode::NO_CONTENT, "");
            cors::allow_requests(response.headers_mut());
            response
        } else if let Some(refusal) = self.refusal(&request) {
            refusal
        } else if path == METRICS {
            let is_foreign = request.headers().contains_key(ORIGIN) && origin.is_none();
            if is_foreign || !probes::has_host(&request, &self.hosts) {
                plain(
                    StatusCode::FORBIDDEN,
                    "the `Host` or `Origin` is not allowed",
                )
            } else {
                probes::metrics(&request, || self.metrics.text(self.load()))
            }
        } else {
            // Responses to other methods may never end.
            if request.method() == Method::POST {
                let response = self.responses.begin();
                // A session is in use from now on, so that those in use are fewer than all.
                let place = Arc::clone(&self.places).acquire_owned().await;
                unanswered = Some((response, place, begin(&request)));
            } else {
                drop(begin(&request));
            }
            self.answer(request).await
        };
        let status = response.status();
        if status.is_client_error() || status.is_server_error() {
            self.metrics.error(status.as_u16());
            if let Some(refused) = refused.take() {
                let facts = refused.facts(status, PATH, origin.is_some());
                self.server.log("refused", facts);
            }
        }
        if let Some(origin) = origin {
            cors::allow(response.headers_mut(), origin);
        }
        if unanswered.is_none() {
            return response;
        }
        response.map(|body| {
            let until_written = body.map_frame(move |frame| {
                let _ = &unanswered;
                frame
            });
            Body::new(until_written)
        })
    }

    /// The response to a request for another path, or without the token.
    fn refusal(&self, request: &Request<Incoming>) -> Option<Response<Body>> {
        if ![PATH, METRICS].contains(&request.uri().path()) {
            let message = "the path of this server is /mcp";
            return Some(plain(StatusCode::NOT_FOUND, message));
        }
        let token = self.token.as_ref()?;
        let authorization = request.headers().get(AUTHORIZATION);
        if authorization.is_some_and(|value| token.is_in(value.as_bytes())) {
            return None;
        }
        let mut response = plain(
            StatusCode::UNAUTHORIZED,
            "send the token of this server as `Authorization: Bearer TOKEN`",
        );
        let scheme = hyper::header::HeaderValue::from_static("Bearer");
        response.headers_mut().insert(WWW_AUTHENTICATE, scheme);
        Some(response)
    }

    /// The requests, connections and sessions of now.
    fn load(&self) -> Load {
        Load {
            running: REQUESTS.saturating_sub(self.places.available_permits()),
            clients: Some(Clients {
                connections: self.connections.load(Ordering::Relaxed),
                sessions: self.sessions.count(),
            }),
        }
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        if request.method() != Method::DELETE {
            let is_json = has_json(&request);
            let response = self.service.handle(request).await;
            // rmcp refuses a body that is not a message as one of another type.
            return match response.status() {
                StatusCode::UNSUPPORTED_MEDIA_TYPE if is_json => not_a_message(),
                _ => response,
            };
        }
        // rmcp answers 202 to every request to end a session. The Python SDK expects 200 or 204,
        // and 404 if the session does not exist, like any other request.
        let exists = session_id(&request).is_some_and(|id| self.sessions.contains(id));
        let response = self.service.handle(request).await;
        match response.status() {
            StatusCode::ACCEPTED if exists => plain(StatusCode::OK, ""),
            StatusCode::ACCEPTED => plain(StatusCode::NOT_FOUND, "there is no such session"),
            _ => response,
        }
    }
}

/// The id of the session of a request.
fn session_id<B>(request: &Request<B>) -> Option<&str> {
    request.headers().get("mcp-session-id")?.to_str().ok()
}

/// Whether the body of a request is JSON by its type.
fn has_json<B>(request: &Request<B>) -> bool {
    let kind = request.headers().get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let name = kind.split(';').next().unwrap_or_default().trim();
    name.eq_ignore_ascii_case("application/json")
}

/// The response to a body that is not a message.
fn not_a_message() -> Response<Body> {
    let error = ErrorData::parse_error("the body is not a message in JSON", None);
    let error = json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string();
    let mut response = Response::new(Body::new(http_body_util::Full::from(error)));
    *response.status_mut() = StatusCode::BAD_REQUEST;
    let kind = hyper::header::HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}
