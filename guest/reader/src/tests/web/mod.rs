//! Tests of paths that are web addresses.

mod beside;
mod handlers;
mod symbols;

use super::*;
use crate::failure::{NetworkError, Unreachable};
use crate::web::Method;
use crate::world::memory::{MemoryHttp, MemoryResponse};
use std::io::Write as _;
use std::rc::Rc;

/// A world whose web has these pages.
fn world(pages: &[(&str, MemoryResponse)]) -> (MemoryWorld, Rc<MemoryHttp>) {
    let http = Rc::new(MemoryHttp::default());
    for (url, page) in pages {
        http.page(url, page.clone());
    }
    let mut world = MemoryWorld::new("/ws");
    world.web = Some(Rc::clone(&http));
    (world, http)
}

fn text(body: &str) -> MemoryResponse {
    MemoryResponse::new(200, body).header("Content-Type", "text/plain")
}

/// A page with a paragraph of many words.
fn article(title: &str) -> MemoryResponse {
    let words = "The quick brown fox jumps over the lazy dog. ".repeat(30);
    let page = format!(
        "<html><head><title>{title}</title></head><body><nav><a href=/x>Menu</a></nav><main>\
         <h1>{title}</h1><p id=first>{words}</p><h2 id=second>Second</h2><p>{words}</p></main></body></html>"
    );
    MemoryResponse::html(&page)
}

/// A zip archive with these members, which are not compressed.
pub fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = rawzip::ZipArchiveWriter::new(Vec::new());
    for (name, bytes) in members {
        let (mut entry, config) = archive.new_file(name).start().unwrap();
        let mut writer = config.wrap(&mut entry);
        writer.write_all(bytes).unwrap();
        let (_, output) = writer.finish().unwrap();
        entry.finish(output).unwrap();
    }
    archive.finish().unwrap()
}

/// The head of a reply, up to `---`, and the text after it.
fn shown(world: &mut MemoryWorld, path: &str) -> (String, String) {
    let page = reply(world, path, &Options::default());
    let [Block::Text(text), ..] = &*page.blocks else {
        panic!("{path}: {:?}", page.blocks);
    };
    match text.split_once("---\n") {
        Some((head, body)) => (head.to_owned(), body.to_owned()),
        None => (String::new(), text.clone()),
    }
}

fn method(world: &mut MemoryWorld, path: &str) -> Method {
    let page = reply(world, path, &Options::default());
    page.answer.subject.web.unwrap().method.unwrap()
}

#[test]
fn head_states_the_response() {
    let (mut world, _) = world(&[
        ("https://x.org/a.txt", text("one\ntwo\n")),
        (
            "https://x.org/old",
            MemoryResponse::new(301, "").header("Location", "/a.txt"),
        ),
    ]);
    let (head, body) = shown(&mut world, "https://x.org/a.txt");
    assert_eq!(
        head,
        "URL: https://x.org/a.txt\nContent-Type: text/plain\nMethod: text\n"
    );
    assert!(body.trim_start().starts_with("one\ntwo"), "{body}");
    let (head, _) = shown(&mut world, "https://x.org/old");
    assert!(head.contains("URL: https://x.org/a.txt\n"));
    assert!(
        head.contains("Notes: redirected from https://x.org/old\n"),
        "{head}"
    );
}

#[test]
fn notes_have_what_the_server_states_about_the_content() {
    let markdown = |signal: &str, tokens: &str| {
        MemoryResponse::new(200, "# Title\n")
            .header("Content-Type", "text/markdown")
            .header("Content-Signal", signal)
            .header("x-markdown-tokens", tokens)
    };
    let page = MemoryResponse::new(
        200,
        "<link rel=alternate type=text/markdown href=/a.md><p>Short",
    );
    let (mut world, _) = world(&[
        (
            "https://x.org/a",
            markdown("search=yes, ai-train=no", "3150"),
        ),
        ("https://x.org/b", markdown(" ", "many")),
        ("https://x.org/c", markdown("a\u{7}b", "1")),
        (
            "https://x.org/page",
            page.header("Content-Type", "text/html"),
        ),
        ("https://x.org/a.md", markdown("ai-input=yes", "5")),
    ]);
    let stated = "the server counts 3,150 tokens; Content-Signal: search=yes, ai-train=no";
    for path in ["https://x.org/a", "https://x.org/a:1-5"] {
        let (head, _) = shown(&mut world, path);
        assert!(head.contains(stated), "{path}: {head}");
    }
    let (head, _) = shown(&mut world, "https://x.org/b");
    assert!(!head.contains("Notes"), "{head}");
    let (head, _) = shown(&mut world, "https://x.org/c");
    assert!(
        head.contains("counts 1 token; Content-Signal: ab\n"),
        "{head}"
    );
    let (head, _) = shown(&mut world, "https://x.org/page");
    assert!(head.contains("Method: alternate-markdown"), "{head}");
    assert!(
        head.contains("counts 5 tokens; Content-Signal: ai-input=yes"),
        "{head}"
    );
}

