//! Bytes of a connection that belong to no response: frames of HTTP/2 that say nothing, interim responses,
//! and padding. A server could send them without end, and each takes time.

use super::limits::{FRAME_BYTES, IDLE_BYTES};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The number of bytes that were received over a connection, without those that belong to a response.
/// Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<AtomicU64>);

impl Meter {
    /// Counts received bytes.
    ///
    /// # Errors
    /// Fails if too many of them belong to no response.
    fn receive(&self, bytes: u64) -> io::Result<()> {
        let before = self.0.fetch_add(bytes, Ordering::Relaxed);
        if before.saturating_add(bytes) > IDLE_BYTES {
            return Err(io::Error::other(
                "the server sends too much that belongs to no response",
            ));
        }
        Ok(())
    }

    /// Notes that the head of a response has arrived.
    pub fn head(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Notes that a part of a body has arrived.
    pub fn part(&self, bytes: u64) {
        let of_part = bytes.saturating_add(FRAME_BYTES);
        let less = |count: u64| Some(count.saturating_sub(of_part));
        let _ = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }
}

/// A connection whose bytes are counted.
pub struct Metered<C> {
    connection: C,
    meter: Meter,
}

impl<C> Metered<C> {
    /// Counts the bytes of a connection.
    pub fn new(connection: C, meter: Meter) -> Self {
        Self { connection, meter }
    }
}

impl<C: AsyncRead + Unpin> AsyncRead for Metered<C> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        let polled = Pin::new(&mut this.connection).poll_read(context, buffer);
        if let Poll::Ready(Ok(())) = polled {
            let bytes = buffer.filled().len().saturating_sub(before);
            this.meter.receive(bytes as u64)?;
        }
        polled
    }
}

impl<C: AsyncWrite + Unpin> AsyncWrite for Metered<C> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().connection).poll_write(context, buffer)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().connection).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().connection).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bytes_of_no_response_are_limited() {
        let meter = Meter::default();
        for _ in 0..10 {
            meter.receive(IDLE_BYTES / 2).unwrap();
            meter.part(IDLE_BYTES / 2);
        }
        meter.receive(IDLE_BYTES).unwrap();
        assert!(meter.receive(1).is_err());
        meter.head();
        assert!(meter.receive(IDLE_BYTES).is_ok());
    }
}
