//! Servers that are slow, that lie and that never end.

use super::{Client, article, assert_next_read_works, one, paragraph};
use omniread_tests::numbered;
use omniread_tests::web::{Body, Page, Server, Site};
use std::time::Duration;

/// A time that no read waits for.
const FOREVER: Duration = Duration::from_hours(1);

/// A client whose reads may wait three seconds for the network.
fn hasty(server: &Server) -> Client {
    Client::of(server).option("--net-timeout").option("3")
}

#[test]
fn server_that_does_not_answer_is_a_typed_failure() {
    let server = one("/a", Page::text("text").wait(FOREVER));
    let client = hasty(&server);
    let message = client.refusal(&server.url("/a"));
    assert!(message.contains("--net-timeout"), "{message}");
    assert_next_read_works(&client, &server);
}

#[test]
fn slow_head_is_a_typed_failure() {
    let page = Page::text("text").slow_head(Duration::from_millis(200));
    let server = one("/a", page);
    let client = hasty(&server);
    let message = client.refusal(&server.url("/a"));
    assert!(message.contains("--net-timeout"), "{message}");
    assert_next_read_works(&client, &server);
}

#[test]
fn slow_body_is_shown_as_far_as_it_arrived() {
    let lines = numbered(1000);
    let server = Site::new()
        .page(
            "/length",
            Page::text(&lines).slow_body(100, Duration::from_millis(200)),
        )
        .page(
            "/chunked",
            Page::text(&lines)
                .chunked()
                .slow_body(100, Duration::from_millis(200)),
        )
        .page(
            "/gzip",
            Page::text(&lines)
                .gzip()
                .slow_body(100, Duration::from_millis(200)),
        )
        // The next byte always arrives at once, but the body needs more than an hour.
        .page(
            "/byte",
            Page::text(&numbered(500_000)).slow_body(1, Duration::from_millis(1)),
        )
        .serve();
    let client = hasty(&server);
    for address in ["/length", "/chunked", "/gzip", "/byte"] {
        let reply = client.read(&server.url(address));
        assert!(reply.body.contains("line 1\n"), "{address}: {reply:?}");
        let said = format!("{} {}", reply.notes(), reply.body);
        assert!(said.contains("incomplete"), "{address}: {reply:?}");
    }
    assert_next_read_works(&client, &server);
}

#[test]
fn body_that_never_ends_is_cut() {
    let endless = |text: &str| Body::Endless(text.as_bytes().into());
    let server = Site::new()
        .page("/text", Page::text("").body(endless("some text\n")))
        .page("/line", Page::text("").body(endless("word ")))
        .page(
            "/html",
            Page::html("").body(endless("<p>Some text of the page.</p>")),
        )
        .page(
            "/until-end",
            Page::text("").body(endless("some text\n")).until_end(),
        )
        .page(
            "/json",
            Page::new("application/json", "").body(endless("[")),
        )
        .page(
            "/bytes",
            Page::new("application/octet-stream", "").body(endless("\0\u{1}")),
        )
        .serve();
    let client = Client::of(&server).option("--net-bytes").option("2000000");
    for address in ["/text", "/line", "/html", "/until-end", "/json", "/bytes"] {
        server.forget();
        let run = client.run(&server.url(address));
        assert!(run.code.is_some_and(|code| code < 2), "{address}: {run:?}");
        assert!(!run.stderr.contains("panicked"), "{address}: {run:?}");
        if address != "/bytes" && address != "/json" {
            assert!(
                run.stdout.contains("text") || run.stdout.contains("word"),
                "{address}: {run:?}"
            );
        }
    }
    assert_next_read_works(&client, &server);
    // The server sends at most what fits into the buffers of the connection beyond the limit.
    let sent: Vec<u64> = server
        .requests()
        .iter()
        .map(|request| request.sent)
        .collect();
    assert!(sent.iter().all(|sent| *sent < 30_000_000), "{sent:?}");
}

#[test]
fn body_over_the_limit_names_the_setting() {
    let server = one("/a.txt", Page::text(&numbered(1_000_000)));
    let client = Client::of(&server).option("--net-bytes").option("100000");
    let reply = client.run(&server.url("/a.txt:990000"));
    let said = format!("{}{}", reply.stdout, reply.stderr);
    assert!(said.contains("--net-bytes"), "{reply:?}");
    // The lines before the limit are read, also the last ones.
    let client = Client::of(&server).option("--net-bytes").option("9000000");
    let reply = client.read(&server.url("/a.txt:600000-600001"));
    assert!(reply.body.contains("line 600000\n"), "{reply:?}");
    let reply = client.read(&server.url("/a.txt:-3"));
    assert!(reply.body.contains("line 7"), "{reply:?}");
    assert!(reply.body.contains("reading stopped at byte"), "{reply:?}");
    let raised = Client::of(&server)
        .option("--net-bytes")
        .option("100000000");
    let reply = raised.read(&server.url("/a.txt:990000"));
    assert!(reply.body.contains("line 990000\n"), "{reply:?}");
}

