//! Copies that a session keeps.

use super::{Client, article};
use omniread_tests::numbered;
use omniread_tests::process::{McpClient, Process};
use omniread_tests::web::{Page, Server, Site};
use serde_json::{Value, json};
use std::thread::sleep;
use std::time::Duration;

/// A session: `omniread serve` with access to a server.
struct Session(Process);

impl Session {
    fn of(server: &Server) -> (Client, Self) {
        let client = Client::of(server);
        let process = Process::start(&client.cli, &["serve", "--allow-net", &server.authority()]);
        (client, Self(process))
    }

    /// The reply to a read.
    fn reply(&mut self, path: &str) -> Value {
        self.0.send(&json!({ "id": path, "path": path }));
        self.0.reply(&json!(path))
    }

    /// The text of a read that must succeed.
    fn text(&mut self, path: &str) -> String {
        let reply = self.reply(path);
        let blocks = reply["blocks"]
            .as_array()
            .unwrap_or_else(|| panic!("{reply}"));
        let texts = blocks.iter().filter_map(|block| block["text"].as_str());
        texts.collect::<Vec<_>>().join("\n")
    }
}

#[test]
fn later_pages_come_from_the_copy_and_have_its_age() {
    let server = Site::new()
        .page("/old", Page::redirect(302, "/a.txt"))
        .page("/a.txt", Page::text(&numbered(1000)))
        .serve();
    let (_client, mut session) = Session::of(&server);
    let first = session.text(&server.url("/old"));
    assert!(first.contains("line 1\n"), "{first}");
    assert_eq!(server.targets(), ["/old", "/a.txt"]);
    std::thread::sleep(Duration::from_millis(2100));
    let later = session.text(&server.url("/old:500-501"));
    assert!(later.contains("line 500\n"), "{later}");
    assert!(later.contains(" seconds ago"), "{later}");
    // By the final address as well.
    let later = session.text(&server.url("/a.txt:600-601"));
    assert!(later.contains("line 600\n"), "{later}");
    assert_eq!(server.targets().len(), 2, "{:?}", server.targets());
}

/// The age of the copy differs from reply to reply.
#[test]
fn page_that_was_shown_is_one_line() {
    let server = Site::new()
        .page("/a.txt", Page::text(&numbered(40)))
        .serve();
    let client = Client::of(&server);
    let arguments = [
        "serve",
        "--set",
        "repeat=on",
        "--allow-net",
        &server.authority(),
    ];
    let mut session = Session(Process::start(&client.cli, &arguments));
    let path = server.url("/a.txt:1-20");
    assert!(session.text(&path).contains("line 20"));
    std::thread::sleep(Duration::from_millis(2100));
    let second = session.text(&path);
    assert!(second.starts_with("[unchanged: "), "{second}");
    assert!(second.contains(&format!("`{path}:fresh`")), "{second}");
    let fresh = session.text(&format!("{path}:fresh"));
    assert!(fresh.contains("line 20"), "{fresh}");
}

#[test]
fn redirect_that_changes_leads_to_another_copy() {
    let rows = numbered(1000).replace("line", "row");
    let server = Site::new()
        .page("/latest", Page::redirect(302, "/v1.txt"))
        .page("/v1.txt", Page::text(&numbered(1000)))
        .page("/v2.txt", Page::text(&rows))
        .serve();
    let (_client, mut session) = Session::of(&server);
    session.text(&server.url("/latest"));
    server.set("/latest", Page::redirect(302, "/v2.txt"));
    // Later lines are of the version that was shown.
    let later = session.text(&server.url("/latest:500-501"));
    assert!(later.contains("line 500\n"), "{later}");
    let first = session.text(&server.url("/latest"));
    assert!(first.contains("row 1\n"), "{first}");
    let later = session.text(&server.url("/latest:500-501"));
    assert!(later.contains("row 500\n"), "{later}");
    let old = session.text(&server.url("/v1.txt:500-501"));
    assert!(old.contains("line 500\n"), "{old}");
}

