//! What a read has received so far, for a display of its progress.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the reads of a session receive over the network. Clones show the same reads.
/// [`Session::with_progress`](crate::Session::with_progress) connects it with a session.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Mutex<Option<Received>>>);

/// What the last request of a read has received so far.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Received {
    /// The host of the request.
    pub host: String,
    /// The number of bytes of the body that have arrived.
    pub bytes: u64,
    /// The size of the body in bytes, if the server has sent it.
    pub total: Option<u64>,
}

impl Progress {
    /// Creates a value that no read has changed.
    pub fn new() -> Self {
        Self::default()
    }

    /// What the last request has received so far. `None` if there was no request.
    pub fn received(&self) -> Option<Received> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Received>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a request to a host.
    pub(super) fn begin(&self, host: &str) {
        *self.lock() = Some(Received {
            host: host.to_owned(),
            bytes: 0,
            total: None,
        });
    }

    /// Records the size of the body.
    pub(super) fn set_total(&self, total: Option<u64>) {
        if let Some(received) = &mut *self.lock() {
            received.total = total;
        }
    }

    /// Records that a part of the body has arrived.
    pub(super) fn add(&self, bytes: usize) {
        if let Some(received) = &mut *self.lock() {
            received.bytes = received.bytes.saturating_add(bytes as u64);
        }
    }
}

impl fmt::Display for Received {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let megabytes = |bytes: u64| {
            let tenths = bytes / 100_000;
            format!("{}.{}", tenths / 10, tenths % 10)
        };
        let (host, bytes) = (&self.host, megabytes(self.bytes));
        match self.total {
            Some(total) => write!(f, "{bytes} of {} MB from {host}", megabytes(total)),
            None => write!(f, "{bytes} MB from {host}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_request_is_shown() {
        let progress = Progress::new();
        assert_eq!(progress.received(), None);
        progress.begin("a.example");
        progress.add(1_260_000);
        let text = |progress: &Progress| progress.received().unwrap().to_string();
        assert_eq!(text(&progress), "1.2 MB from a.example");
        progress.set_total(Some(50_000_000));
        assert_eq!(text(&progress), "1.2 of 50.0 MB from a.example");
        progress.begin("b.example");
        assert_eq!(text(&progress), "0.0 MB from b.example");
    }
}
