//! What clients learn of the state of each other, and of the directory that has it: nothing.

use super::cli;
use super::http::{Http, Server};
use omniread_tests::process::{McpClient, Process};
use omniread_tests::{Cli, Workspace};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The field of `_meta` with the handle of a session.
const SESSION: &str = "omniread/session";

/// A text in a file that only one client reads, and that is gone afterwards.
const CANARY: &str = "CANARY-4711";

/// The paths by which a client may try to read the directory of the session, `state`.
fn paths(workspace: &Workspace) -> Vec<String> {
    let absolute = workspace.path().join("state/session.db");
    let mut paths = vec![absolute.display().to_string()];
    for path in [
        "state",
        "state/",
        "state/session.db",
        "state/session.db:raw",
        "state/session.db:handle",
        "state/session.db?q=SELECT name FROM handle",
        "state/session.db:?q=SELECT name FROM handle",
        "state/session.db-wal",
        "state/session.db-wal:raw",
        "state/*.db",
        "link/session.db",
        "sub/../state/session.db",
        "file.db",
        "docs://session.db",
        "docs://",
    ] {
        paths.push(path.to_owned());
    }
    paths
}

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let mut page = String::from("<html><body><h1>Page</h1>");
    for number in 0..3000 {
        let _ = write!(page, "<p>{CANARY} {number}</p>");
    }
    workspace
        .file("page.html", page)
        .file("secret.txt", format!("one\n{CANARY}\n"))
        .file("own.txt", "own\n")
        .file("sub/a.txt", "a\n")
        .directory("state")
        .link("link", "state")
        .link("file.db", "state/session.db");
    workspace
}

/// Nothing of a text is of another client.
fn assert_private(text: &str, other: &str, request: &str) {
    assert!(!text.contains(other), "{request}: {text}");
    assert!(!text.contains(CANARY), "{request}: {text}");
    assert!(!text.contains("SQLite format"), "{request}: {text}");
}

fn ask(http: &Http, connection: &str, method: &str, parameters: &Value) -> Value {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": parameters });
    http.post(&[("Mcp-Session-Id", connection)], &message.to_string())
        .message()
}

fn call(path: &str, session: &Value) -> Value {
    json!({ "name": "read", "arguments": { "path": path, "session": session } })
}

fn handle(response: &Value) -> String {
    let handle = response["result"]["_meta"][SESSION].as_str();
    handle.unwrap_or_else(|| panic!("{response}")).to_owned()
}

/// Two clients of a server whose session is in its root: no method leads one of them to the state of the other.
#[test]
fn no_method_leads_to_the_state_of_another_client() {
    let workspace = workspace();
    let server = Server::start(
        &workspace,
        &[
            "--session",
            "state",
            "--session-argument",
            "--mount",
            "docs=state",
            "--set",
            "repeat=on",
        ],
    );
    let (one, two) = (server.initialize(), server.initialize());
    let page = ask(
        &server,
        &one,
        "tools/call",
        &call("page.html:", &Value::Null),
    );
    let first = handle(&page);
    assert!(page.to_string().contains("artifact://"), "{page}");
    let read = ask(
        &server,
        &one,
        "tools/call",
        &call("secret.txt", &json!(first)),
    );
    assert!(read.to_string().contains(CANARY), "{read}");
    let artifact = ask(
        &server,
        &one,
        "tools/call",
        &call("artifact://0", &json!(first)),
    );
    assert!(artifact.to_string().contains(CANARY), "{artifact}");
    for name in ["page.html", "secret.txt"] {
        workspace.file(name, "other\n");
    }

    let own = ask(&server, &two, "tools/call", &call("own.txt", &Value::Null));
    let second = handle(&own);
    let mut wanted = paths(&workspace);
    for url in [
        "artifact://",
        "artifact://0",
        "artifact://0:1-5",
        "conflict://",
        "conflict://1",
    ] {
        wanted.push(url.to_owned());
    }
    wanted.push(".".to_owned());
    for session in [
        json!(second),
        json!("command-line"),
        json!("client:a"),
        Value::Null,
    ] {
        let with = |parameters: Value| {
            let mut parameters = parameters;
            if !session.is_null() {
                parameters["_meta"] = json!({ SESSION: session });
            }
            parameters
        };
        let mut answers = Vec::new();
        let mut request = |method: &str, parameters: Value| {
            let answer = ask(&server, &two, method, &with(parameters.clone()));
            answers.push((
                format!("{method} {parameters} {session}"),
                answer.to_string(),
            ));
        };
        for path in &wanted {
            request("tools/call", call(path, &session));
            for uri in [
                path.clone(),
                format!("file://{}/{path}", workspace.path().display()),
            ] {
                request("resources/read", json!({ "uri": uri }));
            }
            for question in ["snapshot", "changes"] {
                request(&format!("omniread/{question}"), json!({ "path": path }));
            }
        }
        for path in ["secret.txt", "page.html"] {
            for question in ["snapshot", "changes"] {
                request(&format!("omniread/{question}"), json!({ "path": path }));
            }
        }
        request("omniread/shown", json!({}));
        request("resources/list", json!({}));
        request("resources/templates/list", json!({}));
        for value in ["state/", "link/", "st", "state/session"] {
            let template = format!("file://{}/{{+path}}", workspace.path().display());
            let argument = json!({ "name": "path", "value": value });
            let reference = json!({ "type": "ref/resource", "uri": template });
            let parameters = json!({ "ref": reference, "argument": argument });
            request("completion/complete", parameters);
        }
        for (request, answer) in answers {
            assert_private(&answer, &first, &request);
            assert!(!answer.contains("session.db-wal\\n"), "{request}: {answer}");
            let is_completion =
                request.starts_with("completion") || request.contains("\"path\":\".\"");
            assert!(
                !is_completion || !answer.contains("session.db"),
                "{request}: {answer}"
            );
        }
    }
    // The state of the first client is still there.
    let again = ask(
        &server,
        &one,
        "tools/call",
        &call("artifact://0:1-5", &json!(first)),
    );
    assert!(again.to_string().contains(CANARY), "{again}");
}

