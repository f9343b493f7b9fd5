//! `omniread serve`: JSON lines over standard input and output.

use super::{ENDLESS, cli, endless};
use omniread_tests::process::Process;
use omniread_tests::{Cli, Workspace};
use serde_json::{Value, json};

fn start(workspace: &Workspace) -> Process {
    Process::start(&cli(workspace), &["serve"])
}

fn kind(reply: &Value) -> &str {
    reply["error"]["kind"].as_str().unwrap_or_default()
}

#[test]
fn request_has_the_reply_of_the_command_line() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\ntwo\n");
    let mut service = start(&workspace);
    let cli: Cli = cli(&workspace);
    for (request, arguments) in [
        (json!({ "path": "a.txt:2" }), vec!["--json", "a.txt:2"]),
        (json!({ "path": "missing" }), vec!["--json", "missing"]),
        (
            json!({ "path": "a.txt", "dialect": "claude" }),
            vec!["--json", "--dialect", "claude", "a.txt"],
        ),
        (
            json!({ "dialect": "claude", "arguments": { "file_path": "a.txt", "limit": 1 } }),
            vec![
                "--json",
                "call",
                "claude",
                r#"{"file_path": "a.txt", "limit": 1}"#,
            ],
        ),
        (
            json!({ "path": "a.txt", "options": { "hashlines": false, "limit": 1 } }),
            vec![
                "--json",
                "--set",
                "hashlines=off",
                "--set",
                "limit=1",
                "a.txt",
            ],
        ),
    ] {
        let mut request = request;
        request["id"] = json!("x");
        service.send(&request);
        let mut reply = service.receive().unwrap();
        assert_eq!(
            reply.as_object_mut().unwrap().remove("id"),
            Some(json!("x"))
        );
        let printed: Value = serde_json::from_str(&cli.run(&arguments).stdout).unwrap();
        assert_eq!(reply, printed, "{request}");
    }
    let (status, rest) = service.end();
    assert!(status.success() && rest.is_empty(), "{rest:?}");
}

#[test]
fn every_request_has_one_reply_with_its_id() {
    let workspace = Workspace::new();
    for number in 0..50 {
        workspace.file(&format!("{number}.txt"), format!("content {number}\n"));
    }
    let mut service = start(&workspace);
    for number in 0..2000 {
        let path = format!("{}.txt", number % 50);
        service.send(&json!({ "id": number, "path": path }));
    }
    let (status, replies) = service.end();
    assert!(status.success());
    let mut seen = vec![false; 2000];
    for reply in &replies {
        let id = usize::try_from(reply["id"].as_u64().unwrap()).unwrap();
        assert!(!std::mem::replace(&mut seen[id], true), "{id} twice");
        let text = reply["blocks"][0]["text"].as_str().unwrap();
        assert!(text.ends_with(&format!("1:content {}", id % 50)), "{text}");
    }
    assert_eq!(replies.len(), 2000);
}

#[test]
fn wrong_lines_have_replies_and_are_not_fatal() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    let mut service = start(&workspace);
    let long = format!("{{\"id\":1,\"path\":\"{}\"}}\n", "x".repeat(1 << 20));
    let digits = format!("{{\"id\":{},\"path\":\"a.txt\"}}\n", "9".repeat(400));
    for (line, id, message) in [
        ("nonsense\n", Value::Null, "is not JSON"),
        ("[1]\n", Value::Null, "is not a JSON object"),
        ("{\"id\":1\n", Value::Null, "is not JSON"),
        ("{\"path\":\"a.txt\"}\n", Value::Null, "has no `id`"),
        (
            "{\"id\":{},\"path\":\"a.txt\"}\n",
            Value::Null,
            "`id` is not",
        ),
        (
            "{\"id\":1.5,\"path\":\"a.txt\"}\n",
            Value::Null,
            "`id` is not",
        ),
        (&digits, Value::Null, "is not JSON"),
        ("{\"id\":1}\n", json!(1), "no `path` and no `arguments`"),
        (
            "{\"id\":1,\"path\":2}\n",
            json!(1),
            "`path` is not a string",
        ),
        (
            "{\"id\":1,\"path\":\"a\",\"arguments\":{}}\n",
            json!(1),
            "exclude each other",
        ),
        (
            "{\"id\":1,\"arguments\":[]}\n",
            json!(1),
            "`arguments` is not an object",
        ),
        (
            "{\"id\":1,\"path\":\"a\",\"dialect\":\"x\"}\n",
            json!(1),
            "is not a dialect",
        ),
        (
            "{\"id\":1,\"path\":\"a\",\"options\":{\"x\":1}}\n",
            json!(1),
            "no option `x`",
        ),
        (
            "{\"id\":1,\"path\":\"a\",\"options\":[]}\n",
            json!(1),
            "`options` is not",
        ),
        (
            "{\"id\":1,\"path\":\"a\",\"pth\":1}\n",
            json!(1),
            "`pth` is not a field",
        ),
        ("{\"cancel\":7}\n", json!(7), "no request with this `id`"),
        ("{\"cancel\":7,\"id\":1}\n", json!(7), "`id` is not a field"),
        (
            "{\"id\":\"\u{e9}\",\"path\":3}\n",
            json!("\u{e9}"),
            "`path` is not a string",
        ),
        (&long, Value::Null, "is longer than 1048576 bytes"),
    ] {
        service.write(line.as_bytes());
        let reply = service.receive().unwrap();
        let shown: String = line.chars().take(60).collect();
        assert_eq!(reply["id"], id, "{shown}: {reply}");
        assert_eq!(kind(&reply), "invalid_request", "{shown}: {reply}");
        let found = reply["error"]["message"].as_str().unwrap();
        assert!(found.contains(message), "{shown}: {found}");
    }
    service.write(b"\xff\xfe\n\n   \n");
    assert_eq!(kind(&service.receive().unwrap()), "invalid_request");
    // The last line needs no line feed.
    service.write(b"{\"id\":\"last\",\"path\":\"a.txt\"}");
    let (status, rest) = service.end();
    assert!(status.success());
    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0]["id"], "last");
}

