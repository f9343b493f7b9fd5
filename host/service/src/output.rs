//! The output: lines that several threads write.

use super::limits;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Writes lines. Clones share the output.
///
/// If a line arrives while a thread writes, that thread writes this line as well. Lines that other
/// lines will follow soon are collected for [`limits::COLLECTING`]. So many small replies need few
/// system calls, and wake the client less often, which costs more than a small read.
#[derive(Clone)]
pub struct Output(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// Wakes threads that wait until lines are written.
    written: Condvar,
    /// Wakes the thread that writes lines for others.
    collected: Condvar,
}

struct State {
    /// The lines that are not written yet.
    lines: Vec<u8>,
    /// Where lines are written. `None` while a thread writes to it.
    to: Option<Box<dyn Sink>>,
    /// Why writing has failed. Further lines are dropped.
    failed: Option<io::Error>,
    /// The number of threads that wait for `written`.
    waiting: usize,
    writer: Writer,
}

impl State {
    fn is_full(&self) -> bool {
        self.lines.len() > limits::UNWRITTEN_BYTES && self.failed.is_none()
    }
}

/// The state of the thread that writes lines for others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writer {
    /// It is not started.
    None,
    /// It waits for lines.
    Idle,
    /// It collects lines, and then writes them.
    Collects,
    /// It writes the lines at once.
    Writes,
}

/// Where lines are written.
pub trait Sink: Write + Send {
    /// Whether [`READY_BYTES`] can be written without waiting for the client.
    fn is_ready(&self) -> bool {
        false
    }
}

/// The number of bytes that a pipe that is ready takes without waiting (`PIPE_BUF` of Linux).
const READY_BYTES: usize = 4096;

#[cfg(unix)]
impl Sink for io::Stdout {
    fn is_ready(&self) -> bool {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};

        let mut stdout = [PollFd::new(self, PollFlags::OUT)];
        let now = Timespec::default();
        poll(&mut stdout, Some(&now)).is_ok_and(|ready| ready > 0)
    }
}

#[cfg(not(unix))]
impl Sink for io::Stdout {}

impl Output {
    /// Creates the output.
    pub fn new(to: impl Sink + 'static) -> Self {
        Self(Arc::new(Shared {
            state: Mutex::new(State {
                lines: Vec::new(),
                to: Some(Box::new(to)),
                failed: None,
                waiting: 0,
                writer: Writer::None,
            }),
            written: Condvar::new(),
            collected: Condvar::new(),
        }))
    }

    /// Writes a line, which must end in a line feed. `more` means that other lines will follow soon.
    /// Waits while more than [`limits::UNWRITTEN_BYTES`] are not written. After an error the line is
    /// dropped.
    pub fn send(&self, line: &[u8], more: bool) {
        let mut state = self.0.wait_for_room();
        if state.failed.is_some() {
            return;
        }
        state.lines.extend_from_slice(line);
        if more
            && state.lines.len() < limits::COLLECTED_BYTES
            && self.wake_writer(&mut state, Writer::Collects)
        {
            return;
        }
        drop(self.0.write(state));
    }

    /// Writes a line without waiting. What the client does not take at once, another thread writes.
    /// The caller limits the number of lines.
    pub fn post(&self, line: &[u8]) {
        let mut state = self.0.lock();
        if state.failed.is_some() {
            return;
        }
        state.lines.extend_from_slice(line);
        let Some(mut to) = state.to.take() else {
            return;
        };
        let mut written = 0;
        while let Some(rest) = state.lines.get(written..).filter(|rest| !rest.is_empty()) {
            if !to.is_ready() {
                break;
            }
            let part = rest.get(..READY_BYTES).unwrap_or(rest);
            match to.write_all(part).and_then(|()| to.flush()) {
                Ok(()) => written += part.len(),
                Err(error) => {
                    state.failed = Some(error);
                    break;
                }
            }
        }
        state.lines.drain(..written);
        state.to = Some(to);
        if !state.lines.is_empty() && state.failed.is_none() {
            self.wake_writer(&mut state, Writer::Writes);
        }
    }

    /// Waits while more than [`limits::UNWRITTEN_BYTES`] are not written.
    pub fn wait_for_room(&self) {
        drop(self.0.wait_for_room());
    }

    /// Whether more than [`limits::UNWRITTEN_BYTES`] are not written.
    pub fn is_full(&self) -> bool {
        self.0.lock().is_full()
    }

