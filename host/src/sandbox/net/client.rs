//! Sends requests.

use super::borrowed::Borrowed;
use super::connect::{self, Connection};
use super::content::Content;
use super::direct::Direct;
use super::failure::{Failure, Step, failed_exchange, reason};
use super::grant::{Grants, Host};
use super::limits::Limits;
use super::meter::{Meter, Metered};
use super::pool::{Idle, Pool, Sender, Server};
use super::proxy::{self, Proxy};
use super::resolve::{Resolve, System};
use super::target::Target;
use super::time::Clock;
use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, HOST, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE,
    PROXY_AUTHORIZATION, RANGE, USER_AGENT,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri};
use http_body_util::Empty;
use hyper::body::Incoming;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::ClientConfig;
use rustls::pki_types::CertificateDer;
use std::fmt;
use std::sync::{Arc, OnceLock};
use tokio::net::TcpStream;

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

/// A header that is sent to one host, such as a token.
#[derive(Clone)]
pub struct Secret {
    /// The host that gets it.
    pub host: Host,
    /// Whether it is sent without TLS too.
    pub is_plain: bool,
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
    /// The proxy of all requests to other machines.
    pub proxy: Option<Proxy>,
    /// The value of `Proxy-Authorization`, which only the proxy gets.
    pub proxy_authorization: Option<HeaderValue>,
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
            proxy: None,
            proxy_authorization: None,
            limits: Limits::default(),
            resolver: Arc::new(System),
        }
    }
}

