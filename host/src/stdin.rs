//! Standard input of a read.
//!
//! A read of standard input ends when its time is up or when it is cancelled,
//! even if nothing arrives: it polls, because a system call that waits for input
//! cannot be interrupted.

use crate::engine::State;
use crate::sandbox::Stop;
use bytes::Bytes;
use wasmtime::Result;
use wasmtime::component::Resource;
use wasmtime_wasi::async_trait;
use wasmtime_wasi::p2::bindings::cli::stdin;
use wasmtime_wasi::p2::{DynInputStream, InputStream, Pollable, StreamError, StreamResult};

/// Bytes of one read.
const READ_BYTES: usize = 64 * 1024;

/// The standard input of this process, or nothing if the read was not given it.
enum Stdin {
    Granted(Stop),
    Empty,
}

impl stdin::Host for State {
    fn get_stdin(&mut self) -> Result<Resource<DynInputStream>> {
        let stdin = if self.has_stdin {
            Stdin::Granted(self.filesystem.stop.clone())
        } else {
            Stdin::Empty
        };
        let stream: DynInputStream = Box::new(stdin);
        Ok(self.table.push(stream)?)
    }
}

#[async_trait]
impl Pollable for Stdin {
    async fn ready(&mut self) {
        if let Self::Granted(stop) = self {
            // A read that is to stop is ready: it reports why.
            while stop.check_waiting().is_ok() && !system::wait() {}
        }
    }
}

#[async_trait]
impl InputStream for Stdin {
    fn read(&mut self, size: usize) -> StreamResult<Bytes> {
        let Self::Granted(stop) = self else {
            return Err(StreamError::Closed);
        };
        stop.check_waiting()
            .map_err(|stopped| StreamError::Trap(stopped.into()))?;
        match system::read(size.min(READ_BYTES)) {
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
}

#[cfg(unix)]
mod system {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use std::io;

    /// How often a wait checks whether the read is to stop, in nanoseconds.
    const TURN: i64 = 10_000_000;

    /// Waits for input for a moment. True if a call that reads returns at once.
    pub fn wait() -> bool {
        let stdin = io::stdin();
        let mut ready = [PollFd::new(&stdin, PollFlags::IN)];
        let turn = Timespec {
            tv_sec: 0,
            tv_nsec: TURN,
        };
        match poll(&mut ready, Some(&turn)) {
            Ok(count) => count > 0,
            Err(error) => error != rustix::io::Errno::INTR,
        }
    }

    pub fn read(size: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(size);
        rustix::io::read(io::stdin(), rustix::buffer::spare_capacity(&mut bytes))?;
        Ok(bytes)
    }
}

/// There is no way to wait for a moment here: what waits is the call that reads.
#[cfg(not(unix))]
mod system {
    use std::io::{self, Read as _};

    pub fn wait() -> bool {
        true
    }

    pub fn read(size: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; size];
        let read = io::stdin().read(&mut bytes)?;
        bytes.truncate(read);
        Ok(bytes)
    }
}
