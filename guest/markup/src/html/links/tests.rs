use super::AlternateKind::{Feed, Markdown};
use super::*;
use crate::html::{Extent, Options, page};

const PAGE: &str = "https://x.org/a/page.html";

fn links_of(html: &str, extent: Extent<'_>) -> Links {
    let options = Options {
        extent,
        url: Some(PAGE),
    };
    page(html, &options).unwrap().links
}

fn links(html: &str) -> Links {
    links_of(html, Extent::Main)
}

fn alternate(kind: AlternateKind, url: &str, title: Option<&str>) -> Alternate {
    Alternate {
        kind,
        url: url.to_owned(),
        title: title.map(str::to_owned),
    }
}

#[test]
fn alternates_have_their_kind_address_and_title() {
    let html =
        "<head><link rel=alternate type='application/rss+xml' href=/feed title=' Our\n feed '>
        <link rel='alternate nofollow' type='Text/Markdown; charset=utf-8' href=page.md>
        <link rel=ALTERNATE type=text/x-markdown href=//y.org/b>
        <link rel=alternate type=text/plain href=page.md?raw=1>
        <link rel=alternate type=application/atom+xml href=atom.xml hreflang=de title=''>
        <link rel=alternate type=application/feed+json href=feed.json>";
    assert_eq!(
        links(html).alternates,
        [
            alternate(Feed, "https://x.org/feed", Some("Our feed")),
            alternate(Markdown, "https://x.org/a/page.md", None),
            alternate(Markdown, "https://y.org/b", None),
            alternate(Markdown, "https://x.org/a/page.md?raw=1", None),
            alternate(Feed, "https://x.org/a/atom.xml", None),
            alternate(Feed, "https://x.org/a/feed.json", None),
        ]
    );
}

#[test]
fn other_links_are_not_alternates() {
    for html in [
        "<link rel=alternate hreflang=de href=/de>",
        "<link rel=alternate media=handheld type=text/html href=/m>",
        "<link rel=alternate type=text/plain href=a.txt>",
        "<link rel=alternate type=application/json+oembed href=o>",
        "<link rel='alternate stylesheet' type=text/markdown href=a>",
        "<link rel=canonical type=text/markdown href=a>",
        "<link rel=alternate type=text/markdown>",
        "<link rel=alternate type=text/markdown href=''>",
        "<link rel=alternate type=text/markdown href='javascript:x'>",
        "<link rel=alternate type=text/markdown href='file:///etc/passwd'>",
        "<link rel=alternate type=text/markdown href='mailto:a@x.org'>",
        "<link rel=alternate type=text/markdown href='#top'>",
        "<link rel=alternate type=text/markdown href='page.html#top'>",
        "<template><link rel=alternate type=text/markdown href=a.md></template>",
        "<!-- <link rel=alternate type=text/markdown href=a.md> -->",
    ] {
        assert_eq!(links(html).alternates, [], "{html}");
    }
}

#[test]
fn number_of_alternates_is_limited() {
    let html: String = (0..100)
        .map(|n| format!("<link rel=alternate type=text/markdown href={n}.md>"))
        .collect();
    let found = links(&html).alternates;
    assert_eq!(found.len(), limits::ALTERNATES);
    assert_eq!(found[15].url, "https://x.org/a/15.md");
}

#[test]
fn addresses_are_relative_to_the_declared_base() {
    let html = "<base href=/b/><link rel=alternate type=text/markdown href=c.md>
        <p><a href=d.pdf>d</a><meta http-equiv=refresh content='0;url=e'>";
    let found = links(html);
    assert_eq!(found.alternates[0].url, "https://x.org/b/c.md");
    assert_eq!(found.documents, ["https://x.org/b/d.pdf"]);
    assert_eq!(found.refresh.as_deref(), Some("https://x.org/b/e"));
}

#[test]
fn local_page_has_only_absolute_addresses() {
    let html = "<link rel=alternate type=text/markdown href=c.md><p><a href=d.pdf>d</a>
        <a href=https://x.org/e.pdf>e</a>";
    let found = page(html, &Options::default()).unwrap().links;
    assert_eq!(found.alternates, []);
    assert_eq!(found.documents, ["https://x.org/e.pdf"]);
}

