//! Requests to real servers on this machine.

use super::failure::Step;
use super::grant::Denied;
use super::time::Clock;
use super::*;
use http::{HeaderMap, HeaderValue, Method, Uri};
use std::io::{self, Read as _, Write as _};
use std::net::{IpAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

mod direct;
mod hostile;
mod http2;
mod proxy;
mod tls;

/// A server that answers each connection with a function.
pub struct Server {
    /// Its port on 127.0.0.1.
    pub port: u16,
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// A server that answers each request of a connection with these bytes.
    pub fn answers(answer: &'static [u8]) -> Self {
        Self::new(move |mut stream, requests| {
            while let Some(request) = request(&mut stream) {
                requests.lock().unwrap().push(request);
                if stream.write_all(answer).is_err() {
                    break;
                }
            }
        })
    }

    /// A server that serves each connection with a function, which gets the list of requests.
    pub fn new(serve: impl Fn(TcpStream, Arc<Mutex<Vec<String>>>) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let connections = Arc::new(AtomicUsize::new(0));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (count, list) = (Arc::clone(&connections), Arc::clone(&requests));
        let serve = Arc::new(serve);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                count.fetch_add(1, Ordering::SeqCst);
                let (serve, list) = (Arc::clone(&serve), Arc::clone(&list));
                thread::spawn(move || serve(stream, list));
            }
        });
        Self {
            port,
            connections,
            requests,
        }
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The number of connections so far.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// Reads the head of a request. `None` at the end of the connection.
pub fn request(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    String::from_utf8(head).ok()
}

/// A response with a short body.
pub const HELLO: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

/// A limit for tests of servers that do not answer. Servers that should answer in time get the
/// default limits, because a busy machine may need long.
pub const SHORT: Duration = Duration::from_millis(300);

/// The default limits, with a lower one on the size of bodies.
pub fn limits() -> Limits {
    Limits {
        body: 100_000,
        ..Limits::default()
    }
}

/// A configuration with these grants.
pub fn config(grants: &[&str]) -> Config {
    let grants: Vec<Grant> = grants.iter().map(|grant| grant.parse().unwrap()).collect();
    Config::new(grants.into())
}

/// A client for this server.
pub fn client(server: &Server) -> Client {
    with_limits(server, limits())
}

/// A client for this server, with these limits.
pub fn with_limits(server: &Server, limits: Limits) -> Client {
    Client::new(Config {
        limits,
        ..config(&[&format!("127.0.0.1:{}", server.port)])
    })
}

fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread();
    { runtime }.enable_all().build().unwrap().block_on(future)
}

/// A clock of a read that is not stopped.
fn clock(limit: Duration) -> Clock {
    Clock::new(limit, Arc::default(), Arc::new(|| false))
}

/// The status and the body of a page.
pub async fn get(client: &Client, url: &str) -> Result<(u16, Vec<u8>), Failure> {
    get_with(client, url, &HeaderMap::new()).await
}

async fn get_with(
    client: &Client,
    url: &str,
    headers: &HeaderMap,
) -> Result<(u16, Vec<u8>), Failure> {
    let clock = clock(client.limits().read);
    let uri: Uri = url.parse().unwrap();
    let mut response = client.send(Method::GET, &uri, headers, &clock).await?;
    let mut body = Vec::new();
    while let Some(part) = response.body_mut().next(client.limits(), &clock).await {
        body.extend_from_slice(&part?);
    }
    Ok((response.status().as_u16(), body))
}

fn failure(client: &Client, url: &str) -> Failure {
    run(get(client, url)).unwrap_err()
}

#[test]
fn connections_are_kept() {
    let server = Server::answers(HELLO);
    let client = client(&server);
    run(async {
        for _ in 0..3 {
            let page = get(&client, &server.url("/page?a=b")).await;
            assert_eq!(page, Ok((200, b"hello".to_vec())));
        }
    });
    assert_eq!(server.connections(), 1);
    let requests = server.requests.lock().unwrap();
    let first = requests[0].to_lowercase();
    assert!(first.starts_with("get /page?a=b http/1.1\r\n"), "{first}");
    assert!(first.contains(&format!("host: 127.0.0.1:{}\r\n", server.port)));
    assert!(first.contains("user-agent: omniread/"), "{first}");
}

