//! Replies after <https://www.mediawiki.org/wiki/API:Parsing_wikitext> and
//! <https://en.wikipedia.org/w/api.php?action=help&modules=parse>, with `formatversion=2`.

use super::{Case, found, page, unknown};
use crate::canned::Canned;
use crate::service::Fault;
use serde_json::{Value, json};

/// The URL of a request to the parser.
fn api(name: &str, props: &str, more: &str) -> &'static str {
    let url = format!(
        "https://en.wikipedia.org/w/api.php?action=parse&format=json&formatversion=2&{name}&prop={props}\
         &disableeditsection=1&disablelimitreport=1&disabletoc=1&mobileformat=1{more}"
    );
    Box::leak(url.into_boxed_str())
}

const TEXT: &str = "text%7Crevid%7Cdisplaytitle%7Cproperties";
const FACTS: &str = "revid%7Csections%7Cdisplaytitle%7Cproperties";

fn article(title: &str) -> Value {
    json!({"parse": {
        "title": title, "pageid": 7, "revid": 99, "displaytitle": "<i>Rust</i> &amp; iron", "redirects": [],
        "text": "<h2>Use</h2>\n<p>Text</p>", "properties": {}, "categories": null,
    }})
}

pub fn cases() -> Vec<Case> {
    let mut redirect = article("Rust");
    redirect["parse"]["redirects"] = json!([{"from": "Iron oxide", "to": "Rust"}, {"from": null}]);
    redirect["parse"]["properties"] = json!({"disambiguation": ""});
    let sections = json!({"parse": {
        "title": "Rust", "revid": 99, "sections": [
            {"toclevel": 1, "line": "Use", "number": "1", "index": "1", "anchor": "Use"},
            {"index": "T-2", "anchor": "From_a_template"}, {"anchor": null},
        ],
    }});
    vec![
        Case {
            url: "https://en.m.wikipedia.org/wiki/Iron_oxide",
            json: vec![(api("page=Iron%20oxide&redirects=1", TEXT, ""), redirect)],
            html: vec![],
        },
        Case {
            url: "https://en.wikipedia.org/wiki/Rust#Use",
            json: vec![
                (api("page=Rust&redirects=1", FACTS, ""), sections),
                (
                    api("page=Rust&redirects=1", TEXT, "&section=1"),
                    article("Rust"),
                ),
            ],
            html: vec![],
        },
        Case {
            url: "https://en.wikipedia.org/w/index.php?title=Rust&oldid=99",
            json: vec![(api("oldid=99", TEXT, ""), article("Rust"))],
            html: vec![],
        },
    ]
}

#[test]
fn article_has_its_text_and_redirects() {
    let (page, urls) = cases()[0].page();
    assert_eq!(page.markdown, "# Rust & iron\n\nUse\nText\n");
    let notes = [
        "“Iron oxide” is a redirect to “Rust”.",
        "This page lists articles with similar titles.",
        "Revision: https://en.wikipedia.org/w/index.php?oldid=99",
    ];
    assert_eq!(page.notes, notes);
    assert_eq!(urls.len(), 1);
}

#[test]
fn fragment_selects_a_section() {
    let (page, urls) = cases()[1].page();
    assert_eq!(urls.len(), 2);
    let note = "Only the section `#Use` is shown. The URL without it is the whole article.";
    assert!(page.notes.iter().any(|it| it == note), "{:?}", page.notes);
    // A section of a template, and one that is missing: the whole article.
    for id in ["From_a_template", "None"] {
        let mut service = cases()[1]
            .service()
            .json(api("page=Rust&redirects=1", TEXT, ""), &article("Rust"));
        let page = super::page(
            &format!("https://en.wikipedia.org/wiki/Rust#{id}"),
            &mut service,
        );
        let note = format!("There is no section `#{id}`: the whole article is shown.");
        assert!(page.notes.contains(&note), "{:?}", page.notes);
    }
}

