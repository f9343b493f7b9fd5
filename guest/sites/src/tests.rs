//! Tests that all handlers share, with the replies of each site.

mod arxiv;
mod crates_io;
mod docs_rs;
mod gitlab;
mod hacker_news;
mod mdn;
mod npm;
mod pypi;
mod rfc;
mod stack_exchange;
mod wikipedia;

use crate::canned::Canned;
use crate::handler::{Found, Page};
use crate::service::Fault;
use serde_json::{Value, json};
use url::Url;

/// A page, and the replies of its service. The first reply is the one that the page needs.
pub struct Case {
    url: &'static str,
    json: Vec<(&'static str, Value)>,
    html: Vec<(&'static str, &'static str)>,
}

impl Case {
    /// The service of the case.
    fn service(&self) -> Canned {
        let mut service = Canned::default();
        for (url, value) in &self.json {
            service = service.json(url, value);
        }
        for (url, text) in &self.html {
            service = service.body(url, "text/html", text.as_bytes());
        }
        service
    }

    /// The page, and the URLs of its requests.
    fn page(&self) -> (Page, Vec<String>) {
        let mut service = self.service();
        let page = page(self.url, &mut service);
        let urls = service.urls().iter().map(|it| (*it).to_owned()).collect();
        (page, urls)
    }
}

/// What the handlers find. `None` if none knows the URL.
pub fn found(url: &str, service: &mut Canned) -> Option<Result<Found, Fault>> {
    let url = Url::parse(url).expect("a URL");
    crate::ask_all(&url, service).map(|(_, found)| found)
}

/// The page that a handler writes.
pub fn page(url: &str, service: &mut Canned) -> Page {
    match found(url, service) {
        Some(Ok(Found::Page(page))) => page,
        other => panic!("{url}: {other:?}"),
    }
}

/// Checks that no handler knows the URLs, and that none sends a request.
pub fn unknown(urls: &[&str]) {
    for url in urls {
        let mut service = Canned::default();
        assert_eq!(found(url, &mut service), None, "{url}");
        assert!(service.requests.is_empty(), "{url}");
    }
}

/// The cases of all sites.
fn cases() -> Vec<Case> {
    let all = [
        arxiv::cases(),
        crates_io::cases(),
        docs_rs::cases(),
        gitlab::cases(),
        hacker_news::cases(),
        mdn::cases(),
        npm::cases(),
        pypi::cases(),
        rfc::cases(),
        stack_exchange::cases(),
        wikipedia::cases(),
    ];
    all.into_iter().flatten().collect()
}

/// All paths of a value.
fn paths(value: &Value, path: &str, out: &mut Vec<String>) {
    out.push(path.to_owned());
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                let key = key.replace('~', "~0").replace('/', "~1");
                paths(value, &format!("{path}/{key}"), out);
            }
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                paths(value, &format!("{path}/{index}"), out);
            }
        }
        _ => {}
    }
}

/// A value with an unknown field in each object, or without the fields that are null.
fn changed(value: &Value, is_more: bool) -> Value {
    match value {
        Value::Object(object) => {
            let fields = object
                .iter()
                .filter(|(_, value)| is_more || !value.is_null());
            let mut object: serde_json::Map<_, _> = fields
                .map(|(key, value)| (key.clone(), changed(value, is_more)))
                .collect();
            // Objects whose keys are data have only texts or lists.
            if is_more && object.values().any(|it| !it.is_string() && !it.is_array()) {
                object.insert("unknown-field".to_owned(), json!({"a": [null, 1]}));
            }
            Value::Object(object)
        }
        Value::Array(list) => list.iter().map(|it| changed(it, is_more)).collect(),
        other => other.clone(),
    }
}

#[test]
fn any_field_of_another_type_page_is_not_empty() {
    let others = [
        Value::Null,
        json!(7),
        json!(-1.5),
        json!("x"),
        json!(""),
        json!([1]),
        json!({}),
        json!(true),
    ];
    let mut runs = 0;
    for case in cases() {
        for (index, (url, value)) in case.json.iter().enumerate() {
            let mut all = Vec::new();
            paths(value, "", &mut all);
            for path in all {
                for other in &others {
                    let mut value = value.clone();
                    *value.pointer_mut(&path).expect("a value") = other.clone();
                    let mut service = case.service().json(url, &value);
                    match found(case.url, &mut service) {
                        Some(Ok(Found::Page(page))) => {
                            let text = page.markdown;
                            let has_title = text.lines().next().is_some_and(|it| it.len() > 2);
                            assert!(
                                has_title && text.starts_with("# "),
                                "{url} {path} {other}: {text}"
                            );
                            assert!(text.ends_with('\n'), "{url} {path} {other}: {text}");
                        }
                        Some(Ok(Found::File { .. }) | Err(_)) => {}
                        None => panic!("{} is unknown with {path}", case.url),
                    }
                    assert!(service.requests.len() <= 6, "{url} {path} {other}");
                    runs += 1;
                }
            }
            assert!(runs > index, "no path in {url}");
        }
    }
    assert!(runs > 1000);
}

#[test]
fn unknown_and_missing_fields_page_is_the_same() {
    for case in cases() {
        let mut service = case.service();
        let expected = found(case.url, &mut service);
        assert!(
            matches!(expected, Some(Ok(_))),
            "{}: {expected:?}",
            case.url
        );
        assert!(service.requests.len() <= 6, "{}", case.url);
        for is_more in [true, false] {
            let mut service = Canned::default();
            for (url, value) in &case.json {
                service = service.json(url, &changed(value, is_more));
            }
            for (url, text) in &case.html {
                service = service.body(url, "text/html", text.as_bytes());
            }
            assert_eq!(
                found(case.url, &mut service),
                expected,
                "{} {is_more}",
                case.url
            );
        }
    }
}

#[test]
fn service_that_fails_fault_is_returned() {
    let faults = [
        Fault::Unanswered("no reply".to_owned()),
        Fault::Missing("u".to_owned()),
        Fault::Refused("h".to_owned()),
        Fault::Limited(Some(1_795_924_140)),
        Fault::Limited(None),
        Fault::Failed(503),
        Fault::TooLarge(4 << 20),
    ];
    for case in cases() {
        let Some((url, _)) = case.json.first() else {
            continue;
        };
        for fault in &faults {
            let mut service = case.service().result(url, Err(fault.clone()));
            let found = found(case.url, &mut service);
            assert_eq!(found, Some(Err(fault.clone())), "{}", case.url);
            assert_eq!(service.requests.len(), 1, "{}", case.url);
        }
        let html = b"<!doctype html><title>Sign in</title>";
        let mut service = case.service().body(url, "text/html", html);
        let found = found(case.url, &mut service);
        let expected = "text/html instead of JSON".to_owned();
        assert_eq!(found, Some(Err(Fault::Wrong(expected))), "{}", case.url);
    }
}

#[test]
fn replies_that_are_not_first_fail_page_says_so() {
    for case in cases() {
        for (url, _) in case.json.iter().skip(1) {
            for fault in [Fault::Limited(None), Fault::Failed(500)] {
                let mut service = case.service().result(url, Err(fault.clone()));
                match found(case.url, &mut service) {
                    Some(Ok(Found::Page(page))) => {
                        let notes = page.notes.join("\n");
                        assert!(notes.contains(&fault.to_string()), "{url}: {notes}");
                    }
                    other => assert_eq!(other, Some(Err(fault)), "{url}"),
                }
            }
        }
    }
}
