//! `wasi:http` for a read: each request goes through the client.

use super::client::Client;
use super::content::Content;
use super::failure::{Failure, Step};
use super::grant::Denied;
use super::progress::Progress;
use super::target::Target;
use super::time::Clock;
use crate::sandbox::Stop;
use bytes::Bytes;
use http::header::CONTENT_LENGTH;
use http::{HeaderMap, Method, Request, Response, Uri};
use http_body::{Body, Frame};
use http_body_util::BodyExt as _;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use wasmtime_wasi::runtime::{in_tokio, with_ambient_tokio_runtime};
use wasmtime_wasi_http::p2::bindings::http::types::{DnsErrorPayload, ErrorCode};
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody, WasiHttpHooks};

/// The requests of a read. Without a client, all are refused.
pub struct Hooks {
    client: Option<Arc<Client>>,
    /// The stop conditions of the read.
    stop: Stop,
    progress: Option<Progress>,
    /// Created for the first request.
    requests: Option<Requests>,
}

/// What the requests of a read share.
#[derive(Clone)]
struct Requests {
    clock: Clock,
    failure: Last,
}

/// Why the last request failed.
#[derive(Clone, Default)]
struct Last(Arc<Mutex<Option<Failure>>>);

impl Last {
    fn set(&self, failure: Option<Failure>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = failure;
    }

    /// Records a failure, and returns the error of `wasi:http` for it.
    fn error(&self, failure: Failure) -> ErrorCode {
        let error = error(&failure);
        self.set(Some(failure));
        error
    }
}

impl Hooks {
    /// The requests of a read with these stop conditions. Nothing is allocated before the first one.
    pub fn new(client: Option<Arc<Client>>, stop: Stop, progress: Option<Progress>) -> Self {
        Self {
            client,
            stop,
            progress,
            requests: None,
        }
    }

    /// Whether no request is allowed.
    pub fn is_offline(&self) -> bool {
        self.client.is_none()
    }

    /// Why the last request or its body failed. `None` if it did not fail.
    pub fn last_failure(&self) -> Option<Failure> {
        let last = &self.requests.as_ref()?.failure.0;
        last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Where the read reports what it receives.
    #[cfg(test)]
    pub fn progress(&self) -> Option<&Progress> {
        self.progress.as_ref()
    }

    fn requests(&mut self) -> Requests {
        let (client, stop) = (&self.client, &self.stop);
        let requests = self.requests.get_or_insert_with(|| {
            let limit = client.as_ref().map(|client| client.limits().read);
            let waits = Arc::clone(stop.time.network());
            let stop = stop.clone();
            let stopped = Arc::new(move || stop.check_waiting().is_err());
            Requests {
                clock: Clock::new(limit.unwrap_or_default(), waits, stopped),
                failure: Last::default(),
            }
        });
        requests.failure.set(None);
        requests.clone()
    }
}

/// Why a request to an address is refused if nothing is granted.
fn refusal(uri: &Uri) -> Failure {
    match Target::of(uri) {
        Ok(target) => Denied::Host(target.host, target.port).into(),
        Err(failure) => failure,
    }
}

impl Hooks {
    /// Sends a request of the read, on its thread, and waits for the head of the response.
    ///
    /// # Errors
    /// Fails if the request is refused, or if no response arrives.
    pub fn send(
        &mut self,
        method: Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<Response<Bounded>, ErrorCode> {
        let Requests { clock, failure } = self.requests();
        let progress = self.progress.clone();
        let Some(client) = self.client.clone() else {
            return Err(failure.error(refusal(uri)));
        };
        if let Some(progress) = &progress {
            progress.begin(uri.host().unwrap_or_default());
        }
        let sent = in_tokio(client.send(method, uri, headers, &clock));
        let sent = sent.map_err(|why| failure.error(why))?;
        if let Some(progress) = &progress {
            let size = sent.headers().get(CONTENT_LENGTH);
            let size = size.and_then(|size| size.to_str().ok()?.parse().ok());
            progress.set_total(size);
        }
        Ok(sent.map(|content| Bounded {
            progress,
            client,
            clock,
            failure,
            content: Some(content),
            next: None,
        }))
    }
}

/// A response, and a future that ends with its body.
type Sent = Result<
    (
        Response<WasiBody>,
        Box<dyn Future<Output = Result<(), Error>> + Send>,
    ),
    Error,
>;

impl WasiHttpHooks for Hooks {
    /// Refuses a request. Those of a read go through [`Hooks::send`], and nothing that is linked calls this function.
    fn send_request(
        &mut self,
        _: Request<WasiBody>,
        _: Option<RequestOptions>,
        _: Box<dyn Future<Output = Result<(), Error>> + Send>,
    ) -> Box<dyn Future<Output = Sent> + Send> {
        Box::new(async { Err(Error::HttpRequestDenied) })
    }
}

/// The next part of a body, and the body itself.
type Next = Pin<Box<dyn Future<Output = (Content, Option<Result<Bytes, Failure>>)> + Send>>;

/// A body whose parts arrive in time.
pub struct Bounded {
    client: Arc<Client>,
    clock: Clock,
    failure: Last,
    progress: Option<Progress>,
    content: Option<Content>,
    next: Option<Next>,
}

impl Bounded {
    /// Waits on this thread for the first bytes of the body. Empty if there are none, or if they do not arrive: then
    /// the body fails when it is read.
    pub fn start(&mut self) -> Bytes {
        let Some(mut content) = self.content.take() else {
            return Bytes::new();
        };
        let part = in_tokio(content.next(self.client.limits(), &self.clock));
        match part {
            None => Bytes::new(),
            Some(Ok(bytes)) => {
                self.content = Some(content);
                if let Some(progress) = &self.progress {
                    progress.add(bytes.len());
                }
                bytes
            }
            Some(failed @ Err(_)) => {
                self.next = Some(Box::pin(async move { (content, Some(failed)) }));
                Bytes::new()
            }
        }
    }

