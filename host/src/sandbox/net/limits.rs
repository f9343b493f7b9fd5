//! The limits of requests.

use hyper::client::conn::http1;
use std::time::Duration;

/// The default limit on the time that all requests of one read take together. It has room for a few
/// redirects and retries of a slow server. `--net-timeout` changes it.
pub const DEFAULT_NET_TIMEOUT: Duration = Duration::from_secs(45);

/// The default limit in bytes on the size of the body of a response, as it is sent. It has room for
/// most documents and archives. `--net-bytes` changes it.
pub const DEFAULT_NET_BYTES: u64 = 50 << 20;

/// The maximum time to resolve a name, to connect to one of its addresses, and for a TLS handshake,
/// each. A host on the other side of the earth answers in a third of a second.
pub const CONNECT_TIME: Duration = Duration::from_secs(5);

/// The maximum time until the headers of a response arrive, and until each part of its body does.
/// Some servers render a page for seconds before they answer.
pub const EXCHANGE_TIME: Duration = Duration::from_secs(15);

/// The maximum size of the headers of a response in bytes. Usual servers send at most 16 KB.
pub const RESPONSE_HEADER_BYTES: usize = 64 << 10;

/// The maximum number of headers of a response over HTTP/1.1. Over HTTP/2, only their size is limited.
pub const RESPONSE_HEADERS: usize = 500;

/// The maximum number of bytes that a connection receives for no response, such as frames of HTTP/2 that say
/// nothing. The parts of a body that wait for the reader take up to 5 MiB.
pub const IDLE_BYTES: u64 = 8 << 20;

/// The number of bytes around a part of a body: the header of a chunk or frame, and its padding.
pub const FRAME_BYTES: u64 = 300;

/// The maximum number of parts of all bodies of a read. Each takes some microseconds, whatever its size.
/// A body of 50 MB has some thousand.
pub const BODY_PARTS: u32 = if cfg!(test) { 50_000 } else { 200_000 };

/// The maximum number of addresses of a host that are tried.
pub const TRIED_ADDRESSES: usize = 4;

/// The maximum number of servers whose connections are kept.
pub const KEPT_SERVERS: usize = 32;

/// The maximum number of connections to a server that are kept. They are used one at a time over
/// HTTP/1.1.
pub const KEPT_CONNECTIONS: usize = 4;

/// The time after which a connection without requests is not used again. Routers forget connections
/// that are idle for about as long, and requests over them get no answer.
pub const KEPT_TIME: Duration = Duration::from_mins(5);

/// The maximum time for which a request waits for a connection whose last response was received, before a new
/// connection is made. The task of the connection notes the end of a response some microseconds after its reader.
pub const READY_TIME: Duration = Duration::from_millis(5);

/// The time for which the thread of a request looks for parts of its response before it sleeps. A server on the same
/// machine answers in that time, and waking a thread of a virtual machine takes as long: a page of 3 KB from such a server
/// takes 17 % less. Other threads run between two looks, so that a busy machine loses little.
pub const LOOK_TIME: Duration = Duration::from_micros(50);

/// The smallest buffer in bytes that hyper accepts.
pub const LEAST_BUFFER: usize = 8192;

/// The limits of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The time to resolve a name, to connect to one of its addresses, and for a TLS handshake, each.
    pub connect: Duration,
    /// The time until the headers of a response arrive, and until each part of its body does.
    pub exchange: Duration,
    /// The time of all requests of a read.
    pub read: Duration,
    /// The maximum number of bytes of the headers of a response.
    pub headers: usize,
    /// The maximum number of bytes of the body of a response, as it is sent.
    pub body: u64,
}

impl Limits {
    /// The settings of a connection over HTTP/1.1.
    pub fn http1(&self) -> http1::Builder {
        let mut builder = http1::Builder::new();
        builder
            .max_headers(RESPONSE_HEADERS)
            .max_buf_size(self.headers.max(LEAST_BUFFER));
        builder
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: CONNECT_TIME,
            exchange: EXCHANGE_TIME,
            read: DEFAULT_NET_TIMEOUT,
            headers: RESPONSE_HEADER_BYTES,
            body: DEFAULT_NET_BYTES,
        }
    }
}
