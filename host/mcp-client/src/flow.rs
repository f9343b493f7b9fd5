//! What a server sends, and its limits: a line that does not end, and messages that nobody asked for.

use super::limits;
use super::values::Values;
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
    /// Wakes those who wait until a limit is exceeded.
    wake: Notify,
}

impl Flow {
    /// Records that a request begins.
    pub fn request(&self) {
        self.messages.store(0, Ordering::Relaxed);
        self.bytes.store(0, Ordering::Relaxed);
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

    /// Waits until the server exceeds a limit. Its answer does not come then, so that nobody needs to wait for the
    /// deadline.
    pub async fn until_exceeded(&self) {
        loop {
            let waked = self.wake.notified();
            if self.exceeded().is_some() {
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

/// The standard output of a server, with limits on its lines.
pub struct Lines<R> {
    inner: R,
    flow: Arc<Flow>,
    /// The bytes of the line that has not ended.
    line: usize,
    /// The values in that line.
    values: Values,
}

impl<R> Lines<R> {
    /// The output of a server, whose lines are counted in `flow`.
    pub fn new(inner: R, flow: Arc<Flow>) -> Self {
        Self {
            inner,
            flow,
            line: 0,
            values: Values::default(),
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
                self.line = 0;
                self.values.restart();
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
