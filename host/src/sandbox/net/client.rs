//! Requests over connections that are kept.

use super::connect::{self, Connection};
use super::failure::{Failure, Step};
use super::grant::{Grants, Host};
use super::limits::{
    CONNECT_TIME, DEFAULT_NET_BYTES, DEFAULT_NET_TIMEOUT, EXCHANGE_TIME, KEPT_CONNECTIONS,
    KEPT_SERVERS, RESPONSE_HEADER_BYTES, RESPONSE_HEADERS,
};
use super::resolve::{Resolve, System};
use super::time::Clock;
use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, HOST, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE,
    RANGE, USER_AGENT,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, Uri};
use http_body::{Body, Frame};
use http_body_util::Empty;
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::ClientConfig;
use rustls::pki_types::CertificateDer;
use std::collections::BTreeMap;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

/// The limits of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The time to resolve a name, to connect to an address, and for a TLS handshake, each.
    pub connect: Duration,
    /// The time until the headers of a response arrive, and until each part of its body does.
    pub exchange: Duration,
    /// The time of all requests of a read.
    pub read: Duration,
    /// The maximum number of bytes of the headers of a response.
    pub headers: usize,
    /// The maximum number of bytes of the body of a response, as it is sent.
    pub body: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: CONNECT_TIME,
            exchange: EXCHANGE_TIME,
            read: DEFAULT_NET_TIMEOUT,
            headers: RESPONSE_HEADER_BYTES,
            body: DEFAULT_NET_BYTES,
        }
    }
}

/// The headers that a request may have. All others come from the configuration of the host.
const HEADERS: [HeaderName; 7] = [
    ACCEPT,
    ACCEPT_ENCODING,
    ACCEPT_LANGUAGE,
    IF_MODIFIED_SINCE,
    IF_NONE_MATCH,
    IF_RANGE,
    RANGE,
];

/// The smallest buffer in bytes that hyper accepts.
const LEAST_BUFFER: usize = 8192;

/// A header that is sent to one host, such as a token.
#[derive(Clone)]
pub struct Secret {
    /// The host that gets it.
    pub host: Host,
    /// Its name.
    pub name: HeaderName,
    /// Its value.
    pub value: HeaderValue,
}

/// What a client is made of.
pub struct Config {
    /// The hosts that it may connect to.
    pub grants: Grants,
    /// Certificates that sign others, besides those of the platform.
    pub roots: Vec<CertificateDer<'static>>,
    /// The value of `User-Agent`.
    pub user_agent: HeaderValue,
    /// Headers for some hosts.
    pub secrets: Vec<Secret>,
    /// The limits.
    pub limits: Limits,
    /// Resolves names.
    pub resolver: Arc<dyn Resolve>,
}

impl Config {
    /// A configuration with grants, and defaults for all else.
    pub fn new(grants: Grants) -> Self {
        Self {
            grants,
            roots: Vec::new(),
            user_agent: HeaderValue::from_static(concat!("omniread/", env!("CARGO_PKG_VERSION"))),
            secrets: Vec::new(),
            limits: Limits::default(),
            resolver: Arc::new(System),
        }
    }
}

/// The scheme, the host and the port of a server.
type Server = (bool, String, u16);

/// A connection that can take another request.
enum Idle {
    Http1(http1::SendRequest<Empty<Bytes>>),
    Http2(http2::SendRequest<Empty<Bytes>>),
}

impl Idle {
    /// Sends a request, and waits for the head of the response.
    async fn send(&mut self, request: Request<Empty<Bytes>>) -> hyper::Result<Response<Incoming>> {
        match self {
            Self::Http1(sender) => sender.send_request(request).await,
            Self::Http2(sender) => sender.send_request(request).await,
        }
    }

    fn is_closed(&self) -> bool {
        match self {
            Self::Http1(sender) => sender.is_closed(),
            Self::Http2(sender) => sender.is_closed(),
        }
    }

    fn is_ready(&self) -> bool {
        match self {
            Self::Http1(sender) => sender.is_ready(),
            Self::Http2(sender) => sender.is_ready(),
        }
    }
}

/// Sends requests to hosts that are granted.
pub struct Client {
    config: Config,
    /// Read when the first connection with TLS is made: it takes 10 ms.
    tls: OnceLock<Result<Arc<ClientConfig>, String>>,
    idle: Mutex<BTreeMap<Server, Vec<Idle>>>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("grants", &self.config.grants)
            .field("limits", &self.config.limits)
            .finish_non_exhaustive()
    }
}

