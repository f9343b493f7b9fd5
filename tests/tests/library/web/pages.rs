//! Pages, and the other forms of them that a read tries.

use super::{Client, SENTENCE, article, one, paragraph, short_page};
use omniread_tests::web::{Page, Ranges, Site};

const FEED: &str = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>News</title>
    <link>http://example.com/</link><description>All news</description>
    <item><title>First item</title><link>http://example.com/1</link>
    <description>Text of the first item</description></item></channel></rss>";

#[test]
fn page_has_a_head_and_its_main_text() {
    let server = one(
        "/page",
        article("A title", "<p>See <a href=\"other\">the other</a>.</p>"),
    );
    let run = Client::of(&server).run(&server.url("/page"));
    let start = format!(
        "URL: {}\nContent-Type: text/html; charset=utf-8\nMethod: html\n",
        server.url("/page")
    );
    assert!(run.stdout.starts_with(&start), "{run:?}");
    assert!(run.stdout.contains("\n---\n"), "{run:?}");
    assert!(run.stdout.contains("## Second part"), "{run:?}");
    // Links are absolute.
    assert!(
        run.stdout.contains(&format!("]({})", server.url("/other"))),
        "{run:?}"
    );
    assert!(!run.stdout.contains("Notes:"), "{run:?}");
    assert!(!run.stdout.contains("Copyright of the footer"), "{run:?}");
    assert_eq!(server.targets(), ["/page"]);
}

#[test]
fn request_has_only_the_headers_that_it_needs() {
    let server = one("/page", article("A title", "").header("Set-Cookie", "id=1"));
    let client = Client::of(&server);
    client.read(&server.url("/page"));
    client.read(&server.url("/page"));
    for request in server.requests() {
        assert_eq!(request.method, "GET");
        assert_eq!(
            request.header("accept"),
            Some("text/markdown, text/html;q=0.9, */*;q=0.5")
        );
        assert_eq!(request.header("host"), Some(server.authority().as_str()));
        let agent = request.header("user-agent").unwrap_or_default();
        assert!(agent.starts_with("omniread/"), "{request:?}");
        for name in [
            "cookie",
            "referer",
            "authorization",
            "accept-language",
            "origin",
        ] {
            assert_eq!(request.header(name), None, "{request:?}");
        }
    }
    let client = client.option("--user-agent").option("other/1");
    server.forget();
    client.read(&server.url("/page"));
    assert_eq!(server.requests()[0].header("user-agent"), Some("other/1"));
}

#[test]
fn markdown_is_asked_for_and_shown_as_it_is() {
    let server = Site::new()
        .answer("/page", |request| {
            if request
                .header("accept")
                .is_some_and(|accept| accept.starts_with("text/markdown"))
            {
                Page::markdown("# From the server\n\n* one\n")
                    .header("x-markdown-tokens", "9")
                    .header("Content-Signal", "ai-input=yes, ai-train=no")
            } else {
                article("Title", "")
            }
        })
        .serve();
    let reply = Client::of(&server).read(&server.url("/page"));
    assert_eq!(reply.method(), "content-negotiation");
    assert!(
        reply.body.starts_with("# From the server\n\n* one"),
        "{reply:?}"
    );
    let stated = "the server counts 9 tokens; Content-Signal: ai-input=yes, ai-train=no";
    assert_eq!(reply.head("Notes"), stated, "{reply:?}");
    assert_eq!(server.targets(), ["/page"]);
}

