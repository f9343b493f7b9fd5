//! What clients of `omniread serve` and `omniread mcp` know of earlier reads: sessions, generations, questions.

use super::cli;
use super::http::Server;
use omniread_tests::Workspace;
use omniread_tests::process::{McpClient, Process};
use serde_json::{Value, json};
use std::fs;

/// The field of `_meta` with the handle of a session.
const SESSION: &str = "omniread/session";
/// The field of `_meta` with the name of a generation.
const GENERATION: &str = "omniread/generation";

/// The beginning of a line in place of a reply that was shown before.
const UNCHANGED: &str = "[unchanged: ";

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\ntwo\nthree\n");
    workspace
}

/// The text of the result of a call, or of the reply of the service.
fn text(result: &Value) -> &str {
    let blocks = result.get("content").or_else(|| result.get("blocks"));
    blocks
        .and_then(|blocks| blocks[0]["text"].as_str())
        .unwrap_or_else(|| panic!("{result}"))
}

fn is_line(result: &Value) -> bool {
    text(result).starts_with(UNCHANGED)
}

/// The parameters of a call of the tool.
fn call(path: &str, meta: &Value) -> Value {
    json!({ "name": "read", "arguments": { "path": path }, "_meta": meta })
}

/// The meta of a client of version 2026-07-28, with more fields.
fn described(more: &Value) -> Value {
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        meta[name] = value.clone();
    }
    meta
}

fn client(workspace: &Workspace, arguments: &[&str]) -> McpClient {
    let mut all = vec!["--set", "repeat=on"];
    all.extend(arguments);
    McpClient::start(&cli(workspace), &all, "test", &json!({}))
}

fn result(client: &mut McpClient, path: &str, meta: &Value) -> Value {
    let response = client.request("tools/call", &call(path, meta));
    response
        .get("result")
        .unwrap_or_else(|| panic!("{response}"))
        .clone()
}

fn handle(result: &Value) -> String {
    let handle = result["_meta"][SESSION].as_str();
    handle.unwrap_or_else(|| panic!("{result}")).to_owned()
}

/// A conversation: the second read of a file is one line, the edit of another program is reported with its lines,
/// and a new generation shows the file again.
#[test]
fn conversation_over_mcp_shows_each_reply_once() {
    let workspace = workspace();
    let mut client = client(&workspace, &[]);
    let in_generation = |name: &str| json!({ GENERATION: name });
    let first = result(&mut client, "a.txt", &in_generation("1"));
    assert!(text(&first).contains("2:two"), "{first}");
    for _ in 0..3 {
        assert!(is_line(&result(&mut client, "a.txt", &in_generation("1"))));
    }
    workspace.file("a.txt", "one\nTWO\nthree\nfour\n");
    let changed = result(&mut client, "a.txt", &in_generation("1"));
    let note = "the file has changed since you have seen it: line 2, line 4 new";
    assert!(text(&changed).contains(note), "{changed}");
    assert!(text(&changed).contains("2:TWO"), "{changed}");
    assert!(is_line(&result(&mut client, "a.txt", &in_generation("1"))));
    let again = result(&mut client, "a.txt", &in_generation("2"));
    assert!(
        text(&again).contains("2:TWO") && !text(&again).contains(note),
        "{again}"
    );
    assert!(is_line(&result(&mut client, "a.txt", &in_generation("2"))));
    // A client that goes back to an earlier name has compacted too.
    assert!(!is_line(&result(&mut client, "a.txt", &in_generation("1"))));
    assert!(!is_line(&result(
        &mut client,
        "a.txt:fresh",
        &in_generation("1")
    )));
}

#[test]
fn handles_over_standard_input_have_state_of_their_own() {
    let workspace = workspace();
    let mut client = client(&workspace, &[]);
    for meta in [described(&json!({})), json!({})] {
        let with = |handle: &str| {
            let mut meta = meta.clone();
            meta[SESSION] = handle.into();
            meta
        };
        let new = result(&mut client, "a.txt", &with("new"));
        let first = handle(&new);
        assert!(!is_line(&new));
        let second = handle(&result(&mut client, "a.txt", &with("new")));
        assert_ne!(first, second);
        for handle in [&first, &second] {
            let next = result(&mut client, "a.txt", &with(handle));
            assert!(is_line(&next), "{next}");
            assert_eq!(&self::handle(&next), handle);
        }
        // An edit of one of two agents: the other one gets it whole.
        let question = json!({ "_meta": with(&first), "path": "a.txt" });
        let answer = client.request("omniread/changes", &question);
        assert_eq!(answer["result"]["changes"]["state"], "same", "{answer}");
        for wrong in [
            "s-0123456789abcdef0123456789abcdef",
            "command-line",
            "",
            "\u{e9}",
        ] {
            let refused = result(&mut client, "a.txt", &with(wrong));
            assert_eq!(refused["isError"], true, "{wrong}: {refused}");
            assert!(text(&refused).contains("`new`"), "{refused}");
        }
    }
    // The session of the connection has seen nothing of this.
    let own = client.read("a.txt");
    assert!(!is_line(&own) && own.get("_meta").is_none(), "{own}");
    assert!(is_line(&client.read("a.txt")));
}