#[test]
fn false_lengths_are_reported() {
    let text = paragraph();
    let server = Site::new()
        .page("/long", Page::text(&text).false_length(1_000_000))
        .page("/longer", Page::text(&text).false_length(1 << 60))
        .page("/short", Page::text(&text).false_length(60))
        .page("/unfinished", Page::text(&text).unfinished())
        .serve();
    let client = Client::of(&server);
    for address in ["/long", "/longer", "/unfinished"] {
        let reply = client.read(&server.url(address));
        assert!(reply.body.contains("ten words"), "{address}: {reply:?}");
        let said = format!("{} {}", reply.notes(), reply.body);
        assert!(said.contains("incomplete"), "{address}: {reply:?}");
    }
    let reply = client.read(&server.url("/short"));
    assert!(reply.body.starts_with(&text[..50]), "{reply:?}");
    assert_next_read_works(&client, &server);
}

#[test]
fn damaged_codings_are_reported() {
    let page = Page::text(&numbered(5000));
    let cut = |page: Page| page.false_length(2000).slow_body(1000, Duration::ZERO);
    let server = Site::new()
        .page("/not-gzip", page.clone().header("Content-Encoding", "gzip"))
        .page("/not-br", page.clone().header("Content-Encoding", "br"))
        .page("/not-zstd", page.clone().header("Content-Encoding", "zstd"))
        .page(
            "/unknown",
            page.clone().header("Content-Encoding", "compress, x-own"),
        )
        .page(
            "/nested",
            page.clone()
                .header("Content-Encoding", &["gzip"; 50].join(", ")),
        )
        .page("/gzip", cut(page.clone().gzip()))
        .page("/br", cut(page.clone().brotli()))
        .page("/zstd", cut(page.zstd()))
        .serve();
    let client = Client::of(&server);
    for address in [
        "/not-gzip",
        "/not-br",
        "/not-zstd",
        "/unknown",
        "/nested",
        "/gzip",
        "/br",
        "/zstd",
    ] {
        let run = client.run(&server.url(address));
        assert!(run.code.is_some_and(|code| code < 2), "{address}: {run:?}");
        assert!(!run.stderr.contains("panicked"), "{address}: {run:?}");
    }
    for address in ["/gzip", "/br", "/zstd"] {
        let reply = client.read(&server.url(address));
        let said = format!("{} {}", reply.notes(), reply.body);
        assert!(said.contains("incomplete"), "{address}: {reply:?}");
    }
    assert_next_read_works(&client, &server);
}

/// Zstandard blocks that repeat a byte: `count` times 128 KiB.
pub fn zstd_bomb(count: usize) -> Vec<u8> {
    // RFC 8878: the magic number, a window of 128 KiB and no size.
    let mut bomb = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38];
    let size: u32 = 1 << 17;
    for n in 1..=count {
        let header = (size << 3) | (1 << 1) | u32::from(n == count);
        bomb.extend(&header.to_le_bytes()[..3]);
        bomb.push(b'a');
    }
    bomb
}