    /// The body that is left, as `wasi:http` has it. `None` if it has ended, so that the connection is free.
    pub fn rest(self) -> Option<WasiBody> {
        let is_pending = self.next.is_some();
        let has_more = self.content.as_ref().is_some_and(|it| !it.is_end_stream());
        (is_pending || has_more).then(|| self.boxed_unsync())
    }
}

impl Body for Bounded {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let this = self.get_mut();
        if this.next.is_none() {
            let Some(mut content) = this.content.take() else {
                return Poll::Ready(None);
            };
            let (client, clock) = (Arc::clone(&this.client), this.clock.clone());
            this.next = Some(Box::pin(async move {
                let part = content.next(client.limits(), &clock).await;
                (content, part)
            }));
        }
        let Some(next) = &mut this.next else {
            return Poll::Ready(None);
        };
        // A read that does not block polls without a runtime, which the timers need.
        let polled = with_ambient_tokio_runtime(|| next.as_mut().poll(context));
        let (content, part) = match polled {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(ended) => ended,
        };
        this.next = None;
        Poll::Ready(match part {
            None => None,
            Some(Ok(bytes)) => {
                this.content = Some(content);
                if let Some(progress) = &this.progress {
                    progress.add(bytes.len());
                }
                Some(Ok(Frame::data(bytes)))
            }
            Some(Err(failure)) => Some(Err(this.failure.error(failure).into())),
        })
    }
}

/// The error of `wasi:http` for a failure. `request-failed` returns the details.
fn error(failure: &Failure) -> ErrorCode {
    match failure {
        Failure::Denied(Denied::Address(..)) => ErrorCode::DestinationIpProhibited,
        Failure::Denied(_) => ErrorCode::HttpRequestDenied,
        Failure::Method(_) => ErrorCode::HttpRequestMethodInvalid,
        Failure::Address(_) => ErrorCode::HttpRequestUriInvalid,
        Failure::Name(why) => ErrorCode::DnsError(DnsErrorPayload {
            rcode: Some(why.clone()),
            info_code: None,
        }),
        Failure::Connect(_) | Failure::Proxy(_) | Failure::ProxyAuthorization(_) => {
            ErrorCode::ConnectionRefused
        }
        Failure::Certificate(_) => ErrorCode::TlsCertificateError,
        Failure::Tls(_) => ErrorCode::TlsProtocolError,
        Failure::Protocol(_) | Failure::Parts => ErrorCode::HttpProtocolError,
        Failure::Headers(limit) => {
            ErrorCode::HttpResponseHeaderSectionSize(u32::try_from(*limit).ok())
        }
        Failure::Body(limit) => ErrorCode::HttpResponseBodySize(Some(*limit)),
        Failure::Timeout(Step::Resolve, _) => ErrorCode::DnsTimeout,
        Failure::Timeout(Step::Connect | Step::Tls, _) => ErrorCode::ConnectionTimeout,
        Failure::Timeout(..) => ErrorCode::HttpResponseTimeout,
        Failure::Stopped => ErrorCode::ConnectionTerminated,
    }
}
