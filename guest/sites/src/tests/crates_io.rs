//! Replies after <https://crates.io/api/openapi.json>: `find_crate`, `find_version`, `get_version_dependencies`,
//! `get_version_readme` and `list_versions`; lists after
//! <https://doc.rust-lang.org/cargo/reference/registry-web-api.html#search>.

use super::{Case, found, page, unknown};
use crate::canned::Canned;
use crate::service::Fault;
use serde_json::{Value, json};

const CRATE: &str = "https://crates.io/api/v1/crates/tiny_log?include=keywords,categories,downloads,default_version";

fn version(number: &str) -> Value {
    json!({
        "id": 9, "crate": "tiny-log", "num": number, "description": "A small logger\nfor tests",
        "homepage": null, "documentation": "https://docs.rs/tiny-log", "repository": null,
        "license": "MIT OR Apache-2.0", "rust_version": "1.70", "edition": "2021", "yanked": false,
        "yank_message": null, "created_at": "2026-01-02T03:04:05.678901Z", "downloads": 7, "crate_size": 4096,
        "features": {"default": ["std"], "std": [], "color": ["dep:term", "std"]},
        "bin_names": ["tiny", null], "published_by": {"login": "ann", "id": 3}, "links": {"dependencies": "/x"},
    })
}

fn krate() -> Value {
    json!({
        "crate": {
            "id": "tiny-log", "name": "tiny-log", "description": "of the crate", "default_version": "1.2.0",
            "num_versions": 12, "downloads": 500, "recent_downloads": 40, "homepage": null,
            "repository": "https://example.com/tiny", "newest_version": "2.0.0-rc.1",
        },
        "versions": [version("1.2.0")],
        "keywords": [{"id": "log", "keyword": "log", "crates_cnt": 3}, {"keyword": null}],
        "categories": [{"category": "Development tools"}],
    })
}

fn dependencies() -> Value {
    json!({"dependencies": [
        {"crate_id": "term", "req": "^1", "optional": true, "default_features": false, "features": ["x", "y"],
         "target": "cfg(windows)", "kind": "normal"},
        {"crate_id": "log", "req": "^0.4", "optional": false, "default_features": true, "features": [],
         "target": null, "kind": "normal"},
        {"crate_id": "cc", "req": "^1", "kind": "build"}, {"crate_id": "criterion", "kind": "dev"},
        {"crate_id": null, "kind": "normal"},
    ]})
}

pub fn cases() -> Vec<Case> {
    let readme = "<h1>Tiny</h1><p># A heading of the README</p>";
    let address = "https://crates.io/api/v1/crates/tiny_log";
    let versions = json!({
        "versions": [version("2.0.0-rc.1"), {"num": "1.0.0", "yanked": true, "crate": "tiny-log"}],
        "meta": {"total": 12, "next_page": "?per_page=20&seek=abc"},
    });
    let at =
        |path: &str| -> &'static str { Box::leak(format!("{address}{path}").into_boxed_str()) };
    vec![
        Case {
            url: "https://crates.io/crates/tiny_log",
            json: vec![
                (CRATE, krate()),
                (at("/1.2.0/dependencies"), dependencies()),
            ],
            html: vec![(at("/1.2.0/readme"), readme)],
        },
        Case {
            url: "https://crates.io/crates/tiny_log/1.1.0/dependencies",
            json: vec![
                (CRATE, krate()),
                (at("/1.1.0"), json!({"version": version("1.1.0")})),
                (at("/1.1.0/dependencies"), json!({"dependencies": []})),
            ],
            html: vec![],
        },
        Case {
            url: "https://crates.io/crates/tiny_log/versions",
            json: vec![(at("/versions?per_page=20&sort=date"), versions)],
            html: vec![],
        },
        Case {
            url: "https://crates.io/search?q=tiny%20log&page=2&sort=downloads",
            json: vec![(
                "https://crates.io/api/v1/crates?per_page=20&q=tiny%20log&sort=downloads&page=2",
                json!({
                    "crates": [
                        {"id": "tiny-log", "name": "tiny-log", "max_version": "2.0.0-rc.1", "default_version": "1.2.0",
                         "downloads": 500, "description": "A small\nlogger", "links": null},
                        {"name": "tinier", "max_version": "0.1.0", "description": null}, {"name": null},
                    ],
                    "meta": {"total": 45, "next_page": null},
                }),
            )],
            html: vec![],
        },
    ]
}