#[test]
fn kinds_of_bodies_have_their_methods() {
    let json =
        MemoryResponse::new(200, "{\"a\":[{\"b\":1}]}").header("Content-Type", "application/json");
    let feed = "<rss version=\"2.0\"><channel><title>News</title><item><title>One</title></item></channel></rss>";
    let markdown = MemoryResponse::new(200, "# Title\n").header("Content-Type", "text/markdown");
    let (mut world, _) = world(&[
        ("https://x.org/page", article("Title")),
        ("https://x.org/data", json),
        (
            "https://x.org/feed",
            MemoryResponse::new(200, feed).header("Content-Type", "application/rss+xml"),
        ),
        ("https://x.org/docs", markdown.clone()),
        ("https://x.org/README.md", markdown),
        ("https://x.org/code.html", text("<!doctype html><p>source")),
        (
            "https://x.org/bytes",
            MemoryResponse::new(200, [0, 1, 2, 255]),
        ),
    ]);
    for (path, expected) in [
        ("https://x.org/page", Method::Html),
        ("https://x.org/page:full", Method::Html),
        ("https://x.org/page#second", Method::Html),
        ("https://x.org/page:raw", Method::RawHtml),
        ("https://x.org/data", Method::Json),
        ("https://x.org/data:raw", Method::Raw),
        ("https://x.org/feed", Method::Feed),
        ("https://x.org/docs", Method::ContentNegotiation),
        ("https://x.org/README.md", Method::Text),
        ("https://x.org/code.html", Method::Text),
        ("https://x.org/bytes", Method::Raw),
        ("https://x.org/bytes:raw", Method::Raw),
    ] {
        assert_eq!(method(&mut world, path), expected, "{path}");
    }
    let (_, json) = shown(&mut world, "https://x.org/data");
    assert!(json.contains("\"b\": 1"), "{json}");
    let (_, code) = shown(&mut world, "https://x.org/code.html");
    assert!(code.contains("<!doctype html>"), "{code}");
    let (_, bytes) = shown(&mut world, "https://x.org/bytes:raw");
    assert!(bytes.contains("00 01 02 ff"), "{bytes}");
}

#[test]
fn page_is_its_main_text_and_full_is_all_of_it() {
    let (mut world, _) = world(&[("https://x.org/page", article("Title"))]);
    let (head, main) = shown(&mut world, "https://x.org/page");
    assert!(head.contains("Title: Title"), "{head}");
    assert!(
        main.contains("quick brown fox") && !main.contains("Menu"),
        "{main}"
    );
    let (_, full) = shown(&mut world, "https://x.org/page:full");
    assert!(full.contains("Menu"), "{full}");
    let (head, section) = shown(&mut world, "https://x.org/page#second");
    assert!(
        head.contains("only the section `#second` is shown"),
        "{head}"
    );
    assert!(
        section.contains("## Second") && !section.contains("# Title"),
        "{section}"
    );
    let (head, whole) = shown(&mut world, "https://x.org/page#third");
    assert!(head.contains("no section `#third`"), "{head}");
    assert!(
        whole.trim_start().starts_with("# Title\n\nThe quick"),
        "{whole}"
    );
}

#[test]
fn failed_request_is_an_answer() {
    let (mut world, _) = world(&[
        (
            "https://x.org/404",
            MemoryResponse::new(404, "<h1>Not here</h1>").header("Content-Type", "text/html"),
        ),
        (
            "https://x.org/busy",
            MemoryResponse::new(503, "busy").header("Retry-After", "120"),
        ),
        ("https://x.org/empty", MemoryResponse::new(200, "")),
        ("https://x.org/none", MemoryResponse::new(204, "")),
    ]);
    for (path, note) in [
        ("https://x.org/404", "Notes: status 404 Not Found"),
        (
            "https://x.org/busy",
            "status 503 Service Unavailable; the server asks to wait 120 seconds",
        ),
        ("https://x.org/empty", "the body is empty"),
        ("https://x.org/none", "status 204 No Content"),
    ] {
        let page = reply(&mut world, path, &Options::default());
        let facts = page.answer.subject.web.as_ref().unwrap();
        assert_eq!(facts.method, Some(Method::Failed), "{path}");
        let [Block::Text(text), ..] = &*page.blocks else {
            panic!("{path}");
        };
        assert!(
            text.contains("Method: failed") && text.contains(note),
            "{text}"
        );
        assert!(
            page.structured
                .contains(&format!("\"status\":{}", facts.status))
        );
    }
    let (_, body) = shown(&mut world, "https://x.org/404");
    assert!(body.contains("Not here"), "{body}");
}

