//! Streamable HTTP: requests of rmcp over connections that the caller makes, so that it decides where they
//! may lead. Redirects are not followed.

use super::flow::Flow;
use super::limits;
use super::values::Values;
use bytes::Bytes;
use futures_core::stream::BoxStream;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri};
use http_body::{Body, Frame};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    HttpStatusError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};
use std::collections::HashMap;
use std::fmt;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite};

/// The value of `Accept`: the two forms that an answer may have.
const FORMS: &str = "application/json, text/event-stream";

/// A connection to a server.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// A connection that is being made.
pub type Connecting<'a> = Pin<Box<dyn Future<Output = io::Result<Box<dyn Stream>>> + Send + 'a>>;

/// Makes connections. It decides which servers and addresses may be reached, and starts TLS.
pub trait Connect: Send + Sync {
    /// Connects to the server of a URI, for HTTP/1.1.
    fn connect<'a>(&'a self, uri: &'a Uri) -> Connecting<'a>;
}

type Sender = SendRequest<Full<Bytes>>;
type Failed = StreamableHttpError<io::Error>;

/// Sends the requests of rmcp to one server.
#[derive(Clone)]
pub struct Client {
    connect: Arc<dyn Connect>,
    flow: Arc<Flow>,
    kept: Arc<Mutex<Vec<Sender>>>,
    /// The streams of events that were opened.
    streams: Arc<AtomicU32>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}

impl Client {
    /// A client without connections.
    pub fn new(connect: Arc<dyn Connect>, flow: Arc<Flow>) -> Self {
        Self {
            connect,
            flow,
            kept: Arc::default(),
            streams: Arc::default(),
        }
    }

    async fn send(&self, request: Prepared) -> Result<Response<Incoming>, Failed> {
        let client = |error: hyper::Error| Failed::Client(io::Error::other(reasons(&error)));
        if let Some(mut sender) = self.take() {
            match sender.send_request(request.build()?).await {
                // The server closed the connection while it was kept.
                Err(error) if error.is_canceled() || error.is_closed() => {}
                Err(error) => return Err(client(error)),
                Ok(response) => {
                    self.keep(sender);
                    return Ok(response);
                }
            }
        }
        let stream = self.connect.connect(&request.uri).await;
        let io = TokioIo::new(stream.map_err(Failed::Client)?);
        let handshake = http1::Builder::new()
            .max_buf_size(limits::HEADERS)
            .handshake(io);
        let (mut sender, connection) = handshake.await.map_err(client)?;
        tokio::spawn(async move {
            let _ = connection.await;
        });
        let response = sender.send_request(request.build()?).await;
        let response = response.map_err(client)?;
        self.keep(sender);
        Ok(response)
    }

    fn take(&self) -> Option<Sender> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|sender| !sender.is_closed());
        let ready = kept.iter().position(Sender::is_ready)?;
        Some(kept.swap_remove(ready))
    }

    /// Keeps a connection. It is ready again when its response has been read.
    fn keep(&self, sender: Sender) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= limits::KEPT {
            kept.remove(0);
        }
        kept.push(sender);
    }

    /// Reads a body up to a limit, and whether it is longer.
    async fn body(&self, mut body: Incoming, most: usize) -> Result<(Vec<u8>, bool), Failed> {
        let mut all = Vec::new();
        let mut values = Values::default();
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| Failed::Client(io::Error::other(reasons(&error))))?;
            let Some(data) = frame.data_ref() else {
                continue;
            };
            self.flow.count(data.len(), 0).map_err(Failed::Io)?;
            if values.add(data) {
                return Err(Failed::Io(self.flow.many()));
            }
            let room = most.saturating_sub(all.len());
            if data.len() > room {
                all.extend_from_slice(data.get(..room).unwrap_or_default());
                return Ok((all, true));
            }
            all.extend_from_slice(data);
        }
        Ok((all, false))
    }

    /// The failure for a response that is not a success.
    async fn refused(&self, response: Response<Incoming>, has_session: bool) -> Failed {
        let status = response.status();
        if status == StatusCode::NOT_FOUND && has_session {
            return Failed::SessionExpired;
        }
        let header = |name: HeaderName| {
            let value = response.headers().get(name)?;
            Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
        };
        if status == StatusCode::UNAUTHORIZED {
            return unexpected(format!(
                "HTTP {status}: the server needs a token in a header"
            ));
        }
        if status.is_redirection() {
            return unexpected(format!("HTTP {status}: redirects are not followed"));
        }
        if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
            let after = header(http::header::RETRY_AFTER);
            return HttpStatusError::new(status.as_u16(), after).into();
        }
        match self.body(response.into_body(), limits::ERROR_BODY).await {
            Ok((body, _)) => {
                let body = String::from_utf8_lossy(&body).into_owned();
                unexpected(format!("HTTP {status}: {body}"))
            }
            Err(failed) => failed,
        }
    }

    fn events(&self, body: Incoming) -> BoxStream<'static, Result<Sse, sse_stream::Error>> {
        Box::pin(SseStream::new(Events {
            inner: body,
            flow: Arc::clone(&self.flow),
            event: 0,
            values: Values::default(),
            is_line_empty: true,
        }))
    }
}