impl Client {
    /// A client without connections.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            tls: OnceLock::new(),
            idle: Mutex::default(),
        }
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.config.limits
    }

    /// Sends a request without a body. Redirects are not followed: each is a new request.
    ///
    /// # Errors
    /// Fails if the grants forbid the connection, or if no response arrives.
    pub async fn send(
        &self,
        method: Method,
        uri: &Uri,
        headers: &HeaderMap,
        clock: &Clock,
    ) -> Result<Response<Content>, Failure> {
        if method != Method::GET && method != Method::HEAD {
            return Err(Failure::Method(method.to_string()));
        }
        let wrong = || Failure::Protocol("the address is not one of a web server".to_owned());
        let is_tls = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(wrong()),
        };
        let host = uri.host().and_then(Host::parse).ok_or_else(wrong)?;
        let port = uri.port_u16().unwrap_or(if is_tls { 443 } else { 80 });
        // A name and password in an address would be sent to its host.
        if uri.authority().is_none_or(|it| it.as_str().contains('@')) {
            return Err(wrong());
        }
        let server = (is_tls, host.to_string(), port);
        if let Some(idle) = self.take(&server) {
            let request = self.request(&method, uri, headers, &host, port, &idle)?;
            match self.exchange(idle, request, &server, clock).await {
                // The server may have closed the connection while it was kept. Then a new one is
                // made, and the others are not used any more.
                Err(Failure::Protocol(_)) => self.forget(&server),
                // The connection may be dead, and a clone of it may still be kept.
                Err(failure @ Failure::Timeout(..)) => {
                    self.forget(&server);
                    return Err(failure);
                }
                sent => return sent,
            }
        }
        let idle = self.connect(&host, port, is_tls, clock).await?;
        let request = self.request(&method, uri, headers, &host, port, &idle)?;
        self.exchange(idle, request, &server, clock).await
    }

    async fn connect(
        &self,
        host: &Host,
        port: u16,
        is_tls: bool,
        clock: &Clock,
    ) -> Result<Idle, Failure> {
        let limits = &self.config.limits;
        let stream = connect::connect(
            &self.config.grants,
            &self.config.resolver,
            host,
            port,
            limits.connect,
            clock,
        )
        .await?;
        let connection = if is_tls {
            let config = self
                .tls
                .get_or_init(|| connect::tls(&self.config.roots).map(Arc::new));
            let config = config.clone().map_err(Failure::Tls)?;
            connect::start_tls(stream, config, host, limits.connect, clock).await?
        } else {
            Connection::Plain(stream)
        };
        let is_http2 = connection.is_http2();
        let io = TokioIo::new(connection);
        let failed = |error: hyper::Error| Failure::Protocol(reason(&error));
        if is_http2 {
            let handshake = http2::Builder::new(TokioExecutor::new())
                .max_header_list_size(u32::try_from(limits.headers).unwrap_or(u32::MAX))
                .handshake(io);
            let (sender, connection) = clock
                .wait(Step::Response, limits.exchange, handshake)
                .await?
                .map_err(failed)?;
            tokio::spawn(async move {
                let _ = connection.await;
            });
            return Ok(Idle::Http2(sender));
        }
        let handshake = http1::Builder::new()
            .max_headers(RESPONSE_HEADERS)
            .max_buf_size(limits.headers.max(LEAST_BUFFER))
            .handshake(io);
        let (sender, connection) = clock
            .wait(Step::Response, limits.exchange, handshake)
            .await?
            .map_err(failed)?;
        tokio::spawn(async move {
            let _ = connection.await;
        });
        Ok(Idle::Http1(sender))
    }

    /// The request as a connection sends it.
    fn request(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
        host: &Host,
        port: u16,
        idle: &Idle,
    ) -> Result<Request<Empty<Bytes>>, Failure> {
        let wrong = |error: http::Error| Failure::Protocol(error.to_string());
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        let mut builder = Request::builder().method(method.clone());
        builder = match idle {
            // HTTP/2 sends the scheme and the host on their own.
            Idle::Http2(_) => builder.uri(uri.clone()),
            Idle::Http1(_) => {
                let is_tls = uri.scheme_str() == Some("https");
                let value = if port == if is_tls { 443 } else { 80 } {
                    host.to_string()
                } else {
                    format!("{host}:{port}")
                };
                builder.uri(path).header(HOST, value)
            }
        };
        builder = builder.header(USER_AGENT, self.config.user_agent.clone());
        for name in HEADERS {
            if let Some(value) = headers.get(&name) {
                builder = builder.header(name, value.clone());
            }
        }
        for secret in self.config.secrets.iter().filter(|it| it.host == *host) {
            builder = builder.header(secret.name.clone(), secret.value.clone());
        }
        builder.body(Empty::new()).map_err(wrong)
    }

    async fn exchange(
        &self,
        mut idle: Idle,
        request: Request<Empty<Bytes>>,
        server: &Server,
        clock: &Clock,
    ) -> Result<Response<Content>, Failure> {
        let limits = &self.config.limits;
        let sent = idle.send(request);
        let response = clock.wait(Step::Response, limits.exchange, sent).await?;
        let response = response.map_err(|error| {
            if error.is_parse_too_large() {
                Failure::Headers(limits.headers)
            } else {
                Failure::Protocol(reason(&error))
            }
        })?;
        let size: usize = response
            .headers()
            .iter()
            .map(|(name, value)| name.as_str().len() + value.len() + 4)
            .sum();
        if size > limits.headers {
            return Err(Failure::Headers(limits.headers));
        }
        self.keep(server, idle);
        Ok(response.map(|body| Content {
            body,
            rest: limits.body,
            limit: limits.body,
        }))
    }

    fn take(&self, server: &Server) -> Option<Idle> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = idle.get_mut(server)?;
        // A connection of HTTP/1 whose last body was not read to its end takes no other request.
        kept.retain(|one| !one.is_closed());
        let place = kept.iter().position(Idle::is_ready)?;
        Some(match kept.get(place) {
            Some(Idle::Http2(sender)) => Idle::Http2(sender.clone()),
            _ => kept.swap_remove(place),
        })
    }

    fn forget(&self, server: &Server) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.remove(server);
    }

    fn keep(&self, server: &Server, one: Idle) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if !idle.contains_key(server) && idle.len() >= KEPT_SERVERS {
            idle.retain(|_, kept| kept.iter().any(|one| !one.is_closed()));
            if idle.len() >= KEPT_SERVERS {
                idle.pop_first();
            }
        }
        let kept = idle.entry(server.clone()).or_default();
        let is_known =
            matches!(one, Idle::Http2(_)) && kept.iter().any(|one| matches!(one, Idle::Http2(_)));
        if kept.len() < KEPT_CONNECTIONS && !is_known {
            kept.push(one);
        }
    }
}

