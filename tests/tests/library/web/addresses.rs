//! The parts of an address: selectors, members, sections and ports.

use super::{Client, article, one};
use omniread_tests::web::{Page, Site};
use omniread_tests::{numbered, pack};

#[test]
fn line_range_counts_lines_of_the_body() {
    let server = one("/a.txt", Page::text(&numbered(400)));
    let client = Client::of(&server);
    let reply = client.read(&server.url("/a.txt:20-40"));
    assert!(
        reply.body.contains("line 20\n") && reply.body.contains("line 40\n"),
        "{reply:?}"
    );
    for other in ["line 15\n", "line 45\n", "line 1\n"] {
        assert!(!reply.body.contains(other), "{other}: {reply:?}");
    }
    let first = client.read(&server.url("/a.txt"));
    assert!(first.body.starts_with("line 1\n"), "{first:?}");
    assert!(first.body.contains("line 300"), "{first:?}");
    assert!(!first.body.contains("line 301\n"), "{first:?}");
    assert!(server.targets().iter().all(|target| target == "/a.txt"));
}

#[test]
fn raw_and_full_and_lines_may_be_in_any_order() {
    let server = one("/a", article("Title", ""));
    let client = Client::of(&server);
    let raw = client.read(&server.url("/a:raw"));
    assert_eq!(raw.method(), "raw-html");
    assert!(raw.body.contains("<nav><a href=\"/\">Home</a>"), "{raw:?}");
    let lines = [
        client.run(&server.url("/a:raw:2-3")),
        client.run(&server.url("/a:2-3:raw")),
        client.run(&server.url("/a:2-3:fresh:raw")),
    ];
    assert!(lines[0].stdout.contains("<nav>"), "{lines:?}");
    assert!(!lines[0].stdout.contains("<!DOCTYPE"), "{lines:?}");
    assert!(
        lines.iter().all(|run| run.stdout == lines[0].stdout),
        "{lines:?}"
    );
    let full = client.read(&server.url("/a:full"));
    assert!(full.body.contains("Copyright of the footer"), "{full:?}");
    let main = client.read(&server.url("/a"));
    assert!(!main.body.contains("Copyright of the footer"), "{main:?}");
    assert!(server.targets().iter().all(|target| target == "/a"));
}

#[test]
fn other_colons_belong_to_the_address() {
    let server = Site::new()
        .page("/wiki/Help:Contents", article("Help", ""))
        .page("/a:b:c", article("Colons", ""))
        .page("/time?at=noon:utc", article("Time", ""))
        .serve();
    let client = Client::of(&server);
    for address in ["/wiki/Help:Contents", "/a:b:c", "/time?at=noon:utc"] {
        server.forget();
        let reply = client.read(&server.url(address));
        assert_eq!(reply.url(), server.url(address));
        assert_eq!(server.targets(), [address]);
        server.forget();
        client.read(&server.url(&format!("{address}:5-6")));
        assert_eq!(server.targets(), [address]);
    }
}

#[test]
fn text_after_a_colon_is_tried_as_a_member_if_the_page_is_missing() {
    let zip = pack::zip(&[("README.md", b"# Read me\n")]);
    for status in [404, 410] {
        let server = Site::new()
            .page("/data:README.md", Page::empty(status))
            .page("/data", Page::new("application/zip", &zip))
            .serve();
        let client = Client::of(&server);
        let reply = client.read(&server.url("/data:README.md"));
        assert!(reply.body.contains("# Read me"), "{reply:?}");
        assert!(reply.notes().contains("member"), "{reply:?}");
        assert_eq!(server.targets(), ["/data:README.md", "/data"]);
    }
    // Other statuses are an answer.
    let server = Site::new()
        .page("/data:README.md", Page::empty(500))
        .page("/data", Page::new("application/zip", &zip))
        .serve();
    let reply = Client::of(&server).read(&server.url("/data:README.md"));
    assert_eq!(reply.method(), "failed");
    assert_eq!(server.targets(), ["/data:README.md"]);
}

#[test]
fn encoded_colon_belongs_to_the_address() {
    let server = one("/a%3A5-9", article("Encoded", ""));
    let reply = Client::of(&server).read(&server.url("/a%3A5-9"));
    assert!(reply.body.contains("ten words"), "{reply:?}");
    assert_eq!(server.targets(), ["/a%3A5-9"]);
}

#[test]
fn number_after_a_bare_host_is_a_port() {
    let server = one("/", Page::text(&numbered(90)));
    let client = Client::of(&server);
    let whole = client.read(&server.origin());
    assert!(whole.body.contains("line 1\n"), "{whole:?}");
    let reply = client.read(&server.url("/:80-81"));
    assert!(reply.body.contains("line 80\n"), "{reply:?}");
    assert!(!reply.body.contains("line 1\n"), "{reply:?}");
    assert_eq!(server.targets(), ["/", "/"]);
}