    /// Whether the output is closed or cannot be written.
    pub fn has_failed(&self) -> bool {
        self.0.lock().failed.is_some()
    }

    /// The error that ended the output, if one did. To be called after [`Self::finish`].
    ///
    /// # Errors
    /// Fails with the error of the first line that could not be written.
    pub fn outcome(&self) -> io::Result<()> {
        match &self.0.lock().failed {
            None => Ok(()),
            Some(error) => Err(match error.raw_os_error() {
                Some(code) => io::Error::from_raw_os_error(code),
                None => error.kind().into(),
            }),
        }
    }

    /// Waits until everything is written, or writing has failed.
    pub fn finish(&self) {
        let mut state = self.0.write(self.0.lock());
        while state.to.is_none() {
            state = self.0.wait(state);
        }
    }

    /// Lets the other thread write the lines, at once or after it has collected more. Returns false
    /// if it cannot be started.
    fn wake_writer(&self, state: &mut State, how: Writer) -> bool {
        match state.writer {
            Writer::Collects | Writer::Writes => {}
            Writer::Idle => {
                state.writer = how;
                self.0.collected.notify_one();
            }
            Writer::None => {
                let shared = Arc::clone(&self.0);
                let spawned = thread::Builder::new()
                    .name("omniread-output".to_owned())
                    .spawn(move || shared.write_for_others());
                if spawned.is_err() {
                    return false;
                }
                state.writer = how;
            }
        }
        true
    }
}

impl Shared {
    /// Writes all lines, unless another thread does.
    fn write<'g>(&'g self, mut state: MutexGuard<'g, State>) -> MutexGuard<'g, State> {
        let Some(mut to) = state.to.take() else {
            return state;
        };
        let mut lines = Vec::new();
        while !state.lines.is_empty() && state.failed.is_none() {
            lines.clear();
            std::mem::swap(&mut lines, &mut state.lines);
            drop(state);
            let outcome = to.write_all(&lines).and_then(|()| to.flush());
            state = self.lock();
            state.failed = outcome.err();
            self.wake(&state);
        }
        state.to = Some(to);
        self.wake(&state);
        state
    }

    fn write_for_others(&self) {
        let mut state = self.lock();
        loop {
            if state.writer == Writer::Collects {
                drop(state);
                thread::sleep(limits::COLLECTING);
                state = self.lock();
            }
            state.writer = Writer::Idle;
            state = self.write(state);
            while state.writer == Writer::Idle {
                let waited = self.collected.wait(state);
                state = waited.unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    fn wait_for_room(&self) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        while state.is_full() {
            state = self.wait(state);
        }
        state
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, mut state: MutexGuard<'g, State>) -> MutexGuard<'g, State> {
        state.waiting += 1;
        let waited = self.written.wait(state);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        state
    }

    /// Wakes the waiting threads. Each call of the condition variable is a system call, even if no
    /// thread waits.
    fn wake(&self, state: &State) {
        if state.waiting > 0 {
            self.written.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    /// A writer that passes each write to a channel.
    struct Channel(mpsc::Sender<Vec<u8>>);

    impl Write for Channel {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let sent = self.0.send(bytes.to_vec());
            sent.map_err(|_| io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Sink for Channel {}

    #[test]
    fn collected_lines_are_written_together_without_another_call() {
        let (sender, writes) = mpsc::channel();
        let output = Output::new(Channel(sender));
        for _ in 0..3 {
            output.send(b"a\n", true);
        }
        let mut written = Vec::new();
        while written.len() < 6 {
            let write = writes.recv_timeout(Duration::from_mins(1));
            written.extend(write.expect("the lines are written"));
        }
        assert_eq!(written, b"a\na\na\n");
    }

    #[test]
    fn closed_output_drops_lines() {
        let (sender, writes) = mpsc::channel();
        let output = Output::new(Channel(sender));
        output.send(b"a\n", false);
        assert_eq!(writes.recv().ok().as_deref(), Some(&b"a\n"[..]));
        drop(writes);
        output.send(b"b\n", false);
        assert!(output.has_failed());
        output.send(b"c\n", true);
        output.finish();
        let outcome = output.outcome().map_err(|error| error.kind());
        assert_eq!(outcome, Err(io::ErrorKind::BrokenPipe));
    }
}
