//! Connections that are kept for the next request.

use super::direct::Direct;
use super::limits::{KEPT_CONNECTIONS, KEPT_SERVERS, KEPT_TIME, READY_TIME};
use super::meter::Meter;
use bytes::Bytes;
use http_body_util::Empty;
use hyper::client::conn::{http1, http2};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The server of a connection: whether it uses TLS, its host and its port.
pub type Server = (bool, String, u16);

/// A connection that can take another request.
pub struct Idle {
    pub sender: Sender,
    /// Counts the bytes of the connection.
    pub meter: Meter,
}

/// The end of a connection that sends requests.
pub enum Sender {
    /// Over HTTP/1.1 without TLS, served by the thread that sends the request.
    Direct(Box<Direct>),
    /// Over HTTP/1.1, served by a task of a runtime.
    Http1(http1::SendRequest<Empty<Bytes>>),
    /// Over HTTP/2. Clones share the connection.
    Http2(http2::SendRequest<Empty<Bytes>>),
}

impl Idle {
    fn is_closed(&self) -> bool {
        match &self.sender {
            Sender::Direct(direct) => direct.is_closed(),
            Sender::Http1(sender) => sender.is_closed(),
            Sender::Http2(sender) => sender.is_closed(),
        }
    }

    fn is_ready(&self) -> bool {
        match &self.sender {
            // Kept after it was found ready.
            Sender::Direct(_) => true,
            Sender::Http1(sender) => sender.is_ready(),
            Sender::Http2(sender) => sender.is_ready(),
        }
    }

    /// Waits until the connection can take a request.
    async fn ready(&mut self) -> hyper::Result<()> {
        match &mut self.sender {
            Sender::Direct(_) => Ok(()),
            Sender::Http1(sender) => sender.ready().await,
            Sender::Http2(sender) => sender.ready().await,
        }
    }
}

/// A connection, and the time of the last response over it.
struct Kept {
    idle: Idle,
    since: Instant,
}

impl Kept {
    fn new(idle: Idle) -> Self {
        Self {
            idle,
            since: Instant::now(),
        }
    }

    fn is_usable(&self) -> bool {
        !self.idle.is_closed() && self.since.elapsed() < KEPT_TIME
    }

    /// As [`Self::is_usable`]. Also looks whether the server has closed the connection, which no task has noted.
    fn is_open(&mut self) -> bool {
        let is_open = match &mut self.idle.sender {
            Sender::Direct(direct) => direct.is_usable(),
            Sender::Http1(_) | Sender::Http2(_) => true,
        };
        is_open && self.is_usable()
    }
}

/// A connection that was kept.
enum Found {
    /// It can take a request.
    Ready(Idle),
    /// Its last response has arrived, or a part of it. It was taken from the pool.
    Busy(Kept),
}

/// Connections that no request uses.
#[derive(Default)]
struct Connections {
    /// The process that made them.
    process: u32,
    servers: BTreeMap<Server, Vec<Kept>>,
}

