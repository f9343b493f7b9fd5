//! `omniread mcp --http`: the streamable HTTP transport.

use super::{ENDLESS, cli, endless};
use omniread_tests::Workspace;
use omniread_tests::process::Process;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const TOKEN: &str = "0123456789abcdef0123";

/// A server, and a client of it.
pub struct Server {
    pub process: Process,
    http: Http,
}

/// A client of the server at an address.
#[derive(Clone)]
pub struct Http {
    pub address: String,
}

impl std::ops::Deref for Server {
    type Target = Http;

    fn deref(&self) -> &Http {
        &self.http
    }
}

/// A response: its status, its headers in lower case, and its body.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    headers: String,
    body: String,
}

impl Response {
    fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.headers.lines();
        let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        value.map(str::trim)
    }

    /// The JSON message in the body, which may be a stream of events.
    pub fn message(&self) -> Value {
        let data = self
            .body
            .lines()
            .filter_map(|line| line.strip_prefix("data: "));
        let json = data.rev().find(|data| data.starts_with('{'));
        serde_json::from_str(json.unwrap_or(&self.body)).unwrap_or_else(|_| panic!("{self:?}"))
    }
}

impl Server {
    pub fn start(workspace: &Workspace, arguments: &[&str]) -> Self {
        Self::at(workspace, "127.0.0.1:0", arguments)
    }

    /// Starts a server at an address of `--http`.
    pub fn at(workspace: &Workspace, address: &str, arguments: &[&str]) -> Self {
        let mut all = vec!["mcp", "--http", address];
        all.extend(arguments);
        let token = [("OMNIREAD_MCP_TOKEN", TOKEN)];
        let process = Process::with_environment(&cli(workspace), &all, &token);
        let line = || {
            process
                .errors
                .recv_timeout(Duration::from_mins(10))
                .unwrap()
        };
        let mut started = line();
        while started.starts_with("omniread: warning: ") {
            started = line();
        }
        let address = started
            .strip_prefix("omniread: serving MCP at http://")
            .unwrap();
        let address = address.strip_suffix("/mcp").unwrap().to_owned();
        Self {
            process,
            http: Http { address },
        }
    }
}

impl Http {
    /// Sends bytes, and returns everything that the server sends until it closes the connection.
    pub fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_mins(10)))
            .unwrap();
        let _ = stream.write_all(bytes);
        let mut reply = Vec::new();
        let _ = stream.read_to_end(&mut reply);
        String::from_utf8_lossy(&reply).into_owned()
    }

    pub fn post(&self, headers: &[(&str, &str)], body: &str) -> Response {
        let reply = self.raw(&self.request(headers, body));
        let (head, body) = reply.split_once("\r\n\r\n").unwrap_or((&reply, ""));
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        Response {
            status: status.unwrap_or(0),
            headers: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }

    /// A request with the usual headers, and with these in place of those of the same name.
    fn request(&self, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
        self.request_of("POST", headers, body)
    }

    /// Ends a session. Returns the status.
    fn delete(&self, session: &str) -> u16 {
        let request = self.request_of("DELETE", &[("Mcp-Session-Id", session)], "");
        let reply = self.raw(&request);
        let status = reply.split(' ').nth(1);
        status.and_then(|status| status.parse().ok()).unwrap_or(0)
    }

    fn request_of(&self, method: &str, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
        let mut request = format!("{method} /mcp HTTP/1.1\r\nConnection: close\r\n");
        let usual = [
            ("Host", self.address.as_str()),
            ("Accept", "application/json, text/event-stream"),
            ("Content-Type", "application/json"),
            ("Authorization", "Bearer 0123456789abcdef0123"),
        ];
        let replaced = |name: &str| headers.iter().any(|(other, _)| *other == name);
        for (name, value) in usual
            .iter()
            .filter(|(name, _)| !replaced(name))
            .chain(headers)
        {
            let _ = write!(request, "{name}: {value}\r\n");
        }
        let _ = write!(request, "Content-Length: {}\r\n\r\n{body}", body.len());
        request.into_bytes()
    }

    pub fn initialize(&self) -> String {
        let response = self.post(&[], &initialize());
        assert_eq!(response.status, 200, "{response:?}");
        response.header("mcp-session-id").unwrap().to_owned()
    }

    pub fn call(&self, session: &str, path: &str) -> Response {
        self.post(&[("Mcp-Session-Id", session)], &call(path))
    }

    /// Sends a call without waiting for its response.
    pub fn send_call(&self, session: &str, path: &str) -> TcpStream {
        let request = self.request(&[("Mcp-Session-Id", session)], &call(path));
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(&request).unwrap();
        stream
    }
}

