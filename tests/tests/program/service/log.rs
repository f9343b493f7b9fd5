//! `omniread mcp --log`.

use super::http::{Server, initialize};
use super::{ENDLESS, cli, endless};
use omniread_tests::Workspace;
use omniread_tests::process::{McpClient, Process};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The lines of a log.
fn lines(workspace: &Workspace) -> Vec<Value> {
    let text = std::fs::read_to_string(workspace.path().join("log.jsonl")).unwrap();
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().unwrap()
}

#[test]
fn each_request_has_a_line() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n").directory("work");
    let arguments = ["--log", "log.jsonl"];
    let mut client = McpClient::start(&cli(&workspace), &arguments, "test", &json!({}));
    client.request("tools/list", &json!({}));
    // The second call takes another way through the server.
    for _ in 0..2 {
        client.read("a.txt");
        client.read("missing");
    }
    client.request("no/method", &json!({}));
    let long = json!({ "name": "read", "arguments": { "path": "x".repeat(9000) } });
    client.request("tools/call", &long);
    client.process.write(b"nonsense\n");
    let (status, _) = client.process.end();
    assert!(status.success());
    let lines = lines(&workspace);
    let events: Vec<&str> = lines
        .iter()
        .map(|line| line["event"].as_str().unwrap())
        .collect();
    assert_eq!(events.first(), Some(&"start"));
    assert_eq!(events.last(), Some(&"stop"));
    assert_eq!(lines.last().unwrap()["reason"], "end_of_input");
    assert_eq!(
        events.iter().filter(|event| **event == "refused").count(),
        1
    );
    let requests: Vec<&Value> = lines
        .iter()
        .filter(|line| line["event"] == "request")
        .collect();
    let mut found: Vec<(String, String)> = requests
        .iter()
        .map(|line| {
            for field in ["process", "milliseconds"] {
                assert!(line[field].is_number(), "{line}");
            }
            assert_eq!(line["session"], 1, "{line}");
            assert_eq!(line["client"], "test 1", "{line}");
            let time = line["time"].as_str().unwrap();
            assert!(time.ends_with('Z') && time.len() == 24, "{time}");
            let text = |field: &str| line[field].as_str().unwrap().to_owned();
            (text("method"), text("outcome"))
        })
        .collect();
    found.sort();
    let pairs = [
        ("initialize", "ok"),
        ("no/method", "error"),
        ("tools/call", "failed"),
        ("tools/call", "failed"),
        ("tools/call", "failed"),
        ("tools/call", "ok"),
        ("tools/call", "ok"),
        ("tools/list", "ok"),
    ];
    assert_eq!(
        found,
        pairs.map(|(method, outcome)| (method.to_owned(), outcome.to_owned()))
    );
    let reads = requests
        .iter()
        .filter(|line| line["arguments"]["path"] == "a.txt");
    let bytes: Vec<&Value> = reads.map(|line| &line["bytes"]).collect();
    assert_eq!(bytes.len(), 2);
    assert!(
        bytes[0].as_u64().unwrap() > 20 && bytes[0] == bytes[1],
        "{bytes:?}"
    );
    // Long arguments are not logged.
    let long = requests
        .iter()
        .find(|line| line["argument_bytes"].is_number());
    assert!(long.unwrap().get("arguments").is_none());
}

#[test]
fn cancelled_call_has_a_line() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    endless(&workspace);
    let arguments = ["--timeout", "0", "--log", "log.jsonl"];
    let mut client = McpClient::start(&cli(&workspace), &arguments, "test", &json!({}));
    let call = json!({ "name": "read", "arguments": { "path": ENDLESS } });
    for _ in 0..2 {
        let id = client.send("tools/call", &call);
        client.notify("notifications/cancelled", &json!({ "requestId": id }));
        client.read("a.txt");
    }
    // The client does not learn when a cancelled read has ended.
    let began = Instant::now();
    let cancelled = || {
        let lines = lines(&workspace).into_iter();
        lines.filter(|line| line["outcome"] == "cancelled").count()
    };
    while cancelled() < 2 {
        assert!(began.elapsed() < Duration::from_mins(2), "no line");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(client.process.end().0.success());
    assert_eq!(cancelled(), 2);
}