/// A gzip stream of `count` times 1 MiB.
pub fn gzip_bomb(count: usize) -> Vec<u8> {
    let block = vec![b'a'; 1 << 20];
    let mut encoder = flate2::Compress::new(flate2::Compression::best(), false);
    let mut one = Vec::with_capacity(1 << 16);
    encoder
        .compress_vec(&block, &mut one, flate2::FlushCompress::Full)
        .unwrap();
    // After a full flush, the next block does not depend on this one.
    let mut bomb = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    for _ in 0..count {
        bomb.extend(&one);
    }
    // An empty last block, and a checksum that is wrong.
    bomb.extend([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    bomb
}

#[test]
fn bombs_of_each_coding_are_cut() {
    let page = |coding: &str, bytes: Vec<u8>| {
        Page::text("")
            .body(bytes.into())
            .header("Content-Encoding", coding)
    };
    let brotli = Page::text("").body(vec![b'a'; 200 << 20].into()).brotli();
    let server = Site::new()
        .page("/gzip", page("gzip", gzip_bomb(1024)))
        .page("/zstd", page("zstd", zstd_bomb(8192)))
        .page("/br", brotli)
        .page("/twice", page("gzip, gzip", gzip_bomb(64)).gzip())
        .serve();
    let client = Client::of(&server);
    for address in ["/gzip", "/zstd", "/br", "/twice"] {
        for suffix in ["", ":raw", ":-5"] {
            let run = client.run(&server.url(&format!("{address}{suffix}")));
            assert!(
                run.code.is_some_and(|code| code < 2),
                "{address}{suffix}: {}",
                run.stderr
            );
            assert!(
                !run.stderr.contains("panicked"),
                "{address}{suffix}: {}",
                run.stderr
            );
            assert!(
                run.stdout.len() < 200_000,
                "{address}{suffix}: {}",
                run.stdout.len()
            );
        }
    }
    assert_next_read_works(&client, &server);
}

#[test]
fn large_heads_are_typed_failures() {
    let many = (0..40_000).fold(Page::text("text"), |page, n| {
        page.header(&format!("X-{n}"), "a")
    });
    let server = Site::new()
        .page("/many", many)
        .page(
            "/long",
            Page::text("text").header("X-Long", &"a".repeat(10 << 20)),
        )
        .page(
            "/value",
            Page::text("text").header("X-Long", &"a".repeat(60_000)),
        )
        .serve();
    let client = Client::of(&server);
    for address in ["/many", "/long"] {
        let message = client.refusal(&server.url(address));
        assert!(message.contains("65536"), "{address}: {message}");
    }
    // 64 KB of headers are accepted.
    let reply = client.read(&server.url("/value"));
    assert!(reply.body.contains("text"), "{reply:?}");
    assert_next_read_works(&client, &server);
}

#[test]
fn answers_that_are_not_http_are_typed_failures() {
    let server = Site::new()
        .page("/empty", Page::exactly(""))
        .page("/ssh", Page::exactly("SSH-2.0-OpenSSH_9.6\r\n"))
        .page("/start", Page::exactly("HTTP/1.1 2"))
        .page(
            "/head",
            Page::exactly("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"),
        )
        .page("/status", Page::exactly("HTTP/1.1 999999 OK\r\n\r\n"))
        .page("/version", Page::exactly("HTTP/9.9 200 OK\r\n\r\ntext"))
        .page(
            "/name",
            Page::exactly("HTTP/1.1 200 OK\r\n: value\r\nContent-Length: 4\r\n\r\ntext"),
        )
        .page(
            "/lengths",
            Page::exactly("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 9\r\n\r\ntext"),
        )
        .page(
            "/negative",
            Page::exactly("HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\ntext"),
        )
        .page(
            "/informational",
            Page::exactly("HTTP/1.1 100 Continue\r\n\r\n".repeat(100_000)),
        )
        .serve();
    let client = Client::of(&server);
    for address in [
        "/empty",
        "/ssh",
        "/start",
        "/head",
        "/status",
        "/version",
        "/name",
        "/lengths",
        "/negative",
        "/informational",
    ] {
        let message = client.refusal(&server.url(address));
        assert!(message.contains("cannot read"), "{address}: {message}");
    }
    for (address, response) in [
        ("/chunk", "zz\r\ntext\r\n0\r\n\r\n"),
        ("/chunk-size", "ffffffffffffffffff\r\ntext"),
        ("/chunk-end", "4\r\ntextmore\r\n0\r\n\r\n"),
    ] {
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n";
        server.set(address, Page::exactly(format!("{head}{response}")));
        let run = client.run(&server.url(address));
        assert!(run.code.is_some_and(|code| code < 2), "{address}: {run:?}");
        assert!(!run.stderr.contains("panicked"), "{address}: {run:?}");
    }
    assert_next_read_works(&client, &server);
}

#[test]
fn control_characters_of_the_server_are_not_printed() {
    let escape = "\u{1b}[31mred\u{7}";
    let server = Site::new()
        .page(
            "/type",
            Page::new(&format!("text/plain; x=\"{escape}\""), "text"),
        )
        .page("/title", article(&format!("Title {escape}"), ""))
        .page("/body", Page::text(&format!("text {escape} \u{202e}abc")))
        .page("/retry", Page::text("text").status(503).retry_after(escape))
        .page(
            "/location",
            Page::exactly(format!(
                "HTTP/1.1 302 Found\r\nLocation: http://{escape}/\r\nContent-Length: 0\r\n\r\n"
            )),
        )
        .serve();
    let client = Client::of(&server);
    for address in ["/type", "/title", "/body", "/retry", "/location"] {
        let run = client.run(&server.url(address));
        let said = format!("{}{}", run.stdout, run.stderr);
        let is_control = |c: char| c.is_control() && c != '\n' && c != '\t';
        assert!(!said.contains(is_control), "{address}: {run:?}");
    }
}

#[test]
fn server_that_is_down_is_a_typed_failure() {
    let server = one("/", Page::text("text"));
    let (client, address) = (Client::of(&server), server.url("/"));
    drop(server);
    let message = client.refusal(&address);
    assert!(message.contains("cannot read"), "{message}");
    assert!(message.contains("connect"), "{message}");
}

#[test]
fn name_that_does_not_exist_is_a_typed_failure() {
    let client = Client::without_grants().allow("omniread-test.invalid");
    let message = client.refusal("http://omniread-test.invalid/");
    assert!(message.contains("omniread-test.invalid"), "{message}");
}