#[test]
fn connection_that_the_server_closed_is_made_again() {
    let server = Server::new(|mut stream, _| {
        request(&mut stream);
        let _ = stream.write_all(HELLO);
    });
    let client = client(&server);
    run(async {
        for _ in 0..3 {
            assert_eq!(get(&client, &server.url("/")).await.unwrap().0, 200);
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    });
    assert_eq!(server.connections(), 3);
}

/// No notation of an address of this machine is reached, and nothing is sent to it.
#[test]
fn addresses_that_are_not_granted_get_no_packet() {
    let server = Server::answers(HELLO);
    let port = server.port;
    let hosts = [
        "127.0.0.1",
        "[::ffff:127.0.0.1]",
        "[::1]",
        "localhost",
        "0.0.0.0",
        "169.254.169.254",
        "[64:ff9b::7f00:1]",
        "10.0.0.1",
    ];
    for grants in [&[][..], &["public"], &["example.com"], &["*.localhost"]] {
        let client = Client::new(config(grants));
        for host in hosts {
            let failure = failure(&client, &format!("http://{host}:{port}/"));
            assert!(matches!(failure, Failure::Denied(_)), "{host}: {failure:?}");
        }
    }
    let client = client(&server);
    for url in [
        format!("http://127.0.0.1:{port}@example.com/"),
        format!("http://a@127.0.0.1:{port}/"),
        format!("http://127.0.0.1.:{port}/"),
        format!("http://2130706433:{port}/"),
        format!("http://0x7f.1:{port}/"),
        format!("http://127.1:{port}/"),
        format!("ftp://127.0.0.1:{port}/"),
        "/path".to_owned(),
    ] {
        run(get(&client, &url)).unwrap_err();
    }
    assert_eq!(server.connections(), 0);
}

/// Answers with the addresses of a list in turn.
struct Names(Mutex<Vec<Vec<IpAddr>>>, AtomicUsize);

impl Names {
    fn new(answers: &[&[&str]]) -> Arc<Self> {
        let parse = |address: &&str| address.parse().unwrap();
        let answers = answers
            .iter()
            .map(|answer| answer.iter().map(parse).collect());
        Arc::new(Self(Mutex::new(answers.collect()), AtomicUsize::new(0)))
    }
}

impl Resolve for Names {
    fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        self.1.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.0.lock().unwrap();
        match answers.len() {
            0 => Err(io::Error::other("no such name")),
            1 => Ok(answers[0].clone()),
            _ => Ok(answers.remove(0)),
        }
    }
}

fn with_names(grants: &[&str], names: &Arc<Names>) -> Client {
    Client::new(Config {
        limits: limits(),
        resolver: Arc::clone(names) as Arc<dyn Resolve>,
        ..config(grants)
    })
}

#[test]
fn name_is_resolved_once_and_its_address_is_checked() {
    let server = Server::answers(HELLO);
    let port = server.port;
    let url = format!("http://site.example:{port}/");
    // A name of the internet with an address of this machine.
    for grant in [format!("site.example:{port}"), format!("*.example:{port}")] {
        let names = Names::new(&[&["127.0.0.1"]]);
        let denied = failure(&with_names(&[&grant], &names), &url);
        assert!(
            matches!(denied, Failure::Denied(Denied::Address(..))),
            "{denied:?}"
        );
        assert_eq!(names.1.load(Ordering::SeqCst), 1);
    }
    assert_eq!(server.connections(), 0);
    // Only the address that is granted is used, whatever else the answer has.
    let names = Names::new(&[&["169.254.169.254", "10.9.9.9", "127.0.0.1"]]);
    let grants = [format!("*.example:{port}"), format!("127.0.0.1:{port}")];
    let client = with_names(&[&grants[0], &grants[1]], &names);
    assert_eq!(run(get(&client, &url)).unwrap().0, 200);
    // Later answers are checked too.
    let names = Names::new(&[&["127.0.0.1"], &["::1"]]);
    let client = with_names(&[&grants[0], &grants[1]], &names);
    run(async {
        assert_eq!(get(&client, &url).await.unwrap().0, 200);
        let other = url.replace("site", "other");
        assert!(matches!(
            get(&client, &other).await,
            Err(Failure::Denied(_))
        ));
    });
    let none = with_names(&[&grants[0]], &Names::new(&[]));
    assert!(matches!(failure(&none, &url), Failure::Name(_)));
}

