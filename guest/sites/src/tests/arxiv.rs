//! Replies after <https://info.arxiv.org/help/api/user-manual.html> (3.3, outline of an Atom feed).

use super::{Case, found, page, unknown};
use crate::canned::Canned;
use crate::handler::Found;
use crate::service::Fault;

const API: &str = "https://export.arxiv.org/api/query?id_list=hep-ex/0307015";

const FEED: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title xmlns="http://www.w3.org/2005/Atom">ArXiv Query: id_list=hep-ex/0307015</title>
  <id xmlns="http://www.w3.org/2005/Atom">http://arxiv.org/api/x</id>
  <entry xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">
    <id>http://arxiv.org/abs/hep-ex/0307015v2</id>
    <published>2003-07-07T13:46:39-04:00</published>
    <updated>2003-08-07T13:46:39-04:00</updated>
    <title>Jets &amp; bosons
      at HERA</title>
    <summary>  Measurements of
# jets with Q^2 &gt; 5.
</summary>
    <author><name>A. One</name><arxiv:affiliation>H1</arxiv:affiliation></author>
    <author><name>B. Two</name></author>
    <author/>
    <arxiv:comment>23 pages</arxiv:comment>
    <arxiv:unknown>x</arxiv:unknown>
    <arxiv:journal_ref/>
    <link href="http://arxiv.org/abs/hep-ex/0307015v2" rel="alternate" type="text/html"/>
    <arxiv:primary_category term="hep-ex" scheme="http://arxiv.org/schemas/atom"/>
    <category term="hep-ex" scheme="http://arxiv.org/schemas/atom"/>
    <category term='hep-ph'/>
  </entry>
</feed>"#;

pub fn cases() -> Vec<Case> {
    vec![Case {
        url: "https://arxiv.org/abs/hep-ex/0307015",
        json: vec![],
        html: vec![(API, FEED)],
    }]
}

#[test]
fn abstract_has_its_facts() {
    let (page, urls) = cases()[0].page();
    let expected = "# Jets & bosons at HERA

- arXiv: hep-ex/0307015v2
- Authors: A. One (H1), B. Two
- Published: 2003-07-07
- Updated: 2003-08-07
- Primary category: hep-ex
- Categories: hep-ex, hep-ph
- Comment: 23 pages
- HTML: https://arxiv.org/html/hep-ex/0307015v2
- PDF: https://arxiv.org/pdf/hep-ex/0307015v2
- Versions: this is v2; https://arxiv.org/abs/hep-ex/0307015v1 is the first

## Abstract

Measurements of # jets with Q^2 > 5.
";
    assert_eq!(page.markdown, expected);
    assert_eq!(urls, [API]);
}

#[test]
fn feed_that_is_cut_is_a_fault() {
    let whole = FEED.find("</entry>").expect("an entry") + "</entry>".len();
    let expected = Found::Page(cases()[0].page().0);
    for end in 0..FEED.len() {
        let mut service =
            Canned::default().body(API, "application/atom+xml", &FEED.as_bytes()[..end]);
        match found(cases()[0].url, &mut service) {
            Some(Err(_)) => assert!(end < whole, "{end}"),
            Some(Ok(page)) => assert!(end >= whole && page == expected, "{end}"),
            None => panic!("{end}"),
        }
    }
}

#[test]
fn entry_without_a_field_is_a_page() {
    // Each element in turn is missing.
    for name in [
        "published",
        "title",
        "summary",
        "author",
        "arxiv:comment",
        "category",
    ] {
        let feed = FEED.replace(&format!("<{name}"), "<other");
        let mut service = Canned::default().body(API, "application/atom+xml", feed.as_bytes());
        let page = page(cases()[0].url, &mut service);
        assert!(
            page.markdown.contains("## Abstract\n\n") && page.markdown.len() > 200,
            "{name}"
        );
    }
}

#[test]
fn another_article_or_reply_is_wrong() {
    let answer = |id: &str, reply: &str| {
        let url = format!("https://export.arxiv.org/api/query?id_list={id}");
        let mut service = Canned::default().body(&url, "text/html", reply.as_bytes());
        found(&format!("https://arxiv.org/abs/{id}"), &mut service)
    };
    let wrong = |text: &str| Some(Err(Fault::Wrong(text.to_owned())));
    assert_eq!(
        answer("2401.00001", FEED),
        wrong("Jets & bosons at HERA instead of 2401.00001")
    );
    assert_eq!(
        answer("hep-ex/0307015v1", FEED),
        wrong("Jets & bosons at HERA instead of hep-ex/0307015v1")
    );
    assert_eq!(
        answer("2401.00001", "<html>"),
        wrong("text/html instead of Atom")
    );
    let missing = Fault::Missing("https://arxiv.org/abs/2401.00001".to_owned());
    assert_eq!(answer("2401.00001", "<feed></feed>"), Some(Err(missing)));
    let error =
        "<feed><entry><id>http://arxiv.org/api/errors#x</id><title>Error</title></entry></feed>";
    assert_eq!(
        answer("2401.00001", error),
        wrong("Error instead of 2401.00001")
    );
    // The class of a subject may be left out.
    let feed = FEED.replace("hep-ex/0307015v2", "math/0309136v1");
    assert!(answer("math.GT/0309136", &feed).is_some_and(|it| it.is_ok()));
}

#[test]
fn files_and_lists_are_not_handled() {
    unknown(&[
        "https://arxiv.org/pdf/2401.00001",
        "https://arxiv.org/html/2401.00001v1",
        "https://arxiv.org/list/hep-ex/new",
        "https://arxiv.org/abs/",
        "https://arxiv.org/abs/2401.1",
        "https://arxiv.org/abs/../0309136",
        "https://arxiv.org/abs/x?/0309136",
        "https://info.arxiv.org/abs/2401.00001",
    ]);
}
