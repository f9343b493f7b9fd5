use super::*;

fn converted(text: &str) -> Converted {
    convert(text, None).expect("a feed")
}

fn fact<'a>(converted: &'a Converted, name: &str) -> Option<&'a str> {
    let mut facts = converted.metadata.iter();
    facts
        .find(|(one, _)| *one == name)
        .map(|(_, value)| value.as_str())
}

const RSS: &str = r#"<?xml version="1.0"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">
<channel>
<title>Feed &amp; title</title><link>https://h/</link><description>Sub
title</description><language>en</language><lastBuildDate>Sat, 07 Sep 2002 00:00:01 GMT</lastBuildDate>
<item><title>One [1]</title><link>/a(b)</link><pubDate>Fri, 01 Mar 2024 10:00:00 GMT</pubDate>
<author>me@example.com (Me)</author><category>a</category><category>b</category>
<description>plain</description>
<enclosure url="https://h/e/name.mp3?x=1" type="audio/mpeg" length="3355443"/><itunes:duration>1880</itunes:duration>
<comments>https://h/c</comments></item>
<item><description>No title here</description></item>
</channel></rss>"#;

#[test]
fn rss_has_title_facts_and_items() {
    let feed = converted(RSS);
    let expected_start = "# Feed & title\n\nSub title\n\n## [One \\[1\\]](https://h/a%28b%29)\n\n\
        2024-03-01T10:00:00Z · Me (me@example.com) · tags: a, b\n\n";
    assert!(feed.text.starts_with(expected_start), "{}", feed.text);
    let enclosure = "Enclosure: [name.mp3](https://h/e/name.mp3?x=1) (audio/mpeg, 3.2MB, 31:20)\nComments: https://h/c";
    assert!(feed.text.contains(enclosure), "{}", feed.text);
    assert!(feed.text.ends_with("## No title here"), "{}", feed.text);
    assert_eq!(fact(&feed, "format"), Some("RSS 2.0"));
    assert_eq!(fact(&feed, "items"), Some("2"));
    assert_eq!(fact(&feed, "updated"), Some("2002-09-07T00:00:01Z"));
    assert_eq!(feed.notes, Vec::<String>::new());
}

#[test]
fn damaged_feed_is_read_with_notes() {
    let feed = converted(
        "junk<?xml version='1.0'?><!DOCTYPE rss [<!ENTITY x 'y'>]><rss><channel><title>a & b &eacute; &x; 1 < 2</title><item><title>c<link>http://h/</link><description>d",
    );
    assert!(
        feed.text
            .starts_with("# a & b é &x; 1 < 2\n\n## [c](http://h/)\n\n"),
        "{}",
        feed.text
    );
    assert_eq!(feed.notes.len(), 2, "{:?}", feed.notes);
}

#[test]
fn excerpt_of_the_content_is_not_shown() {
    let source = "<rss xmlns:content='http://purl.org/rss/1.0/modules/content/'><channel><item><title>t</title>\
        <description><![CDATA[<p>One two four five [&#8230;]</p><p>The post <a>t</a> appeared first on <a>s</a>.</p>]]>\
        </description><content:encoded><![CDATA[<p>One two</p><figure><img src='http://h/i.png'><figcaption>Three\
        </figcaption></figure><p>four five six.</p>]]></content:encoded></item></channel></rss>";
    let text = converted(source).text;
    assert_eq!(text.matches("four").count(), 1, "{text}");
    assert!(text.contains("six") && !text.contains("first on"), "{text}");
    let source = source.replace(
        "<p>One two four",
        "<img src='http://h/j.png'><p>One two four",
    );
    let text = converted(&source).text;
    assert_eq!(text.matches("four").count(), 1, "{text}");
    assert!(text.contains("Image: http://h/j.png"), "{text}");
}

#[test]
fn summary_that_repeats_the_content_is_shown_once() {
    let item = |summary: &str| {
        let source = format!(
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>t</title><summary>{summary}</summary>\
             <content type='html'>&lt;p>One two three.&lt;/p></content></entry></feed>"
        );
        converted(&source).text
    };
    assert_eq!(item("One two...").matches("One").count(), 1);
    assert_eq!(item("One of them").matches("One").count(), 2);
}

#[test]
fn image_of_summary_that_is_left_out_is_shown_besides_that_of_the_item() {
    let source = "<rss xmlns:media='http://search.yahoo.com/mrss/'><channel><item><title>t</title>\
        <description>&lt;img src='http://h/j.png'>One two [...]</description>\
        <description>One two three.</description><media:thumbnail url='http://h/i.png'/></item></channel></rss>";
    let text = converted(source).text;
    assert_eq!(text.matches("One").count(), 1, "{text}");
    assert!(text.contains("Image: http://h/i.png"), "{text}");
    assert!(text.contains("Image: http://h/j.png"), "{text}");
}

