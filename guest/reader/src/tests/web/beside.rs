//! Tests of pages with other forms.

use super::*;

fn short(head: &str, body: &str) -> MemoryResponse {
    MemoryResponse::html(&format!(
        "<html><head>{head}</head><body><main>{body}</main></body></html>"
    ))
}

fn words(count: usize) -> String {
    "word ".repeat(count)
}

fn urls(http: &MemoryHttp) -> Vec<String> {
    http.requests().into_iter().map(|it| it.url).collect()
}

#[test]
fn declared_markdown_is_shown_with_a_note() {
    let link = "<link rel=alternate type=text/markdown href=/page.md>";
    let (mut world, http) = world(&[
        ("https://x.org/page", short(link, &words(200))),
        (
            "https://x.org/page.md",
            MemoryResponse::new(200, "# From Markdown\n").header("Content-Type", "text/markdown"),
        ),
    ]);
    let (head, body) = shown(&mut world, "https://x.org/page");
    assert!(head.contains("Method: alternate-markdown"), "{head}");
    assert!(
        head.contains("https://x.org/page.md; `:full` shows the page itself"),
        "{head}"
    );
    assert!(body.contains("# From Markdown"), "{body}");
    assert_eq!(urls(&http), ["https://x.org/page", "https://x.org/page.md"]);
    assert_eq!(method(&mut world, "https://x.org/page:full"), Method::Html);
}

#[test]
fn alternate_of_another_site_is_not_requested() {
    let link = "<link rel=alternate type=text/markdown href=https://other.example/page.md>";
    let (mut world, http) = world(&[("https://x.org/page", short(link, &words(200)))]);
    assert_eq!(method(&mut world, "https://x.org/page"), Method::Html);
    assert_eq!(urls(&http), ["https://x.org/page"]);
}

#[test]
fn feed_replaces_only_a_page_without_text() {
    let link = "<link rel=alternate type=application/rss+xml href=/feed>";
    let feed = "<rss version=\"2.0\"><channel><title>News</title><item><title>One</title><description>Two three</description></item></channel></rss>";
    let (mut world, _) = world(&[
        ("https://x.org/empty", short(link, "<div id=app></div>")),
        ("https://x.org/page", short(link, &words(200))),
        (
            "https://x.org/feed",
            MemoryResponse::new(200, feed).header("Content-Type", "application/rss+xml"),
        ),
    ]);
    assert_eq!(
        method(&mut world, "https://x.org/empty"),
        Method::AlternateFeed
    );
    assert_eq!(method(&mut world, "https://x.org/page"), Method::Html);
}

#[test]
fn feed_of_a_short_page_is_named() {
    let link = "<link rel=alternate type=application/rss+xml href=/feed>";
    let (mut world, http) = world(&[
        ("https://x.org/page", short(link, "Few words")),
        ("https://x.org/long", short(link, &words(200))),
    ]);
    let (head, _) = shown(&mut world, "https://x.org/page");
    assert!(
        head.contains("the page declares the feed https://x.org/feed"),
        "{head}"
    );
    assert!(!urls(&http).contains(&"https://x.org/feed".to_owned()));
    let (head, _) = shown(&mut world, "https://x.org/long");
    assert!(!head.contains("the feed"), "{head}");
}

#[test]
fn short_page_is_followed_by_its_markdown() {
    let (mut world, http) = world(&[
        ("https://x.org/page", short("", "Few words")),
        (
            "https://x.org/page.md",
            MemoryResponse::new(200, words(300)).header("Content-Type", "text/markdown"),
        ),
    ]);
    let (head, body) = shown(&mut world, "https://x.org/page");
    assert!(head.contains("Method: md-suffix"), "{head}");
    assert!(
        head.contains("only 2 words; after it follows its Markdown form"),
        "{head}"
    );
    assert!(
        body.contains("Few words") && body.contains("word word"),
        "{body}"
    );
    assert_eq!(http.requests().len(), 2);
}

#[test]
fn short_page_is_followed_by_its_only_document() {
    let (mut world, _) = world(&[
        (
            "https://x.org/",
            short("", "See <a href=/r.csv>the table</a>"),
        ),
        (
            "https://x.org/r.csv",
            MemoryResponse::new(200, "a,b\n".to_owned() + &words(50))
                .header("Content-Type", "text/csv"),
        ),
    ]);
    let (head, body) = shown(&mut world, "https://x.org/");
    assert!(head.contains("Method: linked-document"), "{head}");
    assert!(body.contains("the table") && body.contains("a,b"), "{body}");
}

#[test]
fn short_page_is_followed_by_llms_txt_and_four_requests_are_the_limit() {
    let (mut world, http) = world(&[
        (
            "https://x.org/page",
            short("", "Few <a href=/r.pdf>words</a>"),
        ),
        ("https://x.org/page.md", MemoryResponse::new(404, "no")),
        ("https://x.org/r.pdf", MemoryResponse::new(403, "no")),
        ("https://x.org/llms.txt", text(&words(50))),
    ]);
    let (head, body) = shown(&mut world, "https://x.org/page");
    assert!(head.contains("Method: llms.txt"), "{head}");
    assert!(
        head.contains("tried https://x.org/page.md (status 404), https://x.org/r.pdf (status 403)"),
        "{head}"
    );
    assert!(body.contains("Few") && body.contains("word word"), "{body}");
    assert_eq!(http.requests().len(), 4);
    // Later lines are those of the same text.
    shown(&mut world, "https://x.org/page:2");
    assert_eq!(http.requests().len(), 4);
}

#[test]
fn nothing_else_is_requested_for_failed_and_raw_pages() {
    let (mut world, http) = world(&[
        ("https://x.org/page", short("", "Few words")),
        (
            "https://x.org/gone",
            MemoryResponse::new(410, "<html><body>Gone").header("Content-Type", "text/html"),
        ),
    ]);
    for path in [
        "https://x.org/page:raw",
        "https://x.org/page:full",
        "https://x.org/gone",
    ] {
        shown(&mut world, path);
    }
    assert_eq!(http.requests().len(), 3);
}