/// A request that can be sent again over another connection.
struct Prepared {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
}

impl Prepared {
    /// A request with the headers of the configuration, which do not replace those of the protocol.
    fn new(
        method: Method,
        uri: &str,
        session: Option<&str>,
        headers: HashMap<HeaderName, HeaderValue>,
        authorization: Option<String>,
    ) -> Result<Self, Failed> {
        let wrong = |what: &str| unexpected(format!("{what} cannot be sent"));
        let uri: Uri = uri.parse().map_err(|_| wrong("the address"))?;
        let mut all: HeaderMap = headers.into_iter().collect();
        let authority = uri.authority().map_or("", |authority| authority.as_str());
        let host = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host);
        let host = HeaderValue::from_str(host).map_err(|_| wrong("the name of the host"))?;
        all.insert(HOST, host);
        all.insert(ACCEPT, HeaderValue::from_static(FORMS));
        if !all.contains_key(USER_AGENT) {
            let agent = concat!("omniread/", env!("CARGO_PKG_VERSION"));
            all.insert(USER_AGENT, HeaderValue::from_static(agent));
        }
        if let Some(session) = session {
            let session = HeaderValue::from_str(session).map_err(|_| wrong("the session"))?;
            all.insert(HeaderName::from_static("mcp-session-id"), session);
        }
        if let Some(token) = authorization {
            let value = HeaderValue::from_str(&format!("Bearer {token}"));
            all.insert(AUTHORIZATION, value.map_err(|_| wrong("the token"))?);
        }
        Ok(Self {
            method,
            uri,
            headers: all,
            body: Bytes::new(),
        })
    }

    fn build(&self) -> Result<Request<Full<Bytes>>, Failed> {
        let path = self.uri.path_and_query().map_or("/", |path| path.as_str());
        let mut request = Request::new(Full::new(self.body.clone()));
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = path
            .parse()
            .map_err(|_| unexpected("the address cannot be sent".to_owned()))?;
        *request.headers_mut() = self.headers.clone();
        Ok(request)
    }
}

fn unexpected(what: String) -> Failed {
    Failed::UnexpectedServerResponse(what.into())
}