/// The same for the command line and the service.
#[test]
fn directory_of_the_session_cannot_be_read() {
    let workspace = workspace();
    let cli = cli(&workspace);
    let options = ["--session", "state", "--mount", "docs=state"];
    let first = cli.run(&[&options[..], &["secret.txt"]].concat());
    assert!(first.stdout.contains(CANARY), "{}", first.stderr);
    assert!(
        first.stderr.contains("warning: the session in `state`"),
        "{}",
        first.stderr
    );
    let denied = "denied by the rule `the directory of the session`";
    let run = cli.run(&[&options[..], &["state/session.db"]].concat());
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains(denied), "{}", run.stderr);
    for path in paths(&workspace) {
        let run = cli.run(&[&options[..], &[&path]].concat());
        assert_ne!(run.code, Some(0), "{path}: {}", run.stdout);
        assert_private(&run.stdout, "command-line", &path);
        assert_private(&run.stderr, "command-line", &path);
    }
    let listed = cli.run(&[&options[..], &["."]].concat());
    assert!(!listed.stdout.contains("session.db"), "{}", listed.stdout);
    let mut service = Process::start(&cli, &[&options[..], &["serve"]].concat());
    for (id, path) in paths(&workspace).into_iter().enumerate() {
        service.send(&json!({ "id": id, "path": path }));
        let reply = service.reply(&json!(id));
        assert!(reply.get("blocks").is_none(), "{path}: {reply}");
        assert_private(&reply.to_string(), "command-line", &path);
    }
    // A directory outside of the root is as before.
    let outside = Workspace::new();
    let place = outside.path().join("state").display().to_string();
    assert_eq!(cli.run(&["--session", &place, "own.txt"]).stderr, "");
}

/// The files of a project are not mixed with a session.
#[test]
fn directory_with_files_is_not_one_of_a_session() {
    let workspace = workspace();
    let run = cli(&workspace).run(&["--session", ".", "own.txt"]);
    assert_eq!(run.code, Some(2), "{}", run.stdout);
    assert!(run.stderr.contains("it has other files"), "{}", run.stderr);
    assert!(!workspace.path().join("session.db").exists());
}

/// The text of a reply of the service.
fn served(cli: &Cli, place: &str, requests: &[Value]) -> Vec<String> {
    let options = ["serve", "--session", place, "--set", "repeat=on"];
    let mut service = Process::start(cli, &options);
    let mut texts = Vec::new();
    for (id, request) in requests.iter().enumerate() {
        let mut request = request.clone();
        request["id"] = id.into();
        service.send(&request);
        texts.push(
            service.reply(&json!(id))["blocks"][0]["text"]
                .as_str()
                .unwrap()
                .to_owned(),
        );
    }
    texts
}

/// The model of a new process has not seen what an earlier one has shown, unless the client names its session.
#[test]
fn new_process_of_the_service_is_a_new_conversation() {
    let workspace = workspace();
    let outside = Workspace::new();
    let place = outside.path().join("state").display().to_string();
    let cli = cli(&workspace);
    let plain = json!({ "path": "own.txt" });
    let named = |session: &str| json!({ "path": "own.txt", "session": session });
    let is_line = |text: &String| text.starts_with("[unchanged: ");
    let first = served(
        &cli,
        &place,
        &[
            plain.clone(),
            plain.clone(),
            named("command-line"),
            named("a"),
        ],
    );
    let lines: Vec<bool> = first.iter().map(is_line).collect();
    assert_eq!(lines, [false, true, false, false], "{first:?}");
    let second = served(
        &cli,
        &place,
        &[plain.clone(), plain, named("command-line"), named("a")],
    );
    let lines: Vec<bool> = second.iter().map(is_line).collect();
    assert_eq!(lines, [false, true, true, true], "{second:?}");
    // Clients of MCP have handles of the server only.
    let options = ["--session", place.as_str(), "--set", "repeat=on"];
    let mut client = McpClient::start(&cli, &options, "test", &json!({}));
    for name in ["a", "client:a", "command-line"] {
        let parameters = json!({
            "name": "read", "arguments": { "path": "own.txt" }, "_meta": { SESSION: name },
        });
        let answer = client.request("tools/call", &parameters);
        assert_eq!(answer["result"]["isError"], true, "{answer}");
    }
}

