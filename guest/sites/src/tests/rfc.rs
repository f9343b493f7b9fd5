//! Replies after the files that <https://www.rfc-editor.org/info/rfc2616> links: `rfc2616.json`.

use super::{Case, found, unknown};
use crate::canned::Canned;
use crate::handler::Found;
use crate::service::Fault;
use serde_json::{Value, json};

const JSON: &str = "https://www.rfc-editor.org/rfc/rfc2616.json";

fn facts() -> Value {
    json!({
        "draft": "draft-ietf-http-v11-spec-rev-06", "doc_id": "RFC2616", "title": "Hypertext Transfer Protocol",
        "authors": ["R. Fielding"], "format": ["ASCII", "PDF", null], "page_count": "176", "pub_status": "DRAFT STANDARD",
        "status": "DRAFT STANDARD", "source": null, "abstract": "", "pub_date": "June 1999", "keywords": [],
        "obsoletes": ["RFC2068"], "obsoleted_by": ["RFC7230", "RFC7231"], "updates": [], "updated_by": ["RFC2817"],
        "see_also": [], "doi": "10.17487/RFC2616", "errata_url": "https://www.rfc-editor.org/errata/rfc2616",
    })
}

pub fn cases() -> Vec<Case> {
    vec![Case {
        url: "https://www.rfc-editor.org/info/rfc2616",
        json: vec![(JSON, facts())],
        html: vec![],
    }]
}

/// The URL and the notes that a reply leads to.
fn file(url: &str, facts: &Value) -> (String, Vec<String>) {
    match found(url, &mut Canned::default().json(JSON, facts)) {
        Some(Ok(Found::File { url, notes, .. })) => (url.to_string(), notes),
        other => panic!("{url}: {other:?}"),
    }
}

#[test]
fn all_pages_of_a_document_are_its_text() {
    for url in [
        "https://www.rfc-editor.org/info/rfc2616/",
        "https://www.rfc-editor.org/rfc/rfc2616.html",
        "https://www.rfc-editor.org/rfc/rfc2616",
        "https://datatracker.ietf.org/doc/html/rfc2616",
        "https://datatracker.ietf.org/doc/rfc2616/",
        "https://tools.ietf.org/html/rfc2616",
        "https://www.ietf.org/rfc/RFC2616",
    ] {
        let (text, notes) = file(url, &facts());
        assert_eq!(text, "https://www.rfc-editor.org/rfc/rfc2616.txt", "{url}");
        let expected = [
            "RFC 2616 is obsoleted by RFC7230, RFC7231.",
            "RFC 2616 is updated by RFC2817.",
            "RFC 2616 obsoletes RFC2068.",
            "Status: DRAFT STANDARD, June 1999.",
            "Errata: https://www.rfc-editor.org/errata/rfc2616",
        ];
        assert_eq!(notes, expected, "{url}");
    }
}

#[test]
fn document_without_text_is_a_pdf() {
    let mut facts = facts();
    facts["format"] = json!(["PDF"]);
    let (url, _) = file("https://www.rfc-editor.org/info/rfc2616", &facts);
    assert_eq!(url, "https://www.rfc-editor.org/rfc/rfc2616.pdf");
}

#[test]
fn another_document_is_wrong() {
    let mut facts = facts();
    facts["doc_id"] = json!("RFC2617");
    let mut service = Canned::default().json(JSON, &facts);
    let wrong = Fault::Wrong("RFC2617 instead of RFC2616".to_owned());
    assert_eq!(
        found("https://www.rfc-editor.org/info/rfc2616", &mut service),
        Some(Err(wrong))
    );
}

#[test]
fn files_drafts_and_sections_are_not_handled() {
    unknown(&[
        "https://www.rfc-editor.org/rfc/rfc2616.txt",
        "https://www.rfc-editor.org/rfc/rfc2616.pdf",
        "https://www.rfc-editor.org/rfc/rfc2616.html#section-5",
        "https://www.rfc-editor.org/info/std66",
        "https://datatracker.ietf.org/doc/html/draft-ietf-quic-http",
        "https://datatracker.ietf.org/wg/quic/about/",
        "https://tools.ietf.org/html/rfcx",
        "https://www.rfc-editor.org/rfc/",
    ]);
}