#[test]
fn query_before_a_member_belongs_to_the_address() {
    let zip = pack::zip(&[("a.txt", b"one\ntwo\n")]);
    let server = one("/x.zip", Page::new("application/zip", zip));
    let client = Client::of(&server);
    let reply = client.read(&server.url("/x.zip?v=2:a.txt"));
    assert!(reply.body.contains("one"), "{reply:?}");
    assert_eq!(server.targets(), ["/x.zip?v=2"]);
}

#[test]
fn fragment_is_not_sent_and_selects_a_section() {
    let server = one("/a", article("Title", ""));
    let client = Client::of(&server);
    let reply = client.read(&server.url("/a#second"));
    assert!(reply.body.contains("Second part"), "{reply:?}");
    assert!(!reply.body.contains("Third part"), "{reply:?}");
    let run = client.run(&server.url("/a#second"));
    assert!(run.stdout.contains("second"), "{run:?}");
    let missing = client.read(&server.url("/a#nothing"));
    assert!(missing.notes().contains("#nothing"), "{missing:?}");
    assert!(missing.body.contains("Third part"), "{missing:?}");
    assert!(server.targets().iter().all(|target| target == "/a"));
}

#[test]
fn user_names_and_passwords_are_refused() {
    let server = one("/", Page::text("text"));
    let client = Client::of(&server);
    for user in ["user@", "user:secret@", ":secret@", "%40@"] {
        let message = client.refusal(&format!("http://{user}{}/", server.authority()));
        assert!(!message.contains("panicked"), "{message}");
    }
    assert_eq!(server.connections(), 0);
}

#[test]
fn control_characters_do_not_add_headers() {
    let server = one("/", Page::text("text"));
    let client = Client::of(&server);
    for path in [
        "/a\r\nX-Evil: 1\r\n",
        "/a\nX-Evil: 1",
        "/a%0d%0aX-Evil:%201",
        "/?q=a\r\nX-Evil: 1",
        "/a HTTP/1.1\r\nX-Evil: 1\r\n\r\nGET /b",
    ] {
        client.run(&server.url(path));
    }
    for request in server.requests() {
        assert_eq!(request.header("x-evil"), None, "{request:?}");
        assert!(!request.target.contains(['\r', '\n', ' ']), "{request:?}");
    }
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.method == "GET")
    );
}

#[test]
fn check_and_connection_use_the_same_parser() {
    let server = one("/", Page::text("text"));
    let other = one("/", Page::text("other"));
    let client = Client::of(&server);
    let (host, other_host) = (server.authority(), other.authority());
    for path in [
        format!("http://{host}\\@{other_host}/"),
        format!("http:\\\\{other_host}/"),
        format!("http://{other_host}#@{host}/"),
        format!("http://{other_host}\\@{host}/"),
        format!("http://{other_host}?@{host}/"),
        format!("http://{host}@{other_host}/"),
        format!("http:///{other_host}/"),
        format!("http:{other_host}/"),
    ] {
        client.run(&path);
        assert_eq!(other.connections(), 0, "{path}");
    }
}

#[test]
fn wrong_addresses_are_typed_errors() {
    let client = Client::without_grants().allow("public");
    for path in [
        "http://".to_owned(),
        "http:///".to_owned(),
        "http://127.0.0.1:99999/".to_owned(),
        "http://[::1/".to_owned(),
        "http://a b/".to_owned(),
        format!("http://{}/", "a".repeat(10_000)),
        format!("http://{}.example/", "a.".repeat(5000)),
        "ftp://127.0.0.1/".to_owned(),
        "x://a/b".to_owned(),
        "gopher://127.0.0.1/".to_owned(),
    ] {
        let message = client.refusal(&path);
        assert!(!message.is_empty(), "{path}");
    }
}

#[test]
fn names_that_look_like_others_are_shown_in_punycode() {
    let client = Client::without_grants().allow("apple.com");
    let message = client.refusal("http://\u{430}pple.com/");
    assert!(message.contains("xn--pple-43d.com"), "{message}");
}

#[test]
fn www_is_a_web_address_unless_a_file_has_the_name() {
    let client = Client::without_grants();
    let message = client.refusal("www.omniread-test.invalid");
    assert!(message.contains("--allow-net"), "{message}");
    client
        .workspace
        .file("www.omniread-test.invalid", "a file\n");
    let run = client.run("www.omniread-test.invalid");
    assert!(run.stdout.contains("a file"), "{run:?}");
}