#[test]
fn unreachable_address_fails_with_its_reason() {
    let (mut world, http) = world(&[]);
    http.page(
        "https://x.org/hop",
        MemoryResponse::new(302, "").header("Location", "https://y.org/"),
    );
    for (path, url) in [
        ("https://x.org/a:5-9", "https://x.org/a"),
        ("https://x.org/hop", "https://y.org/"),
    ] {
        for dialect in Dialect::ALL {
            let refused = dialect.read(path, &exact(), &mut world).unwrap_err();
            let error = NetworkError::Connect("connection refused".to_owned());
            let url = url.to_owned();
            assert_eq!(
                refused.failure.reason,
                Reason::Network(Unreachable { url, error })
            );
            assert!(refused.failure.message.contains(path));
        }
    }
    world.web = None;
    let refused = Dialect::Omp
        .read("https://x.org/", &exact(), &mut world)
        .unwrap_err();
    assert!(
        refused.text.contains("no network access"),
        "{}",
        refused.text
    );
}

#[test]
fn later_pages_come_from_the_copy() {
    let long: String = (1..=900).map(|n| format!("line {n}\n")).collect();
    let (mut world, http) = world(&[("https://x.org/long", text(&long).header("ETag", "\"1\""))]);
    let page = reply(&mut world, "https://x.org/long", &Options::default());
    assert_eq!(page.answer.next().unwrap(), "https://x.org/long:301");
    http.page("https://x.org/long", text("new\n").header("ETag", "\"2\""));
    world.now += 200;
    let (head, body) = shown(&mut world, "https://x.org/long:301");
    assert!(
        body.contains("line 301") && head.contains("this copy was read 3 minutes ago"),
        "{head}"
    );
    assert_eq!(http.requests().len(), 1);
    let (_, body) = shown(&mut world, "https://x.org/long:1-2:fresh");
    assert!(body.contains("new"), "{body}");
    // The first page is validated.
    shown(&mut world, "https://x.org/long");
    let requests = http.requests();
    assert_eq!(
        requests.last().unwrap().header("if-none-match"),
        Some("\"2\"")
    );
}

#[test]
fn members_come_from_the_copy_of_the_archive() {
    let large = vec![b'x'; 300_000];
    let archive = zip(&[("a.txt", b"one\n"), ("b.txt", b"two\n"), ("large", &large)]);
    for (url, page) in [
        (
            "https://x.org/a.zip",
            MemoryResponse::new(200, archive.clone()),
        ),
        (
            "https://x.org/b.zip",
            MemoryResponse::new(200, archive.clone())
                .header("ETag", "\"1\"")
                .ranged(),
        ),
    ] {
        let (mut world, http) = world(&[(url, page)]);
        let (_, listing) = shown(&mut world, url);
        assert!(listing.contains("b.txt"), "{listing}");
        let before = http.requests().len();
        // The copy is used, whatever the server has now.
        http.page(url, text("gone"));
        let (_, body) = shown(&mut world, &format!("{url}:a.txt"));
        assert!(body.contains("one"), "{body}");
        let (head, body) = shown(&mut world, &format!("{url}:b.txt"));
        assert!(
            body.contains("two") && head.contains("copy"),
            "{head}{body}"
        );
        assert_eq!(http.requests().len(), before, "{url}");
    }
}

#[test]
fn port_is_not_a_selector() {
    let long: String = (1..=400).map(|n| format!("line {n}\n")).collect();
    let (mut world, _) = world(&[("http://long.example:8080/", text(&long))]);
    let page = reply(&mut world, "http://long.example:8080", &Options::default());
    assert_eq!(page.answer.next().unwrap(), "http://long.example:8080/:301");
    let (_, rest) = shown(&mut world, "http://long.example:8080/:301");
    assert!(rest.contains("line 301"), "{rest}");
    assert!(!page.answer.subject.editable());
    assert!(world.snapshots.is_empty());
}

#[test]
fn text_after_a_colon_is_a_member_if_there_is_no_such_page() {
    let archive = zip(&[("src/b.rs", b"fn main() {}\n")]);
    let (mut world, _) = world(&[
        ("https://x.org/wiki/Help:Contents", text("help\n")),
        ("https://x.org/get:src/b.rs", MemoryResponse::new(404, "no")),
        ("https://x.org/get", MemoryResponse::new(200, archive)),
    ]);
    let (_, body) = shown(&mut world, "https://x.org/wiki/Help:Contents");
    assert!(body.contains("help"));
    let (head, body) = shown(&mut world, "https://x.org/get:src/b.rs");
    assert!(body.contains("fn main"), "{body}");
    assert!(
        head.contains("has status 404, so the text after the colon is a member"),
        "{head}"
    );
}

