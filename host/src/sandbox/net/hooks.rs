//! `wasi:http` for a read: each request goes through the client.

use super::client::{Client, Content};
use super::failure::{Failure, Step};
use super::time::Clock;
use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body, Frame};
use http_body_util::BodyExt as _;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody, WasiHttpHooks};

/// The requests of a read.
pub struct Hooks {
    client: Arc<Client>,
    clock: Clock,
}

impl Hooks {
    /// The requests of a read, whose time starts now.
    pub fn new(client: Arc<Client>, clock: Clock) -> Self {
        Self { client, clock }
    }
}

/// A response, and a future that ends with its body. Ours needs none.
type Sent = Result<
    (
        Response<WasiBody>,
        Box<dyn Future<Output = Result<(), Error>> + Send>,
    ),
    Error,
>;

impl WasiHttpHooks for Hooks {
    fn send_request(
        &mut self,
        request: Request<WasiBody>,
        _: Option<RequestOptions>,
        _: Box<dyn Future<Output = Result<(), Error>> + Send>,
    ) -> Box<dyn Future<Output = Sent> + Send> {
        let (client, clock) = (Arc::clone(&self.client), self.clock.clone());
        Box::new(async move {
            let (head, _) = request.into_parts();
            let sent = client
                .send(head.method, &head.uri, &head.headers, &clock)
                .await
                .map_err(error)?;
            let body = sent.map(|content| Bounded::new(content, client, clock).boxed_unsync());
            let ended: Box<dyn Future<Output = Result<(), Error>> + Send> =
                Box::new(async { Ok(()) });
            Ok((body, ended))
        })
    }
}

/// The next part of a body, and the body itself.
type Next = Pin<Box<dyn Future<Output = (Content, Option<Result<Bytes, Failure>>)> + Send>>;

/// A body whose parts arrive in time.
struct Bounded {
    client: Arc<Client>,
    clock: Clock,
    content: Option<Content>,
    next: Option<Next>,
}

impl Bounded {
    fn new(content: Content, client: Arc<Client>, clock: Clock) -> Self {
        Self {
            client,
            clock,
            content: Some(content),
            next: None,
        }
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
        let (content, part) = match next.as_mut().poll(context) {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(ended) => ended,
        };
        this.next = None;
        Poll::Ready(match part {
            None => None,
            Some(Ok(bytes)) => {
                this.content = Some(content);
                Some(Ok(Frame::data(bytes)))
            }
            Some(Err(failure)) => Some(Err(error(failure))),
        })
    }
}

/// The error of `wasi:http` for a failure. A refusal has our message, which names the grant.
fn error(failure: Failure) -> Error {
    match failure {
        Failure::Name(why) => Error::DnsError {
            rcode: Some(why),
            info_code: None,
        },
        Failure::Method(_) => Error::HttpRequestMethodInvalid,
        Failure::Certificate(_) | Failure::Denied(_) | Failure::Connect(_) | Failure::Tls(_) => {
            Error::InternalError(Some(failure.to_string()))
        }
        Failure::Headers(limit) => Error::HttpResponseHeaderSectionSize(u32::try_from(limit).ok()),
        Failure::Body(limit) => Error::HttpResponseBodySize(Some(limit)),
        Failure::Timeout(Step::Resolve) => Error::DnsTimeout,
        Failure::Timeout(Step::Connect) => Error::ConnectionTimeout,
        Failure::Timeout(_) => Error::HttpResponseTimeout,
        Failure::Stopped => Error::ConnectionTerminated,
        Failure::Protocol(_) => Error::InternalError(Some(failure.to_string())),
    }
}
