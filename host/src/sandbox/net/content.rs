//! The body of a response.

use super::borrowed::Borrowed;
use super::failure::{Failure, Step, reason};
use super::limits::Limits;
use super::meter::Meter;
use super::time::Clock;
use bytes::Bytes;
use http_body::{Body, Frame};
use hyper::body::Incoming;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The body of a response, within the limit on its bytes.
#[derive(Debug)]
pub struct Content {
    body: Incoming,
    rest: u64,
    limit: u64,
    /// Counts the bytes of the connection.
    meter: Meter,
    /// The connection, if the reader of the body serves it. Dropped after the body.
    borrowed: Option<Borrowed>,
}

impl Content {
    /// A body of at most `limit` bytes.
    pub fn new(body: Incoming, limit: u64, meter: Meter, borrowed: Option<Borrowed>) -> Self {
        Self {
            body,
            rest: limit,
            limit,
            meter,
            borrowed,
        }
    }

    /// The next part. `None` at the end.
    ///
    /// # Errors
    /// Fails if it does not arrive, or if the body is too large.
    pub async fn next(&mut self, limits: &Limits, clock: &Clock) -> Option<Result<Bytes, Failure>> {
        loop {
            return match self.frame(limits, clock).await {
                Ok(None) => {
                    self.borrowed = None;
                    None
                }
                Err(failure) | Ok(Some(Err(failure))) => Some(Err(failure)),
                Ok(Some(Ok(frame))) => match frame.into_data() {
                    Ok(bytes) => Some(clock.count_part().map(|()| bytes)),
                    Err(_) => continue,
                },
            };
        }
    }

    /// The next frame.
    async fn frame(
        &mut self,
        limits: &Limits,
        clock: &Clock,
    ) -> Result<Option<Result<Frame<Bytes>, Failure>>, Failure> {
        let (step, limit) = (Step::Body, limits.exchange);
        let mut borrowed = self.borrowed.take();
        let Some(direct) = borrowed.as_mut().and_then(Borrowed::direct) else {
            let frame = poll_fn(|context| Pin::new(&mut *self).poll_frame(context));
            return clock.wait(step, limit, frame).await;
        };
        let frame = direct.wait(step, limit, clock, |context| {
            Pin::new(&mut *self).poll_frame(context)
        });
        self.borrowed = borrowed;
        frame
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
        self.meter.part(length);
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
