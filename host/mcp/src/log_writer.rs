//! The thread that writes the log, so that no request waits for the file, the disk or the reader of a
//! pipe.

use chrono::{DateTime, SecondsFormat};
use serde_json::{Map, Value, json};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The maximum size in bytes of the lines that wait to be written. Further lines are left out, and
/// counted.
const WAITING_BYTES: usize = 1 << 20;

/// Queues lines for the thread that writes them. Clones share the queue.
#[derive(Clone)]
pub struct LogWriter(Arc<Shared>);

struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    lines: VecDeque<String>,
    bytes: usize,
    /// The number of lines that were left out since the last line that was queued.
    lost: u64,
    /// Whether the thread is writing a line.
    is_writing: bool,
}

impl LogWriter {
    /// Starts the thread. `failed` is called once if a line cannot be written.
    ///
    /// # Errors
    /// Fails if the thread cannot be started.
    pub fn start(
        to: impl Write + Send + 'static,
        failed: impl Fn(&io::Error) + Send + 'static,
    ) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            queue: Mutex::default(),
            changed: Condvar::new(),
        });
        let writer = Arc::clone(&shared);
        thread::Builder::new()
            .name("omniread-log".to_owned())
            .spawn(move || writer.write_all(to, failed))?;
        Ok(Self(shared))
    }

    /// Queues a line about an event, with these fields.
    pub fn line(&self, event: &str, fields: Value) {
        self.queue(entry(event, fields));
    }

    fn queue(&self, line: String) {
        let mut queue = self.0.queue();
        if queue.bytes + line.len() > WAITING_BYTES {
            queue.lost += 1;
            return;
        }
        queue.push_lost();
        queue.push(line);
        drop(queue);
        self.0.changed.notify_all();
    }

    /// Waits until all lines are written, but not for longer than this time.
    pub fn finish(&self, timeout: Duration) {
        let mut queue = self.0.queue();
        queue.push_lost();
        self.0.changed.notify_all();
        let unwritten = |queue: &mut Queue| queue.is_writing || !queue.lines.is_empty();
        let waited = self.0.changed.wait_timeout_while(queue, timeout, unwritten);
        drop(waited);
    }
}

impl Queue {
    fn push(&mut self, line: String) {
        self.bytes += line.len();
        self.lines.push_back(line);
    }

    /// Queues a line that says how many lines were left out, if any.
    fn push_lost(&mut self) {
        if self.lost > 0 {
            let lines = std::mem::take(&mut self.lost);
            self.push(entry("lost", json!({ "lines": lines })));
        }
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_all(&self, mut to: impl Write, failed: impl Fn(&io::Error)) {
        let mut has_failed = false;
        let mut queue = self.queue();
        loop {
            let Some(line) = queue.lines.pop_front() else {
                let waited = self.changed.wait(queue);
                queue = waited.unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            queue.is_writing = true;
            drop(queue);
            // One call for each line, so that several processes can append to one file.
            let written = to.write_all(line.as_bytes()).and_then(|()| to.flush());
            if let Err(error) = written
                && !has_failed
            {
                has_failed = true;
                failed(&error);
            }
            queue = self.queue();
            queue.is_writing = false;
            // The line counts until it is written.
            queue.bytes -= line.len();
            self.changed.notify_all();
        }
    }
}

/// A line about an event, with these fields.
fn entry(event: &str, fields: Value) -> String {
    let mut entry = Map::new();
    entry.insert("time".to_owned(), now().into());
    entry.insert("process".to_owned(), std::process::id().into());
    entry.insert("event".to_owned(), event.into());
    if let Value::Object(fields) = fields {
        entry.extend(fields.into_iter().filter(|(_, value)| !value.is_null()));
    }
    format!("{}\n", Value::Object(entry))
}

/// The time in UTC, with milliseconds.
fn now() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let millis = now.map_or(0, |now| i64::try_from(now.as_millis()).unwrap_or(i64::MAX));
    let time = DateTime::from_timestamp_millis(millis).unwrap_or_default();
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, channel};

    /// Writes into a text once it may.
    struct Blocked {
        may: Receiver<()>,
        text: Arc<Mutex<String>>,
    }

    impl Write for Blocked {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.may.recv();
            self.text
                .lock()
                .unwrap()
                .push_str(str::from_utf8(bytes).unwrap());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_that_do_not_fit_are_counted() {
        let (allow, may) = channel();
        let text = Arc::<Mutex<String>>::default();
        let to = Blocked {
            may,
            text: Arc::clone(&text),
        };
        let log = LogWriter::start(to, |error| panic!("{error}")).unwrap();
        let line = format!("{}\n", "x".repeat(1023));
        for _ in 0..1024 {
            log.queue(line.clone());
        }
        assert_eq!(log.0.queue().lost, 0);
        for _ in 0..5 {
            log.queue(line.clone());
        }
        // Nothing is written yet, so that waiting for it ends with its time.
        log.finish(Duration::from_millis(1));
        assert!(text.lock().unwrap().is_empty());
        drop(allow);
        log.finish(Duration::from_mins(2));
        let text = text.lock().unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1025);
        let lost: serde_json::Value = serde_json::from_str(lines[1024]).unwrap();
        assert_eq!(
            (&lost["event"], &lost["lines"]),
            (&json!("lost"), &json!(5))
        );
    }
}