#[test]
fn handles_over_http_have_state_without_a_session_of_the_protocol() {
    let workspace = workspace();
    let server = Server::start(&workspace, &["--set", "repeat=on"]);
    let read = |meta: &Value| {
        let request = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call("a.txt", &described(meta)),
        });
        let headers = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", "read"),
        ];
        let message = server.post(&headers, &request.to_string()).message();
        message
            .get("result")
            .unwrap_or_else(|| panic!("{message}"))
            .clone()
    };
    // Without a handle, there is no state.
    for _ in 0..2 {
        let reply = read(&json!({}));
        assert!(!is_line(&reply) && reply.get("_meta").is_none(), "{reply}");
    }
    let first = handle(&read(&json!({ SESSION: "new" })));
    let second = handle(&read(&json!({ SESSION: "new" })));
    assert!(is_line(&read(&json!({ SESSION: first }))));
    assert!(is_line(&read(
        &json!({ SESSION: second, GENERATION: null })
    )));
    assert!(!is_line(&read(&json!({ SESSION: second, GENERATION: 7 }))));
    assert!(is_line(&read(&json!({ SESSION: second, GENERATION: 7 }))));
    assert!(is_line(&read(&json!({ SESSION: first }))));
}

#[test]
fn model_may_name_the_session_by_an_argument() {
    let workspace = workspace();
    let mut client = client(&workspace, &["--session-argument"]);
    let tools = client.request("tools/list", &json!({}));
    let schema = &tools["result"]["tools"][0]["inputSchema"];
    assert_eq!(
        schema["properties"]["session"]["type"], "string",
        "{schema}"
    );
    let read = |client: &mut McpClient, session: &Value| {
        let arguments = json!({ "path": "a.txt", "session": session });
        let call = json!({ "name": "read", "arguments": arguments });
        client.request("tools/call", &call)["result"].clone()
    };
    let first = read(&mut client, &Value::Null);
    let handle = handle(&first);
    let last = first["content"].as_array().unwrap().last().unwrap();
    assert!(last["text"].as_str().unwrap().contains(&handle), "{first}");
    let second = read(&mut client, &json!(handle));
    assert!(is_line(&second), "{second}");
    assert_eq!(second["content"].as_array().unwrap().len(), 1, "{second}");
    assert!(!is_line(&read(&mut client, &Value::Null)));
    assert_eq!(read(&mut client, &json!("s-other"))["isError"], true);
    // Without the option, the tool has no such argument.
    let mut plain = self::client(&workspace, &[]);
    assert_eq!(read(&mut plain, &json!("new"))["isError"], true);
}

#[test]
fn handles_on_disk_outlive_the_process() {
    let workspace = workspace();
    let directory = Workspace::new();
    let place = directory.path().join("session").display().to_string();
    let with = |handle: &str| json!({ SESSION: handle });
    let mut client = client(&workspace, &["--session", &place]);
    let first = handle(&result(&mut client, "a.txt", &with("new")));
    let second = handle(&result(&mut client, "missing", &with("new")));
    client.read("a.txt");
    drop(client);
    let mut client = self::client(&workspace, &["--session", &place]);
    assert!(is_line(&result(&mut client, "a.txt", &with(&first))));
    assert!(!is_line(&result(&mut client, "a.txt", &with(&second))));
    workspace.file("a.txt", "one\n2\nthree\n");
    let question = json!({ "_meta": with(&first), "path": "a.txt" });
    let answer = client.request("omniread/changes", &question)["result"].clone();
    let expected = json!([{ "old_first": 2, "old": ["two"], "new_first": 2, "new": ["2"] }]);
    assert_eq!(answer["changes"]["hunks"], expected, "{answer}");
    assert_eq!(answer["_meta"][SESSION], json!(first));
    // The handle of the command line is not one of clients.
    let refused = result(&mut client, "a.txt", &with("command-line"));
    assert_eq!(refused["isError"], true);
}

