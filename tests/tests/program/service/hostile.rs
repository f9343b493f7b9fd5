//! Hostile clients of the MCP server: it answers or ends, and neither crashes nor hangs.

use super::{ENDLESS, cli, endless};
use omniread_tests::Workspace;
use omniread_tests::process::{McpClient, Process};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::process::Stdio;
use std::time::Duration;

/// A generator of pseudorandom numbers (xorshift), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() % most as u64).unwrap()
    }

    fn choose<'c, T>(&mut self, choices: &'c [T]) -> &'c T {
        &choices[self.below(choices.len())]
    }
}

/// A message that resembles a request, with wrong parts.
fn message(random: &mut Random) -> Vec<u8> {
    const METHODS: [&str; 14] = [
        "tools/call",
        "tools/list",
        "resources/read",
        "resources/list",
        "resources/templates/list",
        "completion/complete",
        "logging/setLevel",
        "ping",
        "prompts/list",
        "notifications/cancelled",
        "notifications/roots/list_changed",
        "subscriptions/listen",
        "nope",
        "",
    ];
    let values = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1e300),
        json!("a.txt"),
        json!("\u{0}\u{202e}"),
        json!([]),
        json!({}),
        json!({ "name": "read", "arguments": { "path": "a.txt" } }),
        json!({ "name": "read", "arguments": { "path": ["a.txt"] } }),
        json!({ "name": "read", "arguments": null }),
        json!({ "uri": "file:///etc/passwd" }),
        json!({ "uri": "x" }),
        json!({ "level": "debug" }),
        json!({ "level": "nothing" }),
        json!({ "requestId": 1_000_003 }),
        json!({ "ref": { "type": "ref/resource", "uri": "x" }, "argument": { "name": "path", "value": "" } }),
        json!({ "_meta": { "progressToken": {} }, "name": "read" }),
        json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }),
    ];
    let mut message = serde_json::Map::new();
    for field in [
        "jsonrpc", "id", "method", "params", "result", "error", "extra",
    ] {
        let chance = if ["result", "error", "extra"].contains(&field) {
            12
        } else {
            1
        };
        if random.below(chance) != 0 || random.below(10) == 0 {
            continue;
        }
        let value = match field {
            "jsonrpc" if random.below(8) > 0 => json!("2.0"),
            "method" if random.below(8) > 0 => json!(random.choose(&METHODS)),
            "id" if random.below(8) > 0 => json!(1_000_000 + random.below(50)),
            _ => random.choose(&values).clone(),
        };
        message.insert(field.to_owned(), value);
    }
    let mut line = Value::Object(message).to_string().into_bytes();
    // Some lines are damaged.
    for _ in 0..random.below(40).saturating_sub(36) {
        let at = random.below(line.len());
        match random.below(3) {
            0 => line[at] = u8::try_from(random.below(256)).unwrap(),
            1 => line.truncate(at),
            _ => line.insert(at, b'{'),
        }
        if line.is_empty() {
            line.push(b'x');
        }
    }
    line.retain(|byte| *byte != b'\n');
    line.push(b'\n');
    line
}

#[test]
fn fuzzed_messages_are_answered() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    let mut client = McpClient::start(&cli(&workspace), &[], "test", &json!({}));
    let seed = 0x5eed_cafe_0000_0001;
    let mut random = Random(seed);
    for _ in 0..100 {
        let mut batch = Vec::new();
        for _ in 0..1000 {
            batch.extend(message(&mut random));
        }
        client.process.write(&batch);
        // The server still answers after each thousand.
        let ping = client.request("ping", &json!({}));
        assert!(ping.get("result").is_some(), "{ping}");
    }
    let read = client.read("a.txt");
    assert_eq!(read["isError"], false, "{read}");
    let (status, _) = client.process.end();
    assert!(status.success(), "{status:?}");
}

