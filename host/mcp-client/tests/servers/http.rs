//! Servers over streamable HTTP.

use crate::common::{open, servers, text, within};
use ::http::{HeaderName, HeaderValue};
use omniread_mcp_client::{Failure, Reach, Server, limits};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// A request, as far as the tests look at it.
struct Request {
    method: String,
    headers: String,
    body: String,
}

impl Request {
    /// The id of the JSON-RPC request.
    fn id(&self) -> String {
        let rest = self.body.split_once("\"id\":").map_or("", |(_, rest)| rest);
        rest.chars().take_while(char::is_ascii_digit).collect()
    }

    fn is(&self, method: &str) -> bool {
        self.body.contains(&format!("\"method\":\"{method}\""))
    }
}

type Answers = dyn Fn(&Request) -> Option<String> + Send + Sync;

/// Starts a server, and returns its address. `answers` has the answers that differ from those of a server with
/// no resources.
fn serve(answers: impl Fn(&Request) -> Option<String> + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let answers: Arc<Answers> = Arc::new(answers);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let answers = Arc::clone(&answers);
            thread::spawn(move || converse(stream.unwrap(), &*answers));
        }
    });
    format!("http://{address}/mcp")
}

fn converse(mut stream: TcpStream, answers: &Answers) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    while let Some(request) = receive(&mut reader) {
        let answer = answers(&request).unwrap_or_else(|| usual(&request));
        if stream.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

fn receive(reader: &mut impl BufRead) -> Option<Request> {
    let mut headers = String::new();
    while !headers.ends_with("\r\n\r\n") {
        if reader.read_line(&mut headers).ok()? == 0 {
            return None;
        }
    }
    let lower = headers.to_lowercase();
    let length = lower.split_once("content-length: ").map(|(_, rest)| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap()
    });
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    Some(Request {
        method: headers.split(' ').next().unwrap().to_owned(),
        headers: lower,
        body: String::from_utf8(body).unwrap(),
    })
}

fn respond(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n{headers}\r\n{body}")
}

fn json(request: &Request, result: &str) -> String {
    let id = request.id();
    let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#);
    respond("200 OK", "content-type: application/json\r\n", &body)
}

fn events(events: &str) -> String {
    respond("200 OK", "content-type: text/event-stream\r\n", events)
}