/// Sends requests to hosts that are granted.
pub struct Client {
    config: Config,
    /// Read when the first connection with TLS is made: it takes 10 ms.
    tls: OnceLock<Result<Arc<ClientConfig>, String>>,
    pool: Arc<Pool>,
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
            pool: Arc::default(),
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
        let target = Target::of(uri)?;
        let response = self.answer(&method, &target, headers, clock).await?;
        let refused = response.status() == StatusCode::PROXY_AUTHENTICATION_REQUIRED;
        if refused && !target.is_tls && self.proxy(&target.host).is_some() {
            let has_password = self.config.proxy_authorization.is_some();
            return Err(Failure::ProxyAuthorization(has_password));
        }
        Ok(response)
    }

    /// Sends a request over a connection that was kept, or over a new one.
    async fn answer(
        &self,
        method: &Method,
        target: &Target<'_>,
        headers: &HeaderMap,
        clock: &Clock,
    ) -> Result<Response<Content>, Failure> {
        let server = (target.is_tls, target.host.to_string(), target.port);
        if let Some(idle) = self.pool.take(&server).await {
            let request = self.request(method, target, headers, &idle)?;
            match self.exchange(idle, request, &server, clock).await {
                // The server may have closed the connection while it was kept. Then a new one is
                // made, and the others are not used any more.
                Err(Failure::Protocol(_)) => self.pool.forget(&server),
                // The connection may be dead, and a clone of it may still be kept.
                Err(failure @ Failure::Timeout(..)) => {
                    self.pool.forget(&server);
                    return Err(failure);
                }
                sent => return sent,
            }
        }
        let idle = self.connect(target, clock).await?;
        let request = self.request(method, target, headers, &idle)?;
        self.exchange(idle, request, &server, clock).await
    }

    async fn connect(&self, target: &Target<'_>, clock: &Clock) -> Result<Idle, Failure> {
        let limits = &self.config.limits;
        let host = &target.host;
        let stream = match self.proxy(host) {
            Some(proxy) => {
                let is_tunnel = target.is_tls;
                self.connect_through(proxy, target, is_tunnel, clock).await
            }
            None => {
                let (grants, resolver) = (&self.config.grants, &self.config.resolver);
                connect::connect(grants, resolver, target, limits.connect, clock).await
            }
        }?;
        let connection = if target.is_tls {
            let config = self
                .tls
                .get_or_init(|| connect::tls(&self.config.roots).map(Arc::new));
            let config = config.clone().map_err(Failure::Tls)?;
            connect::start_tls(stream, config, host, limits.connect, clock).await?
        } else {
            Connection::Plain(stream)
        };
        let meter = Meter::default();
        let connection = match connection {
            Connection::Plain(stream) => return self.direct(stream, meter).await,
            connection @ Connection::Tls(_) => connection,
        };
        let is_http2 = connection.is_http2();
        let io = TokioIo::new(Metered::new(connection, meter.clone()));
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
            let sender = Sender::Http2(sender);
            return Ok(Idle { sender, meter });
        }
        let handshake = limits.http1().handshake(io);
        let (sender, connection) = clock
            .wait(Step::Response, limits.exchange, handshake)
            .await?
            .map_err(failed)?;
        tokio::spawn(async move {
            let _ = connection.await;
        });
        let sender = Sender::Http1(sender);
        Ok(Idle { sender, meter })
    }

    /// A connection that the thread of the read serves.
    async fn direct(&self, stream: TcpStream, meter: Meter) -> Result<Idle, Failure> {
        // It stays one that does not block.
        let stream = stream
            .into_std()
            .map_err(|error| Failure::Connect(error.to_string()))?;
        let direct = Direct::new(stream, &self.config.limits, meter.clone()).await;
        let direct = direct.map_err(|error| Failure::Protocol(reason(&error)))?;
        let sender = Sender::Direct(Box::new(direct));
        Ok(Idle { sender, meter })
    }

    /// Makes a connection for HTTP/1.1 to the server of an address, which is used for other requests than those
    /// of reads.
    ///
    /// # Errors
    /// Fails if the grants forbid the connection, or if it cannot be made.
    #[cfg(feature = "mcp-client")]
    pub async fn stream(&self, uri: &Uri, clock: &Clock) -> Result<Connection, Failure> {
        let target = Target::of(uri)?;
        let limit = self.config.limits.connect;
        let stream = match self.proxy(&target.host) {
            Some(proxy) => self.connect_through(proxy, &target, true, clock).await,
            None => {
                let (grants, resolver) = (&self.config.grants, &self.config.resolver);
                connect::connect(grants, resolver, &target, limit, clock).await
            }
        }?;
        if !target.is_tls {
            return Ok(Connection::Plain(stream));
        }
        let config = self
            .tls
            .get_or_init(|| connect::tls(&self.config.roots).map(Arc::new));
        let mut config = (*config.clone().map_err(Failure::Tls)?).clone();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        connect::start_tls(stream, Arc::new(config), &target.host, limit, clock).await
    }

    /// The proxy of requests to a host. This machine is reached directly, because the proxy would
    /// connect to its own.
    fn proxy(&self, host: &Host) -> Option<&Proxy> {
        let proxy = self.config.proxy.as_ref();
        proxy.filter(|_| !host.is_this_machine())
    }

    /// Connects to a proxy, and through it to a host if `is_tunnel` is true.
    async fn connect_through(
        &self,
        proxy: &Proxy,
        target: &Target<'_>,
        is_tunnel: bool,
        clock: &Clock,
    ) -> Result<TcpStream, Failure> {
        let Config {
            grants,
            limits,
            resolver,
            proxy_authorization,
            ..
        } = &self.config;
        let (host, port) = (&target.host, target.port);
        match host {
            Host::Address(address) => grants.check_address(host, port, *address)?,
            Host::Name(_) => grants.check_host(host, port)?,
        }
        let stream = connect::connect_proxy(resolver, proxy, limits.connect, clock).await?;
        if !is_tunnel {
            return Ok(stream);
        }
        let authorization = proxy_authorization.as_ref();
        proxy::tunnel(stream, target, authorization, limits, clock).await
    }

    /// The request as a connection sends it.
    fn request(
        &self,
        method: &Method,
        target: &Target<'_>,
        headers: &HeaderMap,
        idle: &Idle,
    ) -> Result<Request<Empty<Bytes>>, Failure> {
        let wrong = |error: http::Error| Failure::Protocol(error.to_string());
        let Target { uri, host, .. } = target;
        let mut builder = Request::builder().method(method.clone());
        builder = match &idle.sender {
            // HTTP/2 sends the scheme and the host on their own.
            Sender::Http2(_) => builder.uri((*uri).clone()),
            Sender::Direct(_) | Sender::Http1(_) => {
                builder = builder.header(HOST, target.authority());
                if target.is_tls || self.proxy(host).is_none() {
                    let path = uri.path_and_query().map_or("/", |path| path.as_str());
                    builder.uri(path)
                } else {
                    // The proxy connects to the host of this address.
                    let authorization = self.config.proxy_authorization.iter();
                    authorization.fold(builder.uri((*uri).clone()), |builder, value| {
                        builder.header(PROXY_AUTHORIZATION, value.clone())
                    })
                }
            }
        };
        builder = builder.header(USER_AGENT, self.config.user_agent.clone());
        for name in HEADERS {
            if let Some(value) = headers.get(&name) {
                builder = builder.header(name, value.clone());
            }
        }
        let secrets = self.config.secrets.iter();
        for secret in secrets.filter(|it| it.host == *host && (it.is_plain || target.is_tls)) {
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
        let sent = match &mut idle.sender {
            Sender::Direct(direct) => direct.send(request, limits, clock),
            Sender::Http1(sender) => {
                let sent = sender.send_request(request);
                answered(sent, limits, clock).await
            }
            Sender::Http2(sender) => {
                let sent = sender.send_request(request);
                answered(sent, limits, clock).await
            }
        };
        let response = sent?;
        let size: usize = response
            .headers()
            .iter()
            .map(|(name, value)| name.as_str().len() + value.len() + 4)
            .sum();
        if size > limits.headers {
            return Err(Failure::Headers(limits.headers));
        }
        let meter = idle.meter.clone();
        meter.head();
        let borrowed = match idle.sender {
            // Its body arrives over it, and nobody else serves it.
            Sender::Direct(_) => Some(Borrowed::new(idle, Arc::clone(&self.pool), server.clone())),
            Sender::Http1(_) | Sender::Http2(_) => {
                self.pool.keep(server, idle);
                None
            }
        };
        Ok(response.map(|body| Content::new(body, limits.body, meter, borrowed)))
    }
}

/// The head of a response that a task of a runtime receives.
async fn answered(
    sent: impl Future<Output = hyper::Result<Response<Incoming>>>,
    limits: &Limits,
    clock: &Clock,
) -> Result<Response<Incoming>, Failure> {
    let response = clock.wait(Step::Response, limits.exchange, sent).await?;
    response.map_err(|error| failed_exchange(&error, limits))
}
