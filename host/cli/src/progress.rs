//! The progress of a read that takes longer than a second, on a terminal.

use super::columns::{start, width};
use super::escapes::inert;
use super::sink::sink;
use super::stdin::is_dash;
use super::{output, screen};
use omniread::Session;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The time after which the progress of a read is shown.
const DELAY: Duration = Duration::from_secs(1);

/// The interval at which it is shown again.
const INTERVAL: Duration = Duration::from_millis(200);

/// The columns that the line of the progress needs in addition to the path.
const AROUND: usize = 20;

/// The control sequence that removes the line of the progress.
const REMOVE: &str = "\r\x1b[K";

/// A function that describes the progress of a read, given its duration.
type Describe = Box<dyn Fn(Duration) -> String + Send>;

/// Shows the progress of a read on standard error until it is dropped.
pub struct Shown {
    ended: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

/// Runs a read of a session. If standard error is a terminal, the progress of the read is shown after
/// a second, and removed before this function returns. `path` names what is read.
pub fn with_progress<T>(path: &str, session: &Session, read: impl FnOnce(&Session) -> T) -> T {
    let is_stdin = is_dash(path);
    // A person who types the text, or looks at a pager, needs the terminal.
    let is_busy = sink().is_paged() || (is_stdin && io::stdin().is_terminal());
    if is_busy || !screen::shows_progress() {
        return read(session);
    }
    let columns = screen::error_columns();
    let path = if is_stdin { "standard input" } else { path };
    let path = shortened(path, columns.saturating_sub(AROUND));
    let of_time = move |time: Duration| format!("reading {path}: {} s", time.as_secs());
    #[cfg(feature = "net")]
    if session.has_network() {
        let progress = omniread::network::Progress::new();
        let received = progress.clone();
        let describe = move |time: Duration| match received.received() {
            // The host is a name in ASCII, or an address.
            Some(received) => format!("{received}, {} s", time.as_secs()),
            None => of_time(time),
        };
        let _shown = Shown::start(columns, Box::new(describe));
        return read(&session.with_progress(&progress));
    }
    let _shown = Shown::start(columns, Box::new(of_time));
    read(session)
}

/// Shows the progress of a batch on standard error until the value is dropped, if it is a terminal. `describe` returns
/// it, given the time since the start.
pub fn of_batch(describe: impl Fn(Duration) -> String + Send + 'static) -> Option<Shown> {
    if output::is_silent() || !screen::shows_progress() {
        return None;
    }
    Some(Shown::start(screen::error_columns(), Box::new(describe)))
}

/// A path on one line of at most this number of columns.
fn shortened(path: &str, columns: usize) -> String {
    let path = inert(path).replace(['\n', '\t'], " ");
    if width(&path) <= columns {
        return path;
    }
    format!("{}…", start(&path, columns.saturating_sub(1)))
}

impl Shown {
    fn start(columns: usize, describe: Describe) -> Self {
        let ended = Arc::new((Mutex::new(false), Condvar::new()));
        let shared = Arc::clone(&ended);
        let thread = thread::Builder::new()
            .name("omniread-progress".to_owned())
            .spawn(move || show(columns, &describe, &shared));
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
fn show(columns: usize, describe: &Describe, (ended, signal): &(Mutex<bool>, Condvar)) {
    let began = Instant::now();
    let mut wait = DELAY;
    let mut last = None;
    let mut guard = ended.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let waited = signal.wait_timeout_while(guard, wait, |ended| !*ended);
        guard = waited.unwrap_or_else(PoisonError::into_inner).0;
        if *guard {
            break;
        }
        wait = INTERVAL;
        if last.is_none() {
            // There is no other place to report errors of standard output from here.
            let _ = sink().release();
        }
        let text = describe(began.elapsed());
        if last.as_ref() != Some(&text) {
            // A line that the terminal wraps could not be removed.
            let line = start(&text, columns.saturating_sub(1));
            let _ = write!(io::stderr(), "{REMOVE}{line}");
            last = Some(text);
        }
    }
    if last.is_some() {
        let _ = write!(io::stderr(), "{REMOVE}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_is_one_line_of_the_terminal() {
        assert_eq!(shortened("a.csv", 10), "a.csv");
        assert_eq!(shortened("long/name.csv", 6), "long/…");
        assert_eq!(shortened("漢字漢字", 6), "漢字…");
        assert_eq!(shortened("a\n\u{1b}[2Jb", 40), "a ⟨U+001B⟩[2Jb");
    }
}