/// The connections of a client that no request uses.
#[derive(Default)]
pub struct Pool {
    kept: Mutex<Connections>,
    /// How often connections were forgotten. One that was taken before that is not kept again.
    forgotten: AtomicU64,
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, Connections> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if kept.process != process {
            // The child of a fork would get the responses of its parent.
            *kept = Connections {
                process,
                servers: BTreeMap::new(),
            };
        }
        kept
    }

    /// Takes a connection to a server. `None` if no connection can take a request.
    pub async fn take(&self, server: &Server) -> Option<Idle> {
        let before = self.forgotten.load(Ordering::Acquire);
        let mut kept = loop {
            match self.find(server)? {
                Found::Ready(mut idle) => {
                    if let Sender::Direct(direct) = &mut idle.sender
                        && !direct.is_usable()
                    {
                        continue;
                    }
                    return Some(idle);
                }
                Found::Busy(kept) => break kept,
            }
        };
        let ready = tokio::time::timeout(READY_TIME, kept.idle.ready()).await;
        if self.forgotten.load(Ordering::Acquire) != before {
            return None;
        }
        match ready {
            Ok(ready) => ready.ok().map(|()| kept.idle),
            // Another read still receives a body over it.
            Err(_) => {
                self.add(server, kept);
                None
            }
        }
    }

    /// A connection that can take a request, or one that may be able to soon. `None` if there is neither.
    fn find(&self, server: &Server) -> Option<Found> {
        let mut pool = self.lock();
        let kept = pool.servers.get_mut(server)?;
        kept.retain(Kept::is_usable);
        // A connection of HTTP/1 whose last body was not read to its end takes no other request.
        let Some(place) = kept.iter().position(|one| one.idle.is_ready()) else {
            let is_http1 = |one: &Kept| matches!(one.idle.sender, Sender::Http1(_));
            let place = kept.iter().position(is_http1)?;
            return Some(Found::Busy(kept.swap_remove(place)));
        };
        let idle = &kept.get(place)?.idle;
        Some(Found::Ready(match &idle.sender {
            Sender::Http2(sender) => Idle {
                sender: Sender::Http2(sender.clone()),
                meter: idle.meter.clone(),
            },
            Sender::Direct(_) | Sender::Http1(_) => kept.swap_remove(place).idle,
        }))
    }

    /// Keeps a connection, unless there are enough.
    pub fn keep(&self, server: &Server, idle: Idle) {
        self.add(server, Kept::new(idle));
    }

    fn add(&self, server: &Server, new: Kept) {
        let mut connections = self.lock();
        let pool = &mut connections.servers;
        if !pool.contains_key(server) {
            // Sockets that servers have closed are closed here, too.
            pool.retain(|_, kept| {
                kept.retain_mut(Kept::is_open);
                !kept.is_empty()
            });
            if pool.len() >= KEPT_SERVERS {
                let latest = |kept: &Vec<Kept>| kept.iter().map(|one| one.since).max();
                let oldest = pool.iter().min_by_key(|(_, kept)| latest(kept));
                if let Some(oldest) = oldest.map(|(server, _)| server.clone()) {
                    pool.remove(&oldest);
                }
            }
        }
        let kept = pool.entry(server.clone()).or_default();
        let is_http2 = |idle: &Idle| matches!(idle.sender, Sender::Http2(_));
        if is_http2(&new.idle)
            && let Some(known) = kept.iter_mut().find(|one| is_http2(&one.idle))
        {
            *known = new;
        } else if kept.len() < KEPT_CONNECTIONS {
            kept.push(new);
        }
    }

    /// Closes the connections to a server after their last response.
    pub fn forget(&self, server: &Server) {
        self.forgotten.fetch_add(1, Ordering::AcqRel);
        self.lock().servers.remove(server);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    /// A connection to a server, and the server's end of it.
    fn connection(listener: &TcpListener) -> (Idle, TcpStream) {
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        stream.set_nonblocking(true).unwrap();
        let (other, _) = listener.accept().unwrap();
        let meter = Meter::default();
        let limits = super::super::limits::Limits::default();
        let made = Direct::new(stream, &limits, meter.clone());
        let runtime = tokio::runtime::Builder::new_current_thread();
        let direct = { runtime }.build().unwrap().block_on(made).unwrap();
        let sender = Sender::Direct(Box::new(direct));
        (Idle { sender, meter }, other)
    }

    fn server(port: u16) -> Server {
        (false, "127.0.0.1".to_owned(), port)
    }

    #[test]
    fn connections_that_servers_closed_are_closed_with_the_next_server() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let pool = Pool::default();
        let (open, end) = connection(&listener);
        let (closed, other) = connection(&listener);
        pool.keep(&server(1), open);
        pool.keep(&server(2), closed);
        drop(other);
        // The end of the connection arrives at once on this machine, or soon.
        for port in 3..300 {
            let (idle, _) = connection(&listener);
            pool.keep(&server(port), idle);
            let kept = pool.lock();
            assert!(kept.servers.contains_key(&server(1)));
            if !kept.servers.contains_key(&server(2)) {
                drop(end);
                return;
            }
            drop(kept);
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        panic!("a connection that its server closed is kept");
    }

    #[test]
    fn child_of_a_fork_has_connections_of_its_own() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let pool = Pool::default();
        let (idle, _end) = connection(&listener);
        pool.keep(&server(1), idle);
        assert_eq!(pool.lock().servers.len(), 1);
        // As in a process with another number.
        pool.kept.lock().unwrap().process += 1;
        assert_eq!(pool.lock().servers.len(), 0);
    }
}
