//! A connection of HTTP/1.1 without TLS that the thread of a read serves itself.
//!
//! A task of a runtime would need two switches between threads for each part of an exchange: one to the thread that
//! waits for the socket, and one back to the thread of the read. With a server on the same machine, they take longer
//! than the exchange.

use super::failure::{Failure, Step, failed_exchange};
use super::limits::{LOOK_TIME, Limits};
use super::meter::{Meter, Metered};
use super::time::Clock;
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Empty;
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The maximum number of times that a connection is served after a response, until it can take another request. Two
/// are usual.
const SETTLING: u32 = 8;

/// A socket that does not block, and what is waited for.
struct Socket {
    stream: TcpStream,
    reads: AtomicBool,
    writes: AtomicBool,
    /// Whether all bytes that had arrived were read. Then the socket is not read before it was waited for, which would
    /// be a system call for each look of hyper at it.
    drained: AtomicBool,
    /// Whether a part of the connection has to be served again, because another part has changed.
    woken: AtomicBool,
    /// The part of [`LOOK_TIME`] that is left to the request, in nanoseconds.
    looks: AtomicU64,
}

impl Socket {
    /// Waits until the socket is ready, at most this time.
    #[cfg(unix)]
    fn wait(&self, limit: Duration) {
        let mut flags = PollFlags::empty();
        flags.set(PollFlags::IN, self.reads.swap(false, Ordering::Relaxed));
        flags.set(PollFlags::OUT, self.writes.swap(false, Ordering::Relaxed));
        self.drained.store(false, Ordering::Relaxed);
        let is_ready = |limit: Duration| {
            let limit = Timespec::try_from(limit).ok();
            // After an error, the socket is used again, which returns the error.
            poll(&mut [PollFd::new(&self.stream, flags)], limit.as_ref()) != Ok(0)
        };
        let looks = Duration::from_nanos(self.looks.load(Ordering::Relaxed)).min(limit);
        if !looks.is_zero() {
            let began = std::time::Instant::now();
            let mut passed = Duration::ZERO;
            let mut has_come = false;
            while passed < looks && !has_come {
                has_come = is_ready(Duration::ZERO);
                if !has_come {
                    thread::yield_now();
                }
                passed = began.elapsed();
            }
            let left = nanoseconds(looks.saturating_sub(passed));
            self.looks.store(left, Ordering::Relaxed);
            if has_come {
                return;
            }
        }
        is_ready(limit);
    }

    /// Waits until the socket is ready, at most this time.
    #[cfg(not(unix))]
    fn wait(&self, limit: Duration) {
        /// The standard library cannot wait until bytes can be sent.
        const WRITING: Duration = Duration::from_millis(1);
        let reads = self.reads.swap(false, Ordering::Relaxed);
        self.drained.store(false, Ordering::Relaxed);
        if self.writes.swap(false, Ordering::Relaxed) || !reads {
            thread::sleep(WRITING);
            return;
        }
        // After an error, the socket is used again, which returns the error.
        let _ = self.stream.set_nonblocking(false);
        let _ = self.stream.set_read_timeout(Some(limit));
        let _ = self.stream.peek(&mut [0]);
        let _ = self.stream.set_nonblocking(true);
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

impl Wake for Socket {
    fn wake(self: Arc<Self>) {
        self.woken.store(true, Ordering::Relaxed);
    }
}

/// The socket as a connection reads and writes it.
struct Wire {
    socket: Arc<Socket>,
    /// The bytes of a read, which hyper copies. Its own buffer would have to be cleared for each.
    part: Vec<u8>,
}

/// The maximum number of bytes of a read. hyper begins with 8 KiB, and reads more at once after a read that filled its
/// buffer.
const PART_BYTES: usize = 64 << 10;

/// The result of a call that does not block. If it would block, `waits` is set.
fn ready<T>(waits: &AtomicBool, mut call: impl FnMut() -> io::Result<T>) -> Poll<io::Result<T>> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                waits.store(true, Ordering::Relaxed);
                return Poll::Pending;
            }
            ended => return Poll::Ready(ended),
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { socket, part } = self.get_mut();
        if socket.drained.load(Ordering::Relaxed) {
            socket.reads.store(true, Ordering::Relaxed);
            return Poll::Pending;
        }
        let most = buffer.remaining().min(PART_BYTES);
        if part.len() < most {
            part.resize(most, 0);
        }
        let part = part.get_mut(..most).unwrap_or_default();
        let read = ready(&socket.reads, || (&socket.stream).read(part));
        // The end of the connection is found again by the next read.
        let is_all = !matches!(read, Poll::Ready(Ok(count)) if count == most || count == 0);
        socket.drained.store(is_all, Ordering::Relaxed);
        read.map_ok(|count| buffer.put_slice(part.get(..count).unwrap_or_default()))
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let socket = &self.socket;
        ready(&socket.writes, || (&socket.stream).write(bytes))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.socket.stream.shutdown(Shutdown::Write))
    }
}