/// A call of the tool.
fn call(path: &str) -> String {
    let call = json!({
        "jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": { "name": "read", "arguments": { "path": path } },
    });
    call.to_string()
}

pub fn initialize() -> String {
    let message = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        },
    });
    message.to_string()
}

#[test]
fn sessions_read_over_http() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    let server = Server::start(&workspace, &[]);
    let (first, second) = (server.initialize(), server.initialize());
    assert_ne!(first, second);
    for session in [&first, &second, &first] {
        let result = server.call(session, "a.txt").message();
        assert_eq!(result["result"]["isError"], false, "{result}");
    }
    assert_eq!(server.call("no-such-session", "a.txt").status, 404);
    // A body that is no message is a bad request, with the error of the protocol.
    for body in ["nonsense", "{\"jsonrpc\":\"2.0\",", "5"] {
        let response = server.post(&[], body);
        assert_eq!(response.status, 400, "{body}: {response:?}");
        assert!(response.body.contains("-32700"), "{body}: {response:?}");
    }
    let wrong = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}"#;
    let response = server.post(&[("Mcp-Session-Id", &first)], wrong);
    assert_eq!(response.message()["error"]["code"], -32602, "{response:?}");
}

/// A browser asks first which requests a page may send. It cannot send a token with the question.
#[test]
fn pages_of_an_allowed_origin_use_the_server() {
    let workspace = Workspace::new();
    let server = Server::start(&workspace, &["--allow-origin", "https://app.example"]);
    let ask = |origin: &str| {
        server.raw(
            format!(
                "OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nOrigin: {origin}\r\n\
                 Access-Control-Request-Method: POST\r\n\r\n"
            )
            .as_bytes(),
        )
    };
    let allowed = ask("https://app.example").to_ascii_lowercase();
    assert!(allowed.starts_with("http/1.1 204"), "{allowed}");
    assert!(allowed.contains("\r\naccess-control-allow-origin: https://app.example\r\n"));
    assert!(allowed.contains("\r\naccess-control-allow-headers: authorization,"));
    let refused = ask("https://evil.example").to_ascii_lowercase();
    assert!(refused.starts_with("http/1.1 401"), "{refused}");
    assert!(!refused.contains("access-control"), "{refused}");
    let origin = ("Origin", "https://app.example");
    let response = server.post(&[origin], &initialize());
    assert_eq!(response.status, 200);
    let readable = response.header("access-control-allow-origin");
    assert_eq!(readable, Some("https://app.example"));
    let wrong = ("Authorization", "Bearer 0123456789abcdef0124");
    assert_eq!(server.post(&[origin, wrong], &initialize()).status, 401);
}