/// An error with its causes.
fn reasons(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

fn is_type(headers: &HeaderMap, name: &str) -> bool {
    let value = headers.get(CONTENT_TYPE);
    let value = value
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = value.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case(name)
}

impl StreamableHttpClient for Client {
    type Error = io::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        authorization: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        let mut request = Prepared::new(
            Method::POST,
            &uri,
            session.as_deref(),
            headers,
            authorization,
        )?;
        let json = HeaderValue::from_static("application/json");
        request.headers.insert(CONTENT_TYPE, json);
        request.body = serde_json::to_vec(&message)?.into();
        let response = self.send(request).await?;
        let status = response.status();
        let is_answered = matches!(message, ClientJsonRpcMessage::Request(_));
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        let id = response.headers().get("mcp-session-id");
        let id = id.and_then(|id| id.to_str().ok()).map(str::to_owned);
        let is_json = is_type(response.headers(), "application/json");
        if !status.is_success() {
            // A JSON-RPC error is more helpful than the status.
            if is_json && status.is_client_error() && status != StatusCode::UNAUTHORIZED {
                let is_expired = status == StatusCode::NOT_FOUND && session.is_some();
                if !is_expired {
                    let (body, _) = self.body(response.into_body(), limits::ERROR_BODY).await?;
                    let parsed = serde_json::from_slice::<ServerJsonRpcMessage>(&body);
                    if let Ok(error @ ServerJsonRpcMessage::Error(_)) = parsed {
                        return Ok(StreamableHttpPostResponse::Json(error, id));
                    }
                    let body = String::from_utf8_lossy(&body).into_owned();
                    return Err(unexpected(format!("HTTP {status}: {body}")));
                }
            }
            return Err(self.refused(response, session.is_some()).await);
        }
        if is_type(response.headers(), "text/event-stream") {
            let events = self.events(response.into_body());
            return Ok(StreamableHttpPostResponse::Sse(events, id));
        }
        if !is_answered {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if !is_json {
            let kind = response.headers().get(CONTENT_TYPE);
            let kind = kind.map(|kind| String::from_utf8_lossy(kind.as_bytes()).into_owned());
            return Err(Failed::UnexpectedContentType(kind));
        }
        let (body, is_longer) = self.body(response.into_body(), limits::LINE).await?;
        if is_longer {
            return Err(Failed::Io(self.flow.long()));
        }
        match serde_json::from_slice(&body) {
            Ok(message) => Ok(StreamableHttpPostResponse::Json(message, id)),
            Err(error) => Err(unexpected(format!("it is not a message of MCP: {error}"))),
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        authorization: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failed> {
        let session = Some(session.as_ref());
        let request = Prepared::new(Method::DELETE, &uri, session, headers, authorization)?;
        let response = self.send(request).await?;
        let status = response.status();
        if status == StatusCode::METHOD_NOT_ALLOWED || status.is_success() {
            return Ok(());
        }
        Err(self.refused(response, false).await)
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        authorization: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, sse_stream::Error>>, Failed> {
        // rmcp opens a stream that ends again, as soon as the server asks for it.
        if self.streams.fetch_add(1, Ordering::Relaxed) >= limits::STREAMS {
            return Err(Failed::ServerDoesNotSupportSse);
        }
        let mut request = Prepared::new(
            Method::GET,
            &uri,
            session.as_deref(),
            headers,
            authorization,
        )?;
        if let Some(last) = last.and_then(|last| HeaderValue::from_str(&last).ok()) {
            let name = HeaderName::from_static("last-event-id");
            request.headers.insert(name, last);
        }
        let response = self.send(request).await?;
        if response.status() == StatusCode::METHOD_NOT_ALLOWED {
            return Err(Failed::ServerDoesNotSupportSse);
        }
        if !response.status().is_success() {
            return Err(self.refused(response, session.is_some()).await);
        }
        if !is_type(response.headers(), "text/event-stream") {
            return Err(Failed::ServerDoesNotSupportSse);
        }
        Ok(self.events(response.into_body()))
    }
}

/// A stream of events, with limits on their size and number.
struct Events {
    inner: Incoming,
    flow: Arc<Flow>,
    /// The bytes of the event that has not ended.
    event: usize,
    /// The values in that event.
    values: Values,
    is_line_empty: bool,
}

impl Body for Events {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let frame = match Pin::new(&mut self.inner).poll_frame(cx) {
            Poll::Ready(Some(Ok(frame))) => frame,
            Poll::Ready(Some(Err(error))) => {
                return Poll::Ready(Some(Err(io::Error::other(reasons(&error)))));
            }
            Poll::Ready(None) => return Poll::Ready(None),
            Poll::Pending => return Poll::Pending,
        };
        let Some(data) = frame.data_ref() else {
            return Poll::Ready(Some(Ok(frame)));
        };
        let (mut events, mut has_many) = (0_u64, false);
        for byte in data {
            self.event = self.event.saturating_add(1);
            has_many |= self.values.add(&[*byte]);
            match byte {
                b'\n' if self.is_line_empty => {
                    events = events.saturating_add(1);
                    self.event = 0;
                    self.values.restart();
                }
                b'\n' => self.is_line_empty = true,
                b'\r' => {}
                _ => self.is_line_empty = false,
            }
        }
        if self.event > limits::LINE {
            return Poll::Ready(Some(Err(self.flow.long())));
        }
        if has_many {
            return Poll::Ready(Some(Err(self.flow.many())));
        }
        let counted = self.flow.count(data.len(), events);
        Poll::Ready(Some(counted.map(|()| frame)))
    }
}