#[test]
fn slow_servers_are_left() {
    let hasty = |server: &Server| {
        let exchange = SHORT;
        with_limits(
            server,
            Limits {
                exchange,
                ..limits()
            },
        )
    };
    let never = Server::new(|stream, _| {
        thread::sleep(Duration::from_mins(5));
        drop(stream);
    });
    assert_eq!(
        failure(&hasty(&never), &never.url("/")),
        Failure::Timeout(Step::Response, SHORT)
    );
    let headers = Server::new(|mut stream, _| {
        request(&mut stream);
        let bytes = b"HTTP/1.1 200 OK\r\nX: "
            .iter()
            .chain(std::iter::repeat(&b'a'));
        for byte in bytes {
            if stream.write_all(&[*byte]).is_err() {
                break;
            }
            thread::sleep(Duration::from_millis(20));
        }
    });
    assert_eq!(
        failure(&hasty(&headers), &headers.url("/")),
        Failure::Timeout(Step::Response, SHORT)
    );
    let body = Server::new(|mut stream, _| {
        request(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
        thread::sleep(Duration::from_mins(5));
    });
    // The headers have to arrive within the same time.
    let exchange = Duration::from_secs(3);
    assert_eq!(
        failure(
            &with_limits(
                &body,
                Limits {
                    exchange,
                    ..limits()
                }
            ),
            &body.url("/")
        ),
        Failure::Timeout(Step::Body, exchange)
    );
    // Each part is in time, but all of them take too long.
    let drip = Server::new(|mut stream, _| {
        request(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
        while stream.write_all(b"a").is_ok() {
            thread::sleep(Duration::from_millis(50));
        }
    });
    let read = Duration::from_millis(500);
    assert_eq!(
        failure(
            &with_limits(&drip, Limits { read, ..limits() }),
            &drip.url("/")
        ),
        Failure::Timeout(Step::Read, read)
    );
}

#[test]
fn stopped_reads_do_not_wait() {
    let server = Server::new(|stream, _| {
        thread::sleep(Duration::from_mins(5));
        drop(stream);
    });
    let client = Client::new(config(&[&format!("127.0.0.1:{}", server.port)]));
    let start = Instant::now();
    let stopped = move || start.elapsed() > Duration::from_millis(50);
    let clock = Clock::new(Duration::from_mins(5), Arc::default(), Arc::new(stopped));
    let uri: Uri = server.url("/").parse().unwrap();
    let sent = run(client.send(Method::GET, &uri, &HeaderMap::new(), &clock));
    assert_eq!(sent.unwrap_err(), Failure::Stopped);
    // A guard against hangs: the server does not answer for longer.
    assert!(start.elapsed() < Duration::from_mins(2));
}

#[test]
fn large_headers_and_bodies_end() {
    let answer = |answer: Vec<u8>| {
        Server::new(move |mut stream, _| {
            request(&mut stream);
            let _ = stream.write_all(&answer);
        })
    };
    let many = "X-Header: 1\r\n".repeat(40_000);
    let one = format!("X: {}\r\n", "a".repeat(10_000_000));
    for headers in [many, one] {
        let server = answer(format!("HTTP/1.1 200 OK\r\n{headers}\r\n").into_bytes());
        let failure = failure(&client(&server), &server.url("/"));
        assert!(
            matches!(failure, Failure::Headers(_) | Failure::Protocol(_)),
            "{failure:?}"
        );
    }
    let body = [&b"HTTP/1.1 200 OK\r\n\r\n"[..], &vec![b'a'; 100_001]].concat();
    let server = answer(body);
    assert_eq!(
        failure(&client(&server), &server.url("/")),
        Failure::Body(100_000)
    );
    let endless = Server::new(|mut stream, _| {
        request(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        while stream.write_all(b"4\r\naaaa\r\n").is_ok() {}
    });
    assert_eq!(
        failure(&client(&endless), &endless.url("/")),
        Failure::Body(100_000)
    );
}

#[test]
fn answers_that_are_not_http() {
    for answer in [
        &b""[..],
        b"\0\0\0\0",
        b"SSH-2.0-OpenSSH_9.9\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/9.9 200 OK\r\n\r\n",
    ] {
        let server = Server::new(move |mut stream, _| {
            request(&mut stream);
            let _ = stream.write_all(answer);
        });
        let failure = failure(&client(&server), &server.url("/"));
        assert!(matches!(failure, Failure::Protocol(_)), "{failure:?}");
    }
    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let client = Client::new(config(&[&format!("127.0.0.1:{closed}")]));
    let failure = failure(&client, &format!("http://127.0.0.1:{closed}/"));
    assert!(matches!(failure, Failure::Connect(_)), "{failure:?}");
}

#[test]
fn methods_and_headers_are_those_of_a_reader() {
    let server = Server::answers(HELLO);
    let secret = |host: &str, is_plain: bool| Secret {
        host: Host::parse(host).unwrap(),
        is_plain,
        name: http::header::AUTHORIZATION,
        value: HeaderValue::from_static("Bearer token"),
    };
    let mut headers = HeaderMap::new();
    for (name, value) in [
        ("accept", "text/markdown"),
        ("range", "bytes=0-4"),
        ("authorization", "Basic of-the-guest"),
        ("cookie", "a=b"),
        ("referer", "http://example.com/"),
        ("x-other", "1"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    for (host, is_plain, gets_it) in [
        ("127.0.0.1", true, true),
        ("127.0.0.1", false, false),
        ("example.com", true, false),
    ] {
        let client = Client::new(Config {
            secrets: vec![secret(host, is_plain)],
            ..config(&[&format!("127.0.0.1:{}", server.port)])
        });
        run(get_with(&client, &server.url("/"), &headers)).unwrap();
        let last = server
            .requests
            .lock()
            .unwrap()
            .last()
            .unwrap()
            .to_lowercase();
        assert!(last.contains("accept: text/markdown") && last.contains("range: bytes=0-4"));
        assert_eq!(
            last.contains("authorization: bearer token"),
            gets_it,
            "{last}"
        );
        for other in ["of-the-guest", "cookie", "referer", "x-other"] {
            assert!(!last.contains(other), "{last}");
        }
    }
    let client = client(&server);
    let clock = clock(Duration::from_secs(20));
    let uri: Uri = server.url("/").parse().unwrap();
    let count = server.requests.lock().unwrap().len();
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::CONNECT] {
        let sent = run(client.send(method, &uri, &HeaderMap::new(), &clock));
        assert!(matches!(sent, Err(Failure::Method(_))));
    }
    assert_eq!(server.requests.lock().unwrap().len(), count);
}