#[test]
fn fresh_fetches_again() {
    let pages = [
        Page::text(&numbered(400)),
        Page::text(&numbered(400).replace("line", "row")),
    ];
    let server = Site::new().pages("/a.txt", pages).serve();
    let (_client, mut session) = Session::of(&server);
    session.text(&server.url("/a.txt"));
    let copy = session.text(&server.url("/a.txt:350-351"));
    assert!(copy.contains("line 350\n"), "{copy}");
    let fresh = session.text(&server.url("/a.txt:350-351:fresh"));
    assert!(fresh.contains("row 350\n"), "{fresh}");
    let copy = session.text(&server.url("/a.txt:350-351"));
    assert!(copy.contains("row 350\n"), "{copy}");
    assert_eq!(server.targets().len(), 2, "{:?}", server.targets());
}

#[test]
fn copy_is_validated_by_its_tag_or_date() {
    let date = "Wed, 01 Jan 2025 00:00:00 GMT";
    let server = Site::new()
        .page("/tag", article("Tagged", "").etag("\"v1\""))
        .page("/date", article("Dated", "").last_modified(date))
        .serve();
    let (_client, mut session) = Session::of(&server);
    for (address, title) in [("/tag", "Tagged"), ("/date", "Dated")] {
        server.forget();
        let first = session.text(&server.url(address));
        let second = session.text(&server.url(address));
        assert!(
            first.contains("ten words") && second.contains("ten words"),
            "{second}"
        );
        assert!(second.contains(title), "{second}");
        let statuses: Vec<u16> = server
            .requests()
            .iter()
            .map(|request| request.status)
            .collect();
        assert_eq!(statuses, [200, 304], "{address}");
        server.set(address, article("Changed", "").etag("\"v2\""));
        let third = session.text(&server.url(address));
        assert!(third.contains("Changed"), "{third}");
        assert_eq!(server.requests()[2].status, 200);
    }
}

#[test]
fn modes_have_copies_of_their_own() {
    let server = Site::new()
        .answer("/a", |request| {
            if request
                .header("accept")
                .is_some_and(|accept| accept.starts_with("text/markdown"))
            {
                Page::markdown(&numbered(400))
            } else {
                article("Page", "")
            }
        })
        .serve();
    let (_client, mut session) = Session::of(&server);
    let page = session.text(&server.url("/a"));
    assert!(page.contains("line 1\n"), "{page}");
    let raw = session.text(&server.url("/a:raw"));
    assert!(!raw.contains("line 1\n") || raw.contains("raw"), "{raw}");
    let later = session.text(&server.url("/a:350-351"));
    assert!(later.contains("line 350\n"), "{later}");
}

#[test]
fn sessions_do_not_share_copies() {
    let server = Site::new()
        .page("/a.txt", Page::text(&numbered(400)))
        .serve();
    for _ in 0..2 {
        let (_client, mut session) = Session::of(&server);
        let text = session.text(&server.url("/a.txt:350-351"));
        assert!(text.contains("line 350\n"), "{text}");
    }
    assert_eq!(server.targets().len(), 2);
}

#[test]
fn connections_are_kept_for_the_life_of_a_reader() {
    let server = Site::new().page("/a.txt", Page::text("one\n")).serve();
    let (_client, mut session) = Session::of(&server);
    for _ in 0..5 {
        session.text(&server.url("/a.txt:fresh"));
        // A connection is ready again some microseconds after the reply.
        sleep(Duration::from_millis(100));
    }
    assert_eq!((server.requests().len(), server.connections()), (5, 1));
    // A request waits for it, unless the machine is so busy that this takes too long.
    for _ in 0..20 {
        session.text(&server.url("/a.txt:fresh"));
    }
    assert_eq!(server.requests().len(), 25);
    assert!(server.connections() < 10, "{}", server.connections());
}

#[test]
fn client_of_mcp_reads_granted_addresses() {
    let server = Site::new().page("/a", article("Title", "")).serve();
    let client = Client::of(&server);
    let arguments = ["--allow-net", &server.authority()];
    let mut mcp = McpClient::start(&client.cli, &arguments, "test", &json!({}));
    let result = mcp.read(&server.url("/a"));
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    assert!(text.contains("ten words"), "{result}");
    let refused = mcp.read("http://169.254.169.254/");
    assert_eq!(refused["isError"], true, "{refused}");
    // The definition of the tool names addresses only where a network is granted.
    let names_addresses = |mcp: &mut McpClient| {
        let tools = mcp.request("tools/list", &json!({}));
        tools["result"]["tools"].to_string().contains("http")
    };
    assert!(names_addresses(&mut mcp));
    let mut offline = McpClient::start(&client.cli, &[], "test", &json!({}));
    assert!(!names_addresses(&mut offline));
}