#[test]
fn requests_are_cancelled_by_id() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    endless(&workspace);
    let mut service = Process::start(&cli(&workspace), &["--timeout", "0", "serve"]);
    for id in 0..1000 {
        service.send(&json!({ "id": id, "path": ENDLESS }));
    }
    // Reads that take long do not delay short ones.
    service.send(&json!({ "id": "short", "path": "a.txt" }));
    for id in 0..1000 {
        service.send(&json!({ "cancel": id }));
    }
    let (status, replies) = service.end();
    assert!(status.success());
    assert_eq!(replies.len(), 1001);
    for reply in &replies {
        match reply["id"].as_str() {
            Some("short") => assert!(reply.get("blocks").is_some(), "{reply}"),
            _ => assert_eq!(kind(reply), "cancelled", "{reply}"),
        }
    }
}

/// A short read is answered while a long one runs, although the thread of the long one was idle
/// when both arrived.
#[test]
fn long_read_does_not_delay_a_short_one() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    endless(&workspace);
    let mut service = Process::start(&cli(&workspace), &["--timeout", "0", "serve"]);
    for round in 0..20 {
        service.send(&json!({ "id": "first", "path": "a.txt" }));
        service.reply(&json!("first"));
        service.send(&json!({ "id": round, "path": ENDLESS }));
        service.send(&json!({ "id": "short", "path": "a.txt" }));
        let reply = service.reply(&json!("short"));
        assert!(reply.get("blocks").is_some(), "{reply}");
        service.send(&json!({ "cancel": round }));
        assert_eq!(kind(&service.reply(&json!(round))), "cancelled");
    }
}

/// A request that comes alone after a short one runs on the thread that received it. It has a reply, also if the input
/// or the process ends meanwhile.
#[test]
fn read_that_runs_when_the_input_or_the_process_ends_has_a_reply() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    endless(&workspace);
    for ends_by_signal in [false, true] {
        if ends_by_signal && cfg!(not(unix)) {
            continue;
        }
        let mut service = Process::start(&cli(&workspace), &["--timeout", "0.3", "serve"]);
        for id in 0..3 {
            service.send(&json!({ "id": id, "path": "a.txt" }));
            service.reply(&json!(id));
        }
        service.send(&json!({ "id": "long", "path": ENDLESS }));
        if ends_by_signal {
            // When this request has a reply, the one before it has been accepted.
            service.send(&json!({ "id": "ready", "path": "a.txt" }));
            service.reply(&json!("ready"));
            #[cfg(unix)]
            super::mcp::terminate(&service);
        }
        let (status, replies) = service.end();
        assert!(status.success());
        assert_eq!(replies.len(), 1, "{replies:?}");
        assert_eq!(replies[0]["id"], "long");
        assert_eq!(kind(&replies[0]), "limit");
    }
}

#[test]
fn unreadable_input_is_an_error() {
    let workspace = Workspace::new();
    let mut command = cli(&workspace).command();
    let directory = std::fs::File::open(workspace.path()).unwrap();
    let output = command.arg("serve").stdin(directory).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("cannot read standard input"), "{message}");
}

#[test]
fn id_of_a_running_request_is_refused() {
    let workspace = Workspace::new();
    endless(&workspace);
    let mut service = Process::start(&cli(&workspace), &["--timeout", "0", "serve"]);
    service.send(&json!({ "id": 1, "path": ENDLESS }));
    service.send(&json!({ "id": 1, "path": ENDLESS }));
    let reply = service.receive().unwrap();
    assert_eq!(kind(&reply), "invalid_request", "{reply}");
    service.send(&json!({ "cancel": 1 }));
    assert_eq!(kind(&service.reply(&json!(1))), "cancelled");
    // The id is free again.
    service.send(&json!({ "id": 1, "path": "missing" }));
    assert_eq!(kind(&service.reply(&json!(1))), "not_found");
}

/// `SIGTERM` ends the process after the running requests. Requests that wait are cancelled.
#[test]
#[cfg(unix)]
fn termination_lets_running_requests_finish() {
    let workspace = Workspace::new();
    endless(&workspace);
    let mut service = Process::start(&cli(&workspace), &["--timeout", "0.1", "serve"]);
    for id in 0..100 {
        service.send(&json!({ "id": id, "path": ENDLESS }));
    }
    // When this request has a reply, the others have been accepted.
    service.send(&json!({ "id": "ready", "path": "missing" }));
    let mut kinds = Vec::new();
    loop {
        let reply = service.receive().unwrap();
        if reply["id"] == "ready" {
            break;
        }
        kinds.push(kind(&reply).to_owned());
    }
    super::mcp::terminate(&service);
    while let Some(reply) = service.receive() {
        kinds.push(kind(&reply).to_owned());
    }
    assert!(service.wait().success());
    assert_eq!(kinds.len(), 100);
    assert!(
        kinds
            .iter()
            .all(|kind| ["limit", "cancelled"].contains(&kind.as_str()))
    );
    assert!(
        kinds.iter().any(|kind| kind == "limit"),
        "some were running"
    );
}
