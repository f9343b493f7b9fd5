//! `wasmtime serve`, and a client that sends one request on each connection.

use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server, which ends when it is dropped.
pub struct Server {
    process: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    /// Starts a server for the files of a directory, with these environment variables.
    pub fn start(wasmtime: &Path, code: &Path, directory: &Path, variables: &[&str]) -> Self {
        let mut command = Command::new(wasmtime);
        command.args([
            "serve",
            "-S",
            "cli",
            "--addr",
            "127.0.0.1:0",
            "--allow-precompiled",
        ]);
        command.args(["--dir", &format!("{}::/", directory.display())]);
        for variable in variables {
            command.args(["--env", variable]);
        }
        command.arg(code);
        Self::run(command)
    }

    /// Starts a server by a command.
    pub fn run(mut command: Command) -> Self {
        let mut process = command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a server");
        let mut messages = BufReader::new(process.stderr.take().expect("its messages"));
        let mut line = String::new();
        messages.read_line(&mut line).expect("a message");
        // The rest is read, so that the server does not wait for its messages.
        std::thread::spawn(move || std::io::copy(&mut messages, &mut std::io::sink()));
        let address = line.trim().strip_prefix("Serving HTTP on http://");
        let address = address.unwrap_or_else(|| panic!("no address: {line}"));
        Self {
            process,
            address: address.trim_end_matches('/').to_owned(),
        }
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn get(&self, target: &str, headers: &[(&str, &str)]) -> Response {
        self.send("GET", target, headers, b"")
    }

    pub fn post(&self, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        self.send("POST", target, headers, body)
    }

    pub fn send(
        &self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Response {
        let mut head = format!("{method} {target} HTTP/1.1\r\nconnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            head.push_str("host: localhost\r\n");
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() || method == "POST" {
            head.push_str(&format!("content-length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        self.exchange(&[head.as_bytes(), body].concat())
    }

    /// Posts a body without its length.
    pub fn chunked(&self, target: &str, body: &[u8]) -> Response {
        let mut request = format!(
            "POST {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n"
        )
        .into_bytes();
        for part in body.chunks(1 << 16) {
            request.extend_from_slice(format!("{:x}\r\n", part.len()).as_bytes());
            request.extend_from_slice(part);
            request.extend_from_slice(b"\r\n");
        }
        request.extend_from_slice(b"0\r\n\r\n");
        self.exchange(&request)
    }

    /// Sends bytes, and reads until the server closes the connection.
    fn exchange(&self, request: &[u8]) -> Response {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        stream
            .set_read_timeout(Some(Duration::from_mins(10)))
            .expect("a limit of time");
        // A server that refuses a body does not read all of it.
        let _ = stream.write_all(request);
        let mut received = Vec::new();
        let _ = stream.read_to_end(&mut received);
        let end = received.windows(4).position(|bytes| bytes == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no response: {received:?}"));
        let head = String::from_utf8_lossy(&received[..end]).into_owned();
        let body = received.split_off(end + 4);
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        let mut response = Response {
            status: status.expect("a status"),
            head,
            body,
        };
        if response.header("transfer-encoding") == Some("chunked") {
            response.body = joined(&response.body);
        }
        response
    }
}

/// The bytes of chunks.
fn joined(mut chunks: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    while let Some(end) = chunks.windows(2).position(|bytes| bytes == b"\r\n") {
        let size = std::str::from_utf8(&chunks[..end]).expect("a size");
        let size = usize::from_str_radix(size, 16).expect("a size");
        if size == 0 {
            break;
        }
        out.extend_from_slice(&chunks[end + 2..end + 2 + size]);
        chunks = &chunks[end + 2 + size + 2..];
    }
    out
}

pub struct Response {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

/// A server-sent event.
pub struct Event {
    pub name: String,
    pub id: Option<String>,
    pub data: Value,
}

impl Response {
    pub fn header(&self, name: &str) -> Option<&str> {
        let headers = self.head.lines().skip(1);
        let mut named = headers.filter_map(|line| line.split_once(": "));
        named
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("text")
    }

    pub fn json(&self) -> Value {
        let text = self.text();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    pub fn events(&self) -> Vec<Event> {
        let text = self.text();
        let blocks = text.split("\n\n").filter(|block| !block.is_empty());
        blocks
            .map(|block| {
                let field = |name: &str| {
                    let mut lines = block.lines();
                    lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
                };
                Event {
                    name: field("event").expect("a name").to_owned(),
                    id: field("id").map(str::to_owned),
                    data: serde_json::from_str(field("data").expect("data")).expect("JSON"),
                }
            })
            .collect()
    }
}
