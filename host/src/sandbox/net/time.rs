//! The time that the requests of a read may take.

use super::failure::{Failure, Step};
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a waiting request checks whether the read was stopped.
const TURN: Duration = Duration::from_millis(10);

/// Whether a read was stopped.
pub type IsStopped = Arc<dyn Fn() -> bool + Send + Sync>;

/// The deadline of a read with all its requests, and its other reason to stop.
#[derive(Clone)]
pub struct Clock {
    deadline: Instant,
    stopped: IsStopped,
}

impl Clock {
    /// A clock that starts now.
    pub fn new(time: Duration, stopped: IsStopped) -> Self {
        let now = Instant::now();
        Self {
            // A time that the clock cannot represent is as good as none.
            deadline: now
                .checked_add(time)
                .unwrap_or(now + Duration::from_hours(24)),
            stopped,
        }
    }

    /// Waits for a future, at most `limit`, until the deadline, or until the read is stopped.
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
        let end = Instant::now().checked_add(limit).unwrap_or(self.deadline);
        loop {
            if (self.stopped)() {
                return Err(Failure::Stopped);
            }
            if let Ok(value) = tokio::time::timeout(TURN, &mut future).await {
                return Ok(value);
            }
            let now = Instant::now();
            if now >= self.deadline {
                return Err(Failure::Timeout(Step::Read));
            }
            if now >= end {
                return Err(Failure::Timeout(step));
            }
        }
    }
}