/// A new session takes the place of one that has no running request, of which nobody may know any
/// more.
#[test]
fn session_that_was_used_longest_ago_ends_when_there_are_too_many() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    endless(&workspace);
    let server = Server::start(&workspace, &["--timeout", "0", "--log", "log.jsonl"]);
    let busy = server.initialize();
    let mut reading = server.send_call(&busy, ENDLESS);
    // The headers arrive when the server has accepted the call.
    reading.read_exact(&mut [0]).unwrap();
    let used = server.initialize();
    let oldest = server.initialize();
    for _ in 0..253 {
        server.initialize();
    }
    let status = |session: &str| server.call(session, "a.txt").status;
    assert_eq!(status(&used), 200);
    server.initialize();
    assert_eq!(status(&oldest), 404);
    // rmcp ignores an id that is not text, and creates a session.
    let created = server.post(&[("Mcp-Session-Id", "\u{e9}")], &initialize());
    assert_eq!(created.status, 200, "{created:?}");
    assert_eq!([status(&used), status(&busy)], [200, 200]);
    // The log is written by a thread.
    let ended = || {
        let log = std::fs::read_to_string(workspace.path().join("log.jsonl")).unwrap();
        log.matches("\"event\":\"session_ended\"").count()
    };
    let began = Instant::now();
    while ended() < 2 {
        assert!(began.elapsed() < Duration::from_mins(2), "no line");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(ended(), 2);
}

/// The SDKs keep a stream for messages of the server open, one for each session.
#[test]
fn streams_of_sessions_do_not_take_the_places_of_requests() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    let server = Server::start(&workspace, &[]);
    let open = |session: &str| {
        let headers = [("Mcp-Session-Id", session), ("Accept", "text/event-stream")];
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let request = server.request_of("GET", &headers, "");
        stream.write_all(&request).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_mins(10)))
            .unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        assert_eq!(&status, b"HTTP/1.1 200");
        stream
    };
    let sessions: Vec<String> = (0..256).map(|_| server.initialize()).collect();
    let mut streams: Vec<TcpStream> = sessions.iter().map(|session| open(session)).collect();
    // The session that was used longest ago ends, and its stream with it.
    let newest = server.initialize();
    assert_eq!(server.call(&newest, "a.txt").status, 200);
    assert_eq!(server.call(&sessions[0], "a.txt").status, 404);
    assert_eq!(server.call(&sessions[1], "a.txt").status, 200);
    streams[0].read_to_end(&mut Vec::new()).unwrap();
}

/// The Python SDK expects 200 or 204.
#[test]
fn session_ends_on_request() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    let server = Server::start(&workspace, &[]);
    let (first, second) = (server.initialize(), server.initialize());
    assert_eq!(server.delete(&first), 200);
    assert_eq!(server.call(&first, "a.txt").status, 404);
    assert_eq!(server.delete(&first), 404);
    assert_eq!(server.delete("no-such-session"), 404);
    assert_eq!(server.call(&second, "a.txt").status, 200);
}

/// Programs of this machine serve pages too, such as the inspector. They need the token.
#[test]
fn pages_of_this_machine_use_a_server_of_this_machine() {
    let workspace = Workspace::new();
    let server = Server::start(&workspace, &[]);
    for origin in [
        "http://localhost:6274",
        "http://127.0.0.1",
        "http://[::1]:80",
    ] {
        let response = server.post(&[("Origin", origin)], &initialize());
        assert_eq!(response.status, 200, "{origin}: {response:?}");
        let readable = response.header("access-control-allow-origin");
        assert_eq!(readable, Some(origin));
        let wrong = ("Authorization", "Bearer 0123456789abcdef0124");
        let response = server.post(&[("Origin", origin), wrong], &initialize());
        assert_eq!(response.status, 401, "{origin}: {response:?}");
    }
    // The page is on another machine than this server.
    let open = Server::at(&workspace, "0.0.0.0:0", &[]);
    let local = open.address.replace("0.0.0.0", "127.0.0.1");
    let headers = [
        ("Host", local.as_str()),
        ("Origin", "http://localhost:6274"),
    ];
    assert_eq!(open.post(&headers[..1], &initialize()).status, 200);
    assert_eq!(open.post(&headers, &initialize()).status, 403);
}