type Connection = http1::Connection<TokioIo<Metered<Wire>>, Empty<Bytes>>;

/// A connection, with what sends requests over it.
pub struct Direct {
    sender: http1::SendRequest<Empty<Bytes>>,
    /// `None` after its end.
    connection: Option<Pin<Box<Connection>>>,
    socket: Arc<Socket>,
    /// The socket as a waker, of which a clone for each wait is not needed.
    waker: Waker,
}

impl Direct {
    /// A connection over a socket that does not block.
    ///
    /// # Errors
    /// Fails as the handshake of hyper does, which sends nothing.
    pub async fn new(stream: TcpStream, limits: &Limits, meter: Meter) -> hyper::Result<Self> {
        let socket = Arc::new(Socket {
            stream,
            reads: AtomicBool::new(false),
            writes: AtomicBool::new(false),
            drained: AtomicBool::new(false),
            woken: AtomicBool::new(false),
            looks: AtomicU64::new(0),
        });
        let wire = Wire {
            socket: Arc::clone(&socket),
            part: Vec::new(),
        };
        let io = TokioIo::new(Metered::new(wire, meter));
        let (sender, connection) = limits.http1().handshake(io).await?;
        let waker = Waker::from(Arc::clone(&socket));
        Ok(Self {
            sender,
            connection: Some(Box::pin(connection)),
            socket,
            waker,
        })
    }

    /// Whether the connection takes no more requests.
    pub fn is_closed(&self) -> bool {
        self.connection.is_none() || self.sender.is_closed()
    }

    /// Whether the connection can take another request after a response, without waiting.
    pub fn settle(&mut self) -> bool {
        for _ in 0..SETTLING {
            if self.is_closed() || self.sender.is_ready() {
                break;
            }
            self.socket.woken.store(false, Ordering::Relaxed);
            self.serve();
            if !self.socket.woken.load(Ordering::Relaxed) {
                break;
            }
        }
        !self.is_closed() && self.sender.is_ready()
    }

    /// Whether a connection that was kept can take a request: the server may have closed it, which no task has noted.
    pub fn is_usable(&mut self) -> bool {
        self.socket.drained.store(false, Ordering::Relaxed);
        self.serve();
        self.settle()
    }

    /// Sends a request, and waits on this thread for the head of the response.
    ///
    /// # Errors
    /// Fails if the connection ends, if the response is not HTTP, or if it does not arrive in time.
    pub fn send(
        &mut self,
        request: Request<Empty<Bytes>>,
        limits: &Limits,
        clock: &Clock,
    ) -> Result<Response<Incoming>, Failure> {
        let looks = nanoseconds(LOOK_TIME);
        self.socket.looks.store(looks, Ordering::Relaxed);
        let mut sent = pin!(self.sender.send_request(request));
        let answer = self.wait(Step::Response, limits.exchange, clock, |context| {
            sent.as_mut().poll(context)
        });
        answer?.map_err(|error| failed_exchange(&error, limits))
    }

    /// Serves the connection on this thread until `part`, which is a part of an exchange over it, is ready.
    ///
    /// # Errors
    /// Fails with the reason why it did not become ready.
    pub fn wait<T>(
        &mut self,
        step: Step,
        limit: Duration,
        clock: &Clock,
        mut part: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Result<T, Failure> {
        let waker = self.waker.clone();
        let socket = Arc::clone(&self.socket);
        let rest = |turn| {
            if !socket.woken.swap(false, Ordering::Relaxed) {
                socket.wait(turn);
            }
        };
        let turn = || {
            if let Poll::Ready(value) = part(&mut Context::from_waker(&waker)) {
                return Poll::Ready(value);
            }
            self.serve();
            part(&mut Context::from_waker(&waker))
        };
        clock.wait_here(step, limit, turn, rest)
    }

    /// Reads and writes what is possible without waiting.
    fn serve(&mut self) {
        let Some(connection) = &mut self.connection else {
            return;
        };
        // A runtime would limit how much a task does without a pause.
        let mut served = pin!(tokio::task::unconstrained(connection.as_mut()));
        let mut context = Context::from_waker(&self.waker);
        if served.as_mut().poll(&mut context).is_ready() {
            // An error reaches the exchange.
            self.connection = None;
        }
    }
}