/// Standard output has the messages of the protocol.
#[test]
fn log_on_standard_error_does_not_disturb_the_protocol() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    let mut client = McpClient::start(&cli(&workspace), &["--log", "-"], "test", &json!({}));
    client.read("a.txt");
    let first: Value = serde_json::from_str(&client.process.errors.recv().unwrap()).unwrap();
    assert_eq!(first["event"], "start");
    assert_eq!(first["transport"], "stdio");
}

/// A parent may never read standard error. Lines that do not fit into the pipe are left out.
#[test]
#[cfg(unix)]
fn log_that_nobody_reads_stops_no_request() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    let (reader, writer) = std::io::pipe().unwrap();
    let process = Process::with_errors(&cli(&workspace), &["mcp", "--log", "-"], writer);
    let mut client = McpClient::of(process, "test", &json!({}));
    let path = format!("{}a.txt", "./".repeat(1500));
    // A pipe takes 64 KiB, and the log keeps 1 MiB.
    for _ in 0..500 {
        assert_eq!(client.read(&path)["isError"], false);
    }
    super::mcp::terminate(&client.process);
    assert!(client.process.wait().success());
    drop(reader);
}

#[test]
fn log_that_cannot_be_opened_is_reported() {
    let workspace = Workspace::new();
    let run = cli(&workspace).run(&["mcp", "--log", "missing/log.jsonl"]);
    assert_eq!(run.code, Some(2));
    let message = "omniread: cannot open the log `missing/log.jsonl`: ";
    assert!(run.stderr.starts_with(message), "{}", run.stderr);
}

#[test]
#[cfg(unix)]
fn log_is_for_its_owner() {
    use std::os::unix::fs::PermissionsExt as _;
    let workspace = Workspace::new();
    let process = Process::start(&cli(&workspace), &["mcp", "--log", "log.jsonl"]);
    process.end();
    let log = std::fs::metadata(workspace.path().join("log.jsonl")).unwrap();
    assert_eq!(log.permissions().mode() & 0o777, 0o600);
}

#[test]
#[cfg(unix)]
fn requests_and_refusals_over_http_have_lines() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    let mut server = Server::start(&workspace, &["--log", "log.jsonl"]);
    let session = server.initialize();
    server.call(&session, "a.txt").message();
    let wrong = ("Authorization", "Bearer 0123456789abcdef0124");
    server.post(&[wrong], &initialize());
    server.post(&[("Host", "evil.example")], &initialize());
    server.post(&[("Origin", "http://evil.example")], &initialize());
    server.call("no-such-session", "a.txt");
    super::mcp::terminate(&server.process);
    assert!(server.process.wait().success());
    let lines = lines(&workspace);
    let of = |event: &str| {
        let lines = lines.iter().filter(|line| line["event"] == event);
        lines.cloned().collect::<Vec<_>>()
    };
    let calls: Vec<Value> = of("request");
    assert_eq!(calls.len(), 2, "{calls:?}");
    assert_eq!(calls[1]["arguments"]["path"], "a.txt");
    assert_eq!(calls[1]["client"], "test 1");
    assert_eq!(calls[0]["session"], calls[1]["session"]);
    let refused = of("refused");
    let reasons: Vec<&Value> = refused.iter().map(|line| &line["reason"]).collect();
    assert_eq!(reasons, ["token", "host", "origin", "session_or_method"]);
    assert_eq!(refused[0]["status"], 401);
    assert!(
        refused[0]["remote"]
            .as_str()
            .unwrap()
            .starts_with("127.0.0.1:")
    );
    let all = json!(lines).to_string();
    assert!(!all.contains("0123456789abcdef"), "no token is logged");
    assert_eq!(of("stop")[0]["reason"], "signal");
}