#[test]
fn requests_without_the_token_are_refused() {
    let workspace = Workspace::new();
    let server = Server::start(&workspace, &[]);
    for wrong in [
        "",
        "Bearer",
        "Bearer x",
        "Basic 0123456789abcdef0123",
        "Bearer 0123456789abcdef012",
    ] {
        let response = server.post(&[("Authorization", wrong)], &initialize());
        assert_eq!(response.status, 401, "{wrong}: {response:?}");
        assert_eq!(response.header("www-authenticate"), Some("bearer"));
    }
    assert_eq!(server.post(&[], &initialize()).status, 200);
    let open = Server::start(&workspace, &["--no-token"]);
    assert_eq!(
        open.post(&[("Authorization", "")], &initialize()).status,
        200
    );
}

/// A web page has an `Origin`. With DNS rebinding, it has a `Host` of its own.
#[test]
fn requests_of_web_pages_are_refused() {
    let workspace = Workspace::new();
    let server = Server::start(&workspace, &["--no-token"]);
    for headers in [
        ("Host", "evil.example"),
        ("Host", "evil.example:8080"),
        ("Host", "127.0.0.1.evil.example"),
        ("Origin", "http://evil.example"),
        ("Origin", "null"),
        ("Origin", "http://localhost.evil.example:3000"),
        ("Origin", "https://127.0.0.1.evil.example"),
    ] {
        let response = server.post(&[headers], &initialize());
        assert_eq!(response.status, 403, "{headers:?}: {response:?}");
    }
    assert_eq!(
        server.post(&[("Host", "localhost")], &initialize()).status,
        200
    );
    let arguments = [
        "--no-token",
        "--allow-origin",
        "https://app.example:443",
        "--allow-host",
        "read.example",
    ];
    let server = Server::start(&workspace, &arguments);
    let allowed = [("Origin", "https://app.example"), ("Host", "read.example")];
    assert_eq!(server.post(&allowed, &initialize()).status, 200);
}

#[test]
fn wrong_requests_are_answered() {
    let workspace = Workspace::new();
    let server = Server::start(&workspace, &[]);
    let large = format!("{{\"x\":\"{}\"}}", "x".repeat(2 << 20));
    assert_eq!(server.post(&[], &large).status, 413);
    assert!((400..500).contains(&server.post(&[], "nonsense").status));
    assert!(
        (400..500).contains(
            &server
                .post(&[("Accept", "text/html")], &initialize())
                .status
        )
    );
    let other = server.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert!(other.starts_with("HTTP/1.1 404"), "{other}");
    for bytes in [
        &b"\0\0\0\0\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"POST /mcp HTTP/9.9\r\n\r\n",
    ] {
        let reply = server.raw(bytes);
        assert!(
            reply.is_empty() || reply.starts_with("HTTP/1.1 4"),
            "{reply}"
        );
    }
    server.initialize();
}

#[test]
fn unprotected_server_needs_a_loopback_address() {
    let workspace = Workspace::new();
    let run = cli(&workspace).run(&["mcp", "--http", "0.0.0.0:0", "--no-token"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("loopback"), "{}", run.stderr);
}

#[test]
#[cfg(unix)]
fn termination_lets_a_request_finish() {
    let workspace = Workspace::new();
    endless(&workspace);
    let mut server = Server::start(&workspace, &["--timeout", "2"]);
    let session = server.initialize();
    let http = server.http.clone();
    let (sent, was_sent) = std::sync::mpsc::channel();
    let call = std::thread::spawn(move || {
        let mut stream = http.send_call(&session, ENDLESS);
        // The headers arrive when the server has accepted the call.
        let mut first = [0];
        stream.read_exact(&mut first).unwrap();
        sent.send(()).unwrap();
        let mut rest = String::new();
        stream.read_to_string(&mut rest).unwrap();
        rest
    });
    was_sent.recv().unwrap();
    super::mcp::terminate(&server.process);
    let response = call.join().unwrap();
    assert!(response.contains("exceeded the timeout"), "{response}");
    assert!(server.process.wait().success());
}