/// The innermost reason of an error.
fn reason(error: &hyper::Error) -> String {
    let mut at: &dyn std::error::Error = error;
    while let Some(inner) = at.source() {
        at = inner;
    }
    at.to_string()
}

/// The body of a response, within the limit on its bytes.
#[derive(Debug)]
pub struct Content {
    body: Incoming,
    rest: u64,
    limit: u64,
}

impl Content {
    /// The next part. `None` at the end.
    ///
    /// # Errors
    /// Fails if it does not arrive, or if the body is too large.
    pub async fn next(&mut self, limits: &Limits, clock: &Clock) -> Option<Result<Bytes, Failure>> {
        loop {
            let frame = std::future::poll_fn(|context| Pin::new(&mut *self).poll_frame(context));
            return match clock.wait(Step::Body, limits.exchange, frame).await {
                Ok(None) => None,
                Err(failure) | Ok(Some(Err(failure))) => Some(Err(failure)),
                Ok(Some(Ok(frame))) => match frame.into_data() {
                    Ok(bytes) => Some(Ok(bytes)),
                    Err(_) => continue,
                },
            };
        }
    }
}

impl Body for Content {
    type Data = Bytes;
    type Error = Failure;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Failure>>> {
        let frame = match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(None) => return Poll::Ready(None),
            Poll::Ready(Some(Err(error))) => {
                return Poll::Ready(Some(Err(Failure::Protocol(reason(&error)))));
            }
            Poll::Ready(Some(Ok(frame))) => frame,
        };
        let length = frame.data_ref().map_or(0, |bytes| bytes.len() as u64);
        match self.rest.checked_sub(length) {
            Some(rest) => self.rest = rest,
            None => return Poll::Ready(Some(Err(Failure::Body(self.limit)))),
        }
        Poll::Ready(Some(Ok(frame)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}
