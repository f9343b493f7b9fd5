//! The roots of clients of `omniread mcp`.

use super::cli;
use super::mcp::text;
use omniread_tests::Workspace;
use omniread_tests::process::McpClient;
use serde_json::{Value, json};

/// The answer of a client that does not send its roots.
const REFUSES: &str = "refuses";

/// Starts a server for a client that has roots, with arguments.
fn start(workspace: &Workspace, arguments: &[&str]) -> McpClient {
    let capabilities = json!({ "roots": { "listChanged": true } });
    McpClient::start(&cli(workspace), arguments, "test", &capabilities)
}

/// Reads a path, with this answer to requests for roots. Returns the result.
fn result(client: &mut McpClient, roots: &Value, path: &str) -> Value {
    let call = json!({ "name": "read", "arguments": { "path": path } });
    let id = client.send("tools/call", &call);
    loop {
        let message = client.process.receive().unwrap();
        if message["method"] == "roots/list" {
            let mut answer = json!({ "jsonrpc": "2.0", "id": message["id"] });
            if roots == REFUSES {
                answer["error"] = json!({ "code": -32603, "message": "no [roots]\n" });
            } else {
                answer["result"] = json!({ "roots": roots });
            }
            client.process.send(&answer);
        } else if message.get("id") == Some(&id) {
            return message["result"].clone();
        }
    }
}

/// Reads a path. Returns the first block of text.
fn read(client: &mut McpClient, roots: &Value, path: &str) -> String {
    text(&result(client, roots, path)).to_owned()
}

/// A workspace, its path, and a list of one root in it.
fn workspace() -> (Workspace, String, Value) {
    let workspace = Workspace::new();
    workspace
        .file("part/a.txt", "one\n")
        .file("part/secret/b.txt", "two\n")
        .file("other/c.txt", "three\n");
    let root = workspace.path().display().to_string();
    let part = json!([{ "uri": format!("file://{root}/part") }]);
    (workspace, root, part)
}

#[test]
fn roots_of_the_client_narrow_the_granted_roots() {
    let (workspace, root, part) = workspace();
    let mut client = start(&workspace, &["--root", &root, "--deny", "/part/secret"]);
    assert!(read(&mut client, &part, "a.txt").contains("1:one"));
    let outside = read(&mut client, &part, &format!("{root}/other/c.txt"));
    assert!(outside.contains("outside the roots"), "{outside}");
    // Deny rules are those of the server, whatever the roots of the client are.
    let denied = read(&mut client, &part, "secret/b.txt");
    assert!(denied.contains("denied"), "{denied}");
    // A larger root does not grant more.
    let all = json!([{ "uri": "file:///" }]);
    client.notify("notifications/roots/list_changed", &json!({}));
    assert!(read(&mut client, &all, "other/c.txt").contains("1:three"));
    let outside = read(&mut client, &all, "/etc/passwd");
    assert!(outside.contains("outside the roots"), "{outside}");
    // Of several roots, those that overlap count.
    let nowhere = json!({ "uri": "file:///nowhere" });
    let several = json!([nowhere, { "uri": format!("file://{root}/other") }]);
    client.notify("notifications/roots/list_changed", &json!({}));
    let reply = result(&mut client, &several, "c.txt");
    assert!(text(&reply).contains("1:three"), "{reply}");
    assert_eq!(reply["content"].as_array().unwrap().len(), 1, "{reply}");
}

#[test]
fn roots_without_effect_are_noted_once() {
    let (workspace, root, part) = workspace();
    let other = format!("{root}/other");
    let outside = "No root of this client is in the roots of the server";
    let remote = json!([{ "uri": "https://example.com/" }, { "uri": "vscode-remote://a/b" }]);
    for (roots, reason) in [
        (&part, outside),
        (&remote, outside),
        (&json!([{ "uri": "file:///nowhere" }]), outside),
        (&json!([]), "This client has no roots"),
        (&json!(REFUSES), "The client did not send its roots"),
    ] {
        let mut client = start(&workspace, &["--root", &other]);
        let first = result(&mut client, roots, "c.txt");
        assert_eq!(first["isError"], false, "{first}");
        assert!(text(&first).contains("1:three"), "{first}");
        let note = format!("{reason}; reads use those of the server: {other}");
        let last = first["content"].as_array().unwrap().last().unwrap();
        assert_eq!(last["text"], format!("[{note}]"));
        let notes = first["structuredContent"]["notes"].as_array().unwrap();
        assert!(notes.contains(&json!(note)), "{notes:?}");
        // The second call takes another way through the server. The third one asks again.
        for change in [false, true] {
            if change {
                client.notify("notifications/roots/list_changed", &json!({}));
            }
            let next = result(&mut client, roots, "c.txt");
            assert!(text(&next).contains("1:three"), "{next}");
            assert_eq!(next["content"].as_array().unwrap().len(), 1, "{next}");
        }
    }
}

