//! The progress of a read that waits for the network, on a terminal.

use crate::{Progress, Session};
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The time after which the progress of a read is shown.
const DELAY: Duration = Duration::from_secs(1);

/// The interval at which it is shown again.
const INTERVAL: Duration = Duration::from_millis(200);

/// Shows the progress of a read on standard error until it is dropped.
struct Shown {
    ended: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

/// Runs a read of a session. If it may use the network and standard error is a terminal, its
/// progress is shown after a second, and removed before this function returns.
pub fn with_progress<T>(session: &Session, read: impl FnOnce(&Session) -> T) -> T {
    if !session.has_network() || !io::stderr().is_terminal() {
        return read(session);
    }
    let progress = Progress::new();
    let _shown = Shown::start(progress.clone());
    read(&session.with_progress(&progress))
}

impl Shown {
    fn start(progress: Progress) -> Self {
        let ended = Arc::new((Mutex::new(false), Condvar::new()));
        let shared = Arc::clone(&ended);
        let thread = thread::Builder::new()
            .name("omniread-progress".to_owned())
            .spawn(move || show(&progress, &shared));
        Self {
            ended,
            // Without a thread, nothing is shown.
            thread: thread.ok(),
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        *self.ended.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.ended.1.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Shows the progress until the read ends, and removes it then.
fn show(progress: &Progress, (ended, signal): &(Mutex<bool>, Condvar)) {
    let mut wait = DELAY;
    let mut is_shown = false;
    let mut guard = ended.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let waited = signal.wait_timeout_while(guard, wait, |ended| !*ended);
        guard = waited.unwrap_or_else(PoisonError::into_inner).0;
        if *guard {
            break;
        }
        wait = INTERVAL;
        if let Some(received) = progress.received() {
            is_shown = true;
            // The host is a name in ASCII, or an address.
            let _ = write!(io::stderr(), "\r\x1b[K{received}");
        }
    }
    if is_shown {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}