fn usual(request: &Request) -> String {
    if request.is("initialize") {
        return json(
            request,
            r#"{"protocolVersion":"2025-06-18","capabilities":{"resources":{}},"serverInfo":{"name":"s","version":"1"}}"#,
        );
    }
    if request.is("resources/list") {
        return json(request, r#"{"resources":[{"uri":"a:b"}]}"#);
    }
    if request.is("resources/templates/list") {
        return json(request, r#"{"resourceTemplates":[]}"#);
    }
    if request.method != "POST" {
        return respond("405 Method Not Allowed", "", "");
    }
    respond("202 Accepted", "", "")
}

fn server(uri: &str) -> Server {
    let reach = Reach::Http {
        uri: uri.parse().unwrap(),
        headers: vec![(
            HeaderName::from_static("x-key"),
            HeaderValue::from_static("Bearer secret-token"),
        )],
    };
    Server::new("web", reach)
}

#[test]
fn answers_are_json_or_events() {
    let seen = Arc::new(Mutex::new(String::new()));
    let log = Arc::clone(&seen);
    let uri = serve(move |request| {
        log.lock().unwrap().push_str(&request.headers);
        if !request.is("resources/read") {
            return None;
        }
        let id = request.id();
        Some(events(&format!(
            "event: message\ndata: {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{{\"level\":\"info\",\"data\":1}}}}\n\n\
             data: {{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"contents\":[{{\"uri\":\"a:b\",\"text\":\"read\"}}]}}}}\n\n"
        )))
    });
    let servers = servers(vec![server(&uri)]);
    assert_eq!(text(&servers, "mcp://web"), "mcp://web/a:b\n");
    assert_eq!(text(&servers, "mcp://web/a:b"), "read");
    let seen = seen.lock().unwrap();
    let posts = seen.matches("post /mcp ").count();
    assert!(posts >= 4, "{seen}");
    assert_eq!(
        seen.matches("x-key: bearer secret-token").count(),
        seen.matches("host: 127.0.0.1:").count()
    );
    assert!(seen.contains("mcp-protocol-version: 2025-06-18"), "{seen}");
}

#[test]
fn redirects_are_not_followed() {
    let reached = Arc::new(Mutex::new(0));
    let count = Arc::clone(&reached);
    let other = serve(move |_| {
        *count.lock().unwrap() += 1;
        None
    });
    let uri = serve(move |_| {
        Some(respond(
            "307 Temporary Redirect",
            &format!("location: {other}\r\n"),
            "",
        ))
    });
    let failure = open(&servers(vec![server(&uri)]), "mcp://web").unwrap_err();
    assert!(
        failure.to_string().contains("redirects are not followed"),
        "{failure}"
    );
    assert_eq!(*reached.lock().unwrap(), 0);
}

#[test]
fn refusals_are_failures() {
    for (response, words) in [
        (respond("401 Unauthorized", "", ""), "needs a token"),
        (
            respond("403 Forbidden", "", "no <b>access</b>"),
            "no <b>access</b>",
        ),
        (
            respond("403 Forbidden", "", "wrong: secret-token"),
            "wrong: (hidden)",
        ),
        (
            respond(
                "400 Bad Request",
                "content-type: application/json\r\n",
                r#"{"jsonrpc":"2.0","id":0,"error":{"code":1,"message":"wrong: secret-token"}}"#,
            ),
            "wrong: (hidden)",
        ),
        (respond("404 Not Found", "", ""), "404"),
        (respond("500 Internal Server Error", "", ""), "500"),
        (
            respond("200 OK", "content-type: text/html\r\n", "<html>"),
            "text/html",
        ),
        (
            respond("200 OK", "content-type: application/json\r\n", "<html>"),
            "not a message",
        ),
        (
            respond("200 OK", "content-type: application/json\r\n", "{}"),
            "not a message",
        ),
    ] {
        let uri = serve(move |_| Some(response.clone()));
        let servers = servers(vec![within(server(&uri), 5000, 5000)]);
        let failure = open(&servers, "mcp://web").unwrap_err().to_string();
        assert!(failure.contains(words), "{words}: {failure}");
        assert!(!failure.contains("secret"), "{failure}");
    }
}

#[test]
fn refusal_during_a_request_is_a_failure() {
    let uri = serve(|request| {
        request
            .is("resources/read")
            .then(|| respond("503 Service Unavailable", "", ""))
    });
    let servers = servers(vec![within(server(&uri), 5000, 5000)]);
    let failure = open(&servers, "mcp://web/a:b").unwrap_err().to_string();
    assert!(failure.contains("503"), "{failure}");
    // The connection is of use for the next read.
    assert_eq!(text(&servers, "mcp://web"), "mcp://web/a:b\n");
}

#[test]
fn server_that_does_not_respond_is_late() {
    let uri = serve(|request| {
        if request.is("resources/read") {
            thread::park();
        }
        None
    });
    let servers = servers(vec![within(server(&uri), 5000, 300)]);
    let failure = open(&servers, "mcp://web/a:b").unwrap_err();
    assert!(matches!(failure, Failure::Late { .. }), "{failure}");

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let uri = format!("http://{}/", listener.local_addr().unwrap());
    let silent = crate::common::servers(vec![within(server(&uri), 300, 300)]);
    let failure = open(&silent, "mcp://web").unwrap_err();
    assert!(matches!(failure, Failure::Late { .. }), "{failure}");
}

#[test]
fn closed_port_is_a_failure() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let uri = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let failure = open(&servers(vec![server(&uri)]), "mcp://web").unwrap_err();
    assert!(failure.to_string().contains("refused"), "{failure}");
}

#[test]
fn event_that_does_not_end_is_a_failure() {
    let uri = serve(|request| {
        request.is("resources/read").then(|| {
            let data = "a".repeat(41 << 20);
            events(&format!("data: {data}"))
        })
    });
    let servers = servers(vec![within(server(&uri), 5000, 20_000)]);
    let failure = open(&servers, "mcp://web/a:b").unwrap_err().to_string();
    assert!(failure.contains("message of more than 40 MiB"), "{failure}");
}

/// Its deadline is that of the default, which is not waited for.
#[test]
fn answer_with_too_many_values_is_a_failure() {
    for is_event in [false, true] {
        let uri = serve(move |request| {
            let result = format!(r#"{{"contents":[0{}]}}"#, ",0".repeat(limits::VALUES));
            request.is("resources/read").then(|| {
                if !is_event {
                    return json(request, &result);
                }
                let id = request.id();
                events(&format!(
                    ": \"\ndata: {{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}\n\n"
                ))
            })
        });
        let servers = servers(vec![within(server(&uri), 5000, 600_000)]);
        let failure = open(&servers, "mcp://web/a:b").unwrap_err().to_string();
        assert!(failure.contains("more than 1000000 values"), "{failure}");
    }
}

#[test]
fn stream_of_events_that_ends_at_once_is_not_opened_for_ever() {
    let opened = Arc::new(Mutex::new(0_u32));
    let count = Arc::clone(&opened);
    let uri = serve(move |request| {
        if request.is("initialize") {
            // Without a session, a client opens no stream.
            let answer = usual(request);
            return Some(answer.replacen("\r\n", "\r\nmcp-session-id: 1\r\n", 1));
        }
        (request.method == "GET").then(|| {
            *count.lock().unwrap() += 1;
            events("id: 1\nretry: 0\ndata:\n\n")
        })
    });
    let servers = servers(vec![server(&uri)]);
    assert_eq!(text(&servers, "mcp://web"), "mcp://web/a:b\n");
    let streams = || *opened.lock().unwrap();
    while streams() < limits::STREAMS {
        thread::sleep(Duration::from_millis(10));
    }
    thread::sleep(Duration::from_millis(300));
    assert_eq!(streams(), limits::STREAMS);
    assert_eq!(text(&servers, "mcp://web"), "mcp://web/a:b\n");
}