#[test]
fn crate_page_has_its_default_version() {
    let cases = cases();
    let (page, urls) = cases[0].page();
    let expected = "# tiny-log 1.2.0

A small logger for tests

- Licence: MIT OR Apache-2.0
- Rust: 1.70 or later
- Edition: 2021
- Repository: https://example.com/tiny
- Documentation: https://docs.rs/tiny-log
- Published: 2026-01-02 by ann
- Downloads: 500, 40 in the last 90 days, 7 of this version
- Size: 4096 bytes
- Programs: tiny
- Keywords: log
- Categories: Development tools
- Versions: 12: https://crates.io/crates/tiny-log/versions

## Features (3)

- default: std
- color: dep:term, std
- std

## Dependencies (2)

- term ^1 (optional; no default features; features: x, y; cfg(windows))
- log ^0.4

## Build dependencies (1)

- cc ^1

## Development dependencies (1)

- criterion

## README

Tiny# A heading of the README
";
    assert_eq!(page.markdown, expected);
    assert_eq!(page.notes, Vec::<String>::new());
    assert_eq!(urls.len(), 3);
}

#[test]
fn version_page_without_readme_says_so() {
    let (page, urls) = cases()[1].page();
    assert!(
        page.markdown.starts_with("# tiny-log 1.1.0\n"),
        "{}",
        page.markdown
    );
    assert!(
        page.markdown.contains("- Default version: 1.2.0\n"),
        "{}",
        page.markdown
    );
    assert_eq!(page.notes, ["There is no README."]);
    assert_eq!(urls.len(), 4);
}

#[test]
fn versions_that_are_left_out_are_counted() {
    let (page, _) = cases()[2].page();
    let expected = "# Versions of tiny_log

- 2.0.0-rc.1, 2026-01-02, Rust 1.70, MIT OR Apache-2.0, 7 downloads
- 1.0.0, yanked
";
    assert_eq!(page.markdown, expected);
    let note =
        "10 more versions: https://crates.io/api/v1/crates/tiny_log/versions?per_page=20&seek=abc";
    assert_eq!(page.notes, [note]);
}

#[test]
fn list_of_crates_has_its_page_and_order() {
    let (page, _) = cases()[3].page();
    let expected = "# Crates that match “tiny log”

- tiny-log 1.2.0, 500 downloads: A small logger
- tinier 0.1.0
";
    assert_eq!(page.markdown, expected);
    let next = "https://crates.io/api/v1/crates?per_page=20&q=tiny%20log&sort=downloads&page=3";
    assert_eq!(page.notes, [format!("5 more crates of 45: {next}")]);
    for (url, terms) in [
        ("https://crates.io/keywords/log", "keyword=log"),
        (
            "https://crates.io/categories/command-line-utilities::x",
            "category=command-line-utilities%3A%3Ax",
        ),
    ] {
        let api = format!("https://crates.io/api/v1/crates?per_page=20&{terms}&page=1");
        let mut service = Canned::default().json(&api, &json!({"crates": []}));
        let page = super::page(url, &mut service);
        assert!(
            page.markdown.ends_with("The registry lists no crates.\n"),
            "{}",
            page.markdown
        );
    }
}

#[test]
fn another_crate_or_version_is_wrong() {
    let mut other = krate();
    other["crate"]["name"] = json!("tiny-logs");
    let mut service = Canned::default().json(CRATE, &other);
    let wrong = Fault::Wrong("tiny-logs instead of tiny_log".to_owned());
    assert_eq!(
        found("https://crates.io/crates/tiny_log", &mut service),
        Some(Err(wrong))
    );
    let mut service = Canned::default().json(CRATE, &krate()).json(
        "https://crates.io/api/v1/crates/tiny_log/1.1.0",
        &json!({"version": version("1.1.1")}),
    );
    let wrong = Fault::Wrong("1.1.1 instead of 1.1.0".to_owned());
    assert_eq!(
        found("https://crates.io/crates/tiny_log/1.1.0", &mut service),
        Some(Err(wrong))
    );
}

#[test]
fn yanked_version_says_why() {
    let mut yanked = version("1.2.0");
    yanked["yanked"] = json!(true);
    yanked["yank_message"] = json!("unsound");
    let mut reply = krate();
    reply["versions"] = json!([yanked]);
    let mut service = Canned::default().json(CRATE, &reply);
    let page = page("https://crates.io/crates/tiny_log", &mut service);
    assert!(
        page.markdown
            .contains("- This version is yanked. unsound\n"),
        "{}",
        page.markdown
    );
}

#[test]
fn pages_that_are_not_crates_are_not_handled() {
    unknown(&[
        "https://crates.io/",
        "https://crates.io/crates",
        "https://crates.io/search",
        "https://crates.io/users/ann",
        "https://crates.io/crates/a/reverse_dependencies",
        "https://crates.io/api/v1/crates/a",
        "https://crates.io:8443/crates/a",
        "https://static.crates.io/crates/a",
    ]);
}