#[test]
fn body_that_ends_early_is_shown_with_a_note() {
    let page = text("one\ntwo\n").header("Content-Length", "100");
    let page = page.fails(NetworkError::Timeout(15_000));
    let (mut world, _) = world(&[("https://x.org/slow", page)]);
    let (head, body) = shown(&mut world, "https://x.org/slow");
    assert!(body.contains("one\ntwo"), "{body}");
    assert!(
        head.contains("the body is incomplete: the server did not answer within 15000 ms"),
        "{head}"
    );
}

#[test]
fn member_of_a_remote_archive_takes_few_requests() {
    let noise: Vec<u8> = (0..3_000_000u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let names: Vec<String> = (0..10).map(|n| format!("f{n}")).collect();
    let members: Vec<(&str, &[u8])> = names
        .iter()
        .map(|name| (name.as_str(), noise.as_slice()))
        .collect();
    let mut members = members;
    members.insert(5, ("README.md", b"# Hello\n"));
    let archive = zip(&members);
    let size = archive.len();
    let page = MemoryResponse::new(200, archive)
        .header("ETag", "\"1\"")
        .ranged();
    let (mut world, http) = world(&[("https://x.org/x.zip", page)]);
    let (_, body) = shown(&mut world, "https://x.org/x.zip:README.md");
    assert!(body.contains("# Hello"), "{body}");
    assert!(
        size > 8 << 20 && http.requests().len() <= 4,
        "{}",
        http.requests().len()
    );
}

#[test]
fn tail_of_a_remote_log_takes_two_requests() {
    let log: String = (1..=1_000_000).map(|n| format!("line {n}\n")).collect();
    let page = text(&log).header("ETag", "\"1\"").ranged();
    let (mut world, http) = world(&[("https://x.org/app.log", page)]);
    let (_, body) = shown(&mut world, "https://x.org/app.log:-50");
    assert!(
        body.contains("line 999951") && body.contains("line 1000000"),
        "{body}"
    );
    assert_eq!(http.requests().len(), 2, "{:?}", http.requests());
    for dialect in Dialect::ALL {
        let before = http.requests().len();
        dialect
            .read("https://x.org/app.log:-50", &exact(), &mut world)
            .unwrap();
        assert!(http.requests().len() - before <= 2, "{dialect:?}");
    }
}

#[test]
fn head_of_a_large_text_does_not_read_all_of_it() {
    let log: String = (1..=3_000_000).map(|n| format!("line {n}\n")).collect();
    let page = text(&log).header("ETag", "\"1\"").ranged();
    let (mut world, http) = world(&[("https://x.org/app.log", page)]);
    for dialect in Dialect::ALL {
        let before = http.requests().len();
        dialect
            .read("https://x.org/app.log:1-5", &exact(), &mut world)
            .unwrap();
        assert!(http.requests().len() - before <= 2, "{dialect:?}");
    }
}

#[test]
fn whole_text_of_a_cut_page_is_an_artifact() {
    let items: String = (1..=400)
        .map(|n| format!("<p>Section {n} is short</p>"))
        .collect();
    let page = MemoryResponse::html(&format!("<html><body><main>{items}</main></body></html>"));
    let (mut world, _) = world(&[
        ("https://x.org/long", page),
        ("https://x.org/short", article("Title")),
    ]);
    let cut = reply(&mut world, "https://x.org/long", &Options::default());
    assert!(!cut.structured.contains("artifactId"));
    world.artifacts = Some(Vec::new());
    let cut = reply(&mut world, "https://x.org/long", &Options::default());
    assert!(
        cut.structured.contains("\"artifactId\":\"1\""),
        "{}",
        cut.structured
    );
    reply(&mut world, "https://x.org/short", &Options::default());
    let [(source, text)] = &*world.artifacts.unwrap() else {
        panic!("one artifact");
    };
    assert_eq!(source, "https://x.org/long");
    assert!(text.contains("Section 400"));
}

#[test]
fn conflicts_of_a_body_are_read() {
    let body = text("<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n");
    let (mut world, _) = world(&[("https://x.org/a.rs", body)]);
    for (selector, part) in [
        ("conflicts", ":conflict:1 lines 1-5: /ours `a`, /theirs `b`"),
        ("conflict:1", "======="),
        ("conflict:1/ours", "x\n"),
        ("conflict://1/theirs", "y\n"),
    ] {
        let (_, text) = shown(&mut world, &format!("https://x.org/a.rs:{selector}"));
        assert!(text.contains(part), "{selector}: {text}");
    }
    let (_, text) = shown(&mut world, "https://x.org/a.rs");
    assert!(
        text.contains("1 unresolved merge conflict in these lines"),
        "{text}"
    );
}