#[test]
fn many_texts_of_an_item_are_compared_in_linear_time() {
    // Each of 100 000 texts would be compared with those before it.
    let texts: String = (0..100_000)
        .map(|number| format!("<description>a b c{number} d… [...]</description>"))
        .collect();
    let feed = converted(&format!("<rss><item><title>A</title>{texts}</item></rss>"));
    let count = feed.text.matches("a b c").count();
    assert_eq!(count, crate::limits::ITEM_FACTS + 1);
}

#[test]
fn description_equal_to_the_title_is_not_shown() {
    let feed =
        converted("<rss><item><title>A, b</title><description>A b.</description></item></rss>");
    assert_eq!(feed.text, "## A, b");
}

#[test]
fn texts_cannot_imitate_headings() {
    let source = "<rss><channel><description># a</description><item><title>b\n## c</title>\
        <author># d</author><description>&lt;p>e&lt;/p>&lt;h1>f&lt;/h1></description></item></channel></rss>";
    let expected = "\\# a\n\n## b ## c\n\n\\# d\n\ne\n\n### f";
    assert_eq!(converted(source).text, expected);
}

#[test]
fn json_feed_is_read() {
    let feed = converted(
        r#"{"version": "https://jsonfeed.org/version/1.1", "title": "T", "home_page_url": "https://h/",
        "items": [{"id": 1, "url": "a", "content_text": "x", "date_published": "2024-01-02T03:04:05-06:00",
        "authors": [{"name": "N"}], "attachments": [{"url": "b.mp3", "mime_type": "audio/mpeg", "duration_in_seconds": 61}]}]}"#,
    );
    let expected = "# T\n\n## [x](https://h/a)\n\n2024-01-02T03:04:05-06:00 · N\n\nEnclosure: [b.mp3](https://h/b.mp3) (audio/mpeg, 1:01)";
    assert_eq!(feed.text, expected);
    assert_eq!(convert("{\"version\": 1}", None), None);
}

#[test]
fn opml_is_a_nested_list() {
    let source = "<opml version='2.0'><head><title>T</title></head><body><outline text='A'>\
        <outline text='B' xmlUrl='https://h/b'/></outline><outline title='C' htmlUrl='https://h/c'/></body></opml>";
    assert_eq!(
        converted(source).text,
        "# T\n\n- A\n  - [B](https://h/b)\n- [C](https://h/c)"
    );
}

#[test]
fn sitemap_is_a_list_of_links() {
    let source = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://h/a</loc>\
        <lastmod>2024-01-02</lastmod></url><url><loc> https://h/b?c&amp;d </loc></url></urlset>";
    let feed = converted(source);
    assert_eq!(feed.text, "- https://h/a · 2024-01-02\n- https://h/b?c&d");
    assert_eq!(fact(&feed, "items"), Some("2"));
}

#[test]
fn other_xml_is_not_a_feed() {
    for source in ["<a/>", "<feed xmlns='urn:x'/>", "<rdf:RDF/>", "text", ""] {
        assert_eq!(convert(source, None), None, "{source}");
    }
}

#[test]
fn deep_and_large_feeds_are_bounded() {
    let deep = format!("<rss><channel>{}", "<item><a xml:base='b/'>".repeat(50_000));
    converted(&deep);
    let wide = format!("<rss><channel><item {}>", "a='b' ".repeat(100_000));
    converted(&wide);
    let many = format!(
        "<rss><channel>{}</channel></rss>",
        "<item/>".repeat(crate::limits::FEED_ITEMS + 5)
    );
    let feed = converted(&many);
    assert_eq!(feed.notes, ["10000 of 10005 items are shown"]);
}

proptest::proptest! {
    #[test]
    fn any_text_is_accepted(parts in proptest::collection::vec(proptest::sample::select(&[
        "<rss>", "<channel>", "<item>", "<title>", "</title>", "<link href='x'/>", "<description>", "</item>", "&amp;",
        "&lt;p>", "<![CDATA[", "]]>", "<feed>", "<entry>", "<author><name>", "<media:group>", "<!--", "x", "\u{0}", "é",
        "<opml>", "<outline text='a'>", "<urlset>", "<url><loc>a",
    ][..]), 0..40)) {
        let source = parts.concat();
        for prefix in ["<rss>", "<feed xmlns='http://www.w3.org/2005/Atom'>", "<opml>", "<urlset>"] {
            let source = format!("{prefix}{source}");
            let converted = convert(&source, Some("http://h/")).expect("a feed");
            proptest::prop_assert!(converted.text.len() <= 200 * source.len() + 1000);
        }
    }
}