#[test]
fn linked_and_embedded_documents_are_found_once() {
    for (html, expected) in [
        ("<a href=a.pdf>a</a>", vec!["https://x.org/a/a.pdf"]),
        (
            "<a href='a.PDF?b=1#page=2'>a</a><a href='a.PDF?b=1'>a</a>",
            vec!["https://x.org/a/a.PDF?b=1"],
        ),
        ("<iframe src=a.pdf></iframe>", vec!["https://x.org/a/a.pdf"]),
        ("<embed src=/a.docx>", vec!["https://x.org/a.docx"]),
        (
            "<object data=a.epub>none</object>",
            vec!["https://x.org/a/a.epub"],
        ),
        (
            "<a href=a.csv>a</a><a href=b.md>b</a><a href=c.xlsx>c</a>",
            vec!["https://x.org/a/a.csv", "https://x.org/a/b.md"],
        ),
        ("<a href=a.html>a</a><a href=b.zip>b</a>", vec![]),
        ("<a href='b?file=a.pdf'>a</a><a href=.pdf>b</a>", vec![]),
        ("<a href=https://example.md>a</a>", vec![]),
        ("<a href='file:///a.pdf'>a</a>", vec![]),
        ("<a href='ftp://x.org/a.pdf'>a</a>", vec![]),
        ("<!--<a href=a.pdf>a</a>--><p>b", vec![]),
        ("<template><a href=a.pdf>a</a></template><p>b", vec![]),
        ("<p hidden><a href=a.pdf>a</a><p>b", vec![]),
    ] {
        assert_eq!(links(html).documents, expected, "{html}");
    }
}

#[test]
fn page_that_is_a_document_by_its_name_does_not_link_to_itself() {
    let options = Options {
        extent: Extent::Main,
        url: Some("https://x.org/README.md"),
    };
    let html = "<h2><a href='#a'>A</a></h2><p><a href=README.md>b</a> <a href=OTHER.md>c</a>";
    let found = page(html, &options).unwrap().links;
    assert_eq!(found.documents, ["https://x.org/OTHER.md"]);
}

#[test]
fn documents_around_the_main_text_are_left_out() {
    let article =
        "<p>This is a long sentence of an article, with commas, and with words.".repeat(20);
    let html = format!(
        "<body><nav><ul><li><a href=terms.pdf>Terms</a><li><a href=/b>B</a></ul></nav>
         <main><article><h1>Title</h1>{article}<p>See <a href=report.pdf>the report</a>, which has
         all figures.</article></main><footer><a href=privacy.pdf>Privacy</a></footer>"
    );
    assert_eq!(links(&html).documents, ["https://x.org/a/report.pdf"]);
    assert_eq!(
        links_of(&html, Extent::Full).documents,
        ["https://x.org/a/terms.pdf", "https://x.org/a/report.pdf"]
    );
}

#[test]
fn redirect_of_the_page_is_reported() {
    for (content, expected) in [
        ("0; url=b", Some("https://x.org/a/b")),
        ("0;URL='/b c'", Some("https://x.org/b c")),
        ("5, https://y.org/", Some("https://y.org/")),
        (" 3.9 ; url = \"b\" x", Some("https://x.org/a/b")),
        (".5 url=b", Some("https://x.org/a/b")),
        ("0; urls=b", Some("https://x.org/a/urls=b")),
        ("6; url=b", None),
        ("99999999999; url=b", None),
        ("0", None),
        ("0;", None),
        ("0; url=", None),
        ("0x; url=b", None),
        ("url=b", None),
        ("", None),
        ("0; url=page.html#a", None),
        ("0; url=javascript:alert(1)", None),
        ("0; url=file:///etc/passwd", None),
    ] {
        let html = format!(
            "<meta http-equiv=Refresh content='{}'><p>a",
            content.replace('\'', "&#39;")
        );
        assert_eq!(links(&html).refresh.as_deref(), expected, "{content}");
    }
    let without_scripts = "<noscript><meta http-equiv=refresh content='0;url=b'></noscript><p>a";
    assert!(links(without_scripts).refresh.is_some());
    let template = "<template><meta http-equiv=refresh content='0;url=b'></template><p>a";
    assert_eq!(links(template).refresh, None);
}

#[test]
fn words_of_the_shown_text_are_counted() {
    let html = "<title>No word</title><h1>One two</h1><p>three <a href=https://x.org/a/b>four</a>
        <img alt='a red house' src=a.png><p hidden>hidden</p><script>no text</script>";
    assert_eq!(links(html).words, 4);
    assert_eq!(links("<p>今天天气很好。").words, 3);
    assert_eq!(links("").words, 0);
    let long = format!("<p>{}", "word ".repeat(3000));
    assert_eq!(links(&long).words, limits::COUNTED_WORDS);
}

proptest::proptest! {
    #[test]
    fn any_content_of_a_redirect_is_accepted(content in "[0-9;, url='\".é]{0,20}|.{0,20}") {
        if let Some((_, address)) = redirect(&content) {
            proptest::prop_assert!(content.contains(address));
        }
    }
}