#[test]
fn messages_before_initialize_are_answered_or_ignored() {
    let workspace = Workspace::new();
    let mut server = Process::start(&cli(&workspace), &["mcp"]);
    for method in ["tools/list", "tools/call", "resources/read", "nope"] {
        server.send(&json!({ "jsonrpc": "2.0", "id": method, "method": method, "params": {} }));
        let reply = server.receive().unwrap();
        assert!(reply["error"].is_object(), "{reply}");
    }
    server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": {} }));
    server.send(&json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
    server.write(b"nonsense\n\n");
    assert_eq!(server.receive().unwrap()["error"]["code"], -32700);
    let initialize = json!({
        "jsonrpc": "2.0", "id": "i", "method": "initialize", "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        },
    });
    server.send(&initialize);
    assert!(server.reply(&json!("i"))["result"].is_object());
}

#[test]
fn wrong_messages_have_errors() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    let mut client = McpClient::start(&cli(&workspace), &[], "test", &json!({}));
    let long = format!(
        "{{\"jsonrpc\":\"2.0\",\"x\":\"{}\"}}\n",
        "x".repeat(2 << 20)
    );
    let deep = format!("{}\n", "[".repeat(10_000));
    let digits = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}}\n",
        "9".repeat(1000)
    );
    let mut requests = 0;
    for (line, code) in [
        ("nonsense\n", -32700),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"\n",
            -32700,
        ),
        (&deep, -32700),
        (&digits, -32700),
        (&long, -32600),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}\n",
            -32600,
        ),
        ("[]\n", -32600),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"nope\"}\n",
            -32601,
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}\n",
            -32602,
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":[]}\n",
            -32602,
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":5}}\n",
            -32602,
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"read\",\"arguments\":\"x\"}}\n",
            -32602,
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":{}}}\n",
            -32602,
        ),
    ] {
        // Another request with an id of its own.
        requests += 1;
        let line = line.replace("\"id\":1,", &format!("\"id\":{requests},"));
        client.process.write(line.as_bytes());
        let reply = client.process.receive().unwrap();
        let shown: String = line.chars().take(60).collect();
        assert_eq!(reply["error"]["code"], code, "{shown}: {reply}");
    }
    let read = client.read("a.txt");
    assert_eq!(read["isError"], false, "{read}");
    // A message without its end is not a message.
    client
        .process
        .write(b"{\"jsonrpc\":\"2.0\",\"id\":9,\"meth");
    let (status, rest) = client.process.end();
    assert!(status.success());
    assert!(
        rest.iter().all(|reply| reply["error"]["code"] == -32700),
        "{rest:?}"
    );
}

/// A client that does not read makes the server wait. Its memory does not grow.
#[test]
#[cfg(target_os = "linux")]
fn client_that_does_not_read_is_waited_for() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "0123456789 abcdef\n".repeat(2500));
    for (command, request) in [
        (
            "mcp",
            "{\"jsonrpc\":\"2.0\",\"id\":ID,\"method\":\"tools/call\",\"params\":{\"name\":\"read\",\"arguments\":{\"path\":\"a.txt:1-2500\"}}}\n",
        ),
        ("serve", "{\"id\":ID,\"path\":\"a.txt:1-2500\"}\n"),
    ] {
        let mut server = cli(&workspace)
            .command()
            .arg(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = server.stdin.take().unwrap();
        let mut output = server.stdout.take().unwrap();
        let writer = std::thread::spawn(move || {
            let initialize = json!({
                "jsonrpc": "2.0", "id": "i", "method": "initialize", "params": {
                    "protocolVersion": "2025-06-18",
                    "capabilities": {},
                    "clientInfo": { "name": "test", "version": "1" },
                },
            });
            let mut sent = 0;
            if command == "mcp" {
                let _ = writeln!(input, "{initialize}");
            }
            // Two gigabytes of replies.
            for id in 0..50_000 {
                let request = request.replace("ID", &id.to_string());
                if input.write_all(request.as_bytes()).is_err() {
                    break;
                }
                sent = id;
            }
            sent
        });
        let mut most = 0;
        for _ in 0..40 {
            std::thread::sleep(Duration::from_millis(50));
            most = most.max(omniread_tests::process::memory(server.id(), "VmRSS"));
        }
        assert!(!writer.is_finished(), "{command} read all requests");
        assert!(most < 160 << 20, "{command} uses {most} bytes");
        // The server goes on as soon as the client reads.
        let mut some = vec![0; 8 << 20];
        output.read_exact(&mut some).unwrap();
        drop(output);
        // It ends if the client closes the output.
        let began = std::time::Instant::now();
        while server.try_wait().unwrap().is_none() {
            assert!(began.elapsed() < Duration::from_mins(10), "{command} hangs");
            std::thread::sleep(Duration::from_millis(20));
        }
        writer.join().unwrap();
    }
}

#[test]
fn thousand_calls_are_cancelled() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    endless(&workspace);
    let arguments = ["--timeout", "0"];
    let mut client = McpClient::start(&cli(&workspace), &arguments, "test", &json!({}));
    client.read("a.txt");
    let call = json!({ "name": "read", "arguments": { "path": ENDLESS } });
    let ids: Vec<Value> = (0..1000)
        .map(|_| client.send("tools/call", &call))
        .collect();
    for id in ids {
        client.notify("notifications/cancelled", &json!({ "requestId": id }));
    }
    let read = client.read("a.txt");
    assert_eq!(read["isError"], false);
    let (status, rest) = client.process.end();
    assert!(status.success() && rest.is_empty(), "{rest:?}");
}

/// The timeout ends a read in the middle of a call of SQLite.
#[test]
fn timeout_ends_a_call_of_an_engine() {
    let workspace = Workspace::new();
    let database = rusqlite::Connection::open(workspace.path().join("app.db")).unwrap();
    database.execute_batch("create table t(a)").unwrap();
    drop(database);
    let arguments = ["--timeout", "0.5"];
    let mut client = McpClient::start(&cli(&workspace), &arguments, "test", &json!({}));
    let query = "app.db?q=select instr(hex(zeroblob(50000000)), hex(zeroblob(20000000)) || '1')";
    for _ in 0..2 {
        let result = client.read(query);
        assert_eq!(result["isError"], true, "{result}");
    }
    let tables = client.read("app.db:t");
    assert_eq!(tables["isError"], false, "{tables}");
}
