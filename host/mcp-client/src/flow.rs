//! What a server sends, and its limits: a line that does not end, and messages that nobody asked for.

use super::limits;
use super::values::Values;
use rmcp::model::{NumberOrString, RequestId, ServerJsonRpcMessage};
use serde_json::Value;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::Notify;

/// The messages and bytes that a server sent since the last request, and the limit that it exceeded.
#[derive(Debug, Default)]
pub struct Flow {
    messages: AtomicU64,
    bytes: AtomicU64,
    exceeded: Mutex<Option<String>>,
    /// The requests that wait for an answer.
    waiting: AtomicU64,
    /// The number of the last request that was sent. The client numbers its requests from 0.
    last: AtomicU64,
    /// Why the answer to the one that waits does not come.
    stray: Mutex<Option<String>>,
    /// Wakes those who wait for a limit that is exceeded, or an answer that does not come.
    wake: Notify,
}

impl Flow {
    /// Records that a request begins. It waits for its answer until the returned value is dropped.
    pub fn request(&self) -> Request<'_> {
        self.messages.store(0, Ordering::Relaxed);
        self.bytes.store(0, Ordering::Relaxed);
        self.take_stray();
        self.waiting.fetch_add(1, Ordering::Relaxed);
        Request(self)
    }

    /// Records the number of a request that was sent.
    pub fn sent(&self, id: &RequestId) {
        if let NumberOrString::Number(id) = id {
            let id = u64::try_from(*id).unwrap_or_default();
            self.last.fetch_max(id, Ordering::Relaxed);
        }
    }

    /// Records that the server sent an answer which no request can have. If one request waits, the answer was
    /// meant for it. Of several, it is not certain which one.
    pub fn stray(&self, what: String) {
        if self.waiting.load(Ordering::Relaxed) == 1 {
            *self.stray.lock().unwrap_or_else(PoisonError::into_inner) = Some(what);
            self.wake.notify_waiters();
        }
    }

    /// Why the answer to the request that waits does not come, if that is known.
    pub fn take_stray(&self) -> Option<String> {
        let mut stray = self.stray.lock().unwrap_or_else(PoisonError::into_inner);
        stray.take()
    }

    fn has_stray(&self) -> bool {
        let stray = self.stray.lock();
        stray.unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// The messages since the last request.
    pub fn messages(&self) -> u64 {
        self.messages.load(Ordering::Relaxed)
    }

    /// The limit that the server exceeded, as a text.
    pub fn exceeded(&self) -> Option<String> {
        let exceeded = self.exceeded.lock();
        exceeded.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until the server exceeds a limit or sends a stray answer. The answer to a request does not come then,
    /// so that nobody needs to wait for the deadline.
    pub async fn until_failed(&self) {
        loop {
            let waked = self.wake.notified();
            if self.exceeded().is_some() || self.has_stray() {
                return;
            }
            waked.await;
        }
    }

    /// Counts bytes and the messages that end in them.
    ///
    /// # Errors
    /// Fails if a limit is exceeded. The connection ends then.
    pub fn count(&self, bytes: usize, messages: u64) -> io::Result<()> {
        let bytes = bytes as u64;
        let total = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let sent = self.messages.fetch_add(messages, Ordering::Relaxed);
        if sent.saturating_add(messages) > limits::MESSAGES {
            let most = limits::MESSAGES;
            return Err(self.exceed(format!("it sent more than {most} messages unasked")));
        }
        if total.saturating_add(bytes) > limits::RECEIVED {
            let most = limits::RECEIVED >> 20;
            return Err(self.exceed(format!("it sent more than {most} MiB unasked")));
        }
        Ok(())
    }

    /// Records that a message is too long.
    pub fn long(&self) -> io::Error {
        let most = limits::LINE >> 20;
        self.exceed(format!("it sent a message of more than {most} MiB"))
    }

    /// Records that a message has too many values.
    pub fn many(&self) -> io::Error {
        let most = limits::VALUES;
        self.exceed(format!("it sent a message with more than {most} values"))
    }

    fn exceed(&self, what: String) -> io::Error {
        let mut exceeded = self.exceeded.lock().unwrap_or_else(PoisonError::into_inner);
        let first = exceeded.get_or_insert(what).clone();
        drop(exceeded);
        self.wake.notify_waiters();
        io::Error::other(first)
    }
}

/// A request that waits for its answer.
pub struct Request<'f>(&'f Flow);

impl Drop for Request<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The standard output of a server, with limits on its lines.
pub struct Lines<R> {
    inner: R,
    flow: Arc<Flow>,
    /// The bytes of the line that has not ended.
    line: usize,
    /// The values in that line.
    values: Values,
    /// The line, if it has at most [`limits::CHECKED`] bytes.
    start: Vec<u8>,
}

impl<R> Lines<R> {
    /// The output of a server, whose lines are counted in `flow`.
    pub fn new(inner: R, flow: Arc<Flow>) -> Self {
        Self {
            inner,
            flow,
            line: 0,
            values: Values::default(),
            start: Vec::new(),
        }
    }

    /// Checks a line that has ended. Other texts than answers are left to the client.
    fn check(&self) {
        let Ok(Value::Object(message)) = serde_json::from_slice(&self.start) else {
            return;
        };
        let is_answer = message.contains_key("result") || message.contains_key("error");
        let Some(id) = message.get("id").filter(|_| is_answer) else {
            return;
        };
        // A number is recorded when its request has been sent, so that its answer may be here before.
        let last = self.flow.last.load(Ordering::Relaxed);
        let last = last.saturating_add(limits::AHEAD);
        // The client accepts the number as a text too.
        let number = match serde_json::from_value(id.clone()) {
            Ok(NumberOrString::Number(number)) => u64::try_from(number).ok(),
            Ok(NumberOrString::String(text)) => text.parse().ok(),
            Err(_) => None,
        };
        if number.is_none_or(|number| number > last) && !id.is_null() {
            let what = format!("its id is {id}, which no request has");
            self.flow.stray(what);
        } else if serde_json::from_slice::<ServerJsonRpcMessage>(&self.start).is_err() {
            let what = "it is not a message of MCP".to_owned();
            self.flow.stray(what);
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Lines<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        match Pin::new(&mut self.inner).poll_read(cx, buffer) {
            Poll::Ready(Ok(())) => {}
            other => return other,
        }
        let new = buffer.filled().get(before..).unwrap_or_default();
        let mut messages = 0_u64;
        for (index, part) in new.split(|byte| *byte == b'\n').enumerate() {
            if index > 0 {
                messages = messages.saturating_add(1);
                self.check();
                self.line = 0;
                self.values.restart();
                self.start.clear();
            }
            if self.line.saturating_add(part.len()) <= limits::CHECKED {
                self.start.extend_from_slice(part);
            } else {
                self.start.clear();
            }
            self.line = self.line.saturating_add(part.len());
            if self.line > limits::LINE {
                return Poll::Ready(Err(self.flow.long()));
            }
            if self.values.add(part) {
                return Poll::Ready(Err(self.flow.many()));
            }
        }
        Poll::Ready(self.flow.count(new.len(), messages))
    }
}
