//! Replies after <https://github.com/mdn/yari/blob/main/libs/types/document.ts> (`Doc`, `Section`).

use super::{Case, found, page, unknown};
use crate::canned::Canned;
use crate::service::{Fault, Reply};
use serde_json::{Value, json};

const JSON: &str = "https://developer.mozilla.org/en-US/docs/Web/API/Tiny/index.json";
const PAGE: &str = "https://developer.mozilla.org/en-US/docs/Web/API/Tiny";

fn document() -> Value {
    let part = |id: Option<&str>, title: Option<&str>, is_small: bool, text: &str| {
        let value = json!({"id": id, "title": title, "isH3": is_small, "content": text, "titleAsText": null});
        json!({"type": "prose", "value": value})
    };
    json!({"url": "/en-US/docs/Web/API/Tiny", "doc": {
        "title": "Tiny: the tiny() method", "mdn_url": "/en-US/docs/Web/API/Tiny", "locale": "en-US", "native": null,
        "modified": "2026-01-02T03:04:05.000Z", "source": {"github_url": "https://github.com/mdn/content/x"},
        "baseline": {"baseline": "high", "baseline_low_date": "2020-01-01", "baseline_high_date": "2022-07-01",
                     "support": {"chrome": "80", "firefox": "75", "safari": null}},
        "body": [
            part(None, None, false, "<p>The method.</p>"),
            part(Some("syntax"), Some("<code>Syntax</code> &amp; use"), false, "<pre>tiny()</pre>"),
            part(Some("value"), Some("Value"), true, "<h4># A number.</h4>"),
            json!({"type": "specifications", "value": {"id": "specifications", "title": "Specifications", "isH3": false,
                "query": null, "specifications": [{"bcdSpecificationURL": "https://spec.example/", "title": "Tiny"}, {}]}}),
            json!({"type": "browser_compatibility", "value": {"id": "browser_compatibility",
                "title": "Browser compatibility", "isH3": false, "query": "api.Tiny", "data": null}}),
            json!({"type": "unknown", "value": {}}),
        ],
    }})
}

pub fn cases() -> Vec<Case> {
    vec![
        Case {
            url: PAGE,
            json: vec![(JSON, document())],
            html: vec![],
        },
        Case {
            url: "https://developer.mozilla.org/docs/Web/API/Tiny/#syntax",
            json: vec![(JSON, document())],
            html: vec![],
        },
    ]
}

#[test]
fn document_has_its_sections() {
    let (page, urls) = cases()[0].page();
    let expected = "# Tiny: the tiny() method

- Baseline: widely available since 2022-07-01
- Browsers: chrome 80, firefox 75
- Modified: 2026-01-02

The method.

## Syntax & use

tiny()

### Value

#### A number.

## Specifications

- Tiny: https://spec.example/

## Browser compatibility

[The table of browsers for `api.Tiny` is loaded by the page: https://developer.mozilla.org/en-US/docs/Web/API/Tiny]
";
    assert_eq!(page.markdown, expected);
    let left = "The table of browsers for `api.Tiny` is left out: \
                https://developer.mozilla.org/en-US/docs/Web/API/Tiny#browser_compatibility";
    assert_eq!(
        page.notes,
        ["Source: https://github.com/mdn/content/x", left]
    );
    assert_eq!(urls, [JSON]);
}

#[test]
fn fragment_selects_a_section_with_its_parts() {
    let (page, _) = cases()[1].page();
    let expected =
        "# Tiny: the tiny() method\n\n## Syntax & use\n\ntiny()\n\n### Value\n\n#### A number.\n";
    assert_eq!(page.markdown, expected);
    let note = "Only the section `#syntax` is shown. The URL without it is the whole document.";
    assert_eq!(page.notes, [note]);
    let missing = super::page(&format!("{PAGE}#none"), &mut cases()[0].service());
    assert!(missing.markdown.contains("## Specifications"));
    assert_eq!(
        missing.notes[0],
        "There is no section `#none`: the whole document is shown."
    );
}

#[test]
fn document_that_moved_is_read_and_another_is_wrong() {
    let old = "https://developer.mozilla.org/en-US/docs/Web/Old";
    let from = format!("{old}/index.json");
    let reply = Reply {
        url: JSON.to_owned(),
        body: document().to_string().into_bytes(),
        ..Reply::default()
    };
    let mut service = Canned::default().result(&from, Ok(reply));
    assert!(page(old, &mut service).markdown.starts_with("# Tiny"));
    let mut service = Canned::default().json(&from, &document());
    let wrong = "/en-US/docs/Web/API/Tiny instead of /en-US/docs/Web/Old".to_owned();
    assert_eq!(found(old, &mut service), Some(Err(Fault::Wrong(wrong))));
}

#[test]
fn other_pages_are_not_handled() {
    unknown(&[
        "https://developer.mozilla.org/en-US/",
        "https://developer.mozilla.org/en-US/docs/",
        "https://developer.mozilla.org/en-US/blog/x/",
        "https://developer.mozilla.org/en-US/docs/Web/API/Tiny/index.json",
        "https://developer.mozilla.org/en-US/docs/Web/API/Tiny/a.png",
        "https://interactive-examples.mdn.mozilla.net/docs/x",
    ]);
}
