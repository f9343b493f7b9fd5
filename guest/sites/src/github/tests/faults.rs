use super::{API, SITE, fault, read};
use crate::canned::Canned;
use crate::service::{Fault, Reply};
use serde_json::json;

/// A page of each kind, with the first URL of the API that it needs.
const PAGES: [(&str, &str); 13] = [
    ("", ""),
    ("/tree/main", "/contents/?ref=main"),
    ("/issues/7", "/issues/7"),
    ("/pull/7", "/pulls/7"),
    ("/pull/7/files", "/pulls/7"),
    ("/pull/7/commits", "/pulls/7/commits?per_page=100&page=1"),
    (
        "/issues",
        "/issues?state=open&sort=created&direction=desc&per_page=100&page=1",
    ),
    (
        "/pulls",
        "/pulls?state=open&sort=created&direction=desc&per_page=30&page=1",
    ),
    ("/commit/abcdef0", "/commits/abcdef0"),
    ("/commits", "/commits?per_page=30&page=1"),
    ("/compare/a...b", "/compare/a...b"),
    ("/releases/latest", "/releases/latest"),
    ("/actions/runs/7", "/actions/runs/7"),
];

#[test]
fn faults_are_passed_on() {
    for expected in [
        Fault::Missing("x".to_owned()),
        Fault::Refused("api.github.com".to_owned()),
        Fault::Limited(Some(1_795_924_140)),
        Fault::Limited(None),
        Fault::Failed(500),
        Fault::Unanswered("the server does not answer".to_owned()),
    ] {
        for (page, api) in PAGES {
            let mut canned =
                Canned::default().result(&format!("{API}{api}"), Err(expected.clone()));
            let found = fault(&format!("{SITE}{page}"), &mut canned);
            let is_missing =
                matches!(expected, Fault::Missing(_)) && matches!(found, Fault::Missing(_));
            assert!(is_missing || found == expected, "{page}: {found}");
        }
    }
}

#[test]
fn replies_of_other_kinds_are_wrong() {
    let html = (Some("text/html"), b"<html>Sign in</html>".to_vec());
    let empty = (None, Vec::new());
    let cut = (
        Some("application/json"),
        br#"{"number": 7, "title": "x"#.to_vec(),
    );
    let text = (Some("application/json"), br#""text""#.to_vec());
    let null = (Some("application/json"), b"null".to_vec());
    let deep = (Some("application/json"), "[".repeat(100_000).into_bytes());
    for (mime, body) in [html, empty, cut, text, null, deep] {
        for (page, api) in PAGES {
            let reply = Reply {
                mime: mime.map(str::to_owned),
                body: body.clone(),
                ..Reply::default()
            };
            let mut canned = Canned::default().result(&format!("{API}{api}"), Ok(reply));
            match read(&format!("{SITE}{page}"), &mut canned) {
                Some(Err(Fault::Wrong(_))) => {}
                // An empty diff is that of a pull request without changes.
                Some(Ok(_)) if page == "/pull/7/files" && body.is_empty() => {}
                other => panic!("{page}: {other:?}"),
            }
        }
    }
}

#[test]
fn other_ids_are_wrong() {
    for (page, api, value) in [
        ("/issues/7", "/issues/7", json!({"number": 8, "title": "x"})),
        ("/pull/7", "/pulls/7", json!({"number": 8, "title": "x"})),
        ("/issues/7", "/issues/7", json!({"message": "no issue"})),
        (
            "/commit/abcdef0",
            "/commits/abcdef0",
            json!({"sha": "1234567"}),
        ),
        ("/actions/runs/7", "/actions/runs/7", json!({"id": 8})),
    ] {
        let mut canned = Canned::default().json(&format!("{API}{api}"), &value);
        assert!(
            matches!(
                fault(&format!("{SITE}{page}"), &mut canned),
                Fault::Wrong(_)
            ),
            "{page}"
        );
    }
}