/// A client shows a resource to a person, or to a model later: it is whole, and not a part of the conversation.
#[test]
fn resources_are_whole_and_not_remembered_as_shown() {
    let workspace = workspace();
    let uri = format!("file://{}/own.txt", workspace.path().display());
    let resource = json!({ "uri": uri });
    let content = |answer: &Value| {
        let text = answer["result"]["contents"][0]["text"].as_str();
        text.unwrap_or_else(|| panic!("{answer}")).to_owned()
    };
    let mut client = McpClient::start(
        &cli(&workspace),
        &["--set", "repeat=on"],
        "test",
        &json!({}),
    );
    for _ in 0..2 {
        assert_eq!(content(&client.request("resources/read", &resource)), "own");
    }
    let shown = client.request("omniread/shown", &json!({}));
    assert_eq!(shown["result"]["files"], json!([]), "{shown}");
    let whole = client.read("own.txt");
    assert!(whole.to_string().contains("1:own"), "{whole}");
    workspace.file("own.txt", "new text\n");
    assert_eq!(
        content(&client.request("resources/read", &resource)),
        "new text"
    );
    // The model has not seen it, so that the change is one since its own read.
    let changes = client.request("omniread/changes", &json!({ "path": "own.txt" }));
    let hunks = &changes["result"]["changes"]["hunks"];
    assert_eq!(hunks[0]["old"], json!(["own"]), "{changes}");
    let changed = client.read("own.txt");
    assert!(
        changed
            .to_string()
            .contains("has changed since you have seen it"),
        "{changed}"
    );

    let server = Server::start(&workspace, &["--set", "repeat=on"]);
    let connection = server.initialize();
    for _ in 0..2 {
        let answer = ask(&server, &connection, "resources/read", &resource);
        assert_eq!(content(&answer), "new text");
    }
}

/// Every result and every error of a request that makes a handle names it.
#[test]
fn new_handle_is_in_every_result() {
    let workspace = workspace();
    let mut client = McpClient::start(&cli(&workspace), &[], "test", &json!({}));
    let uri = |name: &str| format!("file://{}/{name}", workspace.path().display());
    for (method, parameters) in [
        (
            "tools/call",
            json!({ "name": "read", "arguments": { "path": "own.txt" } }),
        ),
        (
            "tools/call",
            json!({ "name": "read", "arguments": { "path": "missing" } }),
        ),
        ("resources/read", json!({ "uri": uri("own.txt") })),
        ("resources/read", json!({ "uri": uri("missing") })),
        ("omniread/shown", json!({})),
        ("omniread/changes", json!({ "path": "own.txt" })),
        ("omniread/changes", json!({ "path": "../x" })),
        ("omniread/changes", json!({})),
    ] {
        let mut parameters = parameters;
        parameters["_meta"] = json!({ SESSION: "new" });
        let answer = client.request(method, &parameters);
        let meta = match answer.get("result") {
            Some(result) => &result["_meta"],
            None => &answer["error"]["data"]["_meta"],
        };
        let handle = meta[SESSION].as_str().unwrap_or_default().to_owned();
        assert!(handle.starts_with("s-"), "{method} {parameters}: {answer}");
        let known = json!({ "_meta": { SESSION: handle } });
        let shown = client.request("omniread/shown", &known);
        assert_eq!(shown["result"]["_meta"][SESSION], json!(handle), "{shown}");
    }
}

#[test]
fn bytes_that_are_no_text_are_recorded_as_written() {
    let workspace = workspace();
    workspace.file("data.bin", b"\xff\x00\xfe");
    let mut client = McpClient::start(&cli(&workspace), &[], "test", &json!({}));
    let written = json!({ "path": "data.bin", "content_base64": "/wD+" });
    let answer = client.request("omniread/record_write", &written);
    assert_eq!(answer["result"], json!({ "recorded": true }), "{answer}");
    let state = client.request("omniread/changes", &json!({ "path": "data.bin" }));
    assert_eq!(state["result"]["changes"]["state"], "same", "{state}");
    for (fields, message) in [
        (
            json!({ "content": "a", "content_base64": "YQ==" }),
            "exclude each other",
        ),
        (json!({ "content_base64": "?" }), "is not base64"),
        (json!({ "content_base64": 5 }), "is not a string"),
        (json!({}), "needs the field `content`, or `content_base64`"),
    ] {
        let mut parameters = fields;
        parameters["path"] = "data.bin".into();
        let answer = client.request("omniread/record_write", &parameters);
        let said = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(said.contains(message), "{answer}");
    }
}