#[test]
fn titles_are_those_of_the_path_or_the_query() {
    for (url, name) in [
        (
            "https://en.wikipedia.org/wiki/AC/DC",
            "page=AC%2FDC&redirects=1",
        ),
        (
            "https://en.wikipedia.org/wiki/2001:_A_Space_Odyssey",
            "page=2001%3A%20A%20Space%20Odyssey&redirects=1",
        ),
        (
            "https://en.wikipedia.org/wiki/Help:Contents",
            "page=Help%3AContents&redirects=1",
        ),
        (
            "https://en.wikipedia.org/wiki/C%2B%2B?redirect=no",
            "page=C%2B%2B",
        ),
        (
            "https://en.wikipedia.org/w/index.php?title=iPhone",
            "page=iPhone&redirects=1",
        ),
    ] {
        let title = crate::address::decode(
            name.trim_start_matches("page=")
                .trim_end_matches("&redirects=1"),
        );
        let mut service = Canned::default().json(api(name, TEXT, ""), &article(&title));
        assert!(
            page(url, &mut service).markdown.starts_with("# Rust"),
            "{url}"
        );
    }
    let mut service = Canned::default().json(api("pageid=7&redirects=1", TEXT, ""), &article("X"));
    assert!(
        page("https://en.wikipedia.org/?curid=7", &mut service)
            .markdown
            .starts_with("# Rust")
    );
}

#[test]
fn errors_of_the_parser_are_faults() {
    let url = "https://en.wikipedia.org/wiki/Rust";
    let address = api("page=Rust&redirects=1", TEXT, "");
    let answer = |reply: &Value| found(url, &mut Canned::default().json(address, reply));
    let error = |code: &str| json!({"error": {"code": code, "info": "x"}, "servedby": "mw1"});
    assert_eq!(
        answer(&error("missingtitle")),
        Some(Err(Fault::Missing(address.to_owned())))
    );
    assert_eq!(
        answer(&error("ratelimited")),
        Some(Err(Fault::Limited(None)))
    );
    assert_eq!(
        answer(&error("pagecannotexist")),
        Some(Err(Fault::Wrong("the error `pagecannotexist`".to_owned())))
    );
    let other = Fault::Wrong("Iron instead of Rust".to_owned());
    assert_eq!(answer(&article("Iron")), Some(Err(other)));
    let name = api("page=2001%3A%20A%20Space%20Odyssey&redirects=1", TEXT, "");
    let mut service = Canned::default().json(name, &article("2010: A Space Odyssey"));
    let other = found(
        "https://en.wikipedia.org/wiki/2001:_A_Space_Odyssey",
        &mut service,
    );
    assert!(matches!(other, Some(Err(Fault::Wrong(_)))), "{other:?}");
    let name = api("page=WP%3ANPOV&redirects=1", TEXT, "");
    let mut service = Canned::default().json(name, &article("Wikipedia:NPOV"));
    let same = found("https://en.wikipedia.org/wiki/WP:NPOV", &mut service);
    assert!(matches!(same, Some(Ok(_))), "{same:?}");
    let mut empty = article("Rust");
    empty["parse"]["text"] = json!(" ");
    assert_eq!(
        answer(&empty),
        Some(Err(Fault::Wrong("an article without a text".to_owned())))
    );
    let mut service = Canned::default().json(api("oldid=98", TEXT, ""), &article("Rust"));
    let other = Fault::Wrong("Rust instead of 98".to_owned());
    assert_eq!(
        found("https://en.wikipedia.org/?oldid=98", &mut service),
        Some(Err(other))
    );
}

#[test]
fn pages_that_are_not_articles_are_not_handled() {
    unknown(&[
        "https://www.wikipedia.org/",
        "https://en.wikipedia.org/",
        "https://en.wikipedia.org/wiki/",
        "https://en.wikipedia.org/wiki/Special:Search?search=rust",
        "https://en.wikipedia.org/wiki/File:Rust.jpg",
        "https://de.wikipedia.org/wiki/Kategorie:Eisen",
        "https://en.wikipedia.org/wiki/Talk:Rust",
        "https://en.wikipedia.org/w/index.php?title=Rust&action=history",
        "https://en.wikipedia.org/w/index.php?title=Rust&diff=9&oldid=8",
        "https://en.wikipedia.org/w/api.php?action=parse&page=Rust",
        "https://evil.example/wiki/Rust",
        "https://a.b.wikipedia.org/wiki/Rust",
    ]);
}
