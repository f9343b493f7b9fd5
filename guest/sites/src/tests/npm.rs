//! Replies after <https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md> and
//! <https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md>.

use super::{Case, found, page, unknown};
use crate::canned::Canned;
use crate::service::Fault;
use serde_json::{Value, json};

fn manifest(version: &str) -> Value {
    json!({
        "name": "@ann/tiny", "version": version, "description": "A tiny\npackage", "homepage": null,
        "license": "MIT", "repository": {"type": "git", "url": "git+https://example.com/tiny.git"},
        "bugs": {"url": "https://example.com/issues"}, "author": {"name": "Ann", "email": null},
        "maintainers": [{"name": "ann", "email": "a@example.com"}, {"name": null}, "bob"],
        "engines": {"node": ">=18"}, "type": "module", "types": "index.d.ts", "bin": {"tiny": "cli.js"},
        "scripts": {"postinstall": "node build.js", "test": "x"}, "dependencies": {"left-pad": "^1.0.0"},
        "devDependencies": {}, "peerDependencies": null,
        "dist": {"tarball": "https://registry.npmjs.org/@ann/tiny/-/tiny.tgz", "unpackedSize": 4096, "shasum": "0"},
    })
}

fn whole() -> Value {
    json!({
        "_id": "@ann/tiny", "name": "@ann/tiny", "dist-tags": {"latest": "2.0.0", "next": "3.0.0-rc.1"},
        "versions": {"2.0.0": {"dependencies": {}}},
        "time": {"created": "2025-01-01T00:00:00.000Z", "modified": "2026-01-01T00:00:00.000Z",
                 "1.0.0": "2025-01-02T00:00:00.000Z", "2.0.0": "2026-01-01T00:00:00.000Z"},
        "readme": "# Tiny\n\n```js\n# code\n```\n", "readmeFilename": "README.md",
    })
}

pub fn cases() -> Vec<Case> {
    vec![
        Case {
            url: "https://www.npmjs.com/package/@ann/tiny?activeTab=readme",
            json: vec![
                (
                    "https://registry.npmjs.org/@ann%2Ftiny/latest",
                    manifest("2.0.0"),
                ),
                ("https://registry.npmjs.org/@ann%2Ftiny", whole()),
            ],
            html: vec![],
        },
        Case {
            url: "https://npmjs.com/package/%40ann/tiny/v/1.0.0",
            json: vec![
                ("https://registry.npmjs.org/@ann%2Ftiny/1.0.0", {
                    let mut old = manifest("1.0.0");
                    old["deprecated"] = json!("use 2");
                    old["license"] = json!({"type": "ISC"});
                    old["repository"] = json!("github:ann/tiny");
                    old
                }),
                ("https://registry.npmjs.org/@ann%2Ftiny", whole()),
            ],
            html: vec![],
        },
    ]
}

#[test]
fn package_page_has_its_latest_version() {
    let (page, urls) = cases()[0].page();
    let expected = "# @ann/tiny 2.0.0

A tiny package

- Licence: MIT
- Repository: git+https://example.com/tiny.git
- Issues: https://example.com/issues
- Author: Ann
- Maintainers: ann
- Engines: node >=18
- Type: module
- Types: index.d.ts
- Programs: tiny cli.js
- Runs at installation: postinstall: node build.js
- Size: 4096 bytes
- Archive: https://registry.npmjs.org/@ann/tiny/-/tiny.tgz
- Published: 2026-01-01
- Tags: latest 2.0.0, next 3.0.0-rc.1

## Dependencies (1)

- left-pad ^1.0.0

## Versions (2)

- 2.0.0, 2026-01-01
- 1.0.0, 2025-01-02

## README

#### Tiny

```js
# code
```
";
    assert_eq!(page.markdown, expected);
    assert_eq!(page.notes, Vec::<String>::new());
    assert_eq!(urls.len(), 2);
}

#[test]
fn old_version_says_that_its_readme_is_newer() {
    let (page, _) = cases()[1].page();
    for part in [
        "# @ann/tiny 1.0.0\n",
        "- Deprecated: use 2\n",
        "- Licence: ISC\n",
        "- Repository: github:ann/tiny\n",
    ] {
        assert!(page.markdown.contains(part), "{part}: {}", page.markdown);
    }
    assert_eq!(page.notes, ["The README is that of 2.0.0."]);
}

#[test]
fn package_that_is_too_large_has_its_manifest() {
    let fault = Fault::Unanswered("the reply is larger than the limit".to_owned());
    let mut service = cases()[0]
        .service()
        .result("https://registry.npmjs.org/@ann%2Ftiny", Err(fault));
    let page = page("https://www.npmjs.com/package/@ann/tiny", &mut service);
    assert!(
        page.markdown.contains("- left-pad ^1.0.0"),
        "{}",
        page.markdown
    );
    let note = "The README and the times of https://registry.npmjs.org/@ann%2Ftiny are missing: the reply is larger \
                than the limit.";
    assert_eq!(page.notes, [note]);
}

#[test]
fn another_package_or_version_is_wrong() {
    let url = "https://registry.npmjs.org/tiny/latest";
    let mut service = Canned::default().json(url, &manifest("2.0.0"));
    let wrong = Fault::Wrong("@ann/tiny instead of tiny".to_owned());
    assert_eq!(
        found("https://www.npmjs.com/package/tiny", &mut service),
        Some(Err(wrong))
    );
    let url = "https://registry.npmjs.org/@ann%2Ftiny/1.0.0";
    let mut service = Canned::default().json(url, &manifest("2.0.0"));
    let wrong = Fault::Wrong("2.0.0 instead of 1.0.0".to_owned());
    assert_eq!(
        found(
            "https://www.npmjs.com/package/@ann/tiny/v/1.0.0",
            &mut service
        ),
        Some(Err(wrong))
    );
}

#[test]
fn pages_that_are_not_packages_are_not_handled() {
    unknown(&[
        "https://www.npmjs.com/",
        "https://www.npmjs.com/~ann",
        "https://www.npmjs.com/search?q=tiny",
        "https://www.npmjs.com/package/tiny?activeTab=code",
        "https://www.npmjs.com/package/tiny/access",
        "https://docs.npmjs.com/package/tiny",
        "https://registry.npmjs.org/tiny",
    ]);
}
