//! Lines of standard input, for the tasks of the runtime.

use omniread_service::{Input, Line};
use std::io;
use tokio::sync::mpsc::{Receiver, channel};

/// The number of lines that a thread reads ahead.
const AHEAD: usize = 16;

/// The lines of standard input.
pub enum Lines {
    /// Standard input is a pipe or a socket. A task of the runtime reads it, because a thread that
    /// waits takes as long to wake up as a small read.
    #[cfg(unix)]
    Polled(polled::Polled),
    /// A thread reads standard input.
    Thread(Receiver<Line>),
}

impl Lines {
    /// Starts reading. Must be called in the runtime.
    ///
    /// # Errors
    /// Fails if no thread can be started.
    pub fn new() -> io::Result<Self> {
        #[cfg(unix)]
        if let Some(polled) = polled::Polled::new() {
            return Ok(Self::Polled(polled));
        }
        let (sender, lines) = channel(AHEAD);
        std::thread::Builder::new()
            .name("omniread-input".to_owned())
            .spawn(move || {
                let mut input = Input::new(io::stdin());
                while let Ok(Some(line)) = input.next() {
                    if sender.blocking_send(line).is_err() {
                        return;
                    }
                }
            })?;
        Ok(Self::Thread(lines))
    }

    /// Whether a whole line was read ahead.
    pub fn has_more(&self) -> bool {
        match self {
            #[cfg(unix)]
            Self::Polled(polled) => polled.has_more(),
            Self::Thread(lines) => !lines.is_empty(),
        }
    }

    /// The next line. `None` if the input has ended. Nothing is lost if the future is dropped.
    pub async fn next(&mut self) -> Option<Line> {
        match self {
            #[cfg(unix)]
            Self::Polled(polled) => polled.next().await,
            Self::Thread(lines) => lines.recv().await,
        }
    }
}

#[cfg(unix)]
mod polled {
    use omniread_service::{Line, Lines, READ_BYTES};
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use std::fs::File;
    use std::io::{self, Read as _};
    use std::os::fd::AsFd as _;
    use tokio::io::Interest;
    use tokio::io::unix::AsyncFd;

    /// Standard input that the runtime polls.
    ///
    /// The file stays in blocking mode, because other processes may share it. So each read follows
    /// a check that there is something to read.
    pub struct Polled {
        input: AsyncFd<File>,
        chunk: Vec<u8>,
        lines: Lines,
        ended: bool,
    }

    impl Polled {
        /// Returns `None` if standard input cannot be polled: it is a file, for example.
        #[expect(
            unsafe_code,
            reason = "the compiler cannot check that the file stays open"
        )]
        pub fn new() -> Option<Self> {
            let input = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
            // SAFETY: the file owns its descriptor, which is a copy of that of standard input, and
            // is neither closed nor replaced while it is registered.
            let input = unsafe { AsyncFd::register_with_interest(input, Interest::READABLE) };
            let input = input.ok()?;
            Some(Self {
                input,
                chunk: vec![0; READ_BYTES],
                lines: Lines::default(),
                ended: false,
            })
        }

        pub fn has_more(&self) -> bool {
            self.lines.has_more()
        }

        pub async fn next(&mut self) -> Option<Line> {
            loop {
                if let Some(line) = self.lines.next() {
                    return Some(line);
                }
                if self.ended {
                    return None;
                }
                let mut ready = self.input.readable().await.ok()?;
                if !is_readable(self.input.get_ref()) {
                    ready.clear_ready();
                    continue;
                }
                match self.input.get_ref().read(&mut self.chunk) {
                    Ok(bytes) if bytes > 0 => {
                        self.lines.add(self.chunk.get(..bytes).unwrap_or_default());
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Ok(_) | Err(_) => {
                        self.ended = true;
                        return self.lines.end();
                    }
                }
            }
        }
    }

    /// Whether a read does not wait.
    fn is_readable(file: &File) -> bool {
        let mut files = [PollFd::new(file, PollFlags::IN)];
        let now = Timespec::default();
        poll(&mut files, Some(&now)).is_ok_and(|ready| ready > 0)
    }
}