#[test]
fn json_is_indented() {
    let json = Page::new("application/json", r#"{"b":[1,{"a":"x y"}],"n":1.50}"#);
    let server = one("/a.json", json);
    let reply = Client::of(&server).read(&server.url("/a.json"));
    assert_eq!(reply.method(), "json");
    assert!(reply.body.contains("\n  \"b\": [\n    1,\n"), "{reply:?}");
    assert!(reply.body.contains("\"n\": 1.50"), "{reply:?}");
    let raw = Client::of(&server).read(&server.url("/a.json:raw"));
    assert_eq!(raw.method(), "raw");
    assert!(
        raw.body.contains(r#"{"b":[1,{"a":"x y"}],"n":1.50}"#),
        "{raw:?}"
    );
}

#[test]
fn feed_is_converted() {
    let server = one("/feed.xml", Page::new("application/rss+xml", FEED));
    let reply = Client::of(&server).read(&server.url("/feed.xml"));
    assert_eq!(reply.method(), "feed");
    assert!(reply.body.contains("First item"), "{reply:?}");
    assert!(!reply.body.contains("<item>"), "{reply:?}");
}

#[test]
fn text_is_shown_as_it_is() {
    let server = one("/a.txt", Page::text("one\n  <b>two</b>\n"));
    let reply = Client::of(&server).read(&server.url("/a.txt"));
    assert_eq!(reply.method(), "text");
    assert!(reply.body.starts_with("one\n  <b>two</b>"), "{reply:?}");
}

#[test]
fn declared_markdown_is_shown_instead_of_the_page_and_reported() {
    let page = article("Title", "").header("Vary", "Accept");
    let link = "<link rel=alternate type=text/markdown href=/page.md>";
    let server = Site::new()
        .page("/page", article("Title", link))
        .page(
            "/page.md",
            Page::markdown(&format!("# Written for machines\n\n{}", paragraph())),
        )
        .page("/plain", page)
        .serve();
    let client = Client::of(&server);
    let reply = client.read(&server.url("/page"));
    assert_eq!(reply.method(), "alternate-markdown");
    assert!(
        reply.body.starts_with("# Written for machines"),
        "{reply:?}"
    );
    assert!(reply.notes().contains(&server.url("/page.md")), "{reply:?}");
    assert_eq!(server.targets(), ["/page", "/page.md"]);
    // The whole page is the page itself.
    let full = client.read(&server.url("/page:full"));
    assert!(full.body.contains("Copyright of the footer"), "{full:?}");
}

#[test]
fn declared_markdown_that_is_missing_leaves_the_page() {
    let link = "<link rel=alternate type=text/markdown href=/page.md>";
    let server = one("/page", article("Title", link));
    let reply = Client::of(&server).read(&server.url("/page"));
    assert_eq!(reply.method(), "html");
    assert!(reply.body.contains("Second part"), "{reply:?}");
    assert_eq!(server.targets(), ["/page", "/page.md"]);
}

#[test]
fn feed_of_a_page_is_used_only_if_the_page_has_no_text() {
    let link = "<link rel=alternate type=application/rss+xml href=/feed>";
    let server = Site::new()
        .page("/article", article("Title", link))
        .page(
            "/empty",
            Page::html(&format!(
                "<head><title>App</title>{link}</head><body><div id=app></div></body>"
            )),
        )
        .page("/feed", Page::new("application/rss+xml", FEED))
        .serve();
    let client = Client::of(&server);
    assert_eq!(client.read(&server.url("/article")).method(), "html");
    assert_eq!(server.targets(), ["/article"]);
    let reply = client.read(&server.url("/empty"));
    assert_eq!(reply.method(), "alternate-feed");
    assert!(reply.body.contains("First item"), "{reply:?}");
    assert!(reply.notes().contains(&server.url("/feed")), "{reply:?}");
}

#[test]
fn page_with_few_words_is_completed_by_its_markdown() {
    let server = Site::new()
        .page("/docs/a", short_page(""))
        .page(
            "/docs/a.md",
            Page::markdown(&format!("# More\n\n{}", paragraph())),
        )
        .serve();
    let reply = Client::of(&server).read(&server.url("/docs/a"));
    assert_eq!(reply.method(), "md-suffix");
    // It is shown after the page, and never instead of it.
    let page = reply.body.find("A few words.").expect("the page");
    let more = reply.body.find("# More").expect("its Markdown");
    assert!(page < more, "{reply:?}");
    assert!(
        reply.notes().contains(&server.url("/docs/a.md")),
        "{reply:?}"
    );
    assert_eq!(server.targets(), ["/docs/a", "/docs/a.md"]);
}

#[test]
fn page_with_few_words_is_completed_by_its_only_document() {
    let server = Site::new()
        .page(
            "/a",
            short_page("<a href=notes.txt>Notes</a> <a href=/b>Other</a>"),
        )
        .page("/notes.txt", Page::text(&SENTENCE.repeat(3)))
        .page(
            "/two",
            short_page("<a href=notes.txt>Notes</a> <a href=other.txt>Other</a>"),
        )
        .serve();
    let client = Client::of(&server);
    let reply = client.read(&server.url("/a"));
    assert_eq!(reply.method(), "linked-document");
    let page = reply.body.find("A few words.").expect("the page");
    let document = reply.body.find("ten words").expect("the document");
    assert!(page < document, "{reply:?}");
    assert!(
        reply.notes().contains(&server.url("/notes.txt")),
        "{reply:?}"
    );
    assert_eq!(server.targets(), ["/a", "/a.md", "/notes.txt"]);
    // It is not known which of two documents is meant.
    server.forget();
    let reply = client.read(&server.url("/two"));
    assert_eq!(reply.method(), "html");
    assert_eq!(server.targets(), ["/two", "/two.md", "/llms.txt"]);
}

#[test]
fn large_document_is_only_named() {
    let mut pdf = b"%PDF-1.7\n".to_vec();
    pdf.resize(5 << 20, b' ');
    let pdf = Page::new("application/pdf", pdf).etag("\"v1\"");
    let server = Site::new()
        .page("/a", short_page("<a href=large.pdf>Report</a>"))
        .page("/large.pdf", pdf.ranges(Ranges::Correct))
        .serve();
    let reply = Client::of(&server).read(&server.url("/a"));
    assert_eq!(reply.method(), "html");
    let note = format!(
        "the page links to the document {}",
        server.url("/large.pdf")
    );
    assert!(reply.notes().contains(&note), "{reply:?}");
    assert_eq!(server.targets(), ["/a", "/a.md", "/large.pdf", "/llms.txt"]);
}

#[test]
fn page_with_few_words_is_completed_by_llms_txt() {
    let server = Site::new()
        .page("/a", short_page(""))
        .page(
            "/llms.txt",
            Page::text(&format!("# Site\n\n{}", paragraph())),
        )
        .serve();
    let reply = Client::of(&server).read(&server.url("/a"));
    assert_eq!(reply.method(), "llms.txt");
    let page = reply.body.find("A few words.").expect("the page");
    let site = reply.body.find("# Site").expect("the file");
    assert!(page < site, "{reply:?}");
    assert!(reply.notes().contains("llms.txt"), "{reply:?}");
}

#[test]
fn read_sends_at_most_four_requests() {
    let links = "<link rel=alternate type=text/markdown href=/m.md>
        <link rel=alternate type=application/rss+xml href=/feed><a href=/d.txt>Document</a>";
    let server = one("/a", short_page(links));
    let reply = Client::of(&server).read(&server.url("/a"));
    assert_eq!(reply.method(), "html");
    assert!(reply.body.contains("A few words."), "{reply:?}");
    let targets = server.targets();
    assert!(targets.len() <= 4, "{targets:?}");
    assert_eq!(targets[0], "/a");
}

#[test]
fn pages_with_enough_words_need_one_request() {
    let server = one("/a", article("Title", "<a href=/d.pdf>Document</a>"));
    Client::of(&server).read(&server.url("/a"));
    assert_eq!(server.targets(), ["/a"]);
}

#[test]
fn other_form_that_is_a_page_of_errors_is_not_shown() {
    // Servers of applications answer every address with the same page.
    let server = Site::new()
        .page("/a", short_page(""))
        .page(
            "/a.md",
            Page::html(&format!("<p>Not the Markdown. {}", paragraph())),
        )
        .page(
            "/llms.txt",
            Page::html(&format!("<p>Not the Markdown. {}", paragraph())),
        )
        .serve();
    let reply = Client::of(&server).read(&server.url("/a"));
    assert_eq!(reply.method(), "html");
    assert!(!reply.body.contains("Not the Markdown"), "{reply:?}");
}

#[test]
fn page_that_only_redirects_names_its_target() {
    let server = Site::new()
        .page(
            "/a",
            Page::html("<meta http-equiv=refresh content='0; url=/b'><p>Moved."),
        )
        .page("/b", article("Target", ""))
        .serve();
    let reply = Client::of(&server).read(&server.url("/a"));
    let run = Client::of(&server).run(&server.url("/a"));
    assert!(run.stdout.contains(&server.url("/b")), "{run:?}");
    assert!(!reply.body.contains("ten words"), "{reply:?}");
    assert!(
        server.targets().iter().all(|target| target != "/b"),
        "{:?}",
        server.targets()
    );
}

#[test]
fn details_have_the_names_of_the_contract() {
    let server = Site::new()
        .page("/old", Page::redirect(301, "/page"))
        .page("/page", article("Title", ""))
        .serve();
    let details = Client::of(&server).details(&server.url("/old"));
    assert_eq!(details["status"], 200, "{details}");
    assert_eq!(details["url"], server.url("/old"), "{details}");
    assert_eq!(details["final_url"], server.url("/page"), "{details}");
    assert_eq!(
        details["content_type"], "text/html; charset=utf-8",
        "{details}"
    );
    assert_eq!(details["method"], "html", "{details}");
}

#[test]
fn long_page_names_the_path_that_continues() {
    let lines: String = (0..500)
        .map(|n| format!("<p>Paragraph {n} of a long page.</p>"))
        .collect();
    let server = one("/long", article("Long", &lines));
    let client = Client::of(&server);
    let first = client.run(&server.url("/long"));
    assert!(!first.stdout.contains("Paragraph 400 "), "{first:?}");
    let details = client.details(&server.url("/long"));
    let next = details["next"].as_str().expect("a path");
    assert!(next.starts_with(&server.url("/long:")), "{next}");
    // Without a session, the page is fetched again, and the notice says so.
    assert!(
        first.stdout.contains("again"),
        "{}",
        &first.stdout[first.stdout.len() - 300..]
    );
    let second = client.read(next);
    assert!(second.body.contains("Paragraph 200 "), "{second:?}");
}

#[test]
fn all_dialects_read_web_addresses() {
    let server = Site::new()
        .page("/a", article("Title", ""))
        .page("/long.txt", Page::text(&omniread_tests::numbered(5000)))
        .serve();
    let client = Client::of(&server);
    let grant = ["--allow-net", &server.authority()];
    for (dialect, name, window) in [
        ("omp", "path", None),
        ("gateway", "filePath", Some(("offset", 99, "limit", 2))),
        ("comma", "path", Some(("startLine", 100, "endLine", 101))),
        ("gemini", "absolute_path", Some(("offset", 99, "limit", 2))),
        ("claude", "file_path", Some(("offset", 100, "limit", 2))),
    ] {
        let arguments = serde_json::json!({ name: server.url("/a") }).to_string();
        let run = client
            .cli
            .run(&[grant[0], grant[1], "call", dialect, &arguments]);
        assert_eq!(run.code, Some(0), "{dialect}: {run:?}");
        assert!(run.stdout.contains("ten words"), "{dialect}: {run:?}");
        assert!(run.stdout.contains("Second part"), "{dialect}: {run:?}");
        let Some((first, start, second, end)) = window else {
            continue;
        };
        let arguments =
            serde_json::json!({ name: server.url("/long.txt"), first: start, second: end });
        let arguments = arguments.to_string();
        let run = client
            .cli
            .run(&[grant[0], grant[1], "call", dialect, &arguments]);
        assert_eq!(run.code, Some(0), "{dialect}: {run:?}");
        assert!(run.stdout.contains("line 100"), "{dialect}: {run:?}");
        assert!(!run.stdout.contains("line 200"), "{dialect}: {run:?}");
    }
}
