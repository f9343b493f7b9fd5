//! A web server for the tests, on this machine.
//!
//! ```text
//! page      what the server answers: status, headers, body, and how it misbehaves
//! body      the bytes of a page: in memory, in a file, computed or endless
//! request   a request, as the server received it
//! ranges    a range of a body, and whether the client has it already
//! respond   a page and a request → the bytes of a response
//! tls       certificates, for a server with TLS
//! proxy     a proxy that leads the names of services to such servers
//! ```
//!
//! The server speaks HTTP/1.1 over real sockets, with one thread for each connection. It keeps a list of
//! all requests, so that tests can check their number and their ranges.

mod body;
mod page;
mod proxy;
mod ranges;
mod request;
mod respond;
mod tls;

pub use body::Body;
pub use page::{Page, Ranges};
pub use proxy::Proxy;
pub use request::Request;
pub use tls::{Authority, Validity};

use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::collections::BTreeMap;
use std::io::{BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// A function that answers the requests for an address.
type Answer = Arc<dyn Fn(&Request) -> Page + Send + Sync>;

/// The pages of a server, by their address.
#[derive(Default)]
pub struct Site {
    routes: BTreeMap<String, Answer>,
}

impl Site {
    /// A site without pages: each address is answered with 404.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a page. `address` is its path, and may have a query. A page without a query answers
    /// all queries that have no page of their own.
    #[must_use]
    pub fn page(self, address: &str, page: Page) -> Self {
        self.answer(address, move |_| page.clone())
    }

    /// Adds pages that answer one request each, in order. The last one answers all further requests.
    ///
    /// # Panics
    /// Panics if the list is empty.
    #[must_use]
    pub fn pages(self, address: &str, pages: impl IntoIterator<Item = Page>) -> Self {
        let pages: Vec<Page> = pages.into_iter().collect();
        assert!(!pages.is_empty(), "no page");
        let next = AtomicUsize::new(0);
        self.answer(address, move |_| {
            let next = next.fetch_add(1, Ordering::SeqCst);
            pages[next.min(pages.len() - 1)].clone()
        })
    }

    /// Adds a function that answers the requests for an address.
    #[must_use]
    pub fn answer(
        mut self,
        address: &str,
        answer: impl Fn(&Request) -> Page + Send + Sync + 'static,
    ) -> Self {
        self.routes.insert(address.to_owned(), Arc::new(answer));
        self
    }

    /// Starts a server on a port of `127.0.0.1` that is free.
    ///
    /// # Panics
    /// Panics if the machine has none.
    pub fn serve(self) -> Server {
        self.start(None)
    }

    /// Starts a server with TLS.
    ///
    /// # Panics
    /// Panics if the machine has no free port.
    pub fn serve_tls(self, config: Arc<ServerConfig>) -> Server {
        self.start(Some(config))
    }

    fn start(self, tls: Option<Arc<ServerConfig>>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let shared = Arc::new(Shared {
            routes: Mutex::new(self.routes),
            requests: Mutex::default(),
            connections: AtomicUsize::new(0),
            has_ended: AtomicBool::new(false),
        });
        let scheme = if tls.is_some() { "https" } else { "http" };
        let server = Server {
            port,
            scheme,
            shared: Arc::clone(&shared),
        };
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if shared.has_ended.load(Ordering::SeqCst) {
                    break;
                }
                shared.connections.fetch_add(1, Ordering::SeqCst);
                let (shared, tls) = (Arc::clone(&shared), tls.clone());
                thread::spawn(move || connection(&shared, stream, tls));
            }
        });
        server
    }
}

/// Serves a connection until one of the two sides ends it.
fn connection(shared: &Shared, stream: TcpStream, tls: Option<Arc<ServerConfig>>) {
    let _ = stream.set_nodelay(true);
    match tls {
        None => exchange(shared, stream),
        Some(config) => {
            if let Ok(session) = ServerConnection::new(config) {
                exchange(shared, StreamOwned::new(session, stream));
            }
        }
    }
}

fn exchange(shared: &Shared, stream: impl Read + Write) {
    let mut stream = BufReader::new(stream);
    while let Some(request) = Request::read(&mut stream) {
        let page = shared.answer(&request);
        let entry = shared.log(&request);
        let is_kept = respond::respond(stream.get_mut(), &request, &page, &|sent| {
            if let Some(request) = shared.requests().get_mut(entry) {
                request.status = sent.status;
                request.sent += sent.bytes;
            }
            !shared.has_ended.load(Ordering::SeqCst)
        });
        if !is_kept.unwrap_or(false) || request.header("connection") == Some("close") {
            break;
        }
    }
}

/// What the threads of a server share.
struct Shared {
    routes: Mutex<BTreeMap<String, Answer>>,
    requests: Mutex<Vec<Request>>,
    connections: AtomicUsize,
    has_ended: AtomicBool,
}

impl Shared {
    fn routes(&self) -> MutexGuard<'_, BTreeMap<String, Answer>> {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn requests(&self) -> MutexGuard<'_, Vec<Request>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, request: &Request) -> Page {
        let answer = {
            let routes = self.routes();
            let path = request.target.split('?').next().unwrap_or_default();
            let route = routes.get(&request.target).or_else(|| routes.get(path));
            route.cloned()
        };
        match answer {
            Some(answer) => answer(request),
            None => Page::html("<title>Not found</title><p>No such page.").status(404),
        }
    }

    /// Adds a request to the list. Returns its index.
    fn log(&self, request: &Request) -> usize {
        let mut requests = self.requests();
        requests.push(request.clone());
        requests.len() - 1
    }
}

/// A server that runs until the value is dropped.
pub struct Server {
    port: u16,
    scheme: &'static str,
    shared: Arc<Shared>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.origin())
    }
}

impl Server {
    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The host and the port, such as `127.0.0.1:8080`, as a grant names them.
    pub fn authority(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The scheme, the host and the port.
    pub fn origin(&self) -> String {
        format!("{}://{}", self.scheme, self.authority())
    }

    /// The URL of a page.
    pub fn url(&self, address: &str) -> String {
        format!("{}{address}", self.origin())
    }

    /// The URL of a page with another name of this machine, such as `localhost`.
    pub fn url_of(&self, host: &str, address: &str) -> String {
        format!("{}://{host}:{}{address}", self.scheme, self.port)
    }

    /// Replaces a page.
    pub fn set(&self, address: &str, page: Page) {
        let answer: Answer = Arc::new(move |_| page.clone());
        self.shared.routes().insert(address.to_owned(), answer);
    }

    /// The requests since the start, or since the last call of [`Server::forget`].
    pub fn requests(&self) -> Vec<Request> {
        self.shared.requests().clone()
    }

    /// The addresses of all requests, in order.
    pub fn targets(&self) -> Vec<String> {
        let requests = self.shared.requests();
        requests
            .iter()
            .map(|request| request.target.clone())
            .collect()
    }

    /// The number of connections since the start.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// Removes all requests from the list. Responses that are being sent are not counted any more.
    pub fn forget(&self) {
        self.shared.requests().clear();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.has_ended.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a connection.
        let _ = TcpStream::connect(self.authority());
    }
}

#[cfg(test)]
mod tests;