/// The note follows a failed read too, because it may be the reason.
#[test]
fn failed_read_has_the_note() {
    let (workspace, root, part) = workspace();
    let mut client = start(&workspace, &[&format!("{root}/other")]);
    let failed = result(&mut client, &part, &format!("{root}/part/a.txt"));
    assert_eq!(failed["isError"], true);
    assert!(text(&failed).contains("outside the roots"), "{failed}");
    let note = failed["content"][1]["text"].as_str().unwrap();
    assert!(note.starts_with("[No root of this client"), "{failed}");
}

#[test]
fn roots_of_the_client_replace_the_granted_roots_on_request() {
    let (workspace, root, part) = workspace();
    let other = format!("{root}/other");
    let arguments = ["--root", &other, "--roots-from-client"];
    let mut client = start(&workspace, &arguments);
    let reply = result(&mut client, &part, "a.txt");
    assert!(text(&reply).contains("1:one"), "{reply}");
    assert_eq!(reply["content"].as_array().unwrap().len(), 1, "{reply}");
    let outside = read(&mut client, &part, &format!("{root}/other/c.txt"));
    assert!(outside.contains("outside the roots"), "{outside}");

    // Even then, deny rules stay relative to the granted roots.
    let rule = ["--deny", "/part/secret"];
    let arguments = [&["--root", &root, "--roots-from-client"], &rule[..]].concat();
    let mut client = start(&workspace, &arguments);
    assert!(read(&mut client, &part, "a.txt").contains("1:one"));
    let denied = read(&mut client, &part, "secret/b.txt");
    assert!(denied.contains("denied"), "{denied}");
}

/// If the client has no root, the directories of the command line apply, or the current directory if the
/// command line names no directory.
#[test]
fn client_without_roots_reads_in_the_directories_of_the_command_line() {
    let (workspace, root, _) = workspace();
    let other = format!("{root}/other");
    for (roots, reason) in [
        (json!([]), "This client has no roots"),
        (
            json!([{ "uri": "file:///nowhere" }]),
            "No root of this client can be opened",
        ),
    ] {
        for (arguments, path) in [
            (&["--roots-from-client", &other][..], "c.txt"),
            (&["--roots-from-client"], "other/c.txt"),
        ] {
            let mut client = start(&workspace, arguments);
            let first = result(&mut client, &roots, path);
            assert!(text(&first).contains("1:three"), "{first}");
            let note = first["content"][1]["text"].as_str().unwrap();
            assert!(note.starts_with(&format!("[{reason};")), "{first}");
            let next = result(&mut client, &roots, path);
            assert_eq!(next["content"].as_array().unwrap().len(), 1, "{next}");
        }
    }
    // A client that does not support roots is not asked, and gets no note.
    let arguments = ["--roots-from-client", &other];
    let mut client = McpClient::start(&cli(&workspace), &arguments, "test", &json!({}));
    let reply = client.read("c.txt");
    assert_eq!(reply["content"].as_array().unwrap().len(), 1, "{reply}");
}

/// Version 2026-07-28 of the protocol has no requests from the server to the client: the call is
/// sent again, with the roots.
#[test]
fn roots_that_come_with_a_call_are_noted_once() {
    let (workspace, root, part) = workspace();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": { "roots": {} },
    });
    let mut client = start(&workspace, &[&format!("{root}/other")]);
    let list = json!({ "_meta": meta });
    let resources = client.request("resources/list", &list)["result"]["resources"].clone();
    assert_eq!(resources[0]["uri"], format!("file://{root}/other/"));
    let call = json!({ "name": "read", "arguments": { "path": "c.txt" }, "_meta": meta });
    let required = client.request("tools/call", &call)["result"].clone();
    assert_eq!(required["resultType"], "input_required", "{required}");
    let answers = required["inputRequests"].as_object().unwrap().keys();
    let answers: Value = answers
        .map(|name| (name.clone(), json!({ "roots": part })))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let mut again = call.clone();
    again["inputResponses"] = answers;
    let first = client.request("tools/call", &again)["result"].clone();
    assert!(text(&first).contains("1:three"), "{first}");
    assert_eq!(first["content"].as_array().unwrap().len(), 2, "{first}");
    let next = client.request("tools/call", &call)["result"].clone();
    assert_eq!(next["content"].as_array().unwrap().len(), 1, "{next}");
}