#[test]
fn questions_over_mcp_are_answered() {
    let workspace = workspace();
    let mut client = client(&workspace, &[]);
    client.read("a.txt");
    let mut ask = |name: &str, parameters: Value| {
        let answer = client.request(&format!("omniread/{name}"), &parameters);
        answer
            .get("result")
            .or_else(|| answer.get("error"))
            .unwrap()
            .clone()
    };
    let shown = ask("shown", json!({}));
    let path = workspace.path().join("a.txt").display().to_string();
    assert_eq!(shown["files"][0]["path"], path, "{shown}");
    let snapshot = ask("snapshot", json!({ "path": "a.txt" }));
    let ranges = &snapshot["snapshots"][0]["shown"];
    assert_eq!(
        *ranges,
        json!([{ "first": 1, "last": 3, "text": "one\ntwo\nthree" }])
    );
    let tag = snapshot["snapshots"][0]["tag"].clone();
    let tagged = ask("snapshot", json!({ "path": "a.txt", "tag": tag }));
    assert_eq!(tagged, snapshot);
    let none = ask("snapshot", json!({ "path": "a.txt", "tag": "0" }));
    assert_eq!(none["snapshots"], json!([]));
    workspace.file("a.txt", "own edit\n");
    let written = json!({ "path": "a.txt", "content": "own edit\n" });
    assert_eq!(ask("record_write", written), json!({ "recorded": true }));
    assert_eq!(
        ask("changes", json!({ "path": "a.txt" }))["changes"]["state"],
        "same"
    );
    assert_eq!(ask("start_generation", json!({}))["generation"], 1);
    assert_eq!(ask("clear", json!({}))["cleared"], true);
    assert_eq!(ask("shown", json!({}))["files"], json!([]));
    assert_eq!(ask("changes", json!({}))["code"], -32602);
    assert_eq!(ask("changes", json!({ "path": "../x" }))["code"], -32603);
    assert_eq!(ask("other", json!({}))["code"], -32601);
}

#[test]
fn service_has_sessions_generations_and_questions() {
    let workspace = workspace();
    let mut service = Process::start(&cli(&workspace), &["serve", "--set", "repeat=on"]);
    let mut id = 0;
    let mut request = |fields: Value| {
        id += 1;
        let mut request = fields;
        request["id"] = id.into();
        service.send(&request);
        service.reply(&json!(id))
    };
    assert!(!is_line(&request(json!({ "path": "a.txt" }))));
    assert!(is_line(&request(json!({ "path": "a.txt" }))));
    assert!(!is_line(&request(
        json!({ "path": "a.txt", "session": "b" })
    )));
    assert!(is_line(&request(
        json!({ "path": "a.txt", "session": "b" })
    )));
    assert!(!is_line(&request(
        json!({ "path": "a.txt", "session": "b", "generation": 1 })
    )));
    assert!(is_line(&request(
        json!({ "path": "a.txt", "session": "b", "generation": 1 })
    )));
    assert!(is_line(&request(json!({ "path": "a.txt" }))));
    fs::write(workspace.path().join("a.txt"), "one\nthree\n").unwrap();
    let answer = request(json!({ "ask": "changes", "path": "a.txt" }));
    let expected = json!([{ "old_first": 2, "old": ["two"], "new_first": 2, "new": [] }]);
    assert_eq!(answer["changes"]["hunks"], expected, "{answer}");
    let shown = request(json!({ "ask": "shown", "session": "b" }));
    assert_eq!(shown["files"][0]["state"], "changed", "{shown}");
    let shown = request(json!({ "ask": "shown", "session": "nobody" }));
    assert_eq!(shown["files"], json!([]));
    for (wrong, message) in [
        (json!({ "ask": "x" }), "`x` is not a question"),
        (json!({ "ask": 5 }), "`ask` is not a string"),
        (
            json!({ "ask": "changes" }),
            "`changes` needs the field `path`",
        ),
        (
            json!({ "ask": "shown", "path": "a.txt" }),
            "`path` is not a field",
        ),
        (
            json!({ "path": "a.txt", "session": "a b" }),
            "`session` is not 1 to 128",
        ),
        (
            json!({ "path": "a.txt", "generation": [] }),
            "`generation` is not",
        ),
    ] {
        let refused = request(wrong);
        let said = refused["error"]["message"].as_str().unwrap_or_default();
        assert!(said.starts_with(message), "{refused}");
    }
    let missing = request(json!({ "ask": "changes", "path": "../x" }));
    assert!(missing["error"]["kind"].is_string(), "{missing}");
}

/// The images of a client count towards the budget of its session, and those of another one do not.
#[test]
fn clients_of_mcp_have_a_budget_of_images() {
    let workspace = workspace();
    for name in ["a.png", "b.png"] {
        let image = omniread_tests::image::drawing(300, 200);
        let png = omniread_tests::image::encoded(image, image::ImageFormat::Png);
        workspace.file(name, png);
    }
    let arguments = ["--set", "image-budget=1"];
    let is_shown = |result: &Value| {
        let blocks = result["content"].as_array();
        blocks.is_some_and(|blocks| blocks.iter().any(|block| block["type"] == "image"))
    };
    let mut first = client(&workspace, &arguments);
    assert!(is_shown(&result(&mut first, "a.png", &json!({}))));
    let over = result(&mut first, "b.png", &json!({}));
    assert!(!is_shown(&over), "{over}");
    assert!(text(&over).contains("`b.png:full`"), "{over}");
    assert!(is_shown(&result(&mut first, "b.png:full", &json!({}))));
    let mut second = client(&workspace, &arguments);
    assert!(is_shown(&result(&mut second, "b.png", &json!({}))));
}