#[test]
fn client_of_mcp_sees_what_arrives() {
    let text = numbered(100);
    let page = Page::text(&text).slow_body(text.len().div_ceil(10), Duration::from_millis(250));
    let server = Site::new().page("/a.txt", page).serve();
    let client = Client::of(&server);
    let arguments = ["--allow-net", &server.authority()];
    let mut mcp = McpClient::start(&client.cli, &arguments, "test", &json!({}));
    let call = json!({
        "name": "read", "arguments": { "path": server.url("/a.txt") },
        "_meta": { "progressToken": "p" },
    });
    let id = mcp.send("tools/call", &call);
    let mut messages = Vec::new();
    let result = loop {
        let message = mcp.process.receive().unwrap();
        if message.get("id") == Some(&id) {
            break message["result"].to_string();
        }
        assert_eq!(message["method"], "notifications/progress", "{message}");
        messages.extend(message["params"]["message"].as_str().map(str::to_owned));
    };
    assert!(result.contains("line 100"), "{result}");
    let is_progress = |message: &String| message.contains(" of 0.0 MB from 127.0.0.1");
    assert!(messages.iter().any(is_progress), "{messages:?}");
}

#[test]
fn requests_that_wait_for_a_server_are_cancelled() {
    let forever = Duration::from_hours(1);
    let server = Site::new()
        .page("/wait", Page::text("text").wait(forever))
        .page("/head", Page::text("text").slow_head(forever))
        .page("/body", Page::text("some text").slow_body(4, forever))
        .page("/good", article("Good", ""))
        .serve();
    let client = Client::of(&server);
    let arguments = [
        "serve",
        "--net-timeout",
        "0",
        "--allow-net",
        &server.authority(),
    ];
    let mut service = Process::start(&client.cli, &arguments);
    let addresses = ["/wait", "/head", "/body"];
    for id in 0..48 {
        let path = server.url(addresses[id % 3]);
        service.send(&json!({ "id": id, "path": path }));
    }
    // Reads that wait do not delay others.
    service.send(&json!({ "id": "good", "path": server.url("/good") }));
    let good = service.reply(&json!("good"));
    assert!(good.to_string().contains("ten words"), "{good}");
    for id in 0..48 {
        service.send(&json!({ "cancel": id }));
    }
    let (status, replies) = service.end();
    assert!(status.success());
    assert_eq!(replies.len(), 48);
    for reply in &replies {
        assert_eq!(reply["error"]["kind"], "cancelled", "{reply}");
    }
}

/// A read has 512 MiB, whatever a server sends.
#[test]
#[cfg(target_os = "linux")]
fn bombs_and_endless_bodies_use_bounded_memory() {
    use super::hostile::{gzip_bomb, zstd_bomb};
    use omniread_tests::process::memory;
    use omniread_tests::web::Body;
    let coded = |coding: &str, bytes: Vec<u8>| {
        let page = Page::text("").body(bytes.into());
        page.header("Content-Encoding", coding)
    };
    let endless = Body::Endless(b"some text\n".as_slice().into());
    let server = Site::new()
        .page("/gzip", coded("gzip", gzip_bomb(1024)))
        .page("/zstd", coded("zstd", zstd_bomb(8192)))
        .page("/endless", Page::text("").body(endless))
        .serve();
    let (_client, mut session) = Session::of(&server);
    for address in ["/gzip", "/zstd", "/endless:-5", "/endless:9999999"] {
        session.reply(&server.url(address));
    }
    let most = memory(session.0.id(), "VmHWM");
    assert!(most < (512 + 128) << 20, "{most}");
    server.set("/good", article("Good", ""));
    assert!(session.text(&server.url("/good")).contains("ten words"));
}
