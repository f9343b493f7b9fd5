//! Standard input of a read.
//!
//! A read of standard input ends when its time is up or when it is cancelled, even if no input
//! arrives. The time for which it waits counts. It polls, because a system call that waits for input cannot be interrupted. On
//! Windows alone, it uses such a call. Bytes in the buffer of `std::io::stdin` of the program
//! are not read.

use crate::sandbox::Stop;
use crate::system::{StandardInput, System};
use bytes::Bytes;
use std::sync::Arc;
use wasmtime::Result;
use wasmtime::component::Resource;
use wasmtime_wasi::async_trait;
use wasmtime_wasi::p2::bindings::cli::stdin;
use wasmtime_wasi::p2::{DynInputStream, InputStream, Pollable, StreamError, StreamResult};

/// The maximum number of bytes that one call reads from standard input.
const READ_BYTES: usize = 64 * 1024;

/// The input stream of a read: the standard input of this process, another pipe, or an empty stream
/// if the read has no access to them.
enum Stdin {
    Granted(Stop, system::Input),
    Empty,
}

impl stdin::Host for System {
    fn get_stdin(&mut self) -> Result<Resource<DynInputStream>> {
        let stop = self.filesystem.stop.clone();
        let stdin = match &self.stdin {
            StandardInput::Empty => Stdin::Empty,
            StandardInput::Process => Stdin::Granted(stop, system::Input::new()),
            StandardInput::Pipe(pipe) => Stdin::Granted(stop, system::Input::of(Arc::clone(pipe))),
        };
        let stream: DynInputStream = Box::new(stdin);
        Ok(self.table.push(stream)?)
    }
}

#[async_trait]
impl Pollable for Stdin {
    async fn ready(&mut self) {
        if let Self::Granted(stop, input) = self {
            let _waiting = stop.time.inputs().start();
            // A read that was stopped is ready, and reports the reason.
            while stop.check_waiting().is_ok() && !input.wait() {}
        }
    }
}

#[async_trait]
impl InputStream for Stdin {
    fn read(&mut self, size: usize) -> StreamResult<Bytes> {
        let Self::Granted(stop, input) = self else {
            return Err(StreamError::Closed);
        };
        stop.check_waiting()
            .map_err(|stopped| StreamError::Trap(stopped.into()))?;
        if size == 0 {
            return Ok(Bytes::new());
        }
        match input.read(size.min(READ_BYTES)) {
            Ok(bytes) if bytes.is_empty() => Err(StreamError::Closed),
            Ok(bytes) => Ok(bytes.into()),
            Err(error) => match error.kind() {
                std::io::ErrorKind::WouldBlock | std::io::ErrorKind::Interrupted => {
                    Ok(Bytes::new())
                }
                _ => Err(StreamError::LastOperationFailed(error.into())),
            },
        }
    }

    // Another process may take the input that `ready` saw. An empty result is not the end.
    async fn blocking_read(&mut self, size: usize) -> StreamResult<Bytes> {
        loop {
            self.ready().await;
            match self.read(size) {
                Ok(bytes) if bytes.is_empty() && size > 0 => {}
                outcome => return outcome,
            }
        }
    }
}

#[cfg(unix)]
mod system {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use std::fs::File;
    use std::io;
    use std::os::fd::{AsFd as _, BorrowedFd};
    use std::sync::{Arc, Mutex, PoisonError};

    /// The interval in nanoseconds at which a read that waits for input checks its stop conditions
    /// (cancellation and the limit on its time).
    const TURN: i64 = 10_000_000;

    /// Locked while a read checks for input and takes it through the handle that all reads of this
    /// process share. Otherwise another read could take the input between these two steps.
    static TAKING: Mutex<()> = Mutex::new(());

    /// Standard input that can be read without blocking.
    pub struct Input {
        /// A separate handle of standard input, in non-blocking mode. Setting this mode on the
        /// inherited handle would affect all programs that share it. `None` if standard input
        /// cannot be opened again, or never blocks.
        own: Option<Arc<File>>,
        stdin: io::Stdin,
    }

    impl Input {
        pub fn new() -> Self {
            let stdin = io::stdin();
            Self {
                own: reopened(stdin.as_fd()).map(Arc::new),
                stdin,
            }
        }

        /// A pipe in non-blocking mode, in place of standard input.
        pub fn of(pipe: Arc<File>) -> Self {
            Self {
                own: Some(pipe),
                stdin: io::stdin(),
            }
        }

        fn handle(&self) -> BorrowedFd<'_> {
            match &self.own {
                Some(own) => own.as_fd(),
                None => self.stdin.as_fd(),
            }
        }

        /// Waits up to `TURN` for input. Returns whether there may be some.
        pub fn wait(&self) -> bool {
            self.poll(TURN)
        }

        fn poll(&self, nanoseconds: i64) -> bool {
            let mut ready = [PollFd::from_borrowed_fd(self.handle(), PollFlags::IN)];
            let time = Timespec {
                tv_sec: 0,
                tv_nsec: nanoseconds,
            };
            match poll(&mut ready, Some(&time)) {
                Ok(count) => count > 0,
                Err(error) => error != rustix::io::Errno::INTR,
            }
        }

        pub fn read(&self, size: usize) -> io::Result<Vec<u8>> {
            let _taking = self
                .own
                .is_none()
                .then(|| TAKING.lock().unwrap_or_else(PoisonError::into_inner));
            if self.own.is_none() && !self.poll(0) {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            let mut bytes = Vec::with_capacity(size);
            rustix::io::read(self.handle(), rustix::buffer::spare_capacity(&mut bytes))?;
            Ok(bytes)
        }
    }

    /// Opens standard input a second time, if it is a pipe or terminal. Otherwise returns `None`:
    /// other inputs never block, or cannot be opened again.
    #[cfg(target_os = "linux")]
    fn reopened(stdin: BorrowedFd<'_>) -> Option<File> {
        use rustix::fs::{FileType, Mode, OFlags, fstat, open};
        let is_pipe = FileType::from_raw_mode(fstat(stdin).ok()?.st_mode) == FileType::Fifo;
        if !is_pipe && !rustix::termios::isatty(stdin) {
            return None;
        }
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let own = open("/proc/self/fd/0", flags, Mode::empty()).ok()?;
        Some(own.into())
    }

    #[cfg(not(target_os = "linux"))]
    fn reopened(_: BorrowedFd<'_>) -> Option<File> {
        None
    }
}

/// Standard input on systems that cannot wait for input with a timeout. A call that reads it
/// blocks.
#[cfg(not(unix))]
mod system {
    use std::fs::File;
    use std::io::{self, Read as _};
    use std::sync::Arc;

    /// Standard input, or another pipe.
    pub struct Input(Option<Arc<File>>);

    impl Input {
        pub fn new() -> Self {
            Self(None)
        }

        pub fn of(pipe: Arc<File>) -> Self {
            Self(Some(pipe))
        }

        #[expect(clippy::unused_self, reason = "other systems wait")]
        pub fn wait(&self) -> bool {
            true
        }

        pub fn read(&self, size: usize) -> io::Result<Vec<u8>> {
            let mut bytes = vec![0; size];
            let read = match &self.0 {
                Some(pipe) => (&**pipe).read(&mut bytes)?,
                None => io::stdin().read(&mut bytes)?,
            };
            bytes.truncate(read);
            Ok(bytes)
        }
    }
}
