//! The time that the requests of a read may take.

use super::failure::{Failure, Step};
use super::limits::BODY_PARTS;
use super::turns::{TURN, wake_later};
use crate::sandbox::Waits;
use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

/// Whether a read was stopped.
pub type IsStopped = Arc<dyn Fn() -> bool + Send + Sync>;

/// The time limit of all requests of a read together, and its other reason to stop.
#[derive(Clone)]
pub struct Clock {
    limit: Duration,
    waits: Arc<Waits>,
    stopped: IsStopped,
    /// The number of parts of bodies that have arrived.
    parts: Arc<AtomicU32>,
}

impl Clock {
    /// Creates a clock. `waits` counts the time that the requests take, which `limit` bounds.
    pub fn new(limit: Duration, waits: Arc<Waits>, stopped: IsStopped) -> Self {
        Self {
            limit,
            waits,
            stopped,
            parts: Arc::default(),
        }
    }

    /// Counts a part of a body.
    ///
    /// # Errors
    /// Fails if all requests of the read together had too many.
    pub fn count_part(&self) -> Result<(), Failure> {
        if self.parts.fetch_add(1, Ordering::Relaxed) >= BODY_PARTS {
            return Err(Failure::Parts);
        }
        Ok(())
    }

    /// Waits for a future, at most `limit`, until all requests of the read have taken too long, or
    /// until the read is stopped.
    ///
    /// # Errors
    /// Fails with the reason why the future did not end.
    pub async fn wait<T>(
        &self,
        step: Step,
        limit: Duration,
        future: impl Future<Output = T>,
    ) -> Result<T, Failure> {
        let mut future = std::pin::pin!(future);
        let _waiting = self.waits.start();
        let began = Instant::now();
        poll_fn(|context| {
            self.check()?;
            if let Poll::Ready(value) = future.as_mut().poll(context) {
                return Poll::Ready(Ok(value));
            }
            if began.elapsed() >= limit {
                return Poll::Ready(Err(Failure::Timeout(step, limit)));
            }
            wake_later(context.waker());
            Poll::Pending
        })
        .await
    }

    /// As [`Self::wait`], on this thread: calls `part` until it is ready, and between two calls `rest`, which waits at
    /// most for the time that it is given.
    ///
    /// # Errors
    /// Fails with the reason why `part` did not become ready.
    pub fn wait_here<T>(
        &self,
        step: Step,
        limit: Duration,
        mut part: impl FnMut() -> Poll<T>,
        rest: impl Fn(Duration),
    ) -> Result<T, Failure> {
        let _waiting = self.waits.start();
        let began = Instant::now();
        loop {
            self.check()?;
            if let Poll::Ready(value) = part() {
                return Ok(value);
            }
            if began.elapsed() >= limit {
                return Err(Failure::Timeout(step, limit));
            }
            rest(TURN);
        }
    }

    /// Whether the requests may go on.
    fn check(&self) -> Result<(), Failure> {
        if (self.stopped)() {
            return Err(Failure::Stopped);
        }
        // Also if the parts of a body always arrive at once.
        if self.waits.total() >= self.limit {
            return Err(Failure::Timeout(Step::Read, self.limit));
        }
        Ok(())
    }
}
